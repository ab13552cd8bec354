"""The face poset of a fan of pointed cones, and its update when one hyperplane function cuts it.

Per dimension k >= 3 the facet lists of the k-cones stand in one append-only pool; `slot[c]` is the row of cone c,
rewritten rows go to the end.  Edges (2-cones) are two arrays of end points.  Every cone carries a label row, whose
first column is the face of the domain that contains its relative interior.

Update (flags 1: some generator positive, 2: some negative, 3: crossing).  For a crossing k-cone C: C+ keeps the
identity, C- and C0 (dimension k-1) are new.  Facets of C+ are C0, the positive parts of crossing facets and the facets
that are not crossing and have a positive generator; C- likewise; facets of C0 are G0 for the crossing facets G and the
(k-2)-faces on which the function vanishes.  (Lemma: a facet E of C0 has dimension k-2; let G be the smallest face of C
containing it; either the function vanishes on G, then E = G, or G crosses and E = G0.)
No sort, no loop over cones.
"""

from __future__ import annotations

import numpy as np

from exactrelu.complexes.subdivision.growable import Growable
from exactrelu.complexes.subdivision.start_fan import StartFan

Array = np.ndarray


class Cut:
    """What a neuron does to the fan: flags of all cones and the crossing cones of each dimension."""

    __slots__ = ("crossing", "flags")

    def __init__(self, flags: list[Array], crossing: list[Array]) -> None:
        self.flags, self.crossing = flags, crossing


