"""Second parameters: every mechanism of the catalogue, checked by its certificate and by evaluation."""

from __future__ import annotations

import random
from fractions import Fraction

import pytest

from exactrelu.complexes.canonical_complex import CanonicalComplex
from exactrelu.errors import InvariantError
from exactrelu.identifiability.complex_facts import complex_facts
from exactrelu.identifiability.second_parameter import candidates, second_parameter
from exactrelu.identifiability.symmetry_bound.activity_facts import ActivityFacts
from exactrelu.limits import Limits
from exactrelu.network.architecture import Neuron
from exactrelu.network.network import Network
from exactrelu.polyhedra.domain import Domain

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
    assert list(candidates(Network([[[1]]], [[0]]), ActivityFacts())) == []


def test_a_wrong_fact_is_found_out() -> None:
    with pytest.raises(InvariantError, match="another value"):
        second_parameter(Network([[[1]], [[1]]], [[0], [0]]), LINE, ActivityFacts(dead=frozenset([Neuron(1, 0)])))


def test_limits_leave_it_undecided() -> None:
    network = Network([[[1], [2]], [[1, 0]]], [[0, 1], [0]])
    found = second_parameter(network, LINE, ActivityFacts(), Limits(max_cells=1))
    assert found.word == "undecided" and "too long" in found.reason and found.detail["candidate"].network != network
