"""Rationals, matrices and residues."""

from __future__ import annotations

import random
from fractions import Fraction
from typing import Any

import flint
import numpy as np
import pytest
import sympy

from exactrelu.arithmetic import matrix
from exactrelu.arithmetic.rational import homogeneous_point, parse_decimal, primitive_integer, rational
from exactrelu.arithmetic.residues import balanced, modular_product, primes, residues
from exactrelu.errors import ExactnessError


@pytest.mark.parametrize("value", [0.5, True, "0.5", "1e5", " 1", "1/0", "+1", "01", "1/02", "-", "", "1 /2", "1\n", "٣", None, [1], 1j,
                                   float("nan"), float("inf"), np.float32(1), np.bool_(True), b"1", "1" * 5000])
def test_inexact_values_are_refused(value: Any) -> None:
    with pytest.raises(ExactnessError):
        rational(value)


@pytest.mark.parametrize(("value", "expected"), [(3, 3), ("-7/3", Fraction(-7, 3)), (np.int64(5), 5), (flint.fmpq(2, 4), Fraction(1, 2)),
                                                 (flint.fmpz(-4), -4), (Fraction(1, 3), Fraction(1, 3)), ("4/6", Fraction(2, 3))])
def test_exact_values_are_read(value: Any, expected: Any) -> None:
    assert rational(value) == expected
    assert type(rational(value)) is Fraction


def test_decimals_are_exact() -> None:
    assert parse_decimal("0.1") == Fraction(1, 10)
    assert parse_decimal("-1.5e-3") == Fraction(-3, 2000)
    with pytest.raises(ExactnessError):
        parse_decimal("1e99999999")


def test_primitive_and_homogeneous() -> None:
    assert primitive_integer([Fraction(0), Fraction(0)]) == (0, 0)
    assert primitive_integer([Fraction(-2, 3), Fraction(4, 9)]) == (-3, 2)
    assert homogeneous_point([]) == (1,)


@pytest.mark.parametrize("seed", range(12))
def test_matrices_against_sympy(seed: int) -> None:
    rng = random.Random(seed)
    rows, columns = rng.randint(1, 5), rng.randint(1, 5)
    table = [[rng.randint(-2, 2) for _ in range(columns)] for _ in range(rows)]
    table[-1] = [sum(x) for x in zip(*table[:-1])] or table[-1]
    table[-1] += [0] * (columns - len(table[-1]))
    reference = sympy.Matrix(table)
    assert matrix.rank(table, columns) == reference.rank() == matrix.rank_modulo(table, columns)
    basis = matrix.kernel(table, columns)
    assert len(basis) == columns - reference.rank()
    assert all(sum(a * b for a, b in zip(row, v)) == 0 for row in table for v in basis)
    assert matrix.rank(basis, columns) == len(basis)
    reduced, pivots = matrix.echelon(table, columns)
    expected, positions = reference.rref()
    assert pivots == list(positions)
    assert reduced == [[Fraction(x.p, x.q) for x in expected.row(i)] for i in range(len(pivots))]
    chosen = matrix.independent_rows(table, columns)
    assert len(chosen) == reference.rank() == matrix.rank([table[i] for i in chosen], columns)


def test_residue_products_are_exact_at_the_bound() -> None:
    prime = primes(1)[0]
    assert sympy.isprime(prime) and all(sympy.isprime(p) for p in primes(40))
    half = prime // 2
    for inner in (1, 63, 64, 65, 128, 300):
        left, right = np.full((2, inner), float(half)), np.full((inner, 2), float(-half))
        expected = float((-inner * half * half + half) % prime - half)
        assert modular_product(left, right, prime).tolist() == [[expected] * 2] * 2
    assert residues([[prime, half + 1, -half - 1]], prime).tolist() == [[0.0, float(-half), float(half)]]
    assert balanced(np.array([float(prime) * 3 + 5]), prime).tolist() == [5.0]


def test_balanced_residues_are_canonical_up_to_the_bound() -> None:
    for prime in primes(5):
        half = prime // 2
        for k in (0, 1, 2**20 + 1, 2**27 + 1, 2**52 // prime - 1):
            for r in (-half, -half + 1, -1, 0, 1, half - 1, half):
                for sign in (1, -1):
                    x = sign * (k * prime + r)
                    assert abs(x) <= 2**52
                    assert balanced(np.array([float(x)]), prime).tolist() == [float(sign * r)]
