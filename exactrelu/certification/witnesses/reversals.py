"""Sets of neurons of one layer that are reversed together.

ReLU(z) = z + ReLU(-z).  Reversing the neurons of a set T leaves sum over T of (outgoing column) z_v; it is a constant, which moves
to the next biases, if sum over T of (outgoing column) (x) (row weights) = 0.  Holds in every layer and on every domain.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from exactrelu.arithmetic.subset_sums import subset_sums
from exactrelu.certification.shallow_fiber import flip_vectors, flipped
from exactrelu.certification.witnesses.candidate import SecondParameter
from exactrelu.network.architecture import Neuron
from exactrelu.network.network import Network

MOST_ENTRIES = 40_000
"""Largest table of outgoing columns times rows that is searched."""
MOST_SETS = 64
"""Sets tried in one layer."""


def reversals(network: Network) -> Iterator[SecondParameter]:
    """Yield reversed sets of neurons, layer by layer.  No hypothesis on the domain.

    >>> net = Network([[[1], [-1]], [[3, 3]]], [[-1, 2], [1]])
    >>> [c.network.biases for c in reversals(net)][0]
    ((Fraction(1, 1), Fraction(-2, 1)), (Fraction(4, 1),))
    """
    widths = network.architecture.widths
    for layer in range(1, network.architecture.hidden_layers + 1):
        if widths[layer - 1] * widths[layer] * widths[layer + 1] > MOST_ENTRIES:
            continue
        sets = subset_sums(flip_vectors(network, layer))
        for chosen in islice(sets or (), MOST_SETS + 1):
            neurons = tuple(Neuron(layer, i) for i, t in enumerate(chosen) if t)
            if neurons:
                names = ", ".join(map(str, neurons))
                yield SecondParameter(f"neurons {names} can be reversed together: what they leave is a constant", neurons,
                                      flipped(network, layer, chosen))
