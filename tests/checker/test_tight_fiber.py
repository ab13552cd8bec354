"""Complete fibers of tight architectures: known fibers, enumerated competitors, degenerate cases."""

import random
from fractions import Fraction as F
from itertools import product
from typing import Any

import pytest

from exactrelu.checker import Rejected, check
from exactrelu.checker.claims.fiber import normal_form
from exactrelu.checker.document import WORK
from exactrelu.checker.network import Network
from tests.checker import corpus_fibers, judges_fibers, oracle, producers
from tests.checker import producers_fibers as Q
from tests.checker.producers import Net, box, network

FIVE = (
    network(
        ([[0, -1], [-1, -1]], [-1, 0]), ([[-1, 1], [0, 1]], [1, -2]),
        ([[-1, 0], [0, -1]], [2, 2]), ([[-1, 1]], [0]),
    ),
    network(
        ([[1, 0], [1, 1]], [0, 4]), ([[0, -1], [1, -1]], [4, 3]),
        ([[1, -1], [1, 0]], [1, -2]), ([[1, -1]], [0]),
    ),
    network(
        ([[-1, -1], [0, -1]], [0, -1]), ([[-1, 0], [1, -1]], [4, 1]),
        ([[-1, 0], [0, -1]], [2, 2]), ([[-1, -1]], [2]),
    ),
    network(
        ([[-1, -1], [0, -1]], [0, -1]), ([[-1, 1], [1, 0]], [1, -2]),
        ([[-1, 0], [0, -1]], [2, 2]), ([[1, 1]], [-2]),
    ),
    network(
        ([[-1, -1], [0, -1]], [0, -1]), ([[-1, 0], [-1, 1]], [4, 1]),
        ([[-1, 0], [0, -1]], [2, 2]), ([[-1, 1]], [0]),
    ),
)  # fmt: skip
SLAB = network(
    ([[1, 1], [-1, 0]], [0, 4]),
    ([[7, 8], [-6, -8]], [-29, 31]),
    ([[7, 8], [-6, -8]], [-29, 31]),
    ([[-7, 7]], [-2]),
)


def verdict(document: dict[str, Any]) -> str:
    try:
        return check(producers.dumps(document))
    except Rejected as reason:
        return str(reason)


MISSING = "a candidate is neither refuted by a point nor a member"


def distinct(nets: list[Net]) -> list[Net]:
    found: list[Net] = []
    for net in nets:
        if not any(oracle.equivalent(net, other) for other in found):
            found.append(net)
    return found


def test_five_members() -> None:
    nets = distinct(list(FIVE))
    assert len(nets) == 5
    for first in (0, 3):
        others = nets[:first] + nets[first + 1 :]
        assert verdict(Q.tight_fiber(nets[first], corpus_fibers.LARGE, others)) == "tight-fiber"
        for k in range(4):
            fewer = others[:k] + others[k + 1 :]
            found = verdict(Q.tight_fiber(nets[first], corpus_fibers.LARGE, fewer))
            assert found == MISSING


def test_slab_network_is_identifiable() -> None:
    document = Q.tight_fiber(SLAB, box((-4, 8), (-2, 2)))
    assert verdict(document) == "tight-fiber"
    small = Q.tight_fiber(SLAB, box((-4, 0), (-2, 2)))
    assert "rich hyperplanes, needed 6" in verdict(small)


def test_judge_notices_missing_members() -> None:
    for nets in (corpus_fibers.EXCHANGE, corpus_fibers.CLIP):
        claim = Q.tight_fiber(nets[0], None, [nets[1]])["claim"]
        assert not judges_fibers.complete({**claim, "members": [nets[0]]})
        assert not judges_fibers.complete({**claim, "members": [nets[1]] * 2})


