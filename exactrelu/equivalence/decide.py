"""Are two networks one function on a domain: trivial symmetry, exact evaluation, split tree, in this order.

* *Trivial symmetry*: parameters that agree up to permutation and positive scaling have one function everywhere.
* *Exact evaluation*: points and lines of the domain, where a difference anywhere near shows.
* *Split tree*: decides every remaining pair, of any depths and widths, up to the limits.

A domain without interior points is treated in coordinates y of its affine hull, x = (e_0 + E y)/c, where it has interior
points; f_a = f_b on the domain iff the restricted networks agree there.  Witnesses are mapped back.  A document of kind
`equal` compares affine maps on all of R^d.  On a flat domain it is written if they agree on the leaves of one common tree, the
one in which neurons that vanish on a whole leaf are active.  Otherwise the answer rests on the restricted pair, whose
own certificate is at hand: so it is for x and y on the line x = y, whose maps agree on the affine hull only.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from exactrelu.arithmetic.rational import rational_text
from exactrelu.certificates.certificate import Certificate
from exactrelu.certificates.result import Result
from exactrelu.certificates.verdict import Holds
from exactrelu.equivalence.by_split_tree import (
    DifferentValues,
    check_shapes,
    compared,
    different_certificate,
    equal_claim,
    flat_joint_tree,
    joint_tree,
)
from exactrelu.equivalence.refutation import Refutation
from exactrelu.equivalence.restriction import image, restricted
from exactrelu.equivalence.sample_points import Point, SamplePoints
from exactrelu.errors import BudgetExceeded, DomainError, InvariantError
from exactrelu.limits import DEFAULT_CELLS, Limits, Meter
from exactrelu.network.integral_form import integral_form
from exactrelu.network.network import Network
from exactrelu.network.trivial_symmetry import TrivialSymmetry, equivalent
from exactrelu.polyhedra.affine_hull import AffineHull, affine_hull
from exactrelu.polyhedra.domain import Domain

TRIVIAL, EVALUATION, TREE, HULL = "trivial symmetry", "exact evaluation", "split tree", "split tree on the affine hull"
FLAT_REASON = ("the domain is flat and on a leaf of the common tree the affine maps agree on the affine hull only, while a document of "
               "kind `equal` compares maps on all of R^d; the networks restricted to the hull have a certificate")
POINT_REASON = ("the domain is a single point, at which both values were computed exactly; the affine maps compared there differ "
                "elsewhere, and a document of kind `equal` compares maps on all of R^d")


@dataclass(frozen=True, repr=False)
class Equality(Result):
    """Whether two networks are the same function on a domain.

    Attributes:
        verdict: `equal`, `different` or `undecided`.
        method: `trivial symmetry`, `exact evaluation`, `split tree` or `split tree on the affine hull`.
        reason: why it is undecided, or why `equal` on a flat domain has no certificate.
        witness: a point of the domain and the two values there, for `different`.
        certificate: of the verdict; its kind is `equivalent`, `equal` or `different`.  None for `undecided`, and for `equal` on a
            flat domain where `reason` says why none was written.
        restricted: where `equal` has no certificate, that of the networks in coordinates of the affine hull (none for a point).
        work: points and lines compared, leaves of the split tree.
    """

    verdict: str
    method: str
    reason: str = ""
    witness: DifferentValues | None = None
    certificate: Certificate | None = None
    restricted: Certificate | None = None
    work: dict[str, Any] = field(default_factory=dict, compare=False)

    def fields(self) -> dict[str, Any]:
        """Return the JSON fields of the interface."""
        out: dict[str, Any] = {"method": self.method, "witness": self.witness.to_json() if self.witness else None, "work": self.work}
        if self.reason:
            out["reason"] = self.reason
        return out

    def checked(self) -> Equality:
        """Return this answer, every certificate accepted by the independent checker; undecided if that is too much work for it.

        Raises:
            CertificateRejected: a document does not prove its claim.
        """
        try:
            for certificate in (self.certificate, self.restricted):
                if certificate is not None:
                    certificate.verify()
        except BudgetExceeded as error:
            return Equality("undecided", self.method, str(error), work=self.work)
        return self


def equality(a: Network, b: Network, domain: Domain, *, seed: int = 0, limits: Limits | None = None) -> Equality:
    """Return whether f_a = f_b on the domain; no certificate has been checked yet.

    Args:
        seed: chooses the points and lines; the answer does not depend on it, a witness may.
    Raises:
        ShapeError: different inputs or outputs.  DomainError: the domain is empty.
    Exactness: integers and rationals throughout.    Cost: up to one split tree of both networks.

    >>> x, y = Network([[[1], [-1]], [[1, -1]]], [[0, 0], [0]]), Network([[[1]]], [[0]])
    >>> equality(x, y, Domain.space(1)).verdict, equality(x, x, Domain.space(1)).method
    ('equal', 'trivial symmetry')
    >>> equality(x, Network([[[2]]], [[0]]), Domain.space(1)).witness.to_json()["point"]
    ['1']
    """
    check_shapes(a, b, domain)
    try:
        hull = affine_hull(domain.integer_rows, domain.dimension)
    except DomainError:
        raise DomainError("the domain is empty, so there is no point at which to compare the networks") from None
    meter = Meter(limits)
    work: dict[str, Any] = {}
    method = TREE
    try:
        for network in (a, b):
            meter.bits(integral_form(network).max_bits, "the integral form of a network")
        same = equivalent(a, b)
        if isinstance(same, Holds):
            return Equality("equal", TRIVIAL, certificate=_equivalence(a, b, same.detail["symmetry"]))
        if hull.dimension == 0:
            return _at_point(a, b, domain, hull, meter)
        flat = hull.dimension < domain.dimension
        method = HULL if flat else TREE
        one, two = restricted(a, hull.embedding), restricted(b, hull.embedding)
        search = Refutation(one, two, SamplePoints(hull.rows, hull.dimension, seed))
        work = search.work
        point = search.search(meter)
        if point is not None:
            return _different(a, b, domain, image(hull.embedding, point), EVALUATION, work)
        inner = Domain(hull.dimension, hull.rows) if flat else domain  # type: ignore[arg-type]  # integers are accepted
        found = joint_tree(one, two, inner, meter.stage(DEFAULT_CELLS))
        if isinstance(found, DifferentValues):
            return _different(a, b, domain, image(hull.embedding, search.simplified(found.point)), method, work)
        work["leaves"] = found.leaves
        own = Certificate(equal_claim(one, two, inner), {"tree": found.text})
        if flat:
            return _equal_on_flat(a, b, domain, method, own, work, meter)
        return Equality("equal", method, certificate=own, work=work)
    except BudgetExceeded as error:
        return Equality("undecided", method, str(error), work={**work, **error.done})


def _equivalence(a: Network, b: Network, symmetry: TrivialSymmetry) -> Certificate:
    moves = [{"permutation": list(p), "scale": [rational_text(x) for x in s]} for p, s in zip(symmetry.permutations, symmetry.scales)]
    return Certificate({"kind": "equivalent", "a": a.claim(), "b": b.claim()}, {"moves": moves})


def _different(a: Network, b: Network, domain: Domain, point: Point, method: str, work: dict[str, Any]) -> Equality:
    found = compared(a, b, point)
    if found is None or not domain.contains(point):
        raise InvariantError("a point at which the networks were found different shows no difference in the domain")
    return Equality("different", method, "", found, different_certificate(a, b, domain, found), work=work)


def _at_point(a: Network, b: Network, domain: Domain, hull: AffineHull, meter: Meter) -> Equality:
    point = image(hull.embedding, ())
    work = {"points": 1}
    if compared(a, b, point) is not None:
        return _different(a, b, domain, point, EVALUATION, work)
    return _equal_on_flat(a, b, domain, EVALUATION, None, work, meter)


def _equal_on_flat(a: Network, b: Network, domain: Domain, method: str, own: Certificate | None, work: dict[str, Any],
                   meter: Meter) -> Equality:
    """The verdict `equal`, with a document on the rows of the domain if there is one."""
    try:
        tree = flat_joint_tree(a, b, domain, meter.stage(DEFAULT_CELLS))
    except BudgetExceeded as error:
        return Equality("equal", method, f"no document on the flat domain was written: {error}", restricted=own, work=work)
    if tree is None:
        return Equality("equal", method, POINT_REASON if own is None else FLAT_REASON, restricted=own, work=work)
    return Equality("equal", method, certificate=Certificate(equal_claim(a, b, domain), {"tree": tree.text}), work=work)
