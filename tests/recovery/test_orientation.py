"""The orientation search meets exactly the orientations that a trial of all of them leaves."""

from __future__ import annotations

import random
from itertools import product

import numpy as np

from exactrelu.arithmetic.matrix import PRIME, kernel, rank
from exactrelu.recovery.orientation import both_columns, cut, intersection, orientations, row_of, tall_kernel


def integers(rng: random.Random, rows: int, columns: int, height: int = 3) -> list[list[int]]:
    return [[rng.randint(-height, height) for _ in range(columns)] for _ in range(rows)]


def test_tall_kernels_are_kernels() -> None:
    rng = random.Random(1)
    for _ in range(200):
        rows = integers(rng, rng.randint(0, 8), rng.randint(1, 5), 1)
        columns = len(rows[0]) if rows else 3
        matrix = np.array(rows, dtype=object).reshape(len(rows), columns)
        found = tall_kernel(matrix)
        expected = kernel(rows, columns)
        assert len(found) == len(expected)
        assert rank([*found, *expected], columns) == len(found)


def test_a_rank_lost_modulo_the_prime_is_noticed() -> None:
    matrix = np.array([[PRIME, 0], [0, 1]], dtype=object)
    assert tall_kernel(matrix) == []
    assert tall_kernel(np.array([[PRIME, 1], [2 * PRIME, 2]], dtype=object)) == [(-1, PRIME)]


def test_cut_and_intersection() -> None:
    rng = random.Random(2)
    for _ in range(200):
        n = rng.randint(1, 5)
        one, two = kernel(integers(rng, rng.randint(0, n), n, 1), n), kernel(integers(rng, rng.randint(0, n), n, 1), n)
        j = rng.randrange(n)
        smaller = cut(one, j)
        assert all(not v[j] for v in smaller) and len(smaller) == len(one) - any(v[j] for v in one)
        assert rank([*one, *smaller], n) == len(one)
        if one and two:
            common = intersection(one, two)
            assert len(common) == len(one) + len(two) - rank([*one, *two], n)
            assert rank([*one, *common], n) == len(one) and rank([*two, *common], n) == len(two)


def test_all_orientations_that_leave_a_row_are_found_and_no_other() -> None:
    rng = random.Random(3)
    for _ in range(150):
        n, points = rng.randint(1, 4), rng.randint(1, 7)
        values = np.array(integers(rng, points, n, 2), dtype=object)
        scale = np.array([rng.randint(1, 3) for _ in range(points)], dtype=object)
        classes = [np.array(sorted(rng.sample(range(points), rng.randint(1, points)))) for _ in range(rng.randint(1, 2))]
        conditions = [tall_kernel(both_columns(values, scale)[at]) for at in classes]
        found = {}
        for signs, bases in orientations(n, conditions, lambda basis: any(any(v[1:]) for v in basis), lambda: None):
            found[signs] = [len(basis) for basis in bases]
            for basis, at in zip(bases, classes):
                for v in basis:
                    row = row_of(v, signs)
                    for k in at.tolist():
                        a = [max(s * x, 0) for s, x in zip(signs, values[k].tolist())]
                        assert row[0] * scale[k] + sum(w * y for w, y in zip(row[1:], a)) == 0
        expected = {}
        for signs in product((-1, 1), repeat=n):
            matrices = [[[scale[k], *(max(s * x, 0) for s, x in zip(signs, values[k].tolist()))] for k in at.tolist()] for at in classes]
            kernels = [kernel(m, n + 1) for m in matrices]
            if all(any(any(v[1:]) for v in basis) for basis in kernels):
                expected[signs] = [len(basis) for basis in kernels]
        assert found == expected
