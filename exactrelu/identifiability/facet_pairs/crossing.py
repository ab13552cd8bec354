"""From two points on different sides of a neuron to a candidate facet pair: bisection, then a small step to both sides.

Everything is floating point; the exact test decides.  A sign pattern is proposed together with each pair.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from exactrelu.identifiability.facet_pairs.affine_frame import Floats
from exactrelu.identifiability.facet_pairs.float_network import FloatNetwork
from exactrelu.identifiability.facet_pairs.interior_sample import Region

Integers = npt.NDArray[np.int64]
Booleans = npt.NDArray[np.bool_]

SEPARATION = 2.0**-19
"""Step from the facet to both points, relative to the size of the coordinates (at least 1)."""

_GRID = 2.0**-12
_BISECTIONS = 44


@dataclass(frozen=True, eq=False)
class Candidates:
    """Candidate facet pairs.

    Attributes:
        neuron: numbers 0..H-1, shape (n,).
        below, above: points on the negative and the positive side, shape (n, d).
        active: activity at `below`, shape (n, H).
    """

    neuron: Integers
    below: Floats
    above: Floats
    active: Booleans

    def __len__(self) -> int:
        return len(self.neuron)

    def take(self, chosen: Integers) -> Candidates:
        """Return the chosen candidates."""
        return Candidates(self.neuron[chosen], self.below[chosen], self.above[chosen], self.active[chosen])

    @staticmethod
    def concatenate(parts: list[Candidates]) -> Candidates:
        """Return the candidates of several lists (at least one) as one list."""
        return Candidates(
            *(
                np.concatenate([getattr(part, name) for part in parts])
                for name in ("neuron", "below", "above", "active")
            )
        )


def crossing_points(network: FloatNetwork, layer: int, index: Integers, negative: Floats, positive: Floats) -> Floats:
    """Return for each segment a point at which the neuron changes its sign, shape (n, d)."""
    low, high = np.zeros(len(index)), np.ones(len(index))
    step = positive - negative
    for _ in range(_BISECTIONS):
        middle = (low + high) / 2
        above = network.neuron(negative + middle[:, None] * step, layer, index) > 0
        high, low = np.where(above, middle, high), np.where(above, low, middle)
    return np.asarray(negative + ((low + high) / 2)[:, None] * step)


def candidates_at(
    network: FloatNetwork,
    place: Region,
    number: Integers,
    crossing: Floats,
    direction: Floats,
    separation: float = SEPARATION,
) -> Candidates:
    """Return those points crossing -/+ a small step whose float patterns differ exactly at the neuron.

    The points are rounded to a power-of-two grid, so that their exact coordinates stay short.
    """
    length = np.linalg.norm(direction, axis=1)
    length[length == 0] = 1.0
    size = 2.0 ** np.ceil(np.log2(np.maximum(1.0, np.abs(crossing).max(axis=1, initial=0.0))))
    step = (separation * size / length)[:, None] * direction
    grid = (separation * _GRID * size)[:, None]
    below, above = np.rint((crossing - step) / grid) * grid, np.rint((crossing + step) / grid) * grid
    z_below, z_above = network.preactivations(below), network.preactivations(above)
    differs = (z_below > 0) != (z_above > 0)
    good = (differs.sum(axis=1) == 1) & differs[np.arange(len(number)), number]
    good &= (z_below != 0).all(axis=1) & (z_above != 0).all(axis=1)
    good &= place.inside(below) & place.inside(above)
    kept = np.flatnonzero(good)
    return Candidates(number[kept], below[kept], above[kept], z_below[kept] > 0)


def crossing_candidates(
    network: FloatNetwork, place: Region, number: Integers, negative: Floats, positive: Floats
) -> Candidates:
    """Return candidate facet pairs on the segments from negative[p] to positive[p] for the neurons number[p]."""
    layers = np.searchsorted(network.offsets, number, side="right")
    parts = []
    for layer in range(1, network.hidden_layers + 1):
        chosen = np.flatnonzero(layers == layer)
        if not len(chosen):
            continue
        low, high = negative[chosen], positive[chosen]
        where = crossing_points(network, layer, number[chosen] - network.offsets[layer - 1], low, high)
        parts.append(candidates_at(network, place, number[chosen], where, high - low))
    if not parts:
        empty = np.zeros((0, negative.shape[1]))
        return Candidates(np.zeros(0, dtype=np.int64), empty, empty, np.zeros((0, network.offsets[-1]), dtype=bool))
    return Candidates.concatenate(parts)
