"""Every mechanism of the catalogue on its own: its candidates have the function of theta, whatever is degenerate."""

from __future__ import annotations

import random
from collections.abc import Iterable
from fractions import Fraction
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from exactrelu.certification.second_parameter import SecondParameter, candidates, proposals, second_parameter
from exactrelu.certification.uniqueness import Subject, among_all
from exactrelu.certification.witnesses.affine_carriers import carriers, read_off, shown_form
from exactrelu.certification.witnesses.always_active import linear_blocks
from exactrelu.certification.witnesses.kernel_directions import kernel_directions
from exactrelu.certification.witnesses.layer_exchange import exchanged, inverse_rows, layer_exchanges
from exactrelu.certification.witnesses.linear_combination import combination
from exactrelu.certification.witnesses.ranges import Ranges, enclosing_intervals
from exactrelu.certification.witnesses.reversals import reversals
from exactrelu.certification.witnesses.samples import Samples
from exactrelu.certification.witnesses.shared_hyperplanes import affine_pairs, opposite_pairs, twins
from exactrelu.certification.witnesses.single_source import only_followers, single_sources
from exactrelu.certification.witnesses.three_rays import three_rays
from exactrelu.certification.witnesses.univariate import FanNeuron, fan_function, fans
from exactrelu.complexes.canonical_complex import CanonicalComplex
from exactrelu.equivalence.by_split_tree import DifferentValues, joint_tree
from exactrelu.identifiability.complex_facts import complex_facts
from exactrelu.identifiability.symmetry_bound.activity_facts import ActivityFacts
from exactrelu.limits import Limits, Meter
from exactrelu.network.architecture import Neuron
from exactrelu.network.forward import preactivations
from exactrelu.network.network import Network
from exactrelu.network.trivial_symmetry import equivalent
from exactrelu.polyhedra.domain import Domain
from exactrelu.testing.strategies import DEGENERACIES, degenerate_networks, rationals
from tests.oracles.strategies import domains, networks_with_domains
from tests.slabs import slab_domain, slab_network

LINE, PLANE, NOTHING = Domain.space(1), Domain.space(2), ActivityFacts()
BOX = Domain.box(2, [(-12, 13)])
THREE = Domain.box(2, [(-2, 3), (-3, 2)])
TRIPLE = {
    "x = y": Network([[[1, -1], [1, 0], [0, 1]], [[1, 0, 1], [0, 2, 3]], [[1, 1]]], [[0, 4, 4], [-4, 1], [-21]]),
    "y = 0": Network([[[0, 1], [1, 0], [0, 1]], [[1, -1, 0], [0, 3, 3]], [[1, 1]]], [[0, 4, 4], [4, 1], [-25]]),
    "x = 0": Network([[[1, 0], [1, 0], [0, 1]], [[1, 0, -1], [0, 2, 4]], [[1, 1]]], [[0, 4, 4], [4, 1], [-25]])}
"""max(0, x, y) + 2x + 3y with three lone rays."""


def facts_of(network: Network, domain: Domain) -> ActivityFacts:
    return complex_facts(CanonicalComplex.build(network, domain))


def equal(network: Network, found: SecondParameter, domain: Domain) -> bool:
    assert found.network.architecture == network.architecture
    return not isinstance(joint_tree(network, found.network, domain), DifferentValues)


def others(network: Network, domain: Domain, found: Iterable[SecondParameter]) -> list[SecondParameter]:
    """The inequivalent ones; all of them must be equal on the domain."""
    every = list(found)
    assert all(equal(network, c, domain) for c in every)
    return [c for c in every if equivalent(network, c.network).word == "fails"]


# --- all mechanisms -----------------------------------------------------------------------------------------------------------

def check_all(network: Network, domain: Domain) -> None:
    for facts in (facts_of(network, domain), NOTHING):
        for found in candidates(network, domain, facts):
            assert found.certain and all(str(v) in found.reason for v in found.neurons)
            assert equal(network, found, domain), found.reason


@settings(derandomize=True, max_examples=40, deadline=None)
@given(networks_with_domains(most=3, depth=3, height=1))
def test_every_candidate_is_equal_on_the_domain(pair: tuple[Network, Domain]) -> None:
    check_all(*pair)


