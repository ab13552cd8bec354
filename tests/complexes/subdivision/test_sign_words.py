"""Packed signs against plain lists, around the word boundaries."""

from __future__ import annotations

import random

import numpy as np
import pytest

from exactrelu.complexes.subdivision.sign_words import bits_of, cleared, layer_words, positive_matrix, sign_matrix, word_count

COUNTS = [1, 31, 32, 33, 63, 64, 65, 97]


def packed(signs: list[list[int]]) -> np.ndarray:
    """Words by the definition: bit j of word j // 32 positive, bit 32 + j negative."""
    width = -(-len(signs[0]) // 32)
    out = [[0] * width for _ in signs]
    for row, words in zip(signs, out, strict=True):
        for j, s in enumerate(row):
            words[j // 32] |= (s > 0) << j % 32 | (s < 0) << 32 + j % 32
    return np.array(out, np.uint64)


def random_signs(neurons: int) -> list[list[int]]:
    rng = random.Random(neurons)
    return [[1] * neurons, [-1] * neurons, [0] * neurons, *([rng.randint(-1, 1) for _ in range(neurons)] for _ in range(6))]


@pytest.mark.parametrize("neurons", COUNTS)
def test_sign_matrix(neurons: int) -> None:
    signs = random_signs(neurons)
    assert word_count(neurons) == packed(signs).shape[1]
    found = sign_matrix(packed(signs), neurons)
    assert found.tolist() == signs and found.dtype == np.int8


@pytest.mark.parametrize("neurons", COUNTS)
def test_words_are_built_neuron_by_neuron(neurons: int) -> None:
    signs = random_signs(neurons)
    words = np.zeros((len(signs), word_count(neurons)), np.uint64)
    for j in range(neurons):
        flags = np.array([1 if row[j] > 0 else 2 if row[j] < 0 else 0 for row in signs], np.uint8)
        words[:, j >> 5] |= bits_of(flags, j)
    assert (words == packed(signs)).all()


@pytest.mark.parametrize("neurons", COUNTS)
def test_clearing_one_neuron(neurons: int) -> None:
    signs = random_signs(neurons)
    for j in {0, neurons // 2, neurons - 1}:
        words = packed(signs)
        words[:, j >> 5] = cleared(words[:, j >> 5], j)
        assert sign_matrix(words, neurons).tolist() == [[0 if i == j else s for i, s in enumerate(row)] for row in signs]


@pytest.mark.parametrize("first, end", [(0, 1), (0, 32), (0, 33), (5, 20), (31, 33), (32, 64), (31, 65), (63, 64), (64, 65), (1, 97)])
def test_layers(first: int, end: int) -> None:
    signs = random_signs(97)
    words = packed(signs)
    assert positive_matrix(words, first, end).tolist() == [[s > 0 for s in row[first:end]] for row in signs]
    covered = [32 * w + j for w, mask in layer_words(first, end) for j in range(64) if int(mask) >> j & 1]
    assert covered == list(range(first, end))


def test_no_neurons() -> None:
    assert word_count(0) == 0
    assert sign_matrix(np.zeros((3, 0), np.uint64), 0).shape == (3, 0)
