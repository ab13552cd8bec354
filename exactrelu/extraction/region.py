"""Points, chords and room inside a domain: where an oracle may be asked.

All points handed out lie strictly inside the domain.  On an unbounded domain a *radius* takes the place of the missing walls.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import cached_property
from random import Random

from exactrelu.extraction.oracle import Point
from exactrelu.polyhedra.cddlib import margin
from exactrelu.polyhedra.domain import Domain

Row = Sequence[int]
MOST_ENTRY = 50


def value_of(row: Row, point: Sequence[Fraction]) -> Fraction:
    """Return b + a.x for the row (b, a)."""
    return sum((a * x for a, x in zip(row[1:], point) if a), Fraction(row[0]))


def slope_of(row: Row, direction: Sequence[Fraction | int]) -> Fraction:
    """Return a.v for the row (b, a)."""
    return sum((a * Fraction(v) for a, v in zip(row[1:], direction) if a), Fraction(0))


def moved(point: Point, direction: Sequence[Fraction | int], t: Fraction) -> Point:
    """Return x + t v."""
    return tuple(x + t * v for x, v in zip(point, direction))


def rounded(low: Fraction, high: Fraction, share: Fraction) -> Fraction:
    """Return a rational near low + share (high - low) whose denominator is a small power of two; it lies in [low, high].

    >>> rounded(Fraction(0), Fraction(1, 3), Fraction(1, 2))
    Fraction(85, 512)
    """
    width = high - low
    bits = max(0, width.denominator.bit_length() - width.numerator.bit_length() + 1) + 8
    exact = low + width * share
    down = Fraction((exact.numerator << bits) // exact.denominator, 1 << bits)
    return down if down >= low else exact


class Region:
    """The interior of a domain, perhaps cut by further inequalities.

    Args:
        rows: integer rows (b, a): b + a.x > 0 inside.
        inside: a point strictly inside.
    """

    def __init__(self, dimension: int, rows: Sequence[Row], inside: Point, random: Random) -> None:
        self.dimension, self.rows, self.inside, self.random = dimension, [tuple(r) for r in rows], inside, random
        self.radius = Fraction(8)

    @classmethod
    def of(cls, domain: Domain, random: Random) -> Region:
        """The interior of a domain that has interior points."""
        rows = domain.integer_rows
        inside = margin(rows, domain.dimension).point if rows else (Fraction(0),) * domain.dimension
        return cls(domain.dimension, rows, inside, random)

    def cut(self, rows: Sequence[Row], inside: Point) -> Region:
        """The part where further rows are positive; `inside` is one of its points."""
        smaller = Region(self.dimension, [*self.rows, *rows], inside, self.random)
        smaller.radius = self.radius
        return smaller

    def contains(self, point: Point) -> bool:
        """Whether the point lies strictly inside."""
        return all(value_of(row, point) > 0 for row in self.rows)

    @cached_property
    def _extent(self) -> tuple[int, ...]:
        """Powers of two, near the proportions of the lengths of the chords through the inner point along the axes."""
        lengths = []
        for j in range(self.dimension):
            low, high = self._ends(self.inside, tuple(Fraction(int(i == j)) for i in range(self.dimension)))
            lengths.append(None if low is None or high is None else high - low)
        most = max((x for x in lengths if x is not None), default=Fraction(1))
        powers = [0 if x is None else (x / most).numerator.bit_length() - (x / most).denominator.bit_length() for x in lengths]
        return tuple(1 << k - min(powers) for k in powers)

    def direction(self) -> Point:
        """A random integer vector, not zero, with the proportions of the region."""
        while True:
            v = tuple(Fraction(self.random.randint(-MOST_ENTRY, MOST_ENTRY) * s) for s in self._extent)
            if any(v):
                return v

    def _ends(self, point: Point, direction: Point) -> tuple[Fraction | None, Fraction | None]:
        """The ends of the chord; None where no wall stops it."""
        low: Fraction | None = None
        high: Fraction | None = None
        for row in self.rows:
            slope = slope_of(row, direction)
            if slope:
                t = -value_of(row, point) / slope
                if slope > 0:
                    low = t if low is None else max(low, t)
                else:
                    high = t if high is None else min(high, t)
        return low, high

    def chord(self, point: Point, direction: Point) -> tuple[Fraction, Fraction]:
        """Return (low, high): point + t direction is inside for low <= t <= high; `radius` long where there is no wall."""
        reach = self.radius / max(abs(x) for x in direction)
        start, end = self._ends(point, direction)
        low, high = -reach if start is None else start, reach if end is None else end
        margin_ = Fraction(1, 1024)
        return low + (high - low) * margin_, high - (high - low) * margin_

    def point(self, steps: int = 4) -> Point:
        """A random point: a few random steps along chords from the given one, or from a random one on R^d."""
        x = self.inside
        for _ in range(steps):
            v = self.direction()
            low, high = self.chord(x, v)
            t = rounded(low, high, Fraction(self.random.randint(30, 970), 1000))
            x = tuple(a + t * b for a, b in zip(x, v))
        return x

    def room(self, point: Point) -> Fraction | None:
        """Return the largest h such that x +- h e_j stays in the closed region for all j; None if there is no wall."""
        found: Fraction | None = None
        for row in self.rows:
            most = max((abs(a) for a in row[1:]), default=0)
            if most:
                h = value_of(row, point) / most
                found = h if found is None else min(found, h)
        return found
