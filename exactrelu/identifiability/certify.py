"""How strongly is a specific parameter identifiable, with proof.

Tiers: `local` (near theta only its scaling orbit has the same function; T1: rank of the Jacobian N - H),
`supertransversal` and `all` (uniqueness among supertransversal, among all parameters of the architecture).
Source: paper A.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from exactrelu.certificates.certificate import Certificate
from exactrelu.certificates.result import Result
from exactrelu.certificates.verdict import Fails, Holds, Undecided, Verdict
from exactrelu.genericity.generic import GenericityReport, genericity, undecided_report, verdict_json
from exactrelu.identifiability.facet_pairs.bound import Progress
from exactrelu.identifiability.functional_dimension import FunctionalDimension, functional_dimension
from exactrelu.identifiability.second_parameter import SecondParameter, second_parameter
from exactrelu.limits import Limits, Meter
from exactrelu.network.network import Network
from exactrelu.polyhedra.domain import Domain

WITNESS_LEAVES = 25_000
"""A proof of equality may have this many cells (unless the user sets `max_cells`)."""
NO_CRITERION = "no criterion for uniqueness far from theta is applied; local uniqueness and refutations are"


@dataclass(frozen=True, eq=False, repr=False)
class Certification(Result):
    """The verdict on one parameter.

    Attributes:
        verdict: `locally-identifiable`, `not-identifiable` or `undecided` (`identifiable...` are reserved for uniqueness far from theta).
        reason: one sentence.
        tiers: verdict of each tier.
        dimension: functional dimension with its certificate.
        conditions: genericity report (undecided where the complex is too large).
        certificate: the certificate of the verdict, or None when undecided.
        witness: a second parameter, for `not-identifiable`.
    """

    network: Network
    domain: Domain
    verdict: str
    reason: str
    tiers: dict[str, Verdict]
    dimension: FunctionalDimension
    conditions: GenericityReport
    certificate: Certificate | None
    witness: SecondParameter | None = None

    def fields(self) -> dict[str, Any]:
        """Return the JSON fields of the interface; `certificate_sha256` is the digest of the document."""
        out: dict[str, Any] = {
            "reason": self.reason,
            "tiers": {name: {"verdict": verdict.word, "reason": _reason(verdict)} for name, verdict in self.tiers.items()},
            "functional_dimension": self.dimension.lower, "upper": self.dimension.upper, "exact": self.dimension.exact,
            "expected_dimension": self.network.architecture.expected_dimension,
            "conditions": {name: verdict_json(v)["verdict"] for name, v in {**self.conditions.verdicts, **self.conditions.further}.items()},
            "certificate_sha256": self.certificate.sha256 if self.certificate else None,
            "witness": None}
        if self.witness is not None:
            out["witness"] = {"reason": self.witness.reason, "neurons": [list(v) for v in self.witness.neurons],
                              "network": self.witness.network.to_json()}
        return out


def _reason(verdict: Verdict) -> str:
    if isinstance(verdict, Undecided):
        return verdict.reason
    return str(verdict.detail.get("reason", ""))


def certify(network: Network, domain: Domain, *, seed: int = 0, limits: Limits | None = None,
            progress: Progress | None = None) -> Certification:
    """Return the verdict on the identifiability of a parameter on the interior of a domain.

    Every certificate has passed the independent checker when this returns.
    Raises:
        DomainError: the domain is empty.  CertificateRejected: the checker refuses a certificate (a bug).

    >>> certify(Network([[[1, 2]], [[1]]], [[1], [0]]), Domain.space(2)).verdict
    'locally-identifiable'
    """
    meter = Meter(limits)
    dimension = functional_dimension(network, domain, seed=seed, limits=limits, progress=progress)
    if dimension.complex is not None:
        conditions = genericity(dimension.complex, meter)
    else:
        conditions = undecided_report(dimension.notes[0] if dimension.notes else "no complete complex")
    later = Undecided(NO_CRITERION)
    if dimension.is_maximal:
        dimension.certificate.verify()
        local = Holds(dimension.certificate, {"reason": f"the Jacobian has rank {dimension.lower} = N - H"})
        return Certification(network, domain, "locally-identifiable",
                             f"functional dimension {dimension.lower} = N - H: near theta only its scalings have the same function",
                             {"local": local, "supertransversal": later, "all": later}, dimension, conditions, dimension.certificate)
    found = second_parameter(network, domain, dimension.facts, meter.stage(WITNESS_LEAVES))
    if isinstance(found, Fails) and found.certificate is not None:
        found.certificate.verify()
        refuted = Fails(found.witness, found.certificate, {"reason": found.witness.reason})
        return Certification(network, domain, "not-identifiable", found.witness.reason,
                             {"local": _local(dimension), "supertransversal": later, "all": refuted}, dimension, conditions,
                             found.certificate, found.witness)
    bounds = f"r = {dimension.lower}, R = {dimension.upper}, N - H = {network.architecture.expected_dimension}"
    reason = f"the functional dimension is below N - H ({bounds}) and no second parameter is at hand"
    if isinstance(found, Undecided):
        reason += f": {found.reason}"
    dimension.certificate.verify()
    return Certification(network, domain, "undecided", reason, {"local": _local(dimension), "supertransversal": later, "all": later},
                         dimension, conditions, None)


def _local(dimension: FunctionalDimension) -> Undecided:
    return Undecided(f"the functional dimension is between {dimension.lower} and {dimension.upper}, "
                     f"below N - H = {dimension.network.architecture.expected_dimension}")
