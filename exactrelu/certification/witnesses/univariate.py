"""Continuous piecewise affine functions of one number t >= 0, and the fans of neurons that realize them.

A fan is sum_k C_k ReLU(w_k t + b_k) with columns C_k.  Only breaks in (0, end) count, the function is asked for on [0, end].
A neuron (1, -p, J) breaks at p with jump J and is off before; (-1, p, J) has the same jump and is off behind, so it contributes
-J to the slope before.  Hence a choice R of neurons that are off behind realizes the slopes iff sum over R of J = -(first slope).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import islice

from exactrelu.arithmetic.rational import common_denominator
from exactrelu.arithmetic.subset_sums import subset_sums
from exactrelu.certification.witnesses.candidate import added, scaled

Vector = tuple[Fraction, ...]
ZERO, ONE = Fraction(0), Fraction(1)
MOST_CHOICES = 32


@dataclass(frozen=True)
class FanNeuron:
    """ReLU(weight * t + bias) with an outgoing column."""

    weight: Fraction
    bias: Fraction
    column: Vector


@dataclass(frozen=True)
class Univariate:
    """A function of t on [0, end] (end None: no end).

    Attributes:
        start: value at 0.
        slope: slope right of 0.
        breaks: (place, jump of the slope), places increasing in (0, end), jumps not zero.
    """

    start: Vector
    slope: Vector
    breaks: tuple[tuple[Fraction, Vector], ...]

    @property
    def last_slope(self) -> Vector:
        """Slope behind the last break."""
        total = self.slope
        for _, jump in self.breaks:
            total = added(total, jump)
        return total

    def value(self, t: Fraction) -> Vector:
        """Value at t >= 0."""
        total = added(self.start, self.slope, t)
        for place, jump in self.breaks:
            if place < t:
                total = added(total, jump, t - place)
        return total

    def shifted(self, step: Fraction) -> Univariate:
        """Return t -> self(t - step) where self is constant at its start; all places must stay positive."""
        return Univariate(self.start, self.slope, tuple((place + step, jump) for place, jump in self.breaks))

    def reflected(self, end: Fraction) -> Univariate:
        """Return t -> self(max(end - t, 0)), for a function that is constant from `end` > 0 on; no break lies behind `end`."""
        last = next((jump for place, jump in self.breaks if place == end), scaled(self.slope, ZERO))
        inner = [(end - place, jump) for place, jump in reversed(self.breaks) if place < end]
        outer = [(end, self.slope)] if any(self.slope) else []     # left of 0 the function is constant, so its kink has this jump
        return Univariate(self.value(end), last, (*inner, *outer))


def fan_function(neurons: Sequence[FanNeuron], end: Fraction | None) -> Univariate:
    """Return the function of a fan on [0, end].

    >>> f = fan_function([FanNeuron(ONE, -ONE, (Fraction(3),)), FanNeuron(-ONE, Fraction(2), (Fraction(5),))], None)
    >>> [str(x) for x in (*f.start, *f.slope, f.breaks[0][0], *f.breaks[0][1], *f.last_slope)]
    ['10', '-5', '1', '3', '3']
    """
    zero = tuple(ZERO for _ in neurons[0].column)
    start, slope = zero, zero
    jumps: dict[Fraction, Vector] = {}
    for n in neurons:
        start = added(start, n.column, max(n.bias, ZERO))
        if n.bias > 0 or (n.bias == 0 and n.weight > 0):
            slope = added(slope, n.column, n.weight)
        place = -n.bias / n.weight if n.weight else ZERO
        if place > 0 and (end is None or place < end):
            jumps[place] = added(jumps.get(place, zero), n.column, abs(n.weight))
    return Univariate(start, slope, tuple((p, jumps[p]) for p in sorted(jumps) if any(jumps[p])))


def fans(function: Univariate, size: int) -> Iterator[tuple[list[FanNeuron], Vector]]:
    """Yield fans of `size` neurons and a constant whose sum is the function; spare neurons are active for all t >= 0.

    >>> f = fan_function([FanNeuron(ONE, -ONE, (Fraction(3),)), FanNeuron(-ONE, Fraction(2), (Fraction(3),))], None)
    >>> [[str(n.weight) for n in fan] for fan, _ in fans(f, 2)]
    [['1', '-1'], ['-1', '1']]
    """
    spare = size - len(function.breaks)
    if spare < 0:
        return
    zero = tuple(ZERO for _ in function.slope)
    choices: list[tuple[tuple[int, ...], Vector]] = []
    if function.breaks:
        every = [list(jump) for _, jump in function.breaks] + [list(function.slope)]
        scale = common_denominator([x for row in every for x in row])
        *table, slope = ([int(x * scale) for x in row] for row in every)
        found = subset_sums(table, [-x for x in slope])
        choices = [(chosen, zero) for chosen in sorted(islice(found or (), MOST_CHOICES))]
    elif not any(function.slope):
        choices = [((), zero)]
    if spare:                                                      # a neuron without break can carry what the others leave of the slope
        choices.append(((0,) * len(function.breaks), function.slope))
    for chosen, carried in choices:
        fan = [FanNeuron(-ONE, place, jump) if off_behind else FanNeuron(ONE, -place, jump)
               for off_behind, (place, jump) in zip(chosen, function.breaks)]
        fan += [FanNeuron(ONE, ONE, carried if k == 0 else zero) for k in range(spare)]
        constant = function.start
        for n in fan:
            constant = added(constant, n.column, -max(n.bias, ZERO))
        yield fan, constant
