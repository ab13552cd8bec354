"""Group axioms of the action, and equivalence with and without look-alike or dead neurons."""

from fractions import Fraction
from itertools import pairwise
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from exactrelu.certificates.verdict import Fails, Holds, Undecided
from exactrelu.errors import InputError, ShapeError
from exactrelu.network.architecture import Architecture
from exactrelu.network.network import Network
from exactrelu.network.trivial_symmetry import TrivialSymmetry, equivalent

WIDTHS = st.lists(st.integers(1, 4), min_size=2, max_size=5).map(tuple)


def random_network(widths, rng, largest=3, denominators=(1, 2, 3)):
    def entry():
        return Fraction(rng.randint(-largest, largest), rng.choice(denominators))

    return Network(
        [[[entry() for _ in range(m)] for _ in range(n)] for m, n in pairwise(widths)],
        [[entry() for _ in range(n)] for n in widths[1:]],
    )


@settings(max_examples=60, deadline=None)
@given(WIDTHS, st.integers(0, 10**6))
def test_group_axioms_and_action(widths, seed):
    rng = Random(seed)
    theta = random_network(widths, rng)
    a = theta.architecture
    g, h, k = (TrivialSymmetry.random(a, rng) for _ in range(3))
    one = TrivialSymmetry.identity(a)
    assert one.act(theta) == theta
    assert g.compose(h).act(theta) == g.act(h.act(theta))
    assert g.compose(h.compose(k)) == g.compose(h).compose(k)
    assert g.compose(one) == g == one.compose(g)
    assert g.compose(g.inverse()) == one == g.inverse().compose(g)


@settings(max_examples=60, deadline=None)
@given(WIDTHS, st.integers(0, 10**6))
def test_the_function_is_unchanged_at_random_rational_points(widths, seed):
    rng = Random(seed)
    theta = random_network(widths, rng)
    moved = TrivialSymmetry.random(theta.architecture, rng).act(theta)
    for _ in range(4):
        point = [Fraction(rng.randint(-20, 20), rng.randint(1, 7)) for _ in range(widths[0])]
        assert moved(point) == theta(point)


@settings(max_examples=120, deadline=None)
@given(WIDTHS, st.integers(0, 10**6), st.sampled_from([1, 3]))
def test_equivalent_finds_a_symmetry_also_with_zeros_and_twins(widths, seed, largest):
    rng = Random(seed)
    theta = random_network(widths, rng, largest, (1,))
    moved = TrivialSymmetry.random(theta.architecture, rng).act(theta)
    verdict = equivalent(theta, moved)
    assert isinstance(verdict, Holds)
    assert verdict.detail["symmetry"].act(theta) == moved


def brute_force_equivalent(a, b):
    """Decide equivalence of networks with one hidden layer by trying all permutations."""
    from itertools import permutations

    n = a.architecture.widths[1]
    for order in permutations(range(n)):
        ok = a.biases[1] == b.biases[1]
        for i, p in enumerate(order):
            row_a, row_b = (*a.weights[0][p], a.biases[0][p]), (*b.weights[0][i], b.biases[0][i])
            column_a, column_b = [r[p] for r in a.weights[1]], [r[i] for r in b.weights[1]]
            found = {y / x for x, y in zip(row_a, row_b) if x} | {x / y for x, y in zip(column_a, column_b) if y}
            zeros = all((x == 0) == (y == 0) for x, y in zip([*row_a, *column_a], [*row_b, *column_b]))
            ok = ok and zeros and len(found) <= 1 and all(s > 0 for s in found)
        if ok:
            return True
    return False


@settings(max_examples=300, deadline=None)
@given(st.integers(0, 10**6))
def test_equivalent_agrees_with_brute_force_on_one_hidden_layer(seed):
    rng = Random(seed)
    widths = (1, rng.randint(1, 4), rng.randint(1, 2))
    a = random_network(widths, rng, 1, (1,))
    b = (
        random_network(widths, rng, 1, (1,))
        if rng.random() < 0.5
        else TrivialSymmetry.random(a.architecture, rng).act(a)
    )
    if rng.random() < 0.5:
        i = rng.randrange(widths[1])
        b = b.replaced(1, biases=[x + (k == i) for k, x in enumerate(b.biases[0])])
    b = b.replaced(2, biases=a.biases[1])
    assert bool(equivalent(a, b)) == brute_force_equivalent(a, b)


