"""Cheap refutation: exact values of two networks at chosen points, and exact comparison along chosen lines.

A point with different values refutes equality; finding none proves nothing.  Along a line both networks are functions of
one variable and are compared piece by piece, which finds differences on intervals that no fixed grid of points would meet.
Lines along the normals of the first layer cross every break hyperplane of it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction

from exactrelu.arithmetic.rational import homogeneous_point, primitive_integer
from exactrelu.equivalence.along_lines import difference_along
from exactrelu.equivalence.sample_points import Chord, Point, SamplePoints, rounded
from exactrelu.errors import BudgetExceeded
from exactrelu.limits import Limits, Meter
from exactrelu.network.integral_form import integral_form
from exactrelu.network.network import Network

RANDOM_CHORDS = 24
LINES = 8
"""Random lines compared, and at most as many lines along normals of first-layer rows."""
LINE_PIECES = 2_000
"""A comparison along one line may meet this many common pieces."""
LINE_NEURONS = 160
"""Lines are compared for networks with at most this many hidden neurons together; larger ones at points only."""


@dataclass
class Refutation:
    """The search for a point of {rows >= 0} at which two networks differ.

    Attributes:
        work: how many points and lines were compared.
    """

    a: Network
    b: Network
    points: SamplePoints
    work: dict[str, int] = field(default_factory=lambda: {"points": 0, "lines": 0})

    def __post_init__(self) -> None:
        self._forms = integral_form(self.a), integral_form(self.b)

    def differs(self, point: Point) -> bool:
        """Whether the values differ at a point, in integers."""
        one, two = self._forms
        whole = homogeneous_point(point)
        return any(x * two.denominator != y * one.denominator
                   for x, y in zip(one.preactivations(whole)[-1], two.preactivations(whole)[-1]))

    def search(self, meter: Meter) -> Point | None:
        """Return a point with different values, as simple as it is easily found, or None."""
        for point in self._chosen():
            meter.tick()
            self.work["points"] += 1
            if self.differs(point):
                return self.simplified(point)
        if self.a.architecture.hidden_neurons + self.b.architecture.hidden_neurons > LINE_NEURONS:
            return None
        for chord in self._lines():
            meter.tick()
            self.work["lines"] += 1
            found = self.along(chord, meter.stage(LINE_PIECES))
            if found is not None:
                return self.simplified(found)
        return None

    def _first_rows(self) -> list[tuple[Fraction, ...]]:
        return list(dict.fromkeys([*self.a.weights[0], *self.b.weights[0]]))

    def _chosen(self) -> Iterator[Point]:
        yield from self.points.simple()
        yield from self.points.random(RANDOM_CHORDS)
        yield from self.points.corners(self._first_rows())

    def _lines(self) -> Iterator[Chord]:
        normals = [primitive_integer(row) for row in self._first_rows() if any(row)]
        distinct = list(dict.fromkeys(max(row, tuple(-x for x in row)) for row in normals))
        chords = list(self.points.chords(LINES))
        yield from chords
        for chord, normal in zip(chords, distinct):
            yield self.points.chord(chord.base, normal)

    def along(self, chord: Chord, limits: Limits | None = None) -> Point | None:
        """Return a point of a chord with different values, or None (equal on the chord, or too many pieces)."""
        try:
            found = difference_along(*self._forms, chord, Meter(limits))
        except BudgetExceeded:
            return None
        return None if found is None else chord.at(found)

    def simplified(self, point: Point) -> Point:
        """Return a point with different values and fewer digits: rounded, then coordinates set to 0 one by one."""
        for bits in (*range(9), 12, 16, 24, 32, 48, 64, 96, 128):
            near = rounded(point, bits)
            if self.points.contains(near) and self.differs(near):
                point = near
                break
        for k in range(min(len(point), 64)):
            zeroed = (*point[:k], Fraction(0), *point[k + 1:])
            if point[k] and self.points.contains(zeroed) and self.differs(zeroed):
                point = zeroed
        return point
