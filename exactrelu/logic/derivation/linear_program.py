"""Maximum of a linear form over a polytope in the unit cube, with the multipliers that prove it, in integers.

The primal simplex method on the dual, Bland's rule.  The first basis consists of bounds of the cube, so there is no first
phase.  The inverse of the basis is kept as an integer matrix over the positive determinant of the basis; every division
is exact.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

Row = tuple[int, ...]
"""(b, a_1, ..., a_n): the inequality a . x <= b."""


@dataclass(frozen=True)
class Optimum:
    """The maximum of d . x, attained at point/denominator; multipliers/denominator prove that it is not larger.

    If the polytope is empty, `feasible` is false and the multipliers prove 0 . x < 0.
    """

    feasible: bool
    value: int
    point: tuple[int, ...]
    denominator: int
    multipliers: dict[int, int]


def bounds(n: int) -> list[Row]:
    """Rows 2i: x_i <= 1, and 2i+1: -x_i <= 0."""
    rows = []
    for i in range(n):
        unit = [0] * n
        unit[i] = 1
        rows.append((1, *unit))
        unit[i] = -1
        rows.append((0, *unit))
    return rows


def maximum(objective: Sequence[int], rows: Sequence[Row]) -> Optimum:
    """Maximize over rows that begin with `bounds(n)`.

    Exactness: integers throughout.  Cost: finitely many pivots of n^2 products each.
    """
    n = len(objective)
    basis = [2 * i if objective[i] >= 0 else 2 * i + 1 for i in range(n)]
    determinant = 1
    inverse = [[0] * n for _ in range(n)]  # inverse / determinant is the inverse of the matrix of basis rows
    for i in range(n):
        inverse[i][i] = 1 if objective[i] >= 0 else -1
    span = range(n)
    while True:
        right = [rows[j][0] for j in basis]
        point = [sum(map(int.__mul__, inverse[k], right)) for k in span]
        entering = -1
        for j, row in enumerate(rows):
            if sum(map(int.__mul__, row[1:], point)) > row[0] * determinant:
                entering = j
                break
        dual = [sum(objective[k] * inverse[k][i] for k in span) for i in span]
        if entering < 0:
            value = sum(map(int.__mul__, objective, point))
            return Optimum(True, value, tuple(point), determinant, {basis[i]: dual[i] for i in span if dual[i]})
        normal = rows[entering][1:]
        column = [sum(normal[k] * inverse[k][i] for k in span) for i in span]
        leaving = -1
        for i in span:
            if column[i] > 0 and (leaving < 0 or (dual[i] * column[leaving], basis[i]) < (dual[leaving] * column[i], basis[leaving])):
                leaving = i
        if leaving < 0:
            multipliers = {basis[i]: -column[i] for i in span if column[i]}
            multipliers[entering] = multipliers.get(entering, 0) + determinant
            return Optimum(False, 0, (), determinant, multipliers)
        pivot = column[leaving]
        for k in span:
            line = inverse[k]
            at = line[leaving]
            inverse[k] = [at if i == leaving else (pivot * line[i] - column[i] * at) // determinant for i in span]
        determinant = pivot
        basis[leaving] = entering
