"""Trees of activity patterns against plain tuples of signs."""

from __future__ import annotations

import random

import numpy as np
import pytest

from exactrelu.complexes.activity import ActivityTree, activity_tree, suffix_level


def packed(signs: list[list[int]]) -> np.ndarray:
    width = -(-len(signs[0]) // 32)
    return np.array([[sum((s > 0) << j % 32 | (s < 0) << 32 + j % 32 for j, s in enumerate(row) if j // 32 == w) for w in range(width)]
                     for row in signs], np.uint64)


def is_right(tree: ActivityTree, signs: list[list[int]], offsets: tuple[int, ...]) -> None:
    """Two cells share a prefix iff they are active alike in the layers up to it."""
    for level in range(len(offsets) - 1):
        key = [tuple(s > 0 for s in row[:offsets[level + 1]]) for row in signs]
        number = tree.prefix[level].tolist()
        assert len(set(zip(key, number, strict=True))) == len(set(key)) == len(set(number))
        assert len(tree.masks[level]) == len(tree.parents[level]) == len(set(key))
        for cell, row in enumerate(signs):
            assert tree.masks[level][number[cell]].tolist() == [s > 0 for s in row[offsets[level]:offsets[level + 1]]]
            assert tree.parents[level][number[cell]] == (tree.prefix[level - 1][cell] if level else 0)
    assert tree.leaf is tree.prefix[-1]


@pytest.mark.parametrize("offsets", [(0, 1), (0, 3, 5), (0, 31, 33, 40), (0, 33, 65), (0, 2, 2 + 64)])
def test_trees(offsets: tuple[int, ...]) -> None:
    rng = random.Random(str(offsets))
    base = [[rng.randint(-1, 1) for _ in range(offsets[-1])] for _ in range(4)]
    signs = [[s if rng.random() < 0.9 else -s for s in rng.choice(base)] for _ in range(30)]
    tree = activity_tree(packed(signs), offsets)
    is_right(tree, signs, offsets)
    some = np.array(sorted(rng.sample(range(30), 7)))
    is_right(tree.restricted(some), [signs[i] for i in some.tolist()], offsets)


def test_zero_and_negative_are_both_inactive() -> None:
    tree = activity_tree(packed([[0, 1], [-1, 1], [1, 1]]), (0, 2))
    assert tree.leaf[0] == tree.leaf[1] != tree.leaf[2]


def test_suffixes_number_pairs() -> None:
    mask = np.array([[True, False], [True, False], [False, False], [True, False]])
    number, masks, suffix = suffix_level(mask, np.array([0, 1, 1, 0]))
    assert number[0] == number[3] and len(set(number.tolist())) == 3 == len(masks)
    assert masks[number].tolist() == mask.tolist() and suffix[number].tolist() == [0, 1, 1, 0]
