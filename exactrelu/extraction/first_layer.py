"""The hyperplanes of the first of two hidden layers: those along which f breaks all over the domain.

If f breaks at every facet, the hyperplane of a first-layer neuron shows a break at each of its generic points, while a sheet of the
second layer leaves its hyperplane where it crosses the first layer.  So hyperplanes seen on lines are tried at random points.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations, islice

from exactrelu.extraction.line_breakpoints import NotAffineHere
from exactrelu.extraction.oracle import Oracle, Point
from exactrelu.extraction.region import Region, moved, rounded, slope_of
from exactrelu.extraction.sheet import Row, Sheet

SAMPLES = 12
"""Points of a hyperplane at which a break is looked for."""
MOST_MISSES = 3
"""Points without a break after which a hyperplane is not tried further."""
MOST_SHRINKINGS = 16
MOST_FAMILIES = 12
"""Families of hyperplanes that are tried as first layer, for one set of lines."""


def point_on(region: Region, row: Row, start: Point) -> Point:
    """Return a random point of the hyperplane through `start`, inside the region."""
    x = start
    for _ in range(2):
        v = direction_in(region, row)
        if any(v):
            low, high = region.chord(x, v)
            x = moved(x, v, rounded(low, high, Fraction(region.random.randint(30, 970), 1000)))
    return x


def direction_in(region: Region, row: Row) -> Point:
    """Return a random direction of a hyperplane; 0 only if there is no other."""
    pivot = next(j for j, a in enumerate(row[1:]) if a)
    for _ in range(9):
        v = region.direction()
        along = slope_of(row, v) / row[pivot + 1]
        inside = (*v[:pivot], v[pivot] - along, *v[pivot + 1:])
        if any(inside):
            return inside
    return inside


def breaks_across(oracle: Oracle, region: Region, row: Row, point: Point) -> bool:
    """Return whether f breaks at a point of a hyperplane, across it: second differences at two scales, shrunk until they agree.

    Raises:
        NotAffineHere: they never agree.
    """
    direction = region.direction()
    while not slope_of(row, direction):
        direction = region.direction()
    low, high = region.chord(point, direction)
    step, value = rounded(Fraction(0), min(high, -low), Fraction(1, 4)), oracle(point)
    for _ in range(MOST_SHRINKINGS):
        share = Fraction(region.random.randint(300, 700), 1024)
        wide, narrow = ([x + y - 2 * v for x, y, v in zip(oracle(moved(point, direction, s)), oracle(moved(point, direction, -s)), value)]
                        for s in (step, step * share))
        if all(x * share == y for x, y in zip(wide, narrow)):
            return any(wide)
        step /= 8
    raise NotAffineHere("second differences at a point of a hyperplane never settle")


class Hyperplanes:
    """The hyperplanes seen so far and how often f breaks at their points."""

    def __init__(self, oracle: Oracle, region: Region) -> None:
        self.oracle, self.region = oracle, region
        self.sheets: dict[Row, list[Sheet]] = {}
        self.score: dict[Row, Fraction] = {}

    def add(self, sheets: tuple[Sheet, ...]) -> None:
        """Remember the sheets of one more line."""
        for sheet in sheets:
            self.sheets.setdefault(sheet.row, []).append(sheet)

    def rate(self) -> None:
        """Try every hyperplane that has no score yet."""
        for row, sheets in self.sheets.items():
            if row not in self.score:
                self.score[row] = self._score(row, sheets)

    def _score(self, row: Row, sheets: list[Sheet]) -> Fraction:
        hits = misses = 0
        while hits + misses < SAMPLES and misses < MOST_MISSES:
            start = sheets[self.region.random.randrange(len(sheets))].point
            if breaks_across(self.oracle, self.region, row, point_on(self.region, row, start)):
                hits += 1
            else:
                misses += 1
        return Fraction(hits, hits + misses)

    def families(self, width: int, patient: bool) -> Iterator[list[Row]]:
        """Yield families of `width` hyperplanes, the likeliest first: all that break everywhere, else those that break most often.

        Args:
            patient: offer only hyperplanes that break at all points tried.
        """
        ranked = sorted(self.score, key=lambda row: (-self.score[row], -len(self.sheets[row]), row))
        perfect = [row for row in ranked if self.score[row] == 1]
        if len(perfect) >= width:
            yield from islice((sorted(family) for family in combinations(perfect, width)), MOST_FAMILIES)
        elif not patient:
            likely = [row for row in ranked if self.score[row] > 0][:width + 3]
            yield from islice((sorted(family) for family in combinations(likely, width)), MOST_FAMILIES)
