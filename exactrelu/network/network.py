"""A parameter theta of an architecture: rational weights and biases, immutable.

Layer l = 1..L+1 maps a to W^(l) a + b^(l); all layers but the last are followed by ReLU.  `weights[l-1]`
is W^(l) as rows, `biases[l-1]` is b^(l).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

from exactrelu.arithmetic.rational import rational
from exactrelu.errors import ExactnessError, InputError, ShapeError
from exactrelu.network.architecture import Architecture

Row = tuple[Fraction, ...]
Rows = tuple[Row, ...]


def _exact(value: Any, where: str) -> Fraction:
    try:
        return rational(value)
    except ExactnessError as error:
        raise ExactnessError(f"{where}: {error}") from None


def _list(value: Any, where: str) -> list[Any]:
    if hasattr(value, "tolist"):
        value = value.tolist()
    if isinstance(value, (str, bytes, dict)) or not hasattr(value, "__iter__"):
        raise ShapeError(f"{where} should be a list, got {type(value).__name__}")
    return list(value)


@dataclass(frozen=True, init=False)
class Network:
    """A ReLU network with rational weights.

    Args:
        weights: for each layer the rows of W^(l), shape (n_l, n_{l-1}); entries `int`, `Fraction`, ``"p/q"``.
        biases: for each layer b^(l), shape (n_l,).
    Raises:
        ExactnessError: an entry is not an exact rational; names layer, row and column.
        ShapeError: sizes do not fit; names layer and row.

    >>> f = Network([[[1, -1]], [["1/2"]]], [[0], [1]])
    >>> f.architecture.widths, f(["3", 1])
    ((2, 1, 1), (Fraction(2, 1),))
    """

    weights: tuple[Rows, ...]
    biases: Rows

    def __init__(self, weights: Sequence[Any], biases: Sequence[Any]) -> None:
        weights, biases = _list(weights, "weights"), _list(biases, "biases")
        if not weights:
            raise ShapeError("a network needs at least one layer")
        if len(weights) != len(biases):
            raise ShapeError(f"{len(weights)} weight matrices but {len(biases)} bias vectors")
        exact_weights: list[Rows] = []
        exact_biases: list[Row] = []
        width = -1
        for layer, (matrix, vector) in enumerate(zip(weights, biases), 1):
            rows = [_list(row, f"layer {layer}, weight row {i}") for i, row in enumerate(_list(matrix, f"layer {layer}, weights"))]
            bias = _list(vector, f"layer {layer}, bias")
            if not rows:
                raise ShapeError(f"layer {layer} has no neurons")
            if width < 0:
                width = len(rows[0])
                if width == 0:
                    raise ShapeError("layer 1 has no inputs")
            for i, row in enumerate(rows):
                if len(row) != width:
                    raise ShapeError(f"layer {layer}, weight row {i} has {len(row)} entries, expected {width}")
            if len(bias) != len(rows):
                raise ShapeError(f"layer {layer} has {len(rows)} weight rows but {len(bias)} biases")
            exact_weights.append(tuple(
                tuple(_exact(x, f"layer {layer}, weight row {i}, column {j}") for j, x in enumerate(row))
                for i, row in enumerate(rows)))
            exact_biases.append(tuple(_exact(x, f"layer {layer}, bias {i}") for i, x in enumerate(bias)))
            width = len(rows)
        object.__setattr__(self, "weights", tuple(exact_weights))
        object.__setattr__(self, "biases", tuple(exact_biases))

    @classmethod
    def from_floats(cls, weights: Sequence[Any], biases: Sequence[Any]) -> Network:
        """Return the network whose weights are exactly the given binary floats (each is a dyadic rational)."""
        from exactrelu.network.float_gate import exact_layers

        return cls(*exact_layers(weights, biases))

    @cached_property
    def architecture(self) -> Architecture:
        """Widths of all layers."""
        return Architecture((len(self.weights[0][0]), *map(len, self.weights)))

    @property
    def parameters(self) -> int:
        """Number N of weights and biases."""
        return self.architecture.parameters

    @cached_property
    def max_bits(self) -> int:
        """Bit length of the largest numerator or denominator."""
        entries = [x for rows in self.weights for row in rows for x in row] + [x for b in self.biases for x in b]
        tops = [x.numerator for x in entries]
        return max(max(tops).bit_length(), min(tops).bit_length(), max([x.denominator for x in entries]).bit_length())

    def __call__(self, point: Sequence[Any]) -> tuple[Fraction, ...]:
        """Return f(point) exactly."""
        from exactrelu.network.forward import value

        return value(self, point)

    def replaced(self, layer: int, weights: Sequence[Any] | None = None, biases: Sequence[Any] | None = None) -> Network:
        """Return the network with another weight matrix or bias vector in layer `layer` (counted from 1)."""
        if not 1 <= layer <= len(self.weights):
            raise InputError(f"no layer {layer}; there are {len(self.weights)}")
        new_weights, new_biases = list(self.weights), list(self.biases)
        if weights is not None:
            new_weights[layer - 1] = tuple(weights)
        if biases is not None:
            new_biases[layer - 1] = tuple(biases)
        return Network(tuple(new_weights), tuple(new_biases))

    def claim(self) -> dict[str, Any]:
        """Return the network as it is written in a certificate: every number a string."""
        return {"architecture": list(self.architecture.widths),
                "weights": [[[str(x) for x in row] for row in rows] for rows in self.weights],
                "biases": [[str(x) for x in row] for row in self.biases]}

    def to_json(self) -> dict[str, Any]:
        """Return the network file of the interface: format, version, architecture, weights, biases."""
        return {"format": "exactrelu/network", "version": 1, **self.claim()}

    def __repr__(self) -> str:
        return f"Network{self.architecture}"
