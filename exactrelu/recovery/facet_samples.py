"""Finitely many exact points of the visible facets, on whose signs the searches decide.

Per facet: a point b of its relative interior, and for every generator g (vertex or direction) the point K g + b with K so
large that every given row that is not 0 at g has the same sign there as at g.  All lie in the relative interior, so f
breaks at each along the hyperplane of its facet and along no other; a row is weakly positive on the closed facet iff it
is so at these points.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from exactrelu.complexes.function_complex import FunctionComplex
from exactrelu.complexes.integer_arrays import primitive_rows

Array = np.ndarray
_BLOCK = 64
"""Rows treated at a time, for the memory."""


@dataclass(frozen=True, eq=False)
class FacetSamples:
    """Distinct points of facets, ordered by the number of the hyperplane.

    Attributes:
        points: homogeneous, shape (n, d + 1).
        facet: the visible facet of each.
        hyperplane: its hyperplane, increasing.
        central: whether it is the one point of its facet (else one near a generator).
    """

    points: Array
    facet: Array
    hyperplane: Array
    central: Array

    def __len__(self) -> int:
        return len(self.points)

    def chosen(self, keep: Array) -> FacetSamples:
        """Return some of the samples (a mask or increasing numbers)."""
        return FacetSamples(self.points[keep], self.facet[keep], self.hyperplane[keep], self.central[keep])


def first_occurrences(points: Array) -> Array:
    """Return the numbers of the first occurrences of rows, increasing.

    >>> first_occurrences(np.array([[1, 2], [0, 1], [1, 2]], dtype=object)).tolist()
    [0, 1]
    """
    found: dict[tuple[int, ...], int] = {}
    for k, point in enumerate(points.tolist()):
        found.setdefault(tuple(point), k)
    return np.array(list(found.values()), np.int64)


def facet_samples(function: FunctionComplex, facets: Sequence[int] | Array, rows: Array) -> FacetSamples:
    """Return the samples of some visible facets.

    Args:
        facets: numbers of visible facets.
        rows: the rows whose signs at the generators are kept; object array, shape (rows, d + 1).
    Exactness: integers.    Cost: O(generators x rows) products.

    >>> from exactrelu.complexes.canonical_complex import CanonicalComplex
    >>> from exactrelu.complexes.function_complex import function_complex
    >>> from exactrelu.network.network import Network
    >>> f = function_complex(CanonicalComplex.build(Network([[[1, 0], [0, 1]], [[1, 1]]], [[0, 0], [0]])))
    >>> facet_samples(f, [0], f.facet_rows).points.tolist()
    [[1, 0, 1], [1, 0, 3], [2, 0, 1]]
    """
    chosen = np.asarray(facets, np.int64)
    starts, numbers = function.facet_rays.starts, function.facet_rays.indices
    counts = (starts[1:] - starts[:-1])[chosen]
    before = np.cumsum(counts) - counts                                       # generators of the chosen facets before each
    owner = np.repeat(np.arange(len(chosen)), counts)
    ray = numbers[np.arange(len(owner)) + (starts[chosen] - before)[owner]]
    base = function.facet_points[chosen]
    multiples = _multiples(function.rays, base, rows, ray, owner)
    near = primitive_rows(multiples[:, None] * function.rays[ray] + base[owner])
    points = np.concatenate([base, near])
    facet = np.concatenate([chosen, chosen[owner]])
    central = np.arange(len(points)) < len(base)
    kept = first_occurrences(points)
    order = kept[np.argsort(function.hyperplane[facet[kept]], kind="stable")]
    return FacetSamples(points[order], facet[order], function.hyperplane[facet[order]], central[order])


def _multiples(rays: Array, base: Array, rows: Array, ray: Array, owner: Array) -> Array:
    """For every pair (g, b) = (rays[ray], base[owner]) the least K >= 1 with K |r g| > |r b| for all rows with r g != 0."""
    most = np.zeros(len(ray), dtype=object)
    for at in range(0, len(rows) if len(ray) else 0, _BLOCK):
        part = rows[at:at + _BLOCK]
        g, b = _sizes(rays, part)[ray], _sizes(base, part)[owner]
        most = np.maximum(most, np.where(g > 0, b // np.where(g > 0, g, 1), 0).max(axis=1))
    return most.astype(object) + 1


def _sizes(points: Array, rows: Array) -> Array:
    """Absolute values of rows at points, in machine words if these hold them: dividing Python integers is what costs time."""
    bound = int(np.abs(points).max()) * int(np.abs(rows).max()) * rows.shape[1] if points.size and rows.size else 0
    if bound < 1 << 62:
        points, rows = points.astype(np.int64), rows.astype(np.int64)
    found: Array = np.abs(np.dot(points, rows.T))
    return found
