"""Exact affine maps of a network on the full cells of its complex, all at once.

The recursion runs over the distinct activity prefixes: one flint product a layer, Python integers throughout.
"""

from __future__ import annotations

import numpy as np

from exactrelu.arithmetic.matrix import product
from exactrelu.complexes.activity import ActivityTree
from exactrelu.complexes.integer_arrays import object_array
from exactrelu.network.integral_form import IntegralForm

Array = np.ndarray


def exact_maps(form: IntegralForm, tree: ActivityTree, inputs: int, cells: int) -> Array:
    """Return D f = rows (constant, x_1, ..., x_d) on every full cell, D = form.denominator.

    Returns:
        Python integers, shape (cells, outputs, d + 1).
    Cost: one integer matrix product of shape (n_l, n_{l-1}) x (n_{l-1}, prefixes (d + 1)) a layer.
    """
    z = object_array(form.rows[0], (len(form.rows[0]), 1, inputs + 1))
    if not form.hidden:
        return np.repeat(z.transpose(1, 0, 2), cells, axis=0)
    for level, rows in enumerate(form.rows[1:]):
        mask = tree.masks[level].T[:, :, None]
        active = np.where(mask, z[:, tree.parents[level], :], 0)
        count = active.shape[1]
        flat = product([row[1:] for row in rows], active.reshape(len(active), -1).tolist(), len(active), count * (inputs + 1))
        z = object_array(flat, (len(rows), count, inputs + 1))
        z[:, :, 0] += np.array([row[0] for row in rows], dtype=object)[:, None]
    maps: Array = z.transpose(1, 0, 2)[tree.leaf]
    return maps
