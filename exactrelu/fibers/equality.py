"""Are two networks one function: by canonical forms where a theorem decides, by split trees elsewhere.

Networks with one hidden layer have a canonical form that decides in time linear in the neurons, on every domain with interior points
whose generators can be listed; the answer `equal` has a document of kind `equal-shallow`, `different` a point.
"""

from __future__ import annotations

from exactrelu.certificates.verdict import Fails, Holds
from exactrelu.equivalence.decide import Equality, equality
from exactrelu.errors import BudgetExceeded, DomainError
from exactrelu.fibers.shallow.equality import shallow_equality
from exactrelu.fibers.shallow.ground import Ground
from exactrelu.limits import Limits, Meter
from exactrelu.network.integral_form import integral_form
from exactrelu.network.network import Network
from exactrelu.network.trivial_symmetry import equivalent
from exactrelu.polyhedra.domain import Domain

CANONICAL = "canonical form of shallow networks"
MOST_NEURONS = 600
"""Most hidden neurons of a network that the checker reads."""


def function_equality(a: Network, b: Network, domain: Domain, *, seed: int = 0, limits: Limits | None = None) -> Equality:
    """Return whether f_a = f_b on the domain; no certificate has been checked yet.

    Raises:
        ShapeError: different inputs or outputs.  DomainError: the domain is empty.
    Exactness: rational.    Cost: linear in the neurons for one hidden layer; else that of `equivalence.decide`.

    >>> relu = Network([[[1]], [[1]]], [[0], [0]])
    >>> function_equality(relu, Network([[[2], [1]], [["1/4", "1/2"]]], [[0, 0], [0]]), Domain.space(1)).method
    'canonical form of shallow networks'
    """
    shallow = a.architecture.hidden_layers == b.architecture.hidden_layers == 1
    if shallow and a.architecture.inputs == b.architecture.inputs == domain.dimension:
        many = max(a.architecture.hidden_neurons, b.architecture.hidden_neurons) > MOST_NEURONS
        try:
            if not many or (limits is not None and limits.max_bits is not None):
                for network in (a, b):                       # the integral form of a wide network takes longer than the decision
                    Meter(limits).bits(network.max_bits if many else integral_form(network).max_bits, "an entry of a network")
            if many or not isinstance(equivalent(a, b), Holds):
                return _by_canonical_form(a, b, domain, f"no document is written for more than {MOST_NEURONS} hidden neurons" * many)
        except (BudgetExceeded, DomainError):
            pass                                             # too many generators, or a flat domain: the general way
    return equality(a, b, domain, seed=seed, limits=limits)


def _by_canonical_form(a: Network, b: Network, domain: Domain, no_document: str) -> Equality:
    found = shallow_equality(a, b, Ground(domain))
    if isinstance(found, Fails):
        return Equality("different", CANONICAL, no_document, found.witness, None if no_document else found.certificate)
    certificate = found.certificate if isinstance(found, Holds) and not no_document else None
    return Equality("equal", CANONICAL, no_document, certificate=certificate)
