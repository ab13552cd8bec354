"""The dependency graph of f: candidate bent hyperplanes, and which of them bends along which.

Classes are the visible facets glued across ridges as the pictures demand.  Theorem: for every supertransversal
parameter (of any architecture) that realizes f, each class lies in the bent hyperplane of a single neuron, and an arc
p -> q means that the neuron of q is in a later layer.  So a cycle, or a ridge with an impossible picture, refutes every
supertransversal parameter; and a chain of k classes needs at least k hidden layers.
Source: paper A (dependency graph); nothing but f is looked at.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from exactrelu.arithmetic.rational import affine_point, rational_text
from exactrelu.certificates.verdict import Fails, Holds, Verdict
from exactrelu.complexes.components import component_labels
from exactrelu.complexes.function_complex import FunctionComplex
from exactrelu.dependency.layering import chain, longest_chains
from exactrelu.dependency.ridge_picture import RidgePictures, ridge_pictures
from exactrelu.errors import PreconditionError

if TYPE_CHECKING:
    import networkx

Array = np.ndarray


@dataclass(frozen=True)
class Obstruction:
    """Why no supertransversal parameter of any architecture realizes f.

    Attributes:
        reason: one sentence.
        ridge: number of a ridge with an impossible picture, or None.
        cycle: classes of a directed cycle of arcs, or ().
    """

    reason: str
    ridge: int | None
    cycle: tuple[int, ...] = ()


@dataclass(frozen=True, eq=False)
class DependencyGraph:
    """Classes and arcs; make it with `dependency_graph`.

    Attributes:
        function: f without a parameter.
        pictures: the reading of the ridges.
        label: class of every visible facet, numbered by first facet, shape (F,).
        arcs: distinct pairs (p, q), sorted.
    """

    function: FunctionComplex
    pictures: RidgePictures
    label: Array
    arcs: tuple[tuple[int, int], ...]

    def __repr__(self) -> str:
        return f"<DependencyGraph: {self.classes} classes, {len(self.arcs)} arcs>"

    @property
    def classes(self) -> int:
        """Number of classes."""
        return int(self.label.max()) + 1 if len(self.label) else 0

    @cached_property
    def facets(self) -> list[Array]:
        """The visible facets of every class."""
        order = np.argsort(self.label, kind="stable")
        return np.split(order, np.cumsum(np.bincount(self.label, minlength=self.classes))[:-1]) if self.classes else []

    @cached_property
    def obstruction(self) -> Obstruction | None:
        """Why f has no supertransversal realization, if the ridges show it."""
        if len(self.pictures.impossible):
            ridge = int(self.pictures.impossible[0])
            point = ", ".join(map(rational_text, affine_point(self.function.ridge_points[ridge].tolist())))
            picture = f"{self.pictures.rays[ridge]} rays with {self.pictures.pairs[ridge]} opposite pairs"
            return Obstruction(f"the ridge through ({point}) shows {picture}, which no supertransversal parameter has", ridge)
        if longest_chains(self.classes, self.arcs) is None:
            import networkx

            cycle = tuple(int(a) for a, _ in networkx.find_cycle(self.to_networkx()))
            reason = f"the arcs form a directed cycle of {len(cycle)} classes, which no supertransversal parameter has"
            return Obstruction(reason, None, cycle)
        return None

    @property
    def acyclic(self) -> bool:
        """Whether the arcs form no directed cycle."""
        return longest_chains(self.classes, self.arcs) is not None

    @cached_property
    def lower(self) -> list[int]:
        """Lower layer bound of every class: classes on the longest chain that ends there.

        Raises:
            PreconditionError: the arcs form a cycle, so there are no layers.
        """
        found = longest_chains(self.classes, self.arcs)
        if found is None:
            raise PreconditionError("the arcs form a cycle: no layers are possible")
        return found

    @cached_property
    def down(self) -> list[int]:
        """Number of classes on the longest chain that starts at every class."""
        found = longest_chains(self.classes, [(b, a) for a, b in self.arcs])
        if found is None:
            raise PreconditionError("the arcs form a cycle: no layers are possible")
        return found

    @property
    def depth_bound(self) -> int:
        """Every supertransversal realization of f has at least this many hidden layers (0: none needed)."""
        return max(self.lower, default=0)

    @cached_property
    def longest_chain(self) -> list[int]:
        """Classes of one longest chain."""
        return chain(self.classes, self.arcs)

    def layer_bounds(self, hidden_layers: int) -> list[tuple[int, int]]:
        """Return (lo, hi) of every class for supertransversal realizations with this many hidden layers."""
        return [(lo, hidden_layers + 1 - down) for lo, down in zip(self.lower, self.down)]

    def check(self, layers: list[int] | None = None) -> Verdict:
        """Return whether the graph is acyclic and the layers increase along the arcs.

        Args:
            layers: a layer for every class; the lower bounds by default.
        """
        if not self.acyclic:
            return Fails(self.obstruction, None, {"reason": "the arcs form a cycle"})
        given = self.lower if layers is None else layers
        for a, b in self.arcs:
            if not given[a] < given[b]:
                return Fails((a, b), None, {"reason": f"arc {a} -> {b} does not increase the layer: {given[a]}, {given[b]}"})
        return Holds(None, {"reason": "acyclic, and the layers increase along every arc"})

    def class_hyperplanes(self, number: int) -> list[list[int]]:
        """Rows (b, a) of the hyperplanes that carry the facets of a class."""
        return [list(self.function.hyperplanes[h]) for h in np.unique(self.function.hyperplane[self.facets[number]]).tolist()]

    def to_networkx(self) -> networkx.DiGraph[int]:
        """Return the graph with node attributes `facets`, `hyperplanes` and, if acyclic, `lower`."""
        import networkx

        graph: networkx.DiGraph[int] = networkx.DiGraph()
        bounds = longest_chains(self.classes, self.arcs)
        for p, facets in enumerate(self.facets):
            hyperplanes = len(np.unique(self.function.hyperplane[facets]))
            graph.add_node(p, facets=len(facets), hyperplanes=hyperplanes, **({"lower": bounds[p]} if bounds else {}))
        graph.add_edges_from(self.arcs)
        return graph

    def write_graphml(self, path: str | Path) -> Path:
        """Write the graph as GraphML; return the path."""
        import networkx

        target = Path(path)
        target.write_text("\n".join(networkx.generate_graphml(self.to_networkx())) + "\n", encoding="utf-8")
        return target

    def to_json(self) -> dict[str, Any]:
        """Return classes, arcs, bounds and ambiguous ridges."""
        acyclic = self.acyclic
        classes = [{"facets": len(f), "hyperplanes": self.class_hyperplanes(p)} for p, f in enumerate(self.facets)]
        return {"classes": classes, "arcs": [list(a) for a in self.arcs], "acyclic": acyclic,
                "depth_bound": self.depth_bound if acyclic else None,
                "ambiguous_ridges": [self.ambiguous_json(int(r)) for r in self.pictures.ambiguous],
                "ridge_pictures": [list(c) for c in self.pictures.counts]}

    def ambiguous_json(self, ridge: int) -> dict[str, Any]:
        """One ambiguous ridge: a point of it and the classes of its three facets, each a possible earlier sheet."""
        point = affine_point(self.function.ridge_points[ridge].tolist())
        return {"point": [rational_text(x) for x in point], "readings": [int(self.label[f]) for f in self.function.ridges[ridge]]}

    def write_json(self, path: str | Path) -> Path:
        """Write `to_json` to a file; return the path."""
        target = Path(path)
        target.write_text(json.dumps(self.to_json(), indent=1) + "\n", encoding="utf-8")
        return target


def dependency_graph(function: FunctionComplex) -> DependencyGraph:
    """Return the dependency graph of f.

    Raises:
        InvariantError: the facets at a ridge are those of no continuous function.
    Exactness: integers.    Cost: linear in the ridges.

    >>> from exactrelu.complexes.canonical_complex import CanonicalComplex
    >>> from exactrelu.complexes.function_complex import function_complex
    >>> from exactrelu.network.network import Network
    >>> bend = Network([[[1, 0]], [[-1]], [[1]]], [[0], [1], [0]])
    >>> dependency_graph(function_complex(CanonicalComplex.build(bend))).classes
    2
    """
    pictures = ridge_pictures(function)
    count = len(function.facet_rows)
    root = component_labels(count, pictures.glued[:, 0], pictures.glued[:, 1])
    _, label = np.unique(root, return_inverse=True)
    label = label.ravel()
    arcs = np.unique(label[pictures.arcs], axis=0)
    return DependencyGraph(function, pictures, label, tuple((int(a), int(b)) for a, b in arcs))
