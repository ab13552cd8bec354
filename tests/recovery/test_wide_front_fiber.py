"""Complete fibers of a wide layer in front of layers of width two."""

from __future__ import annotations

import pytest

from exactrelu.network.architecture import Architecture
from exactrelu.network.network import Network
from exactrelu.polyhedra.domain import Domain
from exactrelu.recovery import first_layer as module
from exactrelu.recovery.complete_fiber import CompleteFiber
from exactrelu.recovery.rich_hyperplanes import facet_ranks
from exactrelu.recovery.tight_fiber import tight_fiber
from exactrelu.recovery.wide_front_fiber import strongly_rich_ridges, wide_front_fiber
from tests.recovery.fiber_search import box, case_domain, check, code, corner, deep_cases, name, names, network_of, run, same_function, seen
from tests.slabs import integer_network

(CASE,) = (case for case in deep_cases() if case["method"] == "wide_fibre")


def test_known_fiber() -> None:
    theta, domain = network_of(CASE["layers"]), case_domain(CASE)
    found = check(wide_front_fiber, theta, domain)
    assert names(found) == sorted(name(network_of(member)) for member in CASE["fiber"])
    assert isinstance(found, CompleteFiber) and found.work["flats"] == 8


def many(widths: tuple[int, ...], seeds: range, height: int, flats: int, certified: bool = True) -> tuple[int, int]:
    """Random parameters with enough strongly rich ridges; how many, and how many fibers were complete."""
    tried = ended = 0
    for seed in seeds:
        theta = integer_network(widths, ("wide", seed), height)
        domain = (box, corner, Domain.space)[seed % 3](widths[0])
        f = seen(theta, domain)
        if len(strongly_rich_ridges(f, facet_ranks(f) == widths[2])) < flats:
            continue
        tried += 1
        found = check(wide_front_fiber, theta, domain, certified)
        if isinstance(found, CompleteFiber):
            ended += 1
            again = run(wide_front_fiber, found.members[0], domain)
            assert not isinstance(again, CompleteFiber) or names(again) == names(found)
    return tried, ended


def test_random_parameters() -> None:
    assert many((2, 3, 2, 2, 2), range(300), 5, 3)[0] > 3


def test_three_dimensions() -> None:
    """The lemmas hold for ridges in any dimension; the verifier knows the plane only."""
    theta = integer_network((3, 3, 2, 2, 2), ("wide", 0), 5)
    found = check(wide_front_fiber, theta, box(3))
    assert isinstance(found, CompleteFiber) and found.unique and not found.certifiable
    assert names(run(wide_front_fiber, found.members[0], box(3))) == names(found)


@pytest.mark.slow
def test_many_random_parameters() -> None:
    assert many((2, 3, 2, 2, 1), range(12_000), 9, 5)[1] > 1
    assert many((2, 3, 2, 3, 1), range(1500), 9, 5)[0] > 10
    assert many((3, 3, 2, 2, 1), range(400), 9, 3)[1] > 3


def test_agrees_with_the_tight_search() -> None:
    """A tight architecture is a wide front, too; both searches seldom end, but then with one result."""
    for seed in range(250):
        theta = integer_network((2, 2, 2, 2, 2), ("tight and wide", seed), 3)
        first = run(tight_fiber, theta, box(2))
        if isinstance(first, CompleteFiber):
            second = run(wide_front_fiber, theta, box(2))
            assert not isinstance(second, CompleteFiber) or names(first) == names(second)


def test_architectures_and_degenerate_parameters() -> None:
    flat = Network([[[1, 0]] * 3, [[1, 0, 0]] * 2, [[1, 0]] * 2, [[1, 1]]], [[0, 1, 2], [0, 0], [0, 0], [0]])
    assert code(run(wide_front_fiber, flat, Domain.space(2))) == "WILD"
    assert code(run(wide_front_fiber, flat, Domain.space(2), Architecture((2, 3, 2, 1)))) == "ARCHITECTURE"
    assert code(run(wide_front_fiber, flat, Domain.space(2), Architecture((2, 3, 3, 2, 2, 1)))) == "ARCHITECTURE"


def test_limits(monkeypatch: pytest.MonkeyPatch) -> None:
    theta, domain = network_of(CASE["layers"]), case_domain(CASE)
    f, test = seen(theta, domain), same_function(theta, domain)
    monkeypatch.setattr(module, "MAX_NODES", 5)
    assert code(wide_front_fiber(f, theta.architecture, test)) == "NODES"
    monkeypatch.setattr(module, "MAX_FLATS", 5)
    assert code(wide_front_fiber(f, theta.architecture, test)) == "COMBO"
