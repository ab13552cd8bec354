"""Cheap refutation: exact values of two networks at chosen points, and exact comparison along chosen lines.

A point with different values refutes equality; finding none proves nothing.  Along a line both networks are functions of
one variable, and the split tree of an interval decides whether they agree there: this finds differences on intervals that
no fixed grid of points would meet.  Lines along the normals of the first layer cross every break hyperplane of it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction

from exactrelu.arithmetic.rational import homogeneous_point, primitive_integer
from exactrelu.equivalence.by_split_tree import DifferentValues, joint_tree
from exactrelu.equivalence.restriction import restricted
from exactrelu.equivalence.sample_points import Chord, Point, SamplePoints, rounded
from exactrelu.errors import BudgetExceeded
from exactrelu.limits import Limits, Meter
from exactrelu.network.integral_form import integral_form
from exactrelu.network.network import Network
from exactrelu.polyhedra.domain import Domain

RANDOM_CHORDS = 24
LINES = 8
"""Random lines compared, and as many lines along normals of first-layer rows."""
LINE_CELLS = 2_000
"""A comparison along one line may have this many cells."""
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

    def differs(self, point: Point) -> bool:
        """Whether the values differ at a point, in integers."""
        self.work["points"] += 1
        return self._differs(point)

    def _differs(self, point: Point) -> bool:
        whole = homogeneous_point(point)
        one, two = integral_form(self.a), integral_form(self.b)
        left, right = one.preactivations(whole)[-1], two.preactivations(whole)[-1]
        return any(x * two.denominator != y * one.denominator for x, y in zip(left, right))

    def search(self, meter: Meter) -> Point | None:
        """Return a point with different values, as simple as it is easily found, or None."""
        for point in self._chosen():
            meter.tick()
            if self.differs(point):
                return self.simplified(point)
        if self.a.architecture.hidden_neurons + self.b.architecture.hidden_neurons > LINE_NEURONS:
            return None
        for chord in self._lines():
            meter.tick()
            found = self.along(chord, meter.stage(LINE_CELLS))
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
        random = self.points.chords(2 * LINES)
        for chord, normal in zip(random, [*distinct[:LINES], *[None] * LINES]):
            yield chord
            if normal is not None:
                yield self.points.chord(chord.base, normal)

    def along(self, chord: Chord, limits: Limits) -> Point | None:
        """Return a point of a chord with different values, or None (equal on the chord, or too many cells)."""
        self.work["lines"] += 1
        scale = homogeneous_point(chord.base)[0]
        embedding = [(scale, 0), *((int(x * scale), v * scale) for x, v in zip(chord.base, chord.direction))]
        rows: list[Sequence[Fraction | int]] = []
        if chord.low is not None:
            rows.append((-chord.low, 1))
        if chord.high is not None:
            rows.append((chord.high, -1))
        if chord.low is not None and chord.low == chord.high:
            return None
        interval = Domain(1, tuple(tuple(Fraction(x) for x in row) for row in rows))
        try:
            found = joint_tree(restricted(self.a, embedding), restricted(self.b, embedding), interval, limits)
        except BudgetExceeded:
            return None
        return chord.at(found.point[0]) if isinstance(found, DifferentValues) else None

    def simplified(self, point: Point) -> Point:
        """Return a point with different values and fewer digits: rounded, then coordinates set to 0 one by one."""
        for bits in (*range(9), 12, 16, 24, 32, 48, 64, 96, 128):
            near = rounded(point, bits)
            if self.points.contains(near) and self._differs(near):
                point = near
                break
        for k in range(min(len(point), 64)):
            zeroed = (*point[:k], Fraction(0), *point[k + 1:])
            if point[k] and self.points.contains(zeroed) and self._differs(zeroed):
                point = zeroed
        return point
