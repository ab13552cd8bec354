"""Network -> substitution graph -> network is the same function on the cube, and the same parameter where the theorem says so."""

from __future__ import annotations

from fractions import Fraction

import pytest

from exactrelu import Domain, Network, equal, equivalent
from exactrelu.logic.decide import networks_equivalent
from exactrelu.logic.extract import extract, preactivation_bounds
from exactrelu.logic.graph_file import load_graph, save_graph
from tests.logic.drawn import grid, network

WIDTHS = [(1, 2, 1), (2, 2, 1), (2, 3, 2), (2, 2, 2, 1), (3, 2, 1), (2, 1, 2, 1)]


def cube(inputs: int) -> Domain:
    return Domain.box(inputs, [(0, 1)])


def round_trip(original: Network, **options: object) -> Network:
    graph = extract(original, **options)  # type: ignore[arg-type]  # the options of each mode
    back = graph.to_network()
    inputs = original.architecture.inputs
    assert equal(original, back, cube(inputs)).verdict == "equal"
    return back


@pytest.mark.parametrize("widths", WIDTHS)
@pytest.mark.parametrize("rational", [False, True])
def test_round_trips(widths: tuple[int, ...], rational: bool) -> None:
    for seed in range(2):
        round_trip(network(widths, seed, rational))


@pytest.mark.slow
@pytest.mark.parametrize("widths", WIDTHS)
@pytest.mark.parametrize("rational", [False, True])
def test_round_trips_of_many(widths: tuple[int, ...], rational: bool) -> None:
    """17 networks for each of 6 architectures: 102 integer and 102 rational ones."""
    for seed in range(2, 19):
        round_trip(network(widths, seed, rational))


@pytest.mark.parametrize("options", [{"mode": "sliced"}, {"mode": "scaled"}, {"mode": "sliced", "bounds": "interval"},
                                     {"affine": True}, {"clear_denominators": True}])
def test_every_mode(options: dict[str, object]) -> None:
    for seed in range(3):
        round_trip(network((2, 2, 1), seed, options.get("clear_denominators") is True), **options)


@pytest.mark.parametrize("widths", WIDTHS)
def test_ranges_contain_all_values_and_are_attained(widths: tuple[int, ...]) -> None:
    original = network(widths, 5)
    exact = preactivation_bounds(original)
    wide = preactivation_bounds(original, exact=False)
    values: list[list[set[Fraction]]] = [[set() for _ in layer] for layer in exact]
    for point in grid(widths[0], 4):
        a: list[Fraction] = list(point)
        for level, (rows, biases) in enumerate(zip(original.weights, original.biases)):
            z = [sum((w * x for w, x in zip(row, a)), b) for row, b in zip(rows, biases)]
            for j, value in enumerate(z):
                low, high = exact[level][j]
                assert low <= value <= high and wide[level][j][0] <= low and high <= wide[level][j][1]
                values[level][j].add(value)
            a = [max(Fraction(0), x) for x in z]
    for j, (low, high) in enumerate(exact[0]):                       # affine on the cube: the corners attain the range
        assert {low, high} <= values[0][j]


def test_files_keep_the_function(tmp_path: object) -> None:
    graph = extract(network((2, 2, 2, 1), 3))
    path = str(tmp_path) + "/graph.json"
    save_graph(graph, path)
    assert equal(load_graph(path).to_network(), graph.to_network(), cube(2)).verdict == "equal"


def test_a_domain_is_mapped_to_the_cube() -> None:
    original, box = network((2, 2, 1), 4), Domain.box(2, [(-1, 3)])
    back = extract(original, domain=box).to_network()
    assert equal(original, back, box).verdict == "equal"


@pytest.mark.parametrize("seed", range(12))
def test_decision_of_networks_agrees_with_equality(seed: int) -> None:
    a, b = network((2, 2, 1), seed), network((2, 2, 1), seed + 100)
    for other in (b, a, a.replaced(2, biases=[a.biases[1][0] + Fraction(1, 1 << 40)])):
        decided = networks_equivalent(a, other).verdict
        assert decided == ("equivalent" if equal(a, other, cube(2)).verdict == "equal" else "inequivalent")


def test_uniqueness() -> None:
    """Integer weights, every neuron with the range [0, 1] up to integers and no redundancy: the parameter itself comes back."""
    original = Network([[[1, 1], [1, -1]], [[1, -1]]], [[-1, 0], [0]])
    back = round_trip(original)
    assert equivalent(original, back).verdict == "equivalent"
