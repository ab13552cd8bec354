"""Every backend returns the same cells in the same order with the same coordinates."""

from __future__ import annotations

import pytest
from hypothesis import given, settings

from exactrelu.complexes.canonical_complex import CanonicalComplex
from exactrelu.network.network import Network
from exactrelu.polyhedra.domain import Domain
from tests.oracles.cases import CASES, many, random_network
from tests.oracles.strategies import networks_with_domains

BACKENDS = ("certified", "int64", "integer", "reference", "auto")


def check_agreement(network: Network, domain: Domain, backends: tuple[str, ...] = BACKENDS) -> None:
    first, *others = (CanonicalComplex.build(network, domain, backend=backend) for backend in backends)
    for other in others:
        assert list(first.fan.counts) == list(other.fan.counts)
        assert first.fan.coordinates.tolist() == other.fan.coordinates.tolist()
        for k, count in enumerate(first.fan.counts):
            if count:
                assert first.fan.signs(k).tolist() == other.fan.signs(k).tolist()
                assert first.fan.labels[k].tolist() == other.fan.labels[k].tolist()
                assert facet_sets(first, k) == facet_sets(other, k)


def facet_sets(found: CanonicalComplex, k: int) -> list[list[int]]:
    """The facets of every cell of level k, from the starts and the list of a compressed table."""
    starts, members = (x.tolist() for x in found.fan.facets(k))
    return [sorted(members[i:j]) for i, j in zip(starts, starts[1:])]


@settings(derandomize=True, max_examples=60)
@given(networks_with_domains(most=4, full_dimensional=False))
def test_backends_agree_bit_for_bit(pair: tuple[Network, Domain]) -> None:
    check_agreement(*pair)


def test_backends_agree_on_every_case() -> None:
    for case in CASES:
        check_agreement(case.network, case.domain)


def test_backends_agree_where_machine_integers_overflow() -> None:
    """Weights of 40 bits leave the range of 64-bit integers after one layer."""
    for seed in range(4):
        network = random_network(seed, 2, 3, 2, 1, height=2**40)
        check_agreement(network, Domain.space(2), ("certified", "integer", "reference", "auto"))
        check_agreement(network, Domain.box(2, [(-1, 1)]), ("certified", "integer", "reference", "auto"))


@pytest.mark.slow
def test_backends_agree_on_many_networks() -> None:
    for case in many(400, 2000):
        check_agreement(case.network, case.domain)
