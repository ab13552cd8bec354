"""If every interior cell has as many zero signs as its codimension, its star is the full sign cube, and f is supertransversal."""

from __future__ import annotations

from itertools import product
from random import Random
from typing import Any

from hypothesis import assume, given, settings

from exactrelu.complexes.canonical_complex import CanonicalComplex
from exactrelu.genericity.generic import genericity
from exactrelu.network.network import Network
from exactrelu.polyhedra.domain import Domain
from tests.oracles.cases import random_network
from tests.oracles.strategies import networks_with_domains


def check_star(found: CanonicalComplex) -> None:
    cells: list[Any] = [found.cell(k, int(i)).signs for k, count in enumerate(found.f_vector) if count
                        for i in found.interior(found.level(k))]
    known = set(cells)
    for signs in known:
        zeros = [j for j, s in enumerate(signs) if s == 0]
        for values in product((-1, 0, 1), repeat=len(zeros)):
            moved = list(signs)
            for j, s in zip(zeros, values):
                moved[j] = s
            assert tuple(moved) in known


def check_implication(found: CanonicalComplex) -> bool:
    verdicts = genericity(found).verdicts
    if verdicts["zero_count"].word != "holds":
        return False
    assert verdicts["supertransversality"].word == "holds"
    check_star(found)
    return True


@settings(derandomize=True, max_examples=60)
@given(networks_with_domains(height=3))
def test_zero_count_implies_supertransversality(pair: tuple[Network, Domain]) -> None:
    assume(check_implication(CanonicalComplex.build(*pair)))


def test_the_hypothesis_is_met_by_most_networks_with_large_entries() -> None:
    rng = Random(5)
    met = 0
    for seed in range(30):
        d = rng.choice((1, 2, 2, 3))
        network = random_network(seed, d, 3, 2, 1, height=40)
        met += check_implication(CanonicalComplex.build(network, rng.choice((Domain.space(d), Domain.box(d, [(-3, 2)])))))
    assert met >= 25


def test_the_converse_is_false() -> None:
    """2 relu(x) + relu(1 - x) - 1 touches zero at x = 0 from above on one side and bends there with x."""
    network = Network([[[1], [-1]], [[2, 1]], [[1]]], [[0, 1], [-1], [0]])
    verdicts = genericity(CanonicalComplex.build(network, Domain.space(1))).verdicts
    assert verdicts["supertransversality"].word == "holds"
    assert verdicts["zero_count"].word == "fails"
