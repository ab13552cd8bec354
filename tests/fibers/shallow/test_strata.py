"""Dimensions of strata: the closed formula, the rank of the written equations, and the rank of the Jacobian of theta -> f."""

from __future__ import annotations

import pytest

from exactrelu import Domain, Limits, dimension, fiber
from exactrelu.fibers.semialgebraic.parameter_names import ParameterSpace
from tests.slabs import integer_network


@pytest.mark.parametrize("seed", range(40))
def test_the_closed_formula_is_the_corank_of_the_equations(seed: int) -> None:
    """At a sample of every stratum; and no stratum is larger than parameters minus functional dimension."""
    inputs = 1 + seed % 2
    network = integer_network((inputs, 2 + seed % 2, 1 + seed % 3 // 2), f"dimension {seed}", 2)
    domain = (Domain.space(inputs), Domain.box(inputs, [(0, 1)]), Domain(inputs, [[0, *[1] * inputs]]))[seed // 2 % 3]
    found = fiber(network, domain, limits=Limits(max_seconds=20))
    assert found.strata
    for stratum in found.strata[:12]:
        space = ParameterSpace(stratum.sample.architecture)
        assert stratum.part.contains(space.values(stratum.sample))
        assert stratum.dimension == stratum.part.dimension_bound(space.values(stratum.sample))
        assert stratum.dimension <= network.architecture.parameters - dimension(stratum.sample, domain).lower


def test_generic_networks_have_isolated_orbits() -> None:
    """Hyperplanes in general position: every stratum has the dimension of the scalings, which is parameters minus rank."""
    for seed in range(10):
        network = integer_network((2, 3, 1), f"generic {seed}", 99)
        found = fiber(network)
        rank = dimension(network).lower
        assert [(s.dimension, s.exact) for s in found.strata] == [(network.architecture.parameters - rank, True)] * len(found.strata)
        assert rank == network.architecture.expected_dimension
