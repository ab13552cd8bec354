"""The output layer of a parameter whose hidden layers are known, the last one up to the signs of its rows.

f = b + sum W_i ReLU(s_i r_i) is linear in (b, W) for every orientation s; its values at finitely many points are necessary
conditions.  All orientations are searched at once (`orientation`); a solution that is not unique is never dropped.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from exactrelu.complexes.integer_arrays import exact_product
from exactrelu.recovery.complete_fiber import Collector, Unsettled, layered_network
from exactrelu.recovery.orientation import both_columns, has_value, orientations, output_row, tall_kernel

Array = np.ndarray
Row = tuple[int, ...]


def activations(points: Array, layers: list[list[Row]]) -> Array:
    """Return (t, activations) of integer layers (rows (b, w)) at homogeneous points."""
    now = points
    for rows in layers:
        z = exact_product(now, np.array(rows, dtype=object).T)
        now = np.concatenate([points[:, :1], np.where(z > 0, z, 0)], axis=1)
    return now


def offer_completions(collector: Collector, layers: list[list[Row]], last: list[Row], step: Callable[[], None]) -> None:
    """Offer every parameter with these hidden layers and the function f to the collector.

    Args:
        layers: integer rows of all hidden layers but the last.
        last: rows of the last hidden layer, known up to sign.
    Raises:
        Unsettled: `OUTPUT_MULTI`, if for some orientation the points do not determine the output layer.
    """
    function = collector.function
    before = activations(collector.points, layers)
    both = both_columns(exact_product(before, np.array(last, dtype=object).T), before[:, 0])
    conditions = [tall_kernel(np.concatenate([both, collector.values[:, k:k + 1]], axis=1), collector.used)
                  for k in range(function.outputs)]
    for signs, bases in orientations(len(last), conditions, has_value, step):
        if any(len(basis) > 1 for basis in bases):
            dimensions = max(map(len, bases)) - 1
            raise Unsettled("OUTPUT_MULTI", f"the values of f leave {dimensions} dimensions of output weights", dimension=dimensions)
        output = [output_row(basis, signs, function.denominator) for basis in bases]
        collector.offer(layered_network([*layers, [tuple(s * x for x in row) for s, row in zip(signs, last)], output]))
