"""The canonical form: reference hashes, invariance, twins, zero rows, limits."""

import json
from fractions import Fraction
from itertools import pairwise, permutations
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from exactrelu.network.architecture import Neuron
from exactrelu.network.canonical_form import CanonicalForm, NoCanonicalForm, canonical_form
from exactrelu.network.network import Network
from exactrelu.network.trivial_symmetry import TrivialSymmetry, equivalent

CASES = json.loads((Path(__file__).parent / "data" / "canonical_forms.json").read_text())


def random_network(widths, rng, largest=3, denominators=(1, 2, 3)):
    def entry():
        return Fraction(rng.randint(-largest, largest), rng.choice(denominators))

    return Network(
        [[[entry() for _ in range(m)] for _ in range(n)] for m, n in pairwise(widths)],
        [[entry() for _ in range(n)] for n in widths[1:]],
    )


@pytest.mark.parametrize("case", CASES, ids=[case["name"] for case in CASES])
def test_reference_forms_and_hashes(case):
    network = Network([layer["W"] for layer in case["layers"]], [layer["b"] for layer in case["layers"]])
    form = canonical_form(network)
    assert form.layers == case["canonical_layers"]
    assert form.sha256 == case["canonical_sha256"]
    assert form.symmetry.act(network) == form.network


@settings(max_examples=150, deadline=None)
@given(st.lists(st.integers(1, 4), min_size=2, max_size=5), st.integers(0, 10**6), st.sampled_from([1, 4]))
def test_the_form_is_invariant_and_idempotent(widths, seed, largest):
    rng = Random(seed)
    theta = random_network(tuple(widths), rng, largest)
    form = canonical_form(theta)
    moved = canonical_form(TrivialSymmetry.random(theta.architecture, rng).act(theta))
    if isinstance(form, NoCanonicalForm):
        assert form.kind == moved.kind == "degenerate"
        layer, index = form.neuron
        assert not any(theta.weights[layer - 1][index]) and not theta.biases[layer - 1][index]
        return
    assert form.sha256 == moved.sha256 and form.network == moved.network
    assert canonical_form(form.network).network == form.network
    assert form.symmetry.act(theta) == form.network
    for rows, bias in list(zip(form.network.weights, form.network.biases))[:-1]:
        assert list(zip(rows, bias)) == sorted(zip(rows, bias))
        assert all(x.denominator == 1 for row in rows for x in row)


def smallest_by_brute_force(theta):
    """Return the smallest list of layers, as rows (w, b), over all orders of all hidden layers."""
    base = canonical_form(theta).network
    best = None
    for orders in _orders(base.architecture.hidden_widths):
        moved = TrivialSymmetry(orders, [[1] * len(p) for p in orders]).act(base)
        rows = [list(zip(w, b)) for w, b in zip(moved.weights, moved.biases)]
        if all(layer == sorted(layer) for layer in rows[:-1]) and (best is None or rows < best):
            best = rows
    return best


def _orders(widths):
    if not widths:
        return [[]]
    return [[list(p), *rest] for p in permutations(range(widths[0])) for rest in _orders(widths[1:])]


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 10**6))
def test_twins_are_arranged_to_the_smallest_layers(seed):
    rng = Random(seed)
    n, m = rng.randint(2, 4), rng.randint(1, 3)
    theta = random_network((1, n, m, rng.randint(1, 2)), rng, 1, (1,))
    theta = theta.replaced(1, weights=[[rng.choice([1, 1, -1])] for _ in range(n)], biases=[rng.choice([1, 1, 0])] * n)
    form = canonical_form(theta)
    if isinstance(form, CanonicalForm):
        rows = [list(zip(w, b)) for w, b in zip(form.network.weights, form.network.biases)]
        assert rows == smallest_by_brute_force(theta)


@settings(max_examples=100, deadline=None)
@given(st.integers(0, 10**6))
def test_equal_forms_if_and_only_if_equivalent(seed):
    rng = Random(seed)
    widths = (1, rng.randint(1, 3), rng.randint(1, 3), 1)
    a, b = (random_network(widths, rng, 1, (1,)) for _ in range(2))
    b = b.replaced(3, biases=a.biases[2])
    first, second = canonical_form(a), canonical_form(b)
    if isinstance(first, CanonicalForm) and isinstance(second, CanonicalForm):
        assert (first.sha256 == second.sha256) == bool(equivalent(a, b))


def test_the_degenerate_neuron_is_named():
    found = canonical_form(Network([[[1], [0]], [[1, 1]]], [[0, 0], [0]]))
    assert (found.kind, found.neuron) == ("degenerate", Neuron(1, 1))
    assert "neuron (1, 1)" in found.reason


def test_too_many_arrangements_of_twins_give_no_hash_but_equivalence_is_decided():
    n = 12
    identity = [[int(i == j) for j in range(n)] for i in range(n)]
    theta = Network([[[1]] * n, identity, [[1] * n]], [[1] * n, [0] * n, [0]])
    assert isinstance(canonical_form(theta), NoCanonicalForm)
    assert canonical_form(theta).kind == "twins"
    moved = TrivialSymmetry.random(theta.architecture, Random(0)).act(theta)
    assert canonical_form(moved).kind == "twins"
    assert equivalent(theta, moved)


def test_many_twins_with_different_columns_need_no_search():
    rng = Random(1)
    n = 60
    theta = Network(
        [[[1]] * n, [[rng.randint(-9, 9) for _ in range(n)] for _ in range(20)], [[1] * 20]],
        [[1] * n, [rng.randint(-9, 9) for _ in range(20)], [0]],
    )
    moved = TrivialSymmetry.random(theta.architecture, rng).act(theta)
    assert canonical_form(theta).sha256 == canonical_form(moved).sha256


def test_the_size_limit_gives_a_reason():
    theta = Network([[[1, 2**300 + 1]], [[1]]], [[0], [0]])
    assert canonical_form(theta, max_bits=300).kind == "size"
    assert isinstance(canonical_form(theta), CanonicalForm)


def test_three_hundred_float_neurons_are_quick():
    rng = Random(2)
    widths = (10, 100, 100, 100, 1)
    theta = Network.from_floats(
        [[[rng.gauss(0, 1) for _ in range(m)] for _ in range(n)] for m, n in pairwise(widths)],
        [[rng.gauss(0, 1) for _ in range(n)] for n in widths[1:]],
    )
    moved = TrivialSymmetry.random(theta.architecture, rng).act(theta)
    assert canonical_form(theta).sha256 == canonical_form(moved).sha256
