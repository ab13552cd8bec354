"""Domains: membership by Fractions, boxes and their text, interior, and how they are written."""

from __future__ import annotations

import random
from fractions import Fraction

import pytest

from exactrelu.errors import DomainError, ExactnessError, ShapeError
from exactrelu.polyhedra.domain import Domain
from exactrelu.polyhedra.domain_file import parsed_domain

HALF = Fraction(1, 2)
SQUARE = Domain.box(2, [(-1, 1)])


# -- building ------------------------------------------------------------------------------------------------------------

def test_rows_that_say_nothing_are_dropped() -> None:
    domain = Domain(2, ((0, 0, 0), (3, 0, 0), (1, 1, 0), (HALF, 0, 0)))
    assert domain.inequalities == ((1, 1, 0),)
    assert Domain(2, ((0, 0, 0),)) == Domain.space(2) and Domain(2, ((1, 0, 0),)).is_space


def test_a_row_that_is_never_true_is_kept() -> None:
    domain = Domain(2, ((-1, 0, 0),))
    assert not domain.is_space and not domain.has_interior and not domain.contains([0, 0])


def test_entries_become_fractions() -> None:
    domain = Domain(1, (("1/2", 3),))
    assert domain.inequalities == ((HALF, Fraction(3)),)
    assert all(type(x) is Fraction for row in domain.inequalities for x in row)


@pytest.mark.parametrize("rows, kind, words", [
    (((1, 1, 0), (1, 1)), ShapeError, "row 1 has 2 entries, expected 3"),
    (((1, 1, 0, 0),), ShapeError, "row 0 has 4"),
    (((1, 0.5, 0),), ExactnessError, "row 0: 0.5 is a float"),
    (((1, True, 0),), ExactnessError, "boolean"),
    (((1, "0.5", 0),), ExactnessError, "row 0"),
])
def test_wrong_rows_are_refused(rows: tuple, kind: type[Exception], words: str) -> None:
    with pytest.raises(kind, match=words):
        Domain(2, rows)


def test_integer_rows_are_positive_multiples() -> None:
    domain = Domain(2, ((Fraction(1, 6), Fraction(-3, 4), 2), (-2, 4, 0)))
    assert domain.integer_rows == ((2, -9, 24), (-2, 4, 0))


# -- boxes ---------------------------------------------------------------------------------------------------------------

def test_boxes() -> None:
    assert Domain.box(2, [(-1, 1)]) == Domain.box(2, [(-1, 1), (-1, 1)])
    assert Domain.box(1, [("1/2", 3)]).inequalities == ((-HALF, 1), (3, -1))
    assert Domain.box(2, [(0, 0), (1, 2)]).contains([0, 1])
    corners = [(x, y) for x in (-1, 1, 2) for y in (-1, 0, 3)]
    assert [p for p in corners if Domain.box(2, [(-1, 1), (0, 3)]).contains(p)] == [(-1, 0), (-1, 3), (1, 0), (1, 3)]


@pytest.mark.parametrize("intervals, kind, words", [
    ([(1, 0)], DomainError, "interval 0 is empty: 1 > 0"),
    ([(0, 1), (0, 1), (0, 1)], ShapeError, "needs 1 or 2 intervals lo,hi; got 3"),
    ([], ShapeError, "got 0"),
    ([(0, 1, 2)], ShapeError, "lo,hi"),
    ([(0,)], ShapeError, "lo,hi"),
    ([(0, 1), (3, 2)], DomainError, "interval 1 is empty"),
    ([(0, 0.5)], ExactnessError, "float"),
])
def test_wrong_boxes_are_refused(intervals: list, kind: type[Exception], words: str) -> None:
    with pytest.raises(kind, match=words):
        Domain.box(2, intervals)


@pytest.mark.parametrize("text", ["-1,1", "-1,1;-1,1", " -1 , 1 ; -1,1 ;", ";-1,1"])
def test_box_texts(text: str) -> None:
    assert Domain.parse_box(2, text) == SQUARE


def test_decimal_box_texts_are_exact() -> None:
    assert Domain.parse_box(1, "-0.1,1e-1", decimal=True) == Domain.box(1, [("-1/10", "1/10")])
    assert Domain.parse_box(1, "1/3,1", decimal=True) == Domain.box(1, [("1/3", 1)])


