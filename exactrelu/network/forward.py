"""Forward evaluation over Q: pre-activations, signs, the value at a point.

Everything here works from the parameter alone; witnesses are re-evaluated with these functions.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from exactrelu.arithmetic.rational import rational_vector
from exactrelu.errors import ShapeError

if TYPE_CHECKING:
    from exactrelu.network.network import Network


def preactivations(network: Network, point: Sequence[Any]) -> tuple[tuple[Fraction, ...], ...]:
    """Return z^(1)(x), ..., z^(L)(x), f(x).

    Args:
        point: exact rationals, shape (d,).
    Exactness: rational throughout.    Cost: O(N) rational operations.

    >>> from exactrelu.network.network import Network
    >>> preactivations(Network([[[1], [-1]], [[1, 1]]], [[0, 1], [0]]), [2])
    ((Fraction(2, 1), Fraction(-1, 1)), (Fraction(2, 1),))
    """
    activation = rational_vector(point)
    if len(activation) != network.architecture.inputs:
        raise ShapeError(f"point has {len(activation)} coordinates, the network {network.architecture.inputs} inputs")
    layers = []
    for rows, bias in zip(network.weights, network.biases):
        z = tuple(sum((w * a for w, a in zip(row, activation) if w and a), b) for row, b in zip(rows, bias))
        layers.append(z)
        activation = tuple(x if x > 0 else Fraction(0) for x in z)
    return tuple(layers)


def value(network: Network, point: Sequence[Any]) -> tuple[Fraction, ...]:
    """Return f(point), shape (n_{L+1},)."""
    return preactivations(network, point)[-1]


def sign_vector(network: Network, point: Sequence[Any]) -> tuple[int, ...]:
    """Return the signs (-1, 0, 1) of all hidden pre-activations, layer by layer, shape (H,)."""
    return tuple((z > 0) - (z < 0) for layer in preactivations(network, point)[:-1] for z in layer)
