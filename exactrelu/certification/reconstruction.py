"""Reconstruction of a parameter from its function: the answer of the `reconstruct` command.

The search sees the cells and affine maps of f only; theta serves to compute them, and in the final test of equal
functions.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from exactrelu.certificates.result import Result
from exactrelu.certification.same_function import SameFunction
from exactrelu.complexes.canonical_complex import CanonicalComplex
from exactrelu.complexes.function_complex import function_complex
from exactrelu.dependency.dependency_graph import dependency_graph
from exactrelu.limits import Limits, Meter
from exactrelu.network.architecture import Architecture
from exactrelu.network.network import Network
from exactrelu.polyhedra.domain import Domain
from exactrelu.recovery.reconstruct import Reconstruction, reconstruct


@dataclass(frozen=True, eq=False, repr=False)
class ReconstructionReport(Result):
    """All supertransversal parameters of an architecture with the function of a network.

    Attributes:
        architecture: of the candidates.
        found: the result of the search.
        obstruction: why no supertransversal parameter of any architecture has this function, or "".
    """

    architecture: Architecture
    found: Reconstruction
    obstruction: str

    @property
    def verdict(self) -> str:  # type: ignore[override]  # read-only here
        """`reconstructed` (the list is complete and not empty), `not-realizable` (complete and empty) or `undecided`."""
        if not self.found.complete:
            return "undecided"
        return "reconstructed" if self.found.candidates else "not-realizable"

    @property
    def reason(self) -> str:
        """One sentence."""
        if self.obstruction:
            return self.obstruction
        if not self.found.complete:
            return self.found.flags[0].reason
        count = len(self.found.candidates)
        kind = f"supertransversal parameter of {self.architecture} with this function, up to permutation and positive scaling"
        return f"{'no' if not count else 'one' if count == 1 else count} {kind}"

    def fields(self) -> dict[str, Any]:
        """Return the JSON fields of the interface."""
        return {"candidates": [n.to_json() for n in self.found.candidates], "flags": [f.to_json() for f in self.found.flags],
                "reason": self.reason, "architecture": list(self.architecture.widths)}


def reconstruction(network: Network, domain: Domain, architecture: Architecture | None = None, *,
                   limits: Limits | None = None) -> ReconstructionReport:
    """Return every supertransversal parameter of an architecture with the function of a network on a domain.

    Args:
        architecture: that of the network by default; any with the same inputs and outputs.
    Raises:
        ShapeError: other inputs or outputs, or no hidden layer.  DomainError: the domain is lower-dimensional.
        BudgetExceeded: a limit was reached before the search.
    Exactness: integers; Fractions of the candidates.    Cost: the complete complex, then that of `reconstruct`.

    >>> slab = Network([[[1, 1], [-1, 0]], [[7, 8], [-6, -8]], [[6, -1]]], [[0, 4], [-27, 29], [3]])
    >>> reconstruction(slab, Domain.box(2, [(-4, 8), (-2, 2)])).verdict
    'reconstructed'
    """
    meter = Meter(limits)
    graph = dependency_graph(function_complex(CanonicalComplex.build(network, domain, limits=limits)))
    wanted = architecture if architecture is not None else network.architecture
    found = reconstruct(graph, wanted, SameFunction(network, domain, meter), meter)
    return ReconstructionReport(wanted, found, graph.obstruction.reason if graph.obstruction else "")
