"""Every refutation is accepted exactly when brute force finds the condition violated."""

import random
from collections import Counter
from typing import Any

from exactrelu.checker import Rejected, check
from tests.checker import judges, oracle, producers
from tests.checker.random_networks import random_network, random_widths


def proved(kind: str, claim: dict[str, Any], evidence: dict[str, Any]) -> bool:
    try:
        check(producers.dumps(producers.document(kind, claim, evidence)))
    except Rejected:
        return False
    return True


def complexes(number: int) -> list[oracle.Complex]:
    made = []
    for seed in range(number):
        rng = random.Random(seed)
        widths = random_widths(rng)
        domain = producers.box(*[(-3, 4)] * widths[0]) if rng.random() < 0.3 else None
        made.append(oracle.complex_of(random_network(rng, widths, 1), domain))
    return made


def test_at_least_codimension_many_neurons_bend() -> None:
    """The proposition that makes supertransversality fail in one way only."""
    for whole in complexes(150):
        for cell in whole.cells:
            assert len(whole.bending(cell.signs)) >= whole.d - cell.dimension


def test_points_refute_exactly_what_fails_there() -> None:
    seen: Counter[tuple[str, bool]] = Counter()

    def compare(kind: str, claim: dict[str, Any], evidence: dict[str, Any]) -> None:
        truth = judges.true({"kind": kind, **claim})
        seen[kind, truth] += 1
        assert proved(kind, claim, evidence) == truth

    for whole in complexes(25):
        scene = {"network": whole.net, "domain": whole.domain}
        for cell in whole.cells:
            claim = {**scene, "point": producers.strings(cell.point)}
            compare("zero-count-fails", claim, {})
            bending = whole.bending(cell.signs)
            triples = [producers.triple(whole, cell.signs, j) for j in bending]
            many = {**claim, "bending": bending}
            compare("supertransversality-fails", many, {"bending": triples})
            for layer in range(1, len(oracle.widths(whole.net)) + 1):
                compare("transparency-fails", {**claim, "layer": layer}, {})
            for neuron in range(len(cell.signs)):
                compare("hidden-facet", {**claim, "neuron": neuron}, {})
            if cell.dimension == whole.d - 1:
                sides = [producers.point(side.point) for side in whole.sides(cell)]
                compare("no-cancellation-fails", claim, {"sides": sides})
                ends = [producers.strings(side.point) for side in whole.sides(cell)]
                facet = {"facet": producers.point(cell.point)}
                regions = {**scene, "points": ends, "level": "adjacent"}
                compare("linear-regions-assumption-fails", regions, facet)
                regions = {**regions, "level": "strong"}
                compare("linear-regions-assumption-fails", regions, {"facet": None})
    kinds = {kind for kind, _ in seen}
    assert all(seen[kind, truth] for kind in kinds for truth in (False, True)), seen


def test_faces_are_what_brute_force_says() -> None:
    for whole in complexes(40):
        for cell in whole.cells:
            document = producers.face(whole.net, whole.domain, cell.point)
            assert check(producers.dumps(document)) == "face"
            claim = document["claim"]
            wrong = {**claim, "dimension": claim["dimension"] + 1}
            assert not proved(
                "face", {k: v for k, v in wrong.items() if k != "kind"}, document["evidence"]
            )
