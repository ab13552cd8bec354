"""The search among supertransversal parameters accepts the certified cases and no others."""

import json
import random
from collections import defaultdict
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from exactrelu.checker import Rejected, check
from exactrelu.checker.claims import kernels, supertransversal
from exactrelu.checker.document import LIMITS, WORK
from tests.checker import corpus_identifiability as C
from tests.checker import judges_identifiability as J
from tests.checker import oracle, producers
from tests.checker import producers_identifiability as Q

DATA = Path(__file__).resolve().parents[1] / "data" / "identifiability_cases.json"
CASES = {case["name"]: case for case in json.loads(DATA.read_text())["cases"]}


def scene_of(case: dict[str, Any]) -> tuple[producers.Net, Any]:
    net = producers.network(*((layer["W"], layer["b"]) for layer in case["layers"]))
    return net, producers.box(*zip(case["domain"]["lo"], case["domain"]["hi"]))


def accepted(document: dict[str, Any]) -> bool:
    try:
        check(producers.dumps(document))
    except Rejected:
        return False
    return True


@pytest.mark.parametrize("name", CASES)
def test_reference_cases(name: str) -> None:
    net, domain = scene_of(CASES[name])
    verdicts = CASES[name]["expected"]["verdicts"]
    shallow_all = "ALL" in verdicts and len(net["architecture"]) == 3
    expected = "GENERIC" in verdicts or shallow_all
    assert accepted(Q.unique_among_supertransversal(net, domain)) == expected
    if len(net["architecture"]) == 3:
        assert accepted(Q.shallow_fiber(net, domain, 1)) == ("ALL" in verdicts)
    if net["architecture"][1:-1] == [1, 2]:
        narrow = "ALL_BY_BOTTLENECK_ARGUMENT" in verdicts
        assert accepted(Q.width_one(net, domain)) == narrow


def as_strings(layers: list[Any]) -> producers.Net:
    return producers.network(*layers)


def integer_value(net: list[Any], x: tuple[int, ...]) -> tuple[int, ...]:
    a = list(x)
    for k, (weights, biases) in enumerate(net):
        a = [sum(w * v for w, v in zip(row, a)) + b for row, b in zip(weights, biases)]
        if k + 1 < len(net):
            a = [max(v, 0) for v in a]
    return tuple(a)


def shallow_networks(d: int, n: int) -> list[list[Any]]:
    """All networks (d, n, 1) with entries -1, 0, 1 and without output bias in sorted order."""
    rows = list(product((-1, 0, 1), repeat=d + 1))
    found = []
    for chosen in product(rows, repeat=n):
        for out in product((-1, 1), repeat=n):
            if list(zip(chosen, out)) == sorted(zip(chosen, out)):
                hidden = ([list(row[1:]) for row in chosen], [row[0] for row in chosen])
                found += [[hidden, ([list(out)], [bias])] for bias in (-1, 0, 1)]
    return found


def test_a_second_supertransversal_parameter_is_never_missed() -> None:
    """Among all tiny shallow networks with one function, two supertransversal ones that are not
    equivalent rule out the certificate of either."""
    several = 0
    for d, n in ((1, 2), (2, 2)):
        places = list(product((-7, -2, -1, 0, 1, 3, 8), repeat=d))
        groups: dict[Any, list[list[Any]]] = defaultdict(list)
        for net in shallow_networks(d, n):
            groups[tuple(integer_value(net, x) for x in places)].append(net)
        pairs = [group for group in groups.values() if len(group) > 1]
        for group in random.Random(d).sample(pairs, 25):
            members = [as_strings(net) for net in group[:4]]
            for a, b in product(members, members):
                if a == b or oracle.equivalent(a, b) or not oracle.equal(a, b, None):
                    continue
                if J.supertransversal(b, None):
                    several += 1
                    assert not accepted(Q.unique_among_supertransversal(a, None))
    assert several >= 15


