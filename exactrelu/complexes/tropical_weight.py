"""The tropical weight of a facet: the jump of the slope of f per unit of the primitive integer normal."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import gcd

from exactrelu.errors import DomainError, InvariantError

Slope = Sequence[Sequence[Fraction]]


@dataclass(frozen=True)
class TropicalWeight:
    """Weight c and primitive normal n of a facet: the slope jumps by c n^T when the facet is crossed along n.

    Attributes:
        weight: c, shape (m,).
        normal: n, primitive integers, shape (d,).
    """

    weight: tuple[Fraction, ...]
    normal: tuple[int, ...]

    @property
    def length_square(self) -> int:
        """n.n; the Euclidean-normalized weight is c times its square root, which is never taken."""
        return sum(x * x for x in self.normal)

    @property
    def euclidean_squares(self) -> tuple[Fraction, ...]:
        """Squares c_i^2 (n.n) of the entries of the Euclidean-normalized weight, rationals."""
        return tuple(c * c * self.length_square for c in self.weight)


def tropical_weight(a_plus: Slope, a_minus: Slope, normal: Sequence[int]) -> TropicalWeight:
    r"""Return the slope jump across a facet per unit of its primitive normal.

    If f is continuous and affine on both sides of a facet, the slopes agree along the facet, so
    ``a_plus - a_minus = c n^T`` for exactly one c.

    Args:
        a_plus: slope on the side into which `normal` points, shape (m, d).
        a_minus: slope on the other side, shape (m, d).
        normal: an integer normal of the facet, shape (d,); divided by its content here.
    Returns:
        The weight; c = 0 iff f does not bend there.  Exchanging the sides together with the sign of `normal` leaves
        c unchanged.
    Raises:
        DomainError: `normal` is zero.  InvariantError: the difference is not ``c n^T``, so f is not continuous.
    Exactness: rational throughout.    Cost: O(m d).
    Source: paper A, with unit normals there: its weight is |n| times this one.

    >>> one = [[Fraction(1), Fraction(2)], [Fraction(3), Fraction(6)]]
    >>> tropical_weight(one, [[0, 0], [0, 0]], (2, 4)).weight
    (Fraction(1, 1), Fraction(3, 1))
    """
    content = gcd(*normal)
    if content == 0:
        raise DomainError("the normal of a facet cannot be zero")
    n = tuple(x // content for x in normal)
    pivot = next(k for k, x in enumerate(n) if x)
    c = []
    for plus, minus in zip(a_plus, a_minus):
        jump = [p - m for p, m in zip(plus, minus)]
        value = Fraction(jump[pivot]) / n[pivot]
        if any(x != value * y for x, y in zip(jump, n)):
            raise InvariantError("the slope jumps along a facet: the function is not continuous there")
        c.append(value)
    return TropicalWeight(tuple(c), n)
