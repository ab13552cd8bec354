"""The integral form has the signs of the network, computes D f, and is homogeneous."""

from __future__ import annotations

import random
from fractions import Fraction

import pytest

from exactrelu.network.forward import preactivations, sign_vector
from exactrelu.network.integral_form import integral_form
from exactrelu.network.network import Network


def random_network(seed: int) -> Network:
    rng = random.Random(seed)
    widths = [(1, 1), (2, 3, 1), (3, 2, 2, 2), (1, 4, 3, 2, 1)][seed % 4]

    def entry() -> Fraction:
        return Fraction(rng.randint(-3, 3), rng.choice((1, 2, 3, 7, 30)))
    return Network([[[entry() for _ in range(m)] for _ in range(n)] for m, n in zip(widths, widths[1:], strict=False)],
                   [[entry() for _ in range(n)] for n in widths[1:]])


@pytest.mark.parametrize("seed", range(16))
def test_signs_values_and_scales(seed: int) -> None:
    network, rng = random_network(seed), random.Random(seed)
    form = integral_form(network)
    assert all(type(x) is int for layer in form.rows for row in layer for x in row) and form.denominator > 0
    assert all(s > 0 for scales in form.scales for s in scales) and len(form.scales) == len(form.hidden)
    for _ in range(8):
        t = rng.randint(1, 6)
        x = [rng.randint(-5, 5) for _ in range(network.architecture.inputs)]
        point = [Fraction(y, t) for y in x]
        true = preactivations(network, point)
        scaled = form.preactivations([t, *x])
        assert form.signs([t, *x]) == sign_vector(network, point)
        assert scaled[-1] == [form.denominator * t * z for z in true[-1]]
        for scales, z, integral in zip(form.scales, true, scaled, strict=False):
            assert integral == [s * t * entry for s, entry in zip(scales, z, strict=True)]


@pytest.mark.parametrize("seed", range(8))
def test_homogeneity_also_at_infinity(seed: int) -> None:
    form, rng = integral_form(random_network(seed)), random.Random(seed)
    for t in (0, 0, 1, 4):
        point = [t, *(rng.randint(-3, 3) for _ in range(len(form.rows[0][0]) - 1))]
        for k in (2, 10**20):
            assert form.preactivations([k * c for c in point]) == [[k * z for z in layer] for layer in form.preactivations(point)]
            assert form.signs([k * c for c in point]) == form.signs(point)


def test_recession_signs_are_those_far_away() -> None:
    form = integral_form(Network([[[1, 0], [0, 1]], [[1, -1]], [[1]]], [[-100, 100], [7], [0]]))
    for direction in [(1, 0), (0, 1), (-1, 0), (2, 1), (1, 2)]:
        far = [1, *(10**6 * x for x in direction)]
        assert all(s in (0, f) for s, f in zip(form.signs([0, *direction]), form.signs(far), strict=True))


def test_rows_are_cleared_by_the_least_factor() -> None:
    form = integral_form(Network([[["1/6", "1/4"]], [["1/5"]]], [["1/2"], ["1/3"]]))
    assert form.scales == ((12,),) and form.hidden == (((6, 2, 3),),)
    assert form.denominator == 60 and form.output == ((20, 1),)                      # 60 (1/3 + a/5), a = A/12


def test_integer_networks_stay() -> None:
    network = Network([[[2, 4], [0, 0]], [[6, 0]]], [[8, 0], [2]])
    form = integral_form(network)
    assert form.rows == (((8, 2, 4), (0, 0, 0)), ((2, 6, 0),)) and form.scales == ((1, 1),) and form.denominator == 1
    assert form.max_bits == 4


def test_affine_networks() -> None:
    form = integral_form(Network([[["1/2"], ["1/3"]]], [[0, 1]]))
    assert form.hidden == () and form.scales == () and form.denominator == 6 and form.output == ((0, 3), (6, 2))
    assert form.signs([1, 5]) == () and form.preactivations([2, 3]) == [[9, 18]]
