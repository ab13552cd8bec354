"""f without a parameter: maps, sides, jumps, generators and ridges against forward evaluation."""

from __future__ import annotations

import pickle
from fractions import Fraction as F

import numpy as np
import pytest

from exactrelu.complexes.breakpoint_complex import BreakpointComplex
from exactrelu.complexes.canonical_complex import CanonicalComplex
from exactrelu.complexes.exact_maps import exact_maps
from exactrelu.complexes.function_complex import FunctionComplex, Incidence, function_complex
from exactrelu.errors import DomainError
from exactrelu.network.forward import value
from exactrelu.network.network import Network
from exactrelu.polyhedra.domain import Domain
from tests.oracles.cases import CASES


def check(network: Network, domain: Domain) -> FunctionComplex:
    complex_ = CanonicalComplex.build(network, domain)
    f = function_complex(complex_)
    assert len(f.maps) == complex_.full_cells and len(f.facet_rows) == len(BreakpointComplex(complex_).facets)
    for cell in range(complex_.full_cells):
        slope, constant = complex_.exact_map(cell)
        assert [[F(int(x), f.denominator) for x in row] for row in f.maps[cell]] == [[b, *a] for a, b in zip(slope, constant)]
    points, values = f.samples
    assert len(set(points)) == len(points)
    for point, scaled in zip(points, values):
        x = [F(c, point[0]) for c in point[1:]]
        assert domain.contains(x) and value(network, x) == tuple(F(v, point[0] * f.denominator) for v in scaled)
    for k in range(len(f.facet_rows)):
        row, (below, above) = f.facet_rows[k].tolist(), f.facet_sides[k]
        lead = next(x for x in (*row[1:], row[0]) if x)
        assert lead > 0 and tuple(row) == f.hyperplanes[f.hyperplane[k]] and np.gcd.reduce(np.array(row, dtype=object)) in (1, -1)
        assert (f.maps[above] - f.maps[below] == f.jumps[k][:, None] * f.facet_rows[k][None, :]).all() and any(f.jumps[k])
        assert (f.facet_rows[k] * f.cell_points[above]).sum() > 0 > (f.facet_rows[k] * f.cell_points[below]).sum()
        for g in [*f.facet_generators(k), tuple(f.facet_points[k].tolist()), *((0, *v) for v in f.lineality)]:
            assert sum(a * b for a, b in zip(row, g)) == 0
        assert set(f.facet_generators(k)) <= set(f.cell_generators(below)) & set(f.cell_generators(above))
    for r in range(len(f.ridges)):
        for row in f.ridge_equations(r):
            assert all(sum(a * b for a, b in zip(row, g)) == 0 for g in [*f.ridge_generators(r), tuple(f.ridge_points[r].tolist())])
        assert all(set(f.ridge_generators(r)) <= set(f.facet_generators(k)) for k in f.ridge_facets[r].tolist())
    return f


@pytest.mark.parametrize("case", [c for c in CASES if c.domain.has_interior], ids=str)
def test_cases(case: object) -> None:
    check(case.network, case.domain)  # type: ignore[attr-defined]


def test_flat_domains_are_refused() -> None:
    network = Network([[[1, 0]], [[1]]], [[0], [0]])
    with pytest.raises(DomainError, match="full-dimensional"):
        function_complex(CanonicalComplex.build(network, Domain(2, ((0, 1, -1), (0, -1, 1)))))


def test_without_hidden_layer_and_pickled() -> None:
    f = check(Network([[[2, 1]]], [[1]]), Domain.space(2))
    assert len(f.maps) == 1 and not len(f.facet_rows) and len(f.lineality) == 2
    again = pickle.loads(pickle.dumps(f))
    assert (again.maps == f.maps).all() and repr(again) == "<FunctionComplex: 1 cells, 0 visible facets, 0 ridges>"


def test_incidence() -> None:
    lists = Incidence.of(np.array([2, 0, 2]), np.array([5, 6, 7]), 3)
    assert [lists[k].tolist() for k in range(len(lists))] == [[6], [], [5, 7]]


def test_exact_maps_with_long_numbers() -> None:
    network = Network([[[2**70, 1], [1, -3]], [[F(1, 3**40), 1]]], [[F(1, 7), 0], [5]])
    complex_ = CanonicalComplex.build(network)
    maps = exact_maps(complex_.form, complex_.activity, 2, complex_.full_cells)
    for cell in range(complex_.full_cells):
        slope, constant = complex_.exact_map(cell)
        assert [F(int(x), complex_.form.denominator) for x in maps[cell, 0]] == [constant[0], *slope[0]]
