"""Networks along a line: a difference on any interval of positive length is found, and only a difference."""

from __future__ import annotations

from fractions import Fraction
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.strategies import DataObject

from exactrelu.equivalence.along_lines import difference_along
from exactrelu.equivalence.sample_points import Chord
from exactrelu.errors import BudgetExceeded
from exactrelu.limits import Limits, Meter
from exactrelu.network.integral_form import integral_form
from exactrelu.network.network import Network
from tests.equivalence.equal_pairs import MOVES, as_network, prepared, random_layers
from tests.oracles.cell_comparison import difference
from tests.oracles.strategies import small_networks

ZERO = Network([[[0]]], [[0]])
NUMBERS = st.fractions(min_value=-4, max_value=4, max_denominator=5)


def found(a: Network, b: Network, chord: Chord, limits: Limits | None = None) -> Fraction | None:
    return difference_along(integral_form(a), integral_form(b), chord, Meter(limits))


def line(base: int | Fraction = 0, low: int | Fraction | None = None, high: int | Fraction | None = None, direction: int = 1) -> Chord:
    return Chord((Fraction(base),), (direction,), None if low is None else Fraction(low), None if high is None else Fraction(high))


@given(st.data())
def test_as_on_the_restricted_networks_by_brute_force(data: DataObject) -> None:
    a = data.draw(small_networks())
    d = a.architecture.inputs
    b = data.draw(small_networks(inputs=d).filter(lambda n: n.architecture.outputs == a.architecture.outputs)
                  | st.sampled_from([a, a.replaced(1, biases=[x + 1 for x in a.biases[0]])]))
    base = tuple(data.draw(NUMBERS) for _ in range(d))
    direction = tuple(data.draw(st.lists(st.integers(-2, 2), min_size=d, max_size=d).filter(any)))
    low, high = data.draw(st.none() | NUMBERS.map(lambda x: -abs(x))), data.draw(st.none() | NUMBERS.map(abs))
    chord = Chord(base, direction, low, high)
    s = found(a, b, chord)

    def on_line(n: Network) -> list[tuple[list[list[Fraction]], list[Fraction]]]:
        first = [[sum((w * v for w, v in zip(row, direction)), Fraction(0))] for row in n.weights[0]]
        bias = [sum((w * x for w, x in zip(row, base)), c) for row, c in zip(n.weights[0], n.biases[0])]
        return [(first, bias), *(([list(r) for r in rows], list(c)) for rows, c in zip(n.weights[1:], n.biases[1:]))]

    walls = [*([(-low, Fraction(1))] if low is not None else []), *([(high, Fraction(-1))] if high is not None else [])]
    expected = difference(on_line(a), on_line(b), walls, 1)
    if low is not None and low == high:
        assert s is None                                 # a point is no interval
    else:
        assert (s is None) == (expected is None)
    if s is not None:
        assert (low is None or low <= s) and (high is None or s <= high) and a(chord.at(s)) != b(chord.at(s))


@pytest.mark.parametrize("move", MOVES)
def test_nothing_is_found_between_equal_functions(move: str) -> None:
    for seed in range(12):
        rng = Random(seed)
        first = prepared(random_layers(rng, 2, 1, [3, 2]), move, rng)
        second = MOVES[move](first, rng) or first
        for k in range(3):
            chord = Chord((Fraction(rng.randint(-3, 3), 2), Fraction(k)), (rng.randint(-3, 3), 1 + k), None, Fraction(k + 1) if k else None)
            assert found(as_network(first), as_network(second), chord) is None


def test_a_bump_of_tiny_width_and_height() -> None:
    eps = Fraction(1, 2**80)
    bump = Network([[[1], [1], [1]], [[1, -2, 1]]], [[0, -eps, -2 * eps], [0]])
    s = found(bump, ZERO, line())
    assert s is not None and 0 < s < 2 * eps
    assert found(bump, ZERO, line(-7)) is not None and found(bump, ZERO, line(-7, direction=-3)) is not None
    assert found(bump, ZERO, line(high=0)) is None and found(bump, ZERO, line(1, low=-1 + 2 * eps)) is None


def test_maps_that_cross_at_the_center_of_a_part() -> None:
    up, down = Network([[[1]]], [[0]]), Network([[[-1]]], [[0]])
    for chord in (line(), line(low=-1, high=1), line(low=-1), line(high=1), line(-1, low=0, high=2)):
        s = found(up, down, chord)
        assert s is not None and up(chord.at(s)) != down(chord.at(s))


def test_a_point_is_no_interval() -> None:
    assert found(Network([[[1]]], [[5]]), ZERO, line(low=0, high=0)) is None


def test_neurons_that_vanish_on_the_line() -> None:
    # z = x - y is 0 on the diagonal, whatever the second network makes of it
    a = Network([[[1, -1], [-1, 1]], [[5, 7]]], [[0, 0], [1]])
    one = Network([[[0, 0]]], [[1]])
    diagonal, other = (Chord((Fraction(1, 3), Fraction(1, 3)), v, None, None) for v in ((1, 1), (1, 2)))
    assert found(a, one, diagonal) is None and found(a, one, other) is not None


def test_limits() -> None:
    saw = Network([[[1], [1], [1], [1]], [[1, -1, 1, -1]]], [[0, -1, -2, -3], [0]])
    assert found(saw, saw, line(), Limits(max_cells=5)) is None
    with pytest.raises(BudgetExceeded):
        found(saw, saw, line(), Limits(max_cells=4))
