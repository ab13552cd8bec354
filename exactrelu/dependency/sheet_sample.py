"""A few facets of every class, connected by gluing ridges, and one ridge of every arc.

Large classes have thousands of facets, but a few suffice to determine a row; and a document that names only these
facets and ridges still shows that they belong together.  Every statement drawn from a class holds for a part of it.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass

import numpy as np

from exactrelu.dependency.dependency_graph import DependencyGraph

Array = np.ndarray
Neighbors = dict[int, list[tuple[int, int]]]
"""Facet -> (facet glued to it, the ridge that glues them)."""


@dataclass(frozen=True)
class SheetSample:
    """Chosen facets of every class and chosen ridges.

    Attributes:
        facets: chosen facets of every class; connected by `ridges`.
        ridges: gluing ridges between them, and one ridge for every arc of the graph.
    """

    facets: tuple[tuple[int, ...], ...]
    ridges: tuple[int, ...]


def gluing_neighbors(graph: DependencyGraph, usable: Array | None = None) -> Neighbors:
    """Return for every facet the facets glued to it, through usable ridges only (all by default)."""
    pairs, ridges = graph.pictures.glued, graph.pictures.glue_ridges
    if usable is not None:
        keep = usable[ridges]
        pairs, ridges = pairs[keep], ridges[keep]
    found: Neighbors = {}
    for (a, b), ridge in zip(pairs.tolist(), ridges.tolist()):
        found.setdefault(a, []).append((b, ridge))
        found.setdefault(b, []).append((a, ridge))
    return found


def path(neighbors: Neighbors, starts: list[int], goal: int) -> list[tuple[int, int]] | None:
    """Return (facet, ridge before it) along a shortest path from one of the facets to the goal; None if there is none."""
    before: dict[int, tuple[int, int]] = dict.fromkeys(starts, (-1, -1))
    queue = deque(starts)
    while queue and goal not in before:
        here = queue.popleft()
        for other, ridge in neighbors.get(here, ()):
            if other not in before:
                before[other] = here, ridge
                queue.append(other)
    if goal not in before:
        return None
    out = []
    while before[goal][0] >= 0:
        out.append((goal, before[goal][1]))
        goal = before[goal][0]
    return out[::-1]


def _walk(neighbors: Neighbors, start: int, limit: int) -> tuple[list[int], list[int]]:
    """Facets and ridges of a depth-first walk, which spreads over the sheet."""
    facets, ridges = [start], []
    seen, stack = {start}, [iter(neighbors.get(start, ()))]
    while stack and len(facets) < limit:
        for other, ridge in stack[-1]:
            if other not in seen:
                seen.add(other)
                facets.append(other)
                ridges.append(ridge)
                stack.append(iter(neighbors.get(other, ())))
                break
        else:
            stack.pop()
    return facets, ridges


def sheet_sample(graph: DependencyGraph, limit: int, usable: Array | None = None) -> SheetSample:
    """Return at most about `limit` facets a class (more where arcs need them).

    Args:
        usable: mask of the ridges that may be used (all by default); if they do not connect a class, only a part of it is
            returned.
    Cost: linear in the ridges, and a shortest path for every arc that needs one.
    """
    neighbors = gluing_neighbors(graph, usable)
    chosen: list[dict[int, None]] = []
    ridges: dict[int, None] = {}
    for members in graph.facets:
        facets, between = _walk(neighbors, int(members[0]), limit)
        chosen.append(dict.fromkeys(facets))
        ridges.update(dict.fromkeys(between))
    occurrences: dict[tuple[int, int], list[tuple[int, int, int]]] = {}
    for (a, b), ridge in zip(graph.pictures.arcs.tolist(), graph.pictures.arc_ridges.tolist()):
        if usable is None or usable[ridge]:
            occurrences.setdefault((int(graph.label[a]), int(graph.label[b])), []).append((a, b, ridge))
    for (p, q), found in occurrences.items():
        a, b, ridge = next((entry for entry in found if entry[0] in chosen[p] and entry[1] in chosen[q]), found[0])
        ridges[ridge] = None
        for number, facet in ((p, a), (q, b)):
            if facet not in chosen[number]:
                steps = path(neighbors, list(chosen[number]), facet)
                for other, between_ridge in steps if steps is not None else [(facet, ridge)]:
                    chosen[number][other] = None
                    ridges[between_ridge] = None
    return SheetSample(tuple(tuple(c) for c in chosen), tuple(ridges))
