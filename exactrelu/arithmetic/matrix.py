"""Exact matrices over Q: rank, echelon form, kernel, solve.  The door to flint for dense linear algebra.

Rows are sequences of Python integers; results are Python integers (primitive where only the direction matters).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from math import gcd, lcm

from flint import fmpq_mat, fmpz_mat, nmod_mat

from exactrelu.errors import InvariantError

PRIME = (1 << 61) - 1
"""A fixed Mersenne prime: a rank modulo it is a lower bound of the rank over Q."""

Rows = Sequence[Sequence[int]]


def integer_matrix(rows: Rows, columns: int) -> fmpz_mat:
    """Return the flint matrix of integer rows (also of no rows)."""
    return fmpz_mat(len(rows), columns, [x for row in rows for x in row])


def rank(rows: Rows, columns: int) -> int:
    """Return the rank over Q.

    >>> rank([[1, 2], [2, 4]], 2)
    1
    """
    return int(integer_matrix(rows, columns).rank()) if rows and columns else 0


def rank_modulo(rows: Rows, columns: int, prime: int = PRIME) -> int:
    """Return the rank modulo a prime: at most the rank over Q.

    >>> rank_modulo([[1, 2], [2, 5]], 2)
    2
    """
    if not rows or not columns:
        return 0
    return int(nmod_mat(len(rows), columns, [x % prime for row in rows for x in row], prime).rank())


def independent_rows_modulo(rows: Rows, prime: int) -> list[int]:
    """Return the greedy list of row numbers that are independent modulo a prime.

    >>> independent_rows_modulo([[1, 2], [2, 4], [0, 1]], 7)
    [0, 2]
    """
    if not rows or not rows[0]:
        return []
    columns = len(rows[0])
    matrix = nmod_mat(columns, len(rows), [row[c] % prime for c in range(columns) for row in rows], prime)
    reduced, size = matrix.rref()
    return [next(j for j in range(i, len(rows)) if int(reduced[i, j])) for i in range(int(size))]


def kernel_modulo(rows: Rows, prime: int) -> list[list[int]]:
    """Return a basis of {v : row.v = 0 modulo the prime for all rows}, entries in [0, prime).

    >>> kernel_modulo([[1, 1]], 5)
    [[4, 1]]
    """
    columns = len(rows[0])
    vectors, nullity = nmod_mat(len(rows), columns, [x % prime for row in rows for x in row], prime).nullspace()
    return [[int(vectors[i, k]) for i in range(columns)] for k in range(int(nullity))]


def echelon(rows: Rows, columns: int) -> tuple[list[list[Fraction]], list[int]]:
    """Return the reduced row echelon form (non-zero rows) and its pivot columns.

    >>> echelon([[2, 4], [1, 2]], 2)
    ([[Fraction(1, 1), Fraction(2, 1)]], [0])
    """
    if not rows or not columns:
        return [], []
    matrix, denominator, size = integer_matrix(rows, columns).rref()
    d = int(denominator)
    table = [[Fraction(int(matrix[i, j]), d) for j in range(columns)] for i in range(size)]
    return table, [next(j for j, x in enumerate(row) if x) for row in table]


def kernel(rows: Rows, columns: int) -> list[tuple[int, ...]]:
    """Return a basis of {v : row.v = 0 for all rows} of primitive integer vectors.

    >>> kernel([[1, 1, 0]], 3)
    [(-1, 1, 0), (0, 0, 1)]
    """
    table, pivots = echelon(rows, columns)
    basis = []
    for free in (j for j in range(columns) if j not in pivots):
        scale = lcm(*(row[free].denominator for row in table)) if table else 1
        vector = [0] * columns
        vector[free] = scale
        for row, pivot in zip(table, pivots):
            vector[pivot] = -int(row[free] * scale)
        content = gcd(*vector)
        basis.append(tuple(x // content for x in vector))
    return basis


def independent_rows(rows: Rows, columns: int, before: Rows = ()) -> list[int]:
    """Return the greedy list of row numbers that are independent of `before` and of each other.

    >>> independent_rows([[1, 0], [2, 0], [0, 1]], 2)
    [0, 2]
    """
    stack = [list(row) for row in before] + [list(row) for row in rows]
    if not stack or not columns:
        return []
    transposed = [list(column) for column in zip(*stack)]
    _, pivots = echelon(transposed, len(stack))
    return [p - len(before) for p in pivots if p >= len(before)]


def solve_columns(rows: Rows, right: Iterable[Sequence[int]]) -> list[tuple[int, ...]]:
    """Return for each right-hand side b the primitive (s, x1, ..., xn), s > 0, with A x/s = b, for square regular A.

    Raises:
        InvariantError: A is singular.

    >>> solve_columns([[2, 0], [0, 3]], [[1, 1]])
    [(6, 3, 2)]
    """
    n = len(rows)
    sides = [list(b) for b in right]
    if n == 0:
        return [(1,) for _ in sides]
    matrix = fmpq_mat(integer_matrix(rows, n))
    side = fmpq_mat(fmpz_mat(n, len(sides), [b[i] for i in range(n) for b in sides]))
    try:
        solution = matrix.solve(side)
    except ZeroDivisionError:
        raise InvariantError("a matrix that must be regular is singular") from None
    out = []
    for c in range(len(sides)):
        column = [solution[i, c] for i in range(n)]
        scale = lcm(*(int(x.q) for x in column))
        out.append((scale, *(int(x.p) * (scale // int(x.q)) for x in column)))
    return out


def product(left: Rows, right: Rows, inner: int, columns: int) -> list[list[int]]:
    """Return the product of integer matrices, shapes (m, inner) and (inner, columns), by one flint product."""
    if not left:
        return []
    flat = (integer_matrix(left, inner) * integer_matrix(right, columns)).entries()
    whole = [int(x) for x in flat]
    return [whole[i * columns:(i + 1) * columns] for i in range(len(left))]
