"""The entries of a network with their places, for messages of writers."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from exactrelu.errors import ExactnessError
from exactrelu.network.float_gate import float_word
from exactrelu.network.network import Network

_SHOWN_BITS = 300


def entries(network: Network) -> Iterator[tuple[str, Fraction]]:
    """Yield (where, value) for every weight and bias.

    >>> next(entries(Network([[[2]]], [[0]])))
    ('layer 1, weight row 0, column 0', Fraction(2, 1))
    """
    for layer, (rows, bias) in enumerate(zip(network.weights, network.biases), 1):
        for i, row in enumerate(rows):
            for j, value in enumerate(row):
                yield f"layer {layer}, weight row {i}, column {j}", value
        for i, value in enumerate(bias):
            yield f"layer {layer}, bias {i}", value


def shown_value(value: Fraction) -> str:
    """Return a number for messages: itself, unless it is long.

    >>> shown_value(Fraction(1, 3)), shown_value(Fraction(10) ** 5000)
    ('1/3', 'a long fraction')
    """
    bits = value.denominator.bit_length() + value.numerator.bit_length()
    return str(value) if bits < _SHOWN_BITS else "a long fraction"


def check_words(network: Network, kind: str, suffix: str) -> None:
    """Raise `ExactnessError` at the first entry that is not exactly a number of this kind."""
    for where, value in entries(network):
        if float_word(value, kind) is None:
            raise ExactnessError(f"{where}: {shown_value(value)} is not exactly a {kind}, which {suffix} needs; "
                                 "write .json instead")
