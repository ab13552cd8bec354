"""Fibers of shallow networks and of one neuron before two, against enumeration."""

import random
from collections import defaultdict
from fractions import Fraction as F
from itertools import product
from typing import Any

from exactrelu.checker import Rejected, check
from exactrelu.checker.claims import kernels, shallow_fiber
from exactrelu.checker.document import LIMITS, WORK
from tests.checker import corpus_identifiability as C
from tests.checker import judges_identifiability as J
from tests.checker import oracle, producers
from tests.checker import producers_identifiability as Q
from tests.checker.random_networks import random_network


def verdict(document: dict[str, Any]) -> str:
    try:
        check(producers.dumps(document))
    except Rejected as error:
        return str(error)
    return "accepted"


def test_numbers_of_classes() -> None:
    counts = defaultdict(int)
    for seed in range(300):
        rng = random.Random(seed)
        widths = [rng.choice((1, 2)), rng.randint(1, 4), rng.choice((1, 2))]
        net = random_network(rng, widths, 1, 0.2)
        domain = rng.choice([None, C.BOX if widths[0] == 2 else C.RIGHT])
        claim = {"network": net, "domain": domain}
        start = [(wall, ">") for wall in oracle.walls(domain)]
        rows = Q.first_rows(net)
        if any(oracle.feasible([*start, (row, "=")], widths[0]) is None for row in rows):
            continue
        for classes in (1, 2, 4):
            accepted = verdict(Q.shallow_fiber(net, domain, classes)) == "accepted"
            assert accepted == J.shallow_fiber({**claim, "classes": classes})
            counts[classes] += accepted
    assert counts[1] >= 30
    assert counts[2] + counts[4] >= 2


def test_zero_one_vectors() -> None:
    for seed in range(200):
        WORK.set([LIMITS["work"]])
        rng = random.Random(seed)
        n = rng.randint(1, 6)
        rows = [[rng.randint(-2, 2) for _ in range(n)] for _ in range(rng.randint(0, n))]
        expected = sum(
            all(sum(a * b for a, b in zip(row, t)) == 0 for row in rows)
            for t in product((0, 1), repeat=n)
        )
        assert shallow_fiber.zero_one(kernels.kernel(rows, n), n) == expected


def test_many_free_coordinates() -> None:
    WORK.set([LIMITS["work"]])
    n = 16
    sums = [[k + 1 for k in range(n)]]
    basis = kernels.kernel(sums, n)
    assert len(basis) == n - 1
    signed = kernels.kernel([[(k + 1) * (-1) ** k for k in range(n)]], n)
    ways: dict[int, int] = {0: 1}
    for k in range(n):
        following = defaultdict(int, ways)
        for total, number in ways.items():
            following[total + (k + 1) * (-1) ** k] += number
        ways = following
    assert shallow_fiber.zero_one(basis, n) == 1
    assert shallow_fiber.zero_one(signed, n) == ways[0]


def narrow_networks() -> list[tuple[producers.Net, tuple[int, ...]]]:
    """Networks (1, 1, 2, 1) with breaks at integers, and their values there, from value 0 on."""
    found = []
    neurons = list(product((-1, 1), (-2, -1, 0, 1, 2)))
    for w, b in product((-1, 1), (-1, 0, 1)):
        for one, two in product(neurons, repeat=2):
            for out in product((-2, -1, 1, 2), repeat=2):
                if (one, out[0]) > (two, out[1]):
                    continue
                values = []
                for x in range(-4, 5):
                    t = max(w * x + b, 0)
                    hidden = [max(v * t + c, 0) for v, c in (one, two)]
                    values.append(sum(u * z for u, z in zip(out, hidden)))
                layers = (
                    ([[w]], [b]),
                    ([[one[0]], [two[0]]], [one[1], two[1]]),
                    ([list(out)], [-values[0]]),
                )
                key = tuple(v - values[0] for v in values)
                found.append((producers.network(*layers), key))
    return found


def test_width_one_against_enumeration() -> None:
    """No two inequivalent networks with one function, one of them accepted; and a second judge
    agrees on each."""
    domain = producers.box((-4, 4))
    groups: dict[tuple[int, ...], list[producers.Net]] = defaultdict(list)
    for net, key in narrow_networks():
        groups[key].append(net)
    accepted = orders = 0
    for group in groups.values():
        net = group[0]
        signs = [F(row[0]) * F(b) < 0 for row, b in zip(net["weights"][1], net["biases"][1])]
        levels = {F(b) / F(row[0]) for row, b in zip(net["weights"][1], net["biases"][1])}
        if not all(signs) or len(levels) < 2:
            continue
        try:
            document = Q.width_one(net, domain)
        except AssertionError:  # a level is not taken inside the domain
            continue
        unique = verdict(document) == "accepted"
        assert unique == J.width_one(document["claim"])
        if unique:
            accepted += 1
            assert all(oracle.equivalent(net, other) for other in group[1:])
            plus = 0 if F(net["weights"][1][0][0]) > 0 else 1
            t = [abs(F(b)) for b in net["biases"][1]]
            orders += t[plus] > t[1 - plus]
    assert accepted >= 100
    assert 20 <= orders <= accepted - 20
