"""The exact test that closes every search: does this candidate have the function of theta on the domain?"""

from __future__ import annotations

from dataclasses import dataclass, field

from exactrelu.arithmetic.rational import homogeneous_point, point_text
from exactrelu.equivalence.by_split_tree import DifferentValues, joint_tree
from exactrelu.limits import Meter
from exactrelu.network.network import Network
from exactrelu.network.trivial_symmetry import equivalent
from exactrelu.polyhedra.domain import Domain

LEAVES = 200_000
"""Leaves of a common split tree, unless the user sets `max_cells`."""


@dataclass(frozen=True)
class SameFunction:
    """The test whether a candidate has the function of a network on a domain; call it with the candidate.

    It raises `BudgetExceeded` when the common split tree grows over the limits.
    Attributes:
        refutations: points where rejected candidates have another value, as documents write them.

    >>> same = SameFunction(Network([[[1]], [[2]]], [[0], [0]]), Domain.space(1), Meter())
    >>> same(Network([[[2]], [[1]]], [[0], [0]])), same(Network([[[2]], [[2]]], [[0], [0]])), len(same.refutations)
    (True, False, 1)
    """

    network: Network
    domain: Domain
    meter: Meter
    refutations: list[str] = field(default_factory=list)

    def __call__(self, candidate: Network) -> bool:
        """Whether the functions are equal on the domain."""
        if candidate.architecture == self.network.architecture and equivalent(self.network, candidate).word == "holds":
            return True
        found = joint_tree(self.network, candidate, self.domain, self.meter.stage(LEAVES))
        if isinstance(found, DifferentValues):
            self.refutations.append(point_text(homogeneous_point(found.point)))
            return False
        return True
