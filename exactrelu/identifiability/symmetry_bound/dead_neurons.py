"""Removing dead neurons: the same function on the domain, and what the functional dimension does.

A neuron with z <= 0 on P contributes nothing to f on P.  Let theta' be the parameter without it.

* f is the same on P, exactly.
* fdim(theta) <= fdim(theta').  On a strict cell of theta the neuron is negative, so the cell lies in a strict cell of
  theta' with the same pattern; the columns of J(theta) of the row and the outgoing column of the neuron vanish, the
  others are those of J(theta').
* fdim(theta) >= fdim(theta') unless z vanishes on an open set, where theta has no strict cell.  A lower bound of
  theta' is a lower bound of theta if the neuron does not vanish at the points that prove it: then all their signs are
  strict for theta too.
* A layer keeps at least one neuron: if all are dead, the first stays.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from exactrelu.errors import PreconditionError
from exactrelu.identifiability.facet_pairs.bound import FacetPairBound
from exactrelu.identifiability.facet_pairs.exact_points import exact_signs
from exactrelu.network.architecture import Neuron
from exactrelu.network.integral_form import integral_form
from exactrelu.network.network import Network


@dataclass(frozen=True)
class DeadNeuronRemoval:
    """A network with and without neurons that are dead on a domain.

    Attributes:
        original, reduced: equal functions where the removed neurons are <= 0.
        removed: the neurons that were removed, named as in `original`.
    """

    original: Network
    reduced: Network
    removed: tuple[Neuron, ...]

    @property
    def kept_numbers(self) -> tuple[int, ...]:
        """The number in `original` of every hidden neuron of `reduced`."""
        architecture, gone = self.original.architecture, set(self.removed)
        return tuple(k for k in range(architecture.hidden_neurons) if architecture.neuron(k) not in gone)

    def upper_bound(self, reduced_upper_bound: int) -> int:
        """Return an upper bound of the functional dimension of `original` from one of `reduced`: the same number."""
        return reduced_upper_bound

    def lower_bound(self, bound: FacetPairBound) -> FacetPairBound:
        """Return a facet-pair bound of `reduced` as one of `original`, of the same dimension.

        Raises:
            PreconditionError: the bound is not one of `reduced`, or a removed neuron is not strictly negative at one of
                its points.
        """
        if bound.network != self.reduced:
            raise PreconditionError("the bound is not one of the reduced network")
        points = [point for pair in bound.pairs for point in (pair.below, pair.above)] + list(bound.output_points)
        gone = [self.original.architecture.number(neuron) for neuron in self.removed]
        if not bool((exact_signs(integral_form(self.original), points)[:, gone] < 0).all()):
            raise PreconditionError("a removed neuron is not negative at a point of the bound")
        ranks = np.zeros(self.original.architecture.hidden_neurons, dtype=int)
        ranks[list(self.kept_numbers)] = bound.ranks
        pairs = tuple(replace(pair, neuron=self.kept_numbers[pair.neuron]) for pair in bound.pairs)
        return replace(bound, network=self.original, pairs=pairs, ranks=tuple(int(x) for x in ranks))


def dead_neuron_removal(network: Network, dead: Iterable[Sequence[int]]) -> DeadNeuronRemoval:
    """Return the removal of neurons that are dead on the domain in question (the caller has proved that).

    Raises:
        ShapeError: there is no such neuron.

    >>> f = Network([[[1], [-1]], [[1, 1]]], [[0, -3], [0]])
    >>> dead_neuron_removal(f, [(1, 1)]).reduced.weights
    (((Fraction(1, 1),),), ((Fraction(1, 1),),))
    """
    names = sorted({network.architecture.neuron(network.architecture.number(neuron)) for neuron in dead})
    widths = network.architecture.widths
    removed: list[Neuron] = []
    weights, biases = list(network.weights), list(network.biases)
    for layer in range(1, network.architecture.hidden_layers + 1):
        gone = [neuron for neuron in names if neuron.layer == layer]
        gone = gone[1:] if len(gone) == widths[layer] else gone
        removed += gone
        kept = [i for i in range(widths[layer]) if Neuron(layer, i) not in gone]
        weights[layer - 1] = tuple(weights[layer - 1][i] for i in kept)
        biases[layer - 1] = tuple(biases[layer - 1][i] for i in kept)
        weights[layer] = tuple(tuple(row[i] for i in kept) for row in weights[layer])
    return DeadNeuronRemoval(network, Network(tuple(weights), tuple(biases)), tuple(removed))


def remove_dead_neurons(network: Network, dead: Iterable[Sequence[int]]) -> Network:
    """Return the network without these neurons: the same function wherever they are <= 0."""
    return dead_neuron_removal(network, dead).reduced
