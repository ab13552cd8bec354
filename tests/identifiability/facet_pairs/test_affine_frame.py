"""Frames: exact points, floats of numbers of any size."""

from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st

from exactrelu.identifiability.facet_pairs.affine_frame import (
    AffineFrame,
    binary_exponent,
    dyadic,
    fraction_float,
    interval_frame,
    shifted_float,
)

RATIONALS = st.fractions(min_value=-(10**6), max_value=10**6)


@given(st.floats(-1e6, 1e6), st.integers(-300, 300), RATIONALS)
def test_exact_point_is_the_point_of_the_frame(y, exponent, center):
    center = dyadic(center, -20)
    t, x = AffineFrame((center,), (exponent,)).exact_point([y])
    assert t > 0 and t & (t - 1) == 0
    assert Fraction(x, t) == center + Fraction(2) ** exponent * Fraction(y)


@given(RATIONALS, st.integers(-200, 200))
def test_fraction_float_has_small_relative_error(value, exponent):
    scaled = value * Fraction(2) ** exponent
    assert abs(Fraction(fraction_float(value, exponent)) - scaled) <= abs(scaled) / 2**52


@given(RATIONALS.filter(bool))
def test_binary_exponent(value):
    e = binary_exponent(value)
    assert Fraction(2) ** (e - 1) < abs(value) < Fraction(2) ** (e + 1)


def test_floats_out_of_range_saturate():
    assert shifted_float(1, 5000) == float("inf") and shifted_float(-1, 2000) == float("-inf")
    assert shifted_float(3, -5000) == 0 and shifted_float(0, 9) == 0
    assert fraction_float(Fraction(7, 3**5000)) == 0 and fraction_float(Fraction(-(3**5000), 7)) == float("-inf")
    assert shifted_float(1 << 4000, -4000) == 1


@given(RATIONALS, st.fractions(min_value=Fraction(1, 10**9), max_value=10**9))
def test_interval_frame_makes_a_bounded_coordinate_of_size_one(low, width):
    center, exponent = interval_frame(low, low + width)
    frame = AffineFrame((center,), (exponent,))
    for end in (low, low + width):
        assert Fraction(1, 5) < abs(frame.to_frame(0, end)) < Fraction(5, 2)
