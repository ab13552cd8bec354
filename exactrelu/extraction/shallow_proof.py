r"""One hidden layer: finitely many points that determine the function, by counting breaks.

Let g be a network with n hidden neurons whose hyperplanes are different, with jumps c_i (x) n_i, and l_0 a line in the domain that
crosses all n of them at different points.  Parallel to l_0 there are d - 1 lines l_j = l_0 + eps u_j, the u_j and the direction v
a basis, that cross them inside the domain too.  On each line take points x_k < y_k < y'_k in the gap before break k = 1..n and
x_{n+1} < y_{n+1} behind the last one: 3 n + 2 points.

**Theorem.**  If the jumps J_i = c_i (n_i . v) are pairwise different, every network f with n hidden neurons and the values of g
at all these points is g on the whole domain.

*Proof.*  On a line f has at most n breaks, one a neuron.  As x_k, y'_k, x_{k+1} are not collinear, there is a break in each of
the n disjoint intervals (x_k, x_{k+1}), hence exactly one, and none at an x_k.  As x_k, y_k, y'_k are collinear, the one of
(x_k, x_{k+1}) is not before y'_k.  So f is affine from each break to the next, with the line through x_k and y_k there: f = g on the
line.  Each neuron of f therefore breaks on each line, at a break of g, with a jump that is the same on all parallel lines: as the
J_i differ, at the breaks of one and the same neuron of g.  These d points span its hyperplane, and the jump gives c_i.  So f - g
is affine; it vanishes on d lines that span R^d affinely.  QED

*Equal jumps.*  If some J_i are equal, each l_j, j > 0, gets a companion l_0 + rho eps u_j.  The places of one hyperplane on l_0,
l_j and the companion are t, t', t + rho (t' - t).  If for no two neurons a != b of one jump the place so computed from a on l_0
and b on l_j is a break of that jump on the companion, the matching is again the only one.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from exactrelu.extraction.line_breakpoints import Value
from exactrelu.extraction.oracle import Oracle, Point
from exactrelu.extraction.region import Region, moved, rounded, slope_of, value_of
from exactrelu.extraction.sheet import Row
from exactrelu.network.network import Network

MOST_CHORDS = 400
MOST_HALVINGS = 60


def agreeing_points(oracle: Oracle, network: Network, points: Sequence[Point]) -> Point | None:
    """Return the first point at which oracle and network differ, or None."""
    return next((x for x in points if oracle(x) != network(x)), None)


def counting_points(rows: Sequence[Row], columns: Sequence[Value], region: Region,
                    lines: Sequence[tuple[Point, Point]] = ()) -> list[Point] | None:
    """Return points that determine the function, or None if no line of the domain is found that crosses all hyperplanes.

    Args:
        lines: (point, direction) of lines that are tried first.
    Cost: no query; (3 n + 2) d points, up to twice as many if jumps are equal.
    """
    for attempt in range(len(lines) + MOST_CHORDS):
        point, direction = lines[attempt] if attempt < len(lines) else (region.point(), region.direction())
        start = _crossings(rows, region, point, direction)
        if start is None:
            continue
        found = _bundle(rows, columns, region, point, direction, start)
        if found is not None:
            return found
    return None


def _crossings(rows: Sequence[Row], region: Region, point: Point, direction: Point) -> list[Fraction] | None:
    """The places at which all hyperplanes cross the chord, pairwise different, by neuron; None if they do not."""
    slopes = [slope_of(row, direction) for row in rows]
    if not all(slopes):
        return None
    low, high = region.chord(point, direction)
    places = [-value_of(row, point) / s for row, s in zip(rows, slopes)]
    if len(set(places)) < len(places) or not all(low < t < high for t in places):
        return None
    return places


def _bundle(rows: Sequence[Row], columns: Sequence[Value], region: Region, point: Point, direction: Point,
            start: list[Fraction]) -> list[Point] | None:
    """The points on all parallel lines, or None if there is no room for them."""
    d = region.dimension
    groups = _equal_jumps(rows, columns, direction)
    pivot = next(j for j in range(d) if direction[j])
    found = _line_points(region, point, direction, start)
    order = sorted(range(len(rows)), key=start.__getitem__)
    for j in (j for j in range(d) if j != pivot):
        offset = tuple(Fraction(int(i == j)) for i in range(d))
        shift = region.radius if not region.rows else Fraction(1)
        for _ in range(MOST_HALVINGS):
            shift /= 4
            beside = moved(point, offset, shift)
            places = _crossings(rows, region, beside, direction) if region.contains(beside) else None
            if places is None or sorted(range(len(rows)), key=places.__getitem__) != order:
                continue
            found += _line_points(region, beside, direction, places)
            break
        else:
            return None
        if groups:
            companion = _companion(rows, region, point, direction, offset, shift, start, places, groups)
            if companion is None:
                return None
            found += companion
    return found


def _equal_jumps(rows: Sequence[Row], columns: Sequence[Value], direction: Point) -> list[list[int]]:
    """The sets of two and more neurons with one jump along the direction."""
    by_jump: dict[Value, list[int]] = {}
    for i, (row, column) in enumerate(zip(rows, columns)):
        by_jump.setdefault(tuple(c * abs(slope_of(row, direction)) for c in column), []).append(i)
    return [group for group in by_jump.values() if len(group) > 1]


def _companion(rows: Sequence[Row], region: Region, point: Point, direction: Point, offset: Point, shift: Fraction,
               start: list[Fraction], places: list[Fraction], groups: list[list[int]]) -> list[Point] | None:
    for _ in range(MOST_HALVINGS):
        ratio = Fraction(region.random.randint(200, 800), 1009)
        between = moved(point, offset, shift * ratio)
        here = _crossings(rows, region, between, direction)
        if here is None:
            continue
        mixed = any(start[a] + ratio * (places[b] - start[a]) in {here[c] for c in group}
                    for group in groups for a in group for b in group if a != b)
        if not mixed:
            return _line_points(region, between, direction, here)
    return None


def _line_points(region: Region, point: Point, direction: Point, places: list[Fraction]) -> list[Point]:
    """x_k < y_k < y'_k in every gap before a break, two points behind the last one."""
    low, high = region.chord(point, direction)
    edges = [low, *sorted(places), high]
    found = []
    for k, (a, b) in enumerate(zip(edges, edges[1:])):
        shares = (Fraction(1, 4), Fraction(3, 4)) if k == len(places) else (Fraction(1, 4), Fraction(1, 2), Fraction(3, 4))
        found += [moved(point, direction, rounded(a, b, share)) for share in shares]
    return found
