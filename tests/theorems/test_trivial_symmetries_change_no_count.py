"""Permuting neurons and scaling them by positive factors changes no count, weight or condition."""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from exactrelu.complexes.canonical_complex import CanonicalComplex
from exactrelu.complexes.complex_report import ComplexReport
from exactrelu.genericity.generic import genericity
from exactrelu.network.network import Network
from exactrelu.network.trivial_symmetry import TrivialSymmetry
from exactrelu.polyhedra.domain import Domain
from tests.oracles.strategies import networks_with_domains


def answers(network: Network, domain: Domain) -> dict[str, Any]:
    found = CanonicalComplex.build(network, domain)
    report, conditions = ComplexReport(found), genericity(found)
    listed = report.breakpoints.weights if domain.has_interior else ()          # a flat domain has no weights
    weights = Counter((min(tuple(w.normal), tuple(-n for n in w.normal)), tuple(w.weight)) for w in listed)
    return {"weights": weights, "closed": found.closed_f_vector, **report.to_json(),
            "conditions": {name: v.word for name, v in {**conditions.verdicts, **conditions.further}.items()}}


@settings(derandomize=True, max_examples=50)
@given(networks_with_domains(full_dimensional=False), st.integers(0, 10_000))
def test_trivial_symmetries_change_no_count(pair: tuple[Network, Domain], seed: int) -> None:
    network, domain = pair
    moved = TrivialSymmetry.random(network.architecture, Random(seed)).act(network)
    assert answers(network, domain) == answers(moved, domain)
