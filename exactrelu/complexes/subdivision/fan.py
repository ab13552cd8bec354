"""The finished fan: face poset, signs, face labels and exact generators of the homogenized complex.

k-cones are the homogenizations of (k-1)-dimensional cells in working coordinates; cones with label 1 lie at infinity
(t = 0) and are recession cones, not cells.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import Any

import numpy as np

from exactrelu.arithmetic.rational import primitive_integer
from exactrelu.complexes.subdivision.sign_words import sign_matrix
from exactrelu.complexes.subdivision.start_fan import StartFan

Array = np.ndarray
INTERIOR, AT_INFINITY = 0, 1


class Fan:
    """Immutable result of a subdivision.

    Attributes:
        dimension: D; full cones are D-cones.
        neurons: number H of hidden neurons.
        counts: counts[k] is the number of k-cones.
        labels: face labels, `labels[k]` of the k-cones (0 interior, 1 at infinity, else a proper face of the domain).
        words: packed signs of the k-cones, shape (n_k, words).
        backend: name of the backend that decided the signs.
    """

    def __init__(self, start: StartFan, neurons: int, facets: list[tuple[Array, Array]], labels: list[Array],
                 ray_words: Array, coordinates: Callable[[], Array], one_ray: Callable[[int], list[int]], backend: str,
                 uncertain: int) -> None:
        self.start, self.neurons, self.dimension = start, neurons, start.dimension
        self._facets, self.labels = facets, labels
        self.counts = [len(label) for label in labels]
        self._ray_words, self._coordinates, self._one_ray = ray_words, coordinates, one_ray
        self.backend, self.uncertain = backend, uncertain

    def __getstate__(self) -> dict[str, Any]:
        """A pickled fan carries its coordinates instead of the way to compute them."""
        _ = self.coordinates
        return {**self.__dict__, "_coordinates": None, "_one_ray": None}

    def facets(self, k: int) -> tuple[Array, Array]:
        """Facets of the k-cones, k >= 2, as (row starts, indices): cone c has indices[starts[c]:starts[c+1]]."""
        return self._facets[k]

    @cached_property
    def words(self) -> list[Array]:
        """Packed signs, entry k for the k-cones (entry 0 is empty)."""
        out = [np.zeros((0, self._ray_words.shape[1]), np.uint64), self._ray_words]
        for k in range(2, self.dimension + 1):
            starts, index = self.facets(k)
            below, here = out[k - 1], np.empty((self.counts[k], self._ray_words.shape[1]), np.uint64)
            for w in range(here.shape[1]):
                column = np.ascontiguousarray(below[:, w])
                here[:, w] = column.take(index[0::2]) | column.take(index[1::2]) if k == 2 else \
                    np.bitwise_or.reduceat(column.take(index), starts[:-1])
            out.append(here)
        return out

    def signs(self, k: int) -> Array:
        """int8 matrix of the signs of the k-cones, shape (n_k, H)."""
        return sign_matrix(self.words[k], self.neurons)

    @cached_property
    def coordinates(self) -> Array:
        """Primitive integer generators (t, y) in working coordinates, object array, shape (n_1, D)."""
        return self._coordinates()

    def ray(self, number: int) -> tuple[int, ...]:
        """Primitive integer coordinates (t, y) of one generator, without computing the others."""
        if "coordinates" in self.__dict__:
            return tuple(int(x) for x in self.coordinates[number])
        return primitive_integer(self._one_ray(number))

    def generators(self, k: int, cone: int) -> Array:
        """Numbers of the rays of a k-cone, increasing."""
        below = np.array([cone])
        for level in range(k, 1, -1):
            starts, index = self.facets(level)
            below = np.unique(np.concatenate([index[starts[c]:starts[c + 1]] for c in below.tolist()]))
        return below

    @cached_property
    def _cofacets(self) -> dict[int, tuple[Array, Array]]:
        return {}

    def cofacets(self, k: int) -> tuple[Array, Array]:
        """Cones of dimension k+1 above the k-cones, as (row starts, indices)."""
        if k not in self._cofacets:
            starts, index = self.facets(k + 1)
            owner = np.repeat(np.arange(self.counts[k + 1]), np.diff(starts))
            order = np.argsort(index, kind="stable")
            begin = np.zeros(self.counts[k] + 1, np.int64)
            np.cumsum(np.bincount(index, minlength=self.counts[k]), out=begin[1:])
            self._cofacets[k] = begin, owner.take(order)
        return self._cofacets[k]
