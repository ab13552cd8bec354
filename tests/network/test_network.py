"""Networks: every wrong shape and every inexact entry is refused with its place."""

from __future__ import annotations

import json
from fractions import Fraction

import numpy as np
import pytest

from exactrelu.errors import ExactnessError, InputError, ShapeError
from exactrelu.network.network import Network

F = Network([[[1, -1], ["1/2", 0]], [[3, "-2/3"]]], [[0, 1], ["5/7"]])


def test_entries_are_fractions_in_tuples() -> None:
    assert F.weights == (((1, -1), (Fraction(1, 2), 0)), ((3, Fraction(-2, 3)),))
    assert F.biases == ((0, 1), (Fraction(5, 7),))
    assert all(type(x) is Fraction for rows in F.weights for row in rows for x in row)


def test_value_by_hand() -> None:
    x, y = Fraction(3), Fraction(1, 3)
    first, second = max(x - y, Fraction(0)), max(x / 2 + 1, Fraction(0))
    assert F([x, y]) == (3 * first - Fraction(2, 3) * second + Fraction(5, 7),)
    assert F([-5, 0]) == (Fraction(5, 7),)


def test_equality_hash_and_repr() -> None:
    same = Network((((1, -1), (Fraction(2, 4), "0")), ((3, "-2/3"),)), ((0, 1), ("5/7",)))
    assert same == F and hash(same) == hash(F) and repr(F) == "Network(2, 2, 1)"
    assert F.replaced(2, biases=[0]) != F
    with pytest.raises(AttributeError):
        F.weights = ()  # type: ignore[misc]


def test_numpy_integers_and_affine_networks() -> None:
    found = Network([np.array([[1, 2], [3, 4]])], np.array([[5, 6]]))
    assert found == Network([[[1, 2], [3, 4]]], [[5, 6]]) and found([1, 1]) == (8, 13)
    assert found.architecture.hidden_layers == 0


@pytest.mark.parametrize("weights, biases, words", [
    ([], [], "at least one layer"),
    ([[[1]]], [], "1 weight matrices but 0 bias"),
    ([[]], [[]], "layer 1 has no neurons"),
    ([[[]]], [[1]], "layer 1 has no inputs"),
    ([[[1, 2], [3]]], [[0, 0]], "layer 1, weight row 1 has 1 entries, expected 2"),
    ([[[1]], [[1, 1]]], [[0], [0]], "layer 2, weight row 0 has 2 entries, expected 1"),
    ([[[1], [2]]], [[0]], "layer 1 has 2 weight rows but 1 biases"),
    (3, [[0]], "weights should be a list, got int"),
    ("ab", [[0]], "weights should be a list, got str"),
    ([[[1]]], {0: 1}, "biases should be a list, got dict"),
    ([3], [[0]], "layer 1, weights should be a list"),
    ([[3]], [[0]], "layer 1, weight row 0 should be a list"),
    ([[[1]]], [0], "layer 1, bias should be a list"),
    ([["12"]], [[0]], "weight row 0 should be a list, got str"),
])
def test_wrong_shapes(weights: object, biases: object, words: str) -> None:
    with pytest.raises(ShapeError, match=words):
        Network(weights, biases)  # type: ignore[arg-type]


@pytest.mark.parametrize("entry", [0.5, float("nan"), float("inf"), True, None, "0.5", "1/0", "x", np.float32(1), 1j])
def test_inexact_entries_are_named_with_their_place(entry: object) -> None:
    with pytest.raises(ExactnessError, match="layer 2, weight row 1, column 0: "):
        Network([[[1]], [[1], [entry]]], [[0], [0, 0]])
    with pytest.raises(ExactnessError, match="layer 2, bias 1: "):
        Network([[[1]], [[1], [1]]], [[0], [0, entry]])


def test_from_floats_is_exact() -> None:
    assert Network.from_floats([[[0.1]]], [[-0.5]]) == Network([[[Fraction(0.1)]]], [["-1/2"]])


def test_replaced() -> None:
    assert F.replaced(1, biases=[7, 8]).biases == ((7, 8), (Fraction(5, 7),))
    assert F.replaced(2, weights=[[0, 0]])([9, 9]) == (Fraction(5, 7),)
    assert F.replaced(1) == F
    for layer in (0, 3, -1):
        with pytest.raises(InputError, match=f"no layer {layer}; there are 2"):
            F.replaced(layer, biases=[0])
    with pytest.raises(ShapeError, match="layer 2"):
        F.replaced(1, weights=[[1, 1]], biases=[0])


def test_counts() -> None:
    assert F.parameters == 2 * 2 + 2 + 2 + 1 == F.architecture.parameters
    assert F.max_bits == 3 and Network([[[0]]], [[Fraction(1, 2**100)]]).max_bits == 101
    assert Network([[[-(2**70)]]], [[0]]).max_bits == 71


def test_written_with_every_number_a_string() -> None:
    assert F.claim() == {"architecture": [2, 2, 1], "weights": [[["1", "-1"], ["1/2", "0"]], [["3", "-2/3"]]],
                         "biases": [["0", "1"], ["5/7"]]}
    written = json.loads(json.dumps(F.to_json()))
    assert (written["format"], written["version"]) == ("exactrelu/network", 1)
    assert Network(written["weights"], written["biases"]) == F
