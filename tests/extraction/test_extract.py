"""The verb: affine functions, unknown depths, domains, JSON, seeds."""

from __future__ import annotations

import json
from fractions import Fraction

import pytest

from exactrelu import Domain, Network
from exactrelu.errors import DomainError, ShapeError
from exactrelu.extraction.extract import extract
from exactrelu.extraction.oracle import CallableOracle
from exactrelu.network.architecture import Architecture
from exactrelu.testing.exactness import assert_exact, strict_imports
from tests.slabs import slab_domain, slab_network

AFFINE = Network([[["1/3", -2, 5], [0, 1, "7/2"]]], [[4, "-1/9"]])
SMALL = Network([[[1, 2], [3, -1]], [[1, -2]]], [[1, 0], ["1/7"]])


@pytest.mark.parametrize("domain", [None, Domain.box(3, [(-1, 1)]), Domain(3, ((1, 1, 1, 1),))])
def test_affine(domain: Domain | None) -> None:
    found = extract(CallableOracle(AFFINE), AFFINE.architecture, domain)
    assert (found.verdict, found.label, found.candidates) == ("reconstructed", "certified", (AFFINE,))
    assert found.queries < 30


@pytest.mark.parametrize("depth", [3, 4])
def test_deeper_networks_are_not_attempted(depth: int) -> None:
    found = extract(CallableOracle(lambda x: [0]), Architecture((2, *[2] * depth, 1)))
    assert found.verdict == "undecided" and f"no method is known here for {depth} hidden layers" in found.reason
    assert found.queries == 0


def test_two_layers_need_two_inputs() -> None:
    found = extract(CallableOracle(lambda x: [0]), Architecture((1, 2, 2, 1)))
    assert found.verdict == "undecided" and "two inputs" in found.reason


def test_no_question_outside_the_domain() -> None:
    domain = Domain(2, ((3, 1, 1), (3, -1, 2), (1, 0, -1)))

    def inside(x: list[Fraction]) -> tuple[Fraction, ...]:
        assert domain.contains(x)
        return SMALL(x)
    assert extract(CallableOracle(inside), SMALL.architecture, domain).label == "certified"


def test_wrong_domains() -> None:
    with pytest.raises(ShapeError):
        extract(CallableOracle(SMALL), SMALL.architecture, Domain.box(3, [(-1, 1)]))
    with pytest.raises(DomainError):
        extract(CallableOracle(SMALL), SMALL.architecture, Domain.box(2, [(0, 0)]))


def test_json_and_seed() -> None:
    one, two = (extract(CallableOracle(SMALL), SMALL.architecture, seed=7) for _ in range(2))
    assert json.dumps(one.to_json()) == json.dumps(two.to_json())
    assert one.to_json()["verdict"] == "reconstructed" and set(one.fields()) >= {"candidates", "flags", "queries", "label", "promise"}
    assert_exact(one)
    assert one.network is one.candidates[0]
    assert extract(CallableOracle(SMALL), SMALL.architecture, seed=8).queries > 0


@pytest.mark.parametrize("network, domain", [(AFFINE, Domain.space(3)), (SMALL, Domain.space(2)),
                                             (slab_network((2, 2, 2, 1), 0), slab_domain(2))])
def test_every_division_and_comparison_is_exact(network: Network, domain: Domain) -> None:
    with strict_imports() as strict:
        module = strict.module
        hidden = module("exactrelu.network.network").Network(network.weights, network.biases)
        region = module("exactrelu.polyhedra.domain").Domain(domain.dimension, domain.inequalities)
        oracle = module("exactrelu.extraction.oracle").CallableOracle(hidden)
        assert module("exactrelu.extraction.extract").extract(oracle, hidden.architecture, region).label == "certified"
        assert "extraction" in {place.split("/")[0] for place in strict.seen}
