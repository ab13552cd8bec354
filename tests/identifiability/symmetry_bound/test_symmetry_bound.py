"""r <= fdim <= R on small networks; facts against exact samples; dead layers; given facts; real networks."""

from fractions import Fraction
from pathlib import Path
from random import Random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from exactrelu.errors import ShapeError
from exactrelu.identifiability.facet_pairs.cell_jacobian import sampled_bound
from exactrelu.identifiability.symmetry_bound.activity_facts import ActivityFacts
from exactrelu.identifiability.symmetry_bound.bound import span_dimension, symmetry_bound
from exactrelu.limits import Limits
from exactrelu.network.architecture import Neuron
from exactrelu.network.forward import sign_vector
from exactrelu.network.network import Network
from exactrelu.polyhedra.domain import Domain

from .oracle import dense_jacobian, small_networks

SETTINGS = settings(max_examples=30, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))


def bound_of(network, domain, **options):
    options = {"samples": 300, "boxes": 2000, **options}
    return symmetry_bound(network, domain, rng=Random(0), **options)


def check_facts(bound, points):
    """No exact point of the domain contradicts a fact."""
    number = bound.network.architecture.number
    for point in points:
        if bound.domain.contains(point):
            signs = sign_vector(bound.network, point)
            assert all(signs[number(n)] <= 0 for n in bound.dead)
            assert all(signs[number(n)] >= 0 for n in bound.always_active)
            assert not any(signs[number(i)] > 0 and signs[number(j)] > 0 for i, j in bound.zero_pairs)


@SETTINGS
@given(st.data())
def test_lower_bound_at_most_dense_rank_at_most_upper_bound(data):
    network = data.draw(small_networks.networks())
    d = network.architecture.inputs
    domain = data.draw(small_networks.domains(d))
    lower = sampled_bound(network, domain, rng=Random(0), samples=150)
    upper = bound_of(network, domain)
    points = dense_jacobian.random_points(Random(2), d, 40, (1, 1, Fraction(1, 4)))
    check_facts(upper, points)
    assert lower.dimension <= upper.dimension
    assert dense_jacobian.dense_rank(network, domain, points) <= upper.dimension <= network.parameters
    assert upper.kernel_dimension == network.parameters - upper.dimension


@pytest.mark.parametrize("name", small_networks.DEGENERATE)
@pytest.mark.parametrize("kind", ["space", "box", "half"])
def test_degenerate_networks(name, kind):
    network = small_networks.DEGENERATE[name]
    d = network.architecture.inputs
    domain = {"space": Domain.space(d), "box": Domain.box(d, [(-1, 2)]), "half": Domain(d, [tuple([1] * (d + 1))])}[
        kind
    ]
    bound = bound_of(network, domain)
    points = dense_jacobian.random_points(Random(2), d, 40, (1, Fraction(1, 4)))
    check_facts(bound, points)
    assert dense_jacobian.dense_rank(network, domain, points) <= bound.dimension


def test_bounds_meet_on_random_networks_in_boxes():
    rng, equal = Random(11), 0
    for _ in range(12):
        network = small_networks.random_network(rng, (2, 3, 3, 1), [Fraction(k, 4) for k in range(-9, 10) if k])
        domain = Domain.box(2, [(-1, 1)])
        lower, upper = (
            sampled_bound(network, domain, rng=Random(0), samples=800),
            bound_of(network, domain, samples=800),
        )
        assert lower.dimension <= upper.dimension
        equal += lower.dimension == upper.dimension
    assert equal >= 5


def test_linear_block_of_always_active_neurons():
    """Two always-active neurons between two inputs and two outputs: 6 extra symmetries beyond the two scalings."""
    network = Network([[[1, 2], [3, -1]], [[1, 1], [2, -1]]], [[9, 9], [0, 0]])
    domain = Domain.box(2, [(-1, 1)])
    bound = bound_of(network, domain)
    assert bound.always_active == (Neuron(1, 0), Neuron(1, 1)) and bound.dimension == 6
    assert sampled_bound(network, domain, rng=Random(0), samples=200).dimension == 6


