"""The domain of a shallow function, with its generators, and what a neuron does on it.

A domain D with interior points has vertices, rays and lines (t, x).  A neuron with the affine form h is

    dead      h <= 0 on D;
    active    h >= 0 on D, and not identically 0;
    cutting   both signs occur, so that {h = 0} meets int D.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from functools import cached_property
from operator import mul

from exactrelu.arithmetic.matrix import rank
from exactrelu.arithmetic.rational import common_denominator, primitive_integer
from exactrelu.errors import BudgetExceeded
from exactrelu.polyhedra import cddlib
from exactrelu.polyhedra.domain import Domain

Row = tuple[int, ...]
MOST_SIDES = 12
"""Most coordinates with two walls, or most dimensions of a polyhedron that is no box, for which generators are listed."""


class Kind(Enum):
    """What a neuron does on a domain."""

    DEAD = "dead"
    ACTIVE = "active"
    CUTTING = "cutting"


def dot(a: Sequence[int], b: Sequence[int]) -> int:
    """Scalar product of integer vectors."""
    return sum(map(mul, a, b))


@dataclass(frozen=True)
class Ground:
    """A domain with interior points.

    Raises:
        DomainError: the domain has no interior points; restrict the network to the affine hull first.

    >>> square = Ground(Domain.box(2, [(0, 1)]))
    >>> [square.kind(row).value for row in [(1, 1, 0), (-1, 1, 0), (-1, 1, 1), (0, 0, 0)]], square.is_bounded
    (['active', 'dead', 'cutting', 'dead'], True)
    """

    domain: Domain

    def __post_init__(self) -> None:
        self.domain.require_interior()

    @property
    def dimension(self) -> int:
        """d."""
        return self.domain.dimension

    @cached_property
    def generators(self) -> tuple[Row, ...]:
        """Vertices (t, x), t > 0, and rays (0, x), primitive.

        Raises:
            BudgetExceeded: there may be too many of them.
        """
        return self._description.points

    @cached_property
    def lines(self) -> tuple[Row, ...]:
        """Directions (0, x) that count in both senses, a basis."""
        return self._description.lines

    @cached_property
    def _description(self) -> cddlib.Generators:
        d = self.dimension
        if self.domain.is_space:
            unit = [tuple(int(i == j) for j in range(d + 1)) for i in range(d + 1)]
            return cddlib.Generators((unit[0],), tuple(unit[1:]))
        if not self._is_listable:
            raise BudgetExceeded(f"the generators of a domain in dimension {d} are too many to be listed")
        return cddlib.generators(self.domain.integer_rows, (), d)

    @cached_property
    def _is_listable(self) -> bool:
        box = self.domain.bounding_intervals
        sides = self.dimension if box is None else sum(low is not None and high is not None for low, high in box)
        return sides <= MOST_SIDES

    @cached_property
    def lineality(self) -> int:
        """Dimension of the space of lines in D."""
        return self.dimension - rank([row[1:] for row in self.domain.integer_rows], self.dimension)

    @cached_property
    def is_bounded(self) -> bool:
        """Whether D is a polytope: 0 is a positive combination of normals that span R^d."""
        box = self.domain.bounding_intervals
        if box is not None:
            return all(low is not None and high is not None for low, high in box)
        return not self.lines and all(g[0] for g in self.generators)

    def kind(self, row: Sequence[int]) -> Kind:
        """Return what a neuron with the integer row (b, a_1, ..., a_d) does on D.

        Exactness: exact.    Cost: O(d) on R^d and boxes, one product a generator, or two linear programs.
        """
        if not any(row[1:]):
            return Kind.ACTIVE if row[0] > 0 else Kind.DEAD
        if self.domain.is_space:
            return Kind.CUTTING
        if self._box is not None:
            low, high = self._box_range(row)
        elif self._is_listable:
            if any(dot(line, row) for line in self.lines):
                return Kind.CUTTING
            values = [dot(g, row) for g in self.generators]
            low, high = min(values) < 0, max(values) > 0
        else:
            rows, d = list(self.domain.integer_rows), self.dimension
            low = cddlib.margin([*rows, tuple(-x for x in row)], d).value > 0
            high = cddlib.margin([*rows, tuple(row)], d).value > 0
        if low and high:
            return Kind.CUTTING
        return Kind.ACTIVE if high else Kind.DEAD

    @cached_property
    def _box(self) -> tuple[int, list[tuple[int | None, int | None]]] | None:
        """Common denominator q and the ends times q."""
        box = self.domain.bounding_intervals
        if box is None:
            return None
        q = common_denominator([x for pair in box for x in pair if x is not None])
        return q, [(None if a is None else int(a * q), None if b is None else int(b * q)) for a, b in box]

    def _box_range(self, row: Sequence[int]) -> tuple[bool, bool]:
        """Whether a form takes negative, positive values on a box."""
        assert self._box is not None
        q, ends = self._box
        low: int | None = row[0] * q
        high: int | None = row[0] * q
        for a, (left, right) in zip(row[1:], ends):
            if not a:
                continue
            first, last = (left, right) if a > 0 else (right, left)
            low = None if low is None or first is None else low + a * first
            high = None if high is None or last is None else high + a * last
        return low is None or low < 0, high is None or high > 0

    def crossing_point(self, row: Sequence[int]) -> Row:
        """Return a point (t, x), t > 0, of int D on the hyperplane of a cutting neuron."""
        d, rows = self.dimension, list(self.domain.integer_rows)
        if self.domain.is_space:
            k = next(i for i in range(1, d + 1) if row[i])
            sign = 1 if row[k] > 0 else -1
            return primitive_integer([sign * row[k], *(-sign * row[0] if i == k else 0 for i in range(1, d + 1))])
        ends = []
        for side in (tuple(row), tuple(-x for x in row)):
            x = cddlib.margin([*rows, side], d).point
            scale = common_denominator(x)
            ends.append((scale, *(int(c * scale) for c in x)))
        one, two = ends
        up, down = dot(row, one), -dot(row, two)
        return primitive_integer([down * a + up * b for a, b in zip(one, two)])

    def interior_point(self) -> Row:
        """Return a point (t, x), t > 0, of int D."""
        if self.domain.is_space:
            return (1, *[0] * self.dimension)
        x = cddlib.margin(self.domain.integer_rows, self.dimension).point
        scale = common_denominator(x)
        return (scale, *(int(c * scale) for c in x))
