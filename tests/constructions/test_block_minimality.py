"""Blocks: what must not be claimed.  Rows that are not determined, dead neurons, sets larger than one orbit."""

from __future__ import annotations

from fractions import Fraction
from random import Random

import pytest

from exactrelu.certificates.verdict import Holds, Undecided
from exactrelu.constructions.linear_block import LinearBlock, orbit_dimension
from exactrelu.constructions.minimal_block import minimal_among_supertransversal, minimal_block
from exactrelu.equivalence.decide import equality
from exactrelu.errors import BudgetExceeded, PreconditionError
from exactrelu.examples import example
from exactrelu.genericity.generic import genericity_of_network
from exactrelu.identifiability.functional_dimension import functional_dimension
from exactrelu.network.architecture import Architecture
from exactrelu.network.network import Network
from exactrelu.polyhedra.domain import Domain

BOX = Domain.box(2, [(Fraction(-31, 10), 4), (-3, Fraction(16, 5))])
FRONT = [[1, Fraction(1, 9)], [-1, Fraction(1, 13)], [Fraction(1, 17), 1]]
LEVELS = [1, 0, Fraction(8, 37)]
EIGHTH = Fraction(1, 8)


def reducible() -> tuple[Network, Network]:
    """A parameter with a block of one neuron, and a supertransversal one with a neuron less and the same function.

    The sheet of neuron (2, 0) lies where the activation a_2 vanishes, so f does not determine its weight on a_2.  With another weight
    the reversed neuron leaves exactly what the block contributes.
    """
    theta = Network([FRONT, [[1, -1, EIGHTH], [-3, 3, 2], [1, EIGHTH, EIGHTH]], [[-1, 2, 1]]], [LEVELS, [-3, -2, 1], [0]])
    eta = Network([FRONT, [[-1, -EIGHTH, -EIGHTH], [-3, 3, 2]], [[-1, 2]]], [LEVELS, [3, -2], [4]])
    return theta, eta


def test_undetermined_rows_are_no_proof_of_minimality() -> None:
    theta, eta = reducible()
    assert equality(theta, eta, BOX).verdict == "equal"
    for network in (theta, eta):
        assert genericity_of_network(network, BOX).verdicts["supertransversality"].word == "holds"
    block = LinearBlock.of(theta, BOX)
    assert block.neurons == (2,) and block.minimal_rank() == 1
    found = minimal_among_supertransversal(block)
    assert isinstance(found, Undecided) and "do not determine the rows" in found.reason


def test_minimality_survives_the_orbit() -> None:
    made = minimal_block(Architecture((2, 3, 4, 2)), 2)
    block = LinearBlock.of(made.networks[0], made.domain)
    moved = block.act([[1, 1], [0, 1]], [3, 0])
    assert isinstance(minimal_among_supertransversal(LinearBlock.of(moved, made.domain)), Holds)


def test_a_dead_neuron_is_no_dimension_jump() -> None:
    """Near such a parameter every function needs a neuron less."""
    shown = example("linear-block")
    network = shown.network
    rows, biases = [list(r) for r in network.weights[1]], list(network.biases[1])
    rows[1], biases[1] = [-1, -1, -1], -1
    dead = network.replaced(2, rows, biases)
    assert isinstance(LinearBlock.of(network, shown.domain).dimension_jump(), Holds)
    found = LinearBlock.of(dead, shown.domain).dimension_jump()
    assert isinstance(found, Undecided) and "functional dimension" in found.reason


@pytest.mark.parametrize("seed", range(8))
def test_members_of_the_orbit_have_coordinates(seed: int) -> None:
    shown, rng = example("linear-block"), Random(seed)
    block = LinearBlock.of(shown.network, shown.domain)
    while True:
        g = tuple(tuple(Fraction(rng.randint(-3, 6), rng.randint(1, 4)) for _ in range(2)) for _ in range(2))
        t = tuple(Fraction(rng.randint(-5, 20), 3) for _ in range(2))
        if block.admissible(g, t):
            break
    moved = block.act(g, t)
    assert block.contains(moved) and block.coordinates(moved) == (g, t)
    assert block.contains(block.network) and block.coordinates(block.network) == (((1, 0), (0, 1)), (0, 0))
    for layer in (1, 2, 3):
        biases = list(moved.biases[layer - 1])
        biases[-1] += Fraction(1, 7)
        other = moved.replaced(layer, None, biases)
        assert not block.contains(other) and block.coordinates(other) is None
    low = [*moved.biases[1][:2], *(b - 1000 for b in moved.biases[1][2:])]
    back = [b + 1000 * sum(w[2:]) for b, w in zip(moved.biases[2], moved.weights[2])]
    assert not block.contains(moved.replaced(2, None, low).replaced(3, None, back))       # not active any more
    assert not block.contains(Network([[[1, 1]], [[1], [1]]], [[0], [0, 0]]))


