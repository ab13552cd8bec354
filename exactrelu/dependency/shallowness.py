"""Ridges at which f is not a sum of kinks along full hyperplanes.

Near a point a network with one hidden layer is affine plus a sum of c_i |h_i| with affine h_i, so every break
hyperplane passes straight through with one jump.  A ridge with a visible facet whose opposite facet is missing or has
another jump therefore refutes every network with one hidden layer, of any width and without any genericity; and in a
network with two hidden layers it lies on a first-layer hyperplane.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from exactrelu.complexes.function_complex import FunctionComplex

Array = np.ndarray


@dataclass(frozen=True)
class NotShallow:
    """A ridge and a visible facet there without an opposite facet of the same jump.

    Attributes:
        ridge, facet: their numbers in the function complex.
    """

    ridge: int
    facet: int


def direction_between(x: Sequence[int], y: Sequence[int]) -> tuple[int, ...]:
    """Return a positive multiple of the direction from one homogeneous point (t > 0) to another.

    >>> direction_between((1, 0, 1), (2, 2, 2))
    (2, 0)
    """
    return tuple(x[0] * b - y[0] * a for a, b in zip(x[1:], y[1:]))


def nonshallow_ridges(function: FunctionComplex) -> list[NotShallow]:
    """Return the ridges at which f is not shallow, increasing, each with one offending facet.

    Exactness: integers.    Cost: O(n log n) comparisons for n incidences of ridges and facets.

    >>> from exactrelu.complexes.canonical_complex import CanonicalComplex
    >>> from exactrelu.complexes.function_complex import function_complex
    >>> from exactrelu.network.network import Network
    >>> bend = Network([[[1, 0], [0, 1]], [[1, 1]], [[1]]], [[0, 0], [-1], [0]])
    >>> nonshallow_ridges(function_complex(CanonicalComplex.build(bend)))
    [NotShallow(ridge=0, facet=0), NotShallow(ridge=1, facet=1)]
    """
    ridge = np.repeat(np.arange(len(function.ridges)), np.diff(function.ridges.starts))
    facet = function.ridges.indices
    order = np.lexsort([function.hyperplane[facet], ridge])
    facet, ridge = facet[order], ridge[order]
    name = function.hyperplane[facet]
    follows = np.zeros(len(facet), bool)              # paired with the next one: same ridge, same hyperplane, same jump
    if len(facet) > 1:
        follows[:-1] = (ridge[1:] == ridge[:-1]) & (name[1:] == name[:-1]) \
            & (function.jumps[facet[1:]] == function.jumps[facet[:-1]]).all(axis=1)
    paired = follows.copy()
    paired[1:] |= follows[:-1]
    odd = np.flatnonzero(~paired)
    first, at = np.unique(ridge[odd], return_index=True)
    return [NotShallow(int(r), int(f)) for r, f in zip(first, facet[odd[at]])]


def first_nonshallow_ridge(function: FunctionComplex) -> NotShallow | None:
    """Return the first ridge at which f is not shallow, if there is one."""
    return next(iter(nonshallow_ridges(function)), None)
