"""Complete fibers by covering: positions are all found, and both searches agree."""

import random
from fractions import Fraction as F
from itertools import combinations
from typing import Any

import pytest

from exactrelu.checker import Rejected, check
from exactrelu.checker.claims.covering import Stage, minors, unsigned
from exactrelu.checker.claims.germ import Facet
from exactrelu.checker.claims.kernels import kernel, primitive
from exactrelu.checker.claims.ownership import form, meet
from exactrelu.checker.document import WORK
from tests.checker import corpus_fibers, oracle, producers
from tests.checker import producers_fibers as Q
from tests.checker.random_networks import random_network


@pytest.fixture(autouse=True)
def _work() -> None:
    WORK.set([10**12])


def verdict(document: dict[str, Any]) -> str:
    try:
        return check(producers.dumps(document))
    except Rejected as reason:
        return str(reason)


def stage(rng: random.Random, d: int, number: int, size: int = 3) -> Stage:
    """Samples at different points, the hyperplanes and gradients do not matter here."""
    points: set[tuple[int, ...]] = set()
    while len(points) < number:
        points.add(primitive((rng.choice([1, 1, 2]), *(rng.randint(-size, size) for _ in range(d)))))
    return Stage([Facet(x, k, (0, 1), [], []) for k, x in enumerate(sorted(points))], 9)


def test_positions_of_lines_are_complete() -> None:
    """The signs of any line are among those listed; candidates are only left out themselves."""
    for seed in range(60):
        rng = random.Random(seed)
        found = stage(rng, 2, rng.choice([0, 1, 2, 3, 5, 7]), rng.choice([1, 2, 4]))
        listed = set(found.lines(set()))
        for _ in range(300):
            row = [rng.randint(-9, 9), rng.randint(-3, 3), rng.randint(-3, 3)]
            if any(row[1:]):
                assert unsigned(found.signs(row)) in listed
        assert (found.all, 0) in listed
        if len(found.samples) < 2:
            continue
        one, two = rng.sample(found.samples, 2)
        (line,) = kernel([list(one.x), list(two.x)], 3)
        without = set(found.lines({primitive(line)}))
        assert listed - without == {unsigned(found.signs(line))}


def test_positions_in_a_pencil_are_complete() -> None:
    for seed in range(60):
        rng = random.Random(seed)
        d = rng.choice([2, 3])
        found = stage(rng, d, rng.choice([0, 1, 2, 5, 8]), rng.choice([1, 3]))
        rows = [[rng.randint(-3, 3) for _ in range(d + 1)] for _ in range(2)]
        if oracle.rank([[F(c) for c in row[1:]] for row in rows]) < 2:
            continue
        listed = set(found.pencil((rows[0], rows[1]), set()))
        for _ in range(200):
            u, v = rng.randint(-9, 9), rng.randint(-9, 9)
            if u or v:
                row = [u * a + v * b for a, b in zip(*rows)]
                assert unsigned(found.signs(row)) in listed


def test_parts_are_the_cells_of_samples() -> None:
    rng = random.Random(1)
    found = stage(rng, 2, 9)
    rows = [[rng.randint(-2, 2) for _ in range(3)] for _ in range(3)]
    parts = found.parts([found.signs(row) for row in rows])
    for signs, mask in parts:
        for i, sample in enumerate(found.samples):
            values = [sum(a * b for a, b in zip(row, sample.x)) for row in rows]
            assert (mask >> i & 1) == all(v * s > 0 for v, s in zip(values, signs))


def test_flats_are_recognized() -> None:
    rng = random.Random(2)
    for _ in range(100):
        a, b = ([rng.randint(-3, 3) for _ in range(4)] for _ in range(2))
        if not any(x * y - z * w for (x, w), (z, y) in combinations(zip(a, b), 2)):
            continue
        p, q, r, s = (rng.randint(-3, 3) for _ in range(4))
        if p * s == q * r:
            continue
        c = [p * x + q * y for x, y in zip(a, b)]
        d = [r * x + s * y for x, y in zip(a, b)]
        assert minors((a, b)) == minors((c, d))


def test_meeting_conditions() -> None:
    rng = random.Random(3)
    for _ in range(50):
        basis = kernel([[rng.randint(-2, 2) for _ in range(4)]], 4)
        condition = [rng.randint(-2, 2) for _ in range(4)]
        found = meet(basis, [condition])
        assert all(sum(a * b for a, b in zip(condition, v)) == 0 for v in found)
        assert len(found) >= len(basis) - 1
    assert form([2, 3, 5], [[1, 0, 1], [0, 2, 0]]) == [7, 6, 2]


def test_both_searches_agree_on_tight_networks() -> None:
    """Where the tight search shows one member the other never needs a second, and conversely."""
    verdicts: dict[tuple[bool, bool], int] = {}
    missing = "a candidate is neither refuted by a point nor a member"
    for seed in range(60):
        rng = random.Random(seed)
        net = random_network(rng, [rng.choice([2, 2, 3]), 2, 2, rng.choice([1, 2])], 3, 0)
        one, two = verdict(Q.tight_fiber(net, None)), verdict(Q.two_layer_fiber(net, None))
        if one == "tight-fiber":
            assert two != missing
        if two == "two-layer-fiber":
            assert one != missing
        key = one == "tight-fiber", two == "two-layer-fiber"
        verdicts[key] = verdicts.get(key, 0) + 1
    assert verdicts[True, True] > 3
    assert verdicts[False, True] > 0


def test_parallel_lines_and_their_flip() -> None:
    one, two = corpus_fibers.PARALLEL
    for first, other in ((one, two), (two, one)):
        both = Q.two_layer_fiber(first, corpus_fibers.LARGE, [other])
        assert verdict(both) == "two-layer-fiber"
        alone = Q.two_layer_fiber(first, corpus_fibers.LARGE)
        assert verdict(alone) == "a candidate is neither refuted by a point nor a member"


def test_exchanged_layers_are_no_single_fiber() -> None:
    one, two = corpus_fibers.EXCHANGE
    assert verdict(Q.two_layer_fiber(one, corpus_fibers.LARGE)) != "two-layer-fiber"
    assert verdict(Q.two_layer_fiber(two, corpus_fibers.LARGE)) != "two-layer-fiber"


@pytest.mark.parametrize("kind", ["dead", "twin", "constant", "invisible"])
def test_degenerate_neurons_are_no_complete_fiber(kind: str) -> None:
    """A third first-layer neuron that f does not show leaves the fiber infinite: always refused."""
    rows, biases = [[1, 0], [0, 1]], [1, 2]
    second = [[1, -2], [-2, 1]]
    third = {"dead": [0, 0], "twin": [1, 0], "constant": [0, 0], "invisible": [3, 1]}[kind]
    bias = {"dead": -1, "twin": 1, "constant": 2, "invisible": 0}[kind]
    weight = 0 if kind == "invisible" else 1
    net = producers.network(
        ([*rows, third], [*biases, bias]),
        ([[*row, weight] for row in second], [-2, -2]),
        ([[-1, -3]], [0]),
    )
    for domain in (None, corpus_fibers.LARGE):
        assert verdict(Q.two_layer_fiber(net, domain)) != "two-layer-fiber"


def test_points_of_the_wide_front_may_come_in_any_order() -> None:
    document = corpus_fibers.documents()["wide_front_fiber"]
    evidence = document["evidence"]
    rng = random.Random(4)
    for _ in range(3):
        rng.shuffle(evidence["points"])
        rng.shuffle(evidence["flats"])
        evidence["points"] += evidence["points"][:3]
        assert verdict(document) == "wide-front-fiber"
