"""Ranks modulo one fixed prime.

For a prime p the rank modulo p is at most the rank over Q, because a minor that is non-zero
modulo p is non-zero.  So these ranks are certified lower bounds; a rank lost to the prime is
only a failure to prove.
"""

from collections.abc import Iterable

from exactrelu.checker.document import Row, spend

PRIME = (1 << 61) - 1  # a Mersenne prime, fixed, so that no document chooses it
BYTES = 18  # of one entry of a packed row: sums of 2^20 products of residues fit
MASK = (1 << 8 * BYTES) - 1


def pack(entries: Iterable[int]) -> int:
    """One integer that holds the residues of the entries, `BYTES` bytes each."""
    return int.from_bytes(b"".join((x % PRIME).to_bytes(BYTES, "little") for x in entries), "little")


def unpack(packed: int, length: int) -> Row:
    """The residues in a packed row of sums of products."""
    text = packed.to_bytes(BYTES * length, "little")
    parts = (text[i : i + BYTES] for i in range(0, len(text), BYTES))
    return [int.from_bytes(part, "little") % PRIME for part in parts]


class ModularEchelon:
    """Rows modulo `PRIME`, added one by one; `rank` is that of the rows so far.

    A row is one packed integer, so that adding a multiple of another row is one multiplication
    of a long by a short integer; its entries are reduced only when the row is finished.
    """

    def __init__(self) -> None:
        self.basis: list[tuple[int, int]] = []  # position of the pivot in bits, packed row

    @property
    def rank(self) -> int:
        """Rank of the rows so far."""
        return len(self.basis)

    def add(self, entries: Iterable[int]) -> bool:
        """Add a row; True if the rank grew."""
        row = list(entries)
        spend(len(row) * (self.rank + 1))
        packed = pack(row)
        for position, other in self.basis:
            if q := (packed >> position & MASK) % PRIME:
                packed += (PRIME - q) * other
        rest = unpack(packed, len(row))
        at = next((at for at, x in enumerate(rest) if x), -1)
        if at < 0:
            return False
        inverse = pow(rest[at], -1, PRIME)
        self.basis.append((8 * BYTES * at, pack(x * inverse for x in rest)))
        return True


def rank_modulo(rows: Iterable[Iterable[int]]) -> int:
    """A lower bound of the rank over Q."""
    echelon = ModularEchelon()
    for row in rows:
        echelon.add(row)
    return echelon.rank
