"""All conditions of one complex, by the names of the interface."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from exactrelu.certificates.certificate import Certificate
from exactrelu.certificates.result import Result
from exactrelu.certificates.verdict import Fails, Holds, Undecided, Verdict
from exactrelu.complexes.canonical_complex import CanonicalComplex
from exactrelu.complexes.subdivision.subdivide import Progress
from exactrelu.errors import BudgetExceeded
from exactrelu.genericity.complex_certificate import complex_certificate
from exactrelu.genericity.geometry import Geometry
from exactrelu.genericity.linear_regions_assumption import activation, adjacent, strong
from exactrelu.genericity.no_cancellation import no_cancellation
from exactrelu.genericity.supertransversality import boundary_transversality, supertransversality
from exactrelu.genericity.tpic import connected_tpic, tpic
from exactrelu.genericity.transparency import transparency
from exactrelu.genericity.zero_count import zero_count
from exactrelu.limits import Limits, Meter
from exactrelu.network.network import Network
from exactrelu.polyhedra.domain import Domain

CONDITIONS = {
    "supertransversality": supertransversality,
    "zero_count": zero_count,
    "no_cancellation": no_cancellation,
    "transparency": transparency,
    "tpic": tpic,
    "connected_tpic": connected_tpic,
    "linear_regions_assumption": strong,
}
FURTHER = {
    "boundary_transversality": boundary_transversality,
    "linear_regions_assumption_adjacent": adjacent,
    "linear_regions_assumption_activation": activation,
}


@dataclass(frozen=True, repr=False)
class GenericityReport(Result):
    """Verdict of every condition.

    Attributes:
        verdicts: by the names of `CONDITIONS`, in this order.
        further: boundary transversality and the weaker forms of LRA.
    """

    verdicts: dict[str, Verdict]
    further: dict[str, Verdict]
    geometry: Geometry | None = field(default=None, compare=False, repr=False)

    @cached_property
    def certificate(self) -> Certificate | None:
        """The certificate of the whole complex with all conditions, if one exists, else of the first refuted condition."""
        if self.geometry is not None:
            whole = complex_certificate(self.geometry)
            if isinstance(whole, Holds):
                found: Certificate = whole.certificate
                return found
        return next((v.certificate for v in self.verdicts.values() if isinstance(v, Fails) and v.certificate is not None), None)

    @property
    def first_failure(self) -> str | None:
        """Name of the first condition that does not hold, or None."""
        return next((name for name, verdict in self.verdicts.items() if verdict.word != "holds"), None)

    @property
    def verdict(self) -> str:  # type: ignore[override]  # read-only here
        """holds, fails or undecided: all conditions together."""
        words = [verdict.word for verdict in self.verdicts.values()]
        return "fails" if "fails" in words else "undecided" if "undecided" in words else "holds"

    def fields(self) -> dict[str, Any]:
        """Return the JSON fields of the interface, and the further conditions."""
        return {name: verdict_json(verdict) for name, verdict in {**self.verdicts, **self.further}.items()}


def verdict_json(verdict: Verdict) -> dict[str, Any]:
    """Return {"verdict": word, "witness": ...}, and the reason of an undecided one."""
    out: dict[str, Any] = {"verdict": verdict.word, "witness": None}
    if isinstance(verdict, Fails) and verdict.witness is not None:
        out["witness"] = verdict.witness.to_json()
    if isinstance(verdict, Undecided):
        out["reason"] = verdict.reason
    return out


def genericity(complex_: CanonicalComplex, meter: Meter | None = None) -> GenericityReport:
    """Return the verdict of every condition on one complex.

    Args:
        meter: when its time is used up, the conditions left are undecided.
    Exactness: every verdict is exact; every `Fails` carries a witness.
    Cost: comparable to the construction of the complex.

    >>> report = genericity(CanonicalComplex.build(Network([[[1, 0], [0, 1]], [[1, 1]]], [[0, 0], [0]])))
    >>> report.verdicts["supertransversality"].word, report.verdicts["transparency"].word
    ('holds', 'fails')
    """
    geometry = Geometry(complex_)
    return GenericityReport({name: _timed(test, geometry, meter) for name, test in CONDITIONS.items()},
                            {name: _timed(test, geometry, meter) for name, test in FURTHER.items()}, geometry)


def _timed(test: Callable[[Geometry], Verdict], geometry: Geometry, meter: Meter | None) -> Verdict:
    try:
        if meter is not None:
            meter.tick()
        return test(geometry)
    except BudgetExceeded as error:
        return Undecided(str(error), error.done)


def genericity_of_network(network: Network, domain: Domain | None = None, *, limits: Limits | None = None,
                          progress: Progress | None = None) -> GenericityReport:
    """Return the verdict of every condition for a network on a domain (all of R^d by default).

    Raises:
        BudgetExceeded: the complex is too large for the limits.

    >>> genericity_of_network(Network([[[1], [1]], [[1, 1]]], [[0, 0], [0]])).verdict
    'fails'
    """
    meter = Meter(limits)
    return genericity(CanonicalComplex.build(network, domain, limits=limits, progress=progress), meter)


def undecided_report(reason: str) -> GenericityReport:
    """Return the report when the complex could not be built."""
    return GenericityReport({name: Undecided(reason) for name in CONDITIONS}, {name: Undecided(reason) for name in FURTHER})
