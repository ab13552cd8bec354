"""Short documents that once exhausted time or memory, crashed, or proved less than they said.

The attacks that are only a matter of one refusal are forged documents; here are those with a
size, a family, or a truth to compare with.
"""

import random
import time
from collections.abc import Iterator
from typing import Any

import pytest

from exactrelu.checker import KINDS, Malformed, Rejected, check
from tests.checker import corpus, judges, mutants, oracle, producers
from tests.checker.producers import document, dumps, half, network

SECONDS = 5
DOCUMENTS = corpus.documents()


@pytest.fixture(autouse=True)
def _in_time() -> Iterator[None]:
    start = time.perf_counter()
    yield
    assert time.perf_counter() - start < SECONDS


def refused(kind: str, claim: dict[str, Any], evidence: dict[str, Any]) -> str:
    with pytest.raises((Malformed, Rejected)) as caught:
        check(dumps(document(kind, claim, evidence)))
    return str(caught.value)


def test_many_inputs() -> None:
    net = network(([[1] * 900], [0]), ([[1]], [0]))
    claim = {"network": net, "domain": None, "count": 1}
    leaf = ",".join(["1"] * 901)
    assert refused("full-cells", claim, {"tree": f"+ {leaf}"}) == (
        "sign of neuron 0 of its layer is not implied"
    )
    signs = [",".join(["1"] + [x] * 900) for x in ("-1", "1")]
    two = document("full-cells", {**claim, "count": 2}, {"tree": " ".join(["s", *signs])})
    assert check(dumps(two)) == "full-cells"


def test_long_numbers_in_many_layers() -> None:
    layers = [([["9" * 2_000]], ["1/" + "7" * 1_900]) for _ in range(60)]
    claim = {"network": network(([[1]], [0])), "point": ["0"], "value": ["0"]}
    claim["network"] = {
        "architecture": [1] * 61,
        "weights": [w for w, _ in layers],
        "biases": [b for _, b in layers],
    }
    assert refused("values", claim, {}) == "numbers too long for this depth"


def test_incommensurable_denominators() -> None:
    rng = random.Random(0)
    rows = [[f"1/{rng.getrandbits(1_000) | 1}" for _ in range(100)] for _ in range(100)]
    net = {"architecture": [100, 100], "weights": [rows], "biases": [["0"] * 100]}
    claim = {"network": net, "point": ["0"] * 100, "value": ["0"] * 100}
    assert refused("values", claim, {}) in ("denominators too long", "too much work")


def test_faces_at_a_vertex_of_high_dimension() -> None:
    d = 17
    net = network(([[int(i == j) for j in range(d)] for i in range(d)], [0] * d), ([[1] * d], [0]))
    fields = {**(oracle.describe(corpus.LINES, None) or {})}
    claim = {"network": net, "domain": None, **fields}
    evidence = {"vertices": [" ".join(["1"] + ["0"] * d)]}
    assert refused("complex", claim, evidence) == "too many faces at the vertices"


def test_work_is_bounded_in_all() -> None:
    d = 60
    rng = random.Random(0)
    walls = half(*([rng.getrandbits(9_000) for _ in range(d + 1)] for _ in range(d)))
    net = network(([[1] * d], [0]), ([[1]], [0]))
    claim = {"network": net, "domain": walls, "count": 1}
    tree = "+" + ",".join(map(str, range(d))) + " ."
    assert refused("full-cells", claim, {"tree": tree}) == "too much work"


@pytest.mark.parametrize("kind", sorted(KINDS))
def test_values_of_every_wrong_type_never_crash(kind: str) -> None:
    odd: list[Any] = [None, True, -1, 10**17, "", "1", [], [[]], {}, {"kind": "values"}, "\ud800"]
    documents = [d for d in DOCUMENTS.values() if d["claim"]["kind"] == kind]
    rng = random.Random(kind)
    for original in documents[:2]:
        for path in mutants.places(original):
            forged = mutants.mutant(original, path, rng)
            parent: Any = forged
            try:
                for key in path[:-1]:
                    parent = parent[key]
                parent[path[-1]] = rng.choice(odd)
            except (KeyError, IndexError, TypeError):
                continue
            try:
                check(dumps(forged))
            except (Malformed, Rejected):
                continue
            assert path[0] == "producer" or judges.true(forged["claim"])


WALLS = {
    "duplicate": half([1, 1], [1, 1], [1, -1]),
    "redundant": half([1, 1], [2, 1], [1, -1]),
    "touching": half([1, 1, 0], [1, 0, 1], [2, 1, 1]),
    "opposite": half([0, 1], [0, -1]),
    "zero_normal": half([0, 0], [1, 1]),
    "false": half([-1, 0]),
}


@pytest.mark.parametrize("name", WALLS)
def test_degenerate_walls_prove_nothing_false(name: str) -> None:
    domain = WALLS[name]
    d = len(domain["inequalities"][0]) - 1
    net = network(([[1] * d], [0]), ([[1]], [0]))
    truth = len(oracle.Complex(net, domain).full)
    evidence = {"tree": producers.tree([net], domain)}
    for count in range(3):
        claim = {"network": net, "domain": domain, "count": count}
        try:
            check(dumps(document("full-cells", claim, evidence)))
        except Rejected:
            continue
        assert count == truth > 0
