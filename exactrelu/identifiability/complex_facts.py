"""Facts about the activity of neurons read off a complete complex; exact, because its full cells cover the domain."""

from __future__ import annotations

import numpy as np

from exactrelu.complexes.canonical_complex import CanonicalComplex
from exactrelu.complexes.subdivision.sign_words import positive_matrix
from exactrelu.identifiability.symmetry_bound.activity_facts import ActivityFacts


def complex_facts(complex_: CanonicalComplex) -> ActivityFacts:
    """Return dead and always-active neurons, and the pairs of neurons of adjacent layers that are never active together.

    >>> from exactrelu.network.network import Network
    >>> complex_facts(CanonicalComplex.build(Network([[[0], [1]], [[1, 1]]], [[-1, 0], [0]]))).dead
    frozenset({Neuron(layer=1, index=0)})
    """
    architecture, fan = complex_.network.architecture, complex_.fan
    words = fan.words[fan.dimension]
    if not fan.neurons:
        return ActivityFacts()
    positive = positive_matrix(words, 0, fan.neurons)
    negative = positive_matrix(words >> np.uint64(32), 0, fan.neurons)
    ever_positive, ever_negative = positive.any(axis=0), negative.any(axis=0)
    dead = [architecture.neuron(j) for j in np.flatnonzero(~ever_positive).tolist()]
    always = [architecture.neuron(j) for j in np.flatnonzero(ever_positive & ~ever_negative).tolist()]
    pairs = []
    offsets = architecture.offsets
    for a, b, c in zip(offsets, offsets[1:], offsets[2:]):
        together = np.zeros((b - a, c - b), bool)
        for j in range(a, b):
            together[j - a] = positive[positive[:, j], b:c].any(axis=0)
        for i, j in np.argwhere(~together).tolist():
            pairs.append((architecture.neuron(a + i), architecture.neuron(b + j)))
    return ActivityFacts(frozenset(dead), frozenset(always), frozenset(pairs))
