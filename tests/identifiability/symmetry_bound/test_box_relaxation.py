"""Certified bounds on boxes: sound against exact values at random points, also where floats are at their limits."""

from fractions import Fraction
from itertools import pairwise
from random import Random

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from exactrelu.identifiability.facet_pairs.affine_frame import AffineFrame
from exactrelu.identifiability.facet_pairs.bound import search_setting
from exactrelu.identifiability.facet_pairs.float_network import FloatNetwork
from exactrelu.identifiability.symmetry_bound.box_relaxation import BoxRelaxation, Ranges
from exactrelu.identifiability.symmetry_bound.branch_and_bound import BoxSearch, Goal, Outcome
from exactrelu.identifiability.symmetry_bound.prover import outward_float, root_box
from exactrelu.limits import Meter
from exactrelu.network.integral_form import integral_form
from exactrelu.network.network import Network
from exactrelu.polyhedra.domain import Domain

from .oracle import small_networks

SETTINGS = settings(max_examples=60, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))


def setting_of(network, domain):
    return search_setting(network, domain, np.random.default_rng(0), 50, Meter())


@SETTINGS
@given(st.data())
def test_signs_of_certified_bounds_are_right(data):
    """A bound <= 0 on a box is never contradicted by an exact value at a point of the box."""
    network = data.draw(small_networks.networks())
    d = network.architecture.inputs
    domain = Domain.box(
        d, [data.draw(st.sampled_from([(-2, 3), (Fraction(1, 3), Fraction(2, 5)), (-(10**30), 10**30)]))]
    )
    rng = data.draw(st.randoms(use_true_random=False))
    setting = setting_of(network, domain)
    low, high = root_box(domain, setting.floats.frame)
    ends = np.sort(
        np.array([[[rng.uniform(low[0, k], high[0, k]) for k in range(d)] for _ in range(2)] for _ in range(4)]), axis=1
    )
    with np.errstate(all="ignore"):
        ranges = BoxRelaxation(setting.floats).ranges(ends[:, 0], ends[:, 1], network.architecture.hidden_layers)
    form = integral_form(network)
    for box in range(4):
        for _ in range(6):
            share = np.array([rng.choice([0.0, 1.0, rng.random()]) for _ in range(d)])
            y = np.clip(ends[box, 0] + share * (ends[box, 1] - ends[box, 0]), ends[box, 0], ends[box, 1])
            exact = form.preactivations(setting.place.frame.exact_point(y.tolist()))
            for layer, found in enumerate(ranges):
                for index, z in enumerate(exact[layer]):
                    assert not (found.high[box, index] <= 0 and z > 0)
                    assert not (found.low[box, index] >= 0 and z < 0)


@SETTINGS
@given(st.randoms(use_true_random=False), st.lists(st.integers(1, 6), min_size=2, max_size=5), st.integers(-60, 60))
def test_bounds_contain_exact_values_on_points_and_tiny_boxes(rng, widths, size):
    """On a box of one point the relaxation is exact, so only the error bound separates it from the exact value."""

    def entry():
        return rng.choice([1.0, -1.0]) * rng.choice([rng.random(), 2.0 ** rng.randint(-70, 0), 0.0, 1 / 3])

    weights = [np.array([[entry() for _ in range(m)] for _ in range(n)]) for m, n in pairwise(widths)]
    biases = [np.array([entry() * 2.0**size for _ in range(n)]) for n in widths[1:]]
    offsets = tuple(sum(widths[1 : k + 1]) for k in range(len(widths) - 1))
    network = FloatNetwork(
        AffineFrame((Fraction(0),) * widths[0], (0,) * widths[0]), tuple(weights), tuple(biases), offsets
    )
    low = np.array([[entry() * 2.0**size for _ in range(widths[0])] for _ in range(3)])
    high = low + np.abs(low) * np.array([[0.0], [2.0**-52], [2.0**-30]])
    ranges = BoxRelaxation(network).ranges(low, high, len(widths) - 2)
    for box in range(3):
        for corner in (low, high):
            activation = [Fraction(y) for y in corner[box]]
            for found, w, b in zip(ranges, weights, biases):
                z = [
                    sum((Fraction(c) * a for c, a in zip(row, activation)), Fraction(k))
                    for row, k in zip(w.tolist(), b.tolist())
                ]
                for index, value in enumerate(z):
                    assert Fraction(found.low[box, index]) <= value <= Fraction(found.high[box, index])
                activation = [max(value, Fraction(0)) for value in z]


