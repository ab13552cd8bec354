"""The parameters that differ from a given one by positive scalings of hidden neurons, as a basic semi-algebraic set.

With factors l_i > 0 of the neurons, w'_ji = l_j w_ji / l_i and b'_j = l_j b_j.  The factor of a neuron can be read off a pivot, an
entry of its row that is not 0: l_j = b'_j / b_j, or l_j = l_i w'_ji / w_ji.  So every factor is a positive number times a monomial in
pivot entries, and all other entries give one equation each.
"""

from __future__ import annotations

from fractions import Fraction

from exactrelu.arithmetic.polynomial import Polynomial
from exactrelu.errors import InputError
from exactrelu.fibers.semialgebraic.basic_set import BasicSet
from exactrelu.fibers.semialgebraic.parameter_names import ParameterSpace
from exactrelu.network.network import Network

SOURCE = "positive scaling of hidden neurons"


def scaling_orbit(network: Network, description: str = "positive scalings of one parameter") -> BasicSet:
    """Return the orbit of a parameter under positive scaling; its dimension is the number of hidden neurons.

    Raises:
        InputError: a neuron has a zero row and bias, so that its factor leaves no trace there.
    Exactness: rational.    Cost: one equation of degree at most the number of layers for each parameter that is no pivot.

    >>> relu = Network([[[2]], [[3]]], [[4], [5]])
    >>> [str(c) for c in scaling_orbit(relu).constraints()]
    ['2*W1_1_1 - b1_1 = 0', 'b1_1*W2_1_1 - 12 = 0', 'b2_1 - 5 = 0', 'b1_1 > 0']
    """
    space = ParameterSpace(network.architecture)
    equations: list[Polynomial] = []
    positive: list[Polynomial] = []
    factors: list[Polynomial] = [space.ring.constant(1)] * network.architecture.inputs
    for layer, (rows, biases) in enumerate(zip(network.weights, network.biases), 1):
        last = layer == len(network.weights)
        following = []
        for j, (row, bias) in enumerate(zip(rows, biases)):
            scaled = [space.weight(layer, j, i) * factor for i, factor in enumerate(factors)] + [space.bias(layer, j)]
            entries: list[Fraction] = [*row, bias]
            own = space.ring.constant(1)
            if not last:
                pivot = next((i for i in (len(row), *range(len(row))) if entries[i]), None)
                if pivot is None:
                    raise InputError(f"neuron {j + 1} of layer {layer} has a zero row, so its factor cannot be read off it")
                own = scaled[pivot] * (1 / entries[pivot])
                variable = space.bias(layer, j) if pivot == len(row) else space.weight(layer, j, pivot)
                positive.append(variable if entries[pivot] > 0 else -variable)
            equations += [x - own * entry for x, entry in zip(scaled, entries)]
            following.append(own)
        factors = following
    return BasicSet(space.ring, tuple(equations), (), tuple(positive), description=description, source=SOURCE)
