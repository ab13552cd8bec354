"""Chosen rational points of a full-dimensional polyhedron, for cheap refutation: simple ones, random ones, corners, far ones.

The polyhedron is {rows >= 0} with integer rows (b, a_1, ..., a_k).  All points lie in it, exactly; which points are chosen
depends on the seed and on the rows alone.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from random import Random

from exactrelu.polyhedra.cddlib import margin
from exactrelu.polyhedra.domain import Domain

Point = tuple[Fraction, ...]
Row = tuple[int, ...]
SIMPLE_AXES = 8
"""Unit vectors are tried in at most this many coordinates."""
FAR = (4, 16, 40)
"""Far points lie 2^k steps out."""


def slack(row: Sequence[int], point: Sequence[Fraction]) -> Fraction:
    """Return b + a.x."""
    return sum((a * x for a, x in zip(row[1:], point) if a), Fraction(row[0]))


def rounded(point: Sequence[Fraction], bits: int) -> Point:
    """Return the nearest point whose coordinates are multiples of 2^-bits."""
    scale = 1 << bits
    return tuple(Fraction((2 * x.numerator * scale + x.denominator) // (2 * x.denominator), scale) for x in point)


def _middle(low: Fraction | None, high: Fraction | None) -> Fraction:
    if low is not None and high is not None:
        return (low + high) / 2
    return low + 1 if low is not None else high - 1 if high is not None else Fraction(0)


@dataclass(frozen=True)
class Chord:
    """A line through the polyhedron, base + s direction, low <= s <= high (None: unbounded on that side)."""

    base: Point
    direction: tuple[int, ...]
    low: Fraction | None
    high: Fraction | None

    def at(self, s: Fraction) -> Point:
        """Return the point with parameter s."""
        return tuple(x + s * v for x, v in zip(self.base, self.direction))


@dataclass(frozen=True)
class SamplePoints:
    """Points of {rows >= 0} in R^dimension, which must have interior points; dimension >= 1."""

    rows: tuple[Row, ...]
    dimension: int
    seed: int = 0

    @cached_property
    def _intervals(self) -> Sequence[tuple[Fraction | None, Fraction | None]] | None:
        return Domain(self.dimension, self.rows).bounding_intervals  # type: ignore[arg-type]  # integers are accepted

    @cached_property
    def center(self) -> Point:
        """A point with few digits at which every row is positive: the middle of a bounded box, else by a linear program."""
        if self._intervals is None:
            exact = margin(self.rows, self.dimension).point
        else:
            exact = tuple(_middle(low, high) for low, high in self._intervals)
        for bits in (0, 1, 2, 4, 8, 16, 32, 64):
            point = rounded(exact, bits)
            if all(slack(row, point) > 0 for row in self.rows):
                return point
        return exact

    def contains(self, point: Sequence[Fraction]) -> bool:
        """Whether a point lies in the polyhedron."""
        return all(slack(row, point) >= 0 for row in self.rows)

    def chord(self, base: Point, direction: Sequence[int]) -> Chord:
        """Return the chord through a point of the polyhedron."""
        low: Fraction | None = None
        high: Fraction | None = None
        for row in self.rows:
            slope = sum(a * v for a, v in zip(row[1:], direction))
            if slope:
                end = -slack(row, base) / slope
                if slope > 0:
                    low = end if low is None else max(low, end)
                else:
                    high = end if high is None else min(high, end)
        return Chord(base, tuple(direction), low, high)

    def simple(self) -> Iterator[Point]:
        """Yield the origin, the center, units and the all-ones vectors, those that lie in the polyhedron."""
        zero = (Fraction(0),) * self.dimension
        for point in (zero, self.center):
            if self.contains(point):
                yield point
        for s in (1, -1):
            ones = (Fraction(s),) * self.dimension
            if self.contains(ones):
                yield ones
            for k in range(min(self.dimension, SIMPLE_AXES)):
                unit = tuple(Fraction(s * int(i == k)) for i in range(self.dimension))
                if self.contains(unit):
                    yield unit

    def chords(self, count: int) -> Iterator[Chord]:
        """Yield random chords; each starts at a random point of the one before (hit and run)."""
        rng = Random(self.seed)
        base = self.center
        for _ in range(count):
            direction = [0] * self.dimension
            while not any(direction):
                direction = [rng.randint(-9, 9) for _ in range(self.dimension)]
            chord = self.chord(base, direction)
            yield chord
            base = self._inside(chord.at(self._parameter(chord, rng)))

    def _inside(self, point: Point) -> Point:
        """A nearby point with fewer digits, if it lies in the polyhedron."""
        for bits in (3, 8, 16):
            near = rounded(point, bits)
            if self.contains(near):
                return near
        return point

    @staticmethod
    def _parameter(chord: Chord, rng: Random) -> Fraction:
        u = Fraction(rng.randint(1, 63), 64)
        if chord.low is not None and chord.high is not None:
            return chord.low + u * (chord.high - chord.low)
        if chord.low is None and chord.high is None:
            return 4 * u - 2
        return chord.low + 4 * u if chord.low is not None else (chord.high or 0) - 4 * u

    def random(self, count: int) -> Iterator[Point]:
        """Yield random points, and points far out on unbounded chords."""
        rng = Random(self.seed + 1)
        for chord in self.chords(count):
            yield self._inside(chord.at(self._parameter(chord, rng)))
            for power in FAR:
                if chord.high is None:
                    yield chord.at(Fraction(1 << power))
                if chord.low is None:
                    yield chord.at(Fraction(-(1 << power)))

    def corners(self, normals: Sequence[Sequence[Fraction]]) -> Iterator[Point]:
        """Yield, for a bounded box, the corner at which each linear form is largest, moved inside by 1/16 of the way to the center."""
        ends = [(low, high) for low, high in self._intervals or () if low is not None and high is not None]
        if len(ends) < self.dimension:
            return
        for normal in normals:
            corner = (high if w > 0 else low if w < 0 else x for w, (low, high), x in zip(normal, ends, self.center))
            yield tuple(c + (x - c) / 16 for c, x in zip(corner, self.center))
