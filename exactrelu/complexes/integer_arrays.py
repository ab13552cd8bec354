"""Python integers in numpy object arrays: products, signs, primitive rows.  Exact, and in machine words where that is exact."""

from __future__ import annotations

import numpy as np

Array = np.ndarray
_WORD = 1 << 62


def object_array(rows: object, shape: tuple[int, ...]) -> Array:
    """Return Python integers as an object array of this shape (also when it is empty).

    >>> object_array([[1, 2]], (1, 2)).shape
    (1, 2)
    """
    out = np.empty(shape, dtype=object)
    if out.size:
        out[...] = np.array(rows, dtype=object).reshape(shape)
    return out


def _largest(values: Array) -> int:
    return int(np.abs(values).max()) if values.size else 0


def exact_product(left: Array, right: Array) -> Array:
    """Return the product of two object arrays of integers.

    >>> exact_product(np.array([[1, 2]], dtype=object), np.array([[3], [4]], dtype=object)).tolist()
    [[11]]
    """
    if left.size and right.size and _largest(left) * _largest(right) * left.shape[1] < _WORD:
        words: Array = np.dot(left.astype(np.int64), right.astype(np.int64)).astype(object)
        return words
    found: Array = np.dot(left, right)
    return found


def sign_array(values: Array) -> Array:
    """Return the signs of integers as int8."""
    found: Array = (values > 0).astype(np.int8) - (values < 0).astype(np.int8)
    return found


def signs(rows: Array, points: Array) -> Array:
    """Return the signs of rows at homogeneous points, int8, shape (rows, points)."""
    if rows.size and points.size and _largest(rows) * _largest(points) * rows.shape[1] < _WORD:
        words: Array = np.sign(np.dot(rows.astype(np.int64), points.astype(np.int64).T)).astype(np.int8)
        return words
    return sign_array(np.dot(rows, points.T))


def primitive_rows(rows: Array) -> Array:
    """Return integer rows divided by their contents; zero rows stay.

    >>> primitive_rows(np.array([[2, -4], [0, 0]], dtype=object)).tolist()
    [[1, -2], [0, 0]]
    """
    if not rows.size:
        return rows
    content = np.abs(np.gcd.reduce(rows, axis=1))
    content[content == 0] = 1
    divided: Array = rows // content[:, None]
    return divided


def signless_rows(rows: Array) -> Array:
    """Return non-zero rows (b, a_1, ..., a_d), primitive, with the first non-zero entry of (a_1, ..., a_d, b) positive.

    >>> signless_rows(np.array([[4, -2, 6]], dtype=object)).tolist()
    [[-2, 1, -3]]
    """
    primitive = primitive_rows(rows)
    if not len(primitive):
        return primitive
    order = np.array([*range(1, rows.shape[1]), 0])
    lead = order[np.argmax(primitive[:, order] != 0, axis=1)]
    turned: Array = np.where((primitive[np.arange(len(rows)), lead] < 0)[:, None], -primitive, primitive)
    return turned
