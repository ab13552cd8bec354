"""The door to cddlib: exact conversion between H- and V-representations, redundancy, linear programs.

Only `cdd.gmp` (exact arithmetic) is used.  Rows are integers: an inequality row (b, a) means b + a.x >= 0, a
generator row (t, x) is the vertex x/t (t > 0) or the direction x (t = 0).  The trivial row (1, 0, ..., 0) is
always added, because cddlib otherwise treats a homogeneous system as a cone and loses its apex.  Numbers that
leave are primitive integers in sorted order; cddlib's own order and scaling never leave this module.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from exactrelu.arithmetic.rational import primitive_integer
from exactrelu.errors import BudgetExceeded, InvariantError, MissingBackend

Row = tuple[int, ...]

INSTALL = ("cddlib with exact arithmetic is needed.  Debian/Ubuntu: apt-get install libcdd-dev; Fedora: dnf install "
           "cddlib-devel gmp-devel; macOS: brew install cddlib gmp.  Then: pip install pycddlib")


def _library() -> tuple[Any, Any]:
    try:
        import cdd
        import cdd.gmp
    except ImportError as error:
        if "gmp" in str(error) and "cdd" in sys.modules:
            raise MissingBackend("pycddlib-standalone has no exact arithmetic (cdd.gmp is missing): uninstall it.  " + INSTALL) from None
        raise MissingBackend(f"{INSTALL} ({error})") from None
    return cdd, cdd.gmp


@contextmanager
def _long_integers() -> Iterator[None]:
    """cddlib passes long numbers through decimal text; lift Python's conversion limit around one call."""
    before = sys.get_int_max_str_digits()
    sys.set_int_max_str_digits(0)
    try:
        yield
    except ValueError as error:
        raise BudgetExceeded(f"cddlib: {error}") from None
    finally:
        sys.set_int_max_str_digits(before)


def _matrix(rows: Sequence[Sequence[int]], equations: Sequence[Sequence[int]], dimension: int) -> Any:
    cdd, gmp = _library()
    table = [list(row) for row in (*equations, *rows)] + [[1] + [0] * dimension]
    return gmp.matrix_from_array(table, rep_type=cdd.RepType.INEQUALITY, lin_set=range(len(equations)))


def _primitive(rows: Sequence[Sequence[Any]]) -> list[Row]:
    return [primitive_integer(row) for row in rows]


@dataclass(frozen=True)
class Generators:
    """V-representation: primitive integer rows (t, x); `lines` have t = 0 and count in both directions."""

    points: tuple[Row, ...]
    lines: tuple[Row, ...]


def generators(rows: Sequence[Sequence[int]], equations: Sequence[Sequence[int]], dimension: int) -> Generators:
    """Return the minimal generators of {rows >= 0, equations = 0}; empty lists if it is empty.

    >>> generators([(0, 1, 0), (0, 0, 1)], [], 2).points
    ((0, 0, 1), (0, 1, 0), (1, 0, 0))
    """
    _, gmp = _library()
    with _long_integers():
        matrix = gmp.copy_generators(gmp.polyhedron_from_matrix(_matrix(rows, equations, dimension)))
        table, lines = [list(row) for row in matrix.array], set(matrix.lin_set)
    points = _primitive([row for i, row in enumerate(table) if i not in lines])
    return Generators(tuple(sorted(points)), tuple(sorted(_primitive([table[i] for i in lines]))))


def inequalities(points: Sequence[Sequence[int]], lines: Sequence[Sequence[int]]) -> tuple[tuple[Row, ...], tuple[Row, ...]]:
    """Return (irredundant inequalities, equations) of the polyhedron with these generators.

    >>> inequalities([(1, 0), (1, 2)], [])
    (((0, 1), (2, -1)), ())
    """
    cdd, gmp = _library()
    with _long_integers():
        table = [list(row) for row in (*lines, *points)]
        matrix = gmp.matrix_from_array(table, rep_type=cdd.RepType.GENERATOR, lin_set=range(len(lines)))
        out = gmp.copy_inequalities(gmp.polyhedron_from_matrix(matrix))
        rows, equal = [list(row) for row in out.array], set(out.lin_set)
    kept = [row for row in _primitive([r for i, r in enumerate(rows) if i not in equal]) if any(row[1:])]
    return tuple(sorted(kept)), tuple(sorted(_primitive([rows[i] for i in equal])))


