"""A candidate for a second parameter, and the small changes of a network that candidates are made of."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from exactrelu.network.architecture import Neuron
from exactrelu.network.network import Network


@dataclass(frozen=True)
class SecondParameter:
    """Another parameter with the same function on the domain.

    Attributes:
        reason: the mechanism, one sentence.
        neurons: the neurons concerned.
        network: the second parameter.
        certain: whether the mechanism proves equality from the facts it was given (then another value is a bug); if not, it is a
            proposal that may turn out wrong.
    """

    reason: str
    neurons: tuple[Neuron, ...]
    network: Network
    certain: bool = True


def hidden_neurons(network: Network) -> list[Neuron]:
    """Return all hidden neurons in order."""
    return [Neuron(layer, i) for layer, bias in enumerate(network.biases[:-1], 1) for i in range(len(bias))]


def row_of(network: Network, neuron: Neuron) -> tuple[Fraction, ...]:
    """Return the weights of a neuron, its bias last.

    >>> row_of(Network([[[1, 2]], [[3]]], [[4], [5]]), Neuron(1, 0))
    (Fraction(1, 1), Fraction(2, 1), Fraction(4, 1))
    """
    return (*network.weights[neuron.layer - 1][neuron.index], network.biases[neuron.layer - 1][neuron.index])


def column_of(network: Network, neuron: Neuron) -> tuple[Fraction, ...]:
    """Return the outgoing weights of a neuron.

    >>> column_of(Network([[[1, 2]], [[3], [6]]], [[4], [5, 0]]), Neuron(1, 0))
    (Fraction(3, 1), Fraction(6, 1))
    """
    return tuple(row[neuron.index] for row in network.weights[neuron.layer])


def changed(network: Network, layer: int, rows: Mapping[int, Sequence[Fraction]] | None = None,
            columns: Mapping[int, Sequence[Fraction]] | None = None, constant: Sequence[Fraction] | None = None) -> Network:
    """Return the network with other rows of a hidden layer, other outgoing columns, and a constant added to the next layer.

    Args:
        rows: neuron -> its weights, its bias last.
        columns: neuron -> its outgoing weights.
        constant: what is added to the biases of the next layer.

    >>> net = changed(Network([[[1]], [[1]]], [[0], [0]]), 1, {0: [2, 3]}, {0: [5]}, [7])
    >>> net.weights, net.biases
    ((((Fraction(2, 1),),), ((Fraction(5, 1),),)), ((Fraction(3, 1),), (Fraction(7, 1),)))
    """
    weights, biases = list(network.weights[layer - 1]), list(network.biases[layer - 1])
    for i, row in (rows or {}).items():
        weights[i], biases[i] = tuple(row[:-1]), row[-1]
    after = [list(row) for row in network.weights[layer]]
    for i, column in (columns or {}).items():
        for row, entry in zip(after, column):
            row[i] = entry
    moved = [b + c for b, c in zip(network.biases[layer], constant)] if constant is not None else network.biases[layer]
    return network.replaced(layer, weights, biases).replaced(layer + 1, after, moved)


def added(left: Sequence[Fraction], right: Sequence[Fraction], factor: Fraction = Fraction(1)) -> tuple[Fraction, ...]:
    """Return left + factor * right."""
    return tuple(x + factor * y for x, y in zip(left, right))


def scaled(vector: Sequence[Fraction], factor: Fraction) -> tuple[Fraction, ...]:
    """Return factor * vector."""
    return tuple(factor * x for x in vector)
