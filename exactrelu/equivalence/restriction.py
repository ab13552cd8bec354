"""Networks in other input coordinates: x = (e_0 + E y) / c, as the affine hull of a domain or a line gives them.

Composing the first layer with an affine map changes nothing behind it: f(x(y)) is again a network, with weights
W E / c and biases b + W e_0 / c in layer 1.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from exactrelu.network.network import Network

Embedding = Sequence[Sequence[int]]
"""Integer matrix (d+1) x (k+1): (t, x) = embedding (t', y), first row (c, 0, ..., 0), c > 0."""


def image(embedding: Embedding, point: Sequence[Fraction]) -> tuple[Fraction, ...]:
    """Return the point x of R^d with coordinates y.

    >>> image(((2, 0), (1, 4), (0, 6)), [Fraction(1)])
    (Fraction(5, 2), Fraction(3, 1))
    """
    scale = embedding[0][0]
    return tuple((row[0] + sum((e * y for e, y in zip(row[1:], point)), Fraction(0))) / scale for row in embedding[1:])


def restricted(network: Network, embedding: Embedding) -> Network:
    """Return y -> f(x(y)), k >= 1.

    >>> restricted(Network([[[1, 1]], [[1]]], [[0], [0]]), ((1, 0), (0, 1), (3, -1))).biases[0]
    (Fraction(3, 1),)
    >>> restricted(Network([[[1, 5]], [[1]]], [[0], [0]]), ((1, 0), (0, 1), (0, 0))).weights[0]
    ((Fraction(1, 1),),)
    """
    scale, rows = embedding[0][0], embedding[1:]
    square = len(embedding) == len(embedding[0])
    if square and scale == 1 and all(x == int(j == i + 1) for i, row in enumerate(rows) for j, x in enumerate(row)):
        return network
    weights, biases = [], []
    for row, bias in zip(network.weights[0], network.biases[0]):
        used = [(w, r) for w, r in zip(row, rows) if w]
        column = [sum((w * r[k] for w, r in used if r[k]), Fraction(0)) / scale for k in range(len(embedding[0]))]
        weights.append(column[1:])
        biases.append(bias + column[0])
    return network.replaced(1, weights, biases)
