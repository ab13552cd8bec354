"""Verdicts with their certificates: every mechanism of non-identifiability, and honest undecided answers."""

from __future__ import annotations

import random
from fractions import Fraction

import pytest

from exactrelu.certification.certify import certify
from exactrelu.errors import DomainError, ShapeError
from exactrelu.identifiability.functional_dimension import functional_dimension
from exactrelu.limits import Limits
from exactrelu.network.forward import value
from exactrelu.network.network import Network
from exactrelu.network.trivial_symmetry import TrivialSymmetry, equivalent
from exactrelu.polyhedra.domain import Domain

SQUARE = Domain.box(2, [(-1, 1)])
PLANE = Domain.space(2)


def refuted(network: Network, domain: Domain, words: str) -> None:
    """The verdict is not-identifiable for this reason, and the second parameter is a real one."""
    found = certify(network, domain)
    assert found.verdict == "not-identifiable"
    assert found.witness is not None and found.certificate is not None
    assert words in found.reason
    found.certificate.verify()
    assert equivalent(network, found.witness.network).word == "fails"
    rng = random.Random(1)
    for _ in range(100):
        x = [Fraction(rng.randint(-60, 60), 60) for _ in range(domain.dimension)]
        assert value(network, x) == value(found.witness.network, x)


def test_zero_outgoing_column() -> None:
    refuted(Network([[[1, 0], [0, 1]], [[1, 0]]], [[0, 0], [1]]), PLANE, "zero outgoing column")


def test_dead_neuron_on_a_box() -> None:
    refuted(Network([[[1, 0], [1, 1]], [[1, 3]]], [[0, -2], [1]]), SQUARE, "never positive")


def test_always_active_neuron_on_a_box() -> None:
    refuted(Network([[[1, 0], [1, 1]], [[1, 3]]], [[0, 2], [1]]), SQUARE, "never negative")


def test_twins() -> None:
    refuted(Network([[[1, 1], [2, 2], [1, -1]], [[1, 3, 1]]], [[1, 2, 0], [0]]), PLANE, "proportional")


def test_neurons_that_are_never_active_together() -> None:
    # a second-layer neuron that is active only where x < 0, fed by a neuron that is active where x > 1
    net = Network([[[1, 0], [-1, 0], [0, 1]], [[-2, 1, 0], [1, 1, 1]], [[1, 1]]], [[-1, 0, 0], [0, -1], [0]])
    refuted(net, PLANE, "never active together")


def test_zero_row_and_constant_network() -> None:
    refuted(Network([[[0, 0], [1, 2]], [[1, 1]]], [[0, 1], [0]]), PLANE, "never positive")
    refuted(Network([[[0, 0]], [[0]]], [[3], [1]]), PLANE, "zero outgoing column")


def test_no_hidden_layer_is_locally_identifiable() -> None:
    found = certify(Network([[[1, 2], [3, 4]]], [[5, 6]]), SQUARE)
    assert found.verdict == "locally-identifiable"
    assert found.dimension.lower == 6


def test_the_verdict_is_invariant_under_trivial_symmetries() -> None:
    rng = random.Random(5)
    for seed in range(6):
        rng.seed(seed)
        widths = (2, 3, 2, 1)
        net = Network([[[rng.randint(-2, 2) for _ in range(m)] for _ in range(n)] for m, n in zip(widths, widths[1:])],
                      [[rng.randint(-2, 2) for _ in range(n)] for n in widths[1:]])
        moved = TrivialSymmetry.random(net.architecture, rng).act(net)
        for domain in (PLANE, SQUARE):
            assert certify(net, domain).verdict == certify(moved, domain).verdict
            assert functional_dimension(net, domain).lower == functional_dimension(moved, domain).lower


def test_undecided_names_the_gap() -> None:
    # |x| by two neurons that switch at one point: the rank is 4, one below N - H, and nothing simple moves
    gap = certify(Network([[[1], [-1]], [[1, 1]]], [[0, 0], [0]]), Domain.space(1))
    assert (gap.verdict, gap.dimension.lower, gap.dimension.upper) == ("undecided", 4, 4)
    assert "functional dimension is 4, below N - H = 5" in gap.reason and "share a hyperplane" in gap.reason
    found = certify(Network([[[1, 0], [1, 1]], [[1, 3]]], [[0, 2], [1]]), SQUARE, limits=Limits(max_cells=2))
    assert found.verdict in ("undecided", "not-identifiable")
    if found.verdict == "undecided":
        assert "max_cells" in found.reason + " ".join(found.dimension.notes)


def test_domains_without_interior_are_refused() -> None:
    net = Network([[[1, 0]], [[1]]], [[0], [0]])
    for rows in (((0, 1, 0), (0, -1, 0)), ((-1, 1, 0), (0, -1, 0)), ((-1, 0, 0),)):
        with pytest.raises(DomainError):
            functional_dimension(net, Domain(2, rows))
    with pytest.raises(ShapeError):
        functional_dimension(net, Domain.space(3))


def test_json_is_complete() -> None:
    found = certify(Network([[[1, 0], [1, 1]], [[1, 3]]], [[0, 2], [1]]), SQUARE).to_json()
    assert set(found["tiers"]) == {"local", "supertransversal", "all"}
    assert found["witness"]["network"]["format"] == "exactrelu/network"
    assert found["conditions"]["supertransversality"] == "holds"
