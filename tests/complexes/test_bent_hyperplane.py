"""Bent hyperplanes: where the activity of a neuron switches, which may be less than where it vanishes."""

from __future__ import annotations

import numpy as np

from exactrelu.complexes.bent_hyperplane import BentHyperplanes
from exactrelu.complexes.canonical_complex import CanonicalComplex
from exactrelu.network.network import Network
from exactrelu.polyhedra.domain import Domain

FLAT = Network([[[1]], [[1]], [[1]]], [[0], [0], [0]])                        # z_2 = relu(x): zero for x <= 0
TOUCH = Network([[[1], [-1]], [[1, 1]], [[1]]], [[0, 0], [0], [0]])           # z_2 = |x|
HAT = Network([[[1], [-1]], [[-1, -1]], [[1]]], [[0, 0], [1], [0]])           # z_2 = 1 - |x|
CONE = Network([[[1, 0, 0], [-1, 0, 0], [0, 1, 0], [0, -1, 0], [0, 0, 1], [0, 0, -1]], [[1, 1, 1, 1, -1, -1]], [[1]]],
               [[0] * 6, [0], [0]])                                           # z_2 = |x| + |y| - |z|


def bent(network: Network, domain: Domain | None = None) -> BentHyperplanes:
    return BentHyperplanes(CanonicalComplex.build(network, domain))


def by_definition(found: BentHyperplanes) -> None:
    """contains(level)[c, j] iff c is a face of an interior facet on whose sides j has different activity."""
    complex_ = found.complex
    top, fan = complex_.fan.dimension, complex_.fan
    one, two = complex_.sides
    for j in range(fan.neurons):
        facets = [int(f) for f, a, b in zip(complex_.facets, one, two, strict=True)
                  if (complex_.full_cell(int(a)).signs[j] > 0) != (complex_.full_cell(int(b)).signs[j] > 0)]
        assert found.facets(j).tolist() == facets
        below = set(facets)
        for k in range(top - 1, 0, -1):
            inside = set(complex_.interior(k).tolist())
            assert set(np.flatnonzero(found.contains(k)[:, j]).tolist()) == below & inside
            if k > 1:
                starts, index = fan.facets(k)
                below = {int(f) for c in below for f in index[starts[c]:starts[c + 1]]}
    assert not found.contains(top).any()


def test_a_neuron_that_vanishes_on_a_full_cell() -> None:
    found = bent(FLAT)
    assert sorted(found.zero_counts[2].tolist()) == [0, 1] and not found.zero_count_generic
    assert found.facets(0).tolist() == found.facets(1).tolist() and len(found.facets(1)) == 1
    assert found.strong_components == found.topological_components == (1, 1)
    by_definition(found)


def test_a_neuron_that_only_touches_zero() -> None:
    found = bent(TOUCH)
    facet = int(found.complex.facets[0])
    assert found.zero_counts[1][facet] == 3 and found.counts[1][facet] == 2
    assert len(found.facets(2)) == 0 and found.strong_components == (1, 1, 0)
    by_definition(found)


def test_two_points_are_two_components() -> None:
    found = bent(HAT)
    assert found.strong_components == found.topological_components == (1, 1, 2)
    by_definition(found)
    inside = bent(HAT, Domain.box(1, [("-1/2", 3)]))
    assert inside.strong_components == (1, 1, 1)


def test_a_double_cone_hangs_together_at_its_apex_only() -> None:
    found = bent(CONE)
    assert found.strong_components[6] == 2 and found.topological_components[6] == 1
    assert found.strong_components[:6] == (1,) * 6
    by_definition(found)
    cut = bent(CONE, Domain(3, ((-1, 0, 0, 1),)))                              # z >= 1: the apex is gone
    assert cut.topological_components[6] == 1 == cut.strong_components[6]


def test_generic_and_boundary() -> None:
    network = Network([[[1, 0], [0, 1]], [[1, -1]], [[1]]], [[0, 0], [-1], [0]])
    for domain in (None, Domain.box(2, [(-1, 3)])):
        found = bent(network, domain)
        assert found.zero_count_generic
        by_definition(found)
    boundary = found.words_with_boundary
    assert any((boundary[k][found.complex.fan.labels[k] != 0] != 0).any() for k in (1,))


def test_no_neuron_and_a_point() -> None:
    assert bent(Network([[[1, 2]]], [[0]])).strong_components == ()
    point = bent(FLAT, Domain.box(1, [(1, 1)]))
    assert point.facets(0).tolist() == [] and point.strong_components == (0, 0)
