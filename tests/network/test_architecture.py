"""Architectures: counts by enumeration, numbering of neurons in both directions, and refused widths."""

from __future__ import annotations

import pytest

from exactrelu.errors import InputError, ShapeError
from exactrelu.network.architecture import Architecture, Neuron

ALL = [(1, 1), (3, 2), (1, 1, 1), (2, 3, 1), (2, 3, 2, 1), (4, 1, 7, 2, 3), (2, 40, 40, 1)]


@pytest.mark.parametrize("widths", ALL)
def test_counts_by_enumeration(widths: tuple[int, ...]) -> None:
    a = Architecture(widths)
    weights = [(layer, i, j) for layer in range(1, len(widths)) for i in range(widths[layer]) for j in range(widths[layer - 1])]
    biases = [(layer, i) for layer in range(1, len(widths)) for i in range(widths[layer])]
    hidden = [(layer, i) for layer in range(1, len(widths) - 1) for i in range(widths[layer])]
    assert a.parameters == len(weights) + len(biases)
    assert a.hidden_neurons == len(hidden) and a.expected_dimension == a.parameters - len(hidden)
    assert (a.inputs, a.outputs, a.hidden_layers, a.hidden_widths) == (widths[0], widths[-1], len(widths) - 2, widths[1:-1])
    assert [a.neuron(k) for k in range(len(hidden))] == hidden
    assert [a.number(v) for v in hidden] == list(range(len(hidden)))
    assert a.offsets == tuple(len([v for v in hidden if v[0] < layer]) for layer in range(1, len(widths)))


@pytest.mark.parametrize("number", [-1, 5, 6])
def test_numbers_without_neuron(number: int) -> None:
    with pytest.raises(ShapeError, match=f"number {number}; there are 5"):
        Architecture((2, 3, 2, 1)).neuron(number)


@pytest.mark.parametrize("neuron", [(0, 0), (1, 3), (2, -1), (3, 0), (-1, 0)])
def test_neurons_that_do_not_exist(neuron: tuple[int, int]) -> None:
    with pytest.raises(ShapeError, match="no hidden neuron"):
        Architecture((2, 3, 2, 1)).number(neuron)


@pytest.mark.parametrize("widths", [(), (3,)])
def test_too_few_widths(widths: tuple[int, ...]) -> None:
    with pytest.raises(ShapeError, match="input and an output"):
        Architecture(widths)


@pytest.mark.parametrize("width", [0, -2, True, 1.0, "2", None])
def test_wrong_widths(width: object) -> None:
    with pytest.raises(ShapeError, match="positive integers"):
        Architecture((2, width, 1))  # type: ignore[arg-type]


def test_texts() -> None:
    assert Architecture.parse("2,3,1") == Architecture.parse("2-3-1") == Architecture((2, 3, 1))
    assert str(Architecture((2, 3, 1))) == "(2, 3, 1)" and str(Neuron(2, 0)) == "(2, 0)"
    assert Architecture([2, 3, 1]) == Architecture((2, 3, 1))  # type: ignore[arg-type]
    for text in ("", "2,,1", "2,x", "2.5,1"):
        with pytest.raises(InputError, match="not of the form"):
            Architecture.parse(text)
    with pytest.raises(ShapeError, match="positive integers"):
        Architecture.parse("2,0,1")
    with pytest.raises(ShapeError, match="output"):
        Architecture.parse("2")
