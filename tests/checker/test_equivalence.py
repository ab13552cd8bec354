"""Inequivalence is decided: the checker and brute force agree on every pair."""

import random
from fractions import Fraction as F
from itertools import permutations

import pytest

from exactrelu.checker import Rejected, check
from exactrelu.checker.claims.equivalence import arrangements
from tests.checker import oracle, producers
from tests.checker.random_networks import random_network


def inequivalent(a: producers.Net, b: producers.Net) -> bool:
    document = producers.document("inequivalent", {"a": a, "b": b}, {})
    try:
        check(producers.dumps(document))
    except Rejected as reason:
        if str(reason) != "the parameters are equivalent":
            raise
        return False
    return True


def shuffled(rng: random.Random, net: producers.Net) -> producers.Net:
    widths = oracle.widths(net)
    permutations = [rng.sample(range(n), n) for n in widths]
    scales = [[F(rng.randint(1, 4), rng.randint(1, 3)) for _ in range(n)] for n in widths]
    return producers.moves(net, permutations, scales)[0]


def sparse(rng: random.Random) -> producers.Net:
    """Many zeros and ones: zero rows, zero columns and twins are the rule."""
    widths = [1, *rng.choice([[2], [3], [2, 2], [3, 2], [2, 1, 2], [1, 2, 1]]), 1]
    return random_network(rng, widths, 1, rng.choice([0.3, 0.6, 0.8]))


def test_shuffled_copies_are_equivalent() -> None:
    for seed in range(200):
        rng = random.Random(seed)
        net = sparse(rng)
        assert not inequivalent(net, shuffled(rng, net))


def test_one_changed_entry_is_judged_as_by_brute_force() -> None:
    verdicts = [0, 0]
    for seed in range(400):
        rng = random.Random(seed)
        a = sparse(rng)
        layer = rng.randrange(len(a["biases"]))
        row = rng.randrange(len(a["biases"][layer]))
        column = rng.choice([None, *range(len(a["weights"][layer][row]))])
        b = shuffled(rng, producers.changed(a, layer, row, column, rng.choice([0, 1, -1, 2])))
        verdict = inequivalent(a, b)
        assert verdict != oracle.equivalent(a, b)
        verdicts[verdict] += 1
    assert min(verdicts) > 50


def test_arrangements_are_all_orders_up_to_twins() -> None:
    for sizes in ([3], [1, 1, 1], [2, 1], [2, 2], [1, 3, 1], []):
        places = iter((0, n) for n in range(sum(sizes)))
        groups = [[next(places) for _ in range(size)] for size in sizes]
        group_of = {place: k for k, group in enumerate(groups) for place in group}
        found = [tuple(order) for order in arrangements(groups)]
        words = [tuple(group_of[place] for place in order) for order in found]
        expected = {tuple(group_of[p] for p in order) for order in permutations(group_of)}
        assert len(words) == len(set(words))
        assert set(words) == expected
        assert all(sorted(order) == sorted(group_of) for order in found)


def test_zero_rows_scale_their_columns_freely() -> None:
    """[[1, 1], [3, 1]] and [[1, 3], [1, 1]] behind a zero row, scaled alike in the next layer."""
    a = producers.network(([[0], [1]], [0, 0]), ([[1, 1], [3, 1]], [0, 0]), ([[1, 1]], [0]))
    b = producers.network(([[0], [1]], [0, 0]), ([[5, 1], [15, 1]], [0, 0]), ([[1, 1]], [0]))
    c = producers.network(([[0], [1]], [0, 0]), ([[5, 1], [14, 1]], [0, 0]), ([[1, 1]], [0]))
    assert not inequivalent(a, b)
    assert inequivalent(a, c)
    rows = producers.network(([[0], [0]], [0, 0]), ([[1, 1], [3, 1]], [0, 0]), ([[1, 1]], [0]))
    other = producers.network(([[0], [0]], [0, 0]), ([[1, 3], [1, 1]], [0, 0]), ([[1, 1]], [0]))
    assert not inequivalent(rows, other)


def test_large_networks_without_ties_need_no_search() -> None:
    rng = random.Random(0)
    net = random_network(rng, [4, 20, 20, 3], 10**6, 0.0)
    assert inequivalent(net, producers.changed(shuffled(rng, net), 2, 0, None, 77))
    assert not inequivalent(net, shuffled(rng, net))


@pytest.mark.parametrize("number", [4, 5])
def test_ties_are_tried_up_to_a_limit(number: int) -> None:
    unit = [[int(i == j) for i in range(number)] for j in range(number)]
    none = [0] * number
    net = producers.network(([[1]] * number, none), (unit, none), ([[1] * number], [0]))
    message = "too many permutations" if number == 5 else "the parameters are equivalent"
    with pytest.raises(Rejected, match=message):
        check(producers.dumps(producers.document("inequivalent", {"a": net, "b": net}, {})))


def test_many_dead_or_equal_neurons_are_no_obstacle() -> None:
    rows, biases = [[1]] * 9 + [[0]] * 30 + [[1]], [0] * 39 + [1]
    a = producers.network((rows, biases), ([[1] * 9 + [0] * 30 + [2]], [0]))
    rng = random.Random(0)
    assert not inequivalent(a, shuffled(rng, a))
    assert inequivalent(a, producers.changed(shuffled(rng, a), 1, 0, None, 1))
    assert inequivalent(a, producers.changed(a, 1, 0, 0, 2))
