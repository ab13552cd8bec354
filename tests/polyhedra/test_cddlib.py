"""The door to cddlib: every answer is compared with a computation that does not use cddlib."""

from __future__ import annotations

import random
import sys
from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations

import pytest
import sympy

from exactrelu.errors import BudgetExceeded, InvariantError, MissingBackend
from exactrelu.polyhedra import cddlib
from exactrelu.polyhedra.cddlib import Margin, generators, inequalities, irredundant, margin, nonnegative_basis

Row = tuple[int, ...]


def dot(row: Sequence[int], x: Sequence[int]) -> int:
    return sum(a * b for a, b in zip(row, x, strict=True))


def primitive(vector: Sequence[sympy.Rational]) -> Row:
    scale = sympy.ilcm(*(x.q for x in vector))
    whole = [int(x * scale) for x in vector]
    content = int(sympy.igcd(*whole))
    return tuple(x // content for x in whole)


def extreme_rays(rows: Sequence[Row], dimension: int) -> set[Row]:
    """Brute force: the rays of the pointed cone {t >= 0, rows >= 0} are the kernels of D - 1 independent rows inside it."""
    every = [(1, *[0] * dimension), *rows]
    found = set()
    for chosen in combinations(every, dimension):
        kernel = sympy.Matrix(chosen).nullspace()
        if len(kernel) != 1:
            continue
        ray = primitive(list(kernel[0]))
        for candidate in (ray, tuple(-x for x in ray)):
            if all(dot(row, candidate) >= 0 for row in every):
                found.add(candidate)
    return found


def random_rows(rng: random.Random, count: int, dimension: int) -> list[Row]:
    return [tuple(rng.randint(-2, 2) for _ in range(dimension + 1)) for _ in range(count)]


# -- generators ----------------------------------------------------------------------------------------------------------

def test_the_whole_space_is_a_point_and_lines() -> None:
    found = generators([], [], 2)
    assert len(found.points) == 1 and found.points[0][0] == 1
    assert sympy.Matrix(found.lines).rank() == 2
    assert all(line[0] == 0 for line in found.lines)


def test_an_empty_system_has_no_point() -> None:
    assert not [p for p in generators([(-1, 1), (0, -1)], [], 1).points if p[0]]
    assert not [p for p in generators([(-1, 0, 0)], [], 2).points if p[0]]


def test_a_homogeneous_cone_keeps_its_apex() -> None:
    found = generators([(0, 1, 0), (0, 0, 1), (0, 1, 1)], [], 2)
    assert found.points == ((0, 0, 1), (0, 1, 0), (1, 0, 0))
    assert found.lines == ()


def test_a_line_counts_in_both_directions() -> None:
    found = generators([(0, 1, 1)], [], 2)
    assert len(found.lines) == 1 and dot((0, 1, 1), found.lines[0]) == 0
    assert sorted(p[0] for p in found.points) == [0, 1]


def test_equations_are_equations() -> None:
    assert generators([(0, 1, 0), (0, 0, 1)], [(-2, 1, 1)], 2).points == ((1, 0, 2), (1, 2, 0))


def test_vertices_are_primitive_rows() -> None:
    assert generators([(-1, 3), (5, -7)], [], 1).points == ((3, 1), (7, 5))


@pytest.mark.parametrize("seed", range(12))
def test_generators_are_the_extreme_rays_found_by_brute_force(seed: int) -> None:
    rng = random.Random(seed)
    dimension = 1 + seed % 3
    rows = random_rows(rng, 3 + dimension, dimension)
    rows += [(3, *(int(i == k) for i in range(dimension))) for k in range(dimension)]     # x_k >= -3: no lines
    found = generators(rows, [], dimension)
    expected = extreme_rays(rows, dimension)
    assert not found.lines
    if any(ray[0] for ray in expected):
        assert set(found.points) == expected
        assert list(found.points) == sorted(found.points)
    else:
        assert not any(p[0] for p in found.points)


# -- inequalities and irredundant ----------------------------------------------------------------------------------------

def test_inequalities_of_a_point_are_equations() -> None:
    rows, equations = inequalities([(2, 1, 3)], [])
    assert rows == () and len(equations) == 2
    assert all(dot(row, (2, 1, 3)) == 0 for row in equations)


def test_inequalities_of_the_plane_are_none() -> None:
    assert inequalities([(1, 0, 0)], [(0, 1, 0), (0, 0, 1)]) == ((), ())


def test_inequalities_of_a_half_plane() -> None:
    assert inequalities([(1, 0, 0), (0, 1, 1)], [(0, 1, -1)]) == (((0, 1, 1),), ())


def test_inequalities_invert_generators() -> None:
    cube = [(1, *(s * int(i == k) for i in range(3))) for k in range(3) for s in (1, -1)]
    assert inequalities(generators(cube, [], 3).points, []) == (tuple(sorted(cube)), ())


def test_irredundant_drops_copies_multiples_and_weak_rows() -> None:
    rows = [(1, 1, 0), (2, 2, 0), (1, 1, 0), (7, 1, 0), (1, -1, 0), (1, 0, 1), (1, 0, -1), (2, 1, 1), (3, 0, 0)]
    assert irredundant(rows, 2) == (((1, -1, 0), (1, 0, -1), (1, 0, 1), (1, 1, 0)), ())


def test_irredundant_finds_hidden_equations() -> None:
    rows, equations = irredundant([(0, 1, 0), (0, 0, 1), (0, -1, -2), (4, 1, 1)], 2)
    assert rows == ()
    assert sympy.Matrix(equations).rank() == len(equations) == 2 and all(row[0] == 0 for row in equations)


def test_irredundant_of_nothing() -> None:
    assert irredundant([], 3) == ((), ())
    assert irredundant([(1, 0, 0), (0, 0, 0)], 2) == ((), ())


def test_an_irredundant_cone_keeps_every_facet_through_the_apex() -> None:
    square = [(0, 1, 0, 1), (0, -1, 0, 1), (0, 0, 1, 1), (0, 0, -1, 1)]
    assert irredundant(square, 3) == (tuple(sorted(square)), ())


# -- margin --------------------------------------------------------------------------------------------------------------

def at(row: Row, point: Sequence[Fraction]) -> Fraction:
    return row[0] + sum((a * x for a, x in zip(row[1:], point, strict=True)), Fraction(0))


def combination(rows: Sequence[Row], multipliers: Sequence[Fraction]) -> list[Fraction]:
    return [sum((y * row[k] for y, row in zip(multipliers, rows, strict=True)), Fraction(0)) for k in range(len(rows[0]))]


def test_the_three_outcomes_of_a_margin() -> None:
    inside = margin([(0, 1), (1, -1)], 1)
    assert inside.value == Fraction(1, 2) and inside.point == (Fraction(1, 2),)
    flat = margin([(0, 1), (0, -1), (5, 1)], 1)
    assert flat.value == 0 and flat.point == (0,) and flat.multipliers[2] == 0 and flat.multipliers[0] == flat.multipliers[1] > 0
    empty = margin([(-1, 1), (0, -1)], 1)
    assert empty.value == Fraction(-1, 2) and empty.multipliers == (Fraction(1, 2), Fraction(1, 2))


def test_a_margin_is_at_most_one() -> None:
    assert margin([(0, 1)], 1).value == 1
    assert margin([(100, 0)], 1).value == 1
    assert margin([], 2).value == 1


def test_a_contradiction_without_variables_is_seen() -> None:
    found = margin([(-3, 0, 0), (1, 1, 0)], 2)
    assert found.value == -3 and found.multipliers == (1, 0)


@pytest.mark.parametrize("seed", range(40))
def test_margins_prove_what_they_say(seed: int) -> None:
    rng = random.Random(seed)
    dimension = 1 + seed % 4
    rows = random_rows(rng, rng.randint(1, 7), dimension)
    found = margin(rows, dimension)
    assert all(at(row, found.point) >= found.value for row in rows)
    assert found.value <= 1
    if found.value < 1:
        assert min(found.multipliers) >= 0 and sum(found.multipliers) == 1
        assert combination(rows, found.multipliers) == [found.value, *[0] * dimension]
    if found.value == 0:
        vertices = generators(rows, [], dimension)
        tight = [row for row, y in zip(rows, found.multipliers, strict=True) if y]
        assert tight and all(dot(row, g) == 0 for row in tight for g in (*vertices.points, *vertices.lines))
    assert (found.value < 0) == (not any(p[0] for p in generators(rows, [], dimension).points))


@pytest.mark.parametrize("value, point, multipliers, words", [
    ("3/4", "1/2", ("1/2", "1/2"), "not feasible"),
    ("2", "1/2", ("1/2", "1/2"), "not feasible"),
    ("1/4", "1/4", ("1/2", "1/2"), "does not prove"),
    ("1/2", "1/2", ("1", "0"), "does not prove"),
    ("1/2", "1/2", ("1/4", "1/4"), "does not prove"),
    ("1/2", "1/2", ("3/2", "-1/2"), "does not prove"),
])
def test_a_false_answer_of_the_solver_is_refused(value: str, point: str, multipliers: tuple[str, ...], words: str) -> None:
    rows = [(0, 1), (1, -1)]
    cddlib._check_margin(rows, Margin(Fraction(1, 2), (Fraction(1, 2),), (Fraction(1, 2), Fraction(1, 2))))
    with pytest.raises(InvariantError, match=words):
        cddlib._check_margin(rows, Margin(Fraction(value), (Fraction(point),), tuple(map(Fraction, multipliers))))


def test_numbers_longer_than_the_decimal_limit_of_python_pass() -> None:
    before = sys.get_int_max_str_digits()
    huge = 10**5000 + 1
    assert generators([(-1, huge), (huge, -1)], [], 1).points == tuple(sorted([(huge, 1), (1, huge)]))
    assert sys.get_int_max_str_digits() == before


def test_a_value_error_of_the_library_becomes_a_limit_and_the_setting_returns() -> None:
    before = sys.get_int_max_str_digits()
    with pytest.raises(BudgetExceeded, match="cddlib: too long"), cddlib._long_integers():
        raise ValueError("too long")
    assert sys.get_int_max_str_digits() == before


def test_a_missing_library_is_named_with_its_cure(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "cdd.gmp", None)
    with pytest.raises(MissingBackend, match="uninstall"):
        generators([], [], 1)
    monkeypatch.setitem(sys.modules, "cdd", None)
    with pytest.raises(MissingBackend, match="apt-get install"):
        generators([], [], 1)


# -- nonnegative_basis ---------------------------------------------------------------------------------------------------

def test_no_column_is_needed_for_zero_and_none_suffices_for_the_impossible() -> None:
    assert nonnegative_basis([(1, 0), (0, 1)], (0, 0)) == []
    assert nonnegative_basis([(1, 0), (0, 1)], (-1, 1)) == []
    assert nonnegative_basis([(1, 1)], (1, 2)) == []


@pytest.mark.parametrize("seed", range(20))
def test_basic_solutions_are_independent_and_represent_the_target(seed: int) -> None:
    rng = random.Random(seed)
    size, count = 1 + seed % 4, 6
    columns = [tuple(rng.randint(-3, 3) for _ in range(size)) for _ in range(count)]
    weights = [rng.randint(0, 2) for _ in range(count)]
    target = tuple(sum(w * column[k] for w, column in zip(weights, columns, strict=True)) for k in range(size))
    chosen = nonnegative_basis(columns, target)
    if not any(target):
        assert chosen == []
        return
    matrix = sympy.Matrix([columns[i] for i in chosen]).T
    assert matrix.rank() == len(chosen)
    solution = (matrix.T * matrix).LUsolve(matrix.T * sympy.Matrix(target))
    assert matrix * solution == sympy.Matrix(target) and all(x > 0 for x in solution)
