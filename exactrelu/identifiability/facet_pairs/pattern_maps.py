"""Affine maps of a network under given activation patterns, modulo p, for many patterns at once.

For a pattern S the activations of layer l are M^(l) (t, x) in homogeneous coordinates; M^(l) has d+1 columns, the
constant first.  `ModularNetwork` holds the integral form modulo p.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from exactrelu.identifiability.facet_pairs.mersenne_field import Residues, add, multiply, product, residues, subtract
from exactrelu.network.integral_form import IntegralForm

Integers = npt.NDArray[np.int64]
Booleans = npt.NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class ModularNetwork:
    """Weights (n_l, n_{l-1}) and biases (n_l,) of all layers of the integral form, modulo p."""

    inputs: int
    weights: tuple[Residues, ...]
    biases: tuple[Residues, ...]
    offsets: tuple[int, ...]

    @property
    def hidden_layers(self) -> int:
        """L."""
        return len(self.weights) - 1


def modular_network(form: IntegralForm) -> ModularNetwork:
    """Return the integral form modulo p."""
    weights, biases, offsets = [], [], [0]
    for rows in form.rows:
        weights.append(residues((x for row in rows for x in row[1:]), (len(rows), len(rows[0]) - 1)))
        biases.append(residues((row[0] for row in rows), (len(rows),)))
        offsets.append(offsets[-1] + len(rows))
    return ModularNetwork(weights[0].shape[1], tuple(weights), tuple(biases), tuple(offsets[:-1]))


def activation_maps(network: ModularNetwork, active: Booleans, layer: int) -> Residues:
    """Return (a^(layer), t) as maps of (t, x), shape (n_layer + 1, n, d+1), for patterns of shape (n, H).

    The last row is the form t; layer 0 is the input itself.
    """
    count, columns = len(active), network.inputs + 1
    maps = np.zeros((network.inputs, count, columns), dtype=np.uint64)
    for k in range(network.inputs):
        maps[k, :, k + 1] = 1
    for below in range(layer):
        z = product(network.weights[below], maps.reshape(len(maps), -1)).reshape(-1, count, columns)
        z[:, :, 0] = add(z[:, :, 0], network.biases[below][:, None])
        on = active[:, network.offsets[below] : network.offsets[below + 1]].T
        maps = z * on[:, :, None]
    homogeneous = np.zeros((1, count, columns), dtype=np.uint64)
    homogeneous[:, :, 0] = 1
    return np.concatenate([maps, homogeneous])


def visible(network: ModularNetwork, active: Booleans, layer: int, index: Integers) -> Booleans:
    """Return where the outgoing path weight W^(L+1) D_L ... W^(layer+1) e_index is non-zero modulo p, shape (n,)."""
    path = network.weights[layer][:, index]
    for above in range(layer + 1, network.hidden_layers + 1):
        on = active[:, network.offsets[above - 1] : network.offsets[above]].T
        path = product(network.weights[above], path * on)
    return np.asarray((path != 0).any(axis=0))


def facet_rows(network: ModularNetwork, active: Booleans, layer: int, index: Integers) -> tuple[Residues, Booleans]:
    """Return the rows of A_j that facet pairs with these patterns yield, and which pairs count.

    For a pair of neuron j = (layer, index) let M be the map of (a^(layer-1), t) and h = w_j M its row.  With the
    first m such that h_m != 0 the rows are the columns h_m M_k - h_k M_m: (a^(layer-1), t) at points of z_j = 0, or
    differences of such.  Shape (n, d+1, n_{layer-1} + 1).  A pair counts if h and the outgoing path weight are
    non-zero modulo p.
    """
    maps = activation_maps(network, active, layer - 1)
    own = np.concatenate([network.weights[layer - 1], network.biases[layer - 1][:, None]], axis=1)[index]
    row = np.zeros((len(index), network.inputs + 1), dtype=np.uint64)
    for i in range(maps.shape[0]):
        row = add(row, multiply(own[:, i, None], maps[i]))
    first, all_pairs = np.argmax(row != 0, axis=1), np.arange(len(index))
    lead, pivot = row[all_pairs, first], maps[:, all_pairs, first]
    rows = subtract(multiply(lead[None, :, None], maps), multiply(row[None], pivot[:, :, None]))
    counts = (lead != 0) & visible(network, active, layer, index)
    return rows.transpose(1, 2, 0), counts
