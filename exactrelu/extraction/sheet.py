"""Sheets of breaks seen along a line: their hyperplanes and jumps, exact.

At a generic point of the breakpoint set of f the gradient (rows: outputs) jumps by c n^T across one hyperplane b + n.x = 0.  Both
gradients are read from 2d + 1 values around a point of the line on either side, one further value confirms them.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from random import Random

from exactrelu.arithmetic.rational import signless_row
from exactrelu.extraction.line_breakpoints import Breakpoint, Line, NotAffineHere, Value, line_breakpoints, simple_between
from exactrelu.extraction.oracle import Oracle, Point
from exactrelu.extraction.region import Region, moved, slope_of

Gradient = tuple[Value, ...]
"""One row an output, shape (m, d)."""
Row = tuple[int, ...]

MOST_SHRINKINGS = 20


@dataclass(frozen=True)
class Germ:
    """f near a point where it is affine: value and gradient."""

    point: Point
    value: Value
    gradient: Gradient


@dataclass(frozen=True)
class Sheet:
    """A break of f at a point: gradient on the positive side of `row` minus that on the negative side = column (x) normal.

    Attributes:
        row: primitive (b, n) of the hyperplane, sign as `signless_row`.
        column: c, shape (m,), not zero.
    """

    point: Point
    row: Row
    column: Value


@dataclass(frozen=True)
class Scan:
    """Everything read along x = point + t direction, low <= t <= high.

    Attributes:
        breaks: breakpoints in order.
        germs: f inside each of the intervals between them, one more than breaks.
        sheets: one a breakpoint.
    """

    point: Point
    direction: Point
    breaks: tuple[Breakpoint, ...]
    germs: tuple[Germ, ...]
    sheets: tuple[Sheet, ...]


def germ_at(oracle: Oracle, region: Region, point: Point, step: Fraction, rng: Random) -> Germ:
    """Return value and gradient of f at a point inside, by central differences that agree.

    Args:
        step: first step that is tried; divided by 4 until both sides agree.
    Raises:
        NotAffineHere: they never agree.
    """
    room = region.room(point)
    step = step if room is None else min(step, room / 2)
    value, d = oracle(point), region.dimension
    for _ in range(MOST_SHRINKINGS):
        slopes = _central(oracle, point, value, step)
        if slopes is not None:
            u = tuple(Fraction(rng.randint(-99, 99), 100 * d) for _ in range(d))
            expected = tuple(v + step * sum((s[k] * x for s, x in zip(slopes, u)), Fraction(0)) for k, v in enumerate(value))
            if oracle(moved(point, u, step)) == expected:
                return Germ(point, value, tuple(zip(*slopes)))
        step /= 4
    raise NotAffineHere("values around a point are not affine at any scale")


def _central(oracle: Oracle, point: Point, value: Value, step: Fraction) -> list[Value] | None:
    """The partial derivatives, shape (d, m), or None if the two sides of the point differ."""
    slopes = []
    for j in range(len(point)):
        after = oracle((*point[:j], point[j] + step, *point[j + 1:]))
        before = oracle((*point[:j], point[j] - step, *point[j + 1:]))
        if any(x + y != 2 * v for x, y, v in zip(after, before, value)):
            return None
        slopes.append(tuple((x - v) / step for x, v in zip(after, value)))
    return slopes


def scan(oracle: Oracle, region: Region, point: Point, direction: Point, most: int | None = None) -> Scan:
    """Return the breaks of f along the chord through a point, with their hyperplanes and jumps.

    Args:
        most: more breaks on a line contradict the promise.
    Raises:
        NotAffineHere: f does not look piecewise affine on this line, or two sheets cross on it, or there are more breaks.
    """
    low, high = region.chord(point, direction)
    rng = region.random
    breaks = line_breakpoints(lambda t: oracle(moved(point, direction, t)), low, high, rng, most)
    germs = []
    edges = [low, *(b.at for b in breaks), high]
    for a, b in zip(edges, edges[1:]):
        t = simple_between(a, b, rng)
        germs.append(germ_at(oracle, region, moved(point, direction, t), (b - a) / 8, rng))
    for k, break_ in enumerate(breaks):
        if not (_fits(break_.left, germs[k], direction) and _fits(break_.right, germs[k + 1], direction)):
            raise NotAffineHere("the gradient between two breaks of a line contradicts the slope there")
    sheets = [_sheet(moved(point, direction, b.at), direction, germs[k], germs[k + 1]) for k, b in enumerate(breaks)]
    return Scan(point, direction, tuple(breaks), tuple(germs), tuple(sheets))


def _fits(line: Line, germ: Germ, direction: Point) -> bool:
    return all(s == slope_of((0, *row), direction) for s, row in zip(line.slope, germ.gradient))  # type: ignore[arg-type]  # rationals


def _sheet(point: Point, direction: Point, before: Germ, after: Germ) -> Sheet:
    """The hyperplane through a point between two germs whose difference has rank one."""
    jump = [tuple(y - x for x, y in zip(r, s)) for r, s in zip(before.gradient, after.gradient)]
    lead = next((r for r in jump if any(r)), None)
    if lead is None:
        raise NotAffineHere("no jump of the gradient at a break")
    row = signless_row((-sum((a * x for a, x in zip(lead, point)), Fraction(0)), *lead))
    j = next(j for j, a in enumerate(row[1:], 1) if a)
    column = tuple(r[j - 1] / row[j] for r in jump)
    if any(x != c * n for c, r in zip(column, jump) for x, n in zip(r, row[1:])):
        raise NotAffineHere("two sheets cross at one point of a line")
    if slope_of(row, direction) < 0:
        column = tuple(-c for c in column)
    return Sheet(point, row, column)