@pytest.mark.parametrize("name", DEGENERACIES)
@settings(derandomize=True, max_examples=6, deadline=None)
@given(data=st.data())
def test_every_candidate_is_equal_for_degenerate_networks(name: str, data: st.DataObject) -> None:
    network = data.draw(degenerate_networks(name, height=2))
    if network.architecture.inputs <= 3 and network.architecture.hidden_neurons <= 6:
        check_all(network, data.draw(domains(network.architecture.inputs)))


@settings(derandomize=True, max_examples=10, deadline=None)
@given(networks_with_domains(most=2, depth=3, height=1))
def test_a_refuted_proposal_is_never_returned(pair: tuple[Network, Domain]) -> None:
    """InvariantError never fires, and what comes out is checked by the certificate; every refutation is right."""
    network, domain = pair
    found = second_parameter(network, domain, facts_of(network, domain))
    if found.word == "fails":
        found.certificate.verify()
    samples = Samples(network, domain)
    for proposal in proposals(samples, Limits()):
        assert not proposal.certain
        if samples.refute(proposal.network):
            assert not equal(network, proposal, domain)


def check_uniqueness(seed: int) -> str:
    rng = random.Random(seed)
    widths = rng.choice([(2, 2, 1), (2, 3, 1), (2, 1, 2, 1), (2, 2, 2, 1), (2, 2, 2, 2, 1)])
    height = rng.choice([2, 5])
    network = Network([[[rng.randint(-height, height) for _ in range(m)] for _ in range(n)] for m, n in zip(widths, widths[1:])],
                      [[rng.randint(-height, height) for _ in range(n)] for n in widths[1:]])
    unique = among_all(Subject(CanonicalComplex.build(network, BOX), Meter()))
    if unique.word == "holds":
        assert second_parameter(network, BOX, facts_of(network, BOX)).word == "undecided"
    return unique.word


def test_identifiable_networks_have_no_second_parameter() -> None:
    words = [check_uniqueness(seed) for seed in range(40)]
    assert words.count("holds") > 8
    slab = slab_network((2, 2, 2, 2, 1), 0)
    assert second_parameter(slab, slab_domain(2), facts_of(slab, slab_domain(2))).word == "undecided"


@pytest.mark.slow
def test_many_identifiable_networks_have_no_second_parameter() -> None:
    assert [check_uniqueness(seed) for seed in range(1000, 1600)].count("holds") > 100


# --- shared hyperplanes, reversals, blocks ------------------------------------------------------------------------------------

@pytest.mark.parametrize("domain", [Domain.box(1, [(-3, 2)]), Domain(1, ((2, 1),)), Domain(1, ((2, -1),))])
def test_an_opposite_pair_leaves_a_neuron_over(domain: Domain) -> None:
    network = Network([[[2], [-4]], [[3, 5]]], [[1, -2], [0]])
    found = others(network, domain, opposite_pairs(network, Ranges(network, domain, NOTHING)))
    assert len(found) == 2 and second_parameter(network, domain, NOTHING).witness.reason == found[0].reason
    assert not list(opposite_pairs(network, Ranges(network, LINE, NOTHING)))


def test_an_opposite_pair_whose_kinks_cancel_moves_on_every_domain() -> None:
    network = Network([[[2, 1], [-4, -2]], [[6, -3]]], [[1, -2], [0]])
    (found,) = others(network, PLANE, affine_pairs(network))
    assert found.network.biases[0] == (2, -4)
    assert not list(affine_pairs(Network([[[2, 1], [-4, -2]], [[6, -2]]], [[1, -2], [0]])))


def test_twins_of_either_orientation_are_found() -> None:
    network = Network([[[1], [-1], [-2], [3]], [[1, 1, 1, 1]]], [[1, -1, -2, 3], [0]])
    assert {c.neurons for c in others(network, LINE, twins(network))} == {((1, 1), (1, 2)), ((1, 0), (1, 3))}


def test_reversals_in_a_later_layer() -> None:
    network = Network([[[1, 0], [0, 1]], [[1, 2], [-2, -4]], [[2, 1]]], [[0, 0], [-1, 3], [0]])
    (found,) = others(network, PLANE, reversals(network))
    assert found.neurons == ((2, 0), (2, 1)) and found.network.biases == ((0, 0), (1, -3), (1,))
    two = Network([[[1, 0], [-1, 0], [0, -1]], [[1, 1, -1], [1, 1, 1]], [[1, 3]]], [[-1, -1, 0], [1, -1], [0]])
    assert [c.neurons for c in others(two, PLANE, reversals(two))] == [((1, 0), (1, 1))]


