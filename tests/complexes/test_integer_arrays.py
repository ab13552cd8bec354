"""Products and signs in machine words and in long integers agree with plain Python."""

from __future__ import annotations

import random

import numpy as np
import pytest

from exactrelu.arithmetic.rational import primitive_integer, signless_row
from exactrelu.complexes.integer_arrays import exact_product, object_array, primitive_rows, sign_array, signless_rows, signs


@pytest.mark.parametrize("height", [1, 3, 2**30, 2**31, 2**40, 10**30])
def test_products_and_signs(height: int) -> None:
    rng = random.Random(height)
    for _ in range(40):
        a, b, c = (rng.randint(1, 4) for _ in range(3))
        left = [[rng.randint(-height, height) for _ in range(b)] for _ in range(a)]
        right = [[rng.randint(-height, height) for _ in range(c)] for _ in range(b)]
        expected = [[sum(x * right[k][j] for k, x in enumerate(row)) for j in range(c)] for row in left]
        one, two = np.array(left, dtype=object), np.array(right, dtype=object)
        found = exact_product(one, two)
        assert found.tolist() == expected and all(type(x) is int for x in found.ravel().tolist())
        want = [[(x > 0) - (x < 0) for x in row] for row in expected]
        assert signs(one, two.T).tolist() == want and sign_array(found).tolist() == want and signs(one, two.T).dtype == np.int8


def test_primitive_and_signless_rows() -> None:
    rng = random.Random(8)
    rows = [[rng.choice((0, rng.randint(-6, 6), rng.randint(-(10**30), 10**30))) for _ in range(3)] for _ in range(300)]
    table = np.array(rows, dtype=object)
    assert primitive_rows(table).tolist() == [list(primitive_integer(row)) for row in rows]
    kept = np.array([row for row in rows if any(row)], dtype=object)
    assert signless_rows(kept).tolist() == [list(signless_row(row)) for row in kept.tolist()]
    assert all(signless_row(row) == signless_row([-x for x in row]) for row in kept.tolist())


def test_empty_arrays() -> None:
    empty = object_array([], (0, 3))
    assert primitive_rows(empty).shape == signless_rows(empty).shape == (0, 3)
    assert exact_product(empty, object_array([[1], [2], [3]], (3, 1))).shape == (0, 1)
