"""Breakpoints of one variable: all found, exactly, also close together; functions that are not piecewise affine are refused."""

from __future__ import annotations

from fractions import Fraction
from random import Random

import pytest

from exactrelu.extraction.line_breakpoints import NotAffineHere, TooManyBreaks, germ, line_breakpoints, simple_between

Kinks = list[tuple[Fraction, list[int]]]


def function_of(kinks: Kinks, outputs: int):  # type: ignore[no-untyped-def]  # a closure
    def g(t: Fraction) -> tuple[Fraction, ...]:
        return tuple(3 * t - 1 + sum((c[k] * max(t - at, Fraction(0)) for at, c in kinks), Fraction(0)) for k in range(outputs))
    return g


@pytest.mark.parametrize("seed", range(60))
def test_random_functions(seed: int) -> None:
    rng = Random(f"line {seed}")
    outputs = rng.randint(1, 3)
    places = {Fraction(rng.randint(-900, 900), rng.choice((1, 7, 64, 1000))) for _ in range(rng.randint(0, 12))}
    kinks: Kinks = [(at, [rng.choice((-3, -1, 0, 2)) for _ in range(outputs)]) for at in sorted(places)]
    found = line_breakpoints(function_of(kinks, outputs), Fraction(-1000), Fraction(1000), rng)
    assert [(b.at, b.jump) for b in found] == [(at, tuple(c)) for at, c in kinks if any(c)]


@pytest.mark.parametrize("exponent", [4, 8, 12, 20])
def test_a_hat_close_behind_a_break(exponent: int) -> None:
    """The lines before and behind meet at 1/3, where g breaks: only probes at the distance of the hat see it; nothing is invented."""
    width, third = Fraction(1, 1 << exponent), Fraction(1, 3)
    kinks: Kinks = [(third, [5]), (third + width, [2]), (third + 2 * width, [-4]), (third + 3 * width, [2])]
    places = [at for at, _ in kinks]
    found = [[b.at for b in line_breakpoints(function_of(kinks, 1), Fraction(-4), Fraction(4), Random(seed))] for seed in range(12)]
    assert all(set(one) <= set(places) for one in found)
    assert exponent == 20 or sum(one == places for one in found) >= 10


def test_breaks_at_the_places_where_intervals_are_cut() -> None:
    for seed in range(40):
        middle = simple_between(Fraction(0), Fraction(64), Random(f"cut {seed}"))
        kinks: Kinks = [(middle - 5, [1]), (middle, [2]), (middle + 5, [-1])]
        found = line_breakpoints(function_of(kinks, 1), Fraction(0), Fraction(64), Random(f"cut {seed}"))
        assert [b.at for b in found] == [at for at, _ in kinks]


def test_the_number_is_bounded_by_the_promise() -> None:
    kinks: Kinks = [(Fraction(k), [1]) for k in range(5)]
    with pytest.raises(TooManyBreaks, match="more than 4 breaks"):
        line_breakpoints(function_of(kinks, 1), Fraction(-9), Fraction(9), Random(1), most=4)
    assert len(line_breakpoints(function_of(kinks, 1), Fraction(-9), Fraction(9), Random(1), most=5)) == 5


def test_a_parabola_has_no_germ() -> None:
    with pytest.raises(NotAffineHere):
        germ(lambda t: (t * t,), Fraction(0), Fraction(1), Random(1))
    with pytest.raises(NotAffineHere):
        line_breakpoints(lambda t: (t * t,), Fraction(-1), Fraction(1), Random(1))


def test_a_jump_is_no_break() -> None:
    with pytest.raises(NotAffineHere):
        line_breakpoints(lambda t: (Fraction(t > Fraction(1, 3)),), Fraction(-1), Fraction(1), Random(1))


def test_seeded() -> None:
    def asked(seed: int) -> list[Fraction]:
        places: list[Fraction] = []

        def g(t: Fraction) -> tuple[Fraction, ...]:
            places.append(t)
            return (abs(t - 1),)
        line_breakpoints(g, Fraction(-9), Fraction(9), Random(seed))
        return places
    assert asked(1) == asked(1) != asked(2)
