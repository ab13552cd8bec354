"""Exact linear programs over a polytope in the unit cube, in integers, with warm starts and Farkas multipliers.

A row (b, a_1, ..., a_n) means b + a.x >= 0.  A *vertex* is given by n tight rows B with invertible normals A; kept are
D = |det A| and the integer matrix N = D A^-1, so every pivot divides exactly (Edmonds, Bareiss).  From a vertex of the
polytope the primal simplex method maximizes any objective; from a vertex whose multipliers are non-negative the dual method
restores feasibility.  Smallest-index pivoting (Bland) in both, so both are finite.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import gcd

from exactrelu.errors import InvariantError, ShapeError

Row = tuple[int, ...]
"""(b, a_1, ..., a_n): b + a.x >= 0.  Of a form: b + a.x.  Of a point: (t, x_1, ..., x_n), t > 0, meaning x/t."""


def cube(n: int) -> list[Row]:
    """Return the rows of [0,1]^n: number 2i is x_i >= 0, number 2i+1 is x_i <= 1."""
    rows: list[Row] = []
    for i in range(n):
        unit = [0] * n
        unit[i] = 1
        rows.append((0, *unit))
        unit[i] = -1
        rows.append((1, *unit))
    return rows


def dot(form: Sequence[int], point: Sequence[int]) -> int:
    """Return t times the value of the form at the point x/t."""
    return sum(map(int.__mul__, form, point))


@dataclass(frozen=True)
class Vertex:
    """A vertex: the numbers of its tight rows, D, N by rows, and the point (t, x)."""

    tight: tuple[int, ...]
    determinant: int
    inverse: tuple[Row, ...]
    point: Row


@dataclass(frozen=True)
class Optimum:
    """The maximum of a form over the polytope.

    Attributes:
        numerator, denominator: the value.
        point: (t, x) where it is attained.
        multipliers: (row, m) with m > 0 and  denominator * form + sum m row = numerator  identically, which proves it.
        vertex: start for further programs over the same rows, or over more rows that it satisfies.
    """

    numerator: int
    denominator: int
    point: Row
    multipliers: tuple[tuple[int, int], ...]
    vertex: Vertex


@dataclass(frozen=True)
class Infeasible:
    """The polytope is empty:  sum m row  is a negative constant, m > 0."""

    multipliers: tuple[tuple[int, int], ...]


def _point(rows: Sequence[Row], tight: Sequence[int], determinant: int, inverse: Sequence[Row]) -> Row:
    right = [-rows[j][0] for j in tight]
    point = [determinant, *[sum(map(int.__mul__, line, right)) for line in inverse]]
    content = gcd(*point)
    return tuple([x // content for x in point]) if content > 1 else tuple(point)


def corner(rows: Sequence[Row], ones: Sequence[bool]) -> Vertex:
    """Return the corner of the cube with these coordinates; `rows` begin with those of the cube."""
    n = len(ones)
    tight = tuple(2 * i + 1 if one else 2 * i for i, one in enumerate(ones))
    inverse = tuple(tuple((-1 if ones[i] else 1) if i == j else 0 for j in range(n)) for i in range(n))
    return Vertex(tight, 1, inverse, _point(rows, tight, 1, inverse))


def _pivot(rows: Sequence[Row], vertex: Vertex, leaving: int, entering: int, line: Sequence[int]) -> Vertex:
    """Replace tight row number `leaving` by row `entering`; `line` = a_entering N."""
    pivot = line[leaving]
    before = vertex.determinant
    inverse = []
    for old in vertex.inverse:
        at = old[leaving]
        new = [at if k == leaving else (old[k] * pivot - at * line[k]) // before for k in range(len(line))]
        inverse.append(tuple(new) if pivot > 0 else tuple([-x for x in new]))
    tight = (*vertex.tight[:leaving], entering, *vertex.tight[leaving + 1:])
    return Vertex(tight, abs(pivot), tuple(inverse), _point(rows, tight, abs(pivot), inverse))


def _times(normal: Sequence[int], inverse: Sequence[Row]) -> list[int]:
    """The row vector normal . N."""
    out = [0] * len(inverse)
    for a, line in zip(normal, inverse):
        if a:
            for k, x in enumerate(line):
                if x:
                    out[k] += a * x
    return out


def maximum(rows: Sequence[Row], form: Sequence[int], start: Vertex) -> Optimum:
    """Return the maximum of a form over a bounded polytope, starting from one of its vertices.

    Args:
        rows: the inequalities; the polytope is bounded.
        form: (c, c_1, ..., c_n).
        start: a vertex that satisfies all rows.
    Raises:
        InvariantError: the polytope is unbounded, or `start` was no vertex of it.
    Exactness: integers throughout.    Cost: finitely many pivots of O(n (n + rows)) products.

    >>> best = maximum(cube(2), (0, 1, -1), corner(cube(2), [False, False]))
    >>> best.numerator, best.denominator, best.point, best.multipliers
    (1, 1, (1, 1, 0), ((1, 1), (2, 1)))
    """
    vertex, objective = start, form[1:]
    while True:
        gains = _times(objective, vertex.inverse)
        leaving = min((i for i, gain in enumerate(gains) if gain > 0), key=vertex.tight.__getitem__, default=-1)
        if leaving < 0:
            break
        direction = [line[leaving] for line in vertex.inverse]
        entering, best_slack, best_rate = -1, 0, 0
        for j, row in enumerate(rows):
            rate = -sum(map(int.__mul__, row[1:], direction))
            if rate > 0:
                slack = dot(row, vertex.point)
                if entering < 0 or slack * best_rate < best_slack * rate:
                    entering, best_slack, best_rate = j, slack, rate
        if entering < 0 or best_slack < 0:
            raise InvariantError("a linear program over a bounded polytope has no bound, or began outside")
        vertex = _pivot(rows, vertex, leaving, entering, _times(rows[entering][1:], vertex.inverse))
    t = vertex.point[0]
    value, denominator = dot(form, vertex.point), t
    # gains / D are minus the multipliers; t divides D, so denominators are brought to D
    scale = vertex.determinant // t
    value, denominator = value * scale, vertex.determinant
    multipliers = tuple(sorted((j, -gain) for j, gain in zip(vertex.tight, gains) if gain))
    content = gcd(value, denominator, *(m for _, m in multipliers))
    return Optimum(value // content, denominator // content, vertex.point, tuple((j, m // content) for j, m in multipliers), vertex)


def feasible(rows: Sequence[Row], n: int, start: Vertex | None = None) -> Vertex | Infeasible:
    """Return a vertex of the polytope of all rows, or multipliers that prove it empty.

    Args:
        rows: begin with those of the cube.
        start: any vertex of some of the rows; a corner of the cube by default.

    >>> feasible([*cube(1), (-2, 1)], 1)
    Infeasible(multipliers=((1, 1), (2, 1)))
    """
    vertex = start if start is not None else corner(rows, [False] * n)
    if len(vertex.tight) != n or any(len(row) != n + 1 for row in rows):
        raise ShapeError(f"rows of a program in {n} variables have {n + 1} entries")
    # the objective that is optimal here with multipliers 1: minus the sum of the tight normals; it stays dual feasible
    objective = [-sum(rows[j][1 + k] for j in vertex.tight) for k in range(n)]
    while True:
        entering = next((j for j, row in enumerate(rows) if dot(row, vertex.point) < 0), -1)
        if entering < 0:
            return vertex
        line = _times(rows[entering][1:], vertex.inverse)
        dual = [-x for x in _times(objective, vertex.inverse)]
        leaving = -1
        for i, rate in enumerate(line):
            if rate > 0 and (leaving < 0 or (dual[i] * line[leaving], vertex.tight[i]) < (dual[leaving] * rate, vertex.tight[leaving])):
                leaving = i
        if leaving < 0:
            found = {j: -rate for j, rate in zip(vertex.tight, line) if rate}
            found[entering] = found.get(entering, 0) + vertex.determinant
            content = gcd(*found.values())
            return Infeasible(tuple(sorted((j, m // content) for j, m in found.items())))
        vertex = _pivot(rows, vertex, leaving, entering, line)


def maximum_over(rows: Sequence[Row], form: Sequence[int]) -> Optimum | Infeasible:
    """Return the maximum of a form over a polytope in the cube, or multipliers that prove it empty; `rows` begin with the cube.

    >>> maximum_over([*cube(2), (-1, 2, 2)], (0, -1, -1)).numerator
    -1
    """
    vertex = feasible(rows, len(form) - 1)
    return vertex if isinstance(vertex, Infeasible) else maximum(rows, form, vertex)
