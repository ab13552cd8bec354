"""Flip-freeness against its definition: try every set of neurons at points of the bent hyperplanes."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from exactrelu.certificates.verdict import Fails, Holds
from exactrelu.certification.flip_freeness import flip_freeness
from exactrelu.complexes.bent_hyperplane import BentHyperplanes
from exactrelu.complexes.canonical_complex import CanonicalComplex
from exactrelu.network.forward import preactivations
from exactrelu.network.network import Network
from exactrelu.polyhedra.domain import Domain
from tests.slabs import integer_network, slab_domain, slab_network


def pieces(complex_: CanonicalComplex, layer: int, w: int) -> list[tuple[object, ...]]:
    """Vertices of the pieces of B_w, or of all cells for the last layer (bounded domains only)."""
    network = complex_.network.architecture
    top = complex_.fan.dimension
    if layer == network.hidden_layers:
        return [v for c in range(complex_.full_cells) for v in complex_.full_cell(c).vertices]
    cones = BentHyperplanes(complex_).facets(network.offsets[layer] + w)
    return [v for c in cones.tolist() for v in complex_.cell(top - 2, c).vertices]


def brute(complex_: CanonicalComplex) -> bool:
    """Whether no set can be reversed, by trying all sets."""
    network = complex_.network
    for layer in range(1, network.architecture.hidden_layers + 1):
        tables = []
        for w, row in enumerate(network.weights[layer]):
            points = dict.fromkeys(pieces(complex_, layer, w))
            values = [[a * z for a, z in zip(row, preactivations(network, v)[layer - 1])] for v in points]
            tables.append(np.array(values, dtype=object).reshape(len(values), len(row)))
        for chosen in product((0, 1), repeat=network.architecture.hidden_widths[layer - 1]):
            if any(chosen) and all(len(set((t @ np.array(chosen, dtype=object)).tolist())) <= 1 for t in tables):
                return False
    return True


@pytest.mark.parametrize("widths", [(2, 2, 1), (2, 2, 2, 1), (2, 3, 2, 1), (3, 2, 2, 1), (2, 1, 2, 1)])
def test_against_all_sets(widths: tuple[int, ...]) -> None:
    seen = set()
    for seed in range(40):
        complex_ = CanonicalComplex.build(integer_network(widths, ("flip", seed), 1 + seed % 3), Domain.box(widths[0], [(-3, 4)]))
        found = flip_freeness(complex_)
        assert isinstance(found, Holds) == brute(complex_), seed
        if isinstance(found, Fails):
            assert found.witness.neurons
        seen.add(found.word)
    assert seen == ({"holds", "fails"} if 1 not in widths[1:-1] else {"fails"})      # one neuron is constant on its level sets


def test_slabs_and_unbounded_domains() -> None:
    assert flip_freeness(CanonicalComplex.build(slab_network((2, 2, 2, 1), 0), slab_domain(2)))
    absolute = Network([[[1], [-1]], [[1, 1]]], [[0, 0], [0]])
    assert not flip_freeness(CanonicalComplex.build(absolute, Domain.space(1)))          # x - x = 0: both can be reversed
    assert flip_freeness(CanonicalComplex.build(Network([[[1], [2]], [[1, 1]]], [[0, 1], [0]]), Domain.space(1)))
