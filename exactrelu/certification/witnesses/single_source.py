"""Neurons that see one earlier neuron only: what they make of it is a function of one number.

Let v be a neuron of layer l < L, and let every neuron of layer l+1 that v feeds have no other non-zero weight.  Together these
neurons contribute g(ReLU(z_v)) to layer l+2, g a fan.  The same holds for every neuron of a layer behind a layer of width one.

* *Another fan*: g is realized by other orientations of the same breaks.
* *Reflection*: if g is constant from the last break tau on, g(ReLU(z)) = h(ReLU(tau - z)) with h(t) = g(max(tau - t, 0)): for z <= 0
  both sides are g(0), for z >= tau both are g(tau).  One neuron behind v: ReLU(b - ReLU(z)) = b - ReLU(b - ReLU(b - z)), the
  clip function from both ends.
* *Shift*: if g is constant up to its first break p, v's own kink is not seen, and z_v can be lowered by less than p.

An upper bound of z_v on the domain bounds the t at which g is looked at.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from exactrelu.certification.witnesses.candidate import SecondParameter, changed, column_of, hidden_neurons, row_of, scaled
from exactrelu.certification.witnesses.ranges import Ranges
from exactrelu.certification.witnesses.univariate import FanNeuron, Univariate, Vector, fan_function, fans
from exactrelu.network.architecture import Neuron
from exactrelu.network.network import Network

ZERO, ONE = Fraction(0), Fraction(1)


def only_followers(network: Network, v: Neuron) -> list[Neuron]:
    """Return the neurons that v feeds, if there are some, they are hidden, and none of them has another non-zero weight; else [].

    >>> net = Network([[[1], [1]], [[2, 0], [0, 1], [3, 0]], [[1, 1, 1]]], [[0, 0], [0, 0, 0], [0]])
    >>> [str(u) for u in only_followers(net, Neuron(1, 0))]
    ['(2, 0)', '(2, 2)']
    """
    if v.layer == network.architecture.hidden_layers:
        return []
    found = [Neuron(v.layer + 1, k) for k, weight in enumerate(column_of(network, v)) if weight]
    return found if all(sum(map(bool, network.weights[v.layer][u.index])) == 1 for u in found) else []


def single_sources(network: Network, ranges: Ranges) -> Iterator[SecondParameter]:
    """Yield other fans, reflections and shifts for every neuron whose followers see nothing else."""
    for v in hidden_neurons(network):
        followers = only_followers(network, v)
        if not followers:
            continue
        fan = [FanNeuron(network.weights[v.layer][u.index][v.index], network.biases[v.layer][u.index], column_of(network, u))
               for u in followers]
        _, high = ranges.preactivation(v)
        if high is not None and high <= 0:
            continue                                               # dead: other mechanisms know better
        function = fan_function(fan, high)
        names = ", ".join(map(str, followers))
        for row, other, what in _variants(row_of(network, v), function):
            reason = f"{names} {'see' if len(followers) > 1 else 'sees'} no other neuron than {v}, and {what}"
            for new, constant in fans(other, len(followers)):
                yield SecondParameter(reason, (v, *followers), _with_fan(network, v, row, followers, new, constant))


def _variants(row: Vector, function: Univariate) -> Iterator[tuple[Vector, Univariate, str]]:
    """Other rows of the source with the function that then has to be made of it."""
    *weights, bias = row
    yield row, function, "their breaks can be oriented in another way"
    if not any(function.last_slope):
        end = function.breaks[-1][0] if function.breaks else ONE
        reason = "what they make of it is constant at both ends, so it can be reflected"
        yield (*scaled(weights, -ONE), end - bias), function.reflected(end), reason
    if not any(function.slope):
        step = function.breaks[0][0] / 2 if function.breaks else -ONE
        yield (*weights, bias - step), function.shifted(-step), "its kink is not seen, so it can be shifted"


def _with_fan(network: Network, v: Neuron, row: Vector, followers: list[Neuron], fan: list[FanNeuron], constant: Vector) -> Network:
    """The network with another source row and other followers."""
    width = len(network.biases[v.layer - 1])
    rows = {u.index: (*(n.weight if i == v.index else ZERO for i in range(width)), n.bias) for u, n in zip(followers, fan)}
    columns = {u.index: n.column for u, n in zip(followers, fan)}
    return changed(changed(network, v.layer, {v.index: row}), v.layer + 1, rows, columns, constant)
