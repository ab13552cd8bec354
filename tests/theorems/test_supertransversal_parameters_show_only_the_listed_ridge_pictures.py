"""Ridge pictures of supertransversal parameters, and what classes and arcs say about their neurons.

For a supertransversal theta: every ridge of f shows 2 opposite, 3, or 4 rays as listed; each class lies on one neuron; an
arc leads to a later layer; the layer bounds contain the true layer.  None of this is told to the reader of f.
"""

from __future__ import annotations

import numpy as np
import pytest

from exactrelu.complexes.bent_hyperplane import BentHyperplanes
from exactrelu.complexes.canonical_complex import CanonicalComplex
from exactrelu.complexes.function_complex import function_complex
from exactrelu.dependency.dependency_graph import dependency_graph
from exactrelu.genericity.geometry import Geometry
from exactrelu.genericity.supertransversality import supertransversality
from exactrelu.network.network import Network
from exactrelu.polyhedra.domain import Domain
from tests.slabs import integer_network, slab_domain, slab_network

ARCHITECTURES = [(2, 2, 1), (2, 2, 2, 1), (2, 3, 2, 1), (2, 3, 3, 1), (3, 2, 2, 1), (3, 3, 2, 2),
                 (2, 2, 2, 2, 1), (2, 1, 2, 1), (3, 3, 3, 1)]
PICTURES = {(2, 1), (3, 0), (4, 1), (4, 2)}
QUADRANT = Domain(2, ((0, 1, 0), (0, 0, 1)))


def check(network: Network, domain: Domain) -> bool:
    """Test one parameter; False if it is not supertransversal."""
    complex_ = CanonicalComplex.build(network, domain)
    if not supertransversality(Geometry(complex_)):
        return False
    graph = dependency_graph(function_complex(complex_))
    assert graph.obstruction is None
    assert {(rays, pairs) for rays, pairs, _ in graph.pictures.counts} <= PICTURES
    assert graph.check()
    if not graph.classes:
        return True
    bends = BentHyperplanes(complex_).contains(complex_.fan.dimension - 1)[graph.function.facet_cones]
    assert (bends.sum(axis=1) == 1).all()
    neuron = np.argmax(bends, axis=1)
    layers = []
    for facets in graph.facets:
        assert len(np.unique(neuron[facets])) == 1, "a class lies on two neurons"
        layers.append(complex_.network.architecture.neuron(int(neuron[facets[0]])).layer)
    assert graph.check(layers), "an arc against the order of the layers"
    for layer, (low, high) in zip(layers, graph.layer_bounds(network.architecture.hidden_layers)):
        assert low <= layer <= high
    return True


def run(count: int, start: int) -> int:
    found, seed = 0, start
    while found < count:
        widths = ARCHITECTURES[seed % len(ARCHITECTURES)]
        box = Domain.box(widths[0], [(-12, 13)])
        domain = (box, Domain.space(widths[0]), QUADRANT if widths[0] == 2 else box)[seed // len(ARCHITECTURES) % 3]
        found += check(integer_network(widths, seed, 5), domain)
        seed += 1
    return found


def test_supertransversal_parameters_show_only_the_listed_ridge_pictures() -> None:
    assert run(2000, 0) == 2000


@pytest.mark.slow
def test_many_supertransversal_parameters() -> None:
    assert run(6000, 100_000) == 6000


@pytest.mark.parametrize("widths", [(2, 2, 2, 1), (2, 3, 3, 1), (3, 2, 2, 1), (2, 2, 2, 2, 2, 1), (4, 2, 3, 2, 1)])
def test_slabs(widths: tuple[int, ...]) -> None:
    assert sum(check(slab_network(widths, seed), slab_domain(widths[0])) for seed in range(8)) >= 4
