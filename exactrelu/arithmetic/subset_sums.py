"""Subsets of integer vectors with a given sum: 0/1 vectors in a kernel, by search over its free coordinates."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import lcm

from exactrelu.arithmetic.matrix import kernel

MOST_FREE = 20
"""Most free coordinates that are searched."""


def subset_sums(vectors: Sequence[Sequence[int]], target: Sequence[int] | None = None,
                most: int = MOST_FREE) -> Iterator[tuple[int, ...]] | None:
    """Yield all t in {0, 1}^n with sum t_i vectors[i] = target (0 by default); None if more than `most` coordinates are free.

    Exactness: integers.    Cost: at most 2^k for k free coordinates; partial sums that cannot end in 0 or 1 are dropped.

    >>> sorted(subset_sums([[1], [-1], [2]]))
    [(0, 0, 0), (1, 1, 0)]
    >>> sorted(subset_sums([[1], [2], [3]], [3]))
    [(0, 0, 1), (1, 1, 0)]
    """
    every = [list(v) for v in vectors] + ([[-x for x in target]] if target is not None else [])
    basis = kernel([list(column) for column in zip(*every)], len(every))
    if len(basis) > most:
        return None
    found = _zero_one(basis, len(every))
    return found if target is None else (t[:-1] for t in found if t[-1])


def _zero_one(basis: list[tuple[int, ...]], n: int) -> Iterator[tuple[int, ...]]:
    """The 0/1 vectors in the span of a basis in echelon form (each vector is the only one with a certain coordinate)."""
    free = [next(j for j in range(n) if v[j] and all(not w[j] for w in basis if w is not v)) for v in basis]
    scale = lcm(*(v[f] for v, f in zip(basis, free)))
    steps = [[x * (scale // v[f]) for x in v] for v, f in zip(basis, free)]    # adding step k sets free coordinate k to `scale`
    below, above = [[0] * n], [[0] * n]                                        # what the later steps can still add
    for step in reversed(steps):
        below.append([b + min(x, 0) for b, x in zip(below[-1], step)])
        above.append([a + max(x, 0) for a, x in zip(above[-1], step)])
    stack: list[tuple[int, list[int]]] = [(0, [0] * n)]
    while stack:
        k, total = stack.pop()
        if k == len(steps):
            if all(x in (0, scale) for x in total):
                yield tuple(x // scale for x in total)
            continue
        left = len(steps) - k - 1
        for now in ([a + b for a, b in zip(total, steps[k])], total):
            if all(x + low <= scale and x + high >= 0 for x, low, high in zip(now, below[left], above[left])):
                stack.append((k + 1, now))
