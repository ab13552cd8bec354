"""The second layer, from one cell of the first and the kinks at its walls.

Let h_v be the first-layer forms up to sign.  On a cell of their arrangement every pre-activation z_w of layer 2 is affine; across
H_v it gains kink_wv |h_v|, whatever the orientation of v, with kink_wv = W_wv.  In a *start cell* that shows n_2 sheets each z_w is
known up to a factor, which is fixed by choosing one.  At a point of the wall H_v where z_w = 0, a line just behind the wall and
parallel to it meets the continued sheet at a point x* with z_w(x*) + kink |h_v(x*)| = 0, z_w continued from the known side: one
break gives the kink exactly.  The break is recognized by its jump, which along a direction of H_v is the same on both sides.
Walls whose kinks are all known lead to further known cells.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from exactrelu.arithmetic.matrix import kernel
from exactrelu.arithmetic.rational import primitive_integer
from exactrelu.extraction.first_layer import direction_in
from exactrelu.extraction.line_breakpoints import NotAffineHere, Value, line_breakpoints
from exactrelu.extraction.oracle import Oracle, Point
from exactrelu.extraction.region import Region, moved, rounded, slope_of, value_of
from exactrelu.extraction.sheet import Germ, Row
from exactrelu.polyhedra.cddlib import margin

Signs = tuple[int, ...]
Form = tuple[Fraction, ...]
"""(b, a) of an affine form."""
MOST_OFFSETS = 8
"""Distances behind a wall that are tried."""


@dataclass(frozen=True)
class StartCell:
    """A cell of the first-layer arrangement in which all n_2 sheets are seen.

    Attributes:
        signs: of the first-layer forms.
        rows, columns: hyperplanes and jumps of the sheets.
        germ: f at a point of the cell off the sheets.
    """

    signs: Signs
    rows: tuple[Row, ...]
    columns: tuple[Value, ...]
    germ: Germ


def signs_at(rows: Sequence[Row], point: Point) -> Signs:
    """Signs of affine forms at a point."""
    values = [value_of(row, point) for row in rows]
    return tuple((x > 0) - (x < 0) for x in values)


def signed(rows: Sequence[Row], signs: Signs, without: int = -1) -> list[Row]:
    """The rows that are positive on a cell; one of them left out."""
    return [tuple(s * x for x in row) for k, (row, s) in enumerate(zip(rows, signs)) if k != without]


def flat_point(equations: Sequence[Row], region: Region) -> Point | None:
    """Return a random point inside the region at which the equations vanish, or None if there is none.

    >>> from random import Random
    >>> square = Region(2, [(1, 1, 0), (1, -1, 0), (1, 0, 1), (1, 0, -1)], (Fraction(0),) * 2, Random(1))
    >>> flat_point([(0, 1, 1), (-1, 2, 0)], square), flat_point([(-4, 1, 1)], square)
    ((Fraction(1, 2), Fraction(-1, 2)), None)
    """
    basis = kernel(equations, region.dimension + 1)
    base = next((v for v in basis if v[0]), None)
    if base is None:
        return None
    origin = tuple(Fraction(x, base[0]) for x in base[1:])
    lines = [tuple(Fraction(v[j]) - v[0] * origin[j - 1] for j in range(1, len(v))) for v in basis if v is not base]
    if not lines:
        return origin if region.contains(origin) else None
    pulled = [primitive_integer([value_of(row, origin), *(slope_of(row, line) for line in lines)]) for row in region.rows]
    if any(row[0] <= 0 and not any(row[1:]) for row in pulled):
        return None
    best = margin(pulled, len(lines)) if pulled else None
    if best is not None and best.value <= 0:
        return None
    inner = Region(len(lines), pulled, best.point if best else (Fraction(0),) * len(lines), region.random)
    inner.radius = region.radius
    steps = inner.point(2)
    return tuple(x + sum((t * line[j] for t, line in zip(steps, lines)), Fraction(0)) for j, x in enumerate(origin))


class Kinks:
    """The kinks of all second-layer pre-activations, found outwards from a start cell.

    Attributes:
        kinks: (w, v) -> W_wv in the scale of row w of the start cell.
    """

    def __init__(self, oracle: Oracle, region: Region, first: Sequence[Row], start: StartCell) -> None:
        self.oracle, self.region, self.first, self.start = oracle, region, first, start
        self.kinks: dict[tuple[int, int], Fraction] = {}
        self.forms: dict[Signs, list[Form]] = {start.signs: [tuple(Fraction(x) for x in row) for row in start.rows]}
        self._tried: set[tuple[Signs, int, int]] = set()
        self._crossed: set[tuple[Signs, int]] = set()

    def complete(self) -> bool:
        """Find kinks and known cells until nothing is new; return whether all kinks are known."""
        while len(self.kinks) < len(self.first) * len(self.start.rows):
            if not self._probe_walls() and not self._cross_walls():
                return False
        return True

    @property
    def missing(self) -> list[tuple[int, int]]:
        """The pairs (w, v) without a kink."""
        pairs = [(w, v) for w in range(len(self.start.rows)) for v in range(len(self.first))]
        return [pair for pair in pairs if pair not in self.kinks]

    def _probe_walls(self) -> bool:
        new = False
        for signs, forms in list(self.forms.items()):
            for w, v in self.missing:
                if (signs, w, v) in self._tried:
                    continue
                self._tried.add((signs, w, v))
                kink = self._kink(signs, forms, w, v)
                if kink is not None:
                    self.kinks[w, v] = kink
                    new = True
        return new

    def _cross_walls(self) -> bool:
        new = False
        known = [v for v in range(len(self.first)) if all((w, v) in self.kinks for w in range(len(self.start.rows)))]
        for signs, forms in list(self.forms.items()):
            for v in known:
                behind = (*signs[:v], -signs[v], *signs[v + 1:])
                if behind in self.forms or (signs, v) in self._crossed:
                    continue
                self._crossed.add((signs, v))
                if flat_point([self.first[v]], self._cell(signs, v)) is not None:
                    self.forms[behind] = [self._continued(form, signs, w, v) for w, form in enumerate(forms)]
                    new = True
        return new

    def _continued(self, form: Form, signs: Signs, w: int, v: int) -> Form:
        """The form of w behind the wall of v: what it was, plus kink |h_v|, and |h_v| = -sign h_v there."""
        return tuple(x - self.kinks[w, v] * signs[v] * h for x, h in zip(form, self.first[v]))

    def _cell(self, signs: Signs, without: int) -> Region:
        """The domain cut by all walls of a cell but one; for `flat_point` only, as its inner point need not lie inside."""
        return self.region.cut(signed(self.first, signs, without), self.region.inside)

    def _kink(self, signs: Signs, forms: list[Form], w: int, v: int) -> Fraction | None:
        """The kink of w at H_v, from a point on the wall of a known cell where z_w = 0; None if there is none or nothing is seen."""
        wall, cell = self.first[v], self._cell(signs, v)
        zero = primitive_integer(forms[w])
        if not any(zero[1:]):
            return None
        point = flat_point([wall, zero], cell)
        if point is None:
            return None
        cell = self.region.cut(cell.rows[len(self.region.rows):], point)
        along = next((u for u in (direction_in(cell, wall) for _ in range(20)) if slope_of(zero, u)), None)
        if along is None:
            return None
        reach = self._clear(point, along, forms, w, cell)
        behind = next(u for u in (cell.direction() for _ in range(99)) if signs[v] * slope_of(wall, u) < 0)
        depth = cell.chord(point, behind)[1] / 16
        expected = self._jumps(point, along, forms, w)
        for _ in range(MOST_OFFSETS):
            found = self._seen(moved(point, behind, depth), along, reach, cell, expected, forms[w], wall)
            depth /= 16
            if len(found) == 1:
                ((kink, jump),) = found.items()
                if self._confirmed(kink, moved(point, behind, depth), along, reach, jump, forms[w], wall):
                    return kink
        return None

    def _jumps(self, point: Point, along: Point, forms: list[Form], w: int) -> set[Value]:
        """The jumps of the slope at which a line in this direction of a wall may cross sheet w behind it.

        That of w; with other sheets through the same point, which may go on along the sheet of w, also the sums with theirs.
        """
        found = {self._jump(w, forms[w], along)}
        for other, form in enumerate(forms):
            if other != w and not _value(form, point):
                more = self._jump(other, form, along)
                found |= {tuple(x + y for x, y in zip(jump, more)) for jump in found}
        return {jump for jump in found if any(jump)}

    def _jump(self, w: int, form: Form, along: Point) -> Value:
        """The jump of the slope where a line in this direction of a wall crosses sheet w, on either side of the wall."""
        return tuple(c * abs(_slope(form, along)) for c in self.start.columns[w])

    def _clear(self, point: Point, along: Point, forms: list[Form], w: int, cell: Region) -> Fraction:
        """How far one can go on the wall without meeting a sheet that does not pass through the point."""
        low, high = cell.chord(point, along)
        reach = min(-low, high)
        for other, form in enumerate(forms):
            if other != w:
                here, slope = _value(form, point), _slope(form, along)
                if slope and here:
                    reach = min(reach, abs(here / slope))
        return rounded(Fraction(0), reach, Fraction(1, 2))

    def _seen(self, base: Point, along: Point, reach: Fraction, cell: Region, expected: set[Value], form: Form,
              wall: Row) -> dict[Fraction, Value]:
        """The kinks that the breaks of an expected jump on a line behind the wall would mean, with the jumps."""
        if not all(cell.contains(moved(base, along, t)) for t in (-reach, reach)):
            return {}
        try:
            breaks = line_breakpoints(lambda t: self.oracle(moved(base, along, t)), -reach, reach, self.region.random)
        except NotAffineHere:
            return {}
        out = {}
        for found in breaks:
            if found.jump in expected:
                x = moved(base, along, found.at)
                out[-_value(form, x) / abs(value_of(wall, x))] = found.jump
        return out

    def _confirmed(self, kink: Fraction, base: Point, along: Point, reach: Fraction, expected: Value, form: Form, wall: Row) -> bool:
        """Whether a line nearer to the wall has the break where the kink puts it."""
        at = -(_value(form, base) + kink * abs(value_of(wall, base))) / _slope(form, along)
        step = (reach - abs(at)) / 16
        if step <= 0:
            return False
        for _ in range(3):
            here, before, after = (self.oracle(moved(base, along, t)) for t in (at, at - step, at + step))
            if all(x + y - 2 * z == step * jump for x, y, z, jump in zip(before, after, here, expected)):
                return True
            step /= 32
        return False


def _value(form: Form, point: Point) -> Fraction:
    return sum((a * x for a, x in zip(form[1:], point)), form[0])


def _slope(form: Form, direction: Point) -> Fraction:
    return sum((a * x for a, x in zip(form[1:], direction)), Fraction(0))
