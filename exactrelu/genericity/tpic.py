"""TPIC and its connected form: bent hyperplanes of adjacent layers meet transversally.

TPIC: for every neuron v of layer l and w of layer l+1 some interior ridge lies on exactly these two bent hyperplanes and
all four combinations of their activities occur around it.  cTPIC: moreover every bent hyperplane is non-empty and
connected (through ridges).  Source: paper A; the reading of "c" as connected is ours.
"""

from __future__ import annotations

import numpy as np

from exactrelu.certificates.verdict import Fails, Holds, Verdict
from exactrelu.complexes.subdivision.sign_words import positive_matrix
from exactrelu.genericity.geometry import Geometry
from exactrelu.genericity.witness import NeuronWitness, PairWitness

Array = np.ndarray


def meeting_pairs(geometry: Geometry) -> Array:
    """Boolean matrix: neurons i < j have an interior ridge on exactly their two bent hyperplanes with all four activities."""
    complex_ = geometry.complex
    n, top = complex_.fan.neurons, complex_.fan.dimension
    out = np.zeros((n, n), bool)
    if top < 3 or not n:
        return out
    inside = complex_.interior(top - 2)
    ridges = inside[geometry.bent.counts[top - 2][inside] == 2]
    if not len(ridges):
        return out
    two = positive_matrix(geometry.bent.words[top - 2][ridges], 0, n)
    i, j = np.nonzero(two)[1].reshape(-1, 2).T
    if not geometry.bent.zero_count_generic:
        whole = _four_combinations(geometry, ridges, i, j)
        i, j = i[whole], j[whole]
    out[i, j] = True
    return out


def _four_combinations(geometry: Geometry, ridges: Array, i: Array, j: Array) -> Array:
    """Whether all four activities of two neurons occur on the full cells around each ridge."""
    complex_ = geometry.complex
    top = complex_.fan.dimension
    starts, owner = complex_.fan.cofacets(top - 2)
    number = np.diff(starts)[ridges]
    ends = np.cumsum(number)
    facet = owner[np.arange(int(ends[-1])) + np.repeat(starts[ridges] - ends + number, number)]
    ridge = np.repeat(np.arange(len(ridges)), number)
    at = np.searchsorted(complex_.facets, facet)
    seen = np.zeros((len(ridges), 4), bool)
    for side in complex_.sides:
        words = complex_.activity_words[side[at]]
        a = words[np.arange(len(at)), i[ridge] >> 5] >> (i[ridge] & 31).astype(np.uint64) & np.uint64(1)
        b = words[np.arange(len(at)), j[ridge] >> 5] >> (j[ridge] & 31).astype(np.uint64) & np.uint64(1)
        seen[ridge, (a + np.uint64(2) * b).astype(np.int64)] = True
    return np.asarray(seen.all(axis=1))


def tpic(geometry: Geometry) -> Verdict:
    """Return whether every pair of neurons in adjacent layers meets transversally; witness: all missing pairs."""
    architecture = geometry.complex.network.architecture
    met = meeting_pairs(geometry)
    offsets = architecture.offsets
    missing = []
    for layer in range(architecture.hidden_layers - 1):
        a, b, c = offsets[layer:layer + 3]
        for v, w in np.argwhere(~met[a:b, b:c]).tolist():
            missing.append((architecture.neuron(a + v), architecture.neuron(b + w)))
    if missing:
        return Fails(PairWitness(f"{len(missing)} pairs of adjacent layers have no transversal ridge", tuple(missing)))
    return Holds()


def connected_tpic(geometry: Geometry) -> Verdict:
    """Return whether TPIC holds and every bent hyperplane is non-empty and connected."""
    plain = tpic(geometry)
    if isinstance(plain, Fails):
        return plain
    architecture = geometry.complex.network.architecture
    bad = tuple(architecture.neuron(j) for j, count in enumerate(geometry.bent.strong_components) if count != 1)
    if bad:
        return Fails(NeuronWitness("bent hyperplanes that are empty or not connected", bad))
    return Holds()
