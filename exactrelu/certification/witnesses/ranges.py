"""Bounds of pre-activations on a domain: exact intervals, over the smallest box around the domain."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

from exactrelu.arithmetic.rational import primitive_integer
from exactrelu.identifiability.symmetry_bound.activity_facts import ActivityFacts
from exactrelu.identifiability.symmetry_bound.interval_facts import Bound, Interval, affine_range, outer_intervals, preactivation_ranges
from exactrelu.network.architecture import Neuron
from exactrelu.network.integral_form import integral_form
from exactrelu.network.network import Network
from exactrelu.polyhedra.cddlib import generators
from exactrelu.polyhedra.domain import Domain

MOST_ROWS = 40
"""A polyhedron of more rows is not converted; only its rows with one coefficient are used then."""
MOST_DIMENSIONS = 6


def enclosing_intervals(domain: Domain) -> tuple[Interval, ...]:
    """Return an interval for every coordinate that contains the domain; None stands for unbounded.

    The smallest ones for polyhedra of few rows in few dimensions (by conversion), else those that single rows say.

    >>> enclosing_intervals(Domain(2, ((0, 1, 0), (0, 0, 1), (1, -1, -1))))
    ((Fraction(0, 1), Fraction(1, 1)), (Fraction(0, 1), Fraction(1, 1)))
    """
    if domain.bounding_intervals is not None or domain.dimension > MOST_DIMENSIONS or len(domain.inequalities) > MOST_ROWS:
        return outer_intervals(domain)
    found = generators(domain.integer_rows, (), domain.dimension)
    intervals = []
    for k in range(1, domain.dimension + 1):
        values = [Fraction(p[k], p[0]) for p in found.points if p[0]]
        free = any(line[k] for line in found.lines)
        low: Bound = None if free or not values or any(not p[0] and p[k] < 0 for p in found.points) else min(values)
        high: Bound = None if free or not values or any(not p[0] and p[k] > 0 for p in found.points) else max(values)
        intervals.append((low, high))
    return tuple(intervals)


def _half_spaces(intervals: Sequence[Interval]) -> Domain:
    """The product of intervals, unbounded ends left out."""
    rows = []
    for k, (low, high) in enumerate(intervals):
        unit = [Fraction(int(j == k)) for j in range(len(intervals))]
        rows += [(-low, *unit)] if low is not None else []
        rows += [(high, *(-x for x in unit))] if high is not None else []
    return Domain(len(intervals), tuple(rows))


@dataclass(frozen=True)
class Ranges:
    """Intervals that contain the pre-activations of a network on a domain, computed on first use.

    >>> Ranges(Network([[["1/2"]], [[1]]], [[1], [0]]), Domain.box(1, [(0, 2)]), ActivityFacts()).preactivation(Neuron(1, 0))
    (Fraction(1, 1), Fraction(2, 1))
    """

    network: Network
    domain: Domain
    facts: ActivityFacts

    @cached_property
    def _box(self) -> Domain:
        return _half_spaces(enclosing_intervals(self.domain))

    @cached_property
    def _integral(self) -> list[list[Interval]]:
        return preactivation_ranges(integral_form(self.network), self._box, self.facts)

    def preactivation(self, neuron: Neuron) -> Interval:
        """Return bounds of z_v on the domain, for the network's own (not the integral) form; facts included."""
        low, high = self._integral[neuron.layer - 1][neuron.index]
        scale = integral_form(self.network).scales[neuron.layer - 1][neuron.index]
        low, high = (None if low is None else low / scale), (None if high is None else high / scale)
        if neuron in self.facts.always_active:
            low = Fraction(0) if low is None else max(low, Fraction(0))
        if neuron in self.facts.dead:
            high = Fraction(0) if high is None else min(high, Fraction(0))
        return low, high

    def activations(self, layer: int) -> list[Interval]:
        """Return bounds of the activations of a layer; layer 0 is the input."""
        if layer == 0:
            return list(enclosing_intervals(self._box))
        found: list[Interval] = []
        for i in range(len(self.network.biases[layer - 1])):
            low, high = self.preactivation(Neuron(layer, i))
            found.append((Fraction(0) if low is None else max(low, Fraction(0)), None if high is None else max(high, Fraction(0))))
        return found

    def form(self, layer: int, row: Sequence[Fraction]) -> Interval:
        """Return bounds of an affine form (weights, constant last) of the activations of a layer."""
        whole = primitive_integer(row)
        factor = next((x / y for x, y in zip(row, whole) if y), Fraction(1))
        low, high = affine_range((whole[-1], *whole[:-1]), self.activations(layer))
        return None if low is None else low * factor, None if high is None else high * factor
