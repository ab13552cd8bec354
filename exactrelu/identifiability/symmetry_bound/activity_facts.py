"""Facts about the activity of neurons on a whole domain, each of them proved."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from exactrelu.errors import ShapeError
from exactrelu.network.architecture import Architecture, Neuron

NeuronPair = tuple[Neuron, Neuron]


@dataclass(frozen=True)
class ActivityFacts:
    """What is known for every point of a domain P.

    Attributes:
        dead: neurons with z <= 0 on P.
        always_active: neurons with z >= 0 on P, not listed as dead.
        zero_pairs: (i, j), neuron i of a hidden layer and j of the next one: nowhere on P both z_i > 0 and z_j > 0.
    On a *strict* cell (no pre-activation zero) dead neurons are negative and always active ones positive.
    """

    dead: frozenset[Neuron] = frozenset()
    always_active: frozenset[Neuron] = frozenset()
    zero_pairs: frozenset[NeuronPair] = frozenset()

    def __post_init__(self) -> None:
        dead = frozenset(Neuron(*neuron) for neuron in self.dead)
        object.__setattr__(self, "dead", dead)
        object.__setattr__(self, "always_active", frozenset(Neuron(*neuron) for neuron in self.always_active) - dead)
        object.__setattr__(self, "zero_pairs", frozenset((Neuron(*i), Neuron(*j)) for i, j in self.zero_pairs))

    def joined(self, other: ActivityFacts) -> ActivityFacts:
        """Return all facts of both."""
        return ActivityFacts(
            self.dead | other.dead, self.always_active | other.always_active, self.zero_pairs | other.zero_pairs
        )

    def check(self, architecture: Architecture) -> None:
        """Raise `ShapeError` for a neuron that does not exist or a pair that is not in consecutive layers."""
        for neuron in sorted(self.dead | self.always_active):
            architecture.number(neuron)
        for i, j in sorted(self.zero_pairs):
            architecture.number(i)
            architecture.number(j)
            if j.layer != i.layer + 1:
                raise ShapeError(f"neurons {i} and {j} are not in consecutive layers")


def in_order(neurons: Iterable[Neuron]) -> tuple[Neuron, ...]:
    """Return neurons sorted by layer and index."""
    return tuple(sorted(neurons))
