"""Neurons that are never negative: their biases move to the next layer, and several of them form a block.

On P a block of always-active neurons of a layer contributes C (M a + beta).  For t >= 0 the bias of one of them can be raised
and taken back in the next layer; for an invertible G with G (M a + beta) >= 0 on P the block (G M, G beta, C G^-1) is the
same.  G = 1 + E_ij needs nothing more: z_i + z_j >= 0.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from exactrelu.certification.witnesses.candidate import SecondParameter, added, changed, column_of, row_of, scaled
from exactrelu.identifiability.symmetry_bound.activity_facts import ActivityFacts
from exactrelu.network.network import Network

ONE = Fraction(1)


def bias_shifts(network: Network, facts: ActivityFacts) -> Iterator[SecondParameter]:
    """Yield raised biases of always-active neurons, taken back in the next layer."""
    for v in sorted(facts.always_active):
        *weights, bias = row_of(network, v)
        yield SecondParameter(f"neuron {v} is never negative on the domain, so its bias can be moved to the next layer", (v,),
                              changed(network, v.layer, {v.index: (*weights, bias + ONE)}, None, scaled(column_of(network, v), -ONE)))


def linear_blocks(network: Network, facts: ActivityFacts) -> Iterator[SecondParameter]:
    """Yield blocks of always-active neurons mixed by G = 1 + E_ij."""
    for i in sorted(facts.always_active):
        for j in sorted(facts.always_active):
            if i == j or i.layer != j.layer:
                continue
            rows = {i.index: added(row_of(network, i), row_of(network, j))}
            columns = {j.index: added(column_of(network, j), column_of(network, i), -ONE)}
            yield SecondParameter(f"neurons {i} and {j} are never negative on the domain, so the row of {j} can be added to that of {i}",
                                  (i, j), changed(network, i.layer, rows, columns))
