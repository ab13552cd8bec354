"""The canonical complex against exhaustive sign enumeration, cddlib and plain evaluation."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from typing import Any

import pytest

from exactrelu.arithmetic.rational import homogeneous_point, primitive_integer
from exactrelu.complexes.canonical_complex import CanonicalComplex
from exactrelu.complexes.complex_report import ComplexReport
from exactrelu.polyhedra.cddlib import generators, irredundant
from tests.oracles.cases import BY_NAME, CASES, Case, larger, many, oracle

BACKENDS = ("certified", "int64", "integer", "reference")


@cache
def built(case: Case) -> CanonicalComplex:
    return CanonicalComplex.build(case.network, case.domain)


def check_signs(case: Case, backend: str) -> None:
    found, expected = CanonicalComplex.build(case.network, case.domain, backend=backend), oracle(case)
    assert tuple(found.f_vector) == expected.f_vector
    assert tuple(found.closed_f_vector) == expected.closed_f_vector
    for k, count in enumerate(found.f_vector):
        signs = [found.cell(k, int(i)).signs for i in found.interior(found.level(k))] if count else []
        assert len(set(signs)) == len(signs), f"a sign vector appears twice in dimension {k}"
        assert set(signs) == expected.interior_signs(k), f"dimension {k}"


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("case", CASES, ids=str)
def test_sign_vectors_are_those_of_the_enumeration(case: Case, backend: str) -> None:
    check_signs(case, backend)


@pytest.mark.slow
@pytest.mark.parametrize("start", range(0, 500, 50))
def test_sign_vectors_on_many_networks(start: int) -> None:
    for case in many(50, start):
        for backend in BACKENDS:
            check_signs(case, backend)


@pytest.mark.slow
@pytest.mark.parametrize("start", range(0, 160, 40))
def test_signs_and_counts_on_larger_networks(start: int) -> None:
    for case in larger(40, start):
        for backend in ("certified", "integer", "reference"):
            check_signs(case, backend)
        check_report(case)
        check_values(case)


def report(case: Case) -> dict[str, Any]:
    """The answer of `ComplexReport.to_json`, from the enumeration."""
    expected = oracle(case)
    return {"f_vector": list(expected.f_vector), "lineality_dimension": expected.lineality_dimension, "full_cells": len(expected.full),
            "bounded_full_cells": sum(expected.is_bounded_full), "breakpoint_facets": expected.breakpoint_facets,
            "linear_regions": expected.linear_regions, "distinct_affine_maps": expected.distinct_affine_maps,
            "strata": {str(k): n for k, n in expected.strata().items()}, "balanced": True}


def check_report(case: Case) -> None:
    found, expected = ComplexReport(built(case)).to_json(), report(case)
    assert {key: found[key] for key in expected} == expected
    assert built(case).full_cells == expected["full_cells"]
    assert sum(bool(x) for x in built(case).bounded) == expected["bounded_full_cells"]
    assert built(case).lineality_dimension == expected["lineality_dimension"]


@pytest.mark.parametrize("case", CASES, ids=str)
def test_counts_are_those_of_the_enumeration(case: Case) -> None:
    check_report(case)


@pytest.mark.slow
@pytest.mark.parametrize("start", range(0, 500, 50))
def test_counts_on_many_networks(start: int) -> None:
    for case in many(50, start):
        check_report(case)


def check_values(case: Case) -> None:
    """f by plain evaluation is the affine map of the full cell, in its middle, at its vertices and along its rays."""
    found, dimension = built(case), oracle(case).dimension
    for i in range(found.full_cells):
        cell = found.cell(dimension, i)
        slopes, constants = found.exact_map(i)
        points = [cell.point, *cell.vertices]
        points += [tuple(x + 3 * r for x, r in zip(cell.point, ray)) for ray in cell.rays]
        for line in cell.lineality:
            points += [tuple(x + s * 5 * r for x, r in zip(cell.point, line)) for s in (1, -1)]
        for x in points:
            expected = tuple(sum((a * y for a, y in zip(row, x)), b) for row, b in zip(slopes, constants))
            assert evaluated(case, x) == expected


def evaluated(case: Case, x: tuple[Fraction, ...]) -> tuple[Fraction, ...]:
    """f(x), written out here so that nothing of the package is used."""
    a, last = list(x), len(case.network.weights) - 1
    for k, (weights, biases) in enumerate(zip(case.network.weights, case.network.biases)):
        z = [sum((w * y for w, y in zip(row, a)), b) for row, b in zip(weights, biases)]
        a = z if k == last else [max(y, Fraction(0)) for y in z]
    return tuple(a)


@pytest.mark.parametrize("case", CASES, ids=str)
def test_function_is_affine_on_full_cells_with_the_exact_map(case: Case) -> None:
    check_values(case)


def test_points_have_the_signs_of_their_cells() -> None:
    """At the point of a cell every pre-activation has the sign of the cell, and the point is inside the domain's interior."""
    for case in CASES:
        found = built(case)
        expected = oracle(case)
        inner = {c.signs: c for c, yes in zip(expected.open_cells, expected.interior) if yes}
        for k, count in enumerate(found.f_vector):
            for i in found.interior(found.level(k)) if count else ():
                cell = found.cell(k, int(i))
                assert cell.is_interior
                mine = inner[cell.signs]
                assert all(row[0] + sum(a * x for a, x in zip(row[1:], cell.point)) > 0 for row in mine.strict)
                assert all(row[0] + sum(a * x for a, x in zip(row[1:], cell.point)) == 0 for _, row in mine.equations.rows)


POLYHEDRA = ("parallel", "concurrent, triangle", "two outputs, square", "all conditions, square", "narrow, redundant", "octahedron, cube",
             "rank two", "rank two, pyramid", "random 28, pointed 3", "random 30, square cone", "random 26, orthant", "random 31, pyramid",
             "random 33, four", "random 35, tesseract", "random 36, orthant 4", "twins, segment", "random 29, square in space",
             "rank one, slab", "random 37, plane in space", "saw, interval")


@pytest.mark.parametrize("name", POLYHEDRA)
def test_representations_of_full_cells_are_those_of_cddlib(name: str) -> None:
    """V and H from the engine, checked by the cell itself and against the inequalities of the enumeration."""
    case = BY_NAME[name]
    found, expected = built(case), oracle(case)
    by_signs = {expected.open_cells[c].signs: expected.open_cells[c] for c in expected.full}
    for i in range(found.full_cells):
        check_representations(found.cell(expected.dimension, i), by_signs)


def check_representations(cell: Any, by_signs: dict[tuple[int, ...], Any]) -> None:
    cell.polyhedron.check()
    mine = by_signs[cell.signs]
    rows = [primitive_integer(row) for row in mine.strict]
    equal = [primitive_integer(row) for _, row in mine.equations.rows]
    dimension = len(cell.point)
    expected = generators(rows, equal, dimension)
    assert len(cell.lineality) == len(expected.lines)
    if not expected.lines:
        assert sorted([*map(homogeneous_point, cell.vertices), *((0, *ray) for ray in cell.rays)]) == list(expected.points)
    if equal:
        assert len(cell.equations) == len(equal)
    else:
        assert sorted(cell.inequalities) == list(irredundant(rows, dimension)[0])
        assert not cell.equations


@pytest.mark.slow
def test_representations_and_values_on_many_networks() -> None:
    for case in many(200, 1000):
        check_values(case)
        found, expected = built(case), oracle(case)
        by_signs = {expected.open_cells[c].signs: expected.open_cells[c] for c in expected.full}
        for i in range(found.full_cells):
            check_representations(found.cell(expected.dimension, i), by_signs)
