"""Exact linear algebra over the integers.

`eliminate` is the fraction-free Gauss-Jordan method: all entries stay minors of the given
matrix, so every division is exact.
"""

from collections.abc import Iterable, Sequence
from operator import mul

from exactrelu.checker.document import Row, spend


def dot(a: Iterable[int], b: Iterable[int]) -> int:
    """Scalar product; it stops at the shorter argument."""
    return sum(map(mul, a, b))


def size(rows: Iterable[Sequence[int]]) -> int:
    """Bits of the longest entry."""
    return max((max(map(abs, row), default=0) for row in rows), default=0).bit_length()


def eliminate(matrix: list[Row], columns: int) -> tuple[list[int], int]:
    """Bring the first columns of `matrix` into the form pivot * identity; change it in place.

    Returns the pivot columns and the common pivot (1 if there is none).  Afterwards row k is
    that of pivot k, rows after the last pivot row vanish on the first columns, and of every row
    only the other columns are left: those after the first ones, then those without a pivot.
    """
    pivots: list[int] = []
    previous = 1
    if matrix:
        steps = min(len(matrix), columns)
        spend(len(matrix) * len(matrix[0]) * (steps + 1), size(matrix) * steps)
    for c in range(columns):
        k = len(pivots)
        at = next((i for i in range(k, len(matrix)) if matrix[i][0]), None)
        if at is None:
            matrix[:] = [row[1:] + row[:1] for row in matrix]
            continue
        matrix[k], matrix[at] = matrix[at], matrix[k]
        pivot, *row = matrix[k]
        for i, (q, *other) in enumerate(matrix):
            if i != k:
                pairs = zip(other, row, strict=True)
                matrix[i] = [(pivot * x - q * y) // previous for x, y in pairs]
        matrix[k] = row
        previous = pivot
        pivots.append(c)
    return pivots, previous


def solve(columns: Sequence[Sequence[int]], target: Sequence[int]) -> tuple[Row, int] | None:
    """Numerators n and D != 0 with sum_i n_i/D columns[i] = target.

    None if there is no solution, and also if the columns are dependent.
    """
    r = len(columns)
    if not r:
        return None if any(target) else ([], 1)
    matrix = [[*row, t] for row, t in zip(zip(*columns, strict=True), target, strict=True)]
    pivots, pivot = eliminate(matrix, r)
    if len(pivots) < r or any(row[0] for row in matrix[r:]):
        return None
    return [row[0] for row in matrix[:r]], pivot


def rank(rows: Iterable[Sequence[int]]) -> int:
    """Rank over Q."""
    matrix = [list(row) for row in rows]
    return len(eliminate(matrix, len(matrix[0]))[0]) if matrix else 0
