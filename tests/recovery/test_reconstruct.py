"""Reconstruction: theta from f, on slabs and random parameters; nothing else is ever found where the search ends."""

from __future__ import annotations

import random

import pytest

from exactrelu.certification.reconstruction import ReconstructionReport, reconstruction
from exactrelu.certification.same_function import SameFunction
from exactrelu.complexes.canonical_complex import CanonicalComplex
from exactrelu.complexes.function_complex import function_complex
from exactrelu.dependency.dependency_graph import dependency_graph
from exactrelu.errors import ShapeError
from exactrelu.genericity.geometry import Geometry
from exactrelu.genericity.supertransversality import supertransversality
from exactrelu.limits import Limits, Meter
from exactrelu.network.architecture import Architecture
from exactrelu.network.network import Network
from exactrelu.network.trivial_symmetry import TrivialSymmetry, equivalent
from exactrelu.polyhedra.domain import Domain
from exactrelu.recovery.reconstruct import reconstruct
from tests.slabs import integer_network, slab_domain, slab_network

ARCHITECTURES = [(2, 2, 1), (2, 2, 2, 1), (2, 3, 2, 1), (2, 3, 3, 1), (3, 2, 2, 1), (3, 3, 2, 2), (2, 2, 2, 2, 1)]


def box(widths: tuple[int, ...]) -> Domain:
    return Domain.box(widths[0], [(-12, 13)])


def check(network: Network, domain: Domain) -> bool:
    """Whether the search ends; if theta is supertransversal, it must then be in the list."""
    report = reconstruction(network, domain)
    if not report.found.complete:
        assert report.verdict == "undecided" and report.found.flags[0].reason == report.reason
        return False
    complex_ = CanonicalComplex.build(network, domain)
    if supertransversality(Geometry(complex_)):
        assert any(equivalent(network, found) for found in report.found.candidates)
    return len(report.found.candidates) == 1


@pytest.mark.parametrize(("widths", "least"), [
    ((2, 2, 1), 12), ((2, 2, 2, 1), 12), ((3, 2, 2, 1), 12), ((2, 3, 3, 1), 5), ((2, 2, 2, 2, 1), 12),
    ((2, 2, 2, 2, 2, 2, 2, 1), 12), ((2, 3, 3, 3, 1), 4), ((4, 2, 3, 2, 1), 6), ((3, 4, 3, 2), 5)])
def test_slabs(widths: tuple[int, ...], least: int) -> None:
    assert sum(check(slab_network(widths, seed), slab_domain(widths[0])) for seed in range(12)) >= least


def many(count: int, start: int) -> int:
    found, seed = 0, start
    while found < count:
        widths = ARCHITECTURES[seed % len(ARCHITECTURES)]
        domain = box(widths) if seed % 2 else Domain.space(widths[0])
        found += check(integer_network(widths, seed, 3 + seed % 5), domain)
        seed += 1
    return seed - start


def test_random_parameters() -> None:
    many(200, 0)


@pytest.mark.slow
def test_many_random_parameters() -> None:
    many(2000, 50_000)


def sha(report: ReconstructionReport) -> tuple[str, tuple[str, ...], int]:
    """What must not change: verdict, flags, number of candidates."""
    return report.verdict, tuple(f.code for f in report.found.flags), len(report.found.candidates)


def changed_coordinates(network: Network, domain: Domain, rng: random.Random) -> tuple[Network, Domain, list[list[int]], list[int]]:
    """theta and P in coordinates y with x = A y + c, A unimodular times a scaling."""
    d = network.architecture.inputs
    a = [[int(i == j) * rng.choice((1, -2, 3)) for j in range(d)] for i in range(d)]
    for _ in range(3):
        i, j = rng.sample(range(d), 2)
        a[i] = [x + rng.choice((-1, 1)) * y for x, y in zip(a[i], a[j])]
    c = [rng.randint(-2, 2) for _ in range(d)]
    def rows(table: object) -> list[list[object]]:
        return [[sum(w * a[k][j] for k, w in enumerate(row)) for j in range(d)] for row in table]  # type: ignore[attr-defined]
    first = rows(network.weights[0])
    shift = [b + sum(w * x for w, x in zip(row, c)) for row, b in zip(network.weights[0], network.biases[0])]
    walls = tuple((row[0] + sum(w * x for w, x in zip(row[1:], c)), *new)
                  for row, new in zip(domain.inequalities, rows([r[1:] for r in domain.inequalities])))
    return network.replaced(1, weights=first, biases=shift), Domain(d, walls), a, c


