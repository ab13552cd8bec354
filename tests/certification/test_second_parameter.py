"""Second parameters: the simple mechanisms, the reference cases, and what is not answered; checked by certificate and by evaluation."""

from __future__ import annotations

import json
import random
from fractions import Fraction
from pathlib import Path

import pytest

from exactrelu.certification.second_parameter import SecondParameter, candidates, proved, second_parameter
from exactrelu.complexes.canonical_complex import CanonicalComplex
from exactrelu.errors import InvariantError
from exactrelu.identifiability.complex_facts import complex_facts
from exactrelu.identifiability.symmetry_bound.activity_facts import ActivityFacts
from exactrelu.limits import Limits
from exactrelu.network.architecture import Neuron
from exactrelu.network.network import Network
from exactrelu.network.trivial_symmetry import equivalent
from exactrelu.polyhedra.domain import Domain

CASES = json.loads((Path(__file__).resolve().parents[1] / "data" / "identifiability_cases.json").read_text())["cases"]
LINE, UNIT = Domain.space(1), Domain.box(1, [(0, 1)])


@pytest.mark.parametrize("network, domain, words, neurons", [
    (Network([[[1], [2]], [[1, 0]]], [[0, 1], [0]]), LINE, "zero outgoing column", ((1, 1),)),
    (Network([[[1], [2]], [[3, 1]]], [[1, 2], [0]]), LINE, "positively proportional", ((1, 0), (1, 1))),
    (Network([[[1], [-1]], [[1, 1]]], [["-1/2", -2], [0]]), UNIT, "never positive", ((1, 1),)),
    (Network([[[1], [1]], [[1, 1]]], [["-1/2", 1], [0]]), UNIT, "never negative", ((1, 1),)),
    (Network([[[1], [-1]], [[1, -1], [-1, 1]], [[1, 1]]], [[0, 0], [-1, -1], [0]]), LINE, "never active together", ((1, 0), (2, 1))),
])
def test_mechanisms(network: Network, domain: Domain, words: str, neurons: tuple) -> None:
    found = second_parameter(network, domain, complex_facts(CanonicalComplex.build(network, domain)))
    assert found.word == "fails" and words in found.witness.reason and found.witness.neurons == neurons
    assert found.witness.network != network
    found.certificate.verify()
    rng = random.Random(0)
    for _ in range(30):
        x = [Fraction(rng.randint(0, 60), 60) if domain is UNIT else Fraction(rng.randint(-99, 99), 7)]
        assert network(x) == found.witness.network(x)


def test_nothing_applies() -> None:
    found = second_parameter(Network([[[1]], [[1]]], [[0], [0]]), LINE, ActivityFacts())
    assert found.word == "undecided" and "no mechanism" in found.reason
    assert list(candidates(Network([[[1]]], [[0]]), LINE, ActivityFacts())) == []


def test_a_wrong_fact_is_found_out() -> None:
    with pytest.raises(InvariantError, match="another value"):
        second_parameter(Network([[[1]], [[1]]], [[0], [0]]), LINE, ActivityFacts(dead=frozenset([Neuron(1, 0)])))


def test_limits_leave_it_undecided() -> None:
    network = Network([[[1], [2]], [[1, 0]]], [[0, 1], [0]])
    found = second_parameter(network, LINE, ActivityFacts(), Limits(max_cells=1))
    assert found.word == "undecided" and "too long" in found.reason and found.detail["candidate"].network != network


def read(case: dict) -> tuple[Network, Domain]:
    ends = list(zip(case["domain"]["lo"], case["domain"]["hi"]))
    return Network([layer["W"] for layer in case["layers"]], [layer["b"] for layer in case["layers"]]), Domain.box(len(ends), ends)


@pytest.mark.parametrize("case", CASES, ids=[case["name"] for case in CASES])
def test_reference_cases(case: dict) -> None:
    """A second parameter for the cases that are not identifiable, by the catalogue alone, and for no other."""
    network, domain = read(case)
    found = second_parameter(network, domain, complex_facts(CanonicalComplex.build(network, domain)))
    assert found.word == ("fails" if "NONID" in case["expected"]["verdicts"] else "undecided")
    if found.word == "fails":
        found.certificate.verify()
        assert found.witness.network.architecture == network.architecture
        assert equivalent(network, found.witness.network).word == "fails"


def test_a_flat_domain_is_undecided() -> None:
    flat = Domain(2, ((0, 1, -1), (0, -1, 1)))
    shown = Network([[[1, 0], [0, 1]], [[1, 2]]], [[0, 1], [0]])
    assert second_parameter(shown, flat, ActivityFacts()).word == "undecided"
    assert second_parameter(Network([[[1, 0], [0, 1]], [[1, 0]]], [[0, 1], [0]]), flat, ActivityFacts()).word == "undecided"


def test_what_is_only_equal_to_first_order_is_no_second_parameter() -> None:
    # |x| by two neurons that switch at one point: the rank is 4, one below N - H, but no line is exact
    assert second_parameter(Network([[[1], [-1]], [[1, 1]]], [[0, 0], [0]]), LINE, ActivityFacts()).word == "undecided"


def test_time_that_is_used_up_is_undecided() -> None:
    found = second_parameter(Network([[[1]], [[1]]], [[0], [0]]), LINE, ActivityFacts(), Limits(max_seconds=1e-9))
    assert found.word == "undecided" and "max_seconds" in found.reason


def test_a_proof_needs_equal_functions() -> None:
    network = Network([[[1]], [[1]]], [[0], [0]])
    with pytest.raises(InvariantError, match="another value"):
        proved(network, SecondParameter("none", (), Network([[[1]], [[2]]], [[0], [0]])), LINE)
