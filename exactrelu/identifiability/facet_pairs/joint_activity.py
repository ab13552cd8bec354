"""Points at which two neurons of consecutive layers are both active, for pairs a sample never shows together.

Hill climbing on the smaller of both pre-activations (each relative to its typical size), from points at which one is
active and the other as large as possible.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from exactrelu.identifiability.facet_pairs.activity_sample import ActivitySample, activity, climb, perturbed
from exactrelu.identifiability.facet_pairs.affine_frame import Floats
from exactrelu.identifiability.facet_pairs.float_network import FloatNetwork
from exactrelu.identifiability.facet_pairs.interior_sample import Region

Integers = npt.NDArray[np.int64]

_MOST_PAIRS = 3000
_DRAWN = 64
_KEPT = 16
_STEPS = 120
_COPIES = 12


def never_together(sample: ActivitySample, offsets: tuple[int, ...], layer: int) -> Integers:
    """Return the pairs (index in `layer`, index in layer - 1) both seen active, but never together, shape (m, 2)."""
    upper = sample.active[offsets[layer - 1] : offsets[layer]]
    lower = sample.active[offsets[layer - 2] : offsets[layer - 1]]
    together = upper.astype(np.float32) @ lower.astype(np.float32).T
    both_seen = np.outer(upper.any(axis=1), lower.any(axis=1))
    return np.argwhere((together == 0) & both_seen)


class _Joint:
    """The objective for a list of points, each with its pair."""

    def __init__(self, network: FloatNetwork, layer: int, pairs: Integers, sizes: Floats) -> None:
        self.network, self.layer, self.pairs = network, layer, pairs
        offsets = network.offsets
        self.target_size = sizes[offsets[layer - 1] + pairs[:, 0]]
        self.source_size = sizes[offsets[layer - 2] + pairs[:, 1]]

    def __call__(self, points: Floats) -> Floats:
        source, target = self.network.edge(points, self.layer, self.pairs[:, 0], self.pairs[:, 1])
        return np.asarray(np.minimum(source / self.source_size, target / self.target_size))


def _starts(
    network: FloatNetwork, rng: np.random.Generator, sample: ActivitySample, layer: int, pairs: Integers
) -> Floats:
    """Return for every pair 2 _DRAWN points: one half with the target active, one half with the source."""
    offsets = network.offsets
    chosen: list[Integers] = []
    for target, source in pairs.tolist():
        for number in (offsets[layer - 1] + target, offsets[layer - 2] + source):
            chosen.append(rng.choice(np.flatnonzero(sample.active[number]), _DRAWN))
    return np.asarray(sample.points[np.concatenate(chosen)])


def joint_points(
    network: FloatNetwork,
    place: Region,
    rng: np.random.Generator,
    sample: ActivitySample,
    layer: int,
    pairs: Integers,
    sizes: Floats,
) -> Floats:
    """Return points at which some of the pairs are active together, and copies moved a little."""
    drawn = np.repeat(pairs, 2 * _DRAWN, axis=0)
    starts = _starts(network, rng, sample, layer, pairs)
    heights = _Joint(network, layer, drawn, sizes)(starts).reshape(len(pairs), -1)
    best = np.argsort(-heights, axis=1, kind="stable")[:, :_KEPT] + 2 * _DRAWN * np.arange(len(pairs))[:, None]
    kept = best.ravel()
    objective = _Joint(network, layer, drawn[kept], sizes)
    reached = climb(place, rng, starts[kept], objective, _KEPT, _STEPS)
    good = np.flatnonzero(objective(reached) > 0)
    if not len(good):
        return reached[:0]
    again = np.repeat(good, _COPIES)
    moved = perturbed(place, rng, reached[again], 10.0 ** rng.uniform(-5.0, -1.0, (len(again), 1)), 0.6)
    stay = _Joint(network, layer, drawn[kept][again], sizes)(moved) > 0
    return np.concatenate([reached[good], moved[stay]])


def with_joint_activity(
    network: FloatNetwork, place: Region, rng: np.random.Generator, sample: ActivitySample
) -> ActivitySample:
    """Return the sample with points for pairs of neurons that it never shows active together."""
    if network.hidden_layers < 2 or not len(sample.points):
        return sample
    some = sample.points[rng.permutation(len(sample.points))[:2048]]
    sizes = np.abs(network.preactivations(some)).mean(axis=0)
    sizes[~(sizes > 0)] = 1.0
    found = []
    for layer in range(2, network.hidden_layers + 1):
        pairs = rng.permutation(never_together(sample, network.offsets, layer))[:_MOST_PAIRS]
        for start in range(0, len(pairs), 200):
            found.append(joint_points(network, place, rng, sample, layer, pairs[start : start + 200], sizes))
    points = np.concatenate([sample.points[:0], *found])
    return sample.joined(activity(network, points)) if len(points) else sample
