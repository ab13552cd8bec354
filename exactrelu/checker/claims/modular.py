"""Ranks modulo one fixed prime.

For a prime p the rank modulo p is at most the rank over Q, because a minor that is non-zero
modulo p is non-zero.  So these ranks are certified lower bounds; a rank lost to the prime is
only a failure to prove.
"""

from collections.abc import Iterable

from exactrelu.checker.document import Row, spend

PRIME = (1 << 61) - 1  # a Mersenne prime, fixed, so that no document chooses it


class ModularEchelon:
    """Rows modulo `PRIME`, added one by one; `rank` is that of the rows so far."""

    def __init__(self) -> None:
        self.basis: list[tuple[int, Row]] = []

    @property
    def rank(self) -> int:
        return len(self.basis)

    def add(self, row: Iterable[int]) -> bool:
        """Add a row; True if the rank grew."""
        rest = [x % PRIME for x in row]
        spend(len(rest) * (len(self.basis) + 1))
        for c, other in self.basis:
            if q := rest[c]:
                rest = [(x - q * y) % PRIME for x, y in zip(rest, other, strict=True)]
        c = next((c for c, x in enumerate(rest) if x), -1)
        if c < 0:
            return False
        inverse = pow(rest[c], -1, PRIME)
        self.basis.append((c, [x * inverse % PRIME for x in rest]))
        return True


def rank_modulo(rows: Iterable[Iterable[int]]) -> int:
    """A lower bound of the rank over Q."""
    echelon = ModularEchelon()
    for row in rows:
        echelon.add(row)
    return echelon.rank
