"""Complete fibers of tight architectures: known cases, slabs, random and degenerate parameters, invariance."""

from __future__ import annotations

import random
from fractions import Fraction
from itertools import product

import pytest

from exactrelu.arithmetic.subset_sums import subset_sums
from exactrelu.errors import ShapeError
from exactrelu.limits import Limits, Meter
from exactrelu.network.architecture import Architecture
from exactrelu.network.network import Network
from exactrelu.network.trivial_symmetry import TrivialSymmetry
from exactrelu.polyhedra.domain import Domain
from exactrelu.recovery import tight_fiber as module
from exactrelu.recovery.complete_fiber import CompleteFiber
from exactrelu.recovery.rich_hyperplanes import depth_lower_bound_width_two, gradient_rank, rich_hyperplanes
from exactrelu.recovery.tight_fiber import expressed, tight_fiber
from tests.recovery.fiber_search import (
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

TIGHT = [case for case in deep_cases() if case["method"] == "tight_fibre"]
SHAPES = [(2, 2, 2, 1), (2, 2, 3, 1), (2, 2, 2, 2), (3, 2, 2, 1), (2, 2, 2, 2, 1), (3, 3, 3, 2), (3, 2, 2, 2)]


@pytest.mark.parametrize("case", TIGHT, ids=lambda case: case["name"])
def test_known_fibers(case: dict[str, object]) -> None:
    check_known(tight_fiber, case)


@pytest.mark.parametrize("widths", [(2, 2, 2, 1), (2, 2, 2, 2, 1), (2, 2, 2, 2, 2, 1), (2, 2, 2, 2, 2, 2, 2, 1), (3, 2, 2, 2, 1),
                                    (2, 2, 2, 3, 1), (2, 2, 2, 2, 2)])
def test_slabs(widths: tuple[int, ...]) -> None:
    for seed in range(6):
        found = check(tight_fiber, slab_network(widths, seed), slab_domain(widths[0]))
        assert code(found) in ("complete", "FEW_RICH")
        if isinstance(found, CompleteFiber) and 3 not in widths[1:]:
            assert found.unique


def many(count: int, start: int) -> int:
    """Random parameters on a box, a corner or the whole space; how many fibers were complete."""
    ended = 0
    for seed in range(start, start + count):
        widths = SHAPES[seed % len(SHAPES)]
        domain = (box, corner, Domain.space)[seed % 3](widths[0])
        theta = integer_network(widths, ("tight", seed), 1 + seed % 4)
        found = check(tight_fiber, theta, domain)
        if isinstance(found, CompleteFiber):
            ended += 1
            for member in found.members[1:3]:
                assert names(run(tight_fiber, member, domain)) == names(found)
        else:
            assert found.detail["code"] == "FEW_RICH" and found.detail["found"] < found.detail["needed"]
    return ended


def test_random_parameters() -> None:
    assert many(600, 0) > 20


@pytest.mark.slow
def test_many_random_parameters() -> None:
    assert many(8000, 10_000) > 300


def test_invariance() -> None:
    """Under symmetries of theta, invisible neurons in the complex, and affine changes of coordinates."""
    ended = 0
    for seed in range(400):
        widths = SHAPES[seed % len(SHAPES)]
        theta, domain = integer_network(widths, ("invariant", seed), 3), box(widths[0])
        found = run(tight_fiber, theta, domain)
        if not isinstance(found, CompleteFiber):
            continue
        ended += 1
        rng = random.Random(seed)
        scaled = TrivialSymmetry.random(theta.architecture, rng).act(theta)
        assert names(run(tight_fiber, scaled, domain)) == names(found)
        assert names(run(tight_fiber, finer(theta, rng), domain, theta.architecture)) == names(found)
        change, region = moved(theta, domain, rng)
        assert names(run(tight_fiber, change(theta), region)) == sorted(name(change(member)) for member in found.members)
    assert ended > 15


def test_lineality() -> None:
    """A function of two of three coordinates has the fiber that it has in the plane, padded with zeros."""
    for case in TIGHT[:2]:
        theta = network_of(case["layers"])
        padded = theta.replaced(1, weights=[[*row, 0] for row in theta.weights[0]])
        plane, space = run(tight_fiber, theta, Domain.space(2)), check(tight_fiber, padded, Domain.space(3))
        assert isinstance(plane, CompleteFiber) and isinstance(space, CompleteFiber)
        assert sorted(name(m.replaced(1, weights=[[*row, 0] for row in m.weights[0]])) for m in plane.members) == names(space)


def test_one_dimension() -> None:
    """Layers of one neuron: a clip has the fibers that the theorem of nested half-lines gives."""
    theta = Network([[[1]], [[-1]], [[3]]], [[0], [2], [1]])                    # 3 ReLU(2 - ReLU(x)) + 1
    found = check(tight_fiber, theta, Domain.space(1))
    assert len(names(found)) == 2


def test_degenerate_parameters() -> None:
    """Neurons that vanish identically, or are dead, do not disturb the search: f is all it sees."""
    theta = network_of(TIGHT[0]["layers"])
    again = Network([[*theta.weights[0], [0, 0], [1, 0]], [[*row, 5, 0] for row in theta.weights[1]], *theta.weights[2:]],
                    [[*theta.biases[0], 0, -100], *theta.biases[1:]])
    domain = case_domain(TIGHT[0])
    assert names(run(tight_fiber, again, domain, theta.architecture)) == names(run(tight_fiber, theta, domain))
    for weights in ([[[0, 0], [0, 0]], [[1, 1], [1, 1]], [[1, 1]]], [[[1, 0], [1, 0]], [[1, 1], [1, 1]], [[1, 1]]]):
        assert code(run(tight_fiber, Network(weights, [[0, 0], [0, 0], [0]]), Domain.space(2))) == "FEW_RICH"


def test_architectures() -> None:
    deep = slab_network((2, 2, 2, 2, 1), 0)
    f = seen(deep, slab_domain(2))
    test = same_function(deep, slab_domain(2))
    assert code(tight_fiber(f, Architecture((2, 3, 1)), test)) == "ARCHITECTURE"
    assert code(tight_fiber(f, Architecture((2, 2, 2, 2, 2, 1)), test)) == "FEW_RICH"
    shallow = tight_fiber(f, Architecture((2, 2, 2, 1)), test)
    assert isinstance(shallow, CompleteFiber) and not shallow.members               # six rich lines do not fit
    assert depth_lower_bound_width_two(f, 2) == 3 and len(rich_hyperplanes(f, 2)) == 6
    assert gradient_rank(f, range(len(f.maps))) == 2
    with pytest.raises(ShapeError):
        tight_fiber(f, Architecture((3, 2, 2, 1)), test)


def test_limits(monkeypatch: pytest.MonkeyPatch) -> None:
    theta, domain = network_of(TIGHT[0]["layers"]), case_domain(TIGHT[0])
    f, test = seen(theta, domain), same_function(theta, domain)
    meter = Meter(Limits(max_seconds=1))
    meter.start -= 10
    assert code(tight_fiber(f, theta.architecture, test, meter)) == "LIMIT"
    monkeypatch.setattr(module, "MAX_LEAVES", 2)
    assert code(tight_fiber(f, theta.architecture, test)) == "NODES"


def test_a_function_that_only_agrees_at_points_is_refused() -> None:
    theta, domain = network_of(TIGHT[0]["layers"]), case_domain(TIGHT[0])
    found = tight_fiber(seen(theta, domain), theta.architecture, lambda eta: False)
    assert isinstance(found, CompleteFiber) and not found.members and len(found.refused) == 2


def test_subset_sums() -> None:
    rng = random.Random(1)
    for _ in range(200):
        n, rows = rng.randint(1, 6), rng.randint(1, 3)
        vectors = [[rng.randint(-2, 2) for _ in range(rows)] for _ in range(n)]
        target = [rng.randint(-2, 2) for _ in range(rows)]
        brute = [t for t in product((0, 1), repeat=n) if all(sum(x * v[k] for x, v in zip(t, vectors)) == target[k] for k in range(rows))]
        found = subset_sums(vectors, target)
        assert found is not None and sorted(found) == brute
    assert subset_sums([[0]] * 30, [0]) is None


def test_expressed() -> None:
    assert expressed([(0, 1, 0, 0), (0, 0, 1, 0)], [(5, 1, 1, 0)]) == ((Fraction(5), Fraction(1), Fraction(1)),)
    assert expressed([(0, 1, 0, 0), (0, 0, 1, 0)], [(5, 1, 1, 1)]) is None
