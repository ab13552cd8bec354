"""Canonical complexes: counts of arrangements, sides, maps, and refused questions."""

from __future__ import annotations

from fractions import Fraction
from math import comb

import pytest

from exactrelu.complexes.canonical_complex import CanonicalComplex
from exactrelu.errors import ShapeError
from exactrelu.network.network import Network
from exactrelu.polyhedra.domain import Domain


def generic_lines(n: int) -> Network:
    """n lines in general position: tangents of a parabola, moved."""
    return Network([[[k, 1] for k in range(n)], [[1] * n]], [[k * k + k**3 for k in range(n)], [0]])


@pytest.mark.parametrize("n", [1, 2, 3, 5])
def test_lines_in_general_position(n: int) -> None:
    found = CanonicalComplex.build(generic_lines(n))
    assert found.f_vector == (comb(n, 2), n * n if n > 1 else 1, 1 + n + comb(n, 2))
    assert found.closed_f_vector == found.f_vector and found.full_cells == found.f_vector[2] == len(found.bounded)
    assert int(found.bounded.sum()) == comb(n - 1, 2)


def test_boxes_count_their_boundary_apart() -> None:
    found = CanonicalComplex.build(Network([[[1, 0], [0, 1]], [[1, 1]]], [[0, 0], [0]]), Domain.box(2, [(-1, 1)]))
    assert found.f_vector == (1, 4, 4) and found.closed_f_vector == (9, 12, 4)
    assert found.bounded.all() and found.dimension == 2 and found.lineality_dimension == 0


def test_lines_of_invariance_and_levels() -> None:
    found = CanonicalComplex.build(Network([[[1, 1, 0]], [[1]]], [[0], [0]]))
    assert (found.lineality_dimension, found.dimension, found.f_vector) == (2, 3, (0, 0, 1, 2))
    assert [found.level(k) for k in range(-1, 5)] == [0, 0, 0, 1, 2, 0] and not found.bounded.any()


def test_flat_domains() -> None:
    found = CanonicalComplex.build(Network([[[1, 0], [0, 1]], [[1, 1]]], [[0, 0], [0]]), Domain.box(2, [(-1, 1), (2, 2)]))
    assert found.dimension == 1 and found.f_vector == (1, 2, 0)
    point = CanonicalComplex.build(Network([[[1]], [[1]]], [[0], [0]]), Domain.box(1, [(3, 3)]))
    assert point.f_vector == (1, 0) and len(point.facets) == 0 and [len(s) for s in point.sides] == [0, 0]


def test_sides_and_facet_rows() -> None:
    found = CanonicalComplex.build(generic_lines(4), Domain.box(2, [(-20, 20)]))
    one, two = found.sides
    assert len(found.facets) == found.f_vector[1] == len(one)
    for facet, a, b in zip(found.facets.tolist(), one.tolist(), two.tolist(), strict=True):
        assert a < b
        signs = found.full_cell(a).signs, found.full_cell(b).signs
        assert sum(s != t for s, t in zip(*signs, strict=True)) == 1
        row = found.facet_row(facet, a)
        assert row == tuple(-x for x in found.facet_row(facet, b))
        x, y = found.point_of(found.fan.dimension - 1, facet), found.point_of(found.fan.dimension, a)
        assert row[0] + row[1] * x[0] + row[2] * x[1] == 0 < row[0] + row[1] * y[0] + row[2] * y[1]


def test_maps_agree_with_the_function() -> None:
    network = Network([[["1/2", 1], [1, -1]], [[1, 2], [-1, 1]], [[1, "1/3"]]], [[0, 1], [-1, 0], [5]])
    found = CanonicalComplex.build(network)
    for number in range(found.full_cells):
        slope, constant = found.exact_map(number)
        cell = found.full_cell(number)
        for point in [cell.point, *cell.vertices]:
            assert network(point) == tuple(sum((a * x for a, x in zip(row, point, strict=True)), c)
                                           for row, c in zip(slope, constant, strict=True))
        assert all(type(x) is Fraction for row in slope for x in row)


def test_ambient_vectors_are_primitive() -> None:
    found = CanonicalComplex.build(Network([[[2]], [[1]]], [[1], [0]]))
    places = {found.ambient([2 * int(x) for x in ray]) for ray in found.fan.coordinates}
    assert places == {(2, -1), (0, 1), (0, -1)}


def test_refused_questions() -> None:
    network = generic_lines(2)
    with pytest.raises(ShapeError, match="dimension 3, the network 2 inputs"):
        CanonicalComplex.build(network, Domain.space(3))
    found = CanonicalComplex.build(network)
    for dimension, number in ((3, 0), (-1, 0), (2, 4), (2, -1)):
        with pytest.raises(ShapeError, match="no cell of dimension"):
            found.cell(dimension, number)
