r"""A maximum of three affine functions, read with another lone ray.

Let neuron u of layer l+1 see alpha + c ReLU(z_v), c > 0, where v of layer l feeds u only and alpha is made of neurons that show
affine forms of the layer before (`affine_carriers`).  With x_0 = 0, x_1 = alpha, x_2 = alpha + c z_v it computes max(x_0, x_1, x_2),
and for every order (i, j, k)

    max(x_0, x_1, x_2) = x_i + ReLU(x_j - x_i + ReLU(x_k - x_j)).

So v gets the row x_k - x_j, u sees x_j - x_i and v, and x_i goes to the next layer through carriers of layer l+1: with outgoing
columns C_w, sum C_w delta_w = C_u, carrier w gets delta_w x_i in addition (an always-active neuron also a constant that keeps it
so, taken back behind it; an opposite pair stays one, and hands on an affine function only if its kinks cancel).
The kinks of max(0, x_1, x_2) are three rays; the kink of v is the ray x_j = x_k of it, the bent one of u are the two others.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import permutations

from exactrelu.certification.witnesses.affine_carriers import Carrier, carriers, read_off, shown_form
from exactrelu.certification.witnesses.candidate import SecondParameter, added, changed, column_of, hidden_neurons, row_of, scaled
from exactrelu.certification.witnesses.linear_combination import combination
from exactrelu.certification.witnesses.ranges import Ranges
from exactrelu.identifiability.symmetry_bound.activity_facts import ActivityFacts
from exactrelu.network.architecture import Neuron
from exactrelu.network.network import Network

Vector = tuple[Fraction, ...]
ZERO, ONE = Fraction(0), Fraction(1)


@dataclass(frozen=True)
class _Maximum:
    """Neurons v and u that compute max(0, x_1, x_2), forms of the layer before v."""

    v: Neuron
    u: Neuron
    forms: tuple[Vector, Vector, Vector]
    given: tuple[Carrier, ...]


def _maxima(network: Network, facts: ActivityFacts) -> Iterator[_Maximum]:
    widths = network.architecture.widths
    for v in hidden_neurons(network):
        fed = [k for k, weight in enumerate(column_of(network, v)) if weight]
        if v.layer == network.architecture.hidden_layers or len(fed) != 1 or v in facts.always_active or v in facts.dead:
            continue
        u = Neuron(v.layer + 1, fed[0])
        row = list(row_of(network, u))
        c, row[v.index] = row[v.index], ZERO
        given = tuple(g for g in carriers(network, v.layer, facts) if v not in g.neurons)
        alpha = shown_form(given, row, widths[v.layer], widths[v.layer - 1])
        if c > 0 and alpha is not None:
            yield _Maximum(v, u, ((ZERO,) * len(alpha), alpha, added(alpha, row_of(network, v), c)), given)


def three_rays(network: Network, facts: ActivityFacts, ranges: Ranges) -> Iterator[SecondParameter]:
    """Yield the other orders in which two neurons can compute a maximum of three affine functions."""
    for found in _maxima(network, facts):
        for i, j, k in permutations(range(3)):
            if (i, j, k) != (0, 1, 2):
                changed_network, certain = _reordered(network, found, (i, j, k), facts, ranges)
                if changed_network is not None:
                    reason = (f"neurons {found.v} and {found.u} compute a maximum of three affine functions, "
                              f"and {found.v} can compare another two of them")
                    yield SecondParameter(reason, (found.v, found.u), changed_network, certain)


def _reordered(network: Network, found: _Maximum, order: tuple[int, int, int], facts: ActivityFacts,
               ranges: Ranges) -> tuple[Network | None, bool]:
    """The network that computes x_i + ReLU(x_j - x_i + ReLU(x_k - x_j)), and whether it is certain to be the same; None if it cannot."""
    v, u = found.v, found.u
    width = network.architecture.widths[v.layer]
    first, second, third = (found.forms[n] for n in order)
    seen = read_off(found.given, added(second, first, -ONE), width)
    outside = read_off(found.given, first, width)
    if seen is None or outside is None:
        return None, False
    row = list(seen)
    row[v.index] = ONE
    new = changed(changed(network, v.layer, {v.index: added(third, second, -ONE)}), u.layer, {u.index: row})
    return (new, True) if not any(first) else _with_rest(new, network, u, outside, facts, ranges)


def _with_rest(new: Network, network: Network, u: Neuron, rest: Vector, facts: ActivityFacts,
               ranges: Ranges) -> tuple[Network | None, bool]:
    """`new` with C_u * rest added behind the layer of u, rest a row over the layer before u."""
    ways = [c for c in carriers(network, u.layer, facts) if u not in c.neurons and _cancels(network, c)]
    column = column_of(network, u)
    found = combination([column_of(network, c.neurons[0]) for c in ways], column)
    if found is None:
        return None, False
    rows: dict[int, Vector] = {}
    constant, certain = (ZERO,) * len(column), True
    for carrier, factor in zip(ways, found):
        if not factor:
            continue
        row = added(carrier.form, rest, factor)
        if carrier.ratio:
            rows[carrier.neurons[1].index] = scaled(row, carrier.ratio)
        else:
            low, _ = ranges.form(u.layer - 1, row)
            certain = certain and low is not None
            lift = max(-low, ZERO) if low is not None else ZERO
            row = (*row[:-1], row[-1] + lift)
            constant = added(constant, column_of(network, carrier.neurons[0]), -lift)
        rows[carrier.neurons[0].index] = row
    return changed(new, u.layer, rows, None, constant), certain


def _cancels(network: Network, carrier: Carrier) -> bool:
    """Whether the layer behind sees an affine function of the carrier: C_i ReLU(z) + C_j c ReLU(-z) with C_i = -c C_j."""
    if not carrier.ratio:
        return True
    one, two = (column_of(network, n) for n in carrier.neurons)
    return not any(added(one, two, -carrier.ratio))
