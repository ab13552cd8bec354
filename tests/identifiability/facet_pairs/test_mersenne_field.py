"""Arithmetic modulo 2^61 - 1 against Python integers."""

from random import Random

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from exactrelu.arithmetic.matrix import PRIME
from exactrelu.identifiability.facet_pairs.mersenne_field import add, inverse, multiply, product, residues, subtract

ELEMENTS = st.one_of(st.integers(0, PRIME - 1), st.sampled_from([0, 1, PRIME - 1, PRIME - 2, 2**31, 2**60, 2**42 - 1]))


@given(ELEMENTS, ELEMENTS)
def test_sum_difference_and_product_of_elements(x, y):
    a, b = residues([x], (1,)), residues([y], (1,))
    assert int(add(a, b)[0]) == (x + y) % PRIME
    assert int(subtract(a, b)[0]) == (x - y) % PRIME
    assert int(multiply(a, b)[0]) == x * y % PRIME


@given(st.integers(1, PRIME - 1))
def test_inverse(x):
    assert x * inverse(x) % PRIME == 1


def test_matrix_product_with_long_inner_dimension_and_extreme_entries():
    rng = Random(1)
    for inner in (1, 5, 511, 512, 513, 1500):
        left = [[rng.choice([PRIME - 1, rng.randrange(PRIME)]) for _ in range(inner)] for _ in range(3)]
        right = [[rng.choice([PRIME - 1, rng.randrange(PRIME)]) for _ in range(2)] for _ in range(inner)]
        found = product(np.array(left, dtype=np.uint64), np.array(right, dtype=np.uint64))
        expected = [[sum(x * row[k] for x, row in zip(line, right)) % PRIME for k in range(2)] for line in left]
        assert found.tolist() == expected


def test_product_of_largest_entries():
    left = np.full((2, 1024), PRIME - 1, dtype=np.uint64)
    assert product(left, left.T).tolist() == [[1024, 1024], [1024, 1024]]


def test_products_of_empty_matrices():
    assert product(np.zeros((0, 3), dtype=np.uint64), np.zeros((3, 2), dtype=np.uint64)).shape == (0, 2)
    assert product(np.zeros((2, 0), dtype=np.uint64), np.zeros((0, 2), dtype=np.uint64)).tolist() == [[0, 0], [0, 0]]
