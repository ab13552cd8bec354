"""Exact intervals, bounded or not."""

from exactrelu.identifiability.symmetry_bound.interval_facts import (
    interval_facts,
    outer_intervals,
    preactivation_ranges,
)
from exactrelu.network.integral_form import integral_form
from exactrelu.network.network import Network
from exactrelu.polyhedra.domain import Domain


def facts_of(network, domain):
    return interval_facts(integral_form(network), domain)


def test_signs_of_weights_decide_on_the_whole_space():
    network = Network([[[1], [0], [0]], [[-1, 0, 0], [1, 0, 2], [1, -1, 0]], [[1, 1, 1]]], [[0, -1, 2], [0, 0, 1], [0]])
    facts = facts_of(network, Domain.space(1))
    assert facts.dead == {(1, 1), (2, 0)} and facts.always_active == {(1, 2), (2, 1), (2, 2)}


def test_boxes_and_closed_ends():
    network = Network([[[1], [1], [-1]], [[1, 1, 1]]], [[0, -1, 0], [0]])
    facts = facts_of(network, Domain.box(1, [(0, 1)]))
    assert facts.dead == {(1, 1), (1, 2)} and facts.always_active == {(1, 0)}


def test_half_bounded_coordinates():
    domain = Domain(2, [(0, 1, 0), (5, 0, -1), (3, 1, 1)])
    assert outer_intervals(domain) == ((0, None), (None, 5))
    network = Network([[[1, 0], [0, 1], [0, -1]], [[1, 1, 1]]], [[0, -6, 4], [0]])
    facts = facts_of(network, domain)
    assert facts.dead == {(1, 1)} and facts.always_active == {(1, 0)}
    assert preactivation_ranges(integral_form(network), domain)[0] == [(0, None), (None, -1), (-1, None)]


def test_no_rows_with_one_coefficient():
    assert outer_intervals(Domain(2, [(1, 1, 1), (1, 0, 0)])) == ((None, None), (None, None))
