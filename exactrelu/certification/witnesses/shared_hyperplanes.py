"""Two neurons of a layer on one hyperplane: weight moves between twins, an opposite pair leaves one neuron over.

* Twins, z_j = c z_i with c > 0: outgoing columns (u_i + c s, u_j - s).
* Opposite pair, z_j = -c z_i with c > 0.  As ReLU(-z) = ReLU(z) - z, the two contribute (u_i + c u_j) ReLU(z) - c u_j z, so one
  neuron carries the kink and the other is free to carry the affine rest: ReLU(z + t) = z + t where z >= -t on P,
  ReLU(t - z) = t - z where z <= t on P.
* Opposite pair with u_i + c u_j = 0: it contributes u_i z, and u_i (z + s) - u_i s is the same on every domain.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from exactrelu.arithmetic.rational import primitive_integer, signless_row
from exactrelu.certification.witnesses.candidate import SecondParameter, added, changed, column_of, hidden_neurons, row_of, scaled
from exactrelu.certification.witnesses.ranges import Ranges
from exactrelu.network.architecture import Neuron
from exactrelu.network.network import Network

ONE = Fraction(1)


def pairs_on_one_hyperplane(network: Network) -> Iterator[tuple[Neuron, Neuron, Fraction]]:
    """Yield (i, j, ratio) with row_j = ratio * row_i, for neurons of one layer with non-zero rows; i is the first of its hyperplane.

    Rows without weights count as well: they are proportional if they have biases (0 = constant hyperplane).

    >>> [(str(i), str(j), str(c)) for i, j, c in pairs_on_one_hyperplane(Network([[[1], [-2]], [[1, 1]]], [[1, -2], [0]]))]
    [('(1, 0)', '(1, 1)', '-2')]
    """
    seen: dict[tuple[int, tuple[int, ...]], list[Neuron]] = {}
    for v in hidden_neurons(network):
        row = row_of(network, v)
        if not any(row):
            continue
        known = seen.setdefault((v.layer, signless_row(row)), [])
        for first in known[:2]:
            base = row_of(network, first)
            yield first, v, next(x / y for x, y in zip(row, base) if y)
        if len(known) < 2 and all(primitive_integer(row_of(network, u)) != primitive_integer(row) for u in known):
            known.append(v)                                        # at most one neuron of each orientation stands for the others


def twins(network: Network) -> Iterator[SecondParameter]:
    """Yield moved weights between neurons with positively proportional rows.  No hypothesis on the domain."""
    for i, j, ratio in pairs_on_one_hyperplane(network):
        if ratio > 0:
            (u, *first), (w, *second) = column_of(network, i), column_of(network, j)
            moved = {i.index: (u + ratio, *first), j.index: (w - ONE, *second)}
            yield SecondParameter(f"neurons {i} and {j} have positively proportional rows, so weight can move between their columns",
                                  (i, j), changed(network, i.layer, None, moved))


def affine_pairs(network: Network) -> Iterator[SecondParameter]:
    """Yield shifted opposite pairs whose kinks cancel.  No hypothesis on the domain."""
    for i, j, ratio in pairs_on_one_hyperplane(network):
        column, other = column_of(network, i), column_of(network, j)
        if ratio < 0 and not any(added(column, other, -ratio)):
            (*one, b), (*two, e) = row_of(network, i), row_of(network, j)
            rows = {i.index: (*one, b + ONE), j.index: (*two, e + ratio)}
            yield SecondParameter(f"the kinks of the opposite neurons {i} and {j} cancel, so their common hyperplane can be moved",
                                  (i, j), changed(network, i.layer, rows, None, scaled(column, -ONE)))


def opposite_pairs(network: Network, ranges: Ranges) -> Iterator[SecondParameter]:
    """Yield opposite pairs with the kink in one neuron and the affine rest in the other; z must be bounded on one side."""
    for i, j, ratio in pairs_on_one_hyperplane(network):
        if ratio > 0:
            continue
        for kink, free, c in ((i, j, -ratio), (j, i, -1 / ratio)):
            low, high = ranges.preactivation(kink)
            affine = scaled(column_of(network, free), -c)          # the pair contributes (u + c u') ReLU(z) - c u' z
            *weights, bias = row_of(network, kink)
            columns = {kink.index: added(column_of(network, kink), affine, -ONE)}
            if low is not None:
                shift = max(-low, Fraction(0)) + ONE
                row = (*weights, bias + shift)
                columns[free.index], constant = affine, scaled(affine, -shift)
            elif high is not None:
                shift = max(high, Fraction(0)) + ONE
                row = (*scaled(weights, -ONE), shift - bias)
                columns[free.index], constant = scaled(affine, -ONE), scaled(affine, shift)
            else:
                continue
            reason = f"the opposite neurons {i} and {j} share a hyperplane, so {kink} can carry the kink and {free} an affine rest"
            yield SecondParameter(reason, (i, j), changed(network, i.layer, {free.index: row}, columns, constant))
