"""Sample points lie in the polyhedron, chords end at its walls, and the choice depends on the seed and the rows alone."""

from __future__ import annotations

from fractions import Fraction
from itertools import islice

import pytest

from exactrelu.equivalence.sample_points import FAR, SIMPLE_AXES, SamplePoints, rounded
from exactrelu.polyhedra.domain import Domain
from tests.oracles.cases import DOMAINS

FULL = {name: domain for name, domain in DOMAINS.items() if domain.has_interior}
TINY = Fraction(1, 2**200)
FULL |= {
    "sliver": Domain(2, ((0, 1, -1), (TINY, -1, 1), (1, 1, 0), (1, -1, 0))),          # type: ignore[arg-type]  # integers are accepted
    "small far box": Domain.box(2, [(10**9, 10**9 + TINY), (-1, 1)]),
    "half-bounded box": Domain(3, ((0, 1, 0, 0), (5, 0, -1, 0))),                     # type: ignore[arg-type]
    "no coordinate bounded twice": Domain(2, ((-3, 1, 0), (-1, 1, 0), (7, 0, -1))),   # type: ignore[arg-type]
}


def points(domain: Domain, seed: int = 0) -> SamplePoints:
    return SamplePoints(domain.integer_rows, domain.dimension, seed)


@pytest.mark.parametrize("name", FULL)
def test_every_point_lies_in_the_polyhedron(name: str) -> None:
    domain = FULL[name]
    source = points(domain)
    assert domain.contains_strictly(source.center)
    normals = [tuple(Fraction((-1) ** (i * k) * (i + k)) for i in range(domain.dimension)) for k in range(4)]
    simple, random, corners = list(source.simple()), list(source.random(10)), list(source.corners(normals))
    assert source.center in simple and len(random) >= 10
    for point in (*simple, *random, *corners):
        assert len(point) == domain.dimension and domain.contains(point) and source.contains(point)
    bounded = domain.bounding_intervals is not None and all(low is not None and high is not None for low, high in domain.bounding_intervals)
    assert len(corners) == (4 if bounded else 0)
    assert all(domain.contains_strictly(corner) for corner in corners)


@pytest.mark.parametrize("name", FULL)
def test_chords_are_the_intersections_with_lines(name: str) -> None:
    domain = FULL[name]
    for chord in points(domain).chords(12):
        assert any(chord.direction) and domain.contains(chord.base)
        for end, side in ((chord.low, -1), (chord.high, 1)):
            if end is None:
                assert domain.contains(chord.at(Fraction(side * 2**60)))
            else:
                assert end * side >= 0 and domain.contains(chord.at(end))
                assert not domain.contains(chord.at(end + side * Fraction(1, 2**300)))


def test_chords_along_lineality_and_from_a_wall() -> None:
    strip = points(DOMAINS["strip"])                                 # -1 <= x + y <= 2
    along = strip.chord((Fraction(0), Fraction(0)), (1, -1))
    assert (along.low, along.high) == (None, None)
    wall = strip.chord((Fraction(-1), Fraction(0)), (1, 0))
    assert (wall.low, wall.high) == (0, 3)
    vertex = points(DOMAINS["quadrant"]).chord((Fraction(0), Fraction(0)), (1, -1))
    assert vertex.low == vertex.high == 0


def test_far_points_on_unbounded_chords_only() -> None:
    def reach(domain: Domain) -> Fraction:
        return max(abs(x) for point in points(domain).random(8) for x in point)

    assert reach(Domain.space(2)) >= 2**max(FAR) and reach(DOMAINS["quadrant"]) >= 2**max(FAR) and reach(DOMAINS["square"]) <= 1


def test_the_choice_depends_on_seed_and_rows_alone() -> None:
    domain = DOMAINS["pointed"]
    assert list(points(domain, 5).random(6)) == list(points(domain, 5).random(6)) != list(points(domain, 6).random(6))
    assert list(islice(points(domain).chords(9), 4)) == list(points(domain).chords(4))


def test_centers_have_few_digits() -> None:
    assert points(Domain.space(3)).center == (0, 0, 0)
    assert points(Domain.box(2, [(0, 1), (-1, 3)])).center == (Fraction(1, 2), 1)
    assert points(Domain(2, ((-3, 2, 0), (1, 0, -1)))).center == (3, 0)               # type: ignore[arg-type]  # 5/2 rounded up
    assert points(FULL["small far box"]).center[0] == 10**9 + TINY / 2                # exact where no rounding fits


def test_corners_are_next_to_the_corner_where_the_form_is_largest() -> None:
    source = points(Domain.box(2, [(0, 16), (-16, 0)]))
    assert list(source.corners([(Fraction(1), Fraction(-2)), (Fraction(-1), Fraction(0))])) == [(Fraction(31, 2), Fraction(-31, 2)),
                                                                                               (Fraction(1, 2), -8)]


def test_simple_points_in_many_coordinates() -> None:
    simple = list(points(Domain.space(SIMPLE_AXES + 5)).simple())
    assert len(set(simple)) == 1 + 2 + 2 * SIMPLE_AXES


def test_rounding_is_to_the_nearest_multiple() -> None:
    assert rounded([Fraction(5, 3), Fraction(-5, 3), Fraction(1, 2), Fraction(-1, 2)], 0) == (2, -2, 1, 0)
    assert rounded([Fraction(1, 3)], 4) == (Fraction(5, 16),)
    for k in range(-40, 40):
        x = Fraction(k, 7)
        assert abs(rounded([x], 2)[0] - x) <= Fraction(1, 8)
