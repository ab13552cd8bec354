"""Values and path weights of a network, without affine rows."""

from fractions import Fraction
from operator import mul

from exactrelu.checker.document import Point, Row, homogeneous, spend
from exactrelu.checker.linear import size
from exactrelu.checker.network import Network


def preactivations(network: Network, x: Point) -> list[Row]:
    """z(t, x) of all layers of the integral form, the output last."""
    spend(network.parameters, network.bits + size([x]))
    t, a = x[0], list(x[1:])
    result = []
    for weights, biases in zip(network.W, network.B, strict=True):
        z = [sum(map(mul, row, a), t * b) for row, b in zip(weights, biases, strict=True)]
        result.append(z)
        a = [v if v > 0 else 0 for v in z]
    return result


def value(network: Network, x: list[Fraction]) -> list[Fraction]:
    """f(x)."""
    p = homogeneous(x)
    return [Fraction(z, p[0] * network.scales[-1]) for z in preactivations(network, p)[-1]]


def path_weight(network: Network, code: int, neuron: int) -> list[int]:
    """Outgoing path weights of a hidden neuron through the active neurons of later layers.

    One entry an output, for the integral form; so only signs and zeros have a meaning.
    """
    layer = network.layer_of[neuron]
    column = [row[neuron - network.offsets[layer]] for row in network.W[layer + 1]]
    for k in range(layer + 1, network.depth):
        active = network.active(code, k)
        spend((len(active) + 1) * network.widths[k + 2], network.bits)
        column = [sum(row[i] * column[i] for i in active) for row in network.W[k + 1]]
    return column
