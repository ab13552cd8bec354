"""Hill climbing along a facet: points of z_j = 0 at which a given neuron i of the layer below is active.

A column i of A_j needs a facet pair of j with i active.  Where segments between sample points do not meet such a
facet, the walk moves a point along z_j = 0 (two random neighbors on different sides, then regula falsi between
them) and keeps the moves that increase z_i.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from exactrelu.identifiability.facet_pairs.activity_sample import perturbed, random_scales
from exactrelu.identifiability.facet_pairs.affine_frame import Floats
from exactrelu.identifiability.facet_pairs.crossing import Candidates, candidates_at
from exactrelu.identifiability.facet_pairs.float_network import FloatNetwork
from exactrelu.identifiability.facet_pairs.interior_sample import Region

Integers = npt.NDArray[np.int64]

_FALSI_STEPS = 10


@dataclass(frozen=True, eq=False)
class Climbers:
    """Points on z_j = 0, each with its neuron j of one layer and its neuron i of the layer below.

    Attributes:
        layer: the layer of j.
        target, source: indices of j and i within their layers, shape (n,).
        points, directions: a point of z_j = 0 and a direction that crosses it, shape (n, d).
        height: z_i, shape (n,).
    """

    layer: int
    target: Integers
    source: Integers
    points: Floats
    directions: Floats
    height: Floats

    def take(self, chosen: Integers) -> Climbers:
        """Return the chosen climbers."""
        return Climbers(
            self.layer,
            self.target[chosen],
            self.source[chosen],
            self.points[chosen],
            self.directions[chosen],
            self.height[chosen],
        )


def false_position(network: FloatNetwork, layer: int, target: Integers, first: Floats, second: Floats) -> Floats:
    """Return points near z_j = 0 on segments whose ends lie on different sides (the Illinois method)."""
    low, high = np.zeros(len(target)), np.ones(len(target))
    f_low, f_high = network.neuron(first, layer, target), network.neuron(second, layer, target)
    middle = low
    for _ in range(_FALSI_STEPS):
        gap = f_high - f_low
        middle = np.clip(
            np.where(gap != 0, (low * f_high - high * f_low) / np.where(gap != 0, gap, 1.0), low), 0.0, 1.0
        )
        value = network.neuron(first + middle[:, None] * (second - first), layer, target)
        same_high = (value > 0) == (f_high > 0)
        f_low, f_high = np.where(same_high, f_low / 2, value), np.where(same_high, value, f_high / 2)
        low, high = np.where(same_high, low, middle), np.where(same_high, middle, high)
    return np.asarray(first + middle[:, None] * (second - first))


def climbers_on(
    network: FloatNetwork, layer: int, target: Integers, source: Integers, negative: Floats, positive: Floats
) -> Climbers:
    """Return climbers at the crossings of the segments from negative to positive."""
    points = false_position(network, layer, target, negative, positive)
    height, _ = network.edge(points, layer, target, source)
    return Climbers(layer, target, source, points, positive - negative, height)


def best_of_each(climbers: Climbers, keep: int) -> Climbers:
    """Return for every pair (j, i) the `keep` highest climbers."""
    order = np.lexsort((-climbers.height, climbers.source, climbers.target))
    key = np.stack([climbers.target[order], climbers.source[order]])
    fresh = np.append(True, (key[:, 1:] != key[:, :-1]).any(axis=0)) if len(order) else np.zeros(0, dtype=bool)
    start = np.maximum.accumulate(np.where(fresh, np.arange(len(order)), 0))
    return climbers.take(order[np.arange(len(order)) - start < keep])


def climbed(network: FloatNetwork, place: Region, rng: np.random.Generator, climbers: Climbers, steps: int) -> Climbers:
    """Return the climbers after random moves along z_j = 0, each kept where it increases z_i."""
    for step in range(steps):
        scale = random_scales(rng, len(climbers.points), step)
        first = perturbed(place, rng, climbers.points, scale, 0.6)
        second = perturbed(place, rng, climbers.points, scale, 0.6)
        side = network.neuron(first, climbers.layer, climbers.target) > 0
        apart = np.flatnonzero(side != (network.neuron(second, climbers.layer, climbers.target) > 0))
        moved = climbers_on(
            network,
            climbers.layer,
            climbers.target[apart],
            climbers.source[apart],
            np.where(side[apart, None], second[apart], first[apart]),
            np.where(side[apart, None], first[apart], second[apart]),
        )
        better = moved.height > climbers.height[apart]
        chosen = apart[better]
        points, directions, height = climbers.points.copy(), climbers.directions.copy(), climbers.height.copy()
        points[chosen], directions[chosen], height[chosen] = (
            moved.points[better],
            moved.directions[better],
            moved.height[better],
        )
        climbers = Climbers(climbers.layer, climbers.target, climbers.source, points, directions, height)
    return climbers


def column_candidates(network: FloatNetwork, place: Region, climbers: Climbers) -> Candidates:
    """Return candidate facet pairs at the climbers that reached z_i > 0."""
    up = climbers.take(np.flatnonzero(climbers.height > 0))
    number = up.target + network.offsets[climbers.layer - 1]
    return candidates_at(network, place, number, up.points, up.directions)