def test_permuted_and_scaled_networks_have_the_same_fiber() -> None:
    one, two = corpus_fibers.EXCHANGE
    moved, _ = producers.moves(one, [[1, 0], [1, 0]], [[3, F(1, 2)], [F(2, 7), 5]])
    document = Q.tight_fiber(moved, None, [two])
    assert verdict(document) == "tight-fiber"
    document["claim"]["members"][0] = one
    assert verdict(document) == "tight-fiber"


def levels(rng: random.Random, last: int) -> list[Net]:
    """Many networks (1, 1, last, 1), dead and equal neurons among them, with small integers."""
    nets = []
    entries = [range(-1, 2)] * 2 + [range(-1, 2)] * last + [range(-2, 3)] * last + [range(-2, 3)] * last
    for choice in product(*entries):
        w, b, *rest = choice
        second = [[v] for v in rest[:last]], rest[last : 2 * last]
        nets.append(network(([[w]], [b]), second, ([rest[2 * last :]], [0])))
    return nets if last == 1 else rng.sample(nets, 20_000)


def fast_values(net: Net, points: range) -> tuple[int, ...]:
    layers = [
        ([[int(w) for w in row] for row in weights], [int(b) for b in biases])
        for weights, biases in zip(net["weights"], net["biases"])
    ]
    result = []
    for x in points:
        a = [x]
        for k, (weights, biases) in enumerate(layers):
            a = [sum(w * v for w, v in zip(row, a)) + b for row, b in zip(weights, biases)]
            if k + 1 < len(layers):
                a = [max(v, 0) for v in a]
        result += a
    base = result[0]  # the output bias is free: functions are compared up to a constant
    return tuple(v - base for v in result)


def matched(net: Net, other: Net) -> Net:
    """The other network with the output bias that gives both one value at 0."""
    gap = oracle.forward(net, [F(0)])[1][0] - oracle.forward(other, [F(0)])[1][0]
    return producers.changed(other, 2, 0, None, F(other["biases"][2][0]) + gap)


@pytest.mark.slow
@pytest.mark.parametrize("last", [1, 2])
def test_no_enumerated_competitor_is_missed(last: int) -> None:
    rng = random.Random(0)
    groups: dict[tuple[int, ...], list[Net]] = {}
    for net in levels(rng, last):
        groups.setdefault(fast_values(net, range(-5, 6)), []).append(net)
    verdicts: dict[tuple[str, int], int] = {}
    for values, nets in rng.sample(sorted(groups.items()), len(groups)):
        slopes = [b - a for a, b in zip(values, values[1:])]
        breaks = sum(a != b for a, b in zip(slopes, slopes[1:]))
        if breaks < last + 1 or len(nets) < 2 or sum(verdicts.values()) > 60:
            continue
        nets = nets[:1] + rng.sample(nets[1:], min(len(nets) - 1, 8))
        same = [matched(nets[0], other) for other in nets[1:]]
        same = [other for other in same if oracle.equal(nets[0], other, None)]
        first, *others = distinct([nets[0], *same])
        found = verdict(Q.tight_fiber(first, None, others))
        for k in range(len(others)):
            fewer = others[:k] + others[k + 1 :]
            assert verdict(Q.tight_fiber(first, None, fewer)) != "tight-fiber"
        key = found, len(others)
        verdicts[key] = verdicts.get(key, 0) + 1
    assert sum(n for (found, _), n in verdicts.items() if found == "tight-fiber") > 10, verdicts


def test_normal_forms() -> None:
    WORK.set([10**9])
    net = corpus_fibers.FRONT
    moved, _ = producers.moves(net, [[2, 0, 1], [1, 0], [0, 1]], [[1, 2, F(1, 3)], [5, 7], [1, 9]])
    assert normal_form(Network(net)) == normal_form(Network(moved)) is not None
    changed = producers.changed(moved, 3, 0, 0, 8)
    assert normal_form(Network(net)) != normal_form(Network(changed))
    dead = network(([[0], [1]], [0, 0]), ([[1, 1]], [0]))
    assert normal_form(Network(dead)) is None
