"""The two tests of a family of first-layer hyperplanes, through the signs of its members at finitely many samples.

Let eta have the function f, and let the family be its n first-layer hyperplanes, some perhaps absent or equal.  A *cell* is a set
of samples (points of visible facets) at which all members are strict and have the same signs.  Necessary:
* count: the samples of a cell that count lie on at most `capacity` different hyperplanes;
* rank: for some orientation, in every cell the gradients of f lie in the span of the rows of the active members; so their
  rank is at most the number of active members, and if the rows of these are all known, they lie in the span.
*Proof of the second.*  In a cell f factors through the preactivations of the active members.  QED
More samples with strict signs only add conditions, so both tests are monotone in the conformal order of signs (0 < +, 0 < -).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice

import numpy as np

from exactrelu.arithmetic.matrix import rank
from exactrelu.complexes.function_complex import FunctionComplex
from exactrelu.complexes.integer_arrays import signs
from exactrelu.recovery.facet_samples import FacetSamples
from exactrelu.recovery.rich_hyperplanes import gradient_pairs, gradient_rows

Array = np.ndarray
Row = tuple[int, ...]
CHUNK = 1 << 22
"""Signs of families that are tested at a time, for the memory."""


@dataclass
class Samples:
    """The samples of a search with what the tests need.

    Attributes:
        samples: ordered by hyperplane.
        counted: which samples the count looks at.
        gradients: for every sample a number of `spans`.
        spans: gradients on both sides of a facet, as rows.
    """

    samples: FacetSamples
    counted: Array
    gradients: Array
    spans: tuple[tuple[Row, ...], ...]
    columns: dict[Row, Array] = field(default_factory=dict)

    def column(self, row: Row) -> Array:
        """Signs of a row at the samples."""
        found = self.columns.get(row)
        if found is None:
            found = self.columns[row] = signs(np.array([row], dtype=object), self.samples.points)[0]
        return found

    def only(self, keep: Array) -> Samples:
        """The same at some of the samples."""
        return Samples(self.samples.chosen(keep), self.counted[keep], self.gradients[keep], self.spans)


def gradient_spans(function: FunctionComplex, samples: FacetSamples) -> tuple[Array, tuple[tuple[Row, ...], ...]]:
    """Return for every sample the number of a set of rows that span the gradients of f on both sides, and these sets.

    Exactness: integers.    Cost: one set of rows for each different pair of a side and a hyperplane.
    """
    pair, first = gradient_pairs(function)
    seen = pair[samples.facet]
    names: dict[tuple[Row, ...], int] = {}
    number = np.zeros(len(first), np.int64)
    for k in dict.fromkeys(seen.tolist()):
        number[k] = names.setdefault(gradient_rows(function, int(first[k])), len(names))
    return number[seen], tuple(names)


def cell_codes(table: Array) -> Array:
    """Return for every sample the cell of a family it lies in, a mask of the members positive there; -1 on a member.

    Args:
        table: signs of the members (at most 30), shape (..., members, samples).
    Returns:
        int32, shape (..., samples).

    >>> cell_codes(np.array([[1, -1, 0], [1, 1, 1]], np.int8)).tolist()
    [3, 2, -1]
    """
    weight = 1 << np.arange(table.shape[-2], dtype=np.int32)
    found: Array = np.where((table != 0).all(axis=-2), np.einsum("...ms,m->...s", (table > 0).astype(np.int32), weight), -1)
    return found


class FamilyTests:
    """The two tests, for families of n members given by their signs at the samples.

    Args:
        members: n.
        capacity: most hyperplanes that a cell can show.
        dimension: d.
    """

    def __init__(self, data: Samples, members: int, capacity: int, dimension: int) -> None:
        self.data, self.members, self.capacity, self.dimension = data, members, capacity, dimension
        order = np.flatnonzero(data.counted)
        self.counted = order
        hyperplane = data.samples.hyperplane[order]
        self.starts = np.flatnonzero(np.diff(hyperplane, prepend=-1)) if len(order) else order
        self.reduced: dict[int, tuple[tuple[Row, ...], int]] = {}
        self.inside: dict[tuple[frozenset[Row], int], bool] = {}

    def by_count(self, table: Array) -> Array:
        """Return which families show too many hyperplanes in a cell; table has shape (families, members, samples)."""
        out = np.zeros(len(table), bool)
        if len(self.starts) <= self.capacity:
            return out
        step = max(1, CHUNK // max(1, table.shape[1] * len(self.counted)))
        for at in range(0, len(table), step):
            code = cell_codes(table[at:at + step, :, self.counted])
            worst = np.zeros(len(code), np.int64)
            for cell in np.unique(code):
                if cell >= 0:
                    shown = np.logical_or.reduceat(code == cell, self.starts, axis=1).sum(axis=1)
                    np.maximum(worst, shown, out=worst)
            out[at:at + step] = worst > self.capacity
        return out

    def seen(self, table: Array) -> Array:
        """For families (shape (families, members, samples)) and samples: cell x number of spans + span, or -1 on a member."""
        code = cell_codes(table).astype(np.int64)
        found: Array = np.where(code >= 0, code * len(self.data.spans) + self.data.gradients, -1)
        return found

    def cells(self, seen: Array) -> dict[int, int]:
        """The cells with samples, and for each the set (a mask) of spans seen there."""
        found: dict[int, int] = {}
        count = len(self.data.spans)
        for pair in set(seen.tolist()):
            if pair >= 0:
                cell = pair // count
                found[cell] = found.get(cell, 0) | 1 << pair % count
        return found

    def span(self, mask: int) -> tuple[tuple[Row, ...], int]:
        """A spanning set of rows of a set of spans, and its rank."""
        known = self.reduced.get(mask)
        if known is None:
            rows = sorted({row for k, rows in enumerate(self.data.spans) if mask >> k & 1 for row in rows})
            known = self.reduced[mask] = (tuple(rows), rank([list(r) for r in rows], self.dimension))
        return known

    def contained(self, mask: int, rows: frozenset[Row]) -> bool:
        """Whether a set of spans lies in the span of the linear parts of rows."""
        key = (rows, mask)
        if key not in self.inside:
            own = [list(row[1:]) for row in sorted(rows)]
            shown, size = self.span(mask)
            self.inside[key] = size == 0 or rank(own, self.dimension) == rank([*own, *map(list, shown)], self.dimension)
        return self.inside[key]

    def orientations(self, family: Array, rows: Sequence[Row]) -> Iterator[int]:
        """Yield the orientations (masks of the members that are oriented as given) that pass the rank test.

        Args:
            rows: the rows of the first members, as far as they are known.
        """
        yield from self._oriented(self.cells(self.seen(family[None])[0]), rows)

    def _oriented(self, cells: dict[int, int], rows: Sequence[Row]) -> Iterator[int]:
        every = (1 << self.members) - 1
        known = (1 << len(rows)) - 1
        ranks = [(cell, mask, self.span(mask)[1]) for cell, mask in cells.items()]
        for orientation in range(every + 1):
            for cell, mask, size in ranks:
                active = every & ~(cell ^ orientation)
                if size > active.bit_count():
                    break
                if active & ~known == 0:
                    if not self.contained(mask, frozenset(row for k, row in enumerate(rows) if active >> k & 1)):
                        break
            else:
                yield orientation

    def survivors(self, table: Array, rows: Sequence[Row], most: int) -> Array:
        """Return the numbers of the first `most` families that pass both tests."""
        left = np.flatnonzero(~self.by_count(table))
        seen = self.seen(table[left])
        passed = (k for k, pairs in zip(left.tolist(), seen) if next(self._oriented(self.cells(pairs), rows), None) is not None)
        return np.array(list(islice(passed, most)), np.int64)
