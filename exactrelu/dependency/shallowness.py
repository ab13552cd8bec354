"""Ridges at which f is not a sum of kinks along full hyperplanes.

Near a point a network with one hidden layer is affine plus a sum of c_i |h_i| with affine h_i, so every break
hyperplane passes straight through with one jump.  A ridge with a visible facet whose opposite facet is missing or has
another jump therefore refutes every network with one hidden layer, of any width and without any genericity; and in a
network with two hidden layers it lies on a first-layer hyperplane.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from exactrelu.complexes.function_complex import FunctionComplex

Array = np.ndarray


@dataclass(frozen=True)
class NotShallow:
    """A ridge and a visible facet there without an opposite facet of the same jump."""

    ridge: int
    facet: int


def nonshallow_ridges(function: FunctionComplex) -> list[NotShallow]:
    """Return the ridges at which f is not shallow, each with one offending facet.

    Exactness: integers.    Cost: O(ridges).
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
