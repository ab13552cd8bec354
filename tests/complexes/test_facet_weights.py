"""Weights of all facets against the jump of the two affine maps beside them."""

from __future__ import annotations

import random
from fractions import Fraction
from math import gcd

import numpy as np
import pytest

from exactrelu.complexes.canonical_complex import CanonicalComplex
from exactrelu.complexes.facet_weights import facet_weights, formula_agrees, switching, vanishing_neuron
from exactrelu.network.network import Network
from exactrelu.polyhedra.domain import Domain

TOUCH = Network([[[1], [-1]], [[1, 1]], [[1]]], [[0, 0], [0], [0]])              # z_2 = |x| touches 0 and stays active
TWINS = Network([[[1, 2], [2, 4], [-1, 1]], [[1, 1, 3]]], [[1, 2, 0], [0]])      # two neurons switch on one line


def random_network(seed: int) -> Network:
    rng = random.Random(seed)
    widths = [(1, 4, 2, 1), (2, 4, 3, 2), (3, 3, 2, 1), (2, 3, 2, 2, 1)][seed % 4]
    return Network([[[Fraction(rng.randint(-3, 3), rng.randint(1, 2)) for _ in range(m)] for _ in range(n)]
                    for m, n in zip(widths, widths[1:], strict=False)], [[rng.randint(-2, 2) for _ in range(n)] for n in widths[1:]])


def slope(network: Network, point: tuple[Fraction, ...]) -> list[list[Fraction]]:
    """Slope of f by the chain rule at a point inside a full cell."""
    a = list(point)
    jacobian = [[Fraction(int(i == j)) for j in range(len(a))] for i in range(len(a))]
    for layer, (rows, bias) in enumerate(zip(network.weights, network.biases, strict=True)):
        z = [sum((w * x for w, x in zip(row, a, strict=True)), b) for row, b in zip(rows, bias, strict=True)]
        jacobian = [[sum((w * jacobian[k][c] for k, w in enumerate(row)), Fraction(0)) for c in range(len(point))] for row in rows]
        if layer < len(network.weights) - 1:
            jacobian = [row if x > 0 else [Fraction(0)] * len(row) for row, x in zip(jacobian, z, strict=True)]
        a = [max(x, Fraction(0)) for x in z]
    return jacobian


@pytest.mark.parametrize("network", [TOUCH, TWINS, *map(random_network, range(8))], ids=lambda n: str(n.architecture))
@pytest.mark.parametrize("box", [False, True])
def test_weights_are_jumps(network: Network, box: bool) -> None:
    d = network.architecture.inputs
    complex_ = CanonicalComplex.build(network, Domain.box(d, [(-2, 2)]) if box else None)
    at = np.arange(len(complex_.facets))
    weights = facet_weights(complex_, at)
    one, two = complex_.sides
    top = complex_.fan.dimension
    assert len(weights) == len(at) and weights.denominator > 0
    for i in at.tolist():
        found = weights[i]
        assert gcd(*found.normal) == 1
        p, q = (complex_.point_of(top, int(side[i])) for side in (one, two))
        x = complex_.point_of(top - 1, int(complex_.facets[i]))
        sign = sum(n * (y - z) for n, y, z in zip(found.normal, p, x, strict=True))
        assert sign * sum(n * (y - z) for n, y, z in zip(found.normal, q, x, strict=True)) < 0
        a, b = slope(network, p), slope(network, q)
        jump = [[(u - v) * (1 if sign > 0 else -1) for u, v in zip(r, s, strict=True)] for r, s in zip(a, b, strict=True)]
        assert jump == [[c * n for n in found.normal] for c in found.weight]
    assert formula_agrees(complex_)


@pytest.mark.parametrize("network, expected", [(TOUCH, [(2, 0)]), (TWINS, None)])
def test_switching_neurons(network: Network, expected: list | None) -> None:
    complex_ = CanonicalComplex.build(network)
    at = np.arange(len(complex_.facets))
    count, first = switching(complex_, at)
    one, two = complex_.sides
    for i in at.tolist():
        active = [[s > 0 for s in complex_.full_cell(int(side[i])).signs] for side in (one, two)]
        switched = [j for j, (a, b) in enumerate(zip(*active, strict=True)) if a != b]
        assert (count[i], first[i]) == (len(switched), switched[0] if switched else -1)
        neuron, sign = (int(x[0]) for x in vanishing_neuron(complex_, at[i:i + 1]))
        facet = complex_.cell(complex_.dimension - 1, int(complex_.facets[i]))
        assert facet.signs[neuron] == 0 and complex_.full_cell(int(one[i])).signs[neuron] == sign
    if expected is not None:
        assert list(zip(count.tolist(), first.tolist(), strict=True)) == expected


def test_no_facets() -> None:
    complex_ = CanonicalComplex.build(Network([[[1]], [[1]]], [[5], [0]]), Domain.box(1, [(0, 1)]))
    assert len(facet_weights(complex_, np.zeros(0, np.int64))) == 0 and formula_agrees(complex_)