def test_a_block_of_always_active_neurons_mixes() -> None:
    network = Network([[[1, 1], [-1, 0], [3, 1]], [[19, 20, 1], [-18, -20, -1], [1, 2, 1], [2, 1, 3]], [[5, -3, 1, -2], [2, 7, 3, 1]]],
                      [[0, 4, -6], [-77, 79, 1, 2], [0, 1]])
    found = others(network, slab_domain(2), linear_blocks(network, facts_of(network, slab_domain(2))))
    assert [c.neurons for c in found] == [((2, 2), (2, 3)), ((2, 3), (2, 2))]
    assert found[0].network.weights[1][2] == (3, 3, 4) and found[0].network.biases[1] == (-77, 79, 3, 2)


# --- one source ---------------------------------------------------------------------------------------------------------------

def test_clip_reflection() -> None:
    network = Network([[[3, 0], [-6, -2]], [[0, -5], [-3, 0]], [[4, 6], [6, -6]], [[-3, 6]]], [[-5, -5], [5, 1], [-1, 2], [6]])
    found = others(network, BOX, single_sources(network, Ranges(network, BOX, NOTHING)))
    assert {c.neurons for c in found} == {((1, 0), (2, 1)), ((1, 1), (2, 0))} and all("reflected" in c.reason for c in found)
    # ReLU(5 - 5 ReLU(z)) with z = -6x - 2y - 5 becomes 5 - ReLU(5 - 5 ReLU(1 - z))
    second = next(c.network for c in found if c.neurons[0] == (1, 1))
    assert second.weights[0][1] == (6, 2) and second.biases[0][1] == 6


def test_reflection_of_a_layer_of_width_one_at_any_depth() -> None:
    network = Network([[[1, 2]], [[-1]], [[3]]], [[-1], [2], [1]])
    (found,) = others(network, PLANE, single_sources(network, Ranges(network, PLANE, NOTHING)))
    assert found.network.weights[0] == ((-1, -2),) and found.network.biases == ((3,), (2,), (7,))
    deep = Network([[[1, 0], [0, 1]], [[1, 1]], [[1], [-1], [-2]], [[1, 2, -1], [1, 2, 3]], [[1, 1]]],
                   [[0, 0], [-1], [-1, 2, 3], [0, 1], [0]])
    reasons = [c.reason for c in others(deep, PLANE, single_sources(deep, Ranges(deep, PLANE, NOTHING)))]
    assert not any("reflected" in reason for reason in reasons)     # the first of the three grows without end
    clipped = deep.replaced(3, [[-1], [-1], [-2]], [1, 2, 3])       # here all are off behind the last break
    assert any("reflected" in c.reason for c in others(clipped, PLANE, single_sources(clipped, Ranges(clipped, PLANE, NOTHING))))


def test_a_kink_that_is_not_seen_shifts_and_a_plateau_turns() -> None:
    unseen = Network([[[1, 2]], [[2]], [[3]]], [[-1], [-4], [1]])
    found = others(unseen, PLANE, single_sources(unseen, Ranges(unseen, PLANE, NOTHING)))
    assert [c.network.biases[0] for c in found] == [(-2,)] and "shifted" in found[0].reason
    plateau = Network([[[1, 2]], [[1], [-1]], [[3, 3]]], [[-1], [-1, 2], [1]])
    assert any("oriented" in c.reason for c in others(plateau, PLANE, single_sources(plateau, Ranges(plateau, PLANE, NOTHING))))


def test_a_bound_of_the_source_hides_the_breaks_behind_it() -> None:
    # on 0 <= x <= 3 the break of the second follower at t = 5 is out of reach, so the two look like a clip
    network = Network([[[1]], [[-1], [1]], [[1, 1]]], [[-1], [1, -5], [0]])
    for domain, clip in ((Domain.box(1, [(0, 3)]), True), (LINE, False)):
        found = others(network, domain, single_sources(network, Ranges(network, domain, NOTHING)))
        assert any("reflected" in c.reason for c in found) == clip


def test_followers_with_another_input_do_not_count() -> None:
    network = Network([[[1], [1]], [[2, 1], [0, 1]], [[1, 1]]], [[0, 1], [0, 0], [0]])
    assert only_followers(network, Neuron(1, 0)) == only_followers(network, Neuron(1, 1)) == []
    assert only_followers(network, Neuron(2, 0)) == []


