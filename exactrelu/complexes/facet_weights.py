"""Weights and normals of many facets at once, exactly, by the path formula.

If exactly one neuron j = (l, i) switches across a facet, with the row h of z_j on the side where it is not zero and
content g of its linear part, then n = h/g and

    c = g W^(L+1) D_L W^(L) ... D_{l+1} W^(l+1) e_i / D,      D_k = activity of layer k beside the facet

(layers below l have equal activity on both sides, so only row i of layer l jumps; layers above have equal activity).
The activity is that of the full cells, never the sign on the facet: a neuron may vanish there and be active on both
sides.  Where several neurons switch, the weight is read off the two affine maps.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np

from exactrelu.arithmetic.residues import balanced, modular_product, primes, residues
from exactrelu.complexes.activity import suffix_level
from exactrelu.complexes.exact_forms import ExactForms
from exactrelu.complexes.subdivision.sign_words import LOW
from exactrelu.complexes.tropical_weight import TropicalWeight, tropical_weight

if TYPE_CHECKING:
    from exactrelu.complexes.canonical_complex import CanonicalComplex

Array = np.ndarray


@dataclass(frozen=True, eq=False)
class FacetWeights:
    """Weights of a list of facets: c = numerators / denominator along the primitive normals.

    Attributes:
        facets: numbers of the facet cones, shape (n,).
        numerators: Python integers, shape (n, outputs).
        denominator: one positive integer.
        normals: primitive integer normals in R^d, Python integers, shape (n, d).
    """

    facets: Array
    numerators: Array
    denominator: int
    normals: Array

    def __len__(self) -> int:
        return len(self.facets)

    def __getitem__(self, at: int) -> TropicalWeight:
        return TropicalWeight(tuple(Fraction(int(x), self.denominator) for x in self.numerators[at]),
                              tuple(int(x) for x in self.normals[at]))


def switching(complex_: CanonicalComplex, at: Array) -> tuple[Array, Array]:
    """For some interior facets: number of switching neurons, and the smallest of them (or -1)."""
    one, two = complex_.sides
    active = complex_.activity_words
    jump = active[one[at]] ^ active[two[at]]
    return np.bitwise_count(jump).sum(axis=1, dtype=np.int64), _lowest(jump)


def _lowest(words: Array) -> Array:
    """Smallest member of each packed set, -1 for the empty set."""
    out = np.full(len(words), -1, np.int64)
    for w in range(words.shape[1] - 1, -1, -1):
        column = words[:, w]
        low = column & (~column + np.uint64(1))
        position = np.bitwise_count(low - np.uint64(1)).astype(np.int64) + 32 * w
        out = np.where(column != 0, position, out)
    return out


def vanishing_neuron(complex_: CanonicalComplex, at: Array) -> tuple[Array, Array]:
    """For some interior facets: a neuron that vanishes on the facet but not on the first side, and its sign there."""
    fan, top = complex_.fan, complex_.fan.dimension
    one, _ = complex_.sides
    on_facet = fan.words[top - 1][complex_.facets[at]]
    on_cell = fan.words[top][one[at]]
    zero = ~(on_facet | (on_facet >> np.uint64(32))) & LOW
    neuron = _lowest((on_cell | (on_cell >> np.uint64(32))) & LOW & zero)
    word = on_cell[np.arange(len(at)), neuron >> 5]
    positive = (word >> (neuron & 31).astype(np.uint64)) & np.uint64(1)
    return neuron, np.where(positive == 1, 1, -1)


def facet_weights(complex_: CanonicalComplex, at: Array) -> FacetWeights:
    """Return the weights of some interior facets, given by their positions in `complex.facets`."""
    network = complex_.network.architecture
    facets = complex_.facets[at]
    count, switch = switching(complex_, at)
    numerators = np.zeros((len(at), network.outputs), dtype=object)
    normals = np.zeros((len(at), network.inputs), dtype=object)
    forms = ExactForms(complex_.form, complex_.activity)
    simple = np.flatnonzero(count == 1)
    if len(simple):
        _one, _two = complex_.sides
        layer = np.searchsorted(np.array(network.offsets), switch[simple], side="right") - 1
        cell = _side_where_nonzero(complex_, at[simple], switch[simple])
        for level in np.unique(layer).tolist():
            here = np.flatnonzero(layer == level)
            index = switch[simple[here]] - network.offsets[level]
            rows = forms.rows(level, index, cell[here])[:, 1:]
            content = np.abs(np.gcd.reduce(rows, axis=1))     # the gcd of one number keeps its sign
            normals[simple[here]] = rows // content[:, None]
            numerators[simple[here]] = forms.paths(level, index, cell[here]) * content[:, None]
    for i in np.flatnonzero(count != 1).tolist():
        weight = _direct(complex_, int(at[i]))
        normals[i] = list(weight.normal)
        numerators[i] = [int(c * complex_.form.denominator) for c in weight.weight]
    return FacetWeights(facets, numerators, complex_.form.denominator, normals)


def _side_where_nonzero(complex_: CanonicalComplex, at: Array, neuron: Array) -> Array:
    """The full cell beside each facet on which the (switching) neuron is active."""
    one, two = complex_.sides
    word = complex_.activity_words[one[at], neuron >> 5]
    active = (word >> (neuron & 31).astype(np.uint64)) & np.uint64(1)
    return np.asarray(np.where(active == 1, one[at], two[at]))


def _direct(complex_: CanonicalComplex, at: int) -> TropicalWeight:
    one, two = (int(side[at]) for side in complex_.sides)
    row = complex_.facet_row(int(complex_.facets[at]), one)
    return tropical_weight(complex_.exact_map(one)[0], complex_.exact_map(two)[0], row[1:])


def formula_agrees(complex_: CanonicalComplex) -> bool:
    """Whether path weight times row is the direct jump of f, modulo a prime, at every facet with one switching neuron."""
    prime = primes(1)[0]
    at = np.arange(len(complex_.facets))
    count, switch = switching(complex_, at)
    simple = np.flatnonzero(count == 1)
    if not len(simple):
        return True
    network = complex_.network.architecture
    one, two = (side[simple] for side in complex_.sides)
    cell = _side_where_nonzero(complex_, simple, switch[simple])
    other = np.where(cell == one, two, one)
    jump = complex_.function.first_residues[cell] - complex_.function.first_residues[other]
    layer = np.searchsorted(np.array(network.offsets), switch[simple], side="right") - 1
    rows, paths = np.empty((len(simple), complex_.fan.dimension)), np.empty((len(simple), network.outputs))
    forward = _row_residues(complex_, prime)
    backward = _path_residues(complex_, prime)
    for level in np.unique(layer).tolist():
        here = np.flatnonzero(layer == level)
        index = switch[simple[here]] - network.offsets[level]
        prefix = complex_.activity.prefix[level - 1][cell[here]] if level else np.zeros(len(here), np.int64)
        rows[here] = forward[level][index, prefix]
        suffix_of, table = backward[level]
        paths[here] = table[suffix_of[cell[here]], :, index]
    return bool((balanced(jump - balanced(paths[:, :, None] * rows[:, None, :], prime), prime) == 0).all())


def _row_residues(complex_: CanonicalComplex, prime: int) -> list[Array]:
    """Residues of the rows of every hidden layer under every prefix, shape (n_l, prefixes, D)."""
    tree, form = complex_.activity, complex_.form
    z = residues(complex_.first_rows, prime)[:, None, :]
    out = [z]
    for level, layer in enumerate(form.hidden[1:]):
        rows = residues(layer, prime)
        a = np.where(tree.masks[level].T[:, :, None], z[:, tree.parents[level], :], 0.0)
        z = modular_product(rows[:, 1:], a.reshape(a.shape[0], -1), prime).reshape(len(rows), -1, complex_.fan.dimension)
        z[:, :, 0] = balanced(z[:, :, 0] + rows[:, :1], prime)
        out.append(z)
    return out


def _path_residues(complex_: CanonicalComplex, prime: int) -> list[tuple[Array, Array]]:
    """For every hidden layer: the activity above of every full cell, and path weights for each, shape (m, outputs, n_l)."""
    form, tree = complex_.form, complex_.activity
    layers = len(form.hidden)
    table = residues(form.output, prime)[None, :, 1:]
    suffix = np.zeros(complex_.full_cells, np.int64)
    out: list[tuple[Array, Array]] = []
    for level in range(layers - 1, -1, -1):
        out.append((suffix, table))
        if level == 0:
            break
        number, mask_of, parent = suffix_level(tree.masks[level][tree.prefix[level]], suffix)
        masked = np.where(mask_of[:, None, :], table[parent], 0.0)
        table = modular_product(masked, residues(form.rows[level], prime)[:, 1:], prime)
        suffix = number
    return out[::-1]
