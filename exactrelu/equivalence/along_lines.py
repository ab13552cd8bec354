"""Two networks along a line: exact comparison of functions of one variable, in integers.

The points of a chord are the multiples of (T, X) q + (0, T v) p in homogeneous coordinates, with parameter s = p/q.  A segment or
a half of it is the cone of two vectors (q, p) of Z^2; a neuron whose form takes both signs on the cone cuts it in two, every
other neuron is active or not on all of it.  Behind the last layer the outputs are linear forms of (q, p).  No proof is kept: a
difference is shown by a point, and agreement on a line proves nothing about the domain.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from math import gcd

from exactrelu.arithmetic.rational import homogeneous_point
from exactrelu.equivalence.sample_points import Chord
from exactrelu.limits import Meter
from exactrelu.network.integral_form import IntegralForm

Pair = tuple[int, int]
"""A vector (q, p) with q >= 0, or a linear form on such vectors."""
Cone = tuple[Pair, Pair]


def difference_along(a: IntegralForm, b: IntegralForm, chord: Chord, meter: Meter) -> Fraction | None:
    """Return a parameter of the chord at which the networks have different values; None if they agree on it, or if it is a point.

    Raises:
        BudgetExceeded: more parts than the meter allows, or no time left.
    Exactness: integers.    Cost: O(parts x weights) integer operations.

    >>> from exactrelu.network.integral_form import integral_form
    >>> from exactrelu.network.network import Network
    >>> kink, zero = Network([[[1]], [[1]]], [[-5], [0]]), Network([[[0]]], [[0]])
    >>> base = (Fraction(0),)
    >>> difference_along(integral_form(kink), integral_form(zero), Chord(base, (1,), None, None), Meter())
    Fraction(6, 1)
    >>> difference_along(integral_form(kink), integral_form(zero), Chord(base, (1,), None, Fraction(5)), Meter()) is None
    True
    """
    base = homogeneous_point(chord.base)
    step = (0, *(base[0] * v for v in chord.direction))
    first, second = ([(_dot(row, base), _dot(row, step)) for row in form.rows[0]] for form in (a, b))
    parts = 0
    for cone in _cones(chord):
        for coarse, left in _pieces(a, first, base[0], cone):
            for fine, right in _pieces(b, second, base[0], coarse):
                parts += 1
                meter.cells(parts)
                meter.tick()
                for x, y in zip(left, right):
                    form = (x[0] * b.denominator - y[0] * a.denominator, x[1] * b.denominator - y[1] * a.denominator)
                    if any(form):
                        return _where_nonzero(form, fine)
    return None


def _cones(chord: Chord) -> list[Cone]:
    """The parts low <= s <= 0 and 0 <= s <= high of a chord that are more than a point (low <= 0 <= high)."""
    origin = (1, 0)
    low = (0, -1) if chord.low is None else (chord.low.denominator, chord.low.numerator)
    high = (0, 1) if chord.high is None else (chord.high.denominator, chord.high.numerator)
    return [cone for cone, length in (((low, origin), low[1]), ((origin, high), high[1])) if length]


def _pieces(form: IntegralForm, first: Sequence[Pair], scale: int, cone: Cone) -> Iterator[tuple[Cone, Sequence[Pair]]]:
    """Yield the parts of a cone on which a network is affine, and its outputs there, times D and the homogeneous coordinate."""
    stack: list[tuple[int, Sequence[Pair], tuple[bool, ...], Cone]] = [(0, first, (), cone)]
    while stack:
        layer, rows, active, (g, h) = stack.pop()
        if layer + 1 == len(form.rows):
            yield (g, h), rows
            continue
        cut = None
        for row in rows[len(active):]:
            u, v = row[0] * g[0] + row[1] * g[1], row[0] * h[0] + row[1] * h[1]
            if u < 0 < v or v < 0 < u:
                u, v = abs(u), abs(v)
                q, p = v * g[0] + u * h[0], v * g[1] + u * h[1]
                k = gcd(q, p)
                cut = (q // k, p // k)
                break
            active = (*active, u > 0 or v > 0)
        if cut is not None:
            stack += [(layer, rows, active, (cut, h)), (layer, rows, active, (g, cut))]
            continue
        on = [(j, row) for j, (row, x) in enumerate(zip(rows, active), 1) if x]
        after = [(row[0] * scale + sum([row[j] * r[0] for j, r in on]), sum([row[j] * r[1] for j, r in on]))
                 for row in form.rows[layer + 1]]
        stack.append((layer + 1, after, (), (g, h)))


def _where_nonzero(form: Pair, cone: Cone) -> Fraction:
    """A parameter inside the cone at which the form, not zero, does not vanish."""
    g, h = cone
    for k in (1, 2):                                     # the form cannot vanish at g + h and at 2 g + h
        q, p = k * g[0] + h[0], k * g[1] + h[1]
        if form[0] * q + form[1] * p:
            break
    return Fraction(p, q)


def _dot(row: Sequence[int], vector: Sequence[int]) -> int:
    return sum([a * x for a, x in zip(row, vector) if a and x])
