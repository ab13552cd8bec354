"""Two hidden layers: slab parameters are unique, planted flips and missing evidence are refused."""

import random
from typing import Any

import pytest

from exactrelu.checker import Rejected, check
from exactrelu.checker.claims import two_layers
from exactrelu.checker.document import LIMITS, WORK
from tests.checker import corpus_identifiability as C
from tests.checker import judges_identifiability as J
from tests.checker import producers
from tests.checker import producers_identifiability as Q


def verdict(document: dict[str, Any]) -> str:
    try:
        check(producers.dumps(document))
    except Rejected as error:
        return str(error)
    return "accepted"


def slab(rng: random.Random) -> producers.Net:
    a, b = rng.choice(((2, -1), (-1, 2)))
    second = [[8 + a, 8], [b - 8, -8]]
    biases = [-30 - 2 * a + rng.randint(-1, 1), 34 - 2 * b + rng.randint(-1, 1)]
    last = [rng.choice((-1, 1)) * rng.randint(1, 7) for _ in range(2)]
    return producers.network(([[1, 1], [-1, 0]], [0, 4]), (second, biases), ([last], [0]))


def test_slab_parameters() -> None:
    accepted = 0
    for seed in range(12):
        net = slab(random.Random(seed))
        for domain in (C.SLAB_BOX, None):
            document = Q.two_layers(net, domain)
            if verdict(document) == "accepted":
                accepted += 1
                assert J.two_layers(document["claim"])
                generic = Q.unique_among_supertransversal(net, domain)
                assert verdict(generic) == "accepted"
    assert accepted >= 12


def test_random_parameters_with_planted_flips_are_refused() -> None:
    """In the last layer: opposite rows with outgoing weights that cancel."""
    refused = set()
    for seed in range(60):
        rng = random.Random(seed)
        first = [[rng.randint(-3, 3) for _ in range(2)] for _ in range(2)]
        row, k = [rng.randint(-4, 4) for _ in range(2)], rng.choice((1, 2))
        net = producers.network(
            (first, [rng.randint(-4, 4) for _ in range(2)]),
            ([row, [-k * x for x in row]], [rng.randint(-5, 5) for _ in range(2)]),
            ([[k, 1]], [0]),
        )
        refused.add(verdict(Q.two_layers(net, rng.choice([None, C.BOX]))))
    assert "accepted" not in refused


@pytest.mark.parametrize("name", ["two_layers_slab", "two_layers_plane"])
def test_evidence_may_not_be_left_out(name: str) -> None:
    document = C.documents()[name]
    vertices, points = (document["evidence"][k] for k in ("vertices", "points"))
    for k in range(len(vertices)):
        evidence = {"vertices": vertices[:k] + vertices[k + 1 :], "points": points}
        assert "a vertex is missing" in verdict({**document, "evidence": evidence})
    seen = set()
    for seed in range(30):
        rng = random.Random(seed)
        chosen = [x for x in points if rng.random() < 0.5]
        seen.add(verdict({**document, "evidence": {"vertices": vertices, "points": chosen}}))
    assert seen == {"accepted", "another family of hyperplanes is not excluded (C1)"}


def test_covers_are_all_found() -> None:
    """Points in the plane, covered by two lines: all ways, or a refusal if a line is free."""
    WORK.set([LIMITS["work"]])
    x, y = (0, 1, 0), (0, 0, 1)

    def flat(p: int, q: int) -> two_layers.Flat:
        return [-p, 1, 0], [-q, 0, 1]

    square = [flat(1, 0), flat(2, 0), flat(0, 1), flat(0, 2)]
    found = two_layers.covers(square, {x, y})
    diagonal = {frozenset({(2, -2, -1), (2, -1, -2)}), frozenset({(1, -1, -1), (2, -1, -1)})}
    assert found == {frozenset({x, y}), *diagonal}
    with pytest.raises(Rejected, match="free hyperplane"):
        two_layers.covers(square[:3], {x, y})
    with pytest.raises(Rejected, match="free hyperplane"):
        two_layers.covers([], {x, y})
    assert two_layers.covers([*square, flat(5, 7)], {x, y}) == set()
