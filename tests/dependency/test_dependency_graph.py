"""Classes, arcs, layer bounds, exports and the check, on functions whose graph is known by hand."""

from __future__ import annotations

import json
from pathlib import Path

import networkx
import pytest

import exactrelu
from exactrelu.complexes.canonical_complex import CanonicalComplex
from exactrelu.complexes.function_complex import function_complex
from exactrelu.dependency.dependency_graph import DependencyGraph, dependency_graph
from exactrelu.dependency.layering import chain, longest_chains, raised
from exactrelu.dependency.report import dependency_report
from exactrelu.dependency.shallowness import first_nonshallow_ridge, nonshallow_ridges
from exactrelu.dependency.sheet_sample import gluing_neighbors, path, sheet_sample
from exactrelu.errors import DomainError, PreconditionError
from exactrelu.network.network import Network
from exactrelu.polyhedra.domain import Domain
from tests.slabs import slab_domain, slab_network

THREE_RAY = Network([[[1, -1], [1, 0], [0, 1]], [[1, 0, 1], [0, 2, 3]], [[1, 1]]], [[0, 4, 4], [-4, 1], [-21]])
RAY_BOX = Domain.box(2, [(-2, 3), (-3, 2)])
CROSS = Network([[[1, 0], [0, 1]], [[1, 1]]], [[0, 0], [0]])
CONCURRENT = Network([[[1, 0], [0, 1], [1, 1]], [[1, 2, 3]]], [[0, 0, 0], [0]])


def graph_of(network: Network, domain: Domain | None = None) -> DependencyGraph:
    return dependency_graph(function_complex(CanonicalComplex.build(network, domain)))


def test_a_slab_has_a_chain_of_full_length() -> None:
    graph = graph_of(slab_network((2, 2, 2, 2, 1), 0), slab_domain(2))
    assert graph.classes == 6 and graph.depth_bound == 3 and graph.acyclic and graph.obstruction is None
    assert graph.lower == [lo for lo, _ in graph.layer_bounds(3)]
    assert all(low == high for low, high in graph.layer_bounds(3))
    assert len(graph.longest_chain) == 3 and all(pair in graph.arcs for pair in zip(graph.longest_chain, graph.longest_chain[1:]))
    assert graph.check() and not graph.check([1] * graph.classes)


def test_three_rays_are_ambiguous() -> None:
    graph = graph_of(THREE_RAY, RAY_BOX)
    assert graph.pictures.counts == ((3, 0, 1),) and graph.classes == 3 and graph.arcs == ()
    written = graph.ambiguous_json(int(graph.pictures.ambiguous[0]))
    assert written == {"point": ["0", "0"], "readings": [0, 1, 2]} and graph.depth_bound == 1


def test_concurrent_lines_are_no_supertransversal_picture() -> None:
    graph = graph_of(CONCURRENT)
    assert graph.obstruction is not None and "6 rays with 3 opposite pairs" in graph.obstruction.reason
    report = dependency_report(CanonicalComplex.build(CONCURRENT))
    assert report.verdict == "not-supertransversal" and report.unconditional_depth == 1


def test_affine_functions_and_one_input() -> None:
    flat = graph_of(Network([[[0, 0]], [[1]]], [[1], [0]]))
    assert flat.classes == 0 and flat.depth_bound == 0 and flat.check() and flat.longest_chain == []
    line = graph_of(Network([[[1], [1]], [[1, 2]]], [[0, 1], [0]]))
    assert line.classes == 2 and line.arcs == () and line.pictures.counts == ()


def test_a_cycle_is_an_obstruction() -> None:
    plain = graph_of(CROSS)
    cyclic = DependencyGraph(plain.function, plain.pictures, plain.label, ((0, 1), (1, 0)))
    assert not cyclic.acyclic and cyclic.obstruction is not None and set(cyclic.obstruction.cycle) == {0, 1}
    assert not cyclic.check() and cyclic.to_json()["depth_bound"] is None
    with pytest.raises(PreconditionError):
        _ = cyclic.lower


def test_exports(tmp_path: Path) -> None:
    graph = graph_of(slab_network((2, 2, 2, 1), 0), slab_domain(2))
    made = graph.to_networkx()
    assert set(made.edges) == set(graph.arcs) and networkx.is_directed_acyclic_graph(made)
    read = networkx.read_graphml(graph.write_graphml(tmp_path / "g.graphml"))
    assert read.number_of_nodes() == graph.classes and read.number_of_edges() == len(graph.arcs)
    assert json.loads(graph.write_json(tmp_path / "g.json").read_text()) == graph.to_json()


def test_layering() -> None:
    assert longest_chains(4, [(0, 1), (1, 2), (0, 3)]) == [1, 2, 3, 2]
    assert raised([1, 1, 1], [(0, 2)]) == [1, 1, 2] and raised([3, 1], [(0, 1)]) == [3, 4] and raised([1, 1], [(0, 1), (1, 0)]) is None
    assert chain(4, [(0, 1), (1, 2), (0, 3)]) == [0, 1, 2] and chain(0, []) == []


def test_shallow_functions_have_no_unshallow_ridge() -> None:
    assert first_nonshallow_ridge(graph_of(CROSS).function) is None
    assert first_nonshallow_ridge(graph_of(CONCURRENT).function) is None
    found = nonshallow_ridges(graph_of(THREE_RAY, RAY_BOX).function)
    assert len(found) == 1
    slab = graph_of(slab_network((2, 2, 2, 1), 0), slab_domain(2))
    bends = {int(r) for r in slab.pictures.arc_ridges}
    assert {entry.ridge for entry in nonshallow_ridges(slab.function)} == bends


def test_sheet_samples_are_connected() -> None:
    graph = graph_of(slab_network((2, 3, 3, 3, 1), 2), slab_domain(2))
    neighbors = gluing_neighbors(graph)
    for limit in (1, 3, 100):
        sample = sheet_sample(graph, limit)
        for members, facets in zip(sample.facets, graph.facets):
            assert set(members) <= set(facets.tolist())
            inside = {a: [(b, r) for b, r in neighbors.get(a, ()) if r in sample.ridges and b in members] for a in members}
            assert all(path(inside, [members[0]], goal) is not None for goal in members)
        found = zip(graph.pictures.arcs.tolist(), graph.pictures.arc_ridges.tolist())
        kept = [(a, b) for (a, b), r in found
                if r in sample.ridges and a in sample.facets[graph.label[a]] and b in sample.facets[graph.label[b]]]
        assert {(int(graph.label[a]), int(graph.label[b])) for a, b in kept} == set(graph.arcs)


def test_report_names_neurons_and_the_room_can_be_called() -> None:
    report = exactrelu.dependency(slab_network((2, 2, 2, 1), 0), slab_domain(2))
    assert [neurons for entry in report.to_json()["classes"] for neurons in entry["neurons"]] == [[1, 0], [1, 1], [2, 0], [2, 1]]
    assert report.to_json()["layer_bounds"] == [[1, 1], [1, 1], [2, 2], [2, 2]] and report.unconditional_depth == 2
    with pytest.raises(DomainError):
        exactrelu.dependency(CROSS, Domain(2, ((0, 1, -1), (0, -1, 1))))
