"""Rational combinations of given vectors with a given sum."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from exactrelu.arithmetic.matrix import echelon
from exactrelu.arithmetic.rational import primitive_integer


def combination(vectors: Sequence[Sequence[Fraction]], target: Sequence[Fraction]) -> list[Fraction] | None:
    """Return x with sum x_i vectors[i] = target, coordinates that are free set to 0; None if there is none.

    Exactness: integers inside.    Cost: one elimination.

    >>> combination([[Fraction(1), Fraction(2)], [Fraction(0), Fraction(3)]], [Fraction(2), Fraction(1)])
    [Fraction(2, 1), Fraction(-1, 1)]
    >>> combination([], [Fraction(1)]) is None
    True
    """
    n = len(vectors)
    equations = [primitive_integer(equation) for equation in zip(*vectors, target)]
    table, pivots = echelon([e for e in equations if any(e)], n + 1)
    if n in pivots:
        return None
    found = [Fraction(0)] * n
    for row, pivot in zip(table, pivots):
        found[pivot] = row[n]
    return found
