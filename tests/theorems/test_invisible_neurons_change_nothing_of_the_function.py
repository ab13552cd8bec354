"""Neurons with zero outgoing weights refine the canonical complex, but regions, affine maps and strata stay."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.strategies import DrawFn

from exactrelu.complexes.canonical_complex import CanonicalComplex
from exactrelu.complexes.complex_report import ComplexReport
from exactrelu.network.network import Network
from exactrelu.polyhedra.domain import Domain
from tests.oracles.strategies import networks_with_domains


@st.composite
def extended(draw: DrawFn) -> tuple[Network, Network, Domain]:
    """A network, the same with one or two invisible neurons in each of some layers, and a domain."""
    network, domain = draw(networks_with_domains())
    larger = network
    for layer in range(1, network.architecture.hidden_layers + 1):
        for _ in range(draw(st.integers(0, 2))):
            row = [Fraction(x) for x in draw(st.lists(st.integers(-2, 2), min_size=larger.architecture.widths[layer - 1],
                                                      max_size=larger.architecture.widths[layer - 1]))]
            weights, biases = list(larger.weights), list(larger.biases)
            weights[layer - 1] = (*weights[layer - 1], tuple(row))
            biases[layer - 1] = (*biases[layer - 1], Fraction(draw(st.integers(-2, 2))))
            weights[layer] = tuple((*r, Fraction(0)) for r in weights[layer])
            larger = Network(tuple(weights), tuple(biases))
    return network, larger, domain


def of_the_function(network: Network, domain: Domain) -> dict[str, Any]:
    report = ComplexReport(CanonicalComplex.build(network, domain))
    answer = report.to_json()
    weights = {(frozenset([tuple(w.normal), tuple(-n for n in w.normal)]), tuple(w.weight)) for w in report.breakpoints.weights}
    return {"weights": weights, **{key: answer[key] for key in ("linear_regions", "distinct_affine_maps", "strata", "balanced")}}


@settings(derandomize=True, max_examples=50)
@given(extended())
def test_invisible_neurons_change_nothing_of_the_function(case: tuple[Network, Network, Domain]) -> None:
    network, larger, domain = case
    assert of_the_function(network, domain) == of_the_function(larger, domain)


def test_two_ways_to_write_a_maximum() -> None:
    """max(0, x, y) = relu(relu(x - y) + y) = relu(relu(y - x) + x): the same breakpoint set, weights and strata."""
    networks = [Network([[[1, -1], [0, 1], [0, -1]], [[1, 1, -1]], [[1]]], [[0, 0, 0], [0], [0]]),
                Network([[[-1, 1], [1, 0], [-1, 0]], [[1, 1, -1]], [[1]]], [[0, 0, 0], [0], [0]])]
    for x in ([1, 2], [2, 1], [-1, -2], [-3, 1], [2, -5]):
        assert networks[0](x) == networks[1](x) == (Fraction(max(0, *x)),)
    plane = Domain.space(2)
    answers = [of_the_function(network, plane) for network in networks]
    assert answers[0] == answers[1]
    assert answers[0]["linear_regions"] == 3
    assert answers[0]["strata"] == {"1": 3, "0": 1}
