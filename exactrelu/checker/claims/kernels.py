"""Kernels of integer matrices, their intersections, and their cuts by coordinate hyperplanes."""

from collections.abc import Sequence
from math import gcd

from exactrelu.checker.document import Row, spend
from exactrelu.checker.linear import dot, eliminate, rank, size


def primitive(vector: Sequence[int]) -> tuple[int, ...]:
    """The vector divided by the greatest common divisor of its entries, first entry != 0 positive.

    Vectors that differ by a factor (of either sign) become equal; 0 stays 0.
    """
    divisor = gcd(*vector)
    if divisor == 0:
        return tuple(vector)
    if next(x for x in vector if x) < 0:
        divisor = -divisor
    return tuple(x // divisor for x in vector)


def kernel(rows: Sequence[Sequence[int]], columns: int) -> list[Row]:
    """A basis of {v : row . v = 0 for all rows}, primitive integer vectors of this length."""
    matrix = [list(row) for row in dict.fromkeys(map(primitive, rows))]
    pivots, pivot = eliminate(matrix, columns)
    chosen = set(pivots)
    free = [c for c in range(columns) if c not in chosen]
    basis = []
    for k, c in enumerate(free):
        vector = [0] * columns
        vector[c] = pivot
        for row, p in zip(matrix, pivots, strict=False):
            vector[p] = -row[k]
        basis.append(list(primitive(vector)))
    return basis


def cut(basis: list[Row], column: int) -> list[Row]:
    """A basis of the vectors of the span whose entry in this column is 0."""
    at = next((k for k, vector in enumerate(basis) if vector[column]), None)
    if at is None:
        return basis
    pivot = basis[at]
    spend(len(basis) * len(pivot) * 4, size(basis))
    result = []
    for k, vector in enumerate(basis):
        if k != at:
            p, q = pivot[column], vector[column]
            pairs = zip(vector, pivot, strict=True)
            result.append(list(primitive([p * x - q * y for x, y in pairs])) if q else vector)
    return result


def meet(one: list[Row], other: list[Row]) -> list[Row]:
    """A basis of the intersection of two spans (each given by a basis)."""
    relations = kernel(list(zip(*one, *other, strict=True)), len(one) + len(other))
    spend(len(relations) * sum(map(len, one)), size(one) + size(relations))
    columns = list(zip(*one, strict=True))
    return [
        list(primitive([dot(relation, column) for column in columns])) for relation in relations
    ]


def in_span(vector: Row, basis: list[Row]) -> bool:
    """The vector lies in the span of a basis."""
    return rank([*basis, vector]) == len(basis)
