"""Complete fibers of two hidden layers: known cases, the tight search as a second opinion, random and degenerate parameters."""

from __future__ import annotations

import random

import pytest

from exactrelu.errors import ShapeError
from exactrelu.limits import Limits, Meter
from exactrelu.network.architecture import Architecture
from exactrelu.network.network import Network
from exactrelu.network.trivial_symmetry import TrivialSymmetry
from exactrelu.polyhedra.domain import Domain
from exactrelu.recovery import first_layer as module
from exactrelu.recovery.complete_fiber import CompleteFiber
from exactrelu.recovery.ownership import Ownership, item
from exactrelu.recovery.tight_fiber import tight_fiber
from exactrelu.recovery.two_layer_fiber import two_layer_fiber
from tests.recovery.fiber_search import (
    LONG,
    box,
    case_domain,
    check,
    check_known,
    code,
    corner,
    deep_cases,
    finer,
    moved,
    name,
    names,
    network_of,
    run,
    same_function,
    seen,
)
from tests.slabs import integer_network, slab_domain, slab_network

CASES = [case for case in deep_cases() if case["method"] == "l2_fibre"]
SHAPES = [(2, 2, 2, 1), (2, 3, 2, 1), (2, 2, 3, 1), (3, 2, 2, 1), (2, 2, 2, 2), (2, 3, 3, 1), (3, 3, 2, 1)]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["name"])
def test_known_fibers(case: dict[str, object]) -> None:
    check_known(two_layer_fiber, case)


@pytest.mark.parametrize(("widths", "least"), [((2, 2, 2, 1), 6), ((3, 2, 2, 1), 6), ((2, 2, 3, 1), 6), ((2, 3, 3, 1), 6),
                                               ((2, 2, 2, 2), 6), ((2, 3, 2, 1), 5)])
def test_slabs(widths: tuple[int, ...], least: int) -> None:
    found = [check(two_layer_fiber, slab_network(widths, seed), slab_domain(widths[0])) for seed in range(6)]
    assert sum(isinstance(f, CompleteFiber) for f in found) >= least - 2


def many(count: int, start: int) -> int:
    """Random parameters: certified; the tight search, where it ends, has the same fiber; so have the members."""
    ended = 0
    for seed in range(start, start + count):
        widths = SHAPES[seed % len(SHAPES)]
        domain = (box, corner, Domain.space)[seed % 3](widths[0])
        theta = integer_network(widths, ("two", seed), 1 + seed % 5)
        found = check(two_layer_fiber, theta, domain)
        if not isinstance(found, CompleteFiber):
            assert found.detail["code"] in ("WILD", "MULTI", "COMBO", "NODES", "OUTPUT_MULTI")
            continue
        ended += 1
        if widths[1] == 2:
            second = run(tight_fiber, theta, domain)
            assert not isinstance(second, CompleteFiber) or names(second) == names(found)
        for member in found.members[:2]:
            again = run(two_layer_fiber, member, domain)
            assert not isinstance(again, CompleteFiber) or names(again) == names(found)
    return ended


def test_random_parameters() -> None:
    assert many(120, 0) > 12


@pytest.mark.slow
def test_many_random_parameters() -> None:
    before = len(LONG)
    ended = many(3000, 10_000)
    assert ended > 300 and 50 * (len(LONG) - before) < ended


def test_both_searches_agree() -> None:
    both = 0
    for seed in range(360):
        widths = ((2, 2, 2, 1), (2, 2, 3, 1), (2, 2, 2, 2))[seed % 3]
        theta = integer_network(widths, ("both", seed), 4)
        first = run(tight_fiber, theta, box(2))
        if isinstance(first, CompleteFiber):
            second = run(two_layer_fiber, theta, box(2))
            if isinstance(second, CompleteFiber):
                both += 1
                assert names(first) == names(second)
    assert both > 20


