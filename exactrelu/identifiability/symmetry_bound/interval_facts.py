"""Facts about activity by exact interval arithmetic; intervals may be unbounded.

For domains without bounds this is all that is deduced: for instance a neuron of a later layer with bias <= 0 and
weights <= 0 is dead, because activations are >= 0.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from exactrelu.identifiability.symmetry_bound.activity_facts import ActivityFacts
from exactrelu.network.architecture import Neuron
from exactrelu.network.integral_form import IntegralForm
from exactrelu.polyhedra.domain import Domain

Bound = Fraction | None
Interval = tuple[Bound, Bound]

NOTHING = ActivityFacts()
"""No facts."""


def outer_intervals(domain: Domain) -> tuple[Interval, ...]:
    """Return an interval for every coordinate that contains the domain, read off the rows with one coefficient.

    >>> outer_intervals(Domain(2, [(1, 1, 0), (0, 1, 1)]))
    ((Fraction(-1, 1), None), (None, None))
    """
    low: list[Bound] = [None] * domain.dimension
    high: list[Bound] = [None] * domain.dimension
    for b, *a in domain.inequalities:
        support = [k for k, x in enumerate(a) if x]
        if len(support) != 1:
            continue
        k = support[0]
        end = -b / a[k]
        if a[k] > 0:
            before = low[k]
            low[k] = end if before is None else max(before, end)
        else:
            before = high[k]
            high[k] = end if before is None else min(before, end)
    return tuple(zip(low, high))


def affine_range(row: Sequence[int], intervals: Sequence[Interval]) -> Interval:
    """Return the range of b + w.x for x in a product of intervals; None stands for unbounded.

    >>> affine_range((1, 2, -1), [(Fraction(0), None), (Fraction(0), Fraction(3))])
    (Fraction(-2, 1), None)
    """
    low: Bound = Fraction(row[0])
    high: Bound = Fraction(row[0])
    for w, (a, b) in zip(row[1:], intervals):
        if w:
            first, second = (a, b) if w > 0 else (b, a)
            low = None if low is None or first is None else low + w * first
            high = None if high is None or second is None else high + w * second
    return low, high


def preactivation_ranges(form: IntegralForm, domain: Domain, known: ActivityFacts = NOTHING) -> list[list[Interval]]:
    """Return for every hidden neuron an interval that contains its pre-activation (integral form) on the domain."""
    intervals: Sequence[Interval] = outer_intervals(domain)
    out = []
    for layer, rows in enumerate(form.hidden, 1):
        ranges = [affine_range(row, intervals) for row in rows]
        out.append(ranges)
        zero = Fraction(0)
        intervals = [
            (zero if low is None else max(low, zero), None if high is None else max(high, zero))
            if Neuron(layer, index) not in known.dead
            else (zero, zero)
            for index, (low, high) in enumerate(ranges)
        ]
    return out


def interval_facts(form: IntegralForm, domain: Domain, known: ActivityFacts = NOTHING) -> ActivityFacts:
    """Return the neurons that exact intervals prove dead or always active (given facts known before)."""
    dead, active = [], []
    for layer, ranges in enumerate(preactivation_ranges(form, domain, known), 1):
        for index, (low, high) in enumerate(ranges):
            if high is not None and high <= 0:
                dead.append(Neuron(layer, index))
            elif low is not None and low >= 0:
                active.append(Neuron(layer, index))
    return ActivityFacts(frozenset(dead), frozenset(active)).joined(known)
