"""Forward evaluation against a plain evaluation written here."""

from __future__ import annotations

import random
from fractions import Fraction

import pytest

from exactrelu.errors import ExactnessError, ShapeError
from exactrelu.network.forward import preactivations, sign_vector, value
from exactrelu.network.network import Network


def plain(network: Network, x: list[Fraction]) -> list[list[Fraction]]:
    """All layers, one multiplication at a time."""
    out, a = [], x
    for layer in range(len(network.weights)):
        z = []
        for i in range(len(network.weights[layer])):
            total = network.biases[layer][i]
            for j in range(len(a)):
                total += network.weights[layer][i][j] * a[j]
            z.append(total)
        out.append(z)
        a = [max(Fraction(0), entry) for entry in z]
    return out


@pytest.mark.parametrize("seed", range(20))
def test_layers_values_and_signs(seed: int) -> None:
    rng = random.Random(seed)
    widths = [(1, 1), (2, 3, 1), (3, 2, 2, 2), (1, 4, 3, 2, 1)][seed % 4]
    network = Network([[[Fraction(rng.randint(-2, 2), rng.randint(1, 3)) for _ in range(m)] for _ in range(n)]
                       for m, n in zip(widths, widths[1:], strict=False)], [[rng.randint(-1, 1) for _ in range(n)] for n in widths[1:]])
    for _ in range(10):
        x = [Fraction(rng.randint(-2, 2), rng.randint(1, 3)) for _ in range(widths[0])]
        expected = plain(network, x)
        assert preactivations(network, x) == tuple(map(tuple, expected))
        assert value(network, x) == network(x) == tuple(expected[-1])
        assert sign_vector(network, x) == tuple(1 if z > 0 else -1 if z < 0 else 0 for layer in expected[:-1] for z in layer)


def test_a_sign_below_every_float_is_seen() -> None:
    network = Network([[[1]], [[1]]], [[Fraction(-1, 3)], [0]])
    tiny = Fraction(1, 2**2000)
    assert [sign_vector(network, [Fraction(1, 3) + k * tiny]) for k in (-1, 0, 1)] == [(-1,), (0,), (1,)]
    assert value(network, [Fraction(1, 3) + tiny]) == (tiny,)


def test_results_are_fractions_also_where_nothing_is_active() -> None:
    layers = preactivations(Network([[[1]], [[1], [0]]], [[-5], [0, 2]]), [0])
    assert all(type(z) is Fraction for layer in layers for z in layer)
    assert layers == ((-5,), (0, 2))


def test_a_network_without_hidden_layer_has_no_signs() -> None:
    assert sign_vector(Network([[[1, 2]]], [[3]]), [0, 0]) == ()


@pytest.mark.parametrize("point", [[], [1], [1, 2, 3]])
def test_points_of_the_wrong_size(point: list[int]) -> None:
    with pytest.raises(ShapeError, match=f"point has {len(point)} coordinates, the network 2 inputs"):
        value(Network([[[1, 2]]], [[3]]), point)


@pytest.mark.parametrize("entry", [0.5, True, None])
def test_inexact_points(entry: object) -> None:
    with pytest.raises(ExactnessError):
        sign_vector(Network([[[1, 2]]], [[3]]), [1, entry])
