"""The Jacobian of theta -> (affine maps of f_theta on strict full cells), cell by cell.

On a strict cell (no vanishing pre-activation) f is polynomial in theta near theta.  Rows: output k, coefficient c of
(1, x_1, ..., x_d); columns: layer by layer, neuron by neuron, its weights and then its bias:

    d f_{k,c} / d W^(l)_{ij} = Back^(l)_{ki} coef_c(a^(l-1)_j),    d f_{k,c} / d b^(l)_i = Back^(l)_{ki} [c = 1],

Back^(L+1) = 1, Back^(l) = Back^(l+1) W^(l+1) D_l.  All for the integral form, which is a positive scaling of theta and
of f and has the same rank.  Source: paper A, realization Jacobian.
"""

from __future__ import annotations

import numpy as np

from exactrelu.arithmetic.matrix import product
from exactrelu.arithmetic.residues import balanced, modular_product, residues
from exactrelu.complexes.activity import suffix_level
from exactrelu.complexes.canonical_complex import CanonicalComplex

Array = np.ndarray


def strict_cells(complex_: CanonicalComplex) -> Array:
    """Numbers of the full cells on which no neuron vanishes."""
    fan = complex_.fan
    words = fan.words[fan.dimension]
    low = np.uint64(0xFFFFFFFF)
    signed = np.bitwise_count((words | (words >> np.uint64(32))) & low).sum(axis=1)
    return np.flatnonzero(signed == fan.neurons)


class JacobianResidues:
    """Jacobian rows of many cells modulo a 24-bit prime."""

    def __init__(self, complex_: CanonicalComplex, prime: int) -> None:
        self.complex, self.prime = complex_, prime
        form, tree = complex_.form, complex_.activity
        self._rows = [residues(layer, prime) for layer in form.rows]
        width = complex_.network.architecture.inputs + 1
        z = residues(form.rows[0], prime)[:, None, :]
        self._active: list[Array] = []
        for level, layer in enumerate(self._rows[1:]):
            a = np.where(tree.masks[level].T[:, :, None], z[:, tree.parents[level], :], 0.0)
            self._active.append(np.ascontiguousarray(a.transpose(1, 0, 2)))
            if level + 1 < len(form.hidden):
                z = modular_product(layer[:, 1:], a.reshape(a.shape[0], -1), prime).reshape(len(layer), -1, width)
                z[:, :, 0] = balanced(z[:, :, 0] + layer[:, :1], prime)
        self._paths = self._path_tables()

    def _path_tables(self) -> list[tuple[Array, Array]]:
        """For every hidden layer: number of a table per cell, and tables Back^(l), shape (m, outputs, n_l)."""
        tree = self.complex.activity
        table, suffix = self._rows[-1][None, :, 1:], np.zeros(self.complex.full_cells, np.int64)
        out = []
        for level in range(len(self._rows) - 2, -1, -1):
            suffix, mask, parent = suffix_level(tree.masks[level][tree.prefix[level]], suffix)
            table = np.where(mask[:, None, :], table[parent], 0.0)
            out.append((suffix, table))
            if level:
                table = modular_product(table, self._rows[level][:, 1:], self.prime)
        return out[::-1]

    def rows(self, cells: Array) -> Array:
        """Balanced residues of all rows of the cells, shape (cells * outputs * (d+1), parameters)."""
        network = self.complex.network.architecture
        tree, width = self.complex.activity, network.inputs + 1
        identity = np.repeat(np.eye(width)[None, 1:], len(cells), axis=0)
        constant = np.zeros((len(cells), 1, width))
        constant[:, 0, 0] = 1
        blocks = []
        for level in range(len(self._rows)):
            a = identity if level == 0 else self._active[level - 1][tree.prefix[level - 1][cells]]
            if level == len(self._rows) - 1:
                back = np.repeat(np.eye(network.outputs)[None], len(cells), axis=0)
            else:
                suffix, table = self._paths[level]
                back = table[suffix[cells]]
            extended = np.concatenate([a, constant], axis=1)                      # cells, n_{l-1} + 1, d + 1
            block = back[:, :, None, :, None] * extended.transpose(0, 2, 1)[:, None, :, None, :]
            blocks.append(balanced(block, self.prime).reshape(len(cells), network.outputs, width, -1))
        return np.concatenate(blocks, axis=3).reshape(len(cells) * network.outputs * width, -1)


def exact_jacobian(complex_: CanonicalComplex, cell: int) -> list[list[int]]:
    """All Jacobian rows of the integral form on one cell, exact integers, shape (outputs * (d+1), parameters)."""
    form, tree = complex_.form, complex_.activity
    inputs = complex_.network.architecture.inputs
    masks = [m[p[cell]].tolist() for m, p in zip(tree.masks, tree.prefix)]
    active = [[[int(c == k + 1) for c in range(inputs + 1)] for k in range(inputs)]]
    for level, mask in enumerate(masks):
        layer = form.rows[level]
        z = product([row[1:] for row in layer], active[-1], len(active[-1]), inputs + 1)
        for row, new in zip(layer, z):
            new[0] += row[0]
        active.append([row if on else [0] * (inputs + 1) for row, on in zip(z, mask)])
    outputs = len(form.output)
    back = [[[int(i == k) for i in range(outputs)] for k in range(outputs)]]
    for level in range(len(masks), 0, -1):
        rows = product(back[0], [row[1:] for row in form.rows[level]], len(form.rows[level]), len(masks[level - 1]))
        back.insert(0, [[x if on else 0 for x, on in zip(row, masks[level - 1])] for row in rows])
    return [[u * x for level in range(len(form.rows)) for u in back[level][k]
             for x in [row[c] for row in active[level]] + [int(c == 0)]]
            for k in range(outputs) for c in range(inputs + 1)]
