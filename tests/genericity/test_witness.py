"""Witnesses are re-evaluated on the network alone, and written as exact text."""

from __future__ import annotations

import json
from dataclasses import replace
from fractions import Fraction

from exactrelu.complexes.canonical_complex import CanonicalComplex
from exactrelu.genericity.witness import NeuronWitness, PairWitness, certificate, claim, claim_point, evidence_point, face_witness
from exactrelu.network.architecture import Neuron
from exactrelu.network.forward import sign_vector
from exactrelu.network.network import Network
from exactrelu.polyhedra.domain import Domain

NETWORK = Network([[[1, 0], [0, 1]], [[1, 1]]], [["-1/3", 0], [0]])
BUILT = CanonicalComplex.build(NETWORK)
HALF = Fraction(1, 2)


def test_face_witnesses_of_all_cells() -> None:
    for k in range(3):
        level = BUILT.level(k)
        for cone in BUILT.interior(level).tolist():
            found = face_witness(BUILT, level, cone, "because", [1, 0], ((HALF, Fraction(0)),))
            assert found.dimension == k and found.signs == sign_vector(NETWORK, found.point) and found.signs.count(0) == 2 - k
            assert found.reevaluated(BUILT) and found.neurons == (Neuron(1, 1), Neuron(1, 0))
            assert not replace(found, signs=tuple(s or 1 for s in found.signs)).reevaluated(BUILT) or k == 2
            written = json.loads(json.dumps(found.to_json()))
            assert [Fraction(x) for x in written["point"]] == list(found.point)
            assert written["sides"] == [["1/2", "0"]] and written["neurons"] == [[1, 1], [1, 0]] and written["reason"] == "because"


def test_a_moved_point_is_noticed() -> None:
    (vertex,) = BUILT.interior(BUILT.level(0)).tolist()
    found = face_witness(BUILT, BUILT.level(0), vertex, "", [0])
    assert found.point == (Fraction(1, 3), 0) and found.reevaluated(BUILT)
    assert not replace(found, point=(Fraction(1, 3) + Fraction(1, 2**300), Fraction(0))).reevaluated(BUILT)


def test_neurons_and_pairs() -> None:
    assert NeuronWitness("r", (Neuron(1, 0),)).to_json() == {"reason": "r", "neurons": [[1, 0]]}
    assert PairWitness("r", ((Neuron(1, 0), Neuron(2, 1)),)).to_json() == {"reason": "r", "pairs": [[[1, 0], [2, 1]]]}


def test_claims_and_points() -> None:
    assert claim(BUILT, "tpic", extra=1) == {"kind": "tpic", "network": NETWORK.claim(), "domain": None, "extra": 1}
    assert claim_point((HALF, Fraction(-2))) == ["1/2", "-2"]
    assert evidence_point((HALF, Fraction(-1, 3))) == "6 3 -2"


def test_no_certificate_on_a_flat_domain() -> None:
    document = claim(BUILT, "tpic")
    found = certificate(BUILT, document, {})
    assert found is not None and found.claim == document
    flat = CanonicalComplex.build(NETWORK, Domain.box(2, [(0, 1), (0, 0)]))
    assert certificate(flat, document, {}) is None
