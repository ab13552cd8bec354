"""A sample of points with the activity of every neuron, enriched where neurons are rarely active or inactive.

Enrichment for a rare state: hill climbing on the pre-activation from the best points until some reach the state,
then a random walk inside it.  It finds neurons that uniform samples miss.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from exactrelu.identifiability.facet_pairs.affine_frame import Floats
from exactrelu.identifiability.facet_pairs.float_network import CHUNK, FloatNetwork
from exactrelu.identifiability.facet_pairs.interior_sample import Region, sample_points

Booleans = npt.NDArray[np.bool_]
Objective = Callable[[Floats], Floats]

RARE = 0.01
_CLIMB_STARTS = 20_000
_CLIMB_POINTS = 300
_CLIMB_STEPS = 160
_WALK_STEPS = 8


@dataclass(frozen=True, eq=False)
class ActivitySample:
    """Points inside the domain and which neurons are active there.

    Attributes:
        points: shape (n, d), frame coordinates.
        active: shape (H, n).
    """

    points: Floats
    active: Booleans

    def joined(self, other: ActivitySample) -> ActivitySample:
        """Return both samples together."""
        return ActivitySample(
            np.concatenate([self.points, other.points]), np.concatenate([self.active, other.active], axis=1)
        )


def activity(network: FloatNetwork, points: Floats) -> ActivitySample:
    """Return the points with their activity."""
    active = np.empty((network.offsets[-1], len(points)), dtype=bool)
    for start in range(0, len(points), CHUNK):
        part = points[start : start + CHUNK]
        active[:, start : start + CHUNK] = network.preactivations(part).T > 0
    return ActivitySample(points, active)


def moved_inside(place: Region, points: Floats, steps: Floats) -> Floats:
    """Return points + steps, cut at the bounds; where the other inequalities fail, the point itself."""
    width = place.high - place.low
    margin = np.where(np.isfinite(width), width, 1.0) * 2.0**-24
    moved = np.clip(points + steps, place.low + margin, place.high - margin)
    return np.where(place.inside(moved)[:, None], moved, points)


def perturbed(place: Region, rng: np.random.Generator, points: Floats, scale: Floats | float, share: float) -> Floats:
    """Return the points moved by Gaussian steps in a random share of their coordinates, back inside bounds.

    Steps are relative to the width of the domain, or to the size of the point in unbounded directions.
    """
    noise = rng.standard_normal(points.shape) * (rng.random(points.shape) < share)
    width, size = place.high - place.low, 2.0 * np.maximum(1.0, np.abs(points).max(axis=1, initial=0.0))
    return moved_inside(place, points, scale * np.where(np.isfinite(width), width, size[:, None]) * noise)


def random_scales(rng: np.random.Generator, count: int, step: int) -> Floats:
    """Return relative step lengths, shrinking with the number of the step, one for every point, shape (count, 1)."""
    return np.asarray(0.3 * 0.95**step * 10.0 ** rng.uniform(-1.5, 0.0, (count, 1)))


def climb(
    place: Region, rng: np.random.Generator, points: Floats, objective: Objective, group: int, steps: int
) -> Floats:
    """Return points moved by steps that increase the objective.

    The points come in groups of `group` neighbors in the list.  Every second step is a random one that shrinks with
    time, the others are multiples of the difference of two members of the group (differential evolution), which
    adapts to long and narrow regions.
    """
    best = objective(points)
    first = np.arange(len(points)) // group * group
    for step in range(steps):
        if step % 2 and group > 3:
            a, b = first + rng.integers(0, group, len(points)), first + rng.integers(0, group, len(points))
            trial = moved_inside(place, points, rng.uniform(0.3, 1.2, (len(points), 1)) * (points[a] - points[b]))
        else:
            trial = perturbed(place, rng, points, random_scales(rng, len(points), step // 2), 0.5)
        value = objective(trial)
        better = value > best
        points, best = np.where(better[:, None], trial, points), np.where(better, value, best)
    return points


def walk(place: Region, rng: np.random.Generator, seeds: Floats, objective: Objective, goal: int) -> Floats:
    """Return at most 2 goal points with positive objective, reached from seeds with positive objective."""
    found = seeds
    for _ in range(_WALK_STEPS):
        if len(found) >= goal:
            break
        chosen = found[rng.integers(0, len(found), 2 * goal)]
        trial = perturbed(place, rng, chosen, 10.0 ** rng.uniform(-3.0, -0.3, (len(chosen), 1)), 0.6)
        found = np.concatenate([found, trial[objective(trial) > 0][:goal]])
    return found[: 2 * goal]


def _rare_points(
    network: FloatNetwork,
    place: Region,
    rng: np.random.Generator,
    sample: ActivitySample,
    number: int,
    wanted: bool,
    goal: int,
) -> Floats:
    """Return points at which neuron `number` has the wanted, rare state; possibly none."""
    layer = int(np.searchsorted(network.offsets, number, side="right"))
    index, sign = number - network.offsets[layer - 1], 1.0 if wanted else -1.0

    def objective(points: Floats) -> Floats:
        return np.asarray(sign * network.neuron(points, layer, np.full(len(points), index)))

    seeds = sample.points[sample.active[number] == wanted]
    if not len(seeds):
        start = sample.points[rng.permutation(len(sample.points))[:_CLIMB_STARTS]]
        best = np.argsort(-objective(start), kind="stable")[:_CLIMB_POINTS]
        points = start[best]
        seeds = climb(place, rng, points, objective, len(points), _CLIMB_STEPS)
        seeds = seeds[objective(seeds) > 0]
        if not len(seeds):
            return seeds
    return walk(place, rng, seeds, objective, goal)


def enriched(
    network: FloatNetwork, place: Region, rng: np.random.Generator, sample: ActivitySample, goal: int
) -> ActivitySample:
    """Return the sample with extra points for every state seen at fewer than 1 % of the points."""
    if not len(sample.points):
        return sample
    share = sample.active.mean(axis=1)
    extra = []
    for number in np.flatnonzero((share < RARE) | (share > 1 - RARE)):
        extra.append(_rare_points(network, place, rng, sample, int(number), bool(share[number] < 0.5), goal))
    found = [points for points in extra if len(points)]
    return sample.joined(activity(network, np.concatenate(found))) if found else sample


def activity_sample(network: FloatNetwork, place: Region, rng: np.random.Generator, count: int) -> ActivitySample:
    """Return an enriched sample of about `count` points."""
    first = activity(network, sample_points(place, rng, count))
    return enriched(network, place, rng, first, max(64, count // 50))
