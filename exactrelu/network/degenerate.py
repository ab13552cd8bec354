"""Neurons that are degenerate at first sight: readable from the weights alone, on any domain."""

from __future__ import annotations

from typing import NamedTuple

from exactrelu.arithmetic.rational import primitive_integer
from exactrelu.network.network import Network


class Degenerate(NamedTuple):
    """One finding: neuron `place` of hidden layer `layer` is of this kind.

    Kinds: `zero-row` (no weights, no bias), `constant` (no weights), `zero-column` (no outgoing weight), `proportional`
    (a positive multiple of an earlier row of the layer), `opposite` (a negative multiple of one).
    """

    layer: int
    place: int
    kind: str

    def to_json(self) -> dict[str, object]:
        """Return {"layer", "index", "kind"}."""
        return {"layer": self.layer, "index": self.place, "kind": self.kind}


def degenerate_neurons(network: Network) -> list[Degenerate]:
    """Return all findings, by layer and index.

    >>> degenerate_neurons(Network([[[1], [2], [0]], [[1, 1, 0]]], [[1, 2, 0], [0]]))
    [Degenerate(layer=1, place=1, kind='proportional'), Degenerate(layer=1, place=2, kind='zero-row'), \
Degenerate(layer=1, place=2, kind='zero-column')]
    """
    found = []
    for layer in range(1, len(network.weights)):
        seen: set[tuple[int, ...]] = set()
        for i, (row, bias) in enumerate(zip(network.weights[layer - 1], network.biases[layer - 1])):
            if not any(row):
                found.append(Degenerate(layer, i, "constant" if bias else "zero-row"))
            else:
                key = primitive_integer((*row, bias))
                if key in seen:
                    found.append(Degenerate(layer, i, "proportional"))
                elif tuple(-x for x in key) in seen:
                    found.append(Degenerate(layer, i, "opposite"))
                seen.add(key)
            if not any(out[i] for out in network.weights[layer]):
                found.append(Degenerate(layer, i, "zero-column"))
    return found
