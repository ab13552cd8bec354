"""Neurons that are degenerate at first sight: each kind, its boundary cases, and none in a generic network."""

from __future__ import annotations

from fractions import Fraction

import pytest

from exactrelu.network.degenerate import Degenerate, degenerate_neurons
from exactrelu.network.network import Network


def kinds(rows: list, bias: list, out: list | None = None) -> list[tuple[int, str]]:
    found = degenerate_neurons(Network([rows, out or [[1] * len(rows)]], [bias, [0] * len(out or [0])]))
    assert all(d.layer == 1 for d in found)
    return [(d.place, d.kind) for d in found]


@pytest.mark.parametrize("rows, bias, out, expected", [
    ([[1, 0], [0, 1]], [0, 0], None, []),
    ([[0, 0]], [0], None, [(0, "zero-row")]),
    ([[0, 0]], [-2], None, [(0, "constant")]),
    ([[1, 2]], [3], [[0], [0]], [(0, "zero-column")]),
    ([[1, 2]], [3], [[0], [1]], []),
    ([[1, 2], [2, 4]], [3, 6], None, [(1, "proportional")]),
    ([[1, 2], [1, 2]], [3, 3], None, [(1, "proportional")]),
    ([[1, 2], [2, 4]], [3, 7], None, []),
    ([[1, 2], [-2, -4]], [3, -6], None, [(1, "opposite")]),
    ([[1, 2], [-2, -4]], [3, 6], None, []),
    ([[1, 2], [-1, -2], [3, 6]], [0, 0, 0], None, [(1, "opposite"), (2, "proportional")]),
    ([["1/3", 2], ["1/2", 3]], ["1/5", Fraction(3, 10)], None, [(1, "proportional")]),
    ([[0, 0], [0, 0]], [1, 2], None, [(0, "constant"), (1, "constant")]),
    ([[0, 0]], [0], [[0]], [(0, "zero-row"), (0, "zero-column")]),
])
def test_kinds(rows: list, bias: list, out: list | None, expected: list[tuple[int, str]]) -> None:
    assert kinds(rows, bias, out) == expected


def test_layers_are_treated_apart() -> None:
    network = Network([[[1], [2]], [[1, 0], [2, 0]], [[1, 1]]], [[1, 1], [1, 2], [0]])
    assert degenerate_neurons(network) == [Degenerate(1, 1, "zero-column"), Degenerate(2, 1, "proportional")]


def test_the_output_layer_is_never_degenerate() -> None:
    assert degenerate_neurons(Network([[[0, 0]]], [[0]])) == []
    assert degenerate_neurons(Network([[[1]], [[1], [1], [0]]], [[0], [0, 0, 0]])) == []


def test_written() -> None:
    assert Degenerate(2, 1, "opposite").to_json() == {"layer": 2, "index": 1, "kind": "opposite"}