@settings(derandomize=True, max_examples=40, deadline=None)
@given(st.lists(st.tuples(rationals(3), rationals(3), rationals(3), rationals(3)), min_size=1, max_size=4), st.integers(0, 2))
def test_fans_realize_univariate_functions(given_fan: list[tuple[Fraction, ...]], spare: int) -> None:
    neurons = [FanNeuron(w, b, (c, e)) for w, b, c, e in given_fan]

    def at(fan: list[FanNeuron], t: Fraction) -> tuple[Fraction, ...]:
        values = [max(n.weight * t + n.bias, Fraction(0)) for n in fan]
        return tuple(sum((n.column[k] * a for n, a in zip(fan, values)), Fraction(0)) for k in range(2))

    function = fan_function(neurons, None)
    points = [Fraction(k, 7) for k in range(30)]
    assert all(function.value(t) == at(neurons, t) for t in points)
    for fan, constant in fans(function, len(neurons) + spare):
        assert len(fan) == len(neurons) + spare
        assert all(function.value(t) == tuple(x + c for x, c in zip(at(fan, t), constant)) for t in points)
    if not any(function.last_slope):
        end = (function.breaks[-1][0] if function.breaks else Fraction(0)) or Fraction(1)
        turned = function.reflected(end)
        assert all(turned.value(t) == function.value(max(end - t, Fraction(0))) for t in points)
        again = turned.reflected(end) if turned.breaks and turned.breaks[-1][0] == end else None
        assert again is None or again == function


# --- three rays ---------------------------------------------------------------------------------------------------------------

@pytest.mark.parametrize("name", TRIPLE)
def test_three_rays_are_read_with_every_other_lone_ray(name: str) -> None:
    network = TRIPLE[name]
    facts = facts_of(network, THREE)
    found = others(network, THREE, three_rays(network, facts, Ranges(network, THREE, facts)))
    lone = {tuple(map(abs, c.network.weights[0][0])) for c in found}
    assert lone == {(1, 1), (0, 1), (1, 0)} and len(found) == 5     # the own ray once more, with the kink reversed


def test_three_rays_on_the_plane_with_opposite_pairs_for_the_affine_parts() -> None:
    network = Network([[[1, -1], [1, 0], [-1, 0], [0, 1], [0, -1]], [[1, 0, 0, 1, -1], [0, 2, -2, 3, -3], [0, -2, 2, -3, 3]], [[1, 1, -1]]],
                      [[0] * 5, [0] * 3, [0]])
    found = others(network, PLANE, three_rays(network, NOTHING, Ranges(network, PLANE, NOTHING)))
    assert {tuple(map(abs, c.network.weights[0][0])) for c in found} == {(1, 1), (0, 1), (1, 0)}


def test_three_rays_need_a_way_for_the_rest() -> None:
    alone = Network([[[1, -1], [1, 0], [0, 1]], [[1, 0, 1], [0, 2, -3]], [[1, 1]]], [[0, 4, 4], [-4, 1], [-21]])
    facts = facts_of(alone, THREE)
    found = others(alone, THREE, three_rays(alone, facts, Ranges(alone, THREE, facts)))
    assert len(found) == 1                                          # no affine neuron in layer 2: only the order (0, 2, 1)
    minus = TRIPLE["x = y"].replaced(2, [[-1, 0, 1], [0, 2, 3]])     # a minimum is no maximum
    facts = facts_of(minus, THREE)
    assert not list(three_rays(minus, facts, Ranges(minus, THREE, facts)))


def test_three_rays_lift_a_carrier_that_would_become_negative() -> None:
    network = TRIPLE["x = y"].replaced(2, [[1, 0, 1], [0, 1, 0]], [-4, 0])          # x + 4 >= 2, but x + 4 + y falls to -1
    facts = facts_of(network, THREE)
    found = others(network, THREE, three_rays(network, facts, Ranges(network, THREE, facts)))
    assert len(found) == 5 and any(c.network.biases[1][1] for c in found)


def test_three_rays_with_pairs_of_several_scales() -> None:
    rows = [[1, -1], [1, 0], [-2, 0], [0, 1], [0, "-1/3"]]
    network = Network([rows, [[1, 0, 0, 1, -3], [0, 2, -1, 3, -9], [0, -6, 3, -9, 27]], [[1, 3, -1]]], [[0] * 5, [0] * 3, [0]])
    assert len(others(network, PLANE, three_rays(network, NOTHING, Ranges(network, PLANE, NOTHING)))) == 5
    seen = network.replaced(3, [[1, 3, 1]])                         # the kinks of the pair of layer 2 are seen: it carries nothing
    assert len(others(seen, PLANE, three_rays(seen, NOTHING, Ranges(seen, PLANE, NOTHING)))) == 1


