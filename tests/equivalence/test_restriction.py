"""Networks in coordinates of an affine subspace have the values of the network there."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.strategies import DataObject

from exactrelu.equivalence.decide import equality
from exactrelu.equivalence.restriction import image, restricted
from exactrelu.network.network import Network
from exactrelu.polyhedra.affine_hull import affine_hull
from exactrelu.polyhedra.domain import Domain
from tests.oracles.cases import DOMAINS
from tests.oracles.strategies import networks_with_domains, small_networks

NUMBERS = st.fractions(min_value=-4, max_value=4, max_denominator=5)
FLAT = {name: domain for name, domain in DOMAINS.items() if not domain.has_interior}


@given(st.data())
def test_values_are_those_at_the_image(data: DataObject) -> None:
    network = data.draw(small_networks())
    d, k = network.architecture.inputs, data.draw(st.integers(1, 3))
    scale = data.draw(st.integers(1, 4))
    rows = [[data.draw(st.integers(-3, 3)) for _ in range(k + 1)] for _ in range(d)]
    embedding = [[scale, *[0] * k], *rows]
    y = [data.draw(NUMBERS) for _ in range(k)]
    inner = restricted(network, embedding)
    assert inner.architecture.widths == (k, *network.architecture.widths[1:])
    assert inner(y) == network(image(embedding, y))


@pytest.mark.parametrize("name", FLAT)
def test_images_fill_the_affine_hull_of_a_flat_domain(name: str) -> None:
    domain = FLAT[name]
    hull = affine_hull(domain.integer_rows, domain.dimension)
    assert hull.dimension < domain.dimension
    for seed in range(-2, 3):
        y = [Fraction(seed * (i + 1), 3) for i in range(hull.dimension)]
        inside = Domain(hull.dimension, hull.rows).contains(y) if hull.dimension else True  # type: ignore[arg-type]  # integers
        assert domain.contains(image(hull.embedding, y)) == inside


@given(networks_with_domains())
def test_nothing_changes_on_a_full_dimensional_domain(pair: tuple[Network, Domain]) -> None:
    network, domain = pair
    assert restricted(network, affine_hull(domain.integer_rows, domain.dimension).embedding) is network


def test_scale_and_zero_rows() -> None:
    network = Network([[[2, 0], [0, 0]], [[1, 1]]], [["1/2", 3], [0]])
    assert restricted(network, ((1, 0, 0), (0, 0, 1), (0, 1, 0))).weights[0] == ((0, 2), (0, 0))      # a permutation is no identity
    halved = restricted(network, ((2, 0), (1, 4), (6, 6)))
    assert halved.weights[0] == ((4,), (0,)) and halved.biases[0] == (Fraction(3, 2), 3)
    assert restricted(network, ((2, 0, 0), (0, 2, 0), (0, 0, 2))) == network
    assert image(((2, 0), (1, 4), (6, 6)), [Fraction(1, 2)]) == (Fraction(3, 2), Fraction(9, 2))
    assert image(((3,), (1,), (6,)), []) == (Fraction(1, 3), 2)


def test_vanishing_last_coordinates() -> None:
    """The embedding ((1, 0), (0, 1), (0, 0)) starts like an identity and is none."""
    flat = Domain(2, ((0, 0, 1), (0, 0, -1)))
    a, b = Network([[[1, 0]], [[1]]], [[0], [0]]), Network([[[1, 1]], [[1]]], [[0], [0]])
    c = Network([[[1, 0], [2, 0], [-2, 0]], [[1, 0, 0]]], [[0, 0, 0], [0]])
    for other in (b, c):
        assert equality(a, other, flat).verdict == "equal"
        assert equality(a, other, Domain.box(2, [(-1, 1), (0, 0)])).verdict == "equal"
    moved = Network([[[2, 1]], [[1]]], [[0], [0]])
    assert equality(a, moved, flat).verdict == "different"
