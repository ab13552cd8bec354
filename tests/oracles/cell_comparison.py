"""Equality of two networks on a polyhedron by comparing affine maps on closed cells, with Fourier-Motzkin elimination only.

For every activation pattern the set {x in P : z >= 0 for active, z <= 0 for inactive neurons} is a closed polyhedron on which both
networks are affine, flat or not; these sets cover P.  The networks agree on P iff on each of them no output difference is
positive and none is negative, which is the question whether a system with one strict inequality has a solution.  Takes plain
rows of numbers and shares no code with the engine.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from math import gcd, lcm

Form = tuple[Fraction, ...]
"""b + a.x as (b, a_1, ..., a_d)."""
Row = tuple[tuple[int, ...], bool]
"""An integer form, and whether it has to be positive (else non-negative)."""
Point = tuple[Fraction, ...]
Layers = Sequence[tuple[Sequence[Sequence[Fraction]], Sequence[Fraction]]]
"""(weights, biases) of every layer, the output layer last."""


def _row(form: Sequence[Fraction | int], strict: bool = False) -> Row:
    scale = lcm(*(Fraction(x).denominator for x in form))
    whole = [int(x * scale) for x in form]
    common = gcd(*whole) or 1
    return tuple(x // common for x in whole), strict


def _tightest(rows: Sequence[Row]) -> list[Row] | None:
    """Rows without repetition, for every normal the strongest one; None if one of them is plainly false."""
    best: dict[tuple[int, ...], tuple[Fraction, bool]] = {}
    for (b, *a), strict in rows:
        if not any(a):
            if b < 0 or (strict and b == 0):
                return None
            continue
        common = gcd(*a)
        normal, bound = tuple(x // common for x in a), Fraction(b, common)
        known = best.get(normal)
        if known is None or bound < known[0] or (bound == known[0] and strict):
            best[normal] = (bound, strict)
    return [_row((bound, *normal), strict) for normal, (bound, strict) in best.items()]


def solution(rows: Sequence[Row], dimension: int) -> Point | None:
    """A point that satisfies all rows, or None if there is none: the last variable is eliminated, the others found first."""
    kept = _tightest(rows)
    if kept is None:
        return None
    if dimension == 0:
        return ()
    lower = [row for row in kept if row[0][-1] > 0]
    upper = [row for row in kept if row[0][-1] < 0]
    rest = [(row[:-1], strict) for row, strict in kept if not row[-1]]
    for low, strict_low in lower:
        for high, strict_high in upper:
            rest.append(_row([-high[-1] * x + low[-1] * y for x, y in zip(low[:-1], high[:-1])], strict_low or strict_high))
    head = solution(rest, dimension - 1)
    if head is None:
        return None

    def ends(side: list[Row]) -> list[Fraction]:
        return [-(row[0] + sum((a * x for a, x in zip(row[1:-1], head)), Fraction(0))) / row[-1] for row, _ in side]

    from_below, from_above = ends(lower), ends(upper)
    if from_below and from_above:                        # equal ends: no row with that end is strict, else the head fails
        return (*head, (max(from_below) + min(from_above)) / 2)
    return (*head, max(from_below) + 1 if from_below else min(from_above) - 1 if from_above else Fraction(0))


def _at(form: Form, point: Point) -> Fraction:
    return sum((a * x for a, x in zip(form[1:], point)), form[0])


def _layer(weights: Sequence[Sequence[Fraction]], biases: Sequence[Fraction], inputs: Sequence[Form], dimension: int) -> list[Form]:
    rows = []
    for weight, bias in zip(weights, biases):
        form = [Fraction(bias)] + [Fraction(0)] * dimension
        for w, source in zip(weight, inputs):
            form = [x + w * y for x, y in zip(form, source)]
        rows.append(tuple(form))
    return rows


def _cells(layers: Layers, rows: list[Row], point: Point, dimension: int) -> Iterator[tuple[list[Row], Point, list[Form]]]:
    """Every non-empty closed cell of a network inside {rows}: its rows, a point of it, the outputs on it."""
    zero = (Fraction(0),) * (dimension + 1)
    start = [tuple(Fraction(int(i == k)) for i in range(dimension + 1)) for k in range(1, dimension + 1)]

    def walk(number: int, inputs: list[Form], rows: list[Row], point: Point) -> Iterator[tuple[list[Row], Point, list[Form]]]:
        forms = _layer(*layers[number], inputs, dimension)
        if number + 1 == len(layers):
            yield rows, point, forms
            return

        def choose(k: int, chosen: list[Form], rows: list[Row], point: Point) -> Iterator[tuple[list[Row], Point, list[Form]]]:
            if k == len(forms):
                yield from walk(number + 1, chosen, rows, point)
                return
            form = forms[k]
            for side, after in ((1, form), (-1, zero)):
                if not any(form[1:]):                   # a constant: one side, without a new row
                    if side == (1 if form[0] > 0 else -1):
                        yield from choose(k + 1, [*chosen, after], rows, point)
                    continue
                more = [*rows, _row([side * x for x in form])]
                found = point if side * _at(form, point) >= 0 else solution(more, dimension)
                if found is not None:
                    yield from choose(k + 1, [*chosen, after], _tightest(more) or [], found)

        yield from choose(0, [], rows, point)

    yield from walk(0, start, rows, point)


def difference(a: Layers, b: Layers, inequalities: Sequence[Sequence[Fraction | int]], dimension: int) -> Point | None:
    """A point of {b + a.x >= 0} where the networks have different values, or None: they agree there, or there is no such point."""
    rows = [_row(row) for row in inequalities]
    first = solution(rows, dimension)
    if first is None:
        return None
    for coarse, point, left in _cells(a, rows, first, dimension):
        for fine, inside, right in _cells(b, coarse, point, dimension):
            for f, g in zip(left, right):
                gap = [x - y for x, y in zip(f, g)]
                if _at(tuple(gap), inside):
                    return inside
                for side in (1, -1):
                    found = solution([*fine, _row([side * x for x in gap], True)], dimension) if any(gap) else None
                    if found is not None:
                        return found
    return None
