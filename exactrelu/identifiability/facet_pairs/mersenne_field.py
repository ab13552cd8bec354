"""Arrays over the field with p = 2^61 - 1 elements: exact, vectorised, as unsigned 64-bit integers.

A rank modulo p is a lower bound of the rank over Q (a minor that is non-zero modulo p is non-zero), whatever p
is; this p is the one the independent checker uses.  Elements are the canonical residues 0..p-1.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import numpy.typing as npt

from exactrelu.arithmetic.matrix import PRIME

Residues = npt.NDArray[np.uint64]

_P = np.uint64(PRIME)
_BITS = 61
_LIMB = 21
_LIMB_MASK = np.uint64((1 << _LIMB) - 1)
_HALF = np.uint64(31)
_HALF_MASK = np.uint64((1 << 31) - 1)
_LOW_MASK = np.uint64((1 << 30) - 1)
_INNER = 512


def residues(values: Iterable[int], shape: tuple[int, ...]) -> Residues:
    """Return the residues of Python integers as an array of the given shape.

    >>> residues([-1, 5], (1, 2)).tolist()
    [[2305843009213693950, 5]]
    """
    return np.array([value % PRIME for value in values], dtype=np.uint64).reshape(shape)


def _fold(x: Residues) -> Residues:
    """Return the canonical residue of any 64-bit number (x = q 2^61 + r is congruent to q + r <= p + 7)."""
    y = (x & _P) + (x >> np.uint64(_BITS))
    return np.where(y >= _P, y - _P, y)


def add(a: Residues, b: Residues) -> Residues:
    """Return a + b."""
    return _fold(a + b)


def subtract(a: Residues, b: Residues) -> Residues:
    """Return a - b."""
    return _fold(a + (_P - b))


def multiply(a: Residues, b: Residues) -> Residues:
    """Return the entrywise product.

    With a = a1 2^31 + a0 and b likewise, a1 b1 2^62 is congruent to 2 a1 b1 < 2^61; the middle m = a1 b0 + a0 b1
    is below 2^62, and m 2^31 is congruent to (m >> 30) + 2^31 (m mod 2^30); with a0 b0 < 2^62 the sum stays below 2^64.

    >>> multiply(residues([-1], (1,)), residues([-1], (1,))).tolist()
    [1]
    """
    a1, a0 = a >> _HALF, a & _HALF_MASK
    b1, b0 = b >> _HALF, b & _HALF_MASK
    middle = a1 * b0 + a0 * b1
    total = ((a1 * b1) << np.uint64(1)) + (middle >> np.uint64(30)) + ((middle & _LOW_MASK) << _HALF) + a0 * b0
    return _fold(total)


def _limbs(a: Residues) -> list[npt.NDArray[np.float64]]:
    return [((a >> np.uint64(_LIMB * k)) & _LIMB_MASK).astype(np.float64) for k in range(3)]


def _rotate(x: Residues, k: int) -> Residues:
    """Return a number congruent to x 2^k and below 2^61 + 2^k, for x < 2^61 and 0 <= k < 61."""
    if k == 0:
        return x
    return ((x << np.uint64(k)) & _P) + (x >> np.uint64(_BITS - k))


def product(a: Residues, b: Residues) -> Residues:
    """Return the matrix product, shapes (m, k) and (k, n).

    The factors are cut into three limbs of 21 bits.  A float64 sum of at most 512 products of limbs, three such
    sums added, stays below 3 * 512 * 2^42 < 2^53, so all these sums are exact, in any order of summation.
    """
    inner = a.shape[1]
    out = np.zeros((a.shape[0], b.shape[1]), dtype=np.uint64)
    for start in range(0, inner, _INNER):
        left, right = _limbs(a[:, start : start + _INNER]), _limbs(b[start : start + _INNER])
        for k in range(5):
            terms = [left[i] @ right[k - i] for i in range(3) if 0 <= k - i < 3]
            part = sum(terms[1:], terms[0]).astype(np.uint64)
            out = _fold(out + _rotate(part, _LIMB * k % _BITS))
    return out


def inverse(value: int) -> int:
    """Return the inverse of a non-zero residue."""
    return pow(int(value), -1, PRIME)