def irredundant(rows: Sequence[Sequence[int]], dimension: int) -> tuple[tuple[Row, ...], tuple[Row, ...]]:
    """Return (irredundant inequalities, implicit equations) of a non-empty polyhedron {rows >= 0}.

    >>> irredundant([(0, 1), (0, 2), (5, 1)], 1)
    (((0, 1),), ())
    """
    _, gmp = _library()
    distinct = sorted({primitive_integer(row) for row in rows if any(row[1:])})
    with _long_integers():
        matrix = _matrix(distinct, (), dimension)
        gmp.matrix_canonicalize(matrix)
        table, equal = [list(row) for row in matrix.array], set(matrix.lin_set)
    kept = [row for row in _primitive([r for i, r in enumerate(table) if i not in equal]) if any(row[1:])]
    return tuple(sorted(kept)), tuple(sorted(_primitive([table[i] for i in equal])))


@dataclass(frozen=True)
class Margin:
    """Optimum of: maximize T subject to row_i(x) >= T, T <= 1.

    T > 0: `point` satisfies all rows strictly.  T = 0: the set is not empty and rows with a positive multiplier
    vanish on it.  T < 0: the set is empty and sum multipliers_i row_i = T < 0 is a Farkas certificate.
    """

    value: Fraction
    point: tuple[Fraction, ...]
    multipliers: tuple[Fraction, ...]


def margin(rows: Sequence[Sequence[int]], dimension: int) -> Margin:
    """Return the largest common margin of the inequalities, with primal and dual witness, verified here.

    Exactness: rational throughout; the solver's answer is checked by multiplication before it is returned.

    >>> margin([(0, 1), (1, -1)], 1).point
    (Fraction(1, 2),)
    """
    cdd, gmp = _library()
    table = [[*row, -1] for row in rows] + [[1] + [0] * dimension + [-1]]
    with _long_integers():
        matrix = gmp.matrix_from_array(table, rep_type=cdd.RepType.INEQUALITY, obj_type=cdd.LPObjType.MAX,
                                       obj_func=[0] * (dimension + 1) + [1])
        program = gmp.linprog_from_matrix(matrix)
        gmp.linprog_solve(program)
        if program.status != cdd.LPStatusType.OPTIMAL:
            raise InvariantError(f"a margin program is always feasible and bounded; cddlib says {program.status}")
        value = Fraction(program.obj_value)
        point = tuple(Fraction(x) for x in program.primal_solution[:dimension])
        dual = [Fraction(0)] * (len(rows) + 1)
        for i, y in program.dual_solution:
            if 0 <= i <= len(rows):
                dual[i] = abs(Fraction(y))
    found = Margin(value, point, tuple(dual[:-1]))
    _check_margin(rows, found)
    return found


def _check_margin(rows: Sequence[Sequence[int]], found: Margin) -> None:
    """Verify primal feasibility, and for T < 1 the identity sum y_i row_i = T with sum y_i = 1, y >= 0."""
    if any(row[0] + sum(a * x for a, x in zip(row[1:], found.point)) < found.value for row in rows) or found.value > 1:
        raise InvariantError("cddlib returned a primal solution that is not feasible")
    if found.value < 1:
        y = found.multipliers
        combined = [sum((u * row[k] for u, row in zip(y, rows)), Fraction(0)) for k in range(len(found.point) + 1)]
        if min(y, default=Fraction(0)) < 0 or sum(y) != 1 or combined != [found.value] + [0] * len(found.point):
            raise InvariantError("cddlib returned a dual solution that does not prove the optimum")


def nonnegative_basis(columns: Sequence[Sequence[int]], target: Sequence[int]) -> list[int]:
    """Return numbers of columns that carry a basic solution of sum x_i columns_i = target, x >= 0; empty if there is none.

    >>> nonnegative_basis([(1, 0), (0, 1), (1, 1)], (2, 2))
    [2]
    """
    cdd, gmp = _library()
    n = len(columns)
    equations = [[-t, *(column[k] for column in columns)] for k, t in enumerate(target)]
    bounds = [[0, *(int(i == j) for j in range(n))] for i in range(n)]
    with _long_integers():
        matrix = gmp.matrix_from_array(equations + bounds, rep_type=cdd.RepType.INEQUALITY, lin_set=range(len(equations)),
                                       obj_type=cdd.LPObjType.MIN, obj_func=[0] + [1] * n)
        program = gmp.linprog_from_matrix(matrix)
        gmp.linprog_solve(program)
        if program.status != cdd.LPStatusType.OPTIMAL:
            return []
        return [i for i, x in enumerate(program.primal_solution) if x]
