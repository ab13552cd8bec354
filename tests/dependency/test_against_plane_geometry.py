"""The reader of ridge pictures against the definition: rays in the normal plane, cross and dot products, union-find."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction as F
from itertools import combinations

import pytest

from exactrelu.complexes.canonical_complex import CanonicalComplex
from exactrelu.complexes.function_complex import FunctionComplex, function_complex
from exactrelu.dependency.dependency_graph import dependency_graph
from exactrelu.network.network import Network
from exactrelu.polyhedra.domain import Domain
from tests.oracles.cases import CASES
from tests.slabs import integer_network, slab_domain, slab_network

Plane = tuple[F, F]


def cross(a: Plane, b: Plane) -> F:
    return a[0] * b[1] - a[1] * b[0]


def rays(f: FunctionComplex, ridge: int) -> list[tuple[int, Plane]]:
    """(facet, ray) of the visible facets, in coordinates given by two rows that vanish on the ridge."""
    one, two = f.ridge_equations(ridge)
    out = []
    for facet in f.ridges[ridge].tolist():
        point = f.facet_points[facet].tolist()
        out.append((facet, (F(sum(a * x for a, x in zip(one, point)), point[0]), F(sum(a * x for a, x in zip(two, point)), point[0]))))
    return out


def naive(f: FunctionComplex) -> tuple[Counter[tuple[int, int]], set[frozenset[int]], set[tuple[int, int]], set[int], set[int]]:
    """Pictures, classes (as sets of facets), arcs between facets' classes, ambiguous and impossible ridges."""
    parent = list(range(len(f.facet_rows)))

    def find(x: int) -> int:
        while parent[x] != x:
            x = parent[x]
        return x

    pictures: Counter[tuple[int, int]] = Counter()
    arcs, ambiguous, impossible = [], set(), set()
    for ridge in range(len(f.ridges)):
        here = rays(f, ridge)
        opposite = [(a, b) for a, b in combinations(range(len(here)), 2) if cross(here[a][1], here[b][1]) == 0]
        pictures[len(here), len(opposite)] += 1
        join: list[tuple[int, int]] = []
        if (len(here), len(opposite)) in ((2, 1), (4, 2)):
            join = opposite
        elif (len(here), len(opposite)) == (4, 1):
            (a, a2), = opposite
            b, b2 = (k for k in range(4) if k not in (a, a2))
            if cross(here[a][1], here[b][1]) * cross(here[a][1], here[b2][1]) < 0:
                join = [(a, a2), (b, b2)]
                arcs.append((here[a][0], here[b][0]))
            else:
                impossible.add(ridge)
        elif (len(here), len(opposite)) == (3, 0):
            lone = [k for k in range(3) if cross(here[k][1], here[(k + 1) % 3][1]) * cross(here[k][1], here[(k + 2) % 3][1]) < 0]
            if len(lone) == 1:
                k = lone[0]
                join = [((k + 1) % 3, (k + 2) % 3)]
                arcs.append((here[k][0], here[(k + 1) % 3][0]))
            else:
                ambiguous.add(ridge)
        else:
            impossible.add(ridge)
        for a, b in join:
            parent[find(here[a][0])] = find(here[b][0])
    classes: dict[int, set[int]] = {}
    for facet in range(len(parent)):
        classes.setdefault(find(facet), set()).add(facet)
    return pictures, set(map(frozenset, classes.values())), {(find(a), find(b)) for a, b in arcs}, ambiguous, impossible


def check(network: Network, domain: Domain) -> None:
    f = function_complex(CanonicalComplex.build(network, domain))
    graph = dependency_graph(f)
    pictures, classes, arcs, ambiguous, impossible = naive(f)
    assert {(a, b): n for a, b, n in graph.pictures.counts} == pictures
    assert {frozenset(map(int, facets)) for facets in graph.facets} == classes
    root = {facet: min(c) for c in classes for facet in c}
    own = {int(graph.label[min(c)]): min(c) for c in classes}
    assert {(own[a], own[b]) for a, b in graph.arcs} == {(root[a], root[b]) for a, b in arcs}
    assert set(graph.pictures.ambiguous.tolist()) == ambiguous
    assert set(graph.pictures.impossible.tolist()) == impossible


@pytest.mark.parametrize("case", [c for c in CASES if c.domain.has_interior], ids=str)
def test_degenerate_cases(case: object) -> None:
    check(case.network, case.domain)  # type: ignore[attr-defined]


@pytest.mark.parametrize("widths", [(2, 3, 3, 1), (3, 3, 2, 1), (2, 2, 2, 2, 1), (2, 4, 2, 2)])
def test_random_networks(widths: tuple[int, ...]) -> None:
    for seed in range(20):
        height = (1, 2, 4)[seed % 3]
        network = integer_network(widths, seed, height)
        check(network, Domain.space(widths[0]))
        check(network, Domain.box(widths[0], [(-3, 4)]))


def test_slabs() -> None:
    for widths in [(2, 3, 3, 1), (3, 2, 2, 1), (2, 2, 2, 2, 1)]:
        for seed in range(6):
            check(slab_network(widths, seed), slab_domain(widths[0]))
