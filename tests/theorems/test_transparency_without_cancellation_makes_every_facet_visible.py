"""Supertransversal, transparent and without cancellation: f bends at every facet, so each linear region is one cell."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.strategies import DrawFn

from exactrelu.complexes.canonical_complex import CanonicalComplex
from exactrelu.complexes.complex_report import ComplexReport
from exactrelu.genericity.generic import genericity
from exactrelu.network.network import Network
from exactrelu.polyhedra.domain import Domain
from tests.oracles.cases import BY_NAME, Case, many
from tests.oracles.strategies import networks_with_domains


def check_implication(network: Network, domain: Domain) -> bool:
    found = CanonicalComplex.build(network, domain)
    answer = genericity(found)
    if any(answer.verdicts[name].word != "holds" for name in ("supertransversality", "zero_count", "transparency", "no_cancellation")):
        return False
    report = ComplexReport(found).to_json()
    dimension = max(k for k, count in enumerate(found.f_vector) if count)
    assert report["linear_regions"] == report["full_cells"]
    assert report["breakpoint_facets"] == (found.f_vector[dimension - 1] if dimension else 0)
    assert answer.further["linear_regions_assumption_adjacent"].word == "holds"
    return True


@st.composite
def mostly_transparent(draw: DrawFn) -> tuple[Network, Domain]:
    """A network with one always active neuron, visible everywhere, added to every layer."""
    network, domain = draw(networks_with_domains(height=3))
    weights, biases = [], []
    last = len(network.weights) - 1
    for k, (rows, bias) in enumerate(zip(network.weights, network.biases)):
        rows = tuple((*row, draw(st.integers(1, 3))) for row in rows) if k else rows
        constant = () if k == last else ((0,) * len(rows[0]),)
        weights.append((*rows, *constant))
        biases.append((*bias, *((1,) if k < last else ())))
    return Network(tuple(weights), tuple(biases)), domain


@settings(derandomize=True, max_examples=60)
@given(mostly_transparent())
def test_every_facet_is_visible(pair: tuple[Network, Domain]) -> None:
    check_implication(*pair)


def test_the_hypothesis_is_met() -> None:
    generic: Case = BY_NAME["all conditions"]
    assert check_implication(generic.network, generic.domain)
    assert sum(check_implication(case.network, case.domain) for case in many(200)) >= 10
