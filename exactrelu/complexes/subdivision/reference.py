"""The subdivision once more, in plain Python lists and integers: slow, short, and independent of numpy.

It uses the same numbering (C+ keeps the number of C, then all C- of a dimension, then all C0), so results agree bit
for bit with the fast kernel.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from math import gcd

import numpy as np

from exactrelu.complexes.subdivision.fan import Fan
from exactrelu.complexes.subdivision.sign_words import word_count
from exactrelu.complexes.subdivision.start_fan import StartFan
from exactrelu.network.integral_form import IntegralForm


class _Lists:
    """Facet lists, labels and exact rays of a fan."""

    def __init__(self, start: StartFan) -> None:
        self.top = start.dimension
        self.rays = [list(ray) for ray in start.rays]
        self.labels: list[list[int]] = [label.tolist() for label in start.labels]
        self.facets: list[list[list[int]]] = [[], [[] for _ in self.rays]]
        for k in range(2, self.top + 1):
            begin, index = start.facets[k]
            self.facets.append([index[a:b].tolist() for a, b in itertools.pairwise(begin)])

    def cut(self, values: list[int]) -> None:
        """Cut by a function with these values at the rays."""
        kinds: list[list[int]] = [[], [(z > 0) + 2 * (z < 0) for z in values]]
        for k in range(2, self.top + 1):
            below = kinds[k - 1]
            here = []
            for facets in self.facets[k]:
                kind = 0
                for f in facets:
                    kind |= below[f]
                here.append(kind)
            kinds.append(here)
        crossing = [[c for c, kind in enumerate(kinds[k]) if kind == 3] if k > 1 else [] for k in range(self.top + 1)] + [[]]
        count = [0] + [len(self.facets[k]) for k in range(1, self.top + 1)]
        minus = [{c: count[k] + i for i, c in enumerate(crossing[k])} for k in range(self.top + 1)]
        zero = [{c: count[k - 1] + len(crossing[k - 1]) + i for i, c in enumerate(crossing[k])} if k else {} for k in range(self.top + 1)]
        old = self.facets
        new = [[list(f) for f in level] for level in old]
        for k in range(2, self.top + 1):
            for c in crossing[k]:
                facets = old[k][c]
                new[k][c] = [f for f in facets if kinds[k - 1][f] & 1] + [zero[k][c]]
                new[k].append([minus[k - 1].get(f, f) for f in facets if kinds[k - 1][f] & 2] + [zero[k][c]])
                self.labels[k].append(self.labels[k][c])
        for k in range(2, self.top + 1):
            for c in crossing[k]:
                self.labels[k - 1].append(self.labels[k][c])
                if k == 2:
                    p, q = old[2][c] if values[old[2][c][0]] > 0 else old[2][c][::-1]
                    ray = [values[p] * y - values[q] * x for x, y in zip(self.rays[p], self.rays[q])]
                    content = gcd(*ray)
                    self.rays.append([x // content for x in ray])
                    new[1].append([])
                else:
                    flat = {e for f in old[k][c] if kinds[k - 1][f] != 3 for e in old[k - 1][f] if kinds[k - 2][e] == 0}
                    new[k - 1].append([zero[k - 1][f] for f in old[k][c] if kinds[k - 1][f] == 3] + sorted(flat))
        self.facets = new


def reference_fan(start: StartFan, first: Sequence[Sequence[int]], form: IntegralForm) -> Fan:
    """Return the fan of the canonical complex, computed with lists of integers."""
    lists = _Lists(start)
    total = sum(len(layer) for layer in form.hidden)
    for layer, rows in enumerate(form.hidden):
        for row in (first if layer == 0 else rows):
            lists.cut([sum(map(int.__mul__, row, a)) for a in _inputs(lists.rays, first, form, layer)])
    signs = _signs(lists.rays, first, form)
    words = np.zeros((len(signs), word_count(total)), np.uint64)
    for r, row in enumerate(signs):
        for j, s in enumerate(row):
            if s:
                words[r, j >> 5] |= np.uint64(1 << (j & 31) + (32 if s < 0 else 0))
    facets = list(start.facets[:2])
    for k in range(2, lists.top + 1):
        begin = np.cumsum([0] + [len(f) for f in lists.facets[k]])
        facets.append((begin, np.array([f for level in lists.facets[k] for f in level], np.int64)))
    labels = [np.array(label, np.int64) for label in lists.labels]
    table = np.array(lists.rays, dtype=object).reshape(len(lists.rays), -1)
    return Fan(start, total, facets, labels, words, lambda: table, lists.rays.__getitem__, "reference", 0)


def _inputs(rays: list[list[int]], first: Sequence[Sequence[int]], form: IntegralForm, layer: int) -> list[list[int]]:
    """Activations (t, a^(layer)) at every ray, layers counted from 0."""
    return [_walk(ray, first, form, layer)[0] for ray in rays]


def _signs(rays: list[list[int]], first: Sequence[Sequence[int]], form: IntegralForm) -> list[list[int]]:
    return [_walk(ray, first, form, len(form.hidden))[1] for ray in rays]


def _walk(ray: list[int], first: Sequence[Sequence[int]], form: IntegralForm, layers: int) -> tuple[list[int], list[int]]:
    vector, signs = list(ray), []
    for layer in range(layers):
        values = [sum(map(int.__mul__, row, vector)) for row in (first if layer == 0 else form.hidden[layer])]
        signs += [(z > 0) - (z < 0) for z in values]
        vector = [ray[0], *(max(z, 0) for z in values)]
    return vector, signs