FLIPPED = [
    producers.network(
        ([[2, 1], [-3, -1], [1, 0]], [0, -4, -6]),
        ([[-1, -1, -1], [2, 2, 2]], [8, -9]),
        ([[5, 4]], [0]),
    ),
    producers.network(([[1, -1], [-1, 0], [1, 0]], [0, -1, 2]), ([[-1, -2, -2]], [2])),
    producers.network(([[-1], [1]], [0, 1]), ([[2, 2]], [0])),
]


@pytest.mark.parametrize("net", FLIPPED)
def test_no_selection_of_points_hides_a_second_parameter(net: producers.Net) -> None:
    assert not J.no_flip({"network": net, "domain": None}, True)
    points = Q.germ_points(net, None)
    for seed in range(40):
        rng = random.Random(seed)
        chosen = [x for x in points if rng.random() < rng.choice([0.3, 0.7, 1])]
        claim = {"network": net, "domain": None}
        document = producers.document(
            "identifiable-among-supertransversal", claim, {"points": chosen}
        )
        assert not accepted(document)


def test_points_may_be_left_out_or_repeated() -> None:
    points = Q.germ_points(C.SLAB, C.SLAB_BOX)
    claim = {"network": C.SLAB, "domain": C.SLAB_BOX}
    verdicts = set()
    for seed in range(60):
        rng = random.Random(seed)
        chosen = [x for x in points if rng.random() < 0.8] + rng.sample(points, 3)
        kind = "identifiable-among-supertransversal"
        verdicts.add(accepted(producers.document(kind, claim, {"points": chosen})))
    assert verdicts == {True, False}


def test_orientations_equal_trying_all() -> None:
    for seed in range(150):
        WORK.set([LIMITS["work"]])
        rng = random.Random(seed)
        n, outputs = rng.randint(1, 4), rng.random() < 0.3
        width = 2 * n + 1 + outputs
        spaces = []
        for _ in range(rng.randint(0, 3)):
            rows = [[rng.randint(-2, 2) for _ in range(width)] for _ in range(rng.randint(0, 5))]
            spaces.append(kernels.kernel(rows, width))
        expected = {}
        for signs in product((0, 1), repeat=n):
            chosen = tuple(k + 1 + s * n for k, s in enumerate(signs))
            left = []
            for space in spaces:
                unit = [
                    [int(c == k + 1 + (1 - s) * n) for c in range(width)]
                    for k, s in enumerate(signs)
                ]
                equations = kernels.kernel(space, width) if space else []
                identity = [[int(c == k) for c in range(width)] for k in range(width)]
                left.append(kernels.kernel([*(equations if space else identity), *unit], width))
            dead = [not any(v[-1] for v in s) if outputs else not s for s in left]
            if not any(dead):
                expected[chosen] = [len(space) for space in left]
        found = supertransversal.orientations(n, spaces, outputs)
        assert {chosen: [len(s) for s in left] for chosen, left in found} == expected


def test_twelve_neurons_are_oriented_without_trying_all() -> None:
    """Two classes on lines in general position leave few orientations of twelve lines."""
    WORK.set([LIMITS["work"]])
    rng = random.Random(1)
    n = 12
    lines = [[rng.randint(-9, 9) for _ in range(3)] for _ in range(n)]
    weights = [[rng.randint(1, 9) for _ in range(n)] for _ in range(2)]
    spaces = []
    for w in weights:
        rows = []
        for _ in range(60):
            x = [1, rng.randint(-50, 50), rng.randint(-50, 50)]
            z = [sum(a * b for a, b in zip(line, x)) for line in lines]
            value = sum(a * max(v, 0) for a, v in zip(w, z))
            scale = rng.choice([1, 2, 3])  # points where the sum has one value, scaled to it
            rows.append([scale * value, *(max(v, 0) for v in z), *(max(-v, 0) for v in z)])
        spaces.append(kernels.kernel(rows, 2 * n + 1))
    before = WORK.get()[0]
    found = [chosen for chosen, _ in supertransversal.orientations(n, spaces, False)]
    assert found == []  # the scales spoil every relation except those of the lines
    assert before - WORK.get()[0] < 50_000_000
