"""Functional dimension of a parameter: certified bounds r <= fdim(theta) <= R, by the cheapest method that decides.

A complete complex if it is affordable (rank over all its strict cells), else the block-triangular facet-pair
certificate from below and explicit symmetries from above.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from exactrelu.certificates.certificate import Certificate
from exactrelu.certificates.result import Result
from exactrelu.complexes.canonical_complex import CanonicalComplex
from exactrelu.errors import BudgetExceeded, ShapeError
from exactrelu.identifiability.complex_dimension import ComplexDimension, complex_dimension
from exactrelu.identifiability.complex_facts import complex_facts
from exactrelu.identifiability.facet_pairs.bound import FacetPairBound, Progress
from exactrelu.identifiability.facet_pairs.cell_jacobian import CellJacobianBound, lower_bound_certificate, sampled_bound
from exactrelu.identifiability.symmetry_bound.activity_facts import ActivityFacts
from exactrelu.identifiability.symmetry_bound.bound import DEFAULT_SECONDS, SymmetryBound, symmetry_bound
from exactrelu.identifiability.symmetry_bound.certificate import symmetry_certificate
from exactrelu.limits import Limits, Meter
from exactrelu.network.network import Network
from exactrelu.polyhedra.domain import Domain

COMPLEX_CELLS = 1_500_000
"""The complete complex is tried up to this many cells (unless the user sets `max_cells`)."""
COMPLEX_PERCENT = 40
"""Part of the user's time that the attempt may take."""
COMPLEX_PARAMETERS = 600
"""Above this many parameters cells are sampled even if the complex is complete."""
PROOF_SIZE = 40_000_000
"""An upper bound gets a document when checking it takes at most this many multiplications."""


@dataclass(frozen=True, eq=False, repr=False)
class FunctionalDimension(Result):
    """Certified bounds of the functional dimension.

    The functional dimension is the rank of the Jacobian over the strict full cells, those on which no neuron vanishes
    identically (on others f is not differentiable in theta).

    Attributes:
        lower: r, proved by `certificate`.
        upper: R, exact; `upper_certified` says whether a document proves it.
        upper_certificate: a document for R < N - H, where it is small enough to be checked.
        method: how they were found.
        facts: activity facts proved on the way.
        notes: limits that were reached, for a person.
    """

    network: Network
    domain: Domain
    lower: int
    upper: int
    method: str
    certificate: Certificate
    facts: ActivityFacts = field(default_factory=ActivityFacts)
    upper_certificate: Certificate | None = None
    complex: CanonicalComplex | None = None
    notes: tuple[str, ...] = ()

    @property
    def exact(self) -> bool:
        """Whether both bounds agree."""
        return self.lower == self.upper

    @property
    def upper_certified(self) -> bool:
        """Whether the checker can confirm R: N - H by the scaling symmetries, or `upper_certificate`."""
        return self.upper == self.network.architecture.expected_dimension or self.upper_certificate is not None

    @property
    def is_maximal(self) -> bool:
        """Whether the bound from below is N - H: theta is locally identifiable modulo positive scaling."""
        return self.lower == self.network.architecture.expected_dimension

    @property
    def verdict(self) -> str:  # type: ignore[override]  # read-only here
        """`exact` or `undecided`."""
        return "exact" if self.exact else "undecided"

    def fields(self) -> dict[str, Any]:
        """Return the JSON fields of the interface, with both bounds and the facts."""
        architecture = self.network.architecture
        return {"functional_dimension": self.lower, "lower": self.lower, "upper": self.upper, "parameters": architecture.parameters,
                "hidden_neurons": architecture.hidden_neurons, "expected_dimension": architecture.expected_dimension,
                "exact": self.exact, "upper_certified": self.upper_certified, "method": self.method,
                "dead_neurons": [list(v) for v in sorted(self.facts.dead)],
                "always_active_neurons": [list(v) for v in sorted(self.facts.always_active)],
                "zero_pairs": len(self.facts.zero_pairs), "notes": list(self.notes)}


