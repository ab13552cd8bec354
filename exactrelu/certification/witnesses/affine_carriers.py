"""Neurons that hand affine functions of the layer before on to the next layer, unbroken on the domain.

A *carrier* of layer l is an affine form z of a^(l-1) with a reading: sum of reading_i a_i^(l) = z on P.  There are two kinds:

* an always-active neuron (its activation is z), and
* an opposite pair z_j = -c z_i, c > 0, as ReLU(z) - ReLU(-z) = z.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from exactrelu.certification.witnesses.candidate import added, row_of
from exactrelu.certification.witnesses.linear_combination import combination
from exactrelu.certification.witnesses.shared_hyperplanes import pairs_on_one_hyperplane
from exactrelu.identifiability.symmetry_bound.activity_facts import ActivityFacts
from exactrelu.network.architecture import Neuron
from exactrelu.network.network import Network

Vector = tuple[Fraction, ...]
ZERO, ONE = Fraction(0), Fraction(1)


@dataclass(frozen=True)
class Carrier:
    """An affine form of the layer before that this layer shows unbroken.

    Attributes:
        neurons: an always-active neuron, or a pair.
        form: the form, weights and then constant.
        ratio: for a pair -c, the second row is ratio * the first; 0 for a single neuron.
    """

    neurons: tuple[Neuron, ...]
    form: Vector
    ratio: Fraction = ZERO

    def reading(self, width: int) -> Vector:
        """Weights on the activations of this layer that give the form."""
        out = [ZERO] * width
        out[self.neurons[0].index] = ONE
        if self.ratio:
            out[self.neurons[1].index] = 1 / self.ratio
        return tuple(out)


def carriers(network: Network, layer: int, facts: ActivityFacts) -> list[Carrier]:
    """Return the carriers of a hidden layer: always-active neurons, and opposite pairs of other neurons.

    >>> net = Network([[[2], [-1], [3]], [[1, 1, 1]]], [[0, 0, 5], [0]])
    >>> [c.reading(3) for c in carriers(net, 1, ActivityFacts())]
    [(Fraction(1, 1), Fraction(-2, 1), Fraction(0, 1))]
    """
    single = [Carrier((v,), row_of(network, v)) for v in sorted(facts.always_active) if v.layer == layer]
    pairs = [Carrier((i, j), row_of(network, i), ratio) for i, j, ratio in pairs_on_one_hyperplane(network)
             if i.layer == layer and ratio < 0 and not {i, j} & (facts.always_active | facts.dead)]
    return single + pairs


def read_off(given: Sequence[Carrier], form: Sequence[Fraction], width: int) -> Vector | None:
    """Return the weights on a layer of `width` neurons and the constant (last) that show an affine form of the layer before.

    None if the linear part is no combination of the carriers'.
    """
    found = combination([c.form[:-1] for c in given], form[:-1])
    if found is None:
        return None
    row: Vector = (ZERO,) * width
    constant = form[-1]
    for c, x in zip(given, found):
        row, constant = added(row, c.reading(width), x), constant - x * c.form[-1]
    return (*row, constant)


def shown_form(given: Sequence[Carrier], row: Sequence[Fraction], width: int, inputs: int) -> Vector | None:
    """Return the affine form of the layer before that a row (constant last) makes of carriers; None if it sees something else.

    Args:
        width, inputs: neurons of the layer of the carriers, and of the layer before.
    """
    found = combination([c.reading(width) for c in given], row[:-1])
    if found is None:
        return None
    form: Vector = (ZERO,) * (inputs + 1)
    for c, x in zip(given, found):
        form = added(form, c.form, x)
    return (*form[:-1], form[-1] + row[-1])
