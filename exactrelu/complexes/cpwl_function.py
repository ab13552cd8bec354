"""The function f: one affine map per full cell; the parameter is forgotten here.

Maps are integer matrices: D f = rows (constant, y_1, ..., y_r) in working coordinates, D > 0 the common denominator
of the integral form.  Inequality of two maps is certified by a residue, equality by residues modulo primes whose
product exceeds twice the largest possible entry (l1 bound: the product over the layers of the largest row norm).
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

import numpy as np

from exactrelu.arithmetic.residues import INNER, balanced, enough_primes, modular_product, primes, residues
from exactrelu.complexes.activity import ActivityTree
from exactrelu.network.integral_form import IntegralForm

Array = np.ndarray
_CHUNK = 8192


class CpwlFunction:
    """Affine maps of a network function on cells.

    Args:
        form: integral form of the network.
        first: first-layer rows (output rows, if there is no hidden layer) in working coordinates, shape (n_1, D).
        tree: activity of the cells.
        dimension: D.
    """

    def __init__(self, form: IntegralForm, first: Sequence[Sequence[int]], tree: ActivityTree, dimension: int, cells: int) -> None:
        self._form, self._first, self._tree, self.dimension, self.cells = form, first, tree, dimension, cells
        self.outputs = len(form.output)

    def residues(self, prime: int, cells: Array | None = None) -> Array:
        """Balanced residues of the maps of the cells, shape (cells, outputs, D)."""
        tree = self._tree if cells is None else self._tree.restricted(cells)
        z = residues(self._first, prime)[:, None, :]
        if not tree.masks:
            return np.repeat(z.transpose(1, 0, 2), self.cells if cells is None else len(cells), axis=0)
        layers = [residues(rows, prime) for rows in self._form.rows[1:]]
        for level, rows in enumerate(layers[:-1]):
            mask = tree.masks[level].T[:, :, None]
            a = np.where(mask, z[:, tree.parents[level], :], 0.0)
            z = modular_product(rows[:, 1:], a.reshape(a.shape[0], -1), prime).reshape(len(rows), -1, self.dimension)
            z[:, :, 0] = balanced(z[:, :, 0] + rows[:, :1], prime)
        rows = layers[-1]
        mask, parent = tree.masks[-1], tree.parents[-1]
        source = np.ascontiguousarray(z.transpose(1, 0, 2))
        out = np.empty((len(mask), self.outputs, self.dimension))
        for s in range(0, len(mask), _CHUNK):
            active = np.where(mask[s:s + _CHUNK, :, None], source[parent[s:s + _CHUNK]], 0.0)
            out[s:s + _CHUNK] = _stacked_product(rows[:, 1:], active, prime)
        out[:, :, 0] = balanced(out[:, :, 0] + rows[:, 0], prime)
        whole: Array = out[tree.leaf]
        return whole

    @cached_property
    def first_residues(self) -> Array:
        """Residues of all maps modulo the first prime."""
        return self.residues(primes(1)[0])

    @cached_property
    def entry_bits(self) -> int:
        """Bound of the bit length of a difference of two entries."""
        total = 1
        for level, rows in enumerate(self._form.rows):
            source = self._first if level == 0 else rows
            total *= max(1, max(sum(map(abs, row)) for row in source))
        return total.bit_length() + 1

    def equal_pairs(self, one: Array, two: Array) -> Array:
        """Whether the maps of cells one[i] and two[i] are equal: exact, shape (n,)."""
        r = self.first_residues
        same = np.empty(len(one), bool)
        for s in range(0, len(one), 65536):
            same[s:s + 65536] = (r[one[s:s + 65536]] == r[two[s:s + 65536]]).all(axis=(1, 2))
        self._confirm(one, two, same)
        return same

    def _confirm(self, one: Array, two: Array, same: Array) -> None:
        """Turn false coincidences of the first residue to False."""
        for prime in enough_primes(self.entry_bits)[1:]:
            at = np.flatnonzero(same)
            if not len(at):
                return
            involved, number = np.unique(np.concatenate([one[at], two[at]]), return_inverse=True)
            r = self.residues(prime, involved)
            a, b = number[:len(at)], number[len(at):]
            same[at] = (r[a] == r[b]).all(axis=(1, 2))

    @cached_property
    def map_classes(self) -> Array:
        """Number of the class of equal maps of every cell (exact), classes numbered by first cell."""
        r = self.first_residues.reshape(self.cells, -1)
        order = np.lexsort(r.T[::-1])
        ordered = r[order]
        same = (ordered[1:] == ordered[:-1]).all(axis=1)
        if same.any():
            one, two = order[:-1], order[1:]
            at = np.flatnonzero(same)
            exact = np.ones(len(at), bool)
            self._confirm(one[at], two[at], exact)
            if not exact.all():                      # equal first residues of different maps: sort by further residues
                return self._classes_by_all_residues()
        number = np.empty(self.cells, np.int64)
        number[order] = np.concatenate([[0], np.cumsum(~same)])
        return _by_first(number)

    def _classes_by_all_residues(self) -> Array:
        number = np.zeros(self.cells, np.int64)
        for prime in enough_primes(self.entry_bits):
            key = np.concatenate([number[:, None].astype(float), self.residues(prime).reshape(self.cells, -1)], axis=1)
            _, number = np.unique(key, axis=0, return_inverse=True)
            number = number.ravel()
        return _by_first(number)

    @cached_property
    def distinct_maps(self) -> int:
        """Number of different affine maps."""
        return int(self.map_classes.max()) + 1 if self.cells else 0


def _stacked_product(left: Array, stack: Array, prime: int) -> Array:
    inner = left.shape[1]
    if inner <= INNER:
        return balanced(np.matmul(left[None], stack), prime)
    total = np.zeros((len(stack), left.shape[0], stack.shape[2]))
    for s in range(0, inner, INNER):
        total += balanced(np.matmul(left[None, :, s:s + INNER], stack[:, s:s + INNER]), prime)
    return balanced(total, prime)


def _by_first(number: Array) -> Array:
    """Renumber classes in the order of their first member."""
    _, first, inverse = np.unique(number, return_index=True, return_inverse=True)
    rank = np.empty(len(first), np.int64)
    rank[np.argsort(first, kind="stable")] = np.arange(len(first))
    return rank[inverse.ravel()]
