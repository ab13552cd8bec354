"""Residues modulo 24-bit primes, carried exactly in float64 so that BLAS multiplies them.

"Not zero" is certified by one residue; "zero" by residues modulo so many primes that their product exceeds twice
a bound of the number.  Balanced residues have modulus < 2^23, so a sum of 64 products stays below 2^52: exact.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

Array = np.ndarray
INNER = 64
"""Longest sum of products of balanced residues: it stays below 2^52, see `balanced`."""


def _primes_below(bound: int, count: int) -> list[int]:
    """The `count` largest primes below `bound`, by a sieve of the last numbers."""
    root = int(bound**0.5) + 1
    small = np.ones(root + 1, bool)
    small[:2] = False
    for i in range(2, int(root**0.5) + 1):
        if small[i]:
            small[i * i::i] = False
    width = 40 * count + 2000
    window = np.ones(width, bool)
    low = bound - width
    for p in np.flatnonzero(small).tolist():
        window[-low % p::p] = False
    return [low + int(i) for i in np.flatnonzero(window)[::-1][:count]]


_PRIMES: list[int] = []


def primes(count: int) -> list[int]:
    """The largest `count` primes below 2^24, decreasing."""
    if len(_PRIMES) < count:
        _PRIMES[:] = _primes_below(1 << 24, max(2 * count, 64))
    return _PRIMES[:count]


def enough_primes(bits: int) -> list[int]:
    """Primes whose product exceeds 2^(bits + 1): an integer of that many bits that vanishes modulo all of them is 0."""
    return primes((bits + 1) // 23 + 1)


def balanced(values: Array, prime: int) -> Array:
    """The balanced residues (|r| <= (p-1)/2) of integers |x| <= 2^52 held in float64; they are canonical.

    |x/p| < 2^29, and below 2^28 (1 + 2^-10), so the quotient is rounded with an error of at most 2^-25 < 1/(2p); it differs
    from every half integer by at least 1/(2p), as p is odd.  So rint takes the integer k nearest to x/p, and k p and
    x - k p are integers below 2^53, hence exact.  (Up to 2^53 this would be false: the error can reach 2^-24.)
    """
    out: Array = values - prime * np.rint(values / prime)
    return out


def residues(rows: Sequence[Sequence[int]], prime: int) -> Array:
    """Balanced residues of Python integers, shape of `rows`."""
    half = prime // 2
    return np.array([[float((x + half) % prime - half) for x in row] for row in rows]).reshape(len(rows), -1)


def modular_product(left: Array, right: Array, prime: int) -> Array:
    """Balanced residues of left @ right, both balanced; the inner dimension is cut into blocks of at most `INNER`."""
    inner = left.shape[-1]
    if inner <= INNER:
        return balanced(left @ right, prime)
    total = np.zeros((*left.shape[:-1], right.shape[-1]))
    for s in range(0, inner, INNER):
        total += balanced(left[..., s:s + INNER] @ right[s:s + INNER], prime)
    return balanced(total, prime)
