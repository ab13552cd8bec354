"""Packed signs: one 64-bit word for 32 neurons, bit j says "positive", bit 32 + j says "negative"."""

from __future__ import annotations

import numpy as np

Array = np.ndarray
LOW = np.uint64(0xFFFFFFFF)
_PAIR = np.uint64((1 << 32) + 1)
_BITS_OF_FLAG = np.array([0, 1, 1 << 32, 0], np.uint64)


def word_count(neurons: int) -> int:
    """Number of words for that many neurons."""
    return (neurons + 31) // 32


def bits_of(flags: Array, neuron: int) -> Array:
    """Word contribution of one neuron with these flags (1 positive, 2 negative)."""
    return (_BITS_OF_FLAG << np.uint64(neuron & 31)).take(flags)


def cleared(words: Array, neuron: int) -> Array:
    """The words with both bits of the neuron cleared."""
    return words & ~(_PAIR << np.uint64(neuron & 31))


def layer_words(first: int, end: int) -> list[tuple[int, np.uint64]]:
    """(word number, mask of positive bits) covering the neurons first..end-1."""
    out = []
    for w in range(first >> 5, ((end - 1) >> 5) + 1):
        low, high = max(first - 32 * w, 0), min(end - 32 * w, 32)
        out.append((w, np.uint64((1 << high) - (1 << low))))
    return out


def positive_matrix(words: Array, first: int, end: int) -> Array:
    """Boolean matrix: neuron `first + j` is positive, shape (n, end - first)."""
    w0, w1 = first >> 5, ((end - 1) >> 5) + 1
    part = np.ascontiguousarray((words[:, w0:w1] & LOW).astype(np.uint32))
    bits = np.unpackbits(part.view(np.uint8).reshape(len(words), 4 * part.shape[1]), axis=1, bitorder="little")
    return bits[:, first - 32 * w0:end - 32 * w0].astype(bool)


def sign_matrix(words: Array, neurons: int) -> Array:
    """int8 matrix of signs -1, 0, 1, shape (n, neurons)."""
    if not neurons:
        return np.zeros((len(words), 0), np.int8)
    negative = positive_matrix(words >> np.uint64(32), 0, neurons)
    return positive_matrix(words, 0, neurons).astype(np.int8) - negative.astype(np.int8)