@pytest.mark.parametrize("widths", [(2, 2, 2, 1), (2, 3, 2, 1), (3, 2, 2, 1), (2, 2, 2, 2, 1)])
def test_invariance(widths: tuple[int, ...]) -> None:
    """Under permutation and positive scaling, refinement by invisible neurons, and affine changes of coordinates."""
    for seed in range(12):
        rng = random.Random(seed)
        slab = seed % 3 == 0
        network = slab_network(widths, seed) if slab else integer_network(widths, seed, 4)
        domain = slab_domain(widths[0]) if slab else box(widths)
        plain = reconstruction(network, domain)
        moved = TrivialSymmetry.random(network.architecture, rng).act(network)
        again = reconstruction(moved, domain)
        assert sha(again) == sha(plain)
        assert all(equivalent(a, b) for a, b in zip(sorted_forms(plain), sorted_forms(again)))
        extra = [rng.randint(-3, 3) for _ in range(widths[0])]
        finer = Network([[*network.weights[0], extra], [[*row, 0] for row in network.weights[1]], *network.weights[2:]],
                        [[*network.biases[0], rng.randint(-3, 3)], *network.biases[1:]])
        refined = reconstruction(finer, domain, network.architecture)
        assert sha(refined) == sha(plain)
        other, region, _, _ = changed_coordinates(network, domain, rng)
        assert sha(reconstruction(other, region)) == sha(plain)


def sorted_forms(report: ReconstructionReport) -> list[Network]:
    return sorted(report.found.candidates, key=lambda n: repr(n.to_json()))


def test_smaller_and_larger_architectures() -> None:
    """A function of depth two is not found in one layer; in a wider architecture a neuron stays undetermined."""
    theta, domain = slab_network((2, 2, 2, 1), 1), slab_domain(2)
    assert reconstruction(theta, domain, Architecture((2, 4, 1))).verdict == "not-realizable"
    wide = reconstruction(theta, domain, Architecture((2, 3, 2, 1)))
    assert wide.verdict == "undecided" and wide.found.flags[0].code == "FEW"
    assert reconstruction(theta, domain).verdict == "reconstructed"
    with pytest.raises(ShapeError):
        reconstruction(theta, domain, Architecture((3, 2, 2, 1)))


def test_a_flipped_candidate_is_found() -> None:
    """ReLU(x) + ReLU(-x) + ... : reversing both kinks that cancel gives a second parameter."""
    theta = Network([[[1, 0], [1, 1], [0, 1]], [[1, -1, 1]]], [[1, -2, 3], [0]])          # x - (x + y) + y = 0
    report = reconstruction(theta, Domain.space(2))
    assert report.verdict == "reconstructed" and len(report.found.candidates) == 2
    test = SameFunction(theta, Domain.space(2), Meter())
    assert all(test(found) for found in report.found.candidates)


def test_wide_layers() -> None:
    """Twelve neurons in the first layer, orientation by linear conditions instead of 4096 trials."""
    rng = random.Random(5)
    first = [[rng.randint(-9, 9), rng.randint(-9, 9)] for _ in range(12)]
    theta = Network([first, [[rng.randint(1, 9) for _ in range(12)] for _ in range(2)], [[1, 2]]],
                    [[rng.randint(-9, 9) for _ in range(12)], [-60, -140], [0]])
    report = reconstruction(theta, Domain.space(2))
    if report.found.complete:
        assert [bool(equivalent(theta, found)) for found in report.found.candidates] == [True]
    assert report.found.nodes < 4096


def test_limits_end_the_search() -> None:
    theta, domain = slab_network((2, 3, 3, 1), 1), slab_domain(2)
    graph = dependency_graph(function_complex(CanonicalComplex.build(theta, domain)))
    found = reconstruct(graph, theta.architecture, lambda eta: True, Meter(Limits(max_seconds=1)))
    assert found.complete


def test_no_parameter_is_in_sight() -> None:
    """The type that the search reads has no network, no weights and no signs of neurons inside."""
    graph = dependency_graph(function_complex(CanonicalComplex.build(slab_network((2, 2, 2, 1), 0), slab_domain(2))))
    names = vars(graph.function)
    assert not [name for name, value in names.items() if "network" in type(value).__module__ or "fan" in type(value).__module__]
