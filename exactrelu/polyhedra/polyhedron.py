"""A rational polyhedron with both representations; cddlib is the cross-check.

Rows are primitive integers: inequalities and equations (b, a) mean b + a.x >= 0 and = 0, generators (t, x) are the
vertex x/t or the direction x.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from exactrelu.arithmetic.matrix import echelon, product, rank
from exactrelu.arithmetic.rational import affine_point, primitive_integer, rational_vector
from exactrelu.errors import InvariantError
from exactrelu.polyhedra import cddlib
from exactrelu.polyhedra.affine_hull import affine_hull

Row = tuple[int, ...]


@dataclass(frozen=True)
class Polyhedron:
    """A non-empty polyhedron in R^d.

    >>> square = Polyhedron.from_inequalities(2, [(1, 1, 0), (1, -1, 0), (1, 0, 1), (1, 0, -1)])
    >>> square.dimension, len(square.vertices), square.is_bounded
    (2, 4, True)
    """

    ambient: int
    inequalities: tuple[Row, ...]
    equations: tuple[Row, ...]
    generators: tuple[Row, ...]
    lines: tuple[Row, ...]

    @classmethod
    def from_inequalities(cls, ambient: int, rows: Sequence[Sequence[int]]) -> Polyhedron:
        """Return {b + a.x >= 0 for all rows}, converted by cddlib.  Raises DomainError if it is empty."""
        hull = affine_hull(rows, ambient)
        found = cddlib.generators(hull.rows, (), hull.dimension)
        outside = [list(column) for column in zip(*hull.embedding)]

        def lifted(vectors: Sequence[Row]) -> list[Row]:
            return [primitive_integer(row) for row in product(vectors, outside, hull.dimension + 1, ambient + 1)]

        table, _ = echelon([(*row[1:], row[0]) for row in hull.equations], ambient + 1)
        equations = sorted(primitive_integer([row[-1], *row[:-1]]) for row in table)
        return cls(ambient, hull.originals, tuple(equations), tuple(sorted(lifted(found.points))),
                   tuple(line[1:] for line in lifted(found.lines)))

    @property
    def dimension(self) -> int:
        """Dimension."""
        return self.ambient - rank([row[1:] for row in self.equations], self.ambient)

    @property
    def is_bounded(self) -> bool:
        """Whether it is a polytope."""
        return not self.lines and all(g[0] for g in self.generators)

    @property
    def vertices(self) -> tuple[tuple[Fraction, ...], ...]:
        """The vertices."""
        return tuple(affine_point(g) for g in self.generators if g[0])

    def contains(self, point: Sequence[Any]) -> bool:
        """Whether a rational point lies in it."""
        x = rational_vector(point)
        value = [row[0] + sum((a * y for a, y in zip(row[1:], x)), Fraction(0)) for row in (*self.inequalities, *self.equations)]
        return all(v >= 0 for v in value[:len(self.inequalities)]) and not any(value[len(self.inequalities):])

    def check(self) -> None:
        """Compare both representations with cddlib, in both directions; raise InvariantError on a difference."""
        lines = [(0, *line) for line in self.lines]
        found = cddlib.generators(self.inequalities, self.equations, self.ambient)
        if not self.lines and (found.points != self.generators or found.lines):
            raise InvariantError(f"V-representation differs from cddlib's: {self.generators} and {found}")
        if len(found.lines) != len(self.lines):
            raise InvariantError("lineality differs from cddlib's")
        inequalities, equations = cddlib.inequalities(self.generators, lines)
        if not self.equations and inequalities != self.inequalities:
            raise InvariantError(f"H-representation differs from cddlib's: {self.inequalities} and {inequalities}")
        if len(equations) != len(self.equations) or len(inequalities) != len(self.inequalities):
            raise InvariantError("number of facets or equations differs from cddlib's")