def test_invariance() -> None:
    """Under symmetries of theta, invisible neurons in the complex, and affine changes of coordinates."""
    ended = 0
    for seed in range(42):
        widths = SHAPES[seed % len(SHAPES)]
        theta, domain = integer_network(widths, ("same", seed), 4), box(widths[0])
        found = run(two_layer_fiber, theta, domain)
        rng = random.Random(seed)
        scaled = run(two_layer_fiber, TrivialSymmetry.random(theta.architecture, rng).act(theta), domain)
        assert code(scaled) == code(found)
        if not isinstance(found, CompleteFiber):
            continue
        ended += 1
        assert names(scaled) == names(found)
        refined = run(two_layer_fiber, finer(theta, rng), domain, theta.architecture)
        change, region = moved(theta, domain, rng)
        other = run(two_layer_fiber, change(theta), region)
        assert not isinstance(refined, CompleteFiber) or names(refined) == names(found)
        assert not isinstance(other, CompleteFiber) or names(other) == sorted(name(change(member)) for member in found.members)
        assert isinstance(other, CompleteFiber) or isinstance(refined, CompleteFiber)
    assert ended > 5


def test_free_planes_in_space_are_refuted_without_certificate() -> None:
    """Three dimensions, a family with a member that contains no ridge: the search ends; the verifier does not know this case."""
    for seed in range(400):
        theta = integer_network((3, 2, 2, 1), ("m", seed), 3)
        found = check(two_layer_fiber, theta, box(3))
        if isinstance(found, CompleteFiber) and not found.certifiable:
            assert name(theta) in names(found)
            return
    raise AssertionError("no such case")


def test_degenerate_parameters_are_left_undecided() -> None:
    zero = Network([[[0, 0], [0, 0]], [[1, 1], [1, 1]], [[1, 1]]], [[0, 0], [0, 0], [0]])
    twins = Network([[[1, 0], [1, 0]], [[1, 1], [1, 1]], [[1, 1]]], [[0, 0], [1, 1], [0]])
    affine = Network([[[1, 2], [3, 4]], [[1, 1], [1, -1]], [[1, 1]]], [[100, 100], [500, 100], [0]])
    dead = Network([[[1, 2], [3, 4]], [[-1, -1], [-1, -2]], [[1, 1]]], [[0, 0], [0, -1], [0]])
    for theta in (zero, twins, affine, dead):
        assert code(run(two_layer_fiber, theta, box(2))) == "WILD"


def test_a_wider_architecture_is_not_determined() -> None:
    theta = slab_network((2, 2, 2, 1), 0)
    assert code(run(two_layer_fiber, theta, slab_domain(2), Architecture((2, 2, 3, 1)))) == "MULTI"
    assert code(run(two_layer_fiber, theta, slab_domain(2), Architecture((2, 3, 2, 1)))) == "WILD"
    assert code(run(two_layer_fiber, theta, slab_domain(2), Architecture((2, 2, 2, 2, 1)))) == "ARCHITECTURE"
    with pytest.raises(ShapeError):
        run(two_layer_fiber, theta, slab_domain(2), Architecture((2, 2, 2, 2)))


def test_a_narrow_architecture_has_no_parameter() -> None:
    found = run(two_layer_fiber, slab_network((2, 3, 3, 1), 0), slab_domain(2), Architecture((2, 1, 1, 1)))
    assert isinstance(found, CompleteFiber) and not found.members


def test_limits(monkeypatch: pytest.MonkeyPatch) -> None:
    theta, domain = network_of(CASES[0]["layers"]), case_domain(CASES[0])
    f, test = seen(theta, domain), same_function(theta, domain)
    meter = Meter(Limits(max_seconds=1))
    meter.start -= 10
    assert code(two_layer_fiber(f, theta.architecture, test, meter)) == "LIMIT"
    monkeypatch.setattr(module, "MAX_NODES", 3)
    assert code(two_layer_fiber(f, theta.architecture, test)) == "NODES"
    monkeypatch.setattr(module, "MAX_FLATS", 1)
    assert code(two_layer_fiber(f, theta.architecture, test)) == "COMBO"


def test_ownership_of_one_cell() -> None:
    """Two lines in the cell where both neurons are active: each is owned by one row, up to order."""
    rows = [(0, 1, 0), (0, 0, 1)]
    items = [item(0, 0, (1, 1, 1), rows), item(0, 1, (2, 1, -1), rows)]
    found = [kernels for kernels, _ in Ownership(items, 2, 3, lambda: None).leaves()]
    assert found == [[((1, 1, 1),), ((-2, -1, 1),)]]
    dead = [item(0, 0, (1, 1, 1), [(0, 0, 0), (0, 0, 0)])]
    assert not list(Ownership(dead, 2, 3, lambda: None).leaves())
