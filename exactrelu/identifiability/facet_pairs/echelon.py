"""Row spaces modulo p that grow batch by batch."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from exactrelu.identifiability.facet_pairs.mersenne_field import Residues, inverse, multiply, product, subtract


class RowSpace:
    """The span of rows in F_p^n, kept as a reduced echelon basis."""

    def __init__(self, columns: int) -> None:
        self.columns = columns
        self.basis: Residues = np.zeros((0, columns), dtype=np.uint64)
        self.pivots: list[int] = []

    @property
    def rank(self) -> int:
        """Dimension."""
        return len(self.pivots)

    def extend(self, rows: Residues) -> list[int]:
        """Add rows; return the numbers of the rows that raised the rank, greedy from the first.

        The old basis is cleared from the batch by one product, the batch is brought into reduced echelon form,
        and the new pivots are cleared from the old basis by another product.
        """
        batch = rows.copy()
        if self.pivots:
            batch = subtract(batch, product(batch[:, self.pivots], self.basis))
        raised: list[int] = []
        pivots: list[int] = []
        while self.rank + len(pivots) < self.columns:
            waiting = (batch != 0).any(axis=1)
            waiting[raised] = False
            if not waiting.any():
                break
            at = int(np.argmax(waiting))
            pivot = int(np.argmax(batch[at] != 0))
            row = multiply(batch[at], np.array([inverse(int(batch[at, pivot]))], dtype=np.uint64))
            touched = np.flatnonzero(batch[:, pivot])
            batch[touched] = subtract(batch[touched], multiply(batch[touched, pivot, None], row[None]))
            batch[at] = row
            raised.append(at)
            pivots.append(pivot)
        self._adopt(batch[raised], pivots)
        return raised

    def _adopt(self, fresh: Residues, pivots: list[int]) -> None:
        if not pivots:
            return
        if self.pivots:
            self.basis = subtract(self.basis, product(self.basis[:, pivots], fresh))
        self.basis = np.concatenate([self.basis, fresh])
        self.pivots = self.pivots + pivots

    def free_columns(self) -> npt.NDArray[np.int64]:
        """Return the columns without pivot."""
        free = np.ones(self.columns, dtype=bool)
        free[self.pivots] = False
        return np.flatnonzero(free)
