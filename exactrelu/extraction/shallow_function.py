"""One hidden layer from its hyperplanes, jumps and one germ: all networks with this function.

f = sum_i c_i ReLU(h_i) + A x + b, whatever the signs of the affine forms h_i.  Reversing the neurons of a set T turns A x into
A x + sum over T of c_i n_i x, so the networks of n_1 neurons with the function f are the sets T with sum_T c_i (x) n_i = -A.
Different sets are inequivalent parameters, as the hyperplanes are pairwise different.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import islice

from exactrelu.arithmetic.rational import common_denominator
from exactrelu.arithmetic.subset_sums import MOST_FREE, subset_sums
from exactrelu.errors import BudgetExceeded
from exactrelu.extraction.line_breakpoints import Value
from exactrelu.extraction.region import value_of
from exactrelu.extraction.sheet import Germ, Row
from exactrelu.network.network import Network

MOST_MEMBERS = 4_096
"""Networks with one function that are listed."""


def chosen_sets(vectors: Sequence[Sequence[Fraction]], target: Sequence[Fraction]) -> list[tuple[int, ...]]:
    """Return all t in {0, 1}^n with sum t_i vectors[i] = target.

    Raises:
        BudgetExceeded: too many coordinates are free, or too many sets.

    >>> chosen_sets([[Fraction(1, 2)], [Fraction(3, 2)]], [Fraction(3, 2)])
    [(0, 1)]
    """
    scale = common_denominator([x for v in (*vectors, target) for x in v])
    found = subset_sums([[int(x * scale) for x in v] for v in vectors], [int(x * scale) for x in target])
    if found is None:
        raise BudgetExceeded(f"the orientations are 0/1 vectors of a kernel of more than {MOST_FREE} dimensions")
    sets = list(islice(found, MOST_MEMBERS + 1))
    if len(sets) > MOST_MEMBERS:
        raise BudgetExceeded(f"more than {MOST_MEMBERS} orientations have one function")
    return sorted(sets)


def outer(column: Sequence[Fraction], normal: Sequence[Fraction | int]) -> list[Fraction]:
    """The entries of c (x) n, row by row."""
    return [c * n for c in column for n in normal]


def shallow_networks(rows: Sequence[Row], columns: Sequence[Value], germ: Germ) -> list[Network]:
    """Return all networks of n_1 = len(rows) neurons with these hyperplanes and jumps and this germ; T in increasing order.

    Args:
        rows: primitive (b, n), pairwise different hyperplanes.
        columns: c_i: gradient on the positive side of row i minus that on the negative side is c_i (x) n_i.
        germ: f near a point on none of the hyperplanes.

    >>> h = Germ((Fraction(1),), (Fraction(1),), ((Fraction(1),),))
    >>> [f.weights for f in shallow_networks([(0, 1)], [(Fraction(1),)], h)]
    [(((Fraction(1, 1),),), ((Fraction(1, 1),),))]
    """
    outputs = len(germ.value)
    heights = [value_of(row, germ.point) for row in rows]
    slope = [x for r in germ.gradient for x in r]
    for row, column, z in zip(rows, columns, heights):
        if z > 0:
            slope = [x - y for x, y in zip(slope, outer(column, row[1:]))]
    out = []
    for chosen in chosen_sets([outer(c, r[1:]) for c, r in zip(columns, rows)], [-x for x in slope]):
        signs = [-1 if t else 1 for t in chosen]
        bias = list(germ.value)
        for column, z, s in zip(columns, heights, signs):
            if s * z > 0:
                bias = [b - c * s * z for b, c in zip(bias, column)]
        out.append(Network([[[s * x for x in r[1:]] for r, s in zip(rows, signs)],
                            [[c[k] for c in columns] for k in range(outputs)]],
                           [[s * r[0] for r, s in zip(rows, signs)], bias]))
    return out
