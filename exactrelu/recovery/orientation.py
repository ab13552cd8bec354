"""All orientations of a layer that are compatible with linear conditions on the next one.

The rows r_i of a layer are known up to sign.  At a point x neuron i of orientation + has the activation r_i(x)^+, of
orientation - it has r_i(x)^-.  A row (c, w_1, ..., w_n) of the next layer that vanishes at points x is a vector in the
kernel of the matrix with the columns [1, r_i(x)^+, r_i(x)^-] whose coordinate on the *other* column of every neuron is 0.
So the kernel is computed once, and fixing one orientation cuts it by one coordinate; a depth-first search over the
neurons drops a partial choice as soon as some condition has no vector left.  The search meets exactly the orientations
that a trial of all 2^n would leave.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction

import numpy as np

from exactrelu.arithmetic.matrix import PRIME, independent_rows_modulo, kernel
from exactrelu.arithmetic.rational import primitive_integer
from exactrelu.complexes.integer_arrays import exact_product

Array = np.ndarray
Vector = tuple[int, ...]
Basis = list[Vector]


def tall_kernel(matrix: Array, used: list[int] | None = None) -> Basis:
    """Return a basis of the kernel of a matrix with many rows, exact.

    The kernel of rows that are independent modulo a prime is computed and then tried on all rows.
    Args:
        used: numbers of rows to start from; those that are needed besides are appended, so that the rows of these numbers
            have the kernel returned.
    Cost: one elimination modulo the prime, one exact one of at most `columns` rows, one product.

    >>> used: list[int] = []
    >>> tall_kernel(np.array([[1, 1], [2, 2], [3, 3]], dtype=object), used), used
    ([(-1, 1)], [0])
    """
    columns = matrix.shape[1]
    chosen = used if used is not None else []
    if not chosen:
        chosen += independent_rows_modulo(matrix.tolist(), PRIME)
    while True:
        basis = kernel(matrix[chosen].tolist(), columns)
        if not basis:
            return basis
        wrong = (exact_product(matrix, np.array(basis, dtype=object).T) != 0).any(axis=1)
        if not wrong.any():
            return basis
        chosen.append(int(np.argmax(wrong)))


def cut(basis: Basis, coordinate: int) -> Basis:
    """Return a basis of the vectors of the span whose coordinate is 0.

    >>> cut([(1, 1), (0, 1)], 1)
    [(-1, 0)]
    """
    at = next((k for k, v in enumerate(basis) if v[coordinate]), None)
    if at is None:
        return basis
    pivot = basis[at]
    p = pivot[coordinate]
    out = []
    for k, v in enumerate(basis):
        if k != at:
            q = v[coordinate]
            out.append(primitive_integer([p * x - q * y for x, y in zip(v, pivot)]) if q else v)
    return out


def intersection(one: Basis, two: Basis) -> Basis:
    """Return a basis of the common vectors of two spans.

    >>> intersection([(1, 0, 0), (0, 1, 0)], [(0, 1, 0), (0, 0, 1)])
    [(0, -1, 0)]
    """
    rows = [list(column) for column in zip(*one, *two)]
    found = []
    for combination in kernel(rows, len(one) + len(two)):
        found.append(primitive_integer([sum(c * v[j] for c, v in zip(combination, one)) for j in range(len(one[0]))]))
    return found


def both_columns(values: Array, scale: Array) -> Array:
    """Return the columns [t, r_1^+, r_1^-, r_2^+, ...] of points (scale t > 0), shape (points, 2 n + 1)."""
    n = values.shape[1]
    out = np.empty((len(values), 2 * n + 1), dtype=object)
    out[:, 0] = scale
    out[:, 1::2] = np.where(values > 0, values, 0)
    out[:, 2::2] = np.where(values < 0, -values, 0)
    return out


def orientations(width: int, conditions: Sequence[Basis], alive: Callable[[Basis], bool],
                 step: Callable[[], None]) -> Iterator[tuple[tuple[int, ...], list[Basis]]]:
    """Yield (signs, the bases cut accordingly) for all orientations under which every condition stays alive.

    Args:
        conditions: kernels in the coordinates of `both_columns` (further coordinates may follow).
        alive: whether a cut basis still contains a vector of the kind that is wanted; monotone.
        step: called at every node; may raise to stop.
    """
    if not all(alive(basis) for basis in conditions):
        return
    stack: list[tuple[tuple[int, ...], list[Basis]]] = [((), list(conditions))]
    while stack:
        signs, bases = stack.pop()
        step()
        if len(signs) == width:
            yield signs, bases
            continue
        k = len(signs)
        for sign in (-1, 1):
            other = 2 * k + 2 if sign > 0 else 2 * k + 1
            smaller = [cut(basis, other) for basis in bases]
            if all(alive(basis) for basis in smaller):
                stack.append(((*signs, sign), smaller))


def row_of(vector: Vector, signs: Sequence[int]) -> Vector:
    """The row (c, w_1, ..., w_n) that a vector in the coordinates of `both_columns` stands for."""
    return (vector[0], *(vector[2 * k + 1] if s > 0 else vector[2 * k + 2] for k, s in enumerate(signs)))


def has_value(basis: Basis) -> bool:
    """Whether some vector has a non-zero last coordinate: in kernels with the values of f as last column, an output exists."""
    return any(v[-1] for v in basis)


def output_row(basis: Basis, signs: Sequence[int], denominator: int) -> tuple[Fraction, ...]:
    """Return the output row (b, w_1, ..., w_n) from the one vector of a kernel whose last column holds D t f, D the denominator.

    >>> output_row([(2, 4, 0, -1)], (1,), 2)
    (Fraction(1, 1), Fraction(2, 1))
    """
    (vector,) = basis
    scale = -vector[-1] * denominator
    return tuple(Fraction(x, scale) for x in row_of(vector, signs))
