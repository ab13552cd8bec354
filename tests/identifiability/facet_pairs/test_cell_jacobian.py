"""The sampled Jacobian: against the oracle, certificates, always-active neurons that facet pairs cannot see."""

from fractions import Fraction
from random import Random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from exactrelu.errors import PreconditionError
from exactrelu.identifiability.facet_pairs.cell_jacobian import (
    CellJacobianBound,
    cell_jacobian_bound,
    lower_bound_certificate,
    sampled_bound,
)
from exactrelu.network.network import Network
from exactrelu.polyhedra.domain import Domain

from .dense_jacobian import cell_rows, dense_rank, pattern
from .small_networks import DEGENERATE, domains, networks

SETTINGS = settings(max_examples=40, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))


def rational(point):
    return tuple(Fraction(x, point[0]) for x in point[1:])


@SETTINGS
@given(st.data())
def test_bound_is_the_rank_of_its_rows(data):
    network = data.draw(networks())
    domain = data.draw(domains(network.architecture.inputs))
    bound = cell_jacobian_bound(network, domain, rng=Random(1), samples=150)
    assert bound.dimension == sum(map(len, bound.rows)) <= dense_rank(network, domain, map(rational, bound.points))
    lower_bound_certificate(bound).verify()


def test_modular_rows_are_those_of_the_integral_form_up_to_scaling():
    network = Network([[[1, 2], [3, -1]], [[1, -2]], [[5]]], [[1, 0], [7], [1]])
    bound = cell_jacobian_bound(network, Domain.space(2), rng=Random(1), samples=400)
    rows = [cell_rows(network, pattern(network, rational(point))) for point in bound.points]
    assert all(number < len(cell) for cell, numbers in zip(rows, bound.rows) for number in numbers)


@pytest.mark.parametrize("name", DEGENERATE)
def test_degenerate_networks(name):
    network = DEGENERATE[name]
    bound = sampled_bound(network, Domain.box(network.architecture.inputs, [(-1, 2)]), rng=Random(1), samples=300)
    lower_bound_certificate(bound).verify()


def test_always_active_neurons_are_seen():
    network = Network([[[1, 0], [1, 1]], [[1, 2]]], [[5, 0], [0]])
    domain = Domain.box(2, [(-1, 1)])
    bound = sampled_bound(network, domain, rng=Random(1), samples=500)
    assert isinstance(bound, CellJacobianBound) and bound.dimension == 6
    lower_bound_certificate(bound).verify()


def test_local_identifiability():
    network = Network([[[1, 2], [3, -1], [-1, 5]], [[1, -2, 3]]], [[1, 2, -1], [4]])
    bound = cell_jacobian_bound(network, Domain.space(2), rng=Random(1), samples=500)
    bound.local_identifiability_certificate().verify()
    small = cell_jacobian_bound(network, Domain.box(2, [(5, 6)]), rng=Random(1), samples=50)
    with pytest.raises(PreconditionError):
        small.local_identifiability_certificate()


def test_first_points_are_used_and_bad_ones_ignored():
    network = Network([[[1]], [[1]]], [[0], [0]])
    bound = cell_jacobian_bound(
        network, Domain.box(1, [(-1, 1)]), rng=Random(1), samples=0, first=[(1, 0), (1, 5), (2, 1)]
    )
    assert bound.points == ((2, 1),) and bound.dimension == 2
