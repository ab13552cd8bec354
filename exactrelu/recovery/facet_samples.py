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
from exactrelu.complexes.integer_arrays import exact_product, primitive_rows

Array = np.ndarray


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


def facet_samples(function: FunctionComplex, facets: Sequence[int] | Array, rows: Array) -> FacetSamples:
    """Return the samples of some visible facets.

    Args:
        rows: the rows whose signs at the generators are kept; object array, shape (rows, d + 1).
    Cost: O(generators x rows) products.

    >>> from exactrelu.complexes.canonical_complex import CanonicalComplex
    >>> from exactrelu.complexes.function_complex import function_complex
    >>> from exactrelu.network.network import Network
    >>> f = function_complex(CanonicalComplex.build(Network([[[1, 0], [0, 1]], [[1, 1]]], [[0, 0], [0]])))
    >>> facet_samples(f, [0], f.facet_rows).points.tolist()
    [[1, 0, 1], [1, 0, 3], [2, 0, 1]]
    """
    chosen = np.asarray(facets, np.int64)
    starts = function.facet_rays.starts
    counts = (starts[1:] - starts[:-1])[chosen]
    owner = np.repeat(np.arange(len(chosen)), counts)
    ray = np.concatenate([function.facet_rays[int(f)] for f in chosen]) if len(chosen) else np.zeros(0, np.int64)
    generators, base = function.rays[ray], function.facet_points[chosen]
    near = primitive_rows(_multiples(generators, base[owner], rows)[:, None] * generators + base[owner])
    points = np.concatenate([base, near])
    facet = np.concatenate([chosen, chosen[owner]])
    central = np.arange(len(points)) < len(base)
    first: dict[tuple[int, ...], int] = {}
    for k, point in enumerate(points.tolist()):
        first.setdefault(tuple(point), k)
    kept = np.array(list(first.values()), np.int64)
    order = kept[np.argsort(function.hyperplane[facet[kept]], kind="stable")] if len(kept) else kept
    return FacetSamples(points[order], facet[order], function.hyperplane[facet[order]], central[order])


def _multiples(generators: Array, base: Array, rows: Array) -> Array:
    """For every generator the least K >= 1 with K |r g| > |r b| for all rows with r g != 0, as far as that is asked for."""
    out = np.ones(len(generators), dtype=object)
    if not len(rows) or not len(generators):
        return out
    at, other = np.abs(exact_product(generators, rows.T)), np.abs(exact_product(base, rows.T))
    ratio = np.where(at > 0, other // np.where(at > 0, at, 1), 0)
    most: Array = ratio.max(axis=1) + out
    return most
