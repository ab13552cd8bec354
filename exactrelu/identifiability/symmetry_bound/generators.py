r"""Kernel vectors of the Jacobian on strict cells, from exact symmetries.

J is the matrix of derivatives, by the parameters, of the affine maps of f on all strict cells (no pre-activation zero)
that meet the interior of the domain.  A vector v is in its kernel if moving theta along v changes none of these affine
maps to first order.  Each of the following is:

* *unit vectors*, for parameters whose column of J vanishes.  The derivative by weight (j, i) is beta_j a_i and by the
  bias beta_j, with beta_j = 0 where j is inactive.  So: the row and the outgoing column of a dead neuron; the row of
  a neuron without influence, i.e. whose outgoing weights all vanish or end in neurons that are dead, without
  influence, or never active together with it (then beta_j = 0 wherever it is active); weight (j, i) if i and j are
  never active together.
* *scaling* of neuron j: its row minus its outgoing column (row times 1 + s, column divided by 1 + s).
* *mixing* of always-active neurons j, k of one layer: on all strict cells the layer passes on U (V a + b), U and (V,
  b) the columns and rows of the always-active neurons, and this does not change under V -> (1 + s E) V, b -> (1 + s
  E) b, U -> U (1 - s E) with E = e_j e_k^T.
* *bias shift* of an always-active neuron j: b_j + s, and b^(l+1) - s U e_j.
* *rank-deficient blocks*: y with y V = 0 added to a row of U, -y b to that bias; x with U x = 0 added to a column of
  V or to b.
* *twins*: neurons of one layer whose rows (w, b) are positive multiples of each other are active at the same time.
  Mixing and rank-deficient blocks apply to them as to always-active neurons, the latter with y V = 0 and y b = 0.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from math import lcm

from exactrelu.arithmetic.matrix import kernel
from exactrelu.arithmetic.rational import primitive_integer
from exactrelu.identifiability.symmetry_bound.activity_facts import ActivityFacts
from exactrelu.network.architecture import Architecture, Neuron
from exactrelu.network.network import Network

Vector = dict[int, Fraction]


@dataclass(frozen=True, eq=False)
class ParameterIndex:
    """Numbers of parameters: layer by layer, neuron by neuron, its weights and then its bias."""

    architecture: Architecture

    def weight(self, layer: int, index: int, source: int) -> int:
        """Return the number of weight (index, source) of a layer 1..L+1; source = n_{layer-1} is the bias."""
        widths = self.architecture.widths
        start = sum(n * (m + 1) for m, n in pairwise(widths[:layer]))
        return start + index * (widths[layer - 1] + 1) + source

    def bias(self, layer: int, index: int) -> int:
        """Return the number of a bias."""
        return self.weight(layer, index, self.architecture.widths[layer - 1])


def without_influence(network: Network, facts: ActivityFacts) -> frozenset[Neuron]:
    """Return the neurons whose outgoing path weight vanishes wherever they are active, as far as signs show it."""
    found: set[Neuron] = set()
    architecture = network.architecture
    for layer in range(architecture.hidden_layers, 0, -1):
        for i in range(architecture.widths[layer]):
            name, last = Neuron(layer, i), layer == architecture.hidden_layers
            reached = (
                Neuron(layer + 1, k) for k in range(architecture.widths[layer + 1]) if network.weights[layer][k][i]
            )
            if not any(last or not (k in facts.dead or k in found or (name, k) in facts.zero_pairs) for k in reached):
                found.add(name)
    return frozenset(found)


def zero_columns(network: Network, facts: ActivityFacts) -> dict[str, frozenset[int]]:
    """Return the parameters whose column of J vanishes, by reason; a parameter may appear under several."""
    widths, place = network.architecture.widths, ParameterIndex(network.architecture)

    def row(neuron: Neuron) -> set[int]:
        return {place.weight(neuron.layer, neuron.index, i) for i in range(widths[neuron.layer - 1] + 1)}

    dead = {c for neuron in facts.dead for c in row(neuron)}
    dead |= {place.weight(n.layer + 1, k, n.index) for n in facts.dead for k in range(widths[n.layer + 1])}
    return {
        "dead neuron": frozenset(dead),
        "no influence": frozenset(c for neuron in without_influence(network, facts) for c in row(neuron)),
        "never active together": frozenset(place.weight(j.layer, j.index, i.index) for i, j in facts.zero_pairs),
    }


def scaling(network: Network, neuron: Neuron) -> Vector:
    """Return the generator of the positive scaling of a neuron."""
    return mixing(network, neuron, neuron)


def mixing(network: Network, target: Neuron, source: Neuron) -> Vector:
    """Return: row of `source` added to that of `target`, outgoing column of `target` taken from that of `source`."""
    layer, place = target.layer, ParameterIndex(network.architecture)
    rows, bias, after = network.weights[layer - 1], network.biases[layer - 1], network.weights[layer]
    vector: Vector = {place.weight(layer, target.index, i): w for i, w in enumerate(rows[source.index]) if w}
    if bias[source.index]:
        vector[place.bias(layer, target.index)] = bias[source.index]
    for k, row in enumerate(after):
        if row[target.index]:
            vector[place.weight(layer + 1, k, source.index)] = -row[target.index]
    return vector


def bias_shift(network: Network, neuron: Neuron) -> Vector:
    """Return: bias of the neuron raised, the biases of the next layer lowered by its outgoing weights."""
    layer, place = neuron.layer, ParameterIndex(network.architecture)
    vector: Vector = {place.bias(layer, neuron.index): Fraction(1)}
    for k, row in enumerate(network.weights[layer]):
        if row[neuron.index]:
            vector[place.bias(layer + 1, k)] = -row[neuron.index]
    return vector


def _integral_rows(columns: Sequence[Sequence[Fraction]]) -> list[list[int]]:
    scales = [lcm(*(x.denominator for x in column)) for column in columns]
    return [[int(x * scale) for x in column] for column, scale in zip(columns, scales)]


def twins(network: Network, alive: Sequence[Neuron]) -> list[list[Neuron]]:
    """Return the groups of at least two neurons of one layer whose rows (w, b) are positive multiples of each other."""
    groups: dict[tuple[int, ...], list[Neuron]] = {}
    for n in alive:
        row = (*network.weights[n.layer - 1][n.index], network.biases[n.layer - 1][n.index])
        groups.setdefault(primitive_integer(row), []).append(n)
    return [group for group in groups.values() if len(group) > 1]


def rank_deficiency(network: Network, members: Sequence[Neuron], facts: ActivityFacts, always: bool) -> list[Vector]:
    """Return the generators of a rank-deficient block of neurons of one layer that are active at the same time.

    Rows of U that end in neurons that are dead or without influence, and columns of V that come from dead neurons, do
    not count.  Unless the neurons are `always` active, y must also kill b, since no bias of the next layer can make up.
    """
    layer, place = members[0].layer, ParameterIndex(network.architecture)
    inner, bias, after = network.weights[layer - 1], network.biases[layer - 1], network.weights[layer]
    columns = [
        [inner[n.index][i] for n in members] for i in range(len(inner[0])) if Neuron(layer - 1, i) not in facts.dead
    ]
    columns += [] if always else [[bias[n.index] for n in members]]
    out: list[Vector] = []
    for y in kernel(_integral_rows(columns), len(members)):
        moved = sum((c * bias[n.index] for c, n in zip(y, members)), Fraction(0))
        for k in range(len(after)):
            vector = {place.weight(layer + 1, k, n.index): Fraction(c) for c, n in zip(y, members) if c}
            if moved:
                vector[place.bias(layer + 1, k)] = -moved
            out.append(vector)
    silent = facts.dead | without_influence(network, facts)
    rows = [[row[n.index] for n in members] for k, row in enumerate(after) if Neuron(layer + 1, k) not in silent]
    for x in kernel(_integral_rows(rows), len(members)):
        for i in range(len(inner[0]) + 1):
            out.append({place.weight(layer, n.index, i): Fraction(c) for c, n in zip(x, members) if c})
    return out


def moving_generators(network: Network, facts: ActivityFacts) -> dict[str, list[Vector]]:
    """Return the generators that are not unit vectors, by reason."""
    architecture = network.architecture
    reasons = ("scaling", "mixing", "bias shift", "rank-deficient block", "twins")
    found: dict[str, list[Vector]] = {reason: [] for reason in reasons}
    for layer in range(1, architecture.hidden_layers + 1):
        alive = [n for n in (Neuron(layer, i) for i in range(architecture.widths[layer])) if n not in facts.dead]
        found["scaling"] += [scaling(network, neuron) for neuron in alive]
        active = [neuron for neuron in alive if neuron in facts.always_active]
        if active:
            found["mixing"] += [mixing(network, j, k) for j in active for k in active if j != k]
            found["bias shift"] += [bias_shift(network, neuron) for neuron in active]
            found["rank-deficient block"] += rank_deficiency(network, active, facts, always=True)
        for group in twins(network, [neuron for neuron in alive if neuron not in facts.always_active]):
            found["twins"] += [mixing(network, j, k) for j in group for k in group if j != k]
            found["twins"] += rank_deficiency(network, group, facts, always=False)
    return found
