"""Subset sums against trying all subsets."""

from __future__ import annotations

import random
from itertools import product

from exactrelu.arithmetic.subset_sums import subset_sums


def brute(vectors: list[list[int]], target: list[int]) -> list[tuple[int, ...]]:
    return sorted(t for t in product((0, 1), repeat=len(vectors))
                  if all(sum(a * v[k] for a, v in zip(t, vectors)) == target[k] for k in range(len(target))))


def test_against_all_subsets() -> None:
    rng = random.Random(4)
    for _ in range(1500):
        n, d = rng.randint(1, 7), rng.randint(1, 4)
        vectors = [[rng.randint(-2, 2) for _ in range(d)] for _ in range(n)]
        assert sorted(subset_sums(vectors) or ()) == brute(vectors, [0] * d)
        target = [rng.randint(-3, 3) for _ in range(d)]
        assert sorted(subset_sums(vectors, target) or ()) == brute(vectors, target)


def test_many_free_coordinates() -> None:
    assert subset_sums([[0]] * 21) is None and subset_sums([[0]] * 5, most=4) is None
    assert len(list(subset_sums([[0]] * 5) or ())) == 32
    assert list(subset_sums([[1]] * 18 + [[-(10**40)]], [10**41]) or ()) == []
    assert list(subset_sums([[10**40 + k] for k in range(20)]) or ()) == [(0,) * 20]
