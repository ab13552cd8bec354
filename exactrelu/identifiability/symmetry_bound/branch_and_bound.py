"""Branch and bound over input boxes: proofs that a neuron, or a pair of neurons, is never active.

A box is closed when a certified upper bound is <= 0; other boxes are cut in two at a float, which is exact.  The root
box contains the domain.  A proof is complete when no box is left.

A statement that holds with equality somewhere (z <= 0, and z = 0 at a point of the box) is out of reach, since
certified bounds exceed the true maximum by the error bound; exact intervals or a complete complex decide such cases.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum

import numpy as np

from exactrelu.identifiability.facet_pairs.affine_frame import Floats
from exactrelu.identifiability.facet_pairs.float_network import FloatNetwork
from exactrelu.identifiability.symmetry_bound.box_relaxation import BoxRelaxation, Ranges
from exactrelu.limits import Meter

_BATCH = 128


class Outcome(Enum):
    """How a search ended."""

    PROVED = "proved"
    SEEN = "a point (in floats) contradicts it"
    GAVE_UP = "budget used up"


@dataclass(frozen=True)
class Goal:
    """The statement: nowhere on the domain sign * z_target > 0 (and z_source > 0, if there is a source).

    Attributes:
        layer: layer of the target.  target: index in it.  sign: 1, or -1 to prove that a neuron is always active.
        source: index of a neuron of layer - 1, or None.
    """

    layer: int
    target: int
    sign: int = 1
    source: int | None = None


@dataclass(eq=False)
class BoxSearch:
    """The boxes of one goal that are still open; can be continued with more budget.

    Attributes:
        low, high: the open boxes, shape (boxes, d).  boxes: number of boxes bounded so far.
    """

    goal: Goal
    low: Floats
    high: Floats
    boxes: int = field(default=0)

    def run(self, relaxation: BoxRelaxation, budget: int, meter: Meter) -> Outcome:
        """Bound at most `budget` more boxes."""
        end = self.boxes + budget
        while len(self.low):
            if self.boxes >= end:
                return Outcome.GAVE_UP
            meter.tick()
            low, high = self.low[-_BATCH:], self.high[-_BATCH:]
            self.low, self.high = self.low[:-_BATCH], self.high[:-_BATCH]
            self.boxes += len(low)
            still_open = ~_closed(relaxation, self.goal, low, high)
            low, high = low[still_open], high[still_open]
            if not len(low):
                continue
            if _seen(relaxation.network, self.goal, (low + high) / 2):
                self.low, self.high = np.concatenate([self.low, low]), np.concatenate([self.high, high])
                return Outcome.SEEN
            if not self._split(relaxation.network, low, high):
                return Outcome.GAVE_UP
        return Outcome.PROVED

    def _split(self, network: FloatNetwork, low: Floats, high: Floats) -> bool:
        """Cut every box where width times mean |first-layer weight| is largest; False if a box cannot be cut."""
        axis = np.argmax((high - low) * np.abs(network.weights[0]).mean(axis=0), axis=1)
        rows = np.arange(len(low))
        middle = (low[rows, axis] + high[rows, axis]) / 2
        left_high, right_low = high.copy(), low.copy()
        left_high[rows, axis] = right_low[rows, axis] = middle
        self.low, self.high = np.concatenate([self.low, low, right_low]), np.concatenate([self.high, left_high, high])
        return bool(((low[rows, axis] < middle) & (middle < high[rows, axis])).all())


def _closed(
    relaxation: BoxRelaxation, goal: Goal, low: Floats, high: Floats
) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
    """Return on which boxes the statement is certified."""
    ranges = relaxation.ranges(low, high, goal.layer - 1)
    empty = np.zeros(len(low), dtype=bool)
    if goal.source is not None:
        last = ranges[-1]
        empty = last.high[:, goal.source] <= 0
        raised = last.low.copy()
        raised[:, goal.source] = np.maximum(raised[:, goal.source], 0.0)
        ranges[-1] = Ranges(raised, last.high)
    functional = np.zeros((1, 1, len(relaxation.network.biases[goal.layer - 1])))
    functional[0, 0, goal.target] = goal.sign
    bound = relaxation.upper(low, high, ranges, functional, goal.source).min(axis=1)
    return np.asarray(empty | (bound <= 0))


def _seen(network: FloatNetwork, goal: Goal, points: Floats) -> bool:
    index = np.full(len(points), goal.target)
    sources = None if goal.source is None else np.full(len(points), goal.source)
    source, target = network.edge(points, goal.layer, index, sources)
    return bool(((goal.sign * target > 0) & (source > 0)).any())
