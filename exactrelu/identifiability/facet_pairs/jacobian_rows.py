"""Rows of the Jacobian of a network on strict cells, modulo p, for many cells at once.

On a strict cell f is an affine map whose coefficients are polynomials in the parameters.  The derivative of the
coefficients of output k with respect to weight (i, j) of layer l is beta_{k,i} a_j, with beta the path weights from
neuron i to output k and a_j the affine form of activation j of layer l - 1 (the constant 1 for the bias).  Parameters
are ordered by layers, neurons, weights before the bias; rows by outputs, then coefficients 1, x_1, ..., x_d: the order
of the certificate kind `dimension-at-least`.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from exactrelu.identifiability.facet_pairs.mersenne_field import Residues, multiply, product
from exactrelu.identifiability.facet_pairs.pattern_maps import ModularNetwork, activation_maps

Booleans = npt.NDArray[np.bool_]


def path_weights(network: ModularNetwork, active: Booleans) -> list[Residues]:
    """Return for layers 1..L+1 the path weights to all outputs, shape (n, outputs, n_l), for patterns (n, H)."""
    outputs, count = len(network.biases[-1]), len(active)
    current = np.broadcast_to(np.eye(outputs, dtype=np.uint64), (count, outputs, outputs))
    found = [current]
    for layer in range(network.hidden_layers, 0, -1):
        back = product(current.reshape(count * outputs, -1), network.weights[layer]).reshape(count, outputs, -1)
        current = back * active[:, None, network.offsets[layer - 1] : network.offsets[layer]]
        found.append(current)
    return found[::-1]


def jacobian_rows(network: ModularNetwork, active: Booleans) -> Residues:
    """Return all rows of the cells with these patterns, shape (n, outputs * (d+1), N)."""
    count, outputs, columns = len(active), len(network.biases[-1]), network.inputs + 1
    blocks = []
    for layer, beta in enumerate(path_weights(network, active), 1):
        maps = activation_maps(network, active, layer - 1).transpose(1, 2, 0)
        block = multiply(beta[:, :, None, :, None], maps[:, None, :, None, :])
        blocks.append(block.reshape(count, outputs * columns, -1))
    return np.concatenate(blocks, axis=2)
