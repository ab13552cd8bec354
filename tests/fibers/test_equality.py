"""Canonical forms of shallow networks against a cell-by-cell comparison that shares no code; documents for every answer."""

from __future__ import annotations

import time
from fractions import Fraction
from random import Random

import pytest

from exactrelu import Domain, Limits, Network, equal
from exactrelu.fibers.equality import CANONICAL, function_equality
from exactrelu.fibers.fiber import fiber
from tests.oracles.cell_comparison import difference
from tests.slabs import integer_network

DOMAINS = {"space": Domain.space(2), "square": Domain.box(2, [(0, 1)]), "orthant": Domain(2, [[0, 1, 0], [0, 0, 1]]),
           "half plane": Domain(2, [[1, 1, -2]]), "triangle": Domain(2, [[2, 1, 1], [3, -1, "1/2"], [1, 0, -1]]),
           "strip": Domain(2, [[1, 1, 1], [2, -1, -1]])}


def pair(seed: int, domain: Domain) -> tuple[Network, Network]:
    """Half of the pairs are two elements of one fiber, the other half differ in one entry of such a pair, or altogether."""
    rng = Random(f"pair {seed}")
    network = integer_network((2, rng.choice((2, 3)), rng.choice((1, 1, 2))), seed, 2)
    found = fiber(network, domain, limits=Limits(max_seconds=5))
    other = found.samples(len(found.strata), seed)[rng.randrange(len(found.strata))]
    if seed % 4 == 1:
        layer = rng.choice((1, 2))
        biases = list(other.biases[layer - 1])
        biases[rng.randrange(len(biases))] += Fraction(1, 1 << rng.choice((1, 60)))
        other = other.replaced(layer, biases=biases)
    if seed % 4 == 3:
        other = integer_network((2, 2, network.architecture.outputs), f"other {seed}", 1)
    return network, other


def check(name: str, seed: int) -> str:
    domain = DOMAINS[name]
    a, b = pair(seed, domain)
    found = function_equality(a, b, domain).checked()
    layers = [list(zip(network.weights, network.biases)) for network in (a, b)]
    point = difference(*layers, domain.inequalities, 2)
    assert found.verdict == ("equal" if point is None else "different"), (name, seed)
    assert found.certificate is not None and found.method in (CANONICAL, "trivial symmetry")
    if found.witness is not None:
        assert domain.contains(found.witness.point) and a(found.witness.point) != b(found.witness.point)
    return found.verdict


@pytest.mark.parametrize("name", DOMAINS)
def test_canonical_forms_decide(name: str) -> None:
    assert {check(name, seed) for seed in range(8)} == {"equal", "different"}


@pytest.mark.slow
@pytest.mark.parametrize("name", DOMAINS)
def test_canonical_forms_decide_on_many(name: str) -> None:
    verdicts = [check(name, seed) for seed in range(8, 78)]
    assert min(verdicts.count("equal"), verdicts.count("different")) > 15


def test_a_flat_domain_takes_the_general_way() -> None:
    line = Domain(2, [[0, 1, -1], [0, -1, 1]])
    a, b = Network([[[1, 0]], [[1]]], [[0], [0]]), Network([[[0, 1]], [[1]]], [[0], [0]])
    found = equal(a, b, line)
    assert found.verdict == "equal" and found.method == "split tree on the affine hull"


def test_limits_are_kept() -> None:
    a = Network([[[1 << 300]], [[1]]], [[0], [0]])
    found = equal(a, Network([[[1 << 299], [1 << 299]], [[1, 1]]], [[0, 0], [0]]), limits=Limits(max_bits=64))
    assert found.verdict == "undecided" and "max_bits" in found.reason


def wide(neurons: int, inputs: int, seed: int) -> tuple[Network, Network]:
    """A network, and the same with all neurons reversed in pairs of opposite columns, permuted and scaled."""
    rng = Random(seed)
    rows = [[rng.randint(-99, 99) for _ in range(inputs)] for _ in range(neurons)]
    biases, columns = [rng.randint(-99, 99) for _ in range(neurons)], [rng.choice((-3, -1, 1, 2)) for _ in range(neurons)]
    linear = [sum(v * row[i] for v, row in zip(columns, rows)) for i in range(inputs)]
    a = Network([[*rows, linear, [-x for x in linear]], [[*columns, 1, -1]]], [[*biases, 0, 0], [0]])
    turned = [[-x for x in row] for row in rows]
    order = list(range(neurons))
    rng.shuffle(order)
    constant = sum(v * b for v, b in zip(columns, biases))
    twice = [2 * x for x in linear]
    b = Network([[*(turned[i] for i in order), twice, [-x for x in twice]], [[*(columns[i] for i in order), 1, -1]]],
                [[*(-biases[i] for i in order), 0, 0], [constant]])
    return a, b


def test_many_neurons() -> None:
    a, b = wide(1_000, 20, 1)
    found = equal(a, b)
    assert (found.verdict, found.method) == ("equal", CANONICAL) and "600 hidden neurons" in found.reason
    assert equal(a, b.replaced(2, biases=[b.biases[1][0] + Fraction(1, 1 << 60)])).verdict == "different"


@pytest.mark.slow
def test_a_hundred_thousand_neurons() -> None:
    a, b = wide(100_000, 50, 1)
    start = time.monotonic()
    assert equal(a, b).verdict == "equal"
    assert time.monotonic() - start < 60                     # 15 s on an idle machine
