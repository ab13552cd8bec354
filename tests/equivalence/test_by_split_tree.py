"""Equality of functions: equal copies, differences on slivers, different depths, and their certificates."""

from __future__ import annotations

import random
from fractions import Fraction

import pytest

from exactrelu.equivalence.by_split_tree import equal_by_split_tree
from exactrelu.errors import ShapeError
from exactrelu.limits import Limits
from exactrelu.network.network import Network
from exactrelu.network.trivial_symmetry import TrivialSymmetry
from exactrelu.polyhedra.domain import Domain


def network(widths: tuple[int, ...], rng: random.Random) -> Network:
    return Network([[[rng.randint(-3, 3) for _ in range(m)] for _ in range(n)] for m, n in zip(widths, widths[1:])],
                   [[rng.randint(-3, 3) for _ in range(n)] for n in widths[1:]])


@pytest.mark.parametrize("seed", range(8))
def test_copies_are_equal_and_changed_copies_are_not(seed: int) -> None:
    rng = random.Random(seed)
    net = network([(2, 3, 1), (1, 3, 2, 1), (2, 2, 2, 2), (3, 3, 1)][seed % 4], rng)
    copy = TrivialSymmetry.random(net.architecture, rng).act(net)
    for domain in (Domain.space(net.architecture.inputs), Domain.box(net.architecture.inputs, [(-1, 2)])):
        same = equal_by_split_tree(net, copy, domain)
        assert same.word == "holds"
        same.certificate.verify()
        moved = copy.replaced(len(copy.weights), biases=[b + 1 for b in copy.biases[-1]])
        different = equal_by_split_tree(net, moved, domain)
        assert different.word == "fails"
        different.certificate.verify()
        assert domain.contains(different.witness.point)


def test_a_difference_on_a_sliver_is_found() -> None:
    tiny = Fraction(1, 2**90)
    a = Network([[[1], [1]], [[1, -1]]], [[0, -tiny], [0]])
    b = Network([[[1], [1]], [[1, -1]]], [[0, 0], [0]])
    far = Network([[[1], [1], [1]], [[1, -1, 0]]], [[0, -tiny, 0], [0]])
    found = equal_by_split_tree(a, b, Domain.box(1, [(-1, 1)]))
    assert found.word == "fails"
    found.certificate.verify()
    assert equal_by_split_tree(a, far, Domain.space(1)).word == "holds"
    assert equal_by_split_tree(a, b, Domain.box(1, [(-1, 0)])).word == "holds"


def test_a_domain_far_below_the_float_range() -> None:
    tiny = Fraction(1, 2**500)
    a, b = Network([[[1]]], [[0]]), Network([[[0]]], [[0]])
    found = equal_by_split_tree(a, b, Domain.box(1, [(-tiny, tiny)]))
    assert found.word == "fails"
    found.certificate.verify()
    with pytest.raises(ShapeError):
        equal_by_split_tree(a, b, Domain.space(2))


def test_maps_that_agree_at_the_center_of_a_cell() -> None:
    # on the cell [-1, 1] the maps x and -x agree at 0, the rounded center
    a, b = Network([[[1]]], [[0]]), Network([[[-1]]], [[0]])
    found = equal_by_split_tree(a, b, Domain.box(1, [(-1, 1)]))
    assert found.word == "fails" and found.witness.values[0] != found.witness.values[1]
    found.certificate.verify()


def test_depths_may_differ() -> None:
    shallow = Network([[[1, 0], [0, 1]], [[1, 1]]], [[0, 0], [0]])
    deep = Network([[[1, 0], [0, 1]], [[1, 0], [0, 1]], [[1, 1]]], [[0, 0], [0, 0], [0]])
    same = equal_by_split_tree(shallow, deep, Domain.space(2))
    assert same.word == "holds"
    same.certificate.verify()


def test_limits_and_shapes() -> None:
    rng = random.Random(3)
    a, b = network((2, 6, 1), rng), network((2, 6, 1), rng)
    assert equal_by_split_tree(a, a, Domain.space(2), Limits(max_cells=3)).word == "undecided"
    with pytest.raises(ShapeError):
        equal_by_split_tree(a, network((3, 2, 1), rng), Domain.space(2))
    assert equal_by_split_tree(a, b, Domain.space(2)).word == "fails"