class FacePools:
    """Face poset of a fan under insertion of neurons.

    Args:
        start: the start fan.
        labels: label rows of the cones of every dimension; the first column is the face of the domain, the second (if any)
            the activity pattern, the others the defining rows.
    """

    def __init__(self, start: StartFan, labels: list[Array]) -> None:
        self.dimension = top = start.dimension
        self.counts = [0] + [len(start.labels[k]) for k in range(1, top + 1)] + [0]
        self.labels = [Growable(label) for label in labels]
        self.ends = (Growable(np.zeros(0, np.int64)), Growable(np.zeros(0, np.int64)))
        self.pool, self.starts, self.slot = ([Growable(np.zeros(0, np.int64), 0) for _ in range(3)] for _ in range(3))  # 0-2 unused
        if top >= 2:
            _, index = start.facets[2]
            self.ends = (Growable(np.ascontiguousarray(index[0::2])), Growable(np.ascontiguousarray(index[1::2])))
        for k in range(3, top + 1):
            begin, index = start.facets[k]
            self.pool.append(Growable(index, 1024))
            self.starts.append(Growable(begin[:-1]))
            self.slot.append(Growable(np.arange(self.counts[k], dtype=np.int64)))
        self._rank = [np.zeros(1024, np.int64) for _ in range(top + 1)]

    def up(self, values: Array) -> list[Array]:
        """OR a uint8 value of the rays over the faces: entry k holds the values of the k-cones."""
        out = [values, values]
        if self.dimension >= 2:
            out.append(values.take(self.ends[0].view) | values.take(self.ends[1].view))
        for k in range(3, self.dimension + 1):
            out.append(np.bitwise_or.reduceat(out[k - 1].take(self.pool[k].view), self.starts[k].view).take(self.slot[k].view))
        return out

    def up_to_top(self, values: Array) -> Array:
        """OR a value of the rays over the faces of every full cone."""
        return self.up(values)[self.dimension]

    def cut(self, ray_flags: Array) -> Cut | None:
        """Return the cut with these flags of the rays, or None when no cone is crossing."""
        if self.dimension < 2:
            return None
        flags = self.up(ray_flags)
        top = np.flatnonzero(flags[self.dimension] == 3)
        if not len(top):
            return None
        crossing = [top, top] + [np.flatnonzero(flags[k] == 3) for k in range(2, self.dimension)] + [top]
        return Cut(flags, crossing)

    def rows(self, k: int) -> tuple[Array, Array]:
        """Start and length of the facet row of every k-cone, k >= 3."""
        slot = self.slot[k].view
        begin = self.starts[k].view
        return begin.take(slot), np.append(begin[1:], self.pool[k].size).take(slot) - begin.take(slot)

    def _any_facet(self, k: int, true: Array) -> Array:
        """Whether a k-cone has a facet with the property."""
        if k == 2:
            either: Array = true.take(self.ends[0].view) | true.take(self.ends[1].view)
            return either
        return np.bitwise_or.reduceat(true.take(self.pool[k].view), self.starts[k].view).take(self.slot[k].view)

    def split(self, cut: Cut, row_of: Array | None) -> tuple[Array, Array, Array]:
        """Apply a cut.

        Args:
            row_of: maps the pattern column of a crossing cone to the row number of the inserted neuron there, which
                is appended to the labels of the new zero cones; None when labels have no definitions.
        Returns:
            The positive and negative end of every crossing edge, and the labels of the new rays (one an edge, in the
            order of the crossing edges).
        """
        top, counts, flags, crossing = self.dimension, self.counts, cut.flags, cut.crossing
        new = [0, 0] + [len(crossing[k]) for k in range(2, top + 1)] + [0]
        touched = [crossing[0]] * 2 + [self.labels[k].data.take(crossing[k], axis=0) for k in range(2, top + 1)]
        for k in range(2, top + 1):
            if len(self._rank[k]) < counts[k]:
                self._rank[k] = np.zeros(2 * counts[k], np.int64)
            self._rank[k][crossing[k]] = np.arange(new[k], dtype=np.int64)
        vanishing: dict[int, Array] = {}
        if not flags[1].all():
            for k in range(3, top + 1):
                zero = flags[k - 2] == 0
                if not zero.any():
                    break
                vanishing[k] = self._any_facet(k - 1, zero)
        zero_labels = [crossing[0]] * 2 + [_extended(touched[k], row_of) for k in range(2, top + 1)]
        positive, negative = self._split_edges(cut, touched[2])
        for k in range(3, top + 1):
            self._split_cones(k, cut, new, touched[k], zero_labels[k], vanishing.get(k))
        self.labels[1].append(zero_labels[2])
        for k in range(1, top + 1):
            counts[k] += new[k] + new[k + 1]
        for k in range(3, top + 1):
            if self.starts[k].size > 3 * counts[k] + 64:
                self._compact(k)
        return positive, negative, zero_labels[2]

    def _split_edges(self, cut: Cut, touched: Array) -> tuple[Array, Array]:
        edges, one, two = cut.crossing[2], self.ends[0], self.ends[1]
        first, second = one.data.take(edges), two.data.take(edges)
        swap = cut.flags[1].take(first) == 2
        positive, negative = np.where(swap, second, first), np.where(swap, first, second)
        rays = np.arange(self.counts[1], self.counts[1] + len(edges), dtype=np.int64)
        one.data[edges] = positive
        two.data[edges] = rays
        one.append(negative)
        two.append(rays)
        self.labels[2].append(touched)
        return positive, negative

    def _split_cones(self, k: int, cut: Cut, new: list[int], touched: Array, zero_labels: Array,
                     vanishing: Array | None) -> None:
        """Rewrite the facet rows of the crossing k-cones, append C- and C0."""
        counts, cones, m = self.counts, cut.crossing[k], new[k]
        pool, starts, slot = self.pool[k], self.starts[k], self.slot[k]
        starts.reserve(starts.size + 1)
        starts.data[starts.size] = pool.size                    # the row after the last ends here
        if not m:
            return
        row = slot.data.take(cones)
        begin = starts.data.take(row)
        length = starts.data.take(row + 1) - begin + 1          # one extra place for the new facet C0
        ends = np.cumsum(length)
        first, last = ends - length, ends - 1
        total = int(ends[-1])
        pool.reserve(pool.size + 1)
        facets = pool.data.take(np.arange(total) + np.repeat(begin - first, length))
        facets[last] = 0
        kind = cut.flags[k - 1].take(facets)
        kind[last] = 4
        before = facets.copy() if vanishing is not None else facets
        crossing = np.flatnonzero(kind == 3)
        rank = self._rank[k - 1].take(facets.take(crossing))
        zero_facets = (counts[k - 2] + new[k - 2] if k > 3 else counts[1]) + rank
        facets[last] = np.arange(counts[k - 1] + new[k - 1], counts[k - 1] + new[k - 1] + m)
        keep = kind != 2
        plus, plus_length = np.compress(keep, facets), _counted(keep, first, length)
        keep = kind != 1
        facets[crossing] = counts[k - 1] + rank
        minus, minus_length = np.compress(keep, facets), _counted(keep, first, length)
        zero_length = plus_length + minus_length - length - 1   # crossing facets = |C+| + |C-| - row - C0 twice
        if vanishing is not None:
            found = vanishing.take(before)
            found[last] = False
            found[crossing] = False
            entries = np.flatnonzero(found)
            if len(entries):
                owner = np.repeat(np.arange(m), length).take(entries)
                zero_facets, zero_length = self._with_vanishing(k, cut, before.take(entries), owner, zero_facets, zero_length, m)
        base, count = pool.size, starts.size
        pool.append(plus)
        pool.append(minus)
        lengths = np.concatenate([plus_length, minus_length])
        starts.append(base + np.cumsum(lengths) - lengths)
        slot.data[cones] = np.arange(count, count + m)
        slot.append(np.arange(count + m, count + 2 * m, dtype=np.int64))
        self.labels[k].append(touched)
        if k == 3:
            self.ends[0].append(zero_facets[0::2])
            self.ends[1].append(zero_facets[1::2])
        else:
            below, begins = self.pool[k - 1], self.starts[k - 1]
            base = below.size
            below.append(zero_facets)
            self.slot[k - 1].append(np.arange(begins.size, begins.size + m, dtype=np.int64))
            begins.append(base + np.cumsum(zero_length) - zero_length)
        self.labels[k - 1].append(zero_labels)

    def _with_vanishing(self, k: int, cut: Cut, facets: Array, owner: Array, zero_facets: Array, zero_length: Array,
                        m: int) -> tuple[Array, Array]:
        """Add to the facets of C0 the (k-2)-faces of C on which the function vanishes (their facets do not cross)."""
        if k == 3:
            small = np.stack([self.ends[0].data.take(facets), self.ends[1].data.take(facets)], axis=1).ravel()
            owner = np.repeat(owner, 2)
        else:
            row = self.slot[k - 1].data.take(facets)
            begin = self.starts[k - 1].data.take(row)
            length = self.starts[k - 1].data.take(row + 1) - begin
            ends = np.cumsum(length)
            small = self.pool[k - 1].data.take(np.arange(int(ends[-1])) + np.repeat(begin - ends + length, length))
            owner = np.repeat(owner, length)
        zero = cut.flags[k - 2].take(small) == 0
        if not zero.any():
            return zero_facets, zero_length
        width = self.counts[k - 2] + 1
        pairs = np.unique(owner[zero] * width + small[zero])
        owners = np.concatenate([np.repeat(np.arange(m), zero_length), pairs // width])
        order = np.argsort(owners, kind="stable")
        return np.concatenate([zero_facets, pairs % width])[order], np.bincount(owners, minlength=m)

    def _compact(self, k: int) -> None:
        begin, length = self.rows(k)
        ends = np.cumsum(length)
        used = self.pool[k].view.take(np.arange(int(ends[-1])) + np.repeat(begin - ends + length, length))
        self.pool[k].data[:len(used)] = used
        self.pool[k].size = len(used)
        self.starts[k].data[:len(length)] = ends - length
        self.starts[k].size = len(length)
        self.slot[k].view[:] = np.arange(len(length))

    def facets(self, k: int) -> tuple[Array, Array]:
        """Facet lists of the k-cones, k >= 2, as (row starts with a final end, indices)."""
        if k == 2:
            return np.arange(0, 2 * self.counts[2] + 1, 2), np.stack([self.ends[0].view, self.ends[1].view], axis=1).ravel()
        begin, length = self.rows(k)
        starts = np.zeros(len(length) + 1, np.int64)
        np.cumsum(length, out=starts[1:])
        index = np.arange(int(starts[-1])) + np.repeat(begin - starts[:-1], length)
        return starts, self.pool[k].view.take(index)


def _extended(labels: Array, row_of: Array | None) -> Array:
    """Labels of the zero cones: those of C, and the row of the neuron on C."""
    if row_of is None:
        return labels
    out = np.empty((len(labels), labels.shape[1] + 1), np.int64)
    out[:, :-1] = labels
    out[:, -1] = row_of.take(labels[:, 1])
    return out


def _counted(keep: Array, first: Array, length: Array) -> Array:
    """Number of true entries in every segment."""
    if int(length.max()) < 255:
        return np.add.reduceat(keep.view(np.uint8), first, dtype=np.uint8).astype(np.int64)
    return np.add.reduceat(keep, first, dtype=np.int64)
