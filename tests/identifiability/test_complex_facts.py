"""Activity facts of a complex against the signs of its full cells."""

from __future__ import annotations

import random

import pytest

from exactrelu.complexes.canonical_complex import CanonicalComplex
from exactrelu.identifiability.complex_facts import complex_facts
from exactrelu.identifiability.symmetry_bound.activity_facts import ActivityFacts
from exactrelu.network.architecture import Neuron
from exactrelu.network.network import Network
from exactrelu.polyhedra.domain import Domain


@pytest.mark.parametrize("seed", range(8))
def test_facts_by_enumeration(seed: int) -> None:
    rng, widths = random.Random(seed), (2, 3, 2, 2, 1)
    network = Network([[[rng.randint(-2, 2) for _ in range(m)] for _ in range(n)] for m, n in zip(widths, widths[1:], strict=False)],
                      [[rng.randint(-3, 3) for _ in range(n)] for n in widths[1:]])
    built = CanonicalComplex.build(network, Domain.box(2, [(-1, 1)]))
    signs = [built.full_cell(c).signs for c in range(built.full_cells)]
    hidden = [Neuron(layer, i) for layer in (1, 2, 3) for i in range(widths[layer])]
    dead = {v for k, v in enumerate(hidden) if all(s[k] <= 0 for s in signs)}
    always = {v for k, v in enumerate(hidden) if all(s[k] >= 0 for s in signs)} - dead
    pairs = {(v, w) for j, v in enumerate(hidden) for k, w in enumerate(hidden)
             if w.layer == v.layer + 1 and not any(s[j] > 0 and s[k] > 0 for s in signs)}
    facts = complex_facts(built)
    assert (facts.dead, facts.always_active, facts.zero_pairs) == (dead, always, pairs)


def test_a_neuron_that_vanishes_everywhere_is_dead() -> None:
    facts = complex_facts(CanonicalComplex.build(Network([[[0]], [[1]]], [[0], [0]])))
    assert facts.dead == {Neuron(1, 0)} and not facts.always_active


def test_without_neurons() -> None:
    assert complex_facts(CanonicalComplex.build(Network([[[1]]], [[0]]))) == ActivityFacts()