def test_more_than_one_orbit_between_the_widths() -> None:
    """Three activations, two block neurons, one output: dimension 5, an orbit of GL_2 has 4."""
    made = minimal_block(Architecture((2, 3, 4, 1)), 2)
    theta = made.networks[0]
    found = functional_dimension(theta, made.domain)
    assert found.exact and theta.architecture.expected_dimension - found.lower == orbit_dimension(3, 2, 1) == 5
    block = LinearBlock.of(theta, made.domain)
    (c1, c2), (i, j) = (theta.weights[2][0][k] for k in block.neurons), block.neurons
    rows, biases = [list(r) for r in theta.weights[1]], list(theta.biases[1])
    step = Fraction(1, 50)
    for at, outgoing, sign in ((i, c2, 1), (j, c1, -1)):              # moves C M by c_1 c_2 - c_2 c_1 = 0, along a new row
        rows[at] = [x + sign * outgoing * step * (k == 0) for k, x in enumerate(rows[at])]
        biases[at] += abs(outgoing)
    constant = theta.biases[2][0] - c1 * abs(c2) - c2 * abs(c1)
    other = theta.replaced(2, rows, biases).replaced(3, None, [constant])
    assert block.contains(other)
    assert equality(theta, other, made.domain).verdict == "equal"
    if all(theta.weights[1][i][k] * theta.weights[1][j][0] == theta.weights[1][j][k] * theta.weights[1][i][0] for k in range(3)):
        with pytest.raises(PreconditionError, match="dependent"):
            block.coordinates(other)
    else:
        assert block.coordinates(other) is None or block.act(*block.coordinates(other)) == other  # type: ignore[misc]


@pytest.mark.parametrize(("n", "k", "m"), [(2, 1, 1), (3, 2, 1), (2, 2, 3), (3, 2, 3), (1, 2, 1), (2, 4, 1), (1, 3, 2)])
@pytest.mark.parametrize("seed", range(2))
def test_dimensions_are_ranks(n: int, k: int, m: int, seed: int) -> None:
    """n + 1 - m independent kinks in front carry the activations; the rank of the differential of (C, M, beta, b) -> [C M | C beta + b]."""
    rng = Random(seed)
    c, big = [[rng.randint(1, 30) for _ in range(k)] for _ in range(m)], [[rng.randint(1, 30) for _ in range(n + 1)] for _ in range(k)]
    for biases in (True, False):
        rows = []
        for q in range(m):
            for j in range(n + 1):
                row = [big[p][j] if r == q else 0 for r in range(m) for p in range(k)]
                row += [c[q][p] if i == j else 0 for p in range(k) for i in range(n + 1)]
                row += [int(r == q and j == n) for r in range(m)] if biases else []
                rows.append(row)
        free = len(rows[0]) - _rank(rows)
        assert free - k == orbit_dimension(n, k, m, output_biases=biases)


def _rank(rows: list[list[int]]) -> int:
    """By elimination with Fractions, independent of the engine."""
    table, found = [[Fraction(x) for x in row] for row in rows], 0
    for c in range(len(table[0])):
        pivot = next((i for i in range(found, len(table)) if table[i][c]), None)
        if pivot is None:
            continue
        table[found], table[pivot] = table[pivot], table[found]
        for i in range(found + 1, len(table)):
            factor = table[i][c] / table[found][c]
            if factor:
                table[i] = [x - factor * y for x, y in zip(table[i], table[found])]
        found += 1
    return found


def test_too_many_sets_are_not_searched() -> None:
    wide = Network([[[1, 0], [0, 1]], [[k, 1] for k in range(1, 17)], [[1] * 16]], [[5, 5], [-5 * k - 5 for k in range(1, 16)] + [1], [0]])
    block = LinearBlock.of(wide, Domain.box(2, [(-1, 1)]))
    with pytest.raises(BudgetExceeded, match="sets"):
        block.minimal_rank()
