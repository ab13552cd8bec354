"""The parameters of an architecture as variables: W1_2_3 is the weight of layer 1, neuron 2, input 3, and b1_2 a bias.

Layers, neurons and inputs count from 1 in names.  Order: layer by layer, neuron by neuron, the weights of a neuron before its bias.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

from exactrelu.arithmetic.polynomial import Point, Polynomial, PolynomialRing
from exactrelu.errors import ShapeError
from exactrelu.network.architecture import Architecture
from exactrelu.network.network import Network


@dataclass(frozen=True)
class ParameterSpace:
    """R^N with the weights and biases of an architecture as coordinates.

    >>> space = ParameterSpace(Architecture((1, 2, 1)))
    >>> space.ring.names
    ('W1_1_1', 'b1_1', 'W1_2_1', 'b1_2', 'W2_1_1', 'W2_1_2', 'b2_1')
    >>> space.network(range(7)).weights[1]
    ((Fraction(4, 1), Fraction(5, 1)),)
    """

    architecture: Architecture

    @cached_property
    def ring(self) -> PolynomialRing:
        """Polynomials in the parameters."""
        names = []
        for layer, (before, width) in enumerate(zip(self.architecture.widths, self.architecture.widths[1:]), 1):
            for i in range(1, width + 1):
                names += [f"W{layer}_{i}_{j}" for j in range(1, before + 1)] + [f"b{layer}_{i}"]
        return PolynomialRing(tuple(names))

    @cached_property
    def _first(self) -> tuple[int, ...]:
        out = [0]
        for before, width in zip(self.architecture.widths, self.architecture.widths[1:]):
            out.append(out[-1] + width * (before + 1))
        return tuple(out)

    def _row(self, layer: int, i: int) -> int:
        return self._first[layer - 1] + i * (self.architecture.widths[layer - 1] + 1)

    def weight(self, layer: int, i: int, j: int) -> Polynomial:
        """The variable W^(layer)_ij; the layer counts from 1, neurons from 0."""
        return self.ring.variables[self._row(layer, i) + j]

    def weights(self, layer: int, i: int) -> tuple[Polynomial, ...]:
        """The variables of row i of W^(layer)."""
        first = self._row(layer, i)
        return self.ring.variables[first:first + self.architecture.widths[layer - 1]]

    def bias(self, layer: int, i: int) -> Polynomial:
        """The variable b^(layer)_i."""
        return self.ring.variables[self._row(layer, i) + self.architecture.widths[layer - 1]]

    def column(self, layer: int, j: int) -> tuple[Polynomial, ...]:
        """The variables of column j of W^(layer): what neuron j of the layer before sends out."""
        return tuple(self.weight(layer, i, j) for i in range(self.architecture.widths[layer]))

    def values(self, network: Network) -> tuple[Fraction, ...]:
        """Return the parameters of a network in the order of the variables; ShapeError for another architecture."""
        if network.architecture != self.architecture:
            raise ShapeError(f"a network of the architecture {self.architecture} is needed, got {network.architecture}")
        return tuple(x for rows, biases in zip(network.weights, network.biases) for row, b in zip(rows, biases) for x in (*row, b))

    def point(self, network: Network) -> Point:
        """Return the point of a network."""
        return self.ring.point(self.values(network))

    def network(self, values: Sequence[Any] | Mapping[str, Any] | Point) -> Network:
        """Return the network at a point."""
        numbers = self.ring.point(values).fractions()
        weights, biases = [], []
        for layer, (before, width) in enumerate(zip(self.architecture.widths, self.architecture.widths[1:]), 1):
            starts = [self._row(layer, i) for i in range(width)]
            weights.append([numbers[s:s + before] for s in starts])
            biases.append([numbers[s + before] for s in starts])
        return Network(weights, biases)