@pytest.mark.parametrize("text, decimal, kind, words", [
    ("", False, DomainError, "box part 0 is '', expected"),
    ("1", False, DomainError, "part 0 is '1'"),
    ("0,1;0,1,2", False, DomainError, "part 1 is '0,1,2'"),
    ("0,1;;0,1", False, DomainError, "part 1 is ''"),
    ("0,0.5", False, ExactnessError, "box part 0: .*decimal"),
    ("0,1;0,x", False, ExactnessError, "box part 1"),
    ("0,x", True, ExactnessError, "box part 0: .*not a decimal"),
    ("0,inf", True, ExactnessError, "inf"),
    ("0,1/0", False, ExactnessError, "1/0"),
    ("2,1", False, DomainError, "empty"),
    ("0,1;0,1;0,1", False, ShapeError, "dimension 2"),
])
def test_wrong_box_texts_are_refused(text: str, decimal: bool, kind: type[Exception], words: str) -> None:
    with pytest.raises(kind, match=words):
        Domain.parse_box(2, text, decimal)


@pytest.mark.parametrize("domain, expected", [
    (Domain.space(2), ((None, None), (None, None))),
    (Domain.box(2, [("-1/2", 1), (0, 3)]), ((-HALF, 1), (0, 3))),
    (Domain(2, ((1, 1, 0), (2, 4, 0), (9, 3, 0), (7, 0, -2), (5, 0, -1))), ((-HALF, None), (None, Fraction(7, 2)))),
    (Domain(2, ((1, 1, 1),)), None),
    (Domain(2, ((1, 1, 0), (1, 1, -1))), None),
    (Domain(2, ((-1, 0, 0),)), None),
])
def test_bounding_intervals(domain: Domain, expected: object) -> None:
    assert domain.bounding_intervals == expected


# -- points --------------------------------------------------------------------------------------------------------------

def test_slacks_by_fractions() -> None:
    rng = random.Random(1)
    for _ in range(20):
        rows = tuple(tuple(Fraction(rng.randint(-5, 5), rng.randint(1, 4)) for _ in range(4)) for _ in range(3))
        rows = tuple(row for row in rows if any(row[1:]))
        x = [Fraction(rng.randint(-3, 3), 2) for _ in range(3)]
        slacks = tuple(b + a1 * x[0] + a2 * x[1] + a3 * x[2] for b, a1, a2, a3 in rows)
        domain = Domain(3, rows)
        assert domain.slacks(x) == slacks
        assert domain.contains(x) == (min(slacks) >= 0)
        assert domain.contains_strictly(x) == (min(slacks) > 0)


def test_the_boundary_is_contained_but_not_strictly() -> None:
    tiny = Fraction(1, 2**200)
    assert SQUARE.contains([1, 0]) and not SQUARE.contains_strictly([1, 0])
    assert SQUARE.contains_strictly([1 - tiny, 0]) and not SQUARE.contains([1 + tiny, 0])
    assert Domain.space(1).contains_strictly([7]) and Domain.space(1).slacks([7]) == ()


@pytest.mark.parametrize("point", [[1], [1, 2, 3], []])
def test_points_of_the_wrong_dimension(point: list[int]) -> None:
    with pytest.raises(ShapeError, match=f"point has {len(point)} coordinates, the domain dimension 2"):
        SQUARE.contains(point)


# -- interior ------------------------------------------------------------------------------------------------------------

@pytest.mark.parametrize("domain, interior", [
    (Domain.space(3), True), (SQUARE, True), (Domain(1, ((0, 1),)), True), (Domain.box(1, [(0, Fraction(1, 2**200))]), True),
    (Domain.box(2, [(0, 0), (0, 1)]), False), (Domain(2, ((0, 1, 1), (0, -1, -1))), False), (Domain(1, ((-1, 1), (0, -1))), False),
    (Domain(2, ((-1, 0, 0),)), False), (Domain(2, ((0, 1, 0), (0, 0, 1), (0, -1, -1))), False), (Domain(2, ((0, 0, 0),)), True),
])
def test_interior(domain: Domain, interior: bool) -> None:
    assert domain.has_interior is interior
    if interior:
        domain.require_interior()
    else:
        with pytest.raises(DomainError, match="no interior points"):
            domain.require_interior()


# -- written -------------------------------------------------------------------------------------------------------------

def test_claims() -> None:
    assert Domain.space(2).claim() is None
    assert Domain(1, (("1/2", -3),)).claim() == {"inequalities": [["1/2", "-3"]]}


@pytest.mark.parametrize("domain", [Domain.space(3), SQUARE, Domain(2, (("-1/3", 1, "5/7"),)), Domain(1, ((-1, 0),))])
def test_the_file_of_a_domain_is_read_back(domain: Domain) -> None:
    import json

    written = domain.to_json()
    assert (written["format"], written["version"]) == ("exactrelu/domain", 1)
    assert parsed_domain(json.dumps(written).encode()) == domain
