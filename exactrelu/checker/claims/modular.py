"""Ranks modulo one fixed prime.

For a prime p the rank modulo p is at most the rank over Q, because a minor that is non-zero
modulo p is non-zero.  So these ranks are certified lower bounds; a rank lost to the prime is
only a failure to prove.
"""

from collections.abc import Iterable

from exactrelu.checker.document import Row, spend
from exactrelu.checker.linear import dot

PRIME = (1 << 61) - 1  # a Mersenne prime, fixed, so that no document chooses it


class ModularEchelon:
    """Rows modulo `PRIME`, added one by one; `rank` is that of the rows so far.

    The rows are A = L U with U in echelon form up to the order of columns; U is kept by columns.
    Entry i of a new row of L, and each new entry of U, is one scalar product; a column of U ends
    at its pivot, and `dot` stops at the shorter argument.
    """

    def __init__(self) -> None:
        self.pivots: list[tuple[int, int]] = []  # column, inverse of the pivot
        self.columns: list[Row] = []
        self.free: list[int] = []  # columns without pivot

    @property
    def rank(self) -> int:
        """Rank of the rows so far."""
        return len(self.pivots)

    def add(self, entries: Iterable[int]) -> bool:
        """Add a row; True if the rank grew."""
        row = list(entries)
        if not self.columns:
            self.columns = [[] for _ in row]
            self.free = list(range(len(row)))
        spend(len(row) * (self.rank + 1))
        factors: Row = []
        for c, inverse in self.pivots:
            factors.append((row[c] - dot(factors, self.columns[c])) * inverse % PRIME)
        rest = [(row[c] - dot(factors, self.columns[c])) % PRIME for c in self.free]
        at = next((at for at, x in enumerate(rest) if x), -1)
        if at < 0:
            return False
        for c, x in zip(self.free, rest, strict=True):
            self.columns[c].append(x)
        self.pivots.append((self.free.pop(at), pow(rest[at], -1, PRIME)))
        return True


def rank_modulo(rows: Iterable[Iterable[int]]) -> int:
    """A lower bound of the rank over Q."""
    echelon = ModularEchelon()
    for row in rows:
        echelon.add(row)
    return echelon.rank
