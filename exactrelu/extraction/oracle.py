"""A black box that answers exact queries: counting, caching and validation of every answer.

An oracle computes f: R^d -> R^m.  An answer is a list of m exact rationals (`int`, `Fraction`, ``"p/q"``); anything else is an
error that names the query and the point.  At random moments a point that has been answered is asked again, past the cache: f is
a function, so the answer has to be the same.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from random import Random
from types import TracebackType
from typing import Any

from exactrelu.arithmetic.rational import rational
from exactrelu.errors import BudgetExceeded, ExactnessError, InputError, ShapeError
from exactrelu.limits import Meter

Point = tuple[Fraction, ...]
Value = tuple[Fraction, ...]

RECHECKED = 16
"""One query in so many is followed by a repetition of an earlier one."""
MOST_QUERIES = 1_000_000
"""Queries to one oracle."""
_SHOWN = 200


def clipped(value: object) -> str:
    """What came from outside, short enough for a message."""
    text = value if isinstance(value, str) else repr(value)
    return text if len(text) <= _SHOWN else text[:_SHOWN - 3] + "..."


class Oracle:
    """An exact black box f: R^d -> R^m.  Subclasses say how a point is answered (`raw`) and what to release (`close`).

    `start` sets the sizes and forgets everything known; then the oracle is called with points.  As a context manager it is
    closed at the end, whatever happens.

    Attributes:
        queries: questions asked so far, repetitions included, cached answers not.
    """

    def __init__(self) -> None:
        self.start(1, 1)

    def start(self, inputs: int, outputs: int, *, seed: int = 0, meter: Meter | None = None) -> None:
        """Set the sizes of points and answers, the moments of repetition (by the seed) and the limits; forget all answers."""
        self.inputs, self.outputs = inputs, outputs
        self.queries = 0
        self.answers: dict[Point, Value] = {}
        self._asked: list[Point] = []
        self._meter = meter if meter is not None else Meter()
        self._random = Random(f"repetitions {seed}")

    def raw(self, point: Point) -> Any:
        """Return what the black box says, unchecked."""
        raise NotImplementedError

    def close(self) -> None:
        """Release what the oracle holds; may be called again."""

    def __enter__(self) -> Oracle:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()

    def __call__(self, point: Sequence[Fraction]) -> Value:
        """Return f(point), checked; asks at most once for every point, apart from the repetitions.

        Raises:
            ExactnessError: a number of the answer is not an exact rational.  ShapeError: it is no list, or of the wrong length.
            InputError: the oracle fails, or contradicts itself.  BudgetExceeded: a limit was reached.
        """
        place = tuple(point)
        known = self.answers.get(place)
        if known is None:
            known = self.answers[place] = self._ask(place)
            self._asked.append(place)
            if self._random.randrange(RECHECKED) == 0:
                self._repeat(self._asked[self._random.randrange(len(self._asked))])
        return known

    def repeat(self, count: int) -> None:
        """Ask `count` random earlier points again.

        Raises:
            InputError: an answer has changed.
        """
        for _ in range(count if self._asked else 0):
            self._repeat(self._asked[self._random.randrange(len(self._asked))])

    def _repeat(self, point: Point) -> None:
        again = self._ask(point)
        if again != self.answers[point]:
            raise InputError(f"the oracle answers one point differently: {self._where(point)} gave {clipped(_text(self.answers[point]))} "
                             f"before and gives {clipped(_text(again))} now; it is not a function")

    def _where(self, point: Point) -> str:
        return f"query {self.queries} at {clipped(_text(point))}"

    def _ask(self, point: Point) -> Value:
        if self.queries >= MOST_QUERIES:
            raise BudgetExceeded(f"{MOST_QUERIES} queries used up", {"queries": self.queries})
        self._meter.tick()
        self.queries += 1
        return self._validated(self.raw(point), point)

    def _validated(self, answer: Any, point: Point) -> Value:
        if not isinstance(answer, list | tuple):
            raise ShapeError(f"{self._where(point)}: the oracle should answer a list of {self.outputs} rationals, "
                             f"got {type(answer).__name__}: {clipped(answer)}")
        if len(answer) != self.outputs:
            raise ShapeError(f"{self._where(point)}: the oracle answers {len(answer)} numbers, expected {self.outputs}: {clipped(answer)}")
        try:
            return tuple(rational(x) for x in answer)
        except ExactnessError as error:
            raise ExactnessError(f"{self._where(point)}: the answer {clipped(answer)} is not exact: {error}") from None


def _text(values: Sequence[Fraction]) -> str:
    return "[" + ", ".join(map(_short, values)) + "]"


def _short(value: Fraction) -> str:
    if max(value.numerator.bit_length(), value.denominator.bit_length()) > _SHOWN * 4:      # Python does not write 4300 digits
        return f"<rational of {value.numerator.bit_length()}/{value.denominator.bit_length()} bits>"
    return str(value)


class CallableOracle(Oracle):
    """An oracle that is a Python function of a list of d `Fraction`s.

    >>> oracle = CallableOracle(lambda x: [abs(x[0])])
    >>> oracle([Fraction(-1, 2)])
    (Fraction(1, 2),)
    >>> CallableOracle(lambda x: [0.5])([Fraction(1)])
    Traceback (most recent call last):
    exactrelu.errors.ExactnessError: query 1 at [1]: the answer [0.5] is not exact: 0.5 is a float; write "1/2", or use an \
importer such as Network.from_floats, which reads a float as the exact dyadic number it is
    """

    def __init__(self, function: Callable[[list[Fraction]], Any]) -> None:
        self.function = function
        super().__init__()

    def raw(self, point: Point) -> Any:
        """Return the value of the function, whatever it is."""
        try:
            return self.function(list(point))
        except Exception as error:      # foreign code may raise anything; the message says where
            raise InputError(f"{self._where(point)}: the oracle fails with {type(error).__name__}: {clipped(str(error))}") from error
