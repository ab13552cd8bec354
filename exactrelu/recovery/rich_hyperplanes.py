"""Rich facets: where the gradients of both sides have the full rank r that a layer of width r can pass on.

**Structure theorem.**  Let eta be any parameter of an architecture (n_0; r, ..., r, n_L; m) with the function f.  Let U_l be
the part of the interior where all neurons of the layers <= l are positive, H^(l)_i the zero hyperplane of the affine
extension of z^(l)_i from U_(l-1).  Then every rich hyperplane (spanned by a facet of f whose two gradient matrices have
rank r together) is one of the r (L - 1) + n_L hyperplanes H^(l)_i.

*Proof.*  Near a point x of U_l all gradients of f are combinations of the dz^(l+1)_i with neuron i not negative at x.
Rank r with only r neurons (l + 1 < L) forces all z^(l+1)_i(x) >= 0 with independent linear parts, so x lies in the closure
of U_(l+1); if x is not in it, some z^(l+1)_i(x) = 0.  For l + 1 = L, f is near x a network with one hidden layer in affine
forms, and breaks only where some z^(L)_i vanishes.  So each point of a rich facet lies on some H^(l)_i, and a facet that
finitely many hyperplanes cover lies in one.  No genericity is used.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from exactrelu.arithmetic.matrix import rank
from exactrelu.complexes.function_complex import FunctionComplex
from exactrelu.errors import InputError

Array = np.ndarray
Row = tuple[int, ...]


def gradient_rank(function: FunctionComplex, cells: Iterable[int]) -> int:
    """Return the dimension of the span of all gradients of f on some full cells (all outputs together).

    At a point x this is the rank of f, if the cells are those whose closure contains x.

    >>> from exactrelu.complexes.canonical_complex import CanonicalComplex
    >>> from exactrelu.complexes.function_complex import function_complex
    >>> from exactrelu.network.network import Network
    >>> f = function_complex(CanonicalComplex.build(Network([[[1, 0], [0, 1]], [[1, 1]]], [[0, 0], [0]])))
    >>> gradient_rank(f, range(4)), sorted(gradient_rank(f, [k]) for k in range(4))
    (2, [0, 1, 1, 1])
    """
    rows = {tuple(row[1:]) for cell in cells for row in function.maps[cell].tolist()}
    return rank([list(row) for row in sorted(rows)], function.dimension)


def gradient_pairs(function: FunctionComplex) -> tuple[Array, Array]:
    """Return for every visible facet the number of its pair (gradients on its first side, hyperplane), and a facet of each pair.

    The jump is (column) (x) (row of the facet) with a non-zero column; so facets of one pair have the same span of gradients
    on both sides, and `gradient_rows` spans it.    Cost: one dictionary look-up a cell.
    """
    slopes = function.maps[:, :, 1:].reshape(len(function.maps), -1)
    names: dict[tuple[int, ...], int] = {}
    name = np.array([names.setdefault(tuple(row), len(names)) for row in slopes.tolist()], np.int64)
    code = name[function.facet_sides[:, 0]] * len(function.hyperplanes) + function.hyperplane
    _, first, pair = np.unique(code, return_index=True, return_inverse=True)
    return pair.ravel(), first


def gradient_rows(function: FunctionComplex, facet: int) -> tuple[Row, ...]:
    """Return non-zero rows, sorted, that span the gradients of f on both sides of a visible facet."""
    side = function.maps[function.facet_sides[facet, 0]][:, 1:].tolist()
    return tuple(sorted({tuple(row) for row in side if any(row)} | {function.hyperplanes[function.hyperplane[facet]][1:]}))


def facet_ranks(function: FunctionComplex) -> Array:
    """Return for every visible facet the rank of the gradients of its two sides together, shape (F,).

    Exactness: integers.    Cost: one rank for each different pair of a side and a hyperplane.

    >>> from exactrelu.complexes.canonical_complex import CanonicalComplex
    >>> from exactrelu.complexes.function_complex import function_complex
    >>> from exactrelu.network.network import Network
    >>> f = function_complex(CanonicalComplex.build(Network([[[1, 0], [0, 1]], [[1, 1]]], [[0, 0], [0]])))
    >>> sorted(facet_ranks(f).tolist())
    [1, 1, 2, 2]
    """
    pair, first = gradient_pairs(function)
    ranks = [rank([list(row) for row in gradient_rows(function, facet)], function.dimension) for facet in first.tolist()]
    found: Array = np.array(ranks, np.int64)[pair]
    return found


def rich_hyperplanes(function: FunctionComplex, r: int) -> dict[int, Array]:
    """Return the rich hyperplanes: number of the hyperplane -> its rich facets.

    Exactness: integers.    Cost: one rank for each different pair of a side and a hyperplane.

    >>> from exactrelu.complexes.canonical_complex import CanonicalComplex
    >>> from exactrelu.complexes.function_complex import function_complex
    >>> from exactrelu.network.network import Network
    >>> f = function_complex(CanonicalComplex.build(Network([[[1, 0], [0, 1]], [[1, 1]]], [[0, 0], [0]])))
    >>> {f.hyperplanes[h]: len(facets) for h, facets in rich_hyperplanes(f, 2).items()}
    {(0, 1, 0): 1, (0, 0, 1): 1}
    """
    rich = np.flatnonzero(facet_ranks(function) == r)
    names = function.hyperplane[rich]
    return {int(h): rich[names == h] for h in np.unique(names)}


def depth_lower_bound_width_two(function: FunctionComplex, n_last: int) -> int:
    """Return a number of hidden layers below which no network with widths 2, ..., 2, n_last has the function.

    A function with rho rich hyperplanes (r = 2) needs rho <= 2 (L - 1) + n_last, whatever the parameter (structure theorem).

    >>> from exactrelu.complexes.canonical_complex import CanonicalComplex
    >>> from exactrelu.complexes.function_complex import function_complex
    >>> from exactrelu.network.network import Network
    >>> wide = Network([[[1, 0], [0, 1], [1, 1]], [[1, 1, 1]]], [[0, 0, 1], [0]])
    >>> depth_lower_bound_width_two(function_complex(CanonicalComplex.build(wide)), 1)
    2
    """
    if n_last < 1:
        raise InputError(f"the last hidden layer needs a neuron, got width {n_last}")
    return 1 + max(0, -((n_last - len(rich_hyperplanes(function, 2))) // 2))
