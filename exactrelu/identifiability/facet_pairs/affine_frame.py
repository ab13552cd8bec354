"""Coordinates in which a domain has size about 1, and the way back to exact points.

The frame is x_k = c_k + 2^{e_k} y_k with rational c_k of power-of-two denominator.  Floating-point search happens in
y; a float y is a dyadic number, so the point x is known exactly and has homogeneous integer coordinates (t, x_1, ...,
x_d) with t a power of two.  Nothing here needs to be accurate: points are checked exactly afterwards.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import frexp, gcd, ldexp

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
HomogeneousPoint = tuple[int, ...]


def shifted_float(value: int, exponent: int) -> float:
    """Return value * 2^exponent rounded to a float (relative error at most 2^-53 where it is a normal number).

    A value above the range becomes an infinity, a value below it zero or a denormal number.

    >>> shifted_float(1 << 2000, -2000)
    1.0
    """
    magnitude = abs(value)
    excess = magnitude.bit_length() - 64
    if excess > 0:
        sticky = 1 if magnitude & ((1 << excess) - 1) else 0
        magnitude, exponent = (magnitude >> excess) | sticky, exponent + excess
    try:
        result = ldexp(float(magnitude), max(min(exponent, 5000), -5000))
    except OverflowError:
        result = float("inf")
    return -result if value < 0 else result


def fraction_float(value: Fraction, exponent: int = 0) -> float:
    """Return value * 2^exponent as a float with relative error at most 2^-52 (normal range)."""
    if not value:
        return 0.0
    shift = 128 - value.numerator.bit_length() + value.denominator.bit_length()
    whole = (
        (value.numerator << shift) // value.denominator
        if shift >= 0
        else value.numerator // (value.denominator << -shift)
    )
    return shifted_float(whole, exponent - shift)


def binary_exponent(value: Fraction) -> int:
    """Return e with 2^{e-1} < |value| < 2^{e+1}, 0 for the value zero.

    >>> binary_exponent(Fraction(60760))
    15
    """
    return abs(value.numerator).bit_length() - value.denominator.bit_length() if value else 0


@dataclass(frozen=True)
class AffineFrame:
    """The change of coordinates x_k = centers[k] + 2^exponents[k] y_k."""

    centers: tuple[Fraction, ...]
    exponents: tuple[int, ...]

    @property
    def dimension(self) -> int:
        """d."""
        return len(self.centers)

    def to_frame(self, k: int, value: Fraction) -> Fraction:
        """Return the coordinate y_k of x_k = value."""
        return (value - self.centers[k]) * Fraction(2) ** -self.exponents[k]

    def exact_point(self, y: Sequence[float]) -> HomogeneousPoint:
        """Return (t, x_1, ..., x_d), integers without common factor, of the point with float coordinates y.

        >>> AffineFrame((Fraction(1, 2), Fraction(0)), (3, 0)).exact_point([0.25, 1.0])
        (2, 5, 2)
        """
        coordinates = []
        for c, e, value in zip(self.centers, self.exponents, y):
            mantissa, power = frexp(value)
            whole, power = int(ldexp(mantissa, 53)), power - 53 + e
            moved = Fraction(whole << power) if power >= 0 else Fraction(whole, 1 << -power)
            coordinates.append(c + moved)
        t = max((x.denominator for x in coordinates), default=1)
        row = [x.numerator * (t // x.denominator) for x in coordinates]
        common = gcd(t, *row)
        return (t // common, *(x // common for x in row))

    def moved_row(self, row: Sequence[int]) -> tuple[Fraction, list[Fraction]]:
        """Return the constant and the coefficients in y of the affine form row[0] + row[1:].x."""
        constant = Fraction(row[0]) + sum((w * c for w, c in zip(row[1:], self.centers) if w and c), Fraction(0))
        return constant, [w * Fraction(2) ** e if w else Fraction(0) for w, e in zip(row[1:], self.exponents)]


def dyadic(value: Fraction, exponent: int) -> Fraction:
    """Return the multiple of 2^exponent next to a value."""
    unit = Fraction(2) ** exponent
    return round(value / unit) * unit


def interval_frame(low: Fraction, high: Fraction) -> tuple[Fraction, int]:
    """Return the center and the exponent of one bounded coordinate: half the width is between 1/4 and 1 in y."""
    half = (high - low) / 2
    exponent = binary_exponent(half)
    return dyadic((low + high) / 2, exponent - 6), exponent
