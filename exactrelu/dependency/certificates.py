"""Documents about f alone: the whole dependency graph, depth bounds, and functions without supertransversal realization.

They restate the network, because a document has to be complete in itself; what they claim is about its function.
Kinds: `function-geometry` (all classes and arcs, from the list of vertices), `depth` (the points along one chain),
`not-shallow` (one germ; no genericity at all), `not-supertransversal-function` (one ridge with all its rays).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from exactrelu.arithmetic.rational import affine_point, point_text, rational_text
from exactrelu.certificates.certificate import Certificate
from exactrelu.complexes.bent_hyperplane import BentHyperplanes
from exactrelu.complexes.canonical_complex import CanonicalComplex
from exactrelu.dependency.dependency_graph import DependencyGraph
from exactrelu.dependency.layering import chain
from exactrelu.dependency.shallowness import NotShallow, direction_between
from exactrelu.dependency.sheet_sample import Neighbors, gluing_neighbors, path

Array = np.ndarray
Row = tuple[int, ...]


def _claim(complex_: CanonicalComplex, kind: str, **fields: Any) -> dict[str, Any]:
    return {"kind": kind, "network": complex_.network.claim(), "domain": complex_.domain.claim(), **fields}


def _row_text(row: Any) -> str:
    return " ".join(rational_text(x) for x in row)


def function_geometry_certificate(complex_: CanonicalComplex, graph: DependencyGraph) -> Certificate:
    """Return the document of the whole graph.

    It exists for complexes whose cells of codimension k have exactly k vanishing neurons and walls; the checker refuses
    others.
    """
    bounds = sorted([lo, down] for lo, down in zip(graph.lower, graph.down))

    def evidence() -> dict[str, Any]:
        return {"vertices": [point_text(ray) for ray in complex_.fan.coordinates.tolist() if ray[0]]}

    return Certificate(_claim(complex_, "function-geometry", classes=graph.classes, arcs=len(graph.arcs),
                              ambiguous_ridges=len(graph.pictures.ambiguous), bounds=bounds), evidence)


def depth_certificate(complex_: CanonicalComplex, graph: DependencyGraph) -> Certificate | None:
    """Return the document that every supertransversal realization has at least as many hidden layers as the longest chain.

    The evidence follows one chain: the ridges of its arcs, and ridges that glue the facets in between.  A ridge at which
    more than its two neurons vanish cannot be used; then a shorter chain is certified, or None if there is none.
    """
    level = complex_.fan.dimension - 2
    usable = BentHyperplanes(complex_).zero_counts[level][graph.function.ridge_cones] == 2 if level >= 1 else np.zeros(0, bool)
    pictures = graph.pictures
    arcs: dict[tuple[int, int], list[int]] = {}
    for k in np.flatnonzero(usable[pictures.arc_ridges]).tolist():
        a, b = pictures.arcs[k].tolist()
        arcs.setdefault((int(graph.label[a]), int(graph.label[b])), []).append(k)
    classes = chain(graph.classes, sorted(arcs))
    neighbors = gluing_neighbors(graph, usable)
    best = _connected_chain(graph, classes, arcs, neighbors)
    if not best:
        return None
    length, ridges, facets = best
    if length == 1:                                    # no ridge is needed, but a facet on which its neuron alone vanishes
        clean = np.flatnonzero(BentHyperplanes(complex_).zero_counts[level + 1][graph.function.facet_cones] == 1)
        if not len(clean):
            return None
        ridges, facets = [], [int(clean[0])]
    points = [graph.function.ridge_points[r] for r in ridges] + [graph.function.facet_points[f] for f in facets]
    texts = list(dict.fromkeys(point_text(p.tolist()) for p in points))
    return Certificate(_claim(complex_, "depth", depth=length), {"points": texts})


def _connected_chain(graph: DependencyGraph, classes: list[int], arcs: dict[tuple[int, int], list[int]],
                     neighbors: Neighbors) -> tuple[int, list[int], list[int]] | None:
    """The part of a chain that gluing ridges connect: its length, the ridges and the facets used."""
    if not classes:
        return None
    pictures = graph.pictures
    ridges: list[int] = []
    facets: list[int] = [int(graph.facets[classes[0]][0])]
    at: int | None = None
    for length, (p, q) in enumerate(zip(classes, classes[1:]), start=1):
        found = None
        for k in arcs[p, q]:
            a, b = pictures.arcs[k].tolist()
            steps = [] if at is None else path(neighbors, [at], a)
            if steps is not None:
                found = (steps, int(pictures.arc_ridges[k]), a, b)
                break
        if found is None:
            return length, ridges, facets
        steps, ridge, a, b = found
        ridges += [*(r for _, r in steps), ridge]
        facets += [*(f for f, _ in steps), a, b]
        at = b
    return len(classes), ridges, facets


def not_shallow_certificate(complex_: CanonicalComplex, graph: DependencyGraph, found: NotShallow) -> Certificate:
    """Return the document that no network with one hidden layer, of any width, has the function on the domain."""
    function = graph.function
    x = function.ridge_points[found.ridge].tolist()
    y = function.facet_points[found.facet].tolist()
    u = direction_between(x, y)
    n = function.facet_rows[found.facet].tolist()[1:]
    point = [rational_text(c) for c in affine_point(x)]
    return Certificate(_claim(complex_, "not-shallow", point=point), {"directions": [_row_text(u), _row_text(n)]})


def not_supertransversal_certificate(complex_: CanonicalComplex, graph: DependencyGraph, ridge: int) -> Certificate:
    """Return the document that no supertransversal parameter, of any architecture, has the function on the domain.

    Evidence: directions into all facets around the ridge, hidden ones too, in cyclic order.
    """
    fan, top = complex_.fan, complex_.fan.dimension
    cone = int(graph.function.ridge_cones[ridge])
    starts, owner = fan.cofacets(top - 2)
    x = graph.function.ridge_points[ridge].tolist()
    one, two = graph.function.ridge_equations(ridge)
    directions = []
    for facet in owner[starts[cone]:starts[cone + 1]].tolist():
        rays = [complex_.ambient(fan.ray(int(r))) for r in fan.generators(top - 1, facet)]
        y = [sum(column) for column in zip(*rays)]
        u = direction_between(x, y)
        directions.append((_plane(one, u), _plane(two, u), u))
    ordered = sorted(directions, key=lambda d: _Angle(d[0], d[1]))
    point = [rational_text(c) for c in affine_point(x)]
    return Certificate(_claim(complex_, "not-supertransversal-function", point=point), {"rays": [_row_text(u) for _, _, u in ordered]})


def _plane(row: Row, direction: Row) -> int:
    return sum(a * b for a, b in zip(row[1:], direction))


class _Angle:
    """Exact order of directions of the plane by angle from the positive first axis."""

    def __init__(self, x: int, y: int) -> None:
        self.half, self.x, self.y = int(y < 0 or (y == 0 and x < 0)), x, y

    def __lt__(self, other: _Angle) -> bool:
        return self.half < other.half if self.half != other.half else self.x * other.y - self.y * other.x > 0
