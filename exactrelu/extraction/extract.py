"""Extraction: a network from exact queries to a black box, and how strong the answer is.

With finitely many queries nothing excludes a small bump between them, so every answer rests on a *promise* about the oracle, which
it states.  Label `certified`: under the promise the candidates are, up to permutation and positive scaling, all parameters of the
architecture with the function of the oracle.  Label `consistent`: they agree with all queries.
"""

from __future__ import annotations

from dataclasses import dataclass
from random import Random
from typing import Any

from exactrelu.certificates.result import Result
from exactrelu.errors import BudgetExceeded, ShapeError
from exactrelu.extraction.affine import extract_affine
from exactrelu.extraction.line_breakpoints import NotAffineHere
from exactrelu.extraction.oracle import Oracle
from exactrelu.extraction.outcome import Flag, Outcome, undecided
from exactrelu.extraction.region import Region
from exactrelu.extraction.shallow import extract_shallow
from exactrelu.extraction.two_layers import extract_two_layers
from exactrelu.limits import Limits, Meter
from exactrelu.network.architecture import Architecture
from exactrelu.network.network import Network
from exactrelu.polyhedra.domain import Domain

FINAL_REPETITIONS = 8
"""Earlier points that are asked again at the end."""


@dataclass(frozen=True, eq=False, repr=False)
class Extraction(Result):
    """What the queries tell about the network behind an oracle.

    Attributes:
        verdict: `reconstructed` or `undecided`.
        candidates: pairwise inequivalent networks with the function found; empty when undecided.
        label: `certified`, `consistent`, or "" when undecided.
        promise: what the label assumes about the oracle.
        reason: one sentence.
        flags: what was noticed on the way.
        queries: questions asked, repetitions included.
    """

    architecture: Architecture
    domain: Domain
    candidates: tuple[Network, ...]
    label: str
    promise: str
    reason: str
    flags: tuple[Flag, ...]
    queries: int

    @property
    def verdict(self) -> str:  # type: ignore[override]  # read-only here
        """`reconstructed` if there is a candidate, else `undecided`."""
        return "reconstructed" if self.candidates else "undecided"

    @property
    def network(self) -> Network | None:
        """The first candidate."""
        return self.candidates[0] if self.candidates else None

    def fields(self) -> dict[str, Any]:
        """Return the JSON fields of the interface."""
        return {"candidates": [n.to_json() for n in self.candidates], "flags": [f.to_json() for f in self.flags],
                "label": self.label or None, "promise": self.promise or None, "reason": self.reason, "queries": self.queries,
                "architecture": list(self.architecture.widths)}


def extract(oracle: Oracle, architecture: Architecture, domain: Domain | None = None, *, seed: int = 0,
            limits: Limits | None = None) -> Extraction:
    """Return the networks of an architecture that an oracle can be, from exact queries; the oracle is closed at the end.

    Args:
        oracle: f, asked inside the domain and at vertices of its cells (which may lie on the boundary).
        domain: all of R^d by default.
        seed: chooses lines and points.
    Raises:
        InputError: the oracle fails, answers something that is not m exact rationals, or contradicts itself.
        DomainError: the domain has no interior points.  ShapeError: it has another dimension than the inputs.
    Exactness: rational throughout.    Cost: see `benchmarks/extraction.py` for numbers of queries.

    >>> from exactrelu.extraction.oracle import CallableOracle
    >>> hidden = Network([[[1, 2], [-1, 1]], [[1, 3]]], [[1, 0], [5]])
    >>> found = extract(CallableOracle(hidden), hidden.architecture)
    >>> found.verdict, found.label, found.candidates[0].biases[-1]
    ('reconstructed', 'certified', (Fraction(5, 1),))
    """
    region_domain = Domain.space(architecture.inputs) if domain is None else domain
    if region_domain.dimension != architecture.inputs:
        raise ShapeError(f"the domain has dimension {region_domain.dimension}, the architecture {architecture.inputs} inputs")
    region_domain.require_interior()
    meter = Meter(limits)
    with oracle:
        oracle.start(architecture.inputs, architecture.outputs, seed=seed, meter=meter)
        try:
            outcome = _outcome(oracle, architecture, region_domain, Region.of(region_domain, Random(f"extraction {seed}")), meter)
            oracle.repeat(FINAL_REPETITIONS)
        except BudgetExceeded as error:
            outcome = undecided(str(error))
        except NotAffineHere as error:
            outcome = undecided(str(error))
        return Extraction(architecture, region_domain, outcome.candidates, outcome.label, outcome.promise, outcome.reason,
                          outcome.flags, oracle.queries)


def _outcome(oracle: Oracle, architecture: Architecture, domain: Domain, region: Region, meter: Meter) -> Outcome:
    layers = architecture.hidden_layers
    if layers == 0:
        return extract_affine(oracle, region)
    if layers == 1:
        return extract_shallow(oracle, architecture, domain, region, meter)
    if layers == 2:
        return extract_two_layers(oracle, architecture, domain, region, meter)
    return undecided(f"no method is known here for {layers} hidden layers; extraction ends with two")
