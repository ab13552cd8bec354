"""Polyhedra with both representations; a wrong representation is found by the check."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest

from exactrelu.errors import DomainError, ExactnessError, InvariantError
from exactrelu.polyhedra.polyhedron import Polyhedron

SQUARE = Polyhedron.from_inequalities(2, [(1, 1, 0), (1, -1, 0), (1, 0, 1), (1, 0, -1), (5, 1, 1)])
QUADRANT = Polyhedron.from_inequalities(2, [(0, 1, 0), (0, 0, 1)])
SEGMENT = Polyhedron.from_inequalities(2, [(0, 1, -1), (0, -1, 1), (1, 1, 0), (2, 0, -1)])
STRIP = Polyhedron.from_inequalities(2, [(1, 1, 1), (2, -1, -1)])
POINT = Polyhedron.from_inequalities(1, [(-1, 2), (1, -2)])
SPACE = Polyhedron.from_inequalities(3, [])


@pytest.mark.parametrize("shape, dimension, bounded, vertices, facets, lines", [
    (SQUARE, 2, True, 4, 4, 0), (QUADRANT, 2, False, 1, 2, 0), (SEGMENT, 1, True, 2, 2, 0), (STRIP, 2, False, 2, 2, 1),
    (POINT, 0, True, 1, 0, 0), (SPACE, 3, False, 1, 0, 3),
])
def test_shapes(shape: Polyhedron, dimension: int, bounded: bool, vertices: int, facets: int, lines: int) -> None:
    assert (shape.dimension, shape.is_bounded) == (dimension, bounded)
    assert (len(shape.vertices), len(shape.inequalities), len(shape.lines)) == (vertices, facets, lines)
    assert len(shape.equations) == shape.ambient - dimension
    shape.check()


def test_vertices_are_exact() -> None:
    assert POINT.vertices == ((Fraction(1, 2),),)
    assert sorted(SEGMENT.vertices) == [(-1, -1), (2, 2)]
    assert set(SQUARE.vertices) == {(x, y) for x in (-1, 1) for y in (-1, 1)}


def test_empty_polyhedra_are_refused() -> None:
    with pytest.raises(DomainError, match="empty"):
        Polyhedron.from_inequalities(1, [(-1, 1), (0, -1)])
    with pytest.raises(DomainError, match="empty"):
        Polyhedron.from_inequalities(2, [(-1, 0, 0)])


def test_contains_decides_on_the_boundary() -> None:
    tiny = Fraction(1, 10**30)
    assert SQUARE.contains([1, 1]) and SQUARE.contains(["1/2", 0])
    assert not SQUARE.contains([1 + tiny, 0]) and not SQUARE.contains([0, -1 - tiny])
    assert SEGMENT.contains([1, 1]) and not SEGMENT.contains([1, 1 + tiny]) and not SEGMENT.contains([3, 3])
    assert SPACE.contains([10**40, 0, -1])
    with pytest.raises(ExactnessError, match="float"):
        SQUARE.contains([0.5, 0])


@pytest.mark.parametrize("wrong, words", [
    (replace(SQUARE, generators=SQUARE.generators[:-1]), "V-representation"),
    (replace(SQUARE, generators=((1, 0, 0), *SQUARE.generators)), "V-representation"),
    (replace(SQUARE, inequalities=SQUARE.inequalities[1:]), "V-representation"),
    (replace(SQUARE, inequalities=(*SQUARE.inequalities, (2, 1, 0))), "H-representation"),
    (replace(SEGMENT, inequalities=(*SEGMENT.inequalities, (9, 1, 0))), "number of facets"),
    (replace(SEGMENT, equations=SEGMENT.equations * 2), "number of facets"),
    (replace(STRIP, lines=()), "V-representation"),
    (replace(STRIP, lines=(*STRIP.lines, (1, 1))), "lineality"),
    (replace(STRIP, generators=STRIP.generators[1:]), "H-representation"),
])
def test_a_wrong_representation_is_found(wrong: Polyhedron, words: str) -> None:
    with pytest.raises(InvariantError, match=words):
        wrong.check()
