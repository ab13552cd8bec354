"""The affine hull of a polyhedron, and the polyhedron in coordinates of its hull.

Implicit equations are found by exact linear programs in margin form: while the largest common margin of the rows is 0,
the rows with a positive multiplier vanish on the whole set (a sum of non-negative terms that is 0); they are solved for some
coordinates and eliminated.  Redundancy is removed only when the set is full-dimensional in its hull: cddlib's own
treatment of implicit equations is not used, as it can crash on long numbers.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import lcm
from typing import Any

from exactrelu.arithmetic.matrix import echelon, product
from exactrelu.arithmetic.rational import primitive_integer
from exactrelu.errors import DomainError
from exactrelu.polyhedra import cddlib
from exactrelu.polyhedra.box import box_walls

Row = tuple[int, ...]


@dataclass(frozen=True)
class AffineHull:
    """A non-empty polyhedron {b + a.x >= 0} of R^d in coordinates of its affine hull.

    Attributes:
        embedding: integer matrix (d+1) x (k+1), (t, x) = embedding (t', y), first row (c, 0, ..., 0), c > 0.
        rows: irredundant inequalities in the coordinates of the hull, primitive, sorted.
        originals: for each of them one of the given rows (primitive), in the coordinates of R^d.
        equations: given rows that span the equations of the hull.
    """

    embedding: tuple[Row, ...]
    rows: tuple[Row, ...]
    originals: tuple[Row, ...]
    equations: tuple[Row, ...]

    @property
    def dimension(self) -> int:
        """Dimension of the hull."""
        return len(self.embedding[0]) - 1


def affine_hull(rows: Any, dimension: int) -> AffineHull:
    """Return the affine hull of {rows >= 0}, integer rows (b, a_1, ..., a_d).

    Raises:
        DomainError: the set is empty.

    >>> affine_hull([(0, 1, 0), (0, -1, 0), (1, 0, 1)], 2).embedding
    ((1, 0), (0, 0), (0, 1))
    """
    embedding: list[list[int]] = [[int(i == j) for j in range(dimension + 1)] for i in range(dimension + 1)]
    given = sorted({primitive_integer(row) for row in rows})
    if any(row[0] < 0 and not any(row[1:]) for row in given):
        raise DomainError("the domain is empty: it contains an inequality like -1 >= 0")
    equations: list[Row] = []
    walls = box_walls([row for row in given if any(row[1:])], dimension)
    if walls is not None:
        kept = tuple(sorted(row for pair in walls for row in pair if row is not None))
        return AffineHull(tuple(map(tuple, embedding)), kept, kept, ())
    while True:
        here: dict[Row, Row] = {}
        for original, row in zip(given, product(given, embedding, dimension + 1, len(embedding[0]))):
            if any(row[1:]):
                here.setdefault(primitive_integer(row), original)
            elif row[0] < 0:
                raise DomainError("the domain is empty")
        width = len(embedding[0]) - 1
        if not here:
            return AffineHull(tuple(map(tuple, embedding)), (), (), tuple(equations))
        names = sorted(here)
        optimum = cddlib.margin(names, width)
        if optimum.value < 0:
            raise DomainError("the domain is empty")
        if optimum.value > 0:
            kept, _ = cddlib.irredundant(names, width)
            return AffineHull(tuple(map(tuple, embedding)), kept, tuple(here[row] for row in kept), tuple(equations))
        vanishing = [name for name, y in zip(names, optimum.multipliers) if y]
        equations += [here[name] for name in vanishing]
        embedding = _composed(embedding, _solution_space(vanishing, width))


def _composed(embedding: list[list[int]], inner: list[list[int]]) -> list[list[int]]:
    return product(embedding, inner, len(inner), len(inner[0]))


def _solution_space(equations: list[Row], width: int) -> list[list[int]]:
    """Integer matrix whose columns parametrize {equations = 0}, first row (c, 0, ..., 0)."""
    table, pivots = echelon([(*row[1:], row[0]) for row in equations], width + 1)
    free = [j for j in range(width) if j not in pivots]
    scale = lcm(*(entry.denominator for row in table for entry in row))
    out = [[scale] + [0] * len(free)]
    for j in range(width):
        if j in free:
            out.append([0] + [scale * int(j == f) for f in free])
        else:
            row = table[pivots.index(j)]
            out.append([-int(row[width] * scale)] + [-int(row[f] * scale) for f in free])
    return out
