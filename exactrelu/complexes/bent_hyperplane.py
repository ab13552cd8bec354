"""Bent hyperplanes: where a neuron switches between active and inactive.

The bent hyperplane H_j is the union of the interior facets whose two full cells have different activity of neuron j
(active means positive).  A cell lies in H_j iff it is a face of such a facet.  H_j is contained in the zero set
{z_j = 0}; they differ where z_j vanishes on a full cell or touches 0 without changing activity.  Source: paper A.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from exactrelu.complexes.canonical_complex import CanonicalComplex
from exactrelu.complexes.components import component_labels
from exactrelu.complexes.subdivision.fan import INTERIOR
from exactrelu.complexes.subdivision.sign_words import LOW, positive_matrix

Array = np.ndarray


@dataclass(frozen=True, eq=False)
class BentHyperplanes:
    """Membership of the cells of a complex in the bent hyperplanes of all neurons, as packed words."""

    complex: CanonicalComplex

    @cached_property
    def zero_words(self) -> list[Array]:
        """For every level the packed set of neurons that vanish on each cone."""
        fan = self.complex.fan
        everything = np.array([sum(1 << j for j in range(min(32, fan.neurons - 32 * w))) for w in range(fan.words[1].shape[1])], np.uint64)
        return [everything & ~((words | (words >> np.uint64(32))) & LOW) for words in fan.words]

    @cached_property
    def zero_counts(self) -> list[Array]:
        """For every level the number of neurons that vanish on each cone."""
        return [np.bitwise_count(words).sum(axis=1, dtype=np.int64) for words in self.zero_words]

    @cached_property
    def zero_count_generic(self) -> bool:
        """Whether every interior cell of codimension k has exactly k vanishing neurons."""
        top = self.complex.fan.dimension
        return all(bool((self.zero_counts[k][self.complex.interior(k)] == top - k).all()) for k in range(1, top + 1))

    @cached_property
    def simple_with_walls(self) -> bool:
        """Whether every cell of codimension k, on the boundary too, has exactly k vanishing neurons and written inequalities."""
        fan = self.complex.fan
        if fan.start.domain_equations or not self.zero_count_generic:
            return False
        for ray in np.flatnonzero(fan.labels[1] > 1).tolist():
            point = self.complex.ambient(fan.ray(ray))
            walls = sum(1 for wall in self.complex.domain.integer_rows if sum(a * x for a, x in zip(wall, point)) == 0)
            if walls + int(self.zero_counts[1][ray]) != fan.dimension - 1:
                return False
        return True

    @cached_property
    def words(self) -> list[Array]:
        """For every level the packed set of neurons in whose bent hyperplane each interior cone lies (0 elsewhere).

        If every interior cell of codimension k has exactly k vanishing neurons, the star of a cell is the full cube of
        signs of these neurons, so each of them switches there and the sets are those of the vanishing neurons.
        """
        fan, top = self.complex.fan, self.complex.fan.dimension
        out = [np.zeros_like(words) for words in fan.words]
        if self.zero_count_generic:
            for k in range(1, top):
                inside = self.complex.interior(k)
                out[k][inside] = self.zero_words[k][inside]
            return out
        out = [words.copy() for words in self.words_with_boundary]
        for k in range(1, top):
            out[k][fan.labels[k] != INTERIOR] = 0
        return out

    @cached_property
    def words_with_boundary(self) -> list[Array]:
        """For every level the packed set of neurons in whose bent hyperplane each cone lies, boundary cells included."""
        fan, top = self.complex.fan, self.complex.fan.dimension
        out = [np.zeros_like(words) for words in fan.words]
        if top >= 2:
            one, two = self.complex.sides
            active = self.complex.activity_words
            out[top - 1][self.complex.facets] = active[one] ^ active[two]
        for k in range(top - 1, 1, -1):
            starts, owner = fan.cofacets(k - 1)
            filled = np.flatnonzero(np.diff(starts))
            for w in range(out[k].shape[1]):
                column = np.ascontiguousarray(out[k][:, w]).take(owner)
                if len(filled):
                    out[k - 1][filled, w] = np.bitwise_or.reduceat(column, starts[filled])
        return out

    @cached_property
    def counts(self) -> list[Array]:
        """For every level the number of bent hyperplanes through each interior cone."""
        return [np.bitwise_count(words).sum(axis=1, dtype=np.int64) for words in self.words]

    def contains(self, level: int) -> Array:
        """Boolean matrix, shape (cones of the level, H)."""
        return positive_matrix(self.words[level], 0, self.complex.fan.neurons) if self.complex.fan.neurons else \
            np.zeros((self.complex.fan.counts[level], 0), bool)

    def facets(self, neuron: int) -> Array:
        """Interior facets of one bent hyperplane."""
        top = self.complex.fan.dimension
        if top < 2:
            return np.zeros(0, np.int64)
        return np.flatnonzero(self.words[top - 1][:, neuron >> 5] >> np.uint64(neuron & 31) & np.uint64(1))


    @cached_property
    def strong_components(self) -> tuple[int, ...]:
        """Number of components of each bent hyperplane, facets joined through common interior ridges."""
        return self._components(through_lower=False)

    @cached_property
    def topological_components(self) -> tuple[int, ...]:
        """Number of connected components of each bent hyperplane (joined through any common interior face)."""
        return self._components(through_lower=True)

    def _components(self, through_lower: bool) -> tuple[int, ...]:
        """Count components of the graph whose vertices are (cell, neuron), joined along the face relation."""
        fan, top, n = self.complex.fan, self.complex.fan.dimension, self.complex.fan.neurons
        if top < 2 or not n:
            return (0,) * n
        lowest = 1 if through_lower else max(top - 2, 1)
        base, total = {}, 0
        for k in range(top - 1, lowest - 1, -1):
            base[k] = total
            total += fan.counts[k] * n
        ones, twos = [], []
        for k in range(top - 1, lowest, -1):
            starts, index = fan.facets(k)
            owner = np.repeat(np.arange(fan.counts[k]), np.diff(starts))
            both = self.words[k][owner] & self.words[k - 1][index]
            at, neuron = np.nonzero(positive_matrix(both, 0, n))
            ones.append(base[k] + owner[at] * n + neuron)
            twos.append(base[k - 1] + index[at] * n + neuron)
        facet, neuron = np.nonzero(self.contains(top - 1))
        vertices = base[top - 1] + facet * n + neuron
        one, two = (np.concatenate(x) if x else np.zeros(0, np.int64) for x in (ones, twos))
        names, number = np.unique(np.concatenate([vertices, one, two]), return_inverse=True)
        number = number.ravel()
        v, e = len(vertices), len(one)
        labels = component_labels(len(names), number[v:v + e], number[v + e:])
        roots = np.unique(np.stack([neuron, labels[number[:v]]], axis=1), axis=0)[:, 0] if v else np.zeros(0, np.int64)
        return tuple(np.bincount(roots, minlength=n).tolist())
