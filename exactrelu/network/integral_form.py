"""The integral form of a network: integer weights, same signs, same cells, a positive multiple of f.

Every hidden row is multiplied by the least positive integer s_i that clears its denominators, after column j
has been divided by the factor s_j of the layer before; the outputs share one denominator D.  This is a positive
scaling (a trivial symmetry), so signs and cells are those of the network and the last layer computes D f.
The homogenised network z(t, x) = W a + t b satisfies z(t, x) = t z(1, x/t) for t > 0.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, lru_cache
from math import lcm
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from exactrelu.network.network import Network

IntRow = tuple[int, ...]


@dataclass(frozen=True)
class IntegralForm:
    """Integer rows of a network.

    Attributes:
        rows: for each layer l = 1..L+1 the rows (b, w_1, ..., w_{n_{l-1}}), constant term first.
        scales: for each hidden layer the positive factor of each neuron, z_integral = scale * z.
        denominator: D, so that the last layer computes D f.
    """

    rows: tuple[tuple[IntRow, ...], ...]
    scales: tuple[tuple[int, ...], ...]
    denominator: int

    @property
    def hidden(self) -> tuple[tuple[IntRow, ...], ...]:
        """Rows of the hidden layers."""
        return self.rows[:-1]

    @property
    def output(self) -> tuple[IntRow, ...]:
        """Rows of the output layer, D times those of f in terms of the scaled activations."""
        return self.rows[-1]

    @cached_property
    def max_bits(self) -> int:
        """Bit length of the largest entry."""
        return max((abs(x).bit_length() for layer in self.rows for row in layer for x in row), default=0)

    def preactivations(self, point: Sequence[int]) -> list[list[int]]:
        """Return all z^(l)(t, x) and D t f(x/t) at homogeneous integer coordinates (t, x)."""
        t, activation = point[0], list(point[1:])
        out = []
        for layer in self.rows:
            z = [row[0] * t + sum(w * a for w, a in zip(row[1:], activation) if w and a) for row in layer]
            out.append(z)
            activation = [x if x > 0 else 0 for x in z]
        return out

    def signs(self, point: Sequence[int]) -> tuple[int, ...]:
        """Return the signs of all hidden pre-activations at homogeneous integer coordinates."""
        return tuple((z > 0) - (z < 0) for layer in self.preactivations(point)[:-1] for z in layer)


@lru_cache(maxsize=16)
def integral_form(network: Network) -> IntegralForm:
    """Return the integral form.

    Cost: O(N) integer operations; entries grow by the digits of the denominators of the layers before.

    >>> from exactrelu.network.network import Network
    >>> integral_form(Network([[["1/2"], [3]], [["1/3", 1]]], [["1/3", 0], [0]])).rows
    (((2, 3), (0, 3)), ((0, 1, 18),))
    """
    before: list[int] = [1] * network.architecture.inputs
    rows: list[tuple[IntRow, ...]] = []
    scales: list[tuple[int, ...]] = []
    last = len(network.weights) - 1
    denominator = 1
    for layer, (weights, biases) in enumerate(zip(network.weights, network.biases)):
        cleared = []
        for row, bias in zip(weights, biases):
            entries = [bias, *(Fraction(w.numerator, w.denominator * s) if w else w for w, s in zip(row, before))]
            cleared.append((lcm(*(x.denominator for x in entries)), entries))
        if layer == last:
            denominator = lcm(*(scale for scale, _ in cleared))
            cleared = [(denominator, entries) for _, entries in cleared]
        rows.append(tuple(tuple(x.numerator * (scale // x.denominator) for x in entries) for scale, entries in cleared))
        before = [scale for scale, _ in cleared]
        if layer < last:
            scales.append(tuple(before))
    return IntegralForm(tuple(rows), tuple(scales), denominator)
