"""Exact affine rows and path weights of neurons on many full cells at once.

Rows are those of the integral form in the coordinates of R^d, homogeneous (constant, x_1, ..., x_d); entries are
Python integers in object arrays, so nothing can overflow.
"""

from __future__ import annotations

import numpy as np

from exactrelu.complexes.activity import ActivityTree, suffix_level
from exactrelu.network.integral_form import IntegralForm

Array = np.ndarray


def _objects(rows: object) -> Array:
    return np.array([list(row) for row in rows], dtype=object)  # type: ignore[attr-defined]  # an iterable of rows


class ExactForms:
    """Rows under activity prefixes (forward) and path weights under activity suffixes (backward)."""

    def __init__(self, form: IntegralForm, tree: ActivityTree) -> None:
        self._form, self._tree = form, tree
        self._layers = [_objects(rows) for rows in form.rows]
        self._activations: dict[int, tuple[Array, Array]] = {}

    def rows(self, level: int, neuron: Array, cell: Array) -> Array:
        """Rows of neurons of hidden layer `level` (from 0) on full cells, shape (n, d+1)."""
        if level == 0:
            first: Array = self._layers[0][neuron]
            return first
        prefix = self._tree.prefix[level - 1][cell]
        pairs, back = np.unique(np.stack([neuron, prefix], axis=1), axis=0, return_inverse=True)
        used, number = np.unique(pairs[:, 1], return_inverse=True)
        found = self._combine(level, pairs[:, 0], self._active(level, used)[:, number.ravel()])
        return found[back.ravel()]

    def _active(self, level: int, prefixes: Array) -> Array:
        """Activation rows that layer `level` >= 1 sees under some prefixes, shape (n_{level-1}, prefixes, d+1)."""
        mask = self._tree.masks[level - 1][prefixes].T[:, :, None]
        if level == 1:
            return np.where(mask, self._layers[0][:, None, :], 0)
        parents = self._tree.parents[level - 1][prefixes]
        used, number = np.unique(parents, return_inverse=True)
        below = self._active(level - 1, used)
        width = len(self._layers[level - 1])
        repeated = np.repeat(np.arange(width), len(used))
        tiled = np.tile(np.arange(len(used)), width)
        rows = self._combine(level - 1, repeated, below[:, tiled]).reshape(width, len(used), -1)
        return np.where(mask, rows[:, number.ravel()], 0)

    def _combine(self, level: int, neuron: Array, active: Array) -> Array:
        """sum_k W[neuron, k] active[k] + bias, shape (n, d+1)."""
        weights = self._layers[level][neuron]
        total = np.zeros(active.shape[1:], dtype=object)
        total[:, 0] = weights[:, 0]
        for k in range(active.shape[0]):
            total = total + weights[:, k + 1, None] * active[k]
        return total

    def paths(self, level: int, neuron: Array, cell: Array) -> Array:
        """Weights of all active paths from neurons of hidden layer `level` to the outputs, shape (n, outputs)."""
        last = len(self._form.hidden) - 1
        if level == last:
            return self._layers[-1][:, neuron + 1].T
        table, suffix = self._backward(level + 1)
        pairs, back = np.unique(np.stack([neuron, suffix[cell]], axis=1), axis=0, return_inverse=True)
        column = self._layers[level + 1][:, pairs[:, 0] + 1].T
        masked = table[pairs[:, 1]]
        total = np.zeros((len(pairs), masked.shape[1]), dtype=object)
        for k in range(masked.shape[2]):
            total = total + masked[:, :, k] * column[:, k, None]
        return total[back.ravel()]

    def _backward(self, level: int) -> tuple[Array, Array]:
        """Path weights from the active neurons of a hidden layer, by activity of it and above; and that number per cell."""
        if level not in self._activations:
            last = len(self._form.hidden) - 1
            if level == last:
                above = np.zeros(len(self._tree.leaf), np.int64)
                table = self._layers[-1][None, :, 1:]
            else:
                lower, above = self._backward(level + 1)
                table = np.zeros((len(lower), lower.shape[1], len(self._layers[level])), dtype=object)
                for k in range(lower.shape[2]):
                    table = table + lower[:, :, k, None] * self._layers[level + 1][k, 1:][None, None, :]
            number, mask, parent = suffix_level(self._tree.masks[level][self._tree.prefix[level]], above)
            self._activations[level] = np.where(mask[:, None, :], table[parent], 0), number
        return self._activations[level]
