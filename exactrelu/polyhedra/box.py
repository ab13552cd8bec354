"""Boxes written down directly: tightest walls and vertices, without a linear program or a conversion."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import product

from exactrelu.arithmetic.rational import primitive_integer

Row = tuple[int, ...]
Walls = list[tuple[Row | None, Row | None]]


def box_walls(rows: Sequence[Row], dimension: int) -> Walls | None:
    """Return the tightest lower and upper wall of every coordinate, if the rows describe a full-dimensional box.

    Args:
        rows: primitive inequality rows (b, a_1, ..., a_d), b + a.x >= 0.
    Returns:
        For each coordinate the two rows (None: unbounded there); None if some row bounds no single coordinate, or if
        the interior is empty.

    >>> box_walls([(1, 1), (2, 1), (3, -1)], 1)
    [((1, 1), (3, -1))]
    """
    walls: list[list[Row | None]] = [[None, None] for _ in range(dimension)]
    for row in rows:
        support = [k for k in range(1, dimension + 1) if row[k]]
        if len(support) != 1:
            return None
        k = support[0]
        side = int(row[k] < 0)
        known = walls[k - 1][side]
        if known is None or row[0] * abs(known[k]) < known[0] * abs(row[k]):
            walls[k - 1][side] = row
    for k, (low, high) in enumerate(walls, 1):
        if low is not None and high is not None and low[0] * -high[k] + high[0] * low[k] <= 0:
            return None
    return [(low, high) for low, high in walls]


def box_vertices(rows: Sequence[Row], dimension: int) -> list[Row] | None:
    """Return the vertices (t, x) of a bounded full-dimensional box, primitive and sorted; None if the rows are no such box.

    >>> box_vertices([(1, 1), (3, -1)], 1)
    [(1, -1), (1, 3)]
    """
    walls = box_walls(rows, dimension)
    if walls is None:
        return None
    ends = []
    for k, (low, high) in enumerate(walls, 1):
        if low is None or high is None:
            return None
        ends.append((Fraction(-low[0], low[k]), Fraction(-high[0], high[k])))
    return sorted(primitive_integer([Fraction(1), *corner]) for corner in product(*ends))
