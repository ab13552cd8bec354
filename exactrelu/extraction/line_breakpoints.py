"""All breakpoints of a piecewise affine function of one variable, from exact values.

g: (a, b) -> Q^m is known through queries.  A *germ* is the affine function that g is on one side of a point, read from three
collinear points; it is shrunk until they are collinear.  If the germs at the two ends of an interval are one line that some random
points confirm, there is no break.  If they meet at t* inside, a single break is accepted iff g agrees with the left line at points
t* - (t* - a) u and with the right line at t* + (b - t*) u for u = r 4^-k, k = 0, ..., 8, r random: a test at t* alone, or at equal
distances, would overlook pairs of breaks.  Three far smaller u show that t* is itself a break, not the place where the lines before
and after a small cluster of breaks meet.  Otherwise the interval is cut, at a point seen off the lines or at a random one.
Every accepted break is one: near t* three points are not collinear.  Others may be missed where no query sees them.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from random import Random

from exactrelu.errors import ExactReluError

Value = tuple[Fraction, ...]
Function = Callable[[Fraction], Value]

MOST_SHRINKINGS = 16
"""How often the step of a germ is divided by 8."""
MOST_DEPTH = 48
"""How often an interval is cut."""
POWERS = (0, 1, 2, 3, 4, 5, 6, 7, 8, 16, 24, 32)
"""The exponents k of the distances r 4^-k at which both sides of a break are probed."""


class NotAffineHere(ExactReluError):
    """No step is small enough for the function to look affine beside a point, or what is read there contradicts itself."""


class TooManyBreaks(NotAffineHere):
    """More breaks on a line than the promised architecture can have; each of them is proved by three points."""


@dataclass(frozen=True)
class Line:
    """The affine function t -> value + slope (t - at)."""

    at: Fraction
    value: Value
    slope: Value

    def __call__(self, t: Fraction) -> Value:
        """The value at t."""
        return tuple(x + s * (t - self.at) for x, s in zip(self.value, self.slope))

    def is_same(self, other: Line) -> bool:
        """Whether both are one function."""
        return self.slope == other.slope and self(other.at) == other.value


@dataclass(frozen=True)
class Breakpoint:
    """A break of g at t = `at`, with the lines that g follows before and after it."""

    at: Fraction
    left: Line
    right: Line

    @property
    def jump(self) -> Value:
        """Slope after minus slope before."""
        return tuple(y - x for x, y in zip(self.left.slope, self.right.slope))


def simple_between(low: Fraction, high: Fraction, rng: Random) -> Fraction:
    """Return a random rational with a small denominator, a power of two, in the middle two fifths of (low, high).

    >>> simple_between(Fraction(0), Fraction(1), Random(1)).denominator <= 4096
    True
    """
    width = high - low
    bits = max(0, width.denominator.bit_length() - width.numerator.bit_length() + 1) + 10
    start = low + width * Fraction(rng.randint(300, 700), 1000)
    return Fraction((start.numerator << bits) // start.denominator, 1 << bits)


def line_breakpoints(g: Function, low: Fraction, high: Fraction, rng: Random, most: int | None = None) -> list[Breakpoint]:
    """Return the breakpoints of g on (low, high) that are found, in order.

    Args:
        g: defined on [low, high].
        most: stop when there are more breaks than this.
    Raises:
        NotAffineHere: g does not look piecewise affine at any scale.  TooManyBreaks: g has more than `most` breaks.
    Exactness: every position and slope is exact.    Cost: about 20 to 30 queries a breakpoint.

    >>> found = line_breakpoints(lambda t: (abs(t - 2) + abs(t),), Fraction(-9), Fraction(9), Random(1))
    >>> [(str(b.at), str(b.jump[0])) for b in found]
    [('0', '2'), ('2', '2')]
    """
    found: list[Breakpoint] = []
    stack = [(low, high, germ(g, low, high, rng), germ(g, high, low, rng), 0)]
    while stack:
        a, b, left, right, depth = stack.pop()
        seen = _unbroken(g, a, b, left, rng) if left.is_same(right) else _single(g, a, b, left, right, rng)
        if seen is None:
            continue
        if isinstance(seen, Breakpoint):
            found.append(seen)
            _bounded(found, most)
            continue
        if depth == MOST_DEPTH:
            raise NotAffineHere(f"after {MOST_DEPTH} bisections an interval still shows more than one break")
        before, after = germ(g, seen, a, rng), germ(g, seen, b, rng)
        if before.slope != after.slope:
            found.append(Breakpoint(seen, before, after))
            _bounded(found, most)
        stack += [(seen, b, after, right, depth + 1), (a, seen, left, before, depth + 1)]
    return sorted(found, key=lambda breakpoint_: breakpoint_.at)


def _bounded(found: list[Breakpoint], most: int | None) -> None:
    if most is not None and len(found) > most:
        raise TooManyBreaks(f"the function has more than {most} breaks on one line, too many for the architecture")


def germ(g: Function, at: Fraction, towards: Fraction, rng: Random) -> Line:
    """Return the line that g follows beside `at` on the side of `towards`, from three collinear points.

    Raises:
        NotAffineHere: three points are never collinear.
    """
    value = g(at)
    step = (towards - at) / 8
    for _ in range(MOST_SHRINKINGS):
        share = Fraction(rng.randint(300, 700), 1024)
        far, near = g(at + step), g(at + step * share)
        if all((x - v) * share == y - v for v, x, y in zip(value, far, near)):
            return Line(at, value, tuple((x - v) / step for v, x in zip(value, far)))
        step /= 8
    raise NotAffineHere("three points beside a point of the line are not collinear at any scale")


def _unbroken(g: Function, a: Fraction, b: Fraction, line: Line, rng: Random) -> Fraction | None:
    """A point of (a, b) where g is not on the line, among two random ones, or None."""
    places = (simple_between(a, b, rng) for _ in range(2))
    return next((t for t in places if g(t) != line(t)), None)


def _single(g: Function, a: Fraction, b: Fraction, left: Line, right: Line, rng: Random) -> Breakpoint | Fraction:
    """The break where two different lines meet inside (a, b), if g is accepted as having only this one.

    Otherwise a point at which to cut: where g leaves both lines, if such a point was met, so that what was seen is not lost again.
    """
    middle = simple_between(a, b, rng)
    k = next((k for k, (x, y) in enumerate(zip(left.slope, right.slope)) if x != y), None)
    if k is None:
        return middle
    meet = a + (right(a)[k] - left.value[k]) / (left.slope[k] - right.slope[k])
    if not a < meet < b or left(meet) != right(meet) or g(meet) != left(meet):
        return middle
    for power in POWERS:
        before = simple_between(meet - (meet - a) / (1 << 2 * power), meet, rng)
        after = simple_between(meet, meet + (b - meet) / (1 << 2 * power), rng)
        for t, line in ((before, left), (after, right)):
            if g(t) != line(t):
                return t
    return Breakpoint(meet, left, right)
