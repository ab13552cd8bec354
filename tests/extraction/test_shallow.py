"""One hidden layer: recovered exactly and certified; broken promises are never certified wrongly."""

from __future__ import annotations

from fractions import Fraction
from random import Random
from typing import Any

import pytest

from exactrelu import Domain, Network, equal, equivalent
from exactrelu.arithmetic.rational import signless_row
from exactrelu.extraction.comparison import CELL_PROMISE
from exactrelu.extraction.extract import Extraction, extract
from exactrelu.extraction.oracle import CallableOracle
from exactrelu.extraction.region import Region
from exactrelu.extraction.shallow import ARCHITECTURE_PROMISE
from exactrelu.extraction.shallow_proof import counting_points
from exactrelu.network.architecture import Architecture

SHAPES = [(d, n) for d in range(1, 9) for n in range(1, 13)]


def visible_network(d: int, n: int, outputs: int, seed: object, height: int = 9) -> Network:
    """Random integers; pairwise different hyperplanes, no zero column."""
    rng = Random(f"shallow {d} {n} {outputs} {seed}")
    names: set[tuple[int, ...]] = set()
    rows: list[list[int]] = []
    while len(rows) < n:
        row = [rng.randint(-height, height) for _ in range(d + 1)]
        if any(row[1:]) and signless_row(row) not in names:
            names.add(signless_row(row))
            rows.append(row)
    last = [[rng.choice((-1, 1)) * rng.randint(1, 9) for _ in range(n)] for _ in range(outputs)]
    return Network([[row[1:] for row in rows], last], [[row[0] for row in rows], [rng.randint(-9, 9) for _ in range(outputs)]])


def recovered(network: Network, domain: Domain | None = None, seed: int = 0) -> Extraction:
    """Extract; the network has to be among the candidates."""
    found = extract(CallableOracle(network), network.architecture, domain, seed=seed)
    assert found.verdict == "reconstructed", found.reason
    assert sum(equivalent(network, other).verdict == "equivalent" for other in found.candidates) == 1
    return found


@pytest.mark.parametrize("k", range(0, len(SHAPES), 4))
def test_random_networks(k: int) -> None:
    d, n = SHAPES[k]
    found = recovered(visible_network(d, n, 1 + k % 3, "few"), seed=k)
    assert (found.label, found.promise) == ("certified", ARCHITECTURE_PROMISE)


@pytest.mark.slow
@pytest.mark.parametrize("k", range(200))
def test_two_hundred_random_networks(k: int) -> None:
    d, n = SHAPES[k % len(SHAPES)]
    network = visible_network(d, n, 1 + k % 3, k)
    found = recovered(network, seed=k)
    assert (found.label, found.promise) == ("certified", ARCHITECTURE_PROMISE)
    assert all(equal(network, other).verdict == "equal" for other in found.candidates[:3])


@pytest.mark.parametrize("seed", range(6))
def test_all_orientations_are_returned(seed: int) -> None:
    """On a line small integers often leave several orientations; all are other parameters with the same function."""
    network = visible_network(1, 6, 1, seed, height=3)
    found = recovered(network, seed=seed)
    assert all(equal(network, other).verdict == "equal" for other in found.candidates)
    assert (len(found.candidates) > 1) == any(f.code == "SEVERAL" for f in found.flags)


def test_a_known_pair_of_orientations() -> None:
    """ReLU(x) - ReLU(x - 1) = 1 - ReLU(1 - x) + ReLU(-x)."""
    found = recovered(Network([[[1], [1]], [[1, -1]]], [[0, -1], [0]]))
    assert len(found.candidates) == 2 and found.label == "certified" and found.flags[0].code == "SEVERAL"


@pytest.mark.parametrize("d", [2, 3])
def test_equal_jumps_on_parallel_hyperplanes(d: int) -> None:
    """Jumps that cannot be told apart along the lines: the companion lines tell which break belongs to which hyperplane."""
    network = Network([[[1, 2, 3][:d]] * 4 + [[2, -1, 1][:d]] * 2, [[1] * 6]], [[0, 1, 2, 5, 0, 3], [7]])
    found = recovered(network)
    assert (found.label, found.promise) == ("certified", ARCHITECTURE_PROMISE)
    rows = [tuple(int(x) for x in (b, *w)) for w, b in zip(network.weights[0], network.biases[0])]
    columns = [(Fraction(1),)] * 6
    region = Region.of(Domain.space(d), Random(1))
    region.radius = Fraction(1 << 12)
    points = counting_points(rows, columns, region)
    assert points is not None and len(points) == (3 * 6 + 2) * (2 * d - 1)


