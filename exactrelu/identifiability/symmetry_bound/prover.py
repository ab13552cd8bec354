"""Which neurons are dead, always active or never active together on a bounded domain: sampling proposes, boxes prove.

Goals are tried in rounds of growing budget, so that easy ones come first whatever the order; facts proved earlier
sharpen the bounds of later goals.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

import numpy as np
import numpy.typing as npt

from exactrelu.errors import BudgetExceeded
from exactrelu.identifiability.facet_pairs.affine_frame import AffineFrame, Floats, fraction_float
from exactrelu.identifiability.facet_pairs.float_network import FloatNetwork
from exactrelu.identifiability.symmetry_bound.activity_facts import ActivityFacts, NeuronPair
from exactrelu.identifiability.symmetry_bound.box_relaxation import BoxRelaxation, Ranges
from exactrelu.identifiability.symmetry_bound.branch_and_bound import BoxSearch, Goal, Outcome
from exactrelu.identifiability.symmetry_bound.interval_facts import outer_intervals
from exactrelu.limits import Meter
from exactrelu.network.architecture import Neuron
from exactrelu.polyhedra.domain import Domain

Booleans = npt.NDArray[np.bool_]

NEURON_BUDGETS = (128, 1024, 8192, 24576, 0, 0, 65536, 0)
PAIR_BUDGETS = (0, 0, 0, 0, 256, 2048, 16384, 131072)
"""Boxes for a goal in layers 1 to 3, stage by stage; a box of layer l > 3 counts as (l - 2)^2 of them."""


@dataclass(frozen=True)
class Undecided:
    """States never seen in the sample and not proved impossible.

    Attributes:
        never_active, never_inactive: neurons.  never_together: pairs (i, j) of consecutive layers.
    """

    never_active: tuple[Neuron, ...] = ()
    never_inactive: tuple[Neuron, ...] = ()
    never_together: tuple[NeuronPair, ...] = ()


def outward_float(value: Fraction, up: bool) -> float:
    """Return a float >= value (up) or <= value (down) next to it.

    >>> outward_float(Fraction(1, 3), True) > outward_float(Fraction(1, 3), False)
    True
    """
    result = fraction_float(value)
    toward = float("inf") if up else float("-inf")
    while result - result == 0 and (Fraction(result) < value if up else Fraction(result) > value):
        result = float(np.nextafter(result, toward))
    return result


def root_box(domain: Domain, frame: AffineFrame) -> tuple[Floats, Floats] | None:
    """Return a float box in frame coordinates that contains the domain, shapes (1, d); None if unbounded or flat."""
    low, high = [], []
    for k, (a, b) in enumerate(outer_intervals(domain)):
        if a is None or b is None or a >= b:
            return None
        low.append(outward_float(frame.to_frame(k, a), up=False))
        high.append(outward_float(frame.to_frame(k, b), up=True))
    box = np.array([low]), np.array([high])
    return box if np.isfinite(box[0]).all() and np.isfinite(box[1]).all() else None


def _relaxation(network: FloatNetwork, facts: ActivityFacts) -> BoxRelaxation:
    known = BoxRelaxation(network).known
    for neuron in facts.dead:
        known[neuron.layer - 1].high[0, neuron.index] = 0.0
    for neuron in facts.always_active:
        known[neuron.layer - 1].low[0, neuron.index] = 0.0
    return BoxRelaxation(network, [Ranges(ranges.low, ranges.high) for ranges in known])


def candidate_goals(offsets: tuple[int, ...], active: Booleans, facts: ActivityFacts) -> tuple[list[Goal], list[Goal]]:
    """Return the goals for neurons and for pairs that a sample, `active` of shape (H, n), does not contradict."""
    neurons, pairs = [], []
    seen_on, seen_off = np.asarray(active.any(axis=1)), np.asarray((~active).any(axis=1))
    for layer in range(1, len(offsets)):
        start, end = offsets[layer - 1], offsets[layer]
        for index in range(end - start):
            name = Neuron(layer, index)
            if name in facts.dead or name in facts.always_active:
                continue
            if not seen_on[start + index]:
                neurons.append(Goal(layer, index))
            elif not seen_off[start + index]:
                neurons.append(Goal(layer, index, sign=-1))
        if layer == 1:
            continue
        before = offsets[layer - 2]
        together = active[start:end].astype(np.float32) @ active[before:start].astype(np.float32).T
        for index, source in np.argwhere(together == 0).tolist():
            pair = Neuron(layer - 1, source), Neuron(layer, index)
            if seen_on[start + index] and seen_on[before + source] and pair not in facts.zero_pairs:
                pairs.append(Goal(layer, index, source=source))
    return neurons, pairs


def proved_facts(
    network: FloatNetwork, domain: Domain, active: Booleans, facts: ActivityFacts, meter: Meter, boxes: int
) -> tuple[ActivityFacts, Undecided]:
    """Return the facts with those that branch and bound adds within the budget, and what stayed open.

    Args:
        network: floats in a frame of the domain.
        active: activity of a sample, shape (H, n); states seen there are not tried.
        facts: facts known before.
        meter: ends the search when the time is used up.
        boxes: most boxes in all.
    """
    neurons, pairs = candidate_goals(network.offsets, active, facts)
    root = root_box(domain, network.frame)
    if root is None:
        return facts, _undecided(neurons + pairs)
    searches = [BoxSearch(goal, *root) for goal in neurons + pairs]
    try:
        for stage in range(len(NEURON_BUDGETS)):
            facts, searches, boxes = _stage(network, facts, searches, stage, meter, boxes)
    except BudgetExceeded as error:
        facts = facts.joined(error.done.pop("facts", ActivityFacts()))
    return facts, _undecided([search.goal for search in searches if _new(search.goal, facts)])


def _stage(
    network: FloatNetwork, facts: ActivityFacts, searches: list[BoxSearch], stage: int, meter: Meter, boxes: int
) -> tuple[ActivityFacts, list[BoxSearch], int]:
    """Continue every search with the budget of this stage; return facts, open searches and the boxes left."""
    relaxation, left = _relaxation(network, facts), []
    for search in searches:
        base = (NEURON_BUDGETS if search.goal.source is None else PAIR_BUDGETS)[stage]
        budget = min(base // max(1, (search.goal.layer - 2) ** 2), boxes)
        if budget <= 0:
            left.append(search)
            continue
        before = search.boxes
        outcome = search.run(relaxation, budget, meter)
        boxes -= search.boxes - before
        if outcome is Outcome.PROVED:
            facts = facts.joined(_fact(search.goal))
            meter.done["facts"] = facts
            relaxation = _relaxation(network, facts)
        elif outcome is Outcome.GAVE_UP:
            left.append(search)
    return facts, left, boxes


def _fact(goal: Goal) -> ActivityFacts:
    neuron = Neuron(goal.layer, goal.target)
    if goal.source is not None:
        return ActivityFacts(zero_pairs=frozenset([(Neuron(goal.layer - 1, goal.source), neuron)]))
    return (
        ActivityFacts(dead=frozenset([neuron])) if goal.sign > 0 else ActivityFacts(always_active=frozenset([neuron]))
    )


def _new(goal: Goal, facts: ActivityFacts) -> bool:
    fact = _fact(goal)
    return not (
        fact.dead <= facts.dead and fact.always_active <= facts.always_active and fact.zero_pairs <= facts.zero_pairs
    )


def _undecided(goals: list[Goal]) -> Undecided:
    neurons = [goal for goal in goals if goal.source is None]
    return Undecided(
        tuple(Neuron(goal.layer, goal.target) for goal in neurons if goal.sign > 0),
        tuple(Neuron(goal.layer, goal.target) for goal in neurons if goal.sign < 0),
        tuple(
            (Neuron(goal.layer - 1, goal.source), Neuron(goal.layer, goal.target))
            for goal in goals
            if goal.source is not None
        ),
    )
