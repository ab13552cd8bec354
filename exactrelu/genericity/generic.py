"""All conditions of one complex, by the names of the interface."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from exactrelu.certificates.verdict import Fails, Undecided, Verdict
from exactrelu.complexes.canonical_complex import CanonicalComplex
from exactrelu.complexes.subdivision.subdivide import Progress
from exactrelu.genericity.geometry import Geometry
from exactrelu.genericity.linear_regions_assumption import activation, adjacent, strong
from exactrelu.genericity.no_cancellation import no_cancellation
from exactrelu.genericity.supertransversality import boundary_transversality, supertransversality
from exactrelu.genericity.tpic import connected_tpic, tpic
from exactrelu.genericity.transparency import transparency
from exactrelu.genericity.zero_count import zero_count
from exactrelu.limits import Limits
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


@dataclass(frozen=True)
class GenericityReport:
    """Verdict of every condition.

    Attributes:
        verdicts: by the names of `CONDITIONS`, in this order.
        further: boundary transversality and the weaker forms of LRA.
    """

    verdicts: dict[str, Verdict]
    further: dict[str, Verdict]

    @property
    def first_failure(self) -> str | None:
        """Name of the first condition that does not hold, or None."""
        return next((name for name, verdict in self.verdicts.items() if verdict.word != "holds"), None)

    @property
    def verdict(self) -> str:
        """holds, fails or undecided: all conditions together."""
        words = [verdict.word for verdict in self.verdicts.values()]
        return "fails" if "fails" in words else "undecided" if "undecided" in words else "holds"

    def to_json(self) -> dict[str, Any]:
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


def genericity(complex_: CanonicalComplex) -> GenericityReport:
    """Return the verdict of every condition on one complex.

    Exactness: every verdict is exact; every `Fails` carries a witness.
    Cost: comparable to the construction of the complex.

    >>> report = genericity(CanonicalComplex.build(Network([[[1, 0], [0, 1]], [[1, 1]]], [[0, 0], [0]])))
    >>> report.verdicts["supertransversality"].word, report.verdicts["transparency"].word
    ('holds', 'fails')
    """
    geometry = Geometry(complex_)
    return GenericityReport({name: test(geometry) for name, test in CONDITIONS.items()},
                            {name: test(geometry) for name, test in FURTHER.items()})


def genericity_of_network(network: Network, domain: Domain | None = None, *, limits: Limits | None = None,
                          progress: Progress | None = None) -> GenericityReport:
    """Return the verdict of every condition for a network on a domain (all of R^d by default).

    Raises:
        BudgetExceeded: the complex is too large for the limits.

    >>> genericity_of_network(Network([[[1], [1]], [[1, 1]]], [[0, 0], [0]])).verdict
    'fails'
    """
    return genericity(CanonicalComplex.build(network, domain, limits=limits, progress=progress))


def undecided_report(reason: str) -> GenericityReport:
    """Return the report when the complex could not be built."""
    return GenericityReport({name: Undecided(reason) for name in CONDITIONS}, {name: Undecided(reason) for name in FURTHER})
