"""Removing dead neurons keeps the function on the domain; bounds move between both networks."""

from fractions import Fraction
from random import Random

import pytest

from exactrelu.errors import PreconditionError, ShapeError
from exactrelu.identifiability.facet_pairs.bound import facet_pair_bound
from exactrelu.identifiability.facet_pairs.certificate import facet_pair_certificate
from exactrelu.identifiability.symmetry_bound.bound import symmetry_bound
from exactrelu.identifiability.symmetry_bound.dead_neurons import dead_neuron_removal, remove_dead_neurons
from exactrelu.network.network import Network
from exactrelu.polyhedra.domain import Domain

from .oracle import dense_jacobian, small_networks


def test_same_function_on_the_domain():
    rng, removed = Random(2), 0
    for _ in range(15):
        network = small_networks.random_network(rng, (2, 4, 3, 2), [-3, -2, -1, 1, 2])
        domain = Domain.box(2, [(Fraction(-1, 2), Fraction(1, 2))])
        bound = symmetry_bound(network, domain, rng=Random(0), samples=200, boxes=500)
        reduced = remove_dead_neurons(network, bound.dead)
        removed += network.architecture.hidden_neurons - reduced.architecture.hidden_neurons
        for point in dense_jacobian.random_points(rng, 2, 20, (Fraction(1, 8),)):
            assert not domain.contains(point) or network(point) == reduced(point)
    assert removed > 8


def test_a_dead_layer_keeps_one_neuron():
    network = small_networks.DEGENERATE["dead layer"]
    removal = dead_neuron_removal(network, [(2, 0), (2, 1)])
    assert removal.removed == ((2, 1),) and removal.reduced.architecture.widths == (1, 2, 1, 1)
    assert removal.reduced([5]) == network([5])
    assert removal.kept_numbers == (0, 1, 2)


def test_lower_bounds_of_the_reduced_network_are_bounds_of_the_original():
    network = Network(
        [[[1, 0], [1, 1], [0, 1]], [[1, -1, 2], [-1, 1, 1]], [[1, 1]]], [[0, -9, Fraction(1, 3)], [0, 1], [0]]
    )
    domain = Domain.box(2, [(-2, 2)])
    removal = dead_neuron_removal(network, [(1, 1)])
    bound = facet_pair_bound(removal.reduced, domain, rng=Random(0), samples=2000)
    lifted = removal.lower_bound(bound)
    assert lifted.dimension == bound.dimension > 5 and lifted.ranks[1] == 0
    facet_pair_certificate(lifted).verify()
    assert removal.upper_bound(9) == 9
    with pytest.raises(PreconditionError):
        removal.lower_bound(lifted)


def test_a_neuron_that_is_not_negative_is_noticed():
    network = Network([[[1], [0]], [[1, 1]]], [[0, 0], [0]])
    removal = dead_neuron_removal(network, [(1, 1)])
    bound = facet_pair_bound(removal.reduced, Domain.box(1, [(-1, 1)]), rng=Random(0), samples=100)
    with pytest.raises(PreconditionError):
        removal.lower_bound(bound)


def test_unknown_neuron():
    with pytest.raises(ShapeError):
        remove_dead_neurons(Network([[[1]], [[1]]], [[0], [0]]), [(1, 3)])
