"""Linear blocks: the orbit, its dimension by exact rank, the admissible set, minimality and its hypotheses."""

from __future__ import annotations

from fractions import Fraction
from random import Random

import pytest

from exactrelu.certificates.verdict import Holds, Undecided
from exactrelu.certification.certify import certify
from exactrelu.constructions.linear_block import LinearBlock, orbit_dimension
from exactrelu.constructions.minimal_block import agrees_in_front, minimal_among_supertransversal, minimal_block
from exactrelu.constructions.slab import slab
from exactrelu.equivalence.decide import equality
from exactrelu.errors import InputError, PreconditionError, ShapeError
from exactrelu.examples import example
from exactrelu.identifiability.functional_dimension import functional_dimension
from exactrelu.network.architecture import Architecture
from exactrelu.network.forward import preactivations
from exactrelu.network.network import Network
from exactrelu.network.trivial_symmetry import TrivialSymmetry, equivalent
from exactrelu.polyhedra.domain import Domain

SHAPES = [((2, 2, 3, 1), 1), ((2, 2, 4, 2), 2), ((2, 3, 4, 2), 2),
          ((2, 2, 2, 4, 2), 2), ((2, 3, 5, 3), 3), ((2, 2, 5, 1), 2), ((2, 2, 5, 2), 3), ((3, 2, 4, 3), 2)]


@pytest.mark.parametrize(("widths", "size"), SHAPES)
def test_the_fiber_is_the_orbit(widths: tuple[int, ...], size: int) -> None:
    """The rank deficit is the dimension of the orbit, with and without output biases."""
    made = minimal_block(Architecture(widths), size)
    theta, eta = made.networks
    found = functional_dimension(theta, made.domain)
    n, m = widths[-3], widths[-1]
    assert found.exact and theta.architecture.expected_dimension - found.lower == orbit_dimension(n, size, m)
    assert made.facts["rank_deficit_without_output_biases"] == orbit_dimension(n, size, m, output_biases=False)
    assert equality(theta, eta, made.domain).verdict == "equal" and equivalent(theta, eta).word == "fails"
    assert certify(theta, made.domain).verdict == "not-identifiable"
    assert (made.facts["minimal_among_supertransversal"] == "holds") == (size <= min(n, m))


def test_dimensions_that_were_measured() -> None:
    known = {(3, 1, 1): 1, (2, 2, 1): 4, (3, 2, 1): 5, (4, 2, 1): 6, (3, 2, 2): 4, (2, 2, 3): 4, (3, 3, 3): 9, (3, 3, 2): 9, (2, 3, 3): 9,
             (2, 3, 2): 8, (1, 2, 1): 3}
    assert {key: orbit_dimension(*key) for key in known} == known


def block_of_example() -> LinearBlock:
    shown = example("linear-block")
    return LinearBlock.of(shown.network, shown.domain)


def test_the_admissible_set_of_the_example() -> None:
    """G = [[1, s], [t, 1]] is admissible iff s >= -23/62 and t >= -10/17 (and s t != 1)."""
    block = block_of_example()
    assert block.neurons == (2, 3)
    for s, t, wanted in ((0, 0, True), (Fraction(-23, 62), 0, True), (Fraction(-23, 62) - Fraction(1, 1000), 0, False),
                         (0, Fraction(-10, 17), True), (0, Fraction(-10, 17) - Fraction(1, 1000), False), (1, 1, False),
                         (2, Fraction(-1, 2), True)):
        assert block.admissible([[1, s], [t, 1]], [0, 0]) is wanted
    assert block.admissible([[1, 0], [0, 1]], [100, 100]) and not block.admissible([[1, 0], [0, 1]], [-100, 0])
    assert block.inequalities()[-1] == "det(g_i_j) != 0"


@pytest.mark.parametrize("seed", range(12))
def test_the_orbit_has_one_function(seed: int) -> None:
    block, rng = block_of_example(), Random(seed)
    while True:
        g = [[Fraction(rng.randint(-3, 6), rng.randint(1, 4)) for _ in range(2)] for _ in range(2)]
        t = [Fraction(rng.randint(-5, 20), 3) for _ in range(2)]
        if block.admissible(g, t):
            break
    moved = block.act(g, t)
    assert equality(block.network, moved, block.complex.domain).verdict == "equal"
    point = [Fraction(rng.randint(-4, 8)), Fraction(rng.randint(-2, 2))]
    assert all(z >= 0 for z in preactivations(moved, point)[1][2:])


def test_an_action_outside_the_admissible_set_is_refused() -> None:
    block = block_of_example()
    with pytest.raises(PreconditionError, match="not admissible"):
        block.act([[1, 1], [1, 1]], [0, 0])
    with pytest.raises(ShapeError):
        block.admissible([[1]], [0])


def test_minimality_needs_its_hypotheses() -> None:
    assert isinstance(minimal_among_supertransversal(block_of_example()), Holds)
    shown = example("linear-block")
    weights = [list(row) for row in shown.network.weights[1]]
    twins = shown.network.replaced(2, [*weights[:3], [2 * x for x in weights[2]]])
    found = minimal_among_supertransversal(LinearBlock.of(twins, shown.domain))
    assert isinstance(found, Undecided) and "rank 1" in found.reason


def test_branches_agree_up_to_permutation_and_scaling() -> None:
    network = slab(Architecture((2, 3, 2, 2))).network
    moved = TrivialSymmetry.random(network.architecture, Random(3)).act(network)
    branch = tuple(tuple(tuple(map(int, (b, *row))) for row, b in zip(rows, biases))
                   for rows, biases in zip(network.weights[:2], network.biases))
    assert agrees_in_front(branch, network) and agrees_in_front(branch, moved)
    flipped = (branch[0][:2] + (tuple(-x for x in branch[0][2]),), branch[1])
    assert not agrees_in_front(flipped, network)


def test_requests_that_cannot_be_served() -> None:
    with pytest.raises(InputError, match="block"):
        minimal_block(Architecture((2, 2, 3, 1)), 2)
    with pytest.raises(InputError, match="block"):
        minimal_block(Architecture((2, 4, 1)), 1)
    with pytest.raises(InputError, match="block"):
        minimal_block(Architecture((2, 2, 4, 1)), 0)
    plain = Network([[[1, 0], [0, 1]], [[1, 1]]], [[0, 0], [0]])
    with pytest.raises(PreconditionError, match="positive"):
        LinearBlock.of(plain, Domain.box(2, [(-1, 1)]))
    with pytest.raises(PreconditionError, match="bounded"):
        LinearBlock.of(plain, Domain.space(2))
