"""Weights that the function does not see: behind a zero column, after a dead neuron, between neurons never active together.

* Zero outgoing column: the row of the neuron is free.
* Dead neuron (z <= 0 on P): its outgoing column is free.
* Neurons i, j of adjacent layers nowhere both positive: the weight from i to j may decrease (where z_i > 0 already
  z_j <= 0, and it only gets smaller; elsewhere nothing changes).
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from exactrelu.certification.witnesses.candidate import SecondParameter, changed, column_of, hidden_neurons, row_of
from exactrelu.identifiability.symmetry_bound.activity_facts import ActivityFacts
from exactrelu.network.network import Network

ONE = Fraction(1)


def zero_columns(network: Network) -> Iterator[SecondParameter]:
    """Yield other biases for neurons whose outgoing column vanishes.  No hypothesis on the domain.

    >>> [str(c.neurons[0]) for c in zero_columns(Network([[[1], [2]], [[1, 0]]], [[0, 1], [0]]))]
    ['(1, 1)', '(1, 1)']
    """
    for v in hidden_neurons(network):
        if any(column_of(network, v)):
            continue
        *weights, bias = row_of(network, v)
        for other in (bias + ONE, -bias - ONE):                    # the second changes a sign: a row without weights can be rescaled
            yield SecondParameter(f"neuron {v} has a zero outgoing column, so its row is free", (v,),
                                  changed(network, v.layer, {v.index: (*weights, other)}))


def dead_neurons(network: Network, facts: ActivityFacts) -> Iterator[SecondParameter]:
    """Yield other outgoing columns for neurons that are never positive."""
    for v in sorted(facts.dead):
        first, *rest = column_of(network, v)
        for other in (first + ONE, -first - ONE):                  # the second changes a sign: a zero row can rescale its column
            yield SecondParameter(f"neuron {v} is never positive on the domain, so its outgoing column is free", (v,),
                                  changed(network, v.layer, None, {v.index: (other, *rest)}))


def never_together(network: Network, facts: ActivityFacts) -> Iterator[SecondParameter]:
    """Yield smaller weights between neurons of adjacent layers that are nowhere both positive."""
    for i, j in sorted(facts.zero_pairs):
        if i in facts.dead or j in facts.dead:
            continue
        row = list(row_of(network, j))
        row[i.index] -= ONE
        yield SecondParameter(f"neurons {i} and {j} are never active together on the domain, so the weight between them can decrease",
                              (i, j), changed(network, j.layer, {j.index: row}))
