"""The float gate: exact in, exact or refused out."""

import math
import struct
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from exactrelu.errors import ExactnessError
from exactrelu.network.float_gate import binary_words, exact_float, exact_floats, exact_layers, float_word
from exactrelu.network.network import Network


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_a_float64_goes_in_and_out_unchanged(value):
    exact = exact_float(value, "x")
    word = float_word(exact, "float64")
    assert word is not None
    assert struct.unpack("<d", word)[0] == value
    assert exact_floats(binary_words(word, "float64"), str) == (exact,)


@given(st.integers(0, 2**16 - 1))
def test_bfloat16_is_the_upper_half_of_float32(half):
    (wide,) = struct.unpack("<f", struct.pack("<I", half << 16))
    (found,) = binary_words(struct.pack("<H", half), "bfloat16")
    assert math.isnan(found) if math.isnan(wide) else found == wide


@pytest.mark.parametrize("value", [float("nan"), float("inf"), float("-inf"), True, "1", None, 1j])
def test_what_is_no_finite_number_is_refused_with_its_place(value):
    with pytest.raises(ExactnessError, match="layer 1, weight row 0, column 1"):
        exact_layers([[[1.0, value]]], [[0.0]])
    with pytest.raises(ExactnessError, match="layer 1, bias 0"):
        exact_layers([[[1.0, 2.0]]], [[value]])


@pytest.mark.parametrize("value", [Fraction(1, 3), Fraction(2**53 + 1), Fraction(10) ** 400, Fraction(1, 2**1075)])
def test_what_is_no_float64_has_no_word(value):
    assert float_word(value, "float64") is None


def test_denormals_are_exact():
    smallest = Fraction(1, 2**1074)
    assert exact_float(5e-324, "x") == smallest
    assert float_word(smallest, "float64") == struct.pack("<d", 5e-324)
    network = Network.from_floats([[[5e-324]]], [[0.0]])
    assert network.max_bits == 1075


def test_numpy_floats_of_every_size_are_exact():
    numpy = pytest.importorskip("numpy")
    for kind in ("float16", "float32", "float64"):
        value = numpy.asarray(0.1, dtype=kind)[()]
        assert exact_float(value, "x") == Fraction(*float(value).as_integer_ratio())
    assert Network.from_floats([numpy.eye(2)], [numpy.zeros(2)]).weights == (((1, 0), (0, 1)),)
