"""sum (-1)^k f_k is (-1)^d over R^d; over the closed cells it is 1 for a polytope and 0 for an unbounded pointed domain."""

from __future__ import annotations

from collections.abc import Sequence

from hypothesis import given, settings
from hypothesis import strategies as st

from exactrelu.complexes.canonical_complex import CanonicalComplex
from exactrelu.network.network import Network
from exactrelu.polyhedra.domain import Domain
from tests.oracles.cases import DOMAINS
from tests.oracles.strategies import small_networks

POLYTOPES = ("interval", "square", "oblong", "cube", "unit cube", "pyramid", "triangle", "simplex", "redundant", "segment", "point",
             "square in space", "hidden point", "hidden segment")
POINTED = ("ray", "quadrant", "orthant", "narrow wedge", "pointed", "pointed 3", "square cone", "half-line")
LINEAL = {"half-plane": 0, "strip": -1, "slab": 1, "wedge": 0, "half-space": 0, "tilted line": -1, "plane in space": 1}
"""Domains with lines: 0 when there is a half-space in it, else (-1)^dimension of the largest linear space in it."""


def euler(counts: Sequence[int]) -> int:
    return sum((-1) ** k * n for k, n in enumerate(counts))


@settings(derandomize=True, max_examples=40)
@given(small_networks(most=4, depth=3))
def test_cells_of_the_whole_space(network: Network) -> None:
    d = network.architecture.inputs
    assert euler(CanonicalComplex.build(network, Domain.space(d)).f_vector) == (-1) ** d


@settings(derandomize=True, max_examples=60)
@given(st.sampled_from((*POLYTOPES, *POINTED, *LINEAL)).flatmap(
    lambda name: small_networks(inputs=DOMAINS[name].dimension).map(lambda network: (name, network))))
def test_closed_cells_of_a_domain(case: tuple[str, Network]) -> None:
    name, network = case
    expected = 1 if name in POLYTOPES else LINEAL.get(name, 0)
    assert euler(CanonicalComplex.build(network, DOMAINS[name]).closed_f_vector) == expected
