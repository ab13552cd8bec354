"""Exact affine rows of neurons on cells, and exact generators as minors of their defining rows.

A row is named by (layer, neuron, pattern): the homogeneous form (constant, y_1, ..., y_r) of a hidden neuron when
exactly the neurons of the pattern are active in the layer before (and so on down).  Layers count from 0 here; layer -1
stands for the rows of the start fan.  The generator of a ray with independent defining rows h_1, ..., h_{D-1} is, up
to a positive factor and its orientation, the vector of their signed (D-1)-minors (generalized cross product).
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import numpy as np
from flint import fmpz_mat

from exactrelu.complexes.subdivision.start_fan import StartFan
from exactrelu.network.integral_form import IntegralForm

Array = np.ndarray


@lru_cache(maxsize=16)
def minor_tables(dim: int) -> tuple[list[tuple[Array, Array, Array]], Array, Array]:
    """Index tables of the Laplace expansion: M_k[S] = sum_a sign * row[I] * M_{k-1}[J], and the final order.

    Entry k = 2..D-1 of the list; then X_m = (-1)^m M_{D-1}[all columns but m].
    """
    nothing = np.zeros(0, np.int64)
    tables = [(nothing, nothing, nothing)] * 2
    number: dict[tuple[int, ...], int] = {(j,): j for j in range(dim)}
    for k in range(2, dim):
        subsets = list(itertools.combinations(range(dim), k))
        columns = np.array([list(s) for s in subsets])
        rest = np.array([[number[s[:a] + s[a + 1:]] for a in range(k)] for s in subsets])
        signs = np.array([[(-1) ** (k - 1 + a) for a in range(k)] for _ in subsets])
        tables.append((columns, rest, signs))
        number = {s: i for i, s in enumerate(subsets)}
    order = np.array([number[tuple(x for x in range(dim) if x != m)] for m in range(dim)] if dim > 1 else [0])
    return tables, order, np.array([(-1) ** m for m in range(dim)])


class ExactRows:
    """Rows by name, computed on demand and remembered.

    Args:
        first: integer rows of the first layer in working coordinates, shape (n_1, D).
        form: integral form of the network (later layers).
        start: the start fan (rows of layer -1 and start generators).
    """

    def __init__(self, first: Sequence[Sequence[int]], form: IntegralForm, start: StartFan) -> None:
        self.first, self.layers, self.start = [list(row) for row in first], form.hidden, start
        self.dim = start.dimension
        self.masks: list[Array] = [np.zeros(0, bool)]
        """For each layer l >= 1 the active neurons of layer l-1, shape (patterns, n_{l-1})."""
        self.before: list[Array] = [np.zeros(0, np.int64)]
        """For each layer l >= 1 and pattern the pattern of layer l-1."""
        self._rows: dict[tuple[int, int, int], list[int]] = {}
        self._activations: dict[tuple[int, int], list[list[int]]] = {}

    def activations(self, layer: int, pattern: int) -> list[list[int]]:
        """Rows of the activations that layer `layer` >= 1 sees under a pattern, shape (n_{layer-1}, D)."""
        key = layer, pattern
        if key not in self._activations:
            mask = self.masks[layer][pattern]
            previous = int(self.before[layer][pattern])
            self._activations[key] = [self.row(layer - 1, j, previous) if on else [0] * self.dim for j, on in enumerate(mask.tolist())]
        return self._activations[key]

    def row(self, layer: int, neuron: int, pattern: int) -> list[int]:
        """Return the row of a neuron under a pattern (of a start row for layer -1)."""
        key = layer, neuron, pattern
        found = self._rows.get(key)
        if found is None:
            if layer < 0:
                found = list(self.start.definition_rows[neuron])
            elif layer == 0:
                found = self.first[neuron]
            else:
                bias, *weights = self.layers[layer][neuron]
                found = [bias] + [0] * (self.dim - 1)
                for w, a in zip(weights, self.activations(layer, pattern)):
                    if w:
                        found = [x + w * y for x, y in zip(found, a)]
            self._rows[key] = found
        return found

    def minors(self, rows: Sequence[Sequence[int]]) -> list[int]:
        """Signed maximal minors of D-1 rows, by Laplace expansion."""
        tables, order, signs = minor_tables(self.dim)
        if self.dim == 1:
            return [1]
        m = list(rows[0])
        for k, row in enumerate(rows[1:], 2):
            columns, rest, sign = tables[k]
            m = [sum(s * row[i] * m[j] for s, i, j in zip(ss, ii, jj))
                 for ss, ii, jj in zip(sign.tolist(), columns.tolist(), rest.tolist())]
        return [s * m[o] for s, o in zip(signs.tolist(), order.tolist())]

    def batch(self, keys: Array) -> Array:
        """Return the rows with these names (layer, neuron, pattern), an object array, shape (n, D).

        One flint product for all rows of the second layer, one for each pattern deeper down.
        """
        out = np.zeros((len(keys), self.dim), dtype=object)
        for layer in np.unique(keys[:, 0]).tolist():
            at = np.flatnonzero(keys[:, 0] == layer)
            neurons, patterns = keys[at, 1], keys[at, 2]
            if layer < 1:
                source: Any = self.start.definition_rows if layer < 0 else self.first
                out[at] = np.array([list(row) for row in source], dtype=object)[neurons]
                continue
            weights = np.array([list(row) for row in self.layers[layer]], dtype=object)
            if layer == 1:
                masked = np.where(self.masks[1][patterns], weights[neurons, 1:], 0)
                found = _flint_product(masked, np.array(self.first, dtype=object))
                found[:, 0] += weights[neurons, 0]
                out[at] = found
                continue
            for pattern in np.unique(patterns).tolist():
                where = patterns == pattern
                found = _flint_product(weights[neurons[where], 1:], np.array(self.activations(layer, pattern), dtype=object))
                found[:, 0] += weights[neurons[where], 0]
                out[at[where]] = found
        return out


def _flint_product(left: Array, right: Array) -> Array:
    m, n, k = left.shape[0], left.shape[1], right.shape[1]
    entries = (fmpz_mat(m, n, left.ravel().tolist()) * fmpz_mat(n, k, right.ravel().tolist())).entries()
    out = np.empty(m * k, dtype=object)
    out[:] = [int(x) for x in entries]
    return out.reshape(m, k)


def primitive_minors(rows: Array, definitions: Array, orientation: Array) -> Array:
    """Return the primitive integer generators with these defining rows, shape (n, D), oriented.

    Args:
        rows: object array of all defining rows, shape (m, D).
        definitions: row numbers, shape (n, D-1).
        orientation: +1 or -1 for each ray, relative to the signed minors.
    Minors shared by all rays on a line are computed once.
    """
    dim = rows.shape[1]
    tables, order, signs = minor_tables(dim)
    if dim == 1:
        return np.array([[int(o)] for o in orientation], dtype=object).reshape(-1, 1)
    if dim == 2:
        m = rows[definitions[:, 0]]
    else:
        lines, line = np.unique(definitions[:, :-1], axis=0, return_inverse=True)
        shared = rows[lines[:, 0]]
        for k in range(2, dim - 1):
            shared = _expand(rows[lines[:, k - 1]], shared, tables[k])
        m = _expand(rows[definitions[:, -1]], shared[line.ravel()], tables[dim - 1])
    found = m[:, order]
    content = np.gcd.reduce(found, axis=1)
    oriented: Array = found // (content[:, None] * (orientation.astype(int)[:, None] * signs[None, :]).astype(object))
    return oriented


def _expand(row: Array, minors: Array, table: tuple[Array, Array, Array]) -> Array:
    columns, rest, signs = table
    out = []
    for ii, jj, ss in zip(columns.tolist(), rest.tolist(), signs.tolist()):
        total = np.zeros(len(row), dtype=object)
        for i, j, s in zip(ii, jj, ss):
            term = row[:, i] * minors[:, j]
            total = total + term if s > 0 else total - term
        out.append(total)
    return np.stack(out, axis=1)
