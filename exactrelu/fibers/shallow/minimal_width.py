"""The least number of neurons of a shallow network with a given function.

Every visible hyperplane needs a neuron.  More neurons help by making a visible block mixed (cost 1, one term with a fixed vector),
by being active (cost 1, a vector of the cone C) or as an invisible pair (cost 2, any vector); dead and null neurons never help.
So the width is K + e with e the least |M| + 2 r + a for which some orientation of the other hyperplanes makes a type feasible.
On R^d with output bias: e = min over orientations and M of |M| + 2 rank(R modulo the vectors of M); on polytopes: min rank R.
When C has interior, pairs are never needed: rank + 1 active neurons always suffice.
Deciding e = 0 is NP-complete for one input and one output already; what is too large is answered by bounds.
Source: `docs/theory/shallow_fibers.md`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from random import Random
from typing import Any

from exactrelu.certificates.result import Result
from exactrelu.errors import BudgetExceeded, InvariantError
from exactrelu.fibers.shallow.feasible_types import is_feasible
from exactrelu.fibers.shallow.orientations import orientations
from exactrelu.fibers.shallow.sampling import sample
from exactrelu.fibers.shallow.setting import Setting
from exactrelu.fibers.shallow.stratum_type import StratumType
from exactrelu.limits import Limits, Meter
from exactrelu.network.network import Network

MOST_TYPES = 20_000
"""Most choices of mixed hyperplanes that are searched."""


@dataclass(frozen=True, repr=False)
class MinimalWidth(Result):
    """The answer.

    Attributes:
        setting: the function, the domain, and which biases are allowed.
        lower, upper: bounds of the least width; equal when it is known.
        kind: the type of a network of width `upper`; None for width 0.
        reason: why the bounds differ, or the theorem.
    """

    setting: Setting
    lower: int
    upper: int
    kind: StratumType
    reason: str

    @property
    def exact(self) -> bool:
        """Whether the least width is known."""
        return self.lower == self.upper

    @property
    def verdict(self) -> str:  # type: ignore[override]  # computed
        """`exact` or `undecided`."""
        return "exact" if self.exact else "undecided"

    @cached_property
    def network(self) -> Network | None:
        """A network of width `upper` with the function; None if that is 0 (a constant needs no neuron)."""
        if self.upper == 0:
            return None
        found = sample(self.setting, self.kind, Random(0))
        if found is None:
            raise InvariantError("a feasible type has no network")
        return found

    def fields(self) -> dict[str, Any]:
        """Return the JSON fields besides the verdict."""
        visible = self.setting.form.visible
        return {"width": self.upper if self.exact else None, "lower": self.lower, "upper": self.upper, "visible_hyperplanes": visible,
                "excess": self.upper - visible if self.exact else None, "biases": self.setting.biases.value, "reason": self.reason}


def minimal_width(setting: Setting, limits: Limits | None = None) -> MinimalWidth:
    """Return the least width of a network with the function, or bounds of it.

    Exactness: rational; a limit only widens the bounds.    Cost: subset sums, for one output at most K + 1 of them; for more outputs
    possibly all orientations.

    >>> from exactrelu.fibers.shallow.ground import Ground
    >>> from exactrelu.polyhedra.domain import Domain
    >>> identity = Network([[[1, 0], [-1, 0], [0, 1], [0, -1]], [[1, -1, 0, 0], [0, 0, 1, -1]]], [[0] * 4, [0, 0]])
    >>> [minimal_width(Setting.of(identity, Ground(domain))).upper for domain in (Domain.space(2), Domain.box(2, [(0, 1)]))]
    [4, 2]
    """
    meter = Meter(limits)
    visible = setting.form.visible
    first_open: int | None = None
    why = ""
    budget = [MOST_TYPES]
    for excess in range(2 * min(setting.outputs, setting.size) + 1):
        try:
            found = None
            for candidate, certain in _candidates(setting, excess, meter, budget):
                if certain:
                    found = candidate
                    break
                if first_open is None:
                    first_open, why = excess, "active neurons along the lines of the domain leave the minimum open"
        except BudgetExceeded as error:
            if first_open is None:
                first_open, why = excess, str(error)
            found = _cheap(setting, excess)
        if found is not None:
            lower = visible + (excess if first_open is None else first_open)
            return MinimalWidth(setting, lower, visible + excess, found, why if lower < visible + excess else "all smaller types are empty")
    raise InvariantError("pairs on invisible hyperplanes always suffice")


def _candidates(setting: Setting, excess: int, meter: Meter, budget: list[int]) -> Iterator[tuple[StratumType, bool]]:
    """Feasible types with this many neurons more than visible hyperplanes; the flag says whether feasibility is certain.

    When one choice of mixed hyperplanes is too large, the others are still tried before the error is passed on.
    """
    visible = setting.form.visible
    too_large: BudgetExceeded | None = None
    for mixed_count in range(min(excess, visible) + 1):
        for active, pairs in _extra_neurons(setting, excess - mixed_count):
            constant = setting.fixed_active
            fixed = [constant] if active and constant is not None else []
            allowed = pairs + (0 if fixed else active)
            for mixed in combinations(range(visible), mixed_count):
                meter.tick()
                budget[0] -= 1
                if budget[0] < 0:
                    raise BudgetExceeded(f"more than {MOST_TYPES} choices of mixed hyperplanes")
                try:
                    for chosen in orientations(setting, mixed, allowed, fixed):
                        meter.tick()
                        kind = _type(visible, mixed, chosen, pairs, active)
                        answer = is_feasible(setting, kind)
                        if answer is not False:
                            yield kind, answer is True
                            break                                    # more orientations of this choice say nothing new if uncertain
                except BudgetExceeded as error:
                    too_large = error
                    meter.tick()
    if too_large is not None:
        raise too_large


def _extra_neurons(setting: Setting, count: int) -> Iterator[tuple[int, int]]:
    """Pairs (active neurons, invisible pairs) that can be of use, with `count` neurons together."""
    most = 0 if setting.active_space == 0 else 1 if setting.fixed_active is not None else count
    for pairs in range(count // 2 + 1 if setting.active_space < setting.size else 1):
        if count - 2 * pairs <= most:
            yield count - 2 * pairs, pairs


def _type(visible: int, mixed: tuple[int, ...], chosen: tuple[int, ...], pairs: int, active: int) -> StratumType:
    blocks = tuple((1, 1) if k in mixed else (0, 1) if k in chosen else (1, 0) for k in range(visible))
    return StratumType(blocks, ((1, 1),) * pairs, 0, active)


def _cheap(setting: Setting, excess: int) -> StratumType | None:
    """A feasible type without mixed hyperplanes and with all or no orientations reversed, if there is one."""
    visible = setting.form.visible
    for chosen in ((), tuple(range(visible))):
        for active, pairs in _extra_neurons(setting, excess):
            kind = _type(visible, (), chosen, pairs, active)
            if is_feasible(setting, kind):
                return kind
    return None
