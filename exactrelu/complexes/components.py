"""Connected components of a graph given by two arrays of ends, vectorized."""

from __future__ import annotations

import numpy as np

Array = np.ndarray


def component_labels(count: int, one: Array, two: Array) -> Array:
    """Return for every vertex 0..count-1 the smallest vertex of its component.

    Hooking to the smaller label and pointer jumping; O(log n) passes over the edges.

    >>> component_labels(4, np.array([3, 1]), np.array([1, 2])).tolist()
    [0, 1, 1, 1]
    """
    label = np.arange(count)
    if not len(one):
        return label
    while True:
        a, b = label[one], label[two]
        open_edges = a != b
        if not open_edges.any():
            return label
        a, b = a[open_edges], b[open_edges]
        np.minimum.at(label, np.maximum(a, b), np.minimum(a, b))
        while True:
            jumped = label[label]
            if (jumped == label).all():
                break
            label = jumped


def component_count(labels: Array) -> int:
    """Number of components."""
    return len(np.unique(labels))
