"""The functional dimension is at most N - H: the scalings of the hidden neurons are independent and leave f alone."""

from __future__ import annotations

from hypothesis import given, settings

from exactrelu.identifiability.functional_dimension import functional_dimension
from exactrelu.network.network import Network
from exactrelu.polyhedra.domain import Domain
from tests.oracles import dense_jacobian
from tests.oracles.sign_enumeration import SignComplex
from tests.oracles.strategies import networks_with_domains


@settings(derandomize=True, max_examples=40)
@given(networks_with_domains())
def test_rank_is_at_most_expected_dimension(pair: tuple[Network, Domain]) -> None:
    network, domain = pair
    found = functional_dimension(network, domain)
    rank = dense_jacobian.functional_dimension(SignComplex(network, domain))
    assert found.lower <= rank <= found.upper <= network.architecture.expected_dimension
