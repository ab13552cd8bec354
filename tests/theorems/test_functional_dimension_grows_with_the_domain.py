"""A larger domain has more strict cells, so the functional dimension cannot fall; trivial symmetries keep it."""

from __future__ import annotations

from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st

from exactrelu.identifiability.functional_dimension import functional_dimension
from exactrelu.network.network import Network
from exactrelu.network.trivial_symmetry import TrivialSymmetry
from exactrelu.polyhedra.domain import Domain
from tests.oracles.strategies import networks_with_domains


@settings(derandomize=True, max_examples=25)
@given(networks_with_domains())
def test_functional_dimension_grows_with_the_domain(pair: tuple[Network, Domain]) -> None:
    network, domain = pair
    small = functional_dimension(network, domain)
    large = functional_dimension(network, Domain(domain.dimension, domain.inequalities[1:]))
    space = functional_dimension(network, Domain.space(domain.dimension))
    assert small.lower <= large.upper
    assert large.lower <= space.upper


@settings(derandomize=True, max_examples=25)
@given(networks_with_domains(), st.integers(0, 10_000))
def test_trivial_symmetries_keep_the_functional_dimension(pair: tuple[Network, Domain], seed: int) -> None:
    network, domain = pair
    moved = TrivialSymmetry.random(network.architecture, Random(seed)).act(network)
    first, second = functional_dimension(network, domain), functional_dimension(moved, domain)
    assert first.lower <= second.upper
    assert second.lower <= first.upper
    if first.exact and second.exact:
        assert first.lower == second.lower
