"""The answer of the `fiber` command: all parameters with the same function, in the strongest form that is known for the architecture.

* no hidden layer: theta alone;
* one hidden layer: the complete union of strata, scope `all`;
* more: the system of region equations near theta, scope `local`; or, if asked for and if a complete search of certification ends,
  the finitely many scaling orbits of all parameters with the function, scope `all`.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from random import Random
from typing import Any

from exactrelu.certificates.certificate import Certificate
from exactrelu.certificates.result import Result
from exactrelu.certification.certify import certify
from exactrelu.errors import InvariantError
from exactrelu.fibers.deep.local_fiber import local_fiber
from exactrelu.fibers.semialgebraic.scaling_orbit import scaling_orbit
from exactrelu.fibers.semialgebraic.union import SemialgebraicSet
from exactrelu.fibers.shallow.fiber import ShallowFiber, shallow_fiber
from exactrelu.fibers.shallow.sampling import sample
from exactrelu.fibers.shallow.setting import Biases
from exactrelu.fibers.shallow.shallow_form import shallow_form
from exactrelu.fibers.stratum import FiberStratum
from exactrelu.limits import Limits, Meter
from exactrelu.network.network import Network
from exactrelu.network.trivial_symmetry import TrivialSymmetry
from exactrelu.polyhedra.domain import Domain


@dataclass(frozen=True, eq=False, repr=False)
class Fiber(Result):
    """All parameters of an architecture with one function, as far as they are known.

    Attributes:
        network, domain: theta, and where functions are compared.
        union: the strata as one semi-algebraic set, with scope and completeness.
        strata: the pieces, each with a parameter in it.
        symmetries: what moves in and between the pieces, one sentence each.
        method: `canonical form`, `region equations` or `complete search`.
        certificate: that the list of orbits is complete, for the complete search.
    """

    network: Network
    domain: Domain
    union: SemialgebraicSet
    strata: tuple[FiberStratum, ...]
    symmetries: tuple[str, ...]
    method: str
    certificate: Certificate | None = None
    shallow: ShallowFiber | None = field(default=None)

    @property
    def scope(self) -> str:
        """`all` parameters of the architecture, or those near theta: `local`."""
        return self.union.scope

    @property
    def complete(self) -> bool:
        """Whether the strata describe every parameter of the scope with the function, and no others."""
        return self.union.complete

    @property
    def verdict(self) -> str:  # type: ignore[override]  # read-only here
        """`complete` within the scope, or `undecided`."""
        return "complete" if self.complete else "undecided"

    def fields(self) -> dict[str, Any]:
        """Return the JSON fields of the interface."""
        return {"scope": self.scope, "complete": self.complete, "strata": [s.to_json() for s in self.strata],
                "symmetries": list(self.symmetries), "method": self.method, "reason": self.union.note,
                "parameters": self.network.architecture.parameters}

    def samples(self, count: int, seed: int = 0) -> list[Network]:
        """Return parameters with the function, from one stratum after the other; each has been checked.

        Exactness: rational.    Cost: a few linear systems a parameter for shallow networks; else scalings of the samples.
        """
        rng = Random(f"fiber {seed}")
        out: list[Network] = []
        for k in range(count if self.strata else 0):
            place = k % len(self.strata)
            drawn = self._drawn(place, rng)
            out.append(drawn)
        return out

    def _drawn(self, place: int, rng: Random) -> Network:
        if self.shallow is not None:
            found = sample(self.shallow.setting, self.shallow.types[place], rng)
            if found is None or shallow_form(found, self.shallow.setting.ground) != self.shallow.setting.form:
                raise InvariantError("a parameter drawn from a stratum has another function")
            return found
        start = self.strata[place].sample
        widths = start.architecture.hidden_widths
        scales = tuple(tuple(Fraction(rng.randrange(1, 10), rng.randrange(1, 4)) for _ in range(n)) for n in widths)
        return TrivialSymmetry(tuple(tuple(range(n)) for n in widths), scales).act(start)


def fiber(network: Network, domain: Domain | None = None, *, biases: Biases = Biases.ALL, search: bool = False, seed: int = 0,
          limits: Limits | None = None) -> Fiber:
    """Return the parameters with the function of a network on a domain.

    Args:
        biases: which biases shallow networks may have; deeper ones have all.
        search: for two hidden layers and more, run the complete searches of `certify` first; scope `all` if one of them ends.
    Raises:
        BudgetExceeded: the complex or the polynomial system is too large.  DomainError: the domain has no interior points.

    >>> found = fiber(Network([[[1], [-1]], [[3, -1]]], [[0, 0], [0]]))
    >>> found.scope, found.complete, [(s.dimension, s.exact) for s in found.strata]
    ('all', True, [(2, True)])
    """
    region = Domain.space(network.architecture.inputs) if domain is None else domain
    region.require_interior()
    layers = network.architecture.hidden_layers
    if layers == 1:
        found = shallow_fiber(network, region, Meter(limits), biases)
        return Fiber(network, region, found.union, found.strata, found.symmetries, "canonical form", shallow=found)
    if layers == 0:
        return _orbits(network, region, (network,), None)
    if search:
        known = certify(network, region, seed=seed, limits=limits)
        if known.verdict == "identifiable":
            return _orbits(network, region, (network,), known.certificate)
        if known.fiber is not None:
            return _orbits(network, region, known.fiber, known.fiber_certificate)
    near = local_fiber(network, region, seed=seed, limits=limits)
    return Fiber(network, region, near.union, (near.stratum,), near.symmetries, "region equations")


def _orbits(network: Network, domain: Domain, members: tuple[Network, ...], certificate: Certificate | None) -> Fiber:
    """All parameters are scalings of these, up to permutation of neurons."""
    hidden = network.architecture.hidden_neurons
    count = len(members)
    strata = tuple(FiberStratum(scaling_orbit(member, f"positive scalings of parameter {k} of {count}"), hidden, True, member)
                   for k, member in enumerate(members, 1))
    note = f"all parameters: {count} orbit{'s' * (count != 1)} of positive scalings, up to permutation of the neurons of each layer"
    union = SemialgebraicSet(strata[0].part.ring, tuple(s.part for s in strata), "all", True, note)
    symmetries = ("permutation of the neurons of a layer", "positive scaling of every hidden neuron") if hidden else ()
    return Fiber(network, domain, union, strata, symmetries, "complete search" if hidden else "canonical form", certificate)
