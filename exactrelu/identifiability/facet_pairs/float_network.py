"""A floating-point picture of a network in the coordinates of a frame: proposes points, proves nothing.

It is the integral form with every hidden neuron divided by a power of two (a trivial symmetry), so that the
largest entry of every row is between 1/2 and 1; weights of any size then stay within the range of a float.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

import numpy as np
import numpy.typing as npt

from exactrelu.identifiability.facet_pairs.affine_frame import (
    AffineFrame,
    Floats,
    binary_exponent,
    fraction_float,
    shifted_float,
)
from exactrelu.network.integral_form import IntegralForm

Integers = npt.NDArray[np.int64]

CHUNK = 4096
"""Points evaluated at a time."""


@dataclass(frozen=True, eq=False)
class FloatNetwork:
    """Float weights of all layers.

    Attributes:
        frame: the coordinates of the input.
        weights: for each layer l = 1..L+1 the matrix, shape (n_l, n_{l-1}).
        biases: for each layer the bias, shape (n_l,).
        offsets: offsets[l-1] is the number of the first neuron of hidden layer l; the last entry is H.
    Each entry has relative error at most 2^-52 with respect to the exact network it stands for (see
    `float_network`), or absolute error 2^-1074 below the normal range.
    """

    frame: AffineFrame
    weights: tuple[Floats, ...]
    biases: tuple[Floats, ...]
    offsets: tuple[int, ...]

    @property
    def hidden_layers(self) -> int:
        """L."""
        return len(self.weights) - 1

    def preactivations(self, points: Floats) -> Floats:
        """Return the hidden pre-activations, shape (n, H), of points of shape (n, d)."""
        out = np.empty((len(points), self.offsets[-1]))
        for start in range(0, len(points), CHUNK):
            activation = points[start : start + CHUNK]
            for layer in range(self.hidden_layers):
                z = activation @ self.weights[layer].T + self.biases[layer]
                out[start : start + CHUNK, self.offsets[layer] : self.offsets[layer + 1]] = z
                activation = np.maximum(z, 0.0)
        return out

    def layer(self, points: Floats, layer: int) -> Floats:
        """Return z^(layer) for hidden layer `layer` (counted from 1), shape (n, n_layer)."""
        out = np.empty((len(points), len(self.biases[layer - 1])))
        for start in range(0, len(points), CHUNK):
            activation = points[start : start + CHUNK]
            for below in range(layer - 1):
                activation = np.maximum(activation @ self.weights[below].T + self.biases[below], 0.0)
            out[start : start + CHUNK] = activation @ self.weights[layer - 1].T + self.biases[layer - 1]
        return out

    def neuron(self, points: Floats, layer: int, indices: Integers) -> Floats:
        """Return for every point p the pre-activation of neuron indices[p] of one layer, shape (n,)."""
        return self.edge(points, layer, indices, None)[1]

    def edge(self, points: Floats, layer: int, indices: Integers, sources: Integers | None) -> tuple[Floats, Floats]:
        """Return for every point p the pre-activations of neurons sources[p] of layer - 1 and indices[p] of layer.

        In layer 1, or without sources, the first is 1.
        """
        source, target = np.ones(len(points)), np.empty(len(points))
        for start in range(0, len(points), CHUNK):
            part = slice(start, start + CHUNK)
            activation, rows = points[part], indices[part]
            for below in range(layer - 1):
                z = activation @ self.weights[below].T + self.biases[below]
                if below == layer - 2 and sources is not None:
                    source[part] = z[np.arange(len(z)), sources[part]]
                activation = np.maximum(z, 0.0)
            weights = self.weights[layer - 1][rows]
            target[part] = np.einsum("ij,ij->i", activation, weights) + self.biases[layer - 1][rows]
        return source, target


def _first_layer(form: IntegralForm, frame: AffineFrame) -> tuple[list[list[float]], list[float], list[int]]:
    weights, biases, exponents = [], [], []
    for row in form.rows[0]:
        constant, moved = frame.moved_row(row)
        exponent = max((binary_exponent(x) + 1 for x in (constant, *moved) if x), default=0)
        weights.append([fraction_float(x, -exponent) for x in moved])
        biases.append(fraction_float(constant, -exponent))
        exponents.append(exponent)
    return weights, biases, exponents


def float_network(form: IntegralForm, frame: AffineFrame) -> FloatNetwork:
    """Return the floats nearest to the integral form in frame coordinates, rows scaled by powers of two.

    The exact network it stands for has z^(l)_i = 2^{-e_{l,i}} times that of the integral form, for some integers e.
    """
    weights, biases, exponents = _first_layer(form, frame)
    all_weights, all_biases = [np.array(weights)], [np.array(biases)]
    for rows in form.rows[1:]:
        weights, biases, next_exponents = [], [], []
        for row in rows:
            sizes = [abs(w).bit_length() + e for w, e in zip(row[1:], exponents) if w]
            exponent = max(sizes + ([abs(row[0]).bit_length()] if row[0] else []), default=0)
            weights.append([shifted_float(w, e - exponent) for w, e in zip(row[1:], exponents)])
            biases.append(shifted_float(row[0], -exponent))
            next_exponents.append(exponent)
        all_weights.append(np.array(weights))
        all_biases.append(np.array(biases))
        exponents = next_exponents
    offsets = [0]
    for bias in all_biases[:-1]:
        offsets.append(offsets[-1] + len(bias))
    return FloatNetwork(frame, tuple(all_weights), tuple(all_biases), tuple(offsets))


def typical_exponent(form: IntegralForm, k: int) -> int:
    """Return e such that 2^e is a typical distance |bias / weight| of the first layer along coordinate k, 0 if none."""
    ratios = sorted(Fraction(abs(row[0]), abs(row[1 + k])) for row in form.rows[0] if row[0] and row[1 + k])
    return binary_exponent(ratios[len(ratios) // 2]) if ratios else 0
