"""Two consecutive hidden layers of equal width that change places.

Where layer l is active throughout, layer l+1 has the forms y = V z + c of the forms z of layer l.  If V is invertible, z = V^-1 (y - c):
the forms y can stand in front and the forms z behind, each with either orientation.  The weights behind are then determined by
linear equations at sample points.  A proposal: whether the functions agree beyond the region where all are active is decided
afterwards.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import product

from exactrelu.certification.witnesses.candidate import SecondParameter, scaled
from exactrelu.certification.witnesses.linear_combination import combination
from exactrelu.certification.witnesses.samples import Samples
from exactrelu.network.architecture import Neuron
from exactrelu.network.network import Network

MOST_WIDTH = 3
"""Widest layers that are exchanged: there are 4^width orientations."""
ZERO, ONE = Fraction(0), Fraction(1)


def layer_exchanges(samples: Samples) -> Iterator[SecondParameter]:
    """Yield networks with two consecutive layers exchanged."""
    network = samples.network
    widths = network.architecture.widths
    for layer in range(1, network.architecture.hidden_layers):
        if widths[layer] != widths[layer + 1] or widths[layer] > MOST_WIDTH:
            continue
        inverse = inverse_rows(network.weights[layer])
        if inverse is None:
            continue
        neurons = tuple(Neuron(k, i) for k in (layer, layer + 1) for i in range(widths[layer]))
        for signs in product((ONE, -ONE), repeat=2 * widths[layer]):
            moved = exchanged(network, layer, inverse, signs[:widths[layer]], signs[widths[layer]:])
            found = samples.solved_behind(moved, layer + 1)
            if found is not None:
                yield SecondParameter(f"layers {layer} and {layer + 1} can change places", neurons, found, certain=False)


def inverse_rows(rows: Sequence[Sequence[Fraction]]) -> list[list[Fraction]] | None:
    """Return the rows of the inverse of a square matrix, or None."""
    size = len(rows)
    found = [combination(rows, [Fraction(int(i == k)) for i in range(size)]) for k in range(size)]
    if any(x is None for x in found):
        return None
    return [x for x in found if x is not None]


def exchanged(network: Network, layer: int, inverse: Sequence[Sequence[Fraction]], front: Sequence[Fraction],
               back: Sequence[Fraction]) -> Network:
    """Return the network with the forms of layer l+1 in front and those of layer l behind, with these orientations.

    The weights behind the two layers are not right yet.
    """
    first, offset = network.weights[layer - 1], network.biases[layer - 1]
    second, bias = network.weights[layer], network.biases[layer]
    rows = [scaled([sum((v * row[j] for v, row in zip(mix, first)), ZERO) for j in range(len(first[0]))], s)
            for mix, s in zip(second, front)]
    constants = [s * (c + sum((v * b for v, b in zip(mix, offset)), ZERO)) for mix, c, s in zip(second, bias, front)]
    behind = [[t * x * s for x, s in zip(mix, front)] for mix, t in zip(inverse, back)]
    after = [-t * sum((x * c for x, c in zip(mix, bias)), ZERO) for mix, t in zip(inverse, back)]
    return network.replaced(layer, rows, constants).replaced(layer + 1, behind, after)
