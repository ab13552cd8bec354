"""One hidden layer: all parameters with the same function, when every hyperplane is seen.

If the hyperplanes of the neurons are pairwise distinct, meet the interior of the domain and have non-zero outgoing
columns, every parameter of the architecture with the same function arises by reversing the neurons of a set T with
sum over T of (outgoing column) (x) (row) = 0, up to permutation and positive scaling: T = {} is theta itself, and
different T are inequivalent.  Holds for every domain with interior points; no genericity.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from exactrelu.arithmetic.rational import common_denominator, point_text, primitive_integer, signless_row
from exactrelu.arithmetic.subset_sums import MOST_FREE, subset_sums
from exactrelu.certificates.certificate import Certificate
from exactrelu.certificates.verdict import Holds, Undecided, Verdict
from exactrelu.complexes.bent_hyperplane import BentHyperplanes
from exactrelu.complexes.canonical_complex import CanonicalComplex
from exactrelu.network.network import Network


def flip_vectors(network: Network, layer: int) -> list[list[int]]:
    """Return (outgoing column) (x) (row) of every neuron of a layer, scaled to integers by one factor."""
    rows, columns = network.weights[layer - 1], list(zip(*network.weights[layer]))
    vectors = [[u * w for u in column for w in row] for row, column in zip(rows, columns)]
    scale = common_denominator([x for v in vectors for x in v])
    return [[int(x * scale) for x in v] for v in vectors]


def flipped(network: Network, layer: int, chosen: tuple[int, ...]) -> Network:
    """Return the network with the chosen neurons of a layer reversed, the constant they leave added to the next biases.

    ReLU(z) = z + ReLU(-z); the sum of the z over the set, weighted with the outgoing column, must be constant.
    """
    signs = [-1 if t else 1 for t in chosen]
    weights = [[s * w for w in row] for s, row in zip(signs, network.weights[layer - 1])]
    biases = [s * b for s, b in zip(signs, network.biases[layer - 1])]
    moved = [b + sum((row[i] * network.biases[layer - 1][i] for i, t in enumerate(chosen) if t), Fraction(0))
             for row, b in zip(network.weights[layer], network.biases[layer])]
    return network.replaced(layer, weights=weights, biases=biases).replaced(layer + 1, biases=moved)


def shallow_fiber(complex_: CanonicalComplex) -> Verdict:
    """Return Holds(certificate, members=..., sets=...) with all parameters of the fiber, or why the hypothesis fails.

    The certificate `shallow-fiber` states their number.  Members are theta first, then the reversals of the sets (0/1 vectors).
    Exactness: integers; Fractions of the members.    Cost: one kernel, and subset sums over its free coordinates.

    >>> theta = Network([[[1], [-1]], [[3, 3]]], [[-1, 2], [1]])
    >>> shallow_fiber(CanonicalComplex.build(theta)).detail["sets"]
    [(0, 0), (1, 1)]
    """
    network = complex_.network
    if network.architecture.hidden_layers != 1:
        return Undecided("more than one hidden layer")
    bent = BentHyperplanes(complex_)
    names: dict[Any, int] = {}
    points = []
    for j, (row, bias) in enumerate(zip(network.weights[0], network.biases[0])):
        facets = bent.facets(j)
        if not len(facets):
            return Undecided(f"the hyperplane of neuron {network.architecture.neuron(j)} does not meet the interior of the domain")
        if not any(r[j] for r in network.weights[1]):
            return Undecided(f"neuron {network.architecture.neuron(j)} has a zero outgoing column")
        name = signless_row((bias, *row))
        if name in names:
            one, two = (network.architecture.neuron(i) for i in (names[name], j))
            return Undecided(f"neurons {one} and {two} share a hyperplane")
        names[name] = j
        rays = [complex_.ambient(complex_.fan.ray(int(r))) for r in complex_.fan.generators(complex_.fan.dimension - 1, int(facets[0]))]
        points.append(point_text(primitive_integer([sum(c) for c in zip(*rays)])))
    found = subset_sums(flip_vectors(network, 1))
    if found is None:
        return Undecided(f"the sets of reversible neurons are 0/1 vectors of a kernel of more than {MOST_FREE} dimensions")
    sets = sorted(found)
    members = [flipped(network, 1, t) for t in sets]
    claim = {"kind": "shallow-fiber", "network": network.claim(), "domain": complex_.domain.claim(), "classes": len(sets)}
    return Holds(Certificate(claim, {"points": points}), {"members": members, "sets": sets})
