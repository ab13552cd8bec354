"""The oracles themselves: enumeration with linear programs against all 3^H candidates, ranks and equivalence on known answers."""

from __future__ import annotations

from fractions import Fraction
from random import Random

import pytest

from exactrelu.network.network import Network
from exactrelu.network.trivial_symmetry import TrivialSymmetry
from exactrelu.polyhedra.domain import Domain
from tests.oracles.cases import BY_NAME, CASES, FULL_DIMENSIONAL, Case, many, oracle
from tests.oracles.dense_jacobian import functional_dimension, rank
from tests.oracles.sign_enumeration import SignComplex, signs_by_trying_all
from tests.oracles.trivial_equivalence import are_equivalent


def agrees(case: Case) -> bool:
    found = oracle(case)
    mine = {cell.signs for cell, inner in zip(found.open_cells, found.interior) if inner}
    return mine == signs_by_trying_all(case.network, case.domain)


@pytest.mark.parametrize("case", [c for c in FULL_DIMENSIONAL if c.network.architecture.hidden_neurons <= 4], ids=str)
def test_enumeration_finds_what_trying_all_finds(case: Case) -> None:
    assert agrees(case)


@pytest.mark.slow
def test_enumeration_finds_what_trying_all_finds_on_more() -> None:
    cases = [c for c in (*FULL_DIMENSIONAL, *many(120, 5000)) if c.network.architecture.hidden_neurons <= 6
             and c.domain.dimension == oracle(c).dimension and all(any(row[1:]) for row in c.domain.inequalities)]
    assert len(cases) > 100
    assert [c for c in cases if not agrees(c)] == []


def test_full_dimensional_cases_are_full_dimensional() -> None:
    for case in CASES:
        assert (case in FULL_DIMENSIONAL) == (oracle(case).dimension == case.domain.dimension), case.name


def test_counts_of_a_known_complex() -> None:
    """A network that passes every condition, with counts known from elsewhere."""
    found = oracle(BY_NAME["all conditions"])
    assert found.f_vector == (34, 76, 43)
    assert (found.breakpoint_facets, found.linear_regions, found.distinct_affine_maps) == (76, 43, 43)
    conditions = found.conditions()
    assert all(conditions.values()), conditions


def test_every_condition_is_met_and_missed_by_some_case() -> None:
    seen: dict[str, set[bool]] = {}
    for case in CASES:
        for name, holds in oracle(case).conditions().items():
            seen.setdefault(name, set()).add(holds)
    assert all(values == {True, False} for values in seen.values())


def test_dense_rank_of_one_neuron() -> None:
    """w, b, v, c: relu(w x + b) v + c has four parameters and one scaling."""
    network = Network([[[1]], [[1]]], [[0], [0]])
    assert functional_dimension(SignComplex(network, Domain.space(1))) == 3
    assert functional_dimension(SignComplex(network, Domain(1, ((1, -1), (-1, 1))))) == 1
    assert rank([[Fraction(1), Fraction(2)], [Fraction(1, 2), Fraction(1)], [Fraction(0), Fraction(0)]]) == 1


def test_equivalence_by_permutations() -> None:
    rng = Random(1)
    for case in CASES:
        moved = TrivialSymmetry.random(case.network.architecture, rng).act(case.network)
        assert are_equivalent(case.network, moved)
    network = Network([[[1], [-1]], [[1, 1]]], [[0, 0], [0]])
    assert not are_equivalent(network, network.replaced(2, [[1, 2]]))
    assert not are_equivalent(network, network.replaced(1, biases=[0, 1]))
    assert not are_equivalent(network, network.replaced(1, [[-1], [-1]]))