def test_carriers_show_affine_forms() -> None:
    network = TRIPLE["x = y"]
    ways = carriers(network, 1, facts_of(network, THREE))
    assert [c.neurons for c in ways] == [((1, 1),), ((1, 2),)]
    form = tuple(map(Fraction, (2, -1, 5)))
    row = read_off(ways, form, 3)
    assert row == (0, 2, -1, 1) and shown_form(ways, row, 3, 2) == form
    assert shown_form(ways, tuple(map(Fraction, (1, 0, 0, 0))), 3, 2) is None
    assert read_off(ways[:1], form, 3) is None


# --- proposals ----------------------------------------------------------------------------------------------------------------

def test_layers_change_places() -> None:
    one = Network([[[-1, 1], [1, 3]], [[-3, 0], [-3, 4]], [[1, 4]]], [[-2, 1], [4, 1], [-1]])
    two = Network([[[3, -3], [7, 9]], [["-1/3", 0], ["-1/4", "1/4"]], [[-15, 16]]], [[10, 11], ["4/3", "3/4"], [7]])
    for network, other in ((one, two), (two, one)):
        found = second_parameter(network, BOX, facts_of(network, BOX))
        assert found.witness.reason == "layers 1 and 2 can change places" and equivalent(other, found.witness.network).word == "holds"
        found.certificate.verify()
    singular = one.replaced(2, [[1, 1], [2, 2]])
    assert not list(layer_exchanges(Samples(singular, BOX)))
    deeper = Network([*one.weights[:2], [[1, 4], [2, -1]], [[1, 1]]], [*one.biases[:2], [-1, 3], [0]])
    assert any(equal(deeper, c, BOX) for c in layer_exchanges(Samples(deeper, BOX)))


def test_exchanged_layers_have_the_forms_of_each_other() -> None:
    network = Network([[[-1, 1], [1, 3]], [[-3, 5], [-3, 4]], [[1, 4]]], [[-2, 1], [4, 1], [-1]])

    def composed(net: Network) -> list[list[Fraction]]:
        """z of layer 2 where layer 1 is active throughout."""
        one = [(*row, b) for row, b in zip(net.weights[0], net.biases[0])]
        return [[sum((v * row[k] for v, row in zip(mix, one)), b if k == 2 else Fraction(0)) for k in range(3)]
                for mix, b in zip(net.weights[1], net.biases[1])]

    inverse = inverse_rows(network.weights[1])
    assert inverse is not None and inverse_rows([[Fraction(1), Fraction(2)], [Fraction(2), Fraction(4)]]) is None
    for s in product((Fraction(1), Fraction(-1)), repeat=4):
        moved = exchanged(network, 1, inverse, s[:2], s[2:])
        front = [[*row, b] for row, b in zip(moved.weights[0], moved.biases[0])]
        assert front == [[c * x for x in row] for c, row in zip(s, composed(network))]
        assert composed(moved) == [[c * x for x in (*row, b)] for c, row, b in zip(s[2:], network.weights[0], network.biases[0])]


def test_a_linear_relation_of_activations_is_a_direction_of_the_kernel() -> None:
    # ReLU(x) - ReLU(-x) + ReLU(y) - ReLU(-y) = ReLU(x + y) - ReLU(-x - y)
    network = Network([[[1, 0], [-1, 0], [0, 1], [0, -1], [1, 1], [-1, -1]], [[1, 2, 3, 4, 5, 6]]], [[0] * 6, [0]])
    found = [c for c in kernel_directions(network, PLANE, Limits()) if equal(network, c, PLANE)]
    assert found and all(not c.certain for c in found)
    assert equivalent(network, found[0].network).word == "fails"
    verdict = second_parameter(network, PLANE, NOTHING)
    assert verdict.word == "fails" and "line" in verdict.witness.reason
    verdict.certificate.verify()