def test_bounds_are_sound_and_nearly_tight_on_a_tiny_box():
    network = Network([[[3, -7], [2, 5]], [[1, -1], [4, 1]], [[1, 1]]], [[1, 2], [0, -30], [0]])
    domain = Domain.box(2, [(Fraction(1, 3), Fraction(1, 3) + Fraction(1, 10**9))])
    setting = setting_of(network, domain)
    low, high = root_box(domain, setting.floats.frame)
    ranges = BoxRelaxation(setting.floats).ranges(low, high, 2)
    z = setting.floats.preactivations((low + high) / 2)[0]
    for found, part in zip(ranges, (z[:2], z[2:])):
        assert (found.low[0] <= part).all() and (part <= found.high[0]).all()
        assert (found.high - found.low < 1e-7).all()


def test_values_that_are_exactly_zero_at_a_corner_are_not_proved_positive_or_negative():
    """z = x - 1/3 on [1/3, 1]: z >= 0 exactly, z > 0 inside; only a true statement may be proved."""
    network = Network([[[1], [1]], [[1, -1]], [[1]]], [[Fraction(-1, 3), Fraction(-1, 3)], [0], [0]])
    domain = Domain.box(1, [(Fraction(1, 3), 1)])
    setting = setting_of(network, domain)
    search = BoxSearch(Goal(1, 0), *root_box(domain, setting.floats.frame))
    assert search.run(BoxRelaxation(setting.floats), 2000, Meter()) is not Outcome.PROVED


def test_near_misses_are_decided_on_the_right_side():
    """z = x - 1 + eps on [0, 1]: positive near 1 if eps > 0, however small; never proved dead."""
    rng = Random(4)
    for k in range(10, 120):
        eps = Fraction(rng.choice([-1, 1]), 2**k)
        network = Network([[[1]], [[1]]], [[-1 + eps], [0]])
        domain = Domain.box(1, [(0, 1)])
        setting = setting_of(network, domain)
        outcome = BoxSearch(Goal(1, 0), *root_box(domain, setting.floats.frame)).run(
            BoxRelaxation(setting.floats), 300, Meter()
        )
        assert outcome is not Outcome.PROVED or eps < 0
        assert outcome is Outcome.PROVED or eps > 0 or k > 40


def test_not_a_number_proves_nothing():
    network = Network([[[1]], [[1]]], [[-5], [0]])
    setting = setting_of(network, Domain.box(1, [(0, 1)]))
    relaxation = BoxRelaxation(setting.floats)
    with np.errstate(all="ignore"):
        for low, high in ((np.nan, 1.0), (-np.inf, np.inf), (0.0, np.inf)):
            bound = relaxation.upper(np.array([[low]]), np.array([[high]]), [], np.ones((1, 1, 1)))
            assert not (bound <= 0).any()
        broken = [Ranges(np.array([[-np.inf]]), np.array([[np.inf]])), Ranges(np.array([[np.nan]]), np.array([[1.0]]))]
        for ranges in broken:
            assert not (relaxation.upper(np.array([[0.0]]), np.array([[1.0]]), [ranges], np.ones((1, 1, 1))) <= 0).any()


@given(st.fractions())
def test_outward_floats(value):
    assert Fraction(outward_float(value, False)) <= value <= Fraction(outward_float(value, True))


@pytest.mark.parametrize("source, expected", [(0, Outcome.PROVED), (1, Outcome.SEEN)])
def test_pairs_use_the_condition(source, expected):
    """z_target = (1 - x)+ - 3 (x - 1/4)+ - 4/5 is positive only left of 1/5, where the first source is inactive."""
    network = Network([[[1], [-1]], [[-3, 1]], [[1]]], [[Fraction(-1, 4), 1], [Fraction(-4, 5)], [0]])
    domain = Domain.box(1, [(-1, 1)])
    setting = setting_of(network, domain)
    search = BoxSearch(Goal(2, 0, source=source), *root_box(domain, setting.floats.frame))
    assert search.run(BoxRelaxation(setting.floats), 5000, Meter()) is expected