class _Search:
    """One run; each method is tried at most once."""

    def __init__(self, network: Network, domain: Domain, seed: int, limits: Limits | None, progress: Progress | None) -> None:
        self.network, self.domain, self.seed, self.progress = network, domain, seed, progress
        self.meter = Meter(limits)
        self.notes: list[str] = []

    @cached_property
    def complex(self) -> CanonicalComplex | None:
        """The complete complex, or None if it is too large."""
        try:
            limits = self.meter.stage(COMPLEX_CELLS, percent=COMPLEX_PERCENT)
            return CanonicalComplex.build(self.network, self.domain, limits=limits)
        except BudgetExceeded as error:
            self.notes.append(f"no complete complex: {error}")
            return None

    @cached_property
    def sampled(self) -> FacetPairBound | CellJacobianBound:
        """The better of the facet-pair bound and (for small networks) the rank over sampled cells."""
        bound = sampled_bound(self.network, self.domain, rng=random.Random(self.seed), limits=self.meter.stage(COMPLEX_CELLS, percent=70),
                              progress=self.progress)
        if bound.stopped:
            self.notes.append(f"sampled search: {bound.stopped}")
        return bound

    def symmetries(self, facts: ActivityFacts | None) -> SymmetryBound:
        """The upper bound from explicit symmetries; branch and bound only without a complete complex."""
        boxes = {"boxes": 0} if facts is not None else {}
        limits = self.meter.stage(COMPLEX_CELLS, DEFAULT_SECONDS)
        return symmetry_bound(self.network, self.domain, rng=random.Random(self.seed), facts=facts, limits=limits, **boxes)


def functional_dimension(network: Network, domain: Domain, *, seed: int = 0, limits: Limits | None = None,
                         progress: Progress | None = None) -> FunctionalDimension:
    """Return certified bounds of the functional dimension at theta on the interior of the domain.

    Args:
        seed: the search is deterministic for a seed.
    Raises:
        DomainError: the domain is empty or has no interior points.
    Exactness: both bounds are proved; the lower one has a certificate that the checker accepts.
    Source: paper A, functional dimension; upper bound N - H by the scaling symmetries.

    >>> functional_dimension(Network([[[1, 2]], [[1]]], [[1], [0]]), Domain.space(2)).lower
    4
    """
    if network.architecture.inputs != domain.dimension:
        raise ShapeError(f"the domain has dimension {domain.dimension}, the network {network.architecture.inputs} inputs")
    domain.require_interior()
    search = _Search(network, domain, seed, limits, progress)
    complex_ = search.complex
    if complex_ is not None and network.parameters <= COMPLEX_PARAMETERS:
        try:
            return _from_complex(search, complex_, complex_dimension(complex_, search.meter.stage(COMPLEX_CELLS)))
        except BudgetExceeded as error:
            search.notes.append(f"rank over the complete complex: {error}")
    sampled = search.sampled
    certificate = lower_bound_certificate(sampled)
    method = "facet pairs" if isinstance(sampled, FacetPairBound) else "rank over sampled cells"
    if sampled.dimension == network.architecture.expected_dimension:
        return FunctionalDimension(network, domain, sampled.dimension, sampled.dimension, method, certificate, complex=complex_,
                                   notes=tuple(search.notes))
    above = search.symmetries(None if complex_ is None else complex_facts(complex_))
    return FunctionalDimension(network, domain, sampled.dimension, above.dimension, f"{method} below, explicit symmetries above",
                               certificate, above.facts, complex=complex_, notes=tuple(search.notes))


def _from_complex(search: _Search, complex_: CanonicalComplex, found: ComplexDimension) -> FunctionalDimension:
    """Explicit symmetries first, as they are cheap; the exact kernel of the Jacobian where they leave a gap."""
    facts = complex_facts(complex_)
    method, upper, above = "rank over the complete complex", found.expected, None
    if not found.strict:
        search.notes.append("on every full cell some neuron vanishes identically, so f is nowhere polynomial in theta near this theta")
    elif found.lower < upper:
        symmetries = search.symmetries(facts)
        upper = min(upper, symmetries.dimension)
        method = "rank over the complete complex below, explicit symmetries above"
        if found.lower < upper:
            upper, method = found.upper, "rank over the complete complex"
            if found.lower == upper and found.proof_size <= PROOF_SIZE:
                above = found.upper_certificate()
        elif sum(map(len, symmetries.kernel_vectors())) * found.strict_rows <= PROOF_SIZE:
            above = symmetry_certificate(symmetries)
    return FunctionalDimension(search.network, search.domain, found.lower, upper, method, found.certificate(), facts,
                               above, complex_, tuple(search.notes))
