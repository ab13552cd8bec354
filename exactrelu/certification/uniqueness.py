"""Is theta the only parameter of its architecture with its function, among all parameters?  The criteria in their order.

1. tight architectures: the complete fiber, any depth;
2. one hidden layer: reversible sets of neurons;
3. two hidden layers: quick conditions, then the complete search; the bottleneck argument for widths 1, 2;
4. one wide layer in front of layers of two neurons: the complete search.
Each ends in Holds(document), Fails(second parameter, document) or Undecided(first failed hypothesis).  A complete fiber is
kept whole: `detail["members"]` are all parameters with the function, up to permutation and positive scaling.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property

from exactrelu.certificates.certificate import Certificate
from exactrelu.certificates.verdict import Fails, Holds, Undecided, Verdict
from exactrelu.certification.checked_conditions import two_layer_conditions, width_one_conditions
from exactrelu.certification.same_function import SameFunction
from exactrelu.certification.second_parameter import SecondParameter, proved
from exactrelu.certification.shallow_fiber import shallow_fiber
from exactrelu.complexes.canonical_complex import CanonicalComplex
from exactrelu.complexes.function_complex import FunctionComplex, function_complex
from exactrelu.dependency.dependency_graph import DependencyGraph, dependency_graph
from exactrelu.errors import BudgetExceeded, InvariantError
from exactrelu.limits import Meter
from exactrelu.network.network import Network
from exactrelu.network.trivial_symmetry import equivalent
from exactrelu.recovery.complete_fiber import CompleteFiber
from exactrelu.recovery.fiber_certificate import fiber_certificate
from exactrelu.recovery.tight_fiber import is_tight, tight_fiber
from exactrelu.recovery.two_layer_fiber import two_layer_fiber
from exactrelu.recovery.wide_front_fiber import is_wide_front, wide_front_fiber

MAX_CELLS = 5_000
"""Largest complex for the searches for all parameters."""


@dataclass(frozen=True, eq=False)
class Subject:
    """A parameter on a domain with everything the criteria look at.

    Attributes:
        complex: the canonical complex of theta on the domain.
        meter: limits of all searches together.
    """

    complex: CanonicalComplex
    meter: Meter

    @property
    def network(self) -> Network:
        """theta."""
        return self.complex.network

    @cached_property
    def function(self) -> FunctionComplex:
        """f without a parameter."""
        return function_complex(self.complex)

    @cached_property
    def graph(self) -> DependencyGraph:
        """The dependency graph of f."""
        return dependency_graph(self.function)

    @cached_property
    def same(self) -> SameFunction:
        """Whether a candidate has the function f."""
        return SameFunction(self.network, self.complex.domain, self.meter)


Criterion = Callable[[Subject], Verdict]


def other_members(network: Network, members: tuple[Network, ...]) -> list[Network]:
    """Return the members that are not equivalent to theta; theta itself must be one of the members.

    Raises:
        InvariantError: theta is missing, so the search was wrong.
    """
    verdicts = [equivalent(network, member).word for member in members]
    if "holds" not in verdicts:
        raise InvariantError("a complete list of parameters does not contain theta")
    return [member for member, word in zip(members, verdicts) if word == "fails"]


def decided_by_members(subject: Subject, members: tuple[Network, ...], certificate: Certificate | None, method: str) -> Verdict:
    """The verdict of a complete fiber: one member, or a second one with its own proof of equality.

    The list counts as complete only with a document that the checker accepts.
    """
    others = other_members(subject.network, members)
    missing = _missing_proof(certificate)
    if not others:
        if missing:
            return Undecided(f"{method}: the search finds theta only, but {missing}")
        return Holds(certificate, {"reason": f"{method}: theta is the only parameter of its architecture with this function",
                                   "members": members})
    count = len(others) + 1
    reason = f"{method}: {'at least ' if missing else 'exactly '}{count} parameters of the architecture have this function"
    second = SecondParameter(reason, (), others[0])
    detail = {"reason": reason} if missing else {"reason": reason, "members": members, "fiber_certificate": certificate}
    return Fails(second, proved(subject.network, second, subject.complex.domain, subject.meter.stage(MAX_CELLS)), detail)


def _missing_proof(certificate: Certificate | None) -> str:
    """Why a complete list has no accepted document, or "" if it has one.  A rejection is a bug, and is raised."""
    if certificate is None:
        return "there is no kind of document for this case"
    try:
        certificate.verify()
    except BudgetExceeded as error:
        return str(error)
    return ""


def by_tight_fiber(subject: Subject) -> Verdict:
    """Complete fiber of a tight architecture."""
    return _complete(subject, tight_fiber(subject.function, subject.network.architecture, subject.same, subject.meter), "tight fiber")


def by_shallow_fiber(subject: Subject) -> Verdict:
    """One hidden layer: reversible sets of neurons."""
    found = shallow_fiber(subject.complex)
    if not isinstance(found, Holds):
        return found
    return decided_by_members(subject, tuple(found.detail["members"]), found.certificate, "reversible sets of one hidden layer")


def by_two_layer_conditions(subject: Subject) -> Verdict:
    """Quick conditions for two hidden layers."""
    return two_layer_conditions(subject.complex, subject.graph)


def by_bottleneck(subject: Subject) -> Verdict:
    """One neuron, then two."""
    return width_one_conditions(subject.complex)


def by_two_layer_fiber(subject: Subject) -> Verdict:
    """Complete fiber of two hidden layers."""
    found = two_layer_fiber(subject.function, subject.network.architecture, subject.same, subject.meter)
    return _complete(subject, found, "two-layer search")


def by_wide_front_fiber(subject: Subject) -> Verdict:
    """Complete fiber of one wide layer in front of layers of two neurons."""
    found = wide_front_fiber(subject.function, subject.network.architecture, subject.same, subject.meter)
    return _complete(subject, found, "wide-front search")


def _complete(subject: Subject, found: CompleteFiber | Undecided, method: str) -> Verdict:
    if isinstance(found, Undecided):
        return found
    certificate = fiber_certificate(subject.network, subject.complex.domain, found, subject.meter)
    return decided_by_members(subject, found.members, certificate, method)


def criteria(network: Network) -> Iterator[tuple[str, Criterion]]:
    """Yield the criteria that apply to the architecture, in their order."""
    architecture = network.architecture
    layers, widths = architecture.hidden_layers, architecture.hidden_widths
    if layers == 1:
        yield "reversible sets", by_shallow_fiber
        return
    if layers and architecture.inputs >= 2:
        if is_tight(architecture):
            yield "tight fiber", by_tight_fiber
        if layers == 2:
            yield "two-layer conditions", by_two_layer_conditions
            yield "two-layer search", by_two_layer_fiber
        elif is_wide_front(architecture):
            yield "wide-front search", by_wide_front_fiber
    if widths == (1, 2):
        yield "bottleneck", by_bottleneck


def among_all(subject: Subject) -> Verdict:
    """Return the verdict of the first criterion that decides, else Undecided with the reason of every one.

    Raises:
        InvariantError: a search lost theta itself.  CertificateRejected: the checker refuses the document of a fiber (a bug).
    Exactness: as the searches.    Cost: that of the criteria, one after the other; none above `MAX_CELLS` full cells.

    >>> among_all(Subject(CanonicalComplex.build(Network([[[1, 2]], [[1]]], [[1], [0]])), Meter())).word
    'holds'
    """
    cells = subject.complex.full_cells
    if not subject.network.architecture.hidden_layers:
        return Undecided("no hidden layer: f is affine and shows all weights, but there is no document that says so")
    if cells > MAX_CELLS:
        return Undecided(f"the searches for all parameters stop at {MAX_CELLS} full cells, there are {cells}")
    reasons = {}
    for name, criterion in criteria(subject.network):
        try:
            subject.meter.tick()
            found = criterion(subject)
        except BudgetExceeded as error:
            found = Undecided(str(error), error.done)
        if not isinstance(found, Undecided):
            return found
        reasons[name] = found
    if not reasons:
        return Undecided("no criterion for this architecture: middle layers wider than two, or widths that differ, behind the first layer")
    first = "; ".join(f"{name}: {verdict.reason}" for name, verdict in reasons.items())
    return Undecided(first, {"criteria": reasons})
