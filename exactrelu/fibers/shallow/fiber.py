"""The complete fiber of a shallow network: all parameters of its width with the same function, as a union of strata.

Strata are taken up to permutation of the neurons.  The list is complete unless a limit cut it short, or a type whose feasibility
is open was left out; then the result says so.
"""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

from exactrelu.errors import BudgetExceeded
from exactrelu.fibers.semialgebraic.union import SemialgebraicSet
from exactrelu.fibers.shallow.feasible_types import feasible_types
from exactrelu.fibers.shallow.ground import Ground
from exactrelu.fibers.shallow.sampling import sample
from exactrelu.fibers.shallow.setting import Biases, Setting
from exactrelu.fibers.shallow.strata import corank, parameter_space, stratum
from exactrelu.fibers.shallow.stratum_type import StratumType
from exactrelu.fibers.stratum import FiberStratum
from exactrelu.limits import Meter
from exactrelu.network.network import Network
from exactrelu.polyhedra.domain import Domain

MOST_STRATA = 1_000


@dataclass(frozen=True, eq=False)
class ShallowFiber:
    """The strata of one width.

    Attributes:
        setting: the function, the domain, and which biases are allowed.
        width: number of neurons.
        types: of the strata, in the same order.
        strata: with a parameter of each.
        gap: why strata may be missing; "" if none is.
    """

    setting: Setting
    width: int
    types: tuple[StratumType, ...]
    strata: tuple[FiberStratum, ...]
    gap: str

    @property
    def complete(self) -> bool:
        """Whether every parameter with the function lies in a stratum, after a permutation of its neurons."""
        return not self.gap

    @property
    def note(self) -> str:
        """One sentence about the scope."""
        count = len(self.strata)
        found = f"{count} strat{'um' if count == 1 else 'a'} up to permutation of the neurons"
        return f"{found}; strata may be missing: {self.gap}" if self.gap else f"all parameters with {self.width} neurons: {found}"

    @property
    def union(self) -> SemialgebraicSet:
        """The strata as one set."""
        ring = parameter_space(self.setting, self.width).ring
        return SemialgebraicSet(ring, tuple(s.part for s in self.strata), "all", self.complete, self.note)

    @property
    def symmetries(self) -> tuple[str, ...]:
        """What moves inside the strata and between them, one sentence each."""
        out = ["permutation of the neurons", "positive scaling of every neuron"]
        kinds = self.types
        if len({kind.reversed for kind in kinds if not kind.mixed}) > 1:
            out.append("reversal of sets of neurons whose columns times rows cancel")
        if any(max(p, q) > 1 for kind in kinds for p, q in (*kind.visible, *kind.invisible)):
            out.append("neurons of one hyperplane and orientation share their weight in any way")
        if any(kind.mixed for kind in kinds):
            out.append("neurons of one hyperplane and opposite orientation exchange a linear part")
        if any(kind.invisible for kind in kinds):
            out.append("neurons on a common hyperplane whose jumps cancel move with it")
        if any(kind.dead for kind in kinds):
            out.append("a dead neuron has arbitrary outgoing weights, and moves as long as it stays dead")
        if any(kind.active for kind in kinds):
            out.append("always active neurons are recombined as long as they stay active")
        return tuple(out)


def shallow_fiber(network: Network, domain: Domain, meter: Meter, biases: Biases = Biases.ALL) -> ShallowFiber:
    """Return all parameters of the architecture with the function of a network with one hidden layer.

    Raises:
        ShapeError: another number of hidden layers.  DomainError: the domain has no interior points.
        InputError: the network has a bias that is not allowed.
    Exactness: rational.    Cost: one polynomial system a stratum; the number of strata can be exponential in the neurons.

    >>> relu = shallow_fiber(Network([[[1]], [[1]]], [[0], [0]]), Domain.space(1), Meter())
    >>> [(s.dimension, s.exact, s.part.description) for s in relu.strata], relu.complete
    ([(1, True, 'visible hyperplanes: 1+0-')], True)
    """
    setting, width = Setting.of(network, Ground(domain), biases), network.architecture.hidden_widths[0]
    types: list[StratumType] = []
    strata: list[FiberStratum] = []
    gap = ""
    try:
        for kind, certain in feasible_types(setting, width):
            meter.tick()
            member = sample(setting, kind, Random(len(strata))) if certain else None
            if member is None:
                gap = gap or f"it is open whether the type ({kind.description}) occurs"
                continue
            if len(strata) >= MOST_STRATA:
                raise BudgetExceeded(f"there are more than {MOST_STRATA} strata")
            bound = corank(setting, kind, member)
            types.append(kind)
            strata.append(FiberStratum(stratum(setting, kind), bound.value, bound.exact, member))
    except BudgetExceeded as error:
        gap = str(error)
    return ShallowFiber(setting, width, tuple(types), tuple(strata), gap)
