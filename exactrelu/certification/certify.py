"""How strongly is a specific parameter identifiable, with proof.

Tiers: `local` (near theta only its scaling orbit has the same function; T1: rank of the Jacobian N - H),
`supertransversal` and `all` (uniqueness among supertransversal, among all parameters of the architecture).  They do not
imply each other: a parameter may be unique among all although it is not supertransversal itself, and a discrete fiber may
have several elements although each is locally unique.  A second parameter found by any tier refutes `all`.
Source: paper A.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from exactrelu.certificates.certificate import Certificate
from exactrelu.certificates.result import Result
from exactrelu.certificates.verdict import Fails, Holds, Undecided, Verdict
from exactrelu.certification.among_supertransversal import among_supertransversal
from exactrelu.certification.flip_freeness import flip_freeness
from exactrelu.certification.second_parameter import SecondParameter, proved, second_parameter
from exactrelu.certification.uniqueness import MAX_CELLS, Subject, among_all
from exactrelu.errors import BudgetExceeded, CertificateRejected
from exactrelu.genericity.generic import GenericityReport, genericity, undecided_report, verdict_json
from exactrelu.identifiability.facet_pairs.bound import Progress
from exactrelu.identifiability.functional_dimension import FunctionalDimension, functional_dimension
from exactrelu.limits import Limits, Meter
from exactrelu.network.network import Network
from exactrelu.polyhedra.domain import Domain
from exactrelu.recovery.reconstruct import reconstruct

WITNESS_LEAVES = 25_000
"""A proof of equality may have this many cells (unless the user sets `max_cells`)."""
MAX_RECONSTRUCTION = 20_000
"""Largest complex whose function is read for a reconstruction."""


@dataclass(frozen=True, eq=False, repr=False)
class Certification(Result):
    """The verdict on one parameter.

    Attributes:
        verdict: `identifiable` (among all parameters of the architecture), `not-identifiable`,
            `identifiable-among-supertransversal`, `locally-identifiable` or `undecided`.
        reason: one sentence.
        tiers: verdict of each tier.
        dimension: functional dimension with its certificate.
        conditions: genericity report (undecided where the complex is too large).
        certificate: the certificate of the verdict, or None when undecided.
        witness: a second parameter, for `not-identifiable`.
        fiber: all parameters with the function, up to permutation and positive scaling, when a complete search ended.
        fiber_certificate: the checked document that the list is complete, when there are several.
        diagnostics: conditions that are reported and decide nothing.
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
    fiber: tuple[Network, ...] | None = None
    fiber_certificate: Certificate | None = None
    diagnostics: dict[str, Verdict] = field(default_factory=dict)

    def fields(self) -> dict[str, Any]:
        """Return the JSON fields of the interface; `certificate_sha256` is the digest of the document."""
        out: dict[str, Any] = {
            "reason": self.reason,
            "tiers": {name: {"verdict": verdict.word, "reason": _reason(verdict)} for name, verdict in self.tiers.items()},
            "fiber": None if self.fiber is None else [member.to_json() for member in self.fiber],
            "fiber_certificate_sha256": self.fiber_certificate.sha256 if self.fiber_certificate else None,
            "functional_dimension": self.dimension.lower, "upper": self.dimension.upper, "exact": self.dimension.exact,
            "expected_dimension": self.network.architecture.expected_dimension,
            "conditions": {name: verdict_json(v)["verdict"] for name, v in {**self.conditions.verdicts, **self.conditions.further,
                                                                                 **self.diagnostics}.items()},
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
    Args:
        seed: chooses points of the functional dimension; a smaller bound may depend on it, never a wrong one.
        limits: for every step; a limit reached is `undecided`.
        progress: called while the complex is built.
    Exactness: integers and rationals.    Cost: the complete complex, then the searches of `uniqueness` and `recovery`.
    Raises:
        DomainError: the domain is empty.  CertificateRejected: the checker refuses a certificate (a bug).

    >>> certify(Network([[[1, 2]], [[1]]], [[1], [0]]), Domain.space(2)).verdict
    'identifiable'
    """
    meter = Meter(limits)
    dimension = functional_dimension(network, domain, seed=seed, limits=limits, progress=progress)
    complex_ = dimension.complex
    if complex_ is not None:
        conditions = genericity(complex_, meter)
    else:
        conditions = undecided_report(dimension.notes[0] if dimension.notes else "no complete complex")
    local = _local(dimension)
    simple = None if isinstance(local, Holds) else _simple_refutation(network, domain, dimension, meter)
    unique: Verdict = _not_sought("a second parameter is known")
    everywhere: Verdict = Undecided("no complete complex, so the function cannot be read")
    diagnostics: dict[str, Verdict] = {}
    if isinstance(simple, Fails):
        everywhere = simple
    elif complex_ is None:
        unique = everywhere
        everywhere = simple if isinstance(simple, Undecided) else everywhere
    else:
        subject = Subject(complex_, meter)
        unique, everywhere = _far(subject, conditions)
        diagnostics = {"flip_freeness": flip_freeness(complex_, meter)}
        if isinstance(everywhere, Undecided):
            found = simple if simple is not None else _simple_refutation(network, domain, dimension, meter)
            if isinstance(found, Undecided) and "candidate" in found.detail:       # a second parameter whose proof is too long
                everywhere = Undecided(f"{found.reason}; {everywhere.reason}", found.detail)
            elif isinstance(found, Fails):
                everywhere = found
    return _result(network, domain, dimension, conditions, diagnostics, {"local": local, "supertransversal": unique, "all": everywhere})


def _local(dimension: FunctionalDimension) -> Verdict:
    if dimension.is_maximal:
        dimension.certificate.verify()
        reason = f"functional dimension {dimension.lower} = N - H: near theta only its scalings have the same function"
        return Holds(dimension.certificate, {"reason": reason})
    low, high = dimension.lower, dimension.upper
    bounds = f"is {low}" if low == high else f"lies between {low} and {high}"
    return Undecided(f"the functional dimension {bounds}, below N - H = {dimension.network.architecture.expected_dimension}")


def _simple_refutation(network: Network, domain: Domain, dimension: FunctionalDimension, meter: Meter) -> Verdict:
    """A second parameter from the catalogue of simple reasons, checked."""
    found = second_parameter(network, domain, dimension.facts, meter.stage(WITNESS_LEAVES))
    if isinstance(found, Fails) and found.certificate is not None:
        found.certificate.verify()
        return Fails(found.witness, found.certificate, {"reason": found.witness.reason})
    return found


def _not_sought(reason: str) -> Undecided:
    return Undecided(f"not sought: {reason}")


def _far(subject: Subject, conditions: GenericityReport) -> tuple[Verdict, Verdict]:
    """The tiers `supertransversal` and `all`."""
    everywhere = among_all(subject)
    unique = _supertransversal(subject, conditions)
    if isinstance(unique, Fails):
        other = SecondParameter(unique.detail["reason"], (), unique.witness)
        try:
            certificate = proved(subject.network, other, subject.complex.domain, subject.meter.stage(WITNESS_LEAVES))
        except BudgetExceeded as error:
            return Undecided(f"a second candidate is found, but its equality proof is too long: {error}"), everywhere
        unique = Fails(other, certificate, unique.detail)
        if isinstance(everywhere, Undecided):
            everywhere = Fails(other, certificate, unique.detail)
    return _verified(unique), _verified(everywhere)


def _verified(verdict: Verdict) -> Verdict:
    """The verdict after the checker has accepted its document; undecided if the check is too much work."""
    if isinstance(verdict, Undecided):
        return verdict
    try:
        verdict.certificate.verify()
    except BudgetExceeded as error:
        return Undecided(f"{_reason(verdict)}; but {error}")
    return verdict


def _supertransversal(subject: Subject, conditions: GenericityReport) -> Verdict:
    """Uniqueness among supertransversal parameters, with a checked document; or a second candidate, yet to be proved equal."""
    if subject.complex.full_cells > MAX_RECONSTRUCTION:
        return Undecided(f"the reconstruction stops at {MAX_RECONSTRUCTION} full cells, there are {subject.complex.full_cells}")
    if subject.complex.full_cells > MAX_CELLS and not isinstance(conditions.verdicts["supertransversality"], Holds):
        return Undecided("theta is not known to be supertransversal")
    if not subject.network.architecture.hidden_layers:
        return Undecided("no hidden layer")
    try:
        found = reconstruct(subject.graph, subject.network.architecture, subject.same, subject.meter)
    except BudgetExceeded as error:
        return Undecided(str(error), error.done)
    unique = among_supertransversal(subject.complex, conditions, subject.graph, found, subject.same.refutations)
    if isinstance(unique, Fails):
        return unique
    try:
        return _verified(unique)
    except CertificateRejected as error:
        if isinstance(conditions.verdicts["zero_count"], Holds):
            raise                                       # every ridge shows its two neurons, so the document has to suffice
        return Undecided(f"the reconstruction finds theta only, but where several neurons vanish the document does not suffice: {error}")


def _result(network: Network, domain: Domain, dimension: FunctionalDimension, conditions: GenericityReport,
            diagnostics: dict[str, Verdict], tiers: dict[str, Verdict]) -> Certification:
    """The strongest statement of the tiers."""
    local, unique, everywhere = tiers["local"], tiers["supertransversal"], tiers["all"]
    strongest: tuple[str, Holds | Fails]
    if isinstance(everywhere, Holds):
        strongest = "identifiable", everywhere
    elif isinstance(everywhere, Fails):
        strongest = "not-identifiable", everywhere
    elif isinstance(unique, Holds):
        strongest = "identifiable-among-supertransversal", unique
    elif isinstance(local, Holds):
        strongest = "locally-identifiable", local
    else:
        dimension.certificate.verify()
        reason = f"{_reason(local)}, and no second parameter is at hand: {_reason(everywhere)}"
        return Certification(network, domain, "undecided", reason, tiers, dimension, conditions, None, diagnostics=diagnostics)
    word, verdict = strongest
    witness = everywhere.witness if isinstance(everywhere, Fails) else None
    return Certification(network, domain, word, _reason(verdict), tiers, dimension, conditions, verdict.certificate, witness,
                         verdict.detail.get("members"), verdict.detail.get("fiber_certificate"), diagnostics)