def test_dead_layer():
    network = small_networks.DEGENERATE["dead layer"]
    bound = bound_of(network, Domain.space(1))
    assert bound.dead == (Neuron(2, 0), Neuron(2, 1)) and bound.dimension == 1
    assert set(bound.zero_columns) == {"dead neuron", "no influence", "never active together"}


def test_proofs_by_boxes():
    """z = (1 - x - y)+ + (x + y - 1/2)+ - (anything at least that): dead, but not by intervals."""
    network = Network(
        [[[-1, -1], [1, 1]], [[1, 1], [-1, -1]], [[1, 1]]],
        [[1, Fraction(-1, 2)], [Fraction(-1, 4), Fraction(1, 8)], [0]],
    )
    bound = bound_of(network, Domain.box(2, [(0, 1)]))
    assert Neuron(2, 1) in bound.dead and Neuron(2, 0) in bound.always_active
    nothing = bound_of(network, Domain.box(2, [(0, 1)]), boxes=0)
    assert nothing.undecided.never_active == (Neuron(2, 1),) and nothing.undecided.never_inactive == (Neuron(2, 0),)
    assert nothing.dimension >= bound.dimension


def test_time_limit_keeps_what_was_proved():
    network = Network([[[1]], [[1]]], [[5], [0]])
    bound = bound_of(network, Domain.box(1, [(-1, 1)]), limits=Limits(max_seconds=1e-9))
    assert bound.always_active == (Neuron(1, 0),) and bound.dimension == 2


def test_given_facts_are_used_and_checked():
    network = Network([[[1], [1]], [[1, 1]]], [[0, -1], [0]])
    given = ActivityFacts(dead=frozenset([(1, 1)]))
    bound = bound_of(network, Domain(1, [(-1, -1)]), facts=given)
    assert Neuron(1, 1) in bound.dead
    with pytest.raises(ShapeError):
        bound_of(network, Domain.space(1), facts=ActivityFacts(dead=frozenset([(1, 7)])))
    with pytest.raises(ShapeError):
        bound_of(network, Domain.space(1), facts=ActivityFacts(zero_pairs=frozenset([((1, 0), (1, 1))])))
    with pytest.raises(ShapeError):
        bound_of(network, Domain.space(2))


def test_kernel_vectors_span_the_certified_dimension():
    network = Network([[[1, 2], [3, -1]], [[1, 1], [2, -1]]], [[9, 9], [0, 0]])
    bound = bound_of(network, Domain.box(2, [(-1, 1)]))
    assert span_dimension(bound.kernel_vectors(), frozenset(), Random(0)) == bound.kernel_dimension


def test_folding_large_matrices_keeps_the_rank(monkeypatch):
    import exactrelu.identifiability.symmetry_bound.bound as module

    rng = Random(6)
    vectors = [
        {rng.randrange(400): Fraction(rng.randint(1, 9), rng.randint(1, 9)) for _ in range(5)} for _ in range(60)
    ]
    vectors += vectors[:20]
    whole = span_dimension(vectors, frozenset(range(3)), Random(0))
    monkeypatch.setattr(module, "_DENSE_ENTRIES", 0)
    assert span_dimension(vectors, frozenset(range(3)), Random(0)) == whole <= 60


NETWORKS = Path(__file__).parents[3] / "examples" / "networks"


@pytest.mark.slow
def test_dead_neurons_of_acas_xu():
    path = NETWORKS / "acasxu_v2a_1_1.nnet"
    from exactrelu.network.files.load import load_with_box

    loaded = load_with_box(path)
    bound = symmetry_bound(
        loaded.network, Domain.box(5, loaded.input_box), rng=Random(0), limits=Limits(max_seconds=20)
    )
    assert {(1, 24), (2, 1), (2, 10), (2, 24), (2, 25), (2, 37), (2, 43), (3, 47)} <= set(bound.dead)
    assert bound.dimension <= 12_270