def test_directions_are_those_of_the_network_not_of_its_integral_form() -> None:
    # the first three activations of layer 2 are dependent; no two rows are proportional, scales of the integral form differ
    first, offset = [["1/2", 0], [0, "1/3"], ["1/5", "1/7"]], ["1/2", "-1/3", 0]
    network = Network([first, [[1, "1/2", 0], [0, 1, "1/3"], [1, "3/2", "1/3"], [-1, 2, "-1/5"]], [["2/3", 1, 1, 1]]],
                      [offset, [1, 1, 2, "1/4"], [0]])
    right = [c for c in kernel_directions(network, PLANE, Limits()) if equal(network, c, PLANE)]
    assert any(c.neurons == () for c in right)                      # within the output row, so at every step: a_1 + a_2 = a_3 where a >= 0


def test_no_direction_where_only_scalings_are_in_the_kernel() -> None:
    slab = slab_network((2, 2, 2, 1), 0)
    assert not list(kernel_directions(slab, slab_domain(2), Limits()))
    assert not list(kernel_directions(slab, slab_domain(2), Limits(max_cells=2)))


@pytest.mark.parametrize("scale", [1, Fraction(2, 3)])
def test_samples_solve_the_weights_behind(scale: Fraction) -> None:
    network = slab_network((2, 2, 2, 1), 0)
    network = network.replaced(1, [[scale * w / 5 for w in row] for row in network.weights[0]], [scale * b / 5 for b in network.biases[0]])
    network = network.replaced(2, [[w * 5 / scale / 7 for w in row] for row in network.weights[1]], [b / 7 for b in network.biases[1]])
    samples = Samples(network, slab_domain(2))
    for layer in (1, 2):
        spoiled = network.replaced(layer + 1, [[0] * 2] * len(network.biases[layer]))
        assert samples.refute(spoiled) and samples.solved_behind(spoiled, layer) == network
    assert samples.solved_behind(network.replaced(1, [[1, 0], [1, 0]]), 1) is None


# --- ranges, combinations -----------------------------------------------------------------------------------------------------

def test_ranges_are_those_of_the_network_not_of_its_integral_form() -> None:
    network = Network([[["1/2", 0], [0, "1/3"]], [["1/5", "-1/7"]], [[1]]], [[0, 1], ["1/2"], [0]])
    ranges = Ranges(network, Domain.box(2, [(-2, 3)]), NOTHING)
    assert ranges.preactivation(Neuron(1, 0)) == (-1, Fraction(3, 2)) and ranges.preactivation(Neuron(1, 1)) == (Fraction(1, 3), 2)
    assert ranges.preactivation(Neuron(2, 0)) == (Fraction(1, 2) - Fraction(2, 7), Fraction(1, 2) + Fraction(3, 10) - Fraction(1, 21))
    assert ranges.activations(1) == [(0, Fraction(3, 2)), (Fraction(1, 3), 2)]


@settings(derandomize=True, max_examples=15, deadline=None)
@given(networks_with_domains(most=3, depth=2))
def test_ranges_contain_what_samples_show(pair: tuple[Network, Domain]) -> None:
    network, domain = pair
    ranges = Ranges(network, domain, facts_of(network, domain))
    for point in Samples(network, domain).points:
        for layer, values in enumerate(preactivations(network, point)[:-1], 1):
            for i, z in enumerate(values):
                low, high = ranges.preactivation(Neuron(layer, i))
                assert (low is None or low <= z) and (high is None or z <= high)


def test_enclosing_intervals_of_cones_and_lines() -> None:
    assert enclosing_intervals(Domain(2, ((0, 1, -1), (0, 0, 1)))) == ((0, None), (0, None))
    assert enclosing_intervals(Domain(2, ((1, 1, 1), (2, -1, -1)))) == ((None, None), (None, None))
    assert Ranges(TRIPLE["x = y"], THREE, NOTHING).form(0, [Fraction(-1, 2), Fraction(0), Fraction(1)]) == (Fraction(-1, 2), 2)


@settings(derandomize=True, max_examples=100, deadline=None)
@given(st.lists(st.tuples(rationals(3), rationals(3), rationals(3)), max_size=4), st.tuples(rationals(3), rationals(3), rationals(3)))
def test_combinations_have_the_sum(vectors: list[tuple[Fraction, ...]], target: tuple[Fraction, ...]) -> None:
    found = combination(vectors, target)
    if found is not None:
        assert tuple(sum((x * v[k] for x, v in zip(found, vectors)), Fraction(0)) for k in range(3)) == target
    own = tuple(sum((v[k] for v in vectors), Fraction(0)) for k in range(3))
    assert combination(vectors, own) is not None