def test_counting_separates_what_pairs_of_lines_do_not() -> None:
    """Two networks with the same breaks on two parallel lines, hyperplanes exchanged in between, differ at the points chosen."""
    one = Network([[[1, 0], [1, 0]], [[1, 1]]], [[0, -1], [0]])
    rows, columns = [(0, 1, 0), (-1, 1, 0)], [(Fraction(1),)] * 2
    region = Region.of(Domain.space(2), Random(2))
    region.radius = Fraction(64)
    points = counting_points(rows, columns, region, [((Fraction(1, 3), Fraction(0)), (Fraction(1), Fraction(0)))])
    assert points is not None
    heights = sorted({x[1] for x in points})
    assert len(heights) == 3
    step = heights[-1]
    crossed = Network([[[1, -1 / step], [1, 1 / step]], [[1, 1]]], [[0, -1], [0]])     # meets y = 0 and y = step at x = 0 and 1 too
    ends = [x for x in points if x[1] in (0, step)]
    assert all(abs(one(x)[0] - crossed(x)[0]) <= 0 for x in ends)
    assert any(one(x) != crossed(x) for x in points)


@pytest.mark.parametrize("seed", range(8))
def test_bounded_domains(seed: int) -> None:
    rng = Random(f"box {seed}")
    d = rng.randint(1, 3)
    network = visible_network(d, rng.randint(1, 5), 2, ("box", seed), height=3)
    domain = Domain.box(d, [(-4, 4)])
    found = extract(CallableOracle(network), network.architecture, domain, seed=seed)
    if found.candidates:
        assert found.label == "certified"
        assert all(equal(network, other, domain).verdict == "equal" for other in found.candidates)
    else:
        assert {f.code for f in found.flags} == {"FEW"}


def test_corners_that_no_chord_joins() -> None:
    """Four corners of a square: a chord meets at most two hyperplanes; the comparison of cells certifies, under its own promise."""
    network = Network([[[1, 1], [-1, 1], [1, -1], [-1, -1]], [[1, 2, 3, 4]]], [[-3, -3, -3, -3], [0]])
    found = recovered(network, Domain.box(2, [(-2, 2)]))
    assert (found.label, found.promise) == ("certified", CELL_PROMISE)


@pytest.mark.parametrize("weights, biases", [
    ([[[0, 0], [1, 2]], [[3, 4]]], [[1, 1], [0]]),          # a neuron without weights
    ([[[1, 2], [2, 4]], [[3, 4]]], [[1, 2], [0]]),          # twins
    ([[[1, 2], [-1, -2]], [[3, 4]]], [[1, -1], [0]]),       # an opposite pair
    ([[[1, 2], [1, 1]], [[3, 0]]], [[1, -1], [0]]),         # a zero column
    ([[[1, 2], [2, 4]], [[2, -1]]], [[1, 2], [0]])])        # twins that cancel: f is constant
def test_neurons_that_cannot_be_seen(weights: Any, biases: Any) -> None:
    network = Network(weights, biases)
    found = extract(CallableOracle(network), network.architecture)
    assert (found.verdict, found.label) == ("undecided", "")
    assert [f.code for f in found.flags] == ["FEW"]


@pytest.mark.parametrize("seed", range(15))
@pytest.mark.parametrize("box", [False, True])
def test_more_neurons_than_promised(seed: int, box: bool) -> None:
    network = visible_network(2, 5, 1, ("more", seed), height=5)
    domain = Domain.box(2, [(-9, 9)]) if box else Domain.space(2)
    found = extract(CallableOracle(network), Architecture((2, 4, 1)), domain, seed=seed)
    if found.candidates:                                    # four of the five hyperplanes may be all that meet the box
        assert all(equal(network, other, domain).verdict == "equal" for other in found.candidates)
    else:
        assert {f.code for f in found.flags} <= {"PROMISE", "FEW"} and found.flags


@pytest.mark.parametrize("function", [lambda x: [x[0] * x[0]], lambda x: [x[0] // 1], lambda x: [1 / (1 + x[0] * x[0])],
                                      lambda x: [Fraction(x[0] > x[1])]])
@pytest.mark.parametrize("widths", [(2, 1), (2, 3, 1), (2, 2, 2, 1)])
@pytest.mark.parametrize("box", [False, True])
def test_functions_that_are_not_piecewise_affine(function: Any, widths: tuple[int, ...], box: bool) -> None:
    found = extract(CallableOracle(function), Architecture(widths), Domain.box(2, [(-3, 3)]) if box else None)
    assert (found.verdict, found.label, found.candidates) == ("undecided", "", ()) and found.reason
