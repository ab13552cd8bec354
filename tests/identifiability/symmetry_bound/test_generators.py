"""Every generator is killed by the exact Jacobian on strict cells, for facts read off the cells themselves."""

from fractions import Fraction
from random import Random

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from exactrelu.identifiability.symmetry_bound.activity_facts import ActivityFacts
from exactrelu.identifiability.symmetry_bound.generators import (
    ParameterIndex,
    moving_generators,
    rank_deficiency,
    twins,
    without_influence,
    zero_columns,
)
from exactrelu.network.architecture import Neuron
from exactrelu.network.network import Network
from exactrelu.polyhedra.domain import Domain

from .oracle import dense_jacobian, small_networks

SETTINGS = settings(max_examples=80, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))


def facts_on(patterns, widths):
    """What holds on the given strict cells."""
    names = [Neuron(layer, i) for layer in range(1, len(widths) - 1) for i in range(widths[layer])]

    def on(signs, neuron):
        return signs[neuron.layer - 1][neuron.index] > 0

    pairs = {
        (i, j)
        for i in names
        for j in names
        if j.layer == i.layer + 1 and not any(on(s, i) and on(s, j) for s in patterns)
    }
    return ActivityFacts(
        frozenset(n for n in names if not any(on(s, n) for s in patterns)),
        frozenset(n for n in names if all(on(s, n) for s in patterns)),
        frozenset(pairs),
    )


def check_killed(network, domain, points):
    patterns = dense_jacobian.strict_patterns(network, domain, points)
    facts = facts_on(patterns, network.architecture.widths)
    rows = [row for signs in patterns for row in dense_jacobian.cell_rows(network, signs)]
    for columns in zero_columns(network, facts).values():
        assert not any(row[c] for row in rows for c in columns)
    for vectors in moving_generators(network, facts).values():
        for vector in vectors:
            assert not any(sum((row[c] * x for c, x in vector.items()), Fraction(0)) for row in rows)
    return facts


@SETTINGS
@given(st.data())
def test_generators_are_killed(data):
    network = data.draw(small_networks.networks())
    d = network.architecture.inputs
    domain = data.draw(small_networks.domains(d))
    check_killed(network, domain, dense_jacobian.random_points(Random(1), d, 25, (1, 1, Fraction(1, 4))))


def test_generators_are_killed_with_many_always_active_neurons():
    rng, found = Random(3), 0
    for _ in range(30):
        network = Network(
            [
                [[rng.randint(-2, 2) for _ in range(2)] for _ in range(4)],
                [[rng.randint(-1, 1) for _ in range(4)] for _ in range(3)],
                [[rng.randint(-2, 2) for _ in range(3)]],
            ],
            [[rng.randint(2, 9) for _ in range(4)], [rng.randint(0, 9) for _ in range(3)], [1]],
        )
        facts = check_killed(
            network, Domain.box(2, [(-1, 1)]), dense_jacobian.random_points(rng, 2, 25, (Fraction(1, 4),))
        )
        found += len(facts.always_active)
    assert found > 60


def test_rank_deficient_blocks_have_the_expected_vectors():
    network = Network([[[1, 1], [2, 2], [0, 1]], [[1, 2, 3]]], [[5, 6, 7], [0]])
    vectors = rank_deficiency(network, [Neuron(1, 0), Neuron(1, 1), Neuron(1, 2)], ActivityFacts(), always=True)
    assert len(vectors) == 1 * 1 + 2 * 3


def test_twins_are_grouped_by_positive_multiples_of_the_whole_row():
    network = Network([[[1], [2], [-1], [2], ["1/2"]], [[1] * 5]], [[1, 2, -1, 1, "1/2"], [0]])
    groups = twins(network, [Neuron(1, i) for i in range(5)])
    assert groups == [[Neuron(1, 0), Neuron(1, 1), Neuron(1, 4)]]


def test_generators_of_twins_are_killed():
    rng = Random(5)
    for _ in range(25):
        rows = [[rng.randint(-2, 2) for _ in range(3)] for _ in range(2)]
        first = [[c * x for x in rows[k]] for k, c in ((0, 1), (0, 2), (1, 1), (1, 3))]
        second = [[rng.randint(-1, 1) for _ in range(4)] for _ in range(3)]
        network = Network(
            [[row[:2] for row in first], second, [[1, 2, -1]]],
            [[row[2] for row in first], [rng.randint(-1, 1) for _ in range(3)], [1]],
        )
        check_killed(network, Domain.space(2), dense_jacobian.random_points(rng, 2, 25, (1, Fraction(1, 4))))


def test_influence():
    network = Network([[[1], [1], [1]], [[1, 0, 0], [0, 2, 0]], [[1, 0]]], [[0, 0, 0], [0, 0], [0]])
    assert without_influence(network, ActivityFacts()) == {(2, 1), (1, 1), (1, 2)}
    pair = ActivityFacts(zero_pairs=frozenset([(Neuron(1, 0), Neuron(2, 0))]))
    assert without_influence(network, pair) == {(2, 1), (1, 0), (1, 1), (1, 2)}


def test_order_of_parameters():
    place = ParameterIndex(Network([[[1, 2]], [[3]], [[4]]], [[0], [0], [0]]).architecture)
    assert [
        place.weight(1, 0, 0),
        place.weight(1, 0, 1),
        place.bias(1, 0),
        place.weight(2, 0, 0),
        place.bias(2, 0),
        place.bias(3, 0),
    ] == [0, 1, 2, 3, 4, 6]
