"""An append-only array whose storage doubles."""

from __future__ import annotations

import numpy as np

Array = np.ndarray


class Growable:
    """Rows are appended at the end; `view` is the used part, `data` the whole storage (its tail is garbage)."""

    __slots__ = ("data", "size")

    def __init__(self, rows: Array, capacity: int = 256) -> None:
        self.size = len(rows)
        self.data = np.empty((max(2 * self.size, capacity), *rows.shape[1:]), rows.dtype)
        self.data[:self.size] = rows

    def append(self, rows: Array) -> None:
        """Append rows."""
        end = self.size + len(rows)
        self.reserve(end)
        self.data[self.size:end] = rows
        self.size = end

    def reserve(self, end: int) -> None:
        """Make sure that `end` rows fit."""
        if end > len(self.data):
            bigger = np.empty((2 * end, *self.data.shape[1:]), self.data.dtype)
            bigger[:self.size] = self.data[:self.size]
            self.data = bigger

    @property
    def view(self) -> Array:
        """The used part."""
        return self.data[:self.size]
