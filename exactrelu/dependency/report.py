"""What f alone says, as the answer of the `dependency` command; neurons are named afterwards, for the reader only."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from exactrelu.certificates.certificate import Certificate
from exactrelu.certificates.result import Result
from exactrelu.complexes.bent_hyperplane import BentHyperplanes
from exactrelu.complexes.canonical_complex import CanonicalComplex
from exactrelu.complexes.function_complex import function_complex
from exactrelu.complexes.subdivision.subdivide import Progress
from exactrelu.dependency.certificates import (
    depth_certificate,
    function_geometry_certificate,
    not_shallow_certificate,
    not_supertransversal_certificate,
)
from exactrelu.dependency.dependency_graph import DependencyGraph, dependency_graph
from exactrelu.dependency.shallowness import NotShallow, first_nonshallow_ridge
from exactrelu.limits import Limits
from exactrelu.network.architecture import Neuron
from exactrelu.network.network import Network
from exactrelu.polyhedra.domain import Domain


@dataclass(frozen=True, eq=False, repr=False)
class DependencyReport(Result):
    """The dependency graph of f with depth bounds.

    Attributes:
        complex: the complex f was read from; used to name neurons and to write documents.
        graph: read from f alone.
    """

    complex: CanonicalComplex
    graph: DependencyGraph

    @property
    def verdict(self) -> str:  # type: ignore[override]  # read-only here
        """`layered`, or `not-supertransversal` when no supertransversal parameter of any architecture has this function."""
        return "layered" if self.graph.obstruction is None else "not-supertransversal"

    @cached_property
    def class_neurons(self) -> list[list[Neuron]]:
        """For every class the neurons of the given network that bend at all its facets."""
        level = self.complex.fan.dimension - 1
        if level < 1:
            return []
        bends = BentHyperplanes(self.complex).contains(level)[self.graph.function.facet_cones]
        name = self.complex.network.architecture.neuron
        return [[name(j) for j in np.flatnonzero(bends[facets].all(axis=0)).tolist()] for facets in self.graph.facets]

    @cached_property
    def not_shallow(self) -> NotShallow | None:
        """A ridge at which f is not a sum of kinks along full hyperplanes, so that one hidden layer never suffices."""
        return first_nonshallow_ridge(self.graph.function)

    @property
    def unconditional_depth(self) -> int:
        """Hidden layers that every realization needs, supertransversal or not, of any width: 0, 1 or 2."""
        return 2 if self.not_shallow is not None else int(bool(len(self.graph.function.facet_rows)))

    @cached_property
    def certificate(self) -> Certificate | None:
        """The document of the refutation; else of the whole graph, where the complex has one; else of the depth bound.

        None if not even a chain at clean ridges exists.
        """
        if self.graph.obstruction is not None:
            ridge = self.graph.obstruction.ridge
            return None if ridge is None else not_supertransversal_certificate(self.complex, self.graph, ridge)
        if self.complex.network.architecture.hidden_layers and BentHyperplanes(self.complex).simple_with_walls:
            return function_geometry_certificate(self.complex, self.graph)
        return self.depth_certificate

    @cached_property
    def depth_certificate(self) -> Certificate | None:
        """The document of the depth bound for supertransversal realizations, if ridges with two vanishing neurons show it."""
        return None if self.graph.obstruction is not None else depth_certificate(self.complex, self.graph)

    @cached_property
    def unconditional_certificate(self) -> Certificate | None:
        """The document that one hidden layer never suffices, if that is so."""
        return None if self.not_shallow is None else not_shallow_certificate(self.complex, self.graph, self.not_shallow)

    def fields(self) -> dict[str, Any]:
        """Return the JSON fields of the interface, and the ridge pictures."""
        out = self.graph.to_json()
        for entry, neurons in zip(out["classes"], self.class_neurons):
            entry["neurons"] = [list(v) for v in neurons]
        hidden = self.complex.network.architecture.hidden_layers
        out["layer_bounds"] = [list(b) for b in self.graph.layer_bounds(hidden)] if self.graph.acyclic else None
        out["unconditional_depth"] = self.unconditional_depth
        out["obstruction"] = self.graph.obstruction.reason if self.graph.obstruction else None
        return out


def dependency_report(complex_: CanonicalComplex) -> DependencyReport:
    """Return the dependency graph of the function of a complex.

    Exactness: integers.    Cost: linear in the cells; documents are written when they are asked for.

    >>> bend = Network([[[1, 0]], [[-1]], [[1]]], [[0], [1], [0]])
    >>> dependency_report(CanonicalComplex.build(bend)).to_json()["depth_bound"]
    1
    """
    return DependencyReport(complex_, dependency_graph(function_complex(complex_)))


def dependency_of_network(network: Network, domain: Domain | None = None, *, limits: Limits | None = None,
                          progress: Progress | None = None) -> DependencyReport:
    """Return the dependency graph of the function of a network on a domain (all of R^d by default).

    Raises:
        DomainError: the domain is lower-dimensional.  BudgetExceeded: a limit was reached.
    Exactness: integers.    Cost: that of the complete complex.

    >>> dependency_of_network(Network([[[1], [1]], [[1, 1]]], [[0, 1], [0]])).verdict
    'layered'
    """
    return dependency_report(CanonicalComplex.build(network, domain, limits=limits, progress=progress))
