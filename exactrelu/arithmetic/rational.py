"""Rational numbers at the public boundary: the only coercions into and out of Q.

Inside the engine numbers are Python integers and flint matrices; `fractions.Fraction` is what users see.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from fractions import Fraction
from math import gcd, lcm
from typing import Any

from exactrelu.errors import BudgetExceeded, ExactnessError

MAX_DIGITS = 4_000
"""Longest numerator or denominator accepted in text (Python itself stops at 4300 digits)."""

_MAX_BITS = MAX_DIGITS * 3_321 // 1_000
_RATIONAL = re.compile(r"-?(0|[1-9][0-9]*)(/[1-9][0-9]*)?")
_DECIMAL = re.compile(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]{1,4})?")


def _shown(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 60 else text[:57] + "..."


def rational(value: Any) -> Fraction:
    """Return the rational number written as an exact value.

    Args:
        value: `int`, `Fraction`, `flint.fmpq`, `flint.fmpz`, a numpy integer or the text ``"p"`` / ``"p/q"``.
    Raises:
        ExactnessError: floats, booleans, decimal text and everything else; the message names the cure.

    >>> rational("6/4"), rational(3)
    (Fraction(3, 2), Fraction(3, 1))
    >>> rational(0.1)
    Traceback (most recent call last):
    exactrelu.errors.ExactnessError: 0.1 is a float; write "1/10", or use an importer such as \
Network.from_floats, which reads a float as the exact dyadic number it is
    """
    kind = type(value)
    if kind is Fraction:
        return value  # type: ignore[no-any-return]  # the exact type was just tested
    if kind is int:
        return Fraction(value)
    if kind is str:
        return parse_rational(value)
    if isinstance(value, bool):
        raise ExactnessError(f"{value!r} is a boolean, not a number")
    if isinstance(value, float) or kind.__name__.startswith(("float", "bfloat")):
        cure = "use an importer such as Network.from_floats, which reads a float as the exact dyadic number it is"
        written = str(Fraction(str(value))) if isinstance(value, float) and value - value == 0 else None
        raise ExactnessError(f"{value!r} is a float; " + (f'write "{written}", or ' if written else "") + cure)
    if isinstance(value, (int, Fraction)):
        return Fraction(value)
    if kind.__module__.partition(".")[0] in ("flint", "numpy", "gmpy2"):
        if hasattr(value, "numerator") and hasattr(value, "denominator"):
            return Fraction(int(value.numerator), int(value.denominator))
        if hasattr(value, "p") and hasattr(value, "q"):
            return Fraction(int(value.p), int(value.q))
        if kind.__name__ == "fmpz":
            return Fraction(int(value))
    raise ExactnessError(f"{_shown(value)} ({kind.__name__}) is not an exact rational number")


def parse_rational(text: str) -> Fraction:
    """Return the rational written ``"p"`` or ``"p/q"`` (ASCII digits, no spaces, no sign but a leading minus).

    >>> parse_rational("-7/3")
    Fraction(-7, 3)
    """
    if len(text) > 2 * MAX_DIGITS + 2 or max(map(len, text.split("/"))) > MAX_DIGITS + 1:
        raise ExactnessError(f"number of {len(text)} characters is longer than {MAX_DIGITS} digits")
    if not _RATIONAL.fullmatch(text):
        hint = '; write decimals as fractions ("1/10" for 0.1) or pass --decimal' if _DECIMAL.fullmatch(text) else ""
        raise ExactnessError(f'{_shown(text)} is not a rational "p" or "p/q"{hint}')
    top, _, bottom = text.partition("/")
    return Fraction(int(top), int(bottom) if bottom else 1)


def parse_decimal(text: str) -> Fraction:
    """Return the exact decimal rational a literal denotes: ``"0.1"`` means 1/10; ``"p/q"`` is accepted too.

    >>> parse_decimal("-1.25e-1")
    Fraction(-1, 8)
    """
    if len(text) > MAX_DIGITS:
        raise ExactnessError(f"number of {len(text)} characters is longer than {MAX_DIGITS} digits")
    if _RATIONAL.fullmatch(text):
        return parse_rational(text)
    if not _DECIMAL.fullmatch(text):
        raise ExactnessError(f"{_shown(text)} is not a decimal number")
    return Fraction(text)


def rational_text(value: Fraction | int) -> str:
    """Return ``"p"`` or ``"p/q"`` in lowest terms.

    Raises:
        BudgetExceeded: numerator or denominator has more than `MAX_DIGITS` digits, which no document may have.

    >>> rational_text(Fraction(4, 6)), rational_text(Fraction(5))
    ('2/3', '5')
    """
    if max(value.numerator.bit_length(), value.denominator.bit_length()) > _MAX_BITS:
        raise BudgetExceeded(f"a number of more than {MAX_DIGITS} digits would have to be written")
    return str(value)


def rational_vector(values: Iterable[Any]) -> tuple[Fraction, ...]:
    """Return the exact rationals of a sequence."""
    return tuple(rational(value) for value in values)


def common_denominator(values: Iterable[Fraction | int]) -> int:
    """Return the least common denominator.

    >>> common_denominator([Fraction(1, 4), Fraction(1, 6)])
    12
    """
    return lcm(*(value.denominator for value in values))


def primitive_integer(values: Sequence[Fraction | int]) -> tuple[int, ...]:
    """Return the primitive integer vector on the same ray (the zero vector stays zero).

    >>> primitive_integer([Fraction(1, 2), Fraction(-3, 4)])
    (2, -3)
    """
    scale = common_denominator(values)
    whole = [int(value.numerator) * (scale // int(value.denominator)) for value in values]
    content = gcd(*whole)
    return tuple(whole) if content in (0, 1) else tuple(value // content for value in whole)


def signless_row(row: Sequence[Fraction | int]) -> tuple[int, ...]:
    """Return the primitive multiple of a non-zero row (b, a_1, ..., a_d) with the first non-zero entry of (a_1, ..., a_d, b) positive.

    Two rows have one hyperplane iff the results are equal.

    >>> signless_row((4, -2, 6))
    (-2, 1, -3)
    """
    primitive = primitive_integer(row)
    lead = next(x for x in (*primitive[1:], primitive[0]) if x)
    return primitive if lead > 0 else tuple(-x for x in primitive)


def homogeneous_point(point: Sequence[Fraction]) -> tuple[int, ...]:
    """Return (t, x1, ..., xd), integers without common factor, t > 0, for the point x/t.

    >>> homogeneous_point([Fraction(1, 2), Fraction(1, 3)])
    (6, 3, 2)
    """
    scale = common_denominator(point) if point else 1
    return (scale, *(int(x.numerator) * (scale // int(x.denominator)) for x in point))


def point_text(point: Sequence[int]) -> str:
    """Return homogeneous integer coordinates as evidence has them: ``"t x1 ... xd"``; BudgetExceeded as `rational_text`.

    >>> point_text((2, 1, -3))
    '2 1 -3'
    """
    return " ".join(map(rational_text, point))


def affine_point(row: Sequence[int]) -> tuple[Fraction, ...]:
    """Return the point x/t of homogeneous coordinates (t, x), t > 0.

    >>> affine_point([6, 3, 2])
    (Fraction(1, 2), Fraction(1, 3))
    """
    return tuple(Fraction(x, row[0]) for x in row[1:])
