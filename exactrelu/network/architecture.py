"""Architectures (n_0, ..., n_{L+1}) and names of neurons.

Layers count from 1 (0 is the input, L+1 the output), neurons within a layer from 0.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from exactrelu.errors import InputError, ShapeError


class Neuron(NamedTuple):
    """Neuron `index` of hidden layer `layer`.

    >>> str(Neuron(2, 0))
    '(2, 0)'
    """

    layer: int
    index: int  # type: ignore[assignment]  # the field of the papers; tuple.index is not needed here

    def __str__(self) -> str:
        return f"({self.layer}, {self.index})"


@dataclass(frozen=True)
class Architecture:
    """Widths of all layers, input and output included.

    >>> a = Architecture((2, 3, 2, 1))
    >>> a.hidden_layers, a.hidden_neurons, a.parameters, a.expected_dimension
    (2, 5, 20, 15)
    """

    widths: tuple[int, ...]

    def __post_init__(self) -> None:
        widths = tuple(self.widths)
        if len(widths) < 2:
            raise ShapeError(f"an architecture needs an input and an output width, got {list(widths)}")
        for width in widths:
            if isinstance(width, bool) or not isinstance(width, int) or width < 1:
                raise ShapeError(f"widths are positive integers, got {width!r} in {list(widths)!r}")
        object.__setattr__(self, "widths", widths)

    @classmethod
    def parse(cls, text: str) -> Architecture:
        """Return the architecture written ``"2,3,1"``."""
        try:
            widths = [int(part) for part in text.replace("-", ",").split(",")]
        except ValueError:
            raise InputError(f'architecture {text[:60]!r} is not of the form "2,3,1"') from None
        return cls(tuple(widths))

    @property
    def inputs(self) -> int:
        """Input dimension d = n_0."""
        return self.widths[0]

    @property
    def outputs(self) -> int:
        """Output dimension n_{L+1}."""
        return self.widths[-1]

    @property
    def hidden_layers(self) -> int:
        """Number L of hidden layers."""
        return len(self.widths) - 2

    @property
    def hidden_widths(self) -> tuple[int, ...]:
        """(n_1, ..., n_L)."""
        return self.widths[1:-1]

    @cached_property
    def hidden_neurons(self) -> int:
        """Number H of hidden neurons."""
        return sum(self.hidden_widths)

    @cached_property
    def parameters(self) -> int:
        """Number N of weights and biases."""
        return sum(n * (m + 1) for m, n in zip(self.widths, self.widths[1:]))

    @property
    def expected_dimension(self) -> int:
        """N - H, the largest possible functional dimension (paper A; the scaling symmetries take H)."""
        return self.parameters - self.hidden_neurons

    @cached_property
    def offsets(self) -> tuple[int, ...]:
        """offsets[l-1] is the number of the first neuron of hidden layer l; the last entry is H."""
        out = [0]
        for width in self.hidden_widths:
            out.append(out[-1] + width)
        return tuple(out)

    def neuron(self, number: int) -> Neuron:
        """Return the neuron with this number, 0..H-1 counted through the layers.

        >>> Architecture((2, 3, 2, 1)).neuron(4)
        Neuron(layer=2, index=1)
        """
        for layer in range(1, self.hidden_layers + 1):
            if self.offsets[layer - 1] <= number < self.offsets[layer]:
                return Neuron(layer, number - self.offsets[layer - 1])
        raise ShapeError(f"no neuron has the number {number}; there are {self.hidden_neurons}")

    def number(self, neuron: Sequence[int]) -> int:
        """Return the number 0..H-1 of a neuron (layer, index)."""
        layer, index = neuron
        if not (1 <= layer <= self.hidden_layers and 0 <= index < self.widths[layer]):
            raise ShapeError(f"no hidden neuron ({layer}, {index}) in {self}")
        return self.offsets[layer - 1] + index

    def __str__(self) -> str:
        return "(" + ", ".join(map(str, self.widths)) + ")"
