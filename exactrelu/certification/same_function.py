"""The exact test that closes every search: does this candidate have the function of theta on the domain?"""

from __future__ import annotations

from collections.abc import Callable

from exactrelu.equivalence.by_split_tree import DifferentValues, joint_tree
from exactrelu.limits import Meter
from exactrelu.network.network import Network
from exactrelu.network.trivial_symmetry import equivalent
from exactrelu.polyhedra.domain import Domain

LEAVES = 200_000
"""Leaves of a common split tree, unless the user sets `max_cells`."""


def realizes(network: Network, domain: Domain, meter: Meter) -> Callable[[Network], bool]:
    """Return the test whether a candidate has the function of `network` on the domain.

    The test raises `BudgetExceeded` when the common split tree grows over the limits.

    >>> same = realizes(Network([[[1]], [[2]]], [[0], [0]]), Domain.space(1), Meter())
    >>> same(Network([[[2]], [[1]]], [[0], [0]])), same(Network([[[2]], [[2]]], [[0], [0]]))
    (True, False)
    """
    def test(candidate: Network) -> bool:
        if candidate.architecture == network.architecture and equivalent(network, candidate).word == "holds":
            return True
        return not isinstance(joint_tree(network, candidate, domain, meter.stage(LEAVES)), DifferentValues)

    return test
