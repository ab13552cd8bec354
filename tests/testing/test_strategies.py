"""The strategies give what they promise, construct every degeneracy, and shrink to something a person can read."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations, product

import pytest
from hypothesis import HealthCheck, Phase, find, given, settings
from hypothesis import strategies as st

from exactrelu.arithmetic.matrix import rank
from exactrelu.equivalence.by_split_tree import equal_by_split_tree
from exactrelu.errors import InputError
from exactrelu.network.architecture import Architecture
from exactrelu.network.network import Network
from exactrelu.network.trivial_symmetry import TrivialSymmetry, equivalent
from exactrelu.polyhedra.domain import Domain
from exactrelu.testing.registration import _register
from exactrelu.testing.strategies import (
    DEGENERACIES,
    EquivalentPair,
    InequivalentPair,
    architectures,
    degeneracies_of,
    degenerate_networks,
    equivalent_pairs,
    inequivalent_pairs,
    is_coincidence_free,
    networks,
    polytopes,
    rational_table,
    rationals,
    trivial_symmetries,
)

SEARCH = settings(max_examples=2_000, database=None, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
ONE = settings(SEARCH, max_examples=5, phases=[Phase.generate])
GRID = [Fraction(k, 2) for k in range(-3, 4)]


def entries(network: Network) -> list[Fraction]:
    return [x for rows in network.weights for row in rows for x in row] + [x for row in network.biases for x in row]


def hidden(network: Network) -> list[tuple[int, list[tuple[tuple[Fraction, ...], Fraction]]]]:
    """For every hidden layer (from 0) its rows (w, b)."""
    return [(k, list(zip(rows, bias))) for k, (rows, bias) in enumerate(zip(network.weights[:-1], network.biases))]


def integers(row: tuple[Fraction, ...]) -> list[int]:
    scale = 1
    for x in row:
        scale *= x.denominator
    return [int(x * scale) for x in row]


def matrix_rank(rows: list[tuple[Fraction, ...]]) -> int:
    return rank([integers(row) for row in rows], len(rows[0]))


def preactivation(network: Network, layer: int, neuron: int, point: tuple[Fraction, ...]) -> Fraction:
    values = list(point)
    for rows, bias in zip(network.weights[:layer], network.biases):
        values = [max(Fraction(0), sum((w * x for w, x in zip(row, values)), b)) for row, b in zip(rows, bias)]
    return sum((w * x for w, x in zip(network.weights[layer][neuron], values)), network.biases[layer][neuron])


# --- numbers, domains, architectures -------------------------------------------------------------------------------------------

def test_the_table_is_complete_and_ordered_by_height() -> None:
    table = rational_table(6)
    heights = [max(abs(x.numerator), x.denominator) if x else 0 for x in table]
    assert heights == sorted(heights) and len(set(table)) == len(table)
    assert set(table) == {Fraction(p, q) for p in range(-6, 7) for q in range(1, 7)}


def test_rationals_shrink_to_small_numbers() -> None:
    assert find(rationals(), lambda x: x < 0, settings=SEARCH) == -1
    assert find(rationals(), lambda x: x.denominator > 1, settings=SEARCH) in (Fraction(1, 2), Fraction(3, 2))


@given(st.integers(1, 3), st.booleans(), st.data())
def test_polytopes_are_full_dimensional(dimension: int, bounded: bool, data: st.DataObject) -> None:
    domain = data.draw(polytopes(dimension, bounded=bounded))
    from exactrelu.polyhedra.cddlib import generators, margin

    assert domain.dimension == dimension and len(domain.inequalities) <= 8
    if domain.integer_rows:
        assert margin(domain.integer_rows, dimension).value > 0
    if bounded:
        found = generators(domain.integer_rows, [], dimension)
        assert not found.lines and all(row[0] > 0 for row in found.points)


def test_polytopes_need_room_for_a_box() -> None:
    with pytest.raises(InputError, match="max_facets=3"):
        find(polytopes(2, max_facets=3), lambda _: True, settings=ONE)


@given(architectures(2, 3, 2, min_depth=1, inputs=3, min_inputs=2, outputs=2))
def test_architectures_keep_their_bounds(architecture: Architecture) -> None:
    assert 1 <= architecture.hidden_layers <= 2 and set(architecture.hidden_widths) <= {2, 3}
    assert architecture.inputs in (2, 3) and architecture.outputs in (1, 2)


# --- networks -----------------------------------------------------------------------------------------------------------------

@given(networks(height=4))
def test_networks_have_bounded_height(network: Network) -> None:
    assert all(abs(x.numerator) <= 4 and x.denominator <= 4 for x in entries(network))


@given(networks(kind="bias_free"))
def test_bias_free_networks_are_homogeneous(network: Network) -> None:
    assert not any(x for row in network.biases for x in row)


@settings(max_examples=20)
@given(networks(kind="generic"))
def test_generic_networks_have_no_coincidence(network: Network) -> None:
    assert is_coincidence_free(network)


def test_generic_networks_are_hardly_ever_rejected() -> None:
    """Even from entries that are all equal, the repair succeeds: the strategy filters nothing out."""
    for widths in ((1, 1, 1), (2, 3, 1), (2, 3, 3, 2), (3, 4, 2, 1)):
        shape = Architecture(widths)
        found = find(networks(shape, height=1, kind="generic"), lambda _: True, settings=ONE)
        assert found.architecture == shape


@pytest.mark.parametrize("widths", [(1, 1, 1), (2, 2, 1), (2, 3, 2, 1)])
def test_architecture_is_respected(widths: tuple[int, ...]) -> None:
    shape = Architecture(widths)
    for kind in ("any", "generic", "degenerate", "bias_free"):
        assert find(networks(shape, kind=kind), lambda _: True, settings=ONE).architecture == shape  # type: ignore[arg-type]


def test_unknown_kinds_are_refused() -> None:
    with pytest.raises(InputError, match="odd"):
        networks(kind="odd")  # type: ignore[arg-type]
    with pytest.raises(InputError, match="odd"):
        find(degenerate_networks("odd"), lambda _: True, settings=ONE)
    with pytest.raises(InputError, match="no room"):
        find(degenerate_networks("duplicate", Architecture((2, 1, 1))), lambda _: True, settings=ONE)
    with pytest.raises(InputError, match="no hidden layer"):
        degeneracies_of(Architecture((2, 1)))


# --- every degeneracy is really there -------------------------------------------------------------------------------------------

def has_zero(network: Network) -> bool:
    return any(not any(w) for _, rows in hidden(network) for w, _ in rows)


def has_duplicate(network: Network) -> bool:
    return any(a == b for _, rows in hidden(network) for a, b in combinations(rows, 2))


def has_parallel(network: Network) -> bool:
    return any(any(v) and any(w) and matrix_rank([v, w]) == 1 and matrix_rank([(*v, b), (*w, c)]) == 2
               for _, rows in hidden(network) for (v, b), (w, c) in combinations(rows, 2))


def has_opposite(network: Network) -> bool:
    return any(any(v) and tuple(-x for x in v) == w and b == -c for _, rows in hidden(network) for (v, b), (w, c) in combinations(rows, 2))


def has_dead(network: Network) -> bool:
    return any(b <= 0 and (not any(w) if k == 0 else max(w) <= 0) for k, rows in hidden(network) for w, b in rows)


def has_width_one(network: Network) -> bool:
    return 1 in network.architecture.hidden_widths


def has_always_active(network: Network) -> bool:
    return any(sum(b > 0 and min(w) >= 0 for w, b in rows) >= 2 for k, rows in hidden(network) if k)


def has_concurrent(network: Network) -> bool:
    """Some d + 1 non-zero first-layer rows have a common zero: [W b] has the rank of W."""
    _, rows = hidden(network)[0]
    return any(all(any(w) for w, _ in some) and matrix_rank([w for w, _ in some]) == matrix_rank([(*w, b) for w, b in some])
               for some in combinations(rows, network.architecture.inputs + 1))


def has_tangent(network: Network) -> bool:
    """Some second-layer neuron is nowhere positive, and zero exactly where all first-layer neurons it sees are."""
    (_, first), (_, second), *_ = hidden(network)
    for w, b in second:
        seen = [first[i] for i, x in enumerate(w) if x]
        opposite = all((tuple(-x for x in v), -c) in seen for v, c in seen)
        if b == 0 and max(w) <= 0 and opposite and seen and matrix_rank([v for v, _ in seen]) == network.architecture.inputs:
            return matrix_rank([(*v, c) for v, c in seen]) == network.architecture.inputs
    return False


HAS = {"zero": has_zero, "duplicate": has_duplicate, "parallel": has_parallel, "opposite": has_opposite, "dead": has_dead,
       "width_one": has_width_one, "always_active": has_always_active, "concurrent": has_concurrent, "tangent": has_tangent}


def test_every_degeneracy_has_a_test() -> None:
    assert set(HAS) == set(DEGENERACIES)


@pytest.mark.parametrize("name", HAS)
@given(data=st.data())
def test_degeneracies_are_constructed(name: str, data: st.DataObject) -> None:
    assert HAS[name](data.draw(degenerate_networks(name)))


@settings(max_examples=30)
@given(networks(kind="degenerate"))
def test_degenerate_networks_have_one_of_them(network: Network) -> None:
    assert any(HAS[name](network) for name in degeneracies_of(network.architecture))


@settings(max_examples=10)
@given(degenerate_networks("tangent"))
def test_a_tangent_neuron_touches_zero_from_below(network: Network) -> None:
    """Seen by evaluation: nowhere positive on a grid, and not identically zero."""
    points = list(product(GRID, repeat=network.architecture.inputs))
    values = [[preactivation(network, 1, i, p) for p in points] for i in range(network.architecture.widths[2])]
    assert any(max(row) <= 0 and sum(x == 0 for x in row) <= 1 for row in values)


@settings(max_examples=10)
@given(degenerate_networks("always_active"))
def test_always_active_neurons_are_active(network: Network) -> None:
    points = list(product(GRID, repeat=network.architecture.inputs))
    layers = range(1, network.architecture.hidden_layers)
    assert any(sum(all(preactivation(network, k, i, p) > 0 for p in points) for i in range(network.architecture.widths[k + 1])) >= 2
               for k in layers)


@pytest.mark.parametrize("name", HAS)
def test_degeneracies_are_rare_among_any_networks(name: str) -> None:
    """What the special strategy is for: each degeneracy has a counterexample among plain networks with room for it."""
    shape = Architecture((1, 2, 2, 1))
    if HAS[name] is not has_width_one:
        find(networks(shape), lambda network: not HAS[name](network), settings=settings(ONE, max_examples=100))


# --- pairs ----------------------------------------------------------------------------------------------------------------------

@given(equivalent_pairs())
def test_equivalent_pairs_have_one_function(pair: EquivalentPair) -> None:
    assert pair.symmetry.act(pair.first) == pair.second
    assert equal_by_split_tree(pair.first, pair.second, Domain.space(pair.first.architecture.inputs)).word == "holds"
    assert equivalent(pair.first, pair.second).word == "holds"


@given(inequivalent_pairs())
def test_inequivalent_pairs_differ_at_their_point(pair: InequivalentPair) -> None:
    assert pair.first.architecture == pair.second.architecture
    assert pair.first(pair.point) != pair.second(pair.point)


@given(st.data())
def test_symmetries_fit_and_shrink_to_the_identity(data: st.DataObject) -> None:
    shape = data.draw(architectures())
    assert data.draw(trivial_symmetries(shape)).widths == shape.hidden_widths


# --- shrinking ------------------------------------------------------------------------------------------------------------------

def test_networks_shrink_to_nothing() -> None:
    network = find(networks(), lambda _: True, settings=SEARCH)
    assert network.architecture.widths == (1, 1, 1) and not any(entries(network))


def test_networks_shrink_to_few_neurons_and_zeros() -> None:
    network = find(networks(), has_parallel, settings=SEARCH)
    assert sorted(map(abs, entries(network)))[:-3] == [0] * (len(entries(network)) - 3)
    assert set(entries(network)) <= {0, 1, -1} and network.architecture.hidden_neurons == 2 and network.architecture.inputs == 1


def test_a_negative_value_shrinks_to_minus_one() -> None:
    network = find(networks(), lambda f: f([0] * f.architecture.inputs)[0] < 0, settings=SEARCH)
    assert network.architecture.widths == (1, 1, 1) and sorted(entries(network)) == [-1, 0, 0, 0]


QUICK_TO_SHRINK = ("zero", "opposite")


@pytest.mark.parametrize("name", [pytest.param(n, marks=() if n in QUICK_TO_SHRINK else pytest.mark.slow) for n in HAS])
def test_degenerate_networks_shrink_to_small_entries(name: str) -> None:
    network = find(degenerate_networks(name), lambda _: True, settings=SEARCH)
    assert set(entries(network)) <= {0, 1, -1} and network.architecture.inputs == 1 and network.architecture.outputs == 1


def test_generic_networks_shrink_to_ones() -> None:
    network = find(networks(kind="generic"), lambda _: True, settings=SEARCH)
    assert network.architecture.widths == (1, 1, 1) and set(entries(network)) == {1}


def test_equivalent_pairs_shrink_to_the_identity() -> None:
    pair = find(equivalent_pairs(), lambda _: True, settings=SEARCH)
    assert pair.symmetry == TrivialSymmetry.identity(pair.first.architecture) and pair.first == pair.second


def test_registered_types() -> None:
    _register()
    for kind in (Architecture, Network, Domain):
        assert isinstance(find(st.from_type(kind), lambda _: True, settings=ONE), kind)
