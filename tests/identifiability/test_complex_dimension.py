"""Rank over a complete complex against a dense exact rank; certificates of both bounds; facts read off the cells."""

from __future__ import annotations

import random

import pytest
import sympy

from exactrelu.complexes.canonical_complex import CanonicalComplex
from exactrelu.identifiability.architecture_dimension import architecture_dimension
from exactrelu.identifiability.complex_dimension import complex_dimension
from exactrelu.identifiability.complex_facts import complex_facts
from exactrelu.identifiability.jacobian import JacobianResidues, exact_jacobian, strict_cells
from exactrelu.network.architecture import Architecture, Neuron
from exactrelu.network.network import Network
from exactrelu.polyhedra.domain import Domain


def network(widths: tuple[int, ...], seed: int) -> Network:
    rng = random.Random(seed)
    return Network([[[rng.randint(-2, 2) for _ in range(m)] for _ in range(n)] for m, n in zip(widths, widths[1:])],
                   [[rng.randint(-2, 2) for _ in range(n)] for n in widths[1:]])


@pytest.mark.parametrize("seed", range(12))
def test_rank_and_certificates(seed: int) -> None:
    net = network([(2, 3, 1), (1, 3, 2, 1), (2, 2, 2, 2), (3, 2, 2, 1)][seed % 4], seed)
    built = CanonicalComplex.build(net, Domain.box(net.architecture.inputs, [(-2, 2)]) if seed % 2 else None)
    rows = [row for cell in strict_cells(built).tolist() for row in exact_jacobian(built, cell)]
    dense = sympy.Matrix(rows).rank() if rows else 0
    found = complex_dimension(built)
    assert found.lower == dense
    found.certificate().verify()
    assert found.upper in (dense, net.architecture.expected_dimension)
    assert found.upper == dense
    above = found.upper_certificate()
    assert (above is None) == (dense == net.architecture.expected_dimension)
    if above is not None:
        above.verify()


def test_residues_are_those_of_the_exact_rows() -> None:
    built = CanonicalComplex.build(network((2, 3, 2, 2), 7))
    prime = 16_777_213
    cells = strict_cells(built)
    table = JacobianResidues(built, prime).rows(cells).tolist()
    exact = [row for cell in cells.tolist() for row in exact_jacobian(built, cell)]
    assert [[x % prime for x in row] for row in exact] == [[int(x) % prime for x in row] for row in table]


def test_facts_of_cells() -> None:
    net = Network([[[1, 0], [0, 1], [0, 0]], [[1, 1, 0], [-1, -1, 0]], [[1, 1]]], [[0, 0, -1], [1, -1], [0]])
    facts = complex_facts(CanonicalComplex.build(net))
    assert facts.dead == {Neuron(1, 2), Neuron(2, 1)}
    assert facts.always_active == {Neuron(2, 0)}
    assert (Neuron(1, 0), Neuron(2, 1)) in facts.zero_pairs


@pytest.mark.parametrize("widths", [(1, 2, 1), (2, 2, 1), (2, 2, 2, 1), (2, 3, 2, 1), (2, 1, 2, 1), (3, 2, 1, 1)])
def test_architectures_reach_the_expected_dimension(widths: tuple[int, ...]) -> None:
    found = architecture_dimension(Architecture(widths), Domain.space(widths[0]), samples=400)
    assert found.exact
    found.certificate.verify()
    assert sum(found.histogram.values()) == found.samples
