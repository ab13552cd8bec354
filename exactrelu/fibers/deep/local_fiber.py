"""The fiber near a parameter of any depth: one system of polynomial equations, its dimension, its continuous symmetries.

*Dimension.*  Let r be the rank of the Jacobian over the strict full cells, which are gradients of the equations.  The fiber has
dimension at most N - r at theta.  Vector fields that are orthogonal to the gradients of all region equations, for all parameters, keep
the equations; if the cells persist, moving along those that are independent at theta stays in the fiber, whose dimension is then at
least their rank.  (Directions that keep the equations at theta only do not count: where a block of always active neurons has small
rank, several branches of the fiber meet, and N - r is too large.)  If r = N - H, near theta there are only the scalings.
"""

from __future__ import annotations

from dataclasses import dataclass

from exactrelu.arithmetic.matrix import rank
from exactrelu.arithmetic.rational import primitive_integer
from exactrelu.certificates.verdict import Holds, Undecided
from exactrelu.errors import BudgetExceeded
from exactrelu.fibers.conservation.pattern_maps import PatternMaps, parameter_values, strict_patterns
from exactrelu.fibers.conservation.symmetries import Symmetry, symmetries
from exactrelu.fibers.deep.local_system import LocalSystem
from exactrelu.fibers.semialgebraic.union import SemialgebraicSet
from exactrelu.fibers.stratum import FiberStratum
from exactrelu.identifiability.functional_dimension import FunctionalDimension, functional_dimension
from exactrelu.limits import Limits, Meter
from exactrelu.network.network import Network
from exactrelu.polyhedra.domain import Domain

NEAR = "parameters near theta"


@dataclass(frozen=True, eq=False)
class LocalFiber:
    """What is known of the fiber near theta.

    Attributes:
        stratum: the system with theta as its sample.
        persistence: Holds if near theta the fiber is the solution set; else the equations are necessary only, and why.
        dimension: the certified functional dimension at theta.
        symmetries: continuous symmetries, one sentence each.
    """

    stratum: FiberStratum
    persistence: Holds | Undecided
    dimension: FunctionalDimension
    symmetries: tuple[str, ...]

    @property
    def complete(self) -> bool:
        """Whether the system describes all parameters near theta with the function, and no others."""
        return isinstance(self.persistence, Holds)

    @property
    def note(self) -> str:
        """One sentence about the scope."""
        if isinstance(self.persistence, Holds):
            return f"{NEAR}: exactly the solutions of the equations have the function of theta"
        return f"{NEAR}: the equations are necessary; whether they suffice is open, as {self.persistence.reason}"

    @property
    def union(self) -> SemialgebraicSet:
        """The system as a union of one part."""
        return SemialgebraicSet(self.stratum.part.ring, (self.stratum.part,), "local", self.complete, self.note)


def local_fiber(network: Network, domain: Domain, *, seed: int = 0, limits: Limits | None = None) -> LocalFiber:
    """Return the fiber near a parameter on a domain.

    Raises:
        BudgetExceeded: the complex or the polynomial system is too large.
    Exactness: rational.    Cost: the complete complex, then the polynomials of `local_system`.

    >>> near = local_fiber(Network([[[1, 2], [3, -1]], [[1, 1], [-1, 2]], [[1, 1]]], [[1, 0], [-2, 1], [0]]), Domain.space(2))
    >>> near.stratum.dimension, near.stratum.exact, near.complete
    (4, True, True)
    """
    meter = Meter(limits)
    dimension = functional_dimension(network, domain, seed=seed, limits=limits)
    if dimension.complex is None:
        raise BudgetExceeded(dimension.notes[0] if dimension.notes else "no complete complex")
    system = LocalSystem(dimension.complex, meter)
    part, persistence = system.basic_set, system.persistence
    upper = network.architecture.parameters - dimension.lower
    known = _symmetries(dimension)
    moving = rank([primitive_integer(s.at(parameter_values(network))) for s in known], network.architecture.parameters) if known else 0
    exact = dimension.is_maximal or (isinstance(persistence, Holds) and moving == upper)
    texts = tuple(s.text for s in known) if known else ("positive scaling of every hidden neuron",)
    return LocalFiber(FiberStratum(part, upper, exact, network), persistence, dimension, texts)


def _symmetries(dimension: FunctionalDimension) -> list[Symmetry]:
    """Continuous symmetries of the patterns; none if there are too many paths."""
    assert dimension.complex is not None                               # asked for by the caller
    try:
        maps = PatternMaps(dimension.network.architecture, strict_patterns(dimension.complex))
    except BudgetExceeded:
        return []
    return symmetries(maps)