def test_a_free_column_may_be_scaled():
    """Both networks have primitive rows and differ, yet one is a scaling of the other: the zero row is free."""
    a = Network([[[0], [1]], [[1, 1], [3, 1]], [[1, 1]]], [[0, 0], [0, 0], [0]])
    b = Network([[[0], [1]], [[1, 3], [1, 1]], [["1/3", 1]]], [[0, 0], [0, 0], [0]])
    scaled = TrivialSymmetry([[0, 1], [0, 1]], [["1/2", 1], [1, 2]]).act(a)
    assert isinstance(equivalent(a, scaled), Holds)
    assert equivalent(a, b).detail["symmetry"].act(a) == b


def test_neurons_connected_to_nothing_but_each_other():
    """A dead chain of two neurons: its scales are free except for the weight between them."""
    a = Network([[[1], [0]], [[1, 0], [0, 2]], [[1, 0]]], [[1, 0], [1, 0], [0]])
    b = a.replaced(2, weights=[[1, 0], [0, 7]])
    c = a.replaced(2, weights=[[1, 0], [0, -2]])
    assert equivalent(a, b).detail["symmetry"].act(a) == b
    assert isinstance(equivalent(a, c), Fails)


def test_inequivalent_for_each_reason():
    a = Network([[[1], [2]], [[3, 4]]], [[5, 6], [7]])
    assert "architectures" in equivalent(a, Network([[[1]], [[3]]], [[5], [7]])).witness
    assert "output biases" in equivalent(a, a.replaced(2, biases=[8])).witness
    assert "do not match" in equivalent(a, a.replaced(1, biases=[5, 7])).witness
    assert isinstance(equivalent(a, a.replaced(1, weights=[[-1], [2]])), Fails)
    linear = Network([[[1, 2]]], [[0]])
    assert isinstance(equivalent(linear, linear), Holds)
    assert isinstance(equivalent(linear, Network([[[1, 3]]], [[0]])), Fails)


def cycle_network(lengths):
    """Two layers joined by the incidence of disjoint cycles: locally all look-alike."""
    n = sum(lengths)
    rows, start = [], 0
    for length in lengths:
        for i in range(length):
            row = [0] * n
            row[start + i] = row[start + (i + 1) % length] = 1
            rows.append(row)
        start += length
    return Network([[[1]] * n, rows, [[1] * n]], [[1] * n, [1] * n, [0]])


def test_look_alike_neurons_are_told_apart_by_the_whole_graph():
    six, two_threes = cycle_network([6]), cycle_network([3, 3])
    assert isinstance(equivalent(six, two_threes), Fails)
    moved = TrivialSymmetry.random(six.architecture, Random(3)).act(six)
    assert isinstance(equivalent(six, moved), Holds)
    assert isinstance(equivalent(six, two_threes, max_nodes=1), Undecided)


def test_three_hundred_neurons_are_quick():
    rng = Random(5)
    theta = random_network((10, 100, 100, 100, 1), rng)
    moved = TrivialSymmetry.random(theta.architecture, rng).act(theta)
    assert isinstance(equivalent(theta, moved), Holds)
    twins = cycle_network([2] * 40)
    assert isinstance(equivalent(twins, TrivialSymmetry.random(twins.architecture, rng).act(twins)), Holds)


@pytest.mark.parametrize(
    "permutations, scales, error",
    [
        ([[0, 0]], [[1, 1]], ShapeError),
        ([[0, 2]], [[1, 1]], ShapeError),
        ([[0, 1]], [[1]], ShapeError),
        ([[0, 1]], [[1, 0]], InputError),
        ([[0]], [["-1/2"]], InputError),
        ([[0]], [], ShapeError),
        ([[0]], [[0.5]], InputError),
        ([[False, True]], [[1, 1]], ShapeError),
    ],
)
def test_wrong_symmetries_are_refused(permutations, scales, error):
    with pytest.raises(error):
        TrivialSymmetry(permutations, scales)


def test_symmetries_of_other_widths_are_refused():
    g = TrivialSymmetry.identity(Architecture((1, 2, 1)))
    with pytest.raises(ShapeError, match="hidden widths"):
        g.act(Network([[[1]]], [[0]]))
    with pytest.raises(ShapeError, match="hidden widths"):
        g.compose(TrivialSymmetry.identity(Architecture((1, 3, 1))))
