"""Activity patterns of full cells, layer by layer, as a tree of prefixes.

A neuron is active on a full cell when it is positive there (0 and negative are both inactive).  Cells with equal
activity in layers 1..l share one prefix of level l; every neuron of layer l+1 has one affine form on a prefix.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass

import numpy as np

from exactrelu.complexes.subdivision.sign_words import layer_words, positive_matrix

Array = np.ndarray


@dataclass(frozen=True)
class ActivityTree:
    """Distinct activity prefixes of a list of cells.

    Attributes:
        parents: for level l = 1..L the number of the prefix of level l-1 of every prefix (level 0 has the number 0).
        masks: for level l the activity of layer l, boolean, shape (prefixes, n_l).
        prefix: for level l the prefix of every cell, shape (cells,).
    """

    parents: tuple[Array, ...]
    masks: tuple[Array, ...]
    prefix: tuple[Array, ...]

    @property
    def leaf(self) -> Array:
        """The full pattern of every cell."""
        return self.prefix[-1]

    def restricted(self, cells: Array) -> ActivityTree:
        """The tree of some of the cells, prefixes renumbered."""
        parents, masks, prefix = [], [], []
        before: Array | None = None
        for level, here in enumerate(self.prefix):
            used, number = np.unique(here[cells], return_inverse=True)
            up = self.parents[level][used]
            parents.append(np.zeros(len(used), np.int64) if before is None else np.searchsorted(before, up))
            masks.append(self.masks[level][used])
            prefix.append(number.ravel())
            before = used
        return ActivityTree(tuple(parents), tuple(masks), tuple(prefix))


def activity_tree(words: Array, offsets: tuple[int, ...]) -> ActivityTree:
    """Return the tree of the cells with these packed signs.

    Args:
        words: shape (cells, words).
        offsets: first neuron of every hidden layer, and H.
    """
    parents, masks, prefixes = [], [], []
    prefix = np.zeros(len(words), np.int64)
    for first, end in itertools.pairwise(offsets):
        spans = layer_words(first, end)
        key = np.stack([prefix.astype(np.uint64)] + [words[:, w] & mask for w, mask in spans], axis=1)
        order = np.lexsort(key.T[::-1])
        ordered = key[order]
        new = np.ones(len(order), bool)
        new[1:] = (ordered[1:] != ordered[:-1]).any(axis=1)
        number = np.empty(len(order), np.int64)
        number[order] = np.cumsum(new) - 1
        distinct = ordered[new]
        parents.append(distinct[:, 0].astype(np.int64))
        full = np.zeros((len(distinct), spans[-1][0] + 1), np.uint64)
        full[:, spans[0][0]:] = distinct[:, 1:]
        masks.append(positive_matrix(full, first, end))
        prefix = number
        prefixes.append(number)
    return ActivityTree(tuple(parents), tuple(masks), tuple(prefixes))


def suffix_level(mask: Array, suffix: Array) -> tuple[Array, Array, Array]:
    """Number the pairs (mask row, suffix); return number per cell, mask per number, suffix per number."""
    packed = np.packbits(mask, axis=1)
    key = np.concatenate([packed, suffix[:, None].view(np.uint8).reshape(len(suffix), -1)], axis=1)
    flat = np.ascontiguousarray(key).view(np.dtype((np.void, key.shape[1]))).ravel()
    _, first, number = np.unique(flat, return_index=True, return_inverse=True)
    return number.ravel(), mask[first], suffix[first]
