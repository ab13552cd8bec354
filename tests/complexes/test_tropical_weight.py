"""Weights by hand; the sign rule; slopes that no continuous function has."""

from __future__ import annotations

from fractions import Fraction

import pytest

from exactrelu.complexes.tropical_weight import TropicalWeight, tropical_weight
from exactrelu.errors import DomainError, InvariantError

ZERO = [[0, 0]]


def test_the_normal_is_made_primitive() -> None:
    found = tropical_weight([[Fraction(3), Fraction(-6)]], ZERO, (4, -8))
    assert found == TropicalWeight((Fraction(3),), (1, -2)) and found.length_square == 5 and found.euclidean_squares == (45,)


def test_exchanging_the_sides_changes_nothing() -> None:
    a, b = [[Fraction(1, 2), 3], [0, 1]], [[Fraction(1, 2), 1], [0, -2]]
    one, two = tropical_weight(a, b, (0, 3)), tropical_weight(b, a, (0, -3))
    assert one.weight == two.weight == (2, 3) and one.normal == (0, 1) and two.normal == (0, -1)
    assert tropical_weight(b, a, (0, 3)).weight == (-2, -3)


def test_no_jump() -> None:
    assert tropical_weight([[1, 2]], [[1, 2]], (1, 1)).weight == (0,)


def test_a_zero_normal_is_refused() -> None:
    with pytest.raises(DomainError, match="zero"):
        tropical_weight(ZERO, ZERO, (0, 0))


@pytest.mark.parametrize("jump", [[1, 0], [0, 1], [1, 2 + Fraction(1, 10**40)], [-1, 2]])
def test_a_jump_along_the_facet_is_impossible(jump: list) -> None:
    tropical_weight([[1, 2]], ZERO, (1, 2))
    with pytest.raises(InvariantError, match="not continuous"):
        tropical_weight([jump], ZERO, (1, 2))
