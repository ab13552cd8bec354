"""The only way in for floats: a binary float is read as the exact dyadic rational it is.

NaN and infinities are refused with layer, row and column.  The way out is guarded as well: `float_word` writes a
rational as a binary word only when the word is that very number.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any

from exactrelu.errors import ExactnessError, ShapeError

WORD_BYTES = {"float16": 2, "bfloat16": 2, "float32": 4, "float64": 8,
              "int8": 1, "int16": 2, "int32": 4, "int64": 8, "uint8": 1, "uint16": 2, "uint32": 4, "uint64": 8}
"""Number kinds whose binary words can be read exactly, with their sizes."""

ExactWeights = tuple[tuple[tuple[Fraction, ...], ...], ...]
ExactBiases = tuple[tuple[Fraction, ...], ...]

_CODES = {"float16": "e", "float32": "f", "float64": "d", "int8": "b", "int16": "h", "int32": "i", "int64": "q",
          "uint8": "B", "uint16": "H", "uint32": "I", "uint64": "Q"}


def exact_float(value: Any, where: str) -> Fraction:
    """Return the dyadic rational a binary float (or an integer) is.

    >>> exact_float(0.1, "bias 0")
    Fraction(3602879701896397, 36028797018963968)
    """
    if isinstance(value, bool):
        raise ExactnessError(f"{where}: {value!r} is a boolean, not a number")
    try:
        top, bottom = value.as_integer_ratio()
    except (ValueError, OverflowError):
        raise ExactnessError(f"{where}: {value!r} is not a number with a finite value") from None
    except AttributeError:
        raise ExactnessError(f"{where}: {_shown(value)} ({type(value).__name__}) is not a number") from None
    return Fraction(int(top), int(bottom))


def exact_floats(values: Sequence[Any], where: Callable[[int], str]) -> tuple[Fraction, ...]:
    """Return the exact rationals of many floats; `where(k)` names the k-th one and is called only for an error.

    >>> exact_floats([0.5, 3], "entry {}".format)
    (Fraction(1, 2), Fraction(3, 1))
    """
    exact: list[Fraction] = []
    for k, value in enumerate(values):
        kind = type(value)
        if kind is int:
            exact.append(Fraction(value))
        elif kind is float and value - value == 0:
            exact.append(Fraction(*value.as_integer_ratio()))
        else:
            exact.append(exact_float(value, where(k)))
    return tuple(exact)


def binary_words(data: bytes, kind: str) -> tuple[Any, ...]:
    """Return the numbers stored as little-endian words, not yet exact: hand them to `exact_floats`.

    >>> binary_words(bytes([0, 0x3f, 0xc0, 0xbf]), "bfloat16")
    (0.5, -1.5)
    """
    count = len(data) // WORD_BYTES[kind]
    if kind == "bfloat16":
        halves = struct.unpack(f"<{count}H", data)
        return struct.unpack(f"<{count}f", b"".join(struct.pack("<I", half << 16) for half in halves))
    return struct.unpack(f"<{count}{_CODES[kind]}", data)


def float_word(value: Fraction, kind: str) -> bytes | None:
    """Return the little-endian word that is exactly this number, or None when there is none.

    >>> float_word(Fraction(1, 2), "float32"), float_word(Fraction(1, 3), "float64")
    (b'\\x00\\x00\\x00?', None)
    """
    try:
        word = struct.pack("<" + _CODES[kind], value.numerator / value.denominator)
    except OverflowError:
        return None
    found = struct.unpack("<" + _CODES[kind], word)[0]
    if found - found != 0 or Fraction(*found.as_integer_ratio()) != value:
        return None
    return word


def exact_layers(weights: Sequence[Any], biases: Sequence[Any]) -> tuple[ExactWeights, ExactBiases]:
    """Return exact weights and biases of float matrices.

    Raises:
        ExactnessError: NaN, infinity or something that is not a number; names layer, row and column.
    """
    exact_weights = []
    for layer, matrix in enumerate(_rows(weights, "weights"), 1):
        rows = []
        for i, row in enumerate(_rows(matrix, f"layer {layer}, weights")):
            where = f"layer {layer}, weight row {i}"
            rows.append(exact_floats(_rows(row, where), (where + ", column {}").format))
        exact_weights.append(tuple(rows))
    exact_biases = [exact_floats(_rows(vector, f"layer {layer}, bias"), f"layer {layer}, bias {{}}".format)
                    for layer, vector in enumerate(_rows(biases, "biases"), 1)]
    return tuple(exact_weights), tuple(exact_biases)


def _rows(array: Any, where: str) -> list[Any]:
    values = array.tolist() if hasattr(array, "tolist") else array
    if not isinstance(values, (list, tuple)):
        raise ShapeError(f"{where} should be a list or an array, got {type(values).__name__}")
    return list(values)


def _shown(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 60 else text[:57] + "..."
