"""Flip-freeness: no set of neurons of a layer can be reversed without being noticed.  A diagnostic.

Reversing the neurons of a set T of layer l (ReLU(z) = z + ReLU(-z)) leaves sum_{v in T} W_wv z_v as an addition to neuron w
of the next layer.  Layer L: it must be constant on the domain for every output w.  Layer l < L: it must be constant on the
bent hyperplane of every w.  *Flip-free*: no non-empty T does this, in any layer.  z_v is affine on every cell, so on a
cell "constant" is a condition on its generators; a 0/1 solution of linear equations is sought.
Source: paper A (orientation); it is not implied by the linear regions assumption.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import islice
from typing import Any

import numpy as np

from exactrelu.arithmetic.subset_sums import MOST_FREE, subset_sums
from exactrelu.certificates.verdict import Fails, Holds, Undecided, Verdict
from exactrelu.complexes.bent_hyperplane import BentHyperplanes
from exactrelu.complexes.canonical_complex import CanonicalComplex
from exactrelu.complexes.exact_forms import ExactForms
from exactrelu.errors import BudgetExceeded
from exactrelu.limits import Meter
from exactrelu.network.architecture import Neuron
from exactrelu.recovery.orientation import tall_kernel

Array = np.ndarray
MAX_CELLS = 4_000


@dataclass(frozen=True)
class FlipSet:
    """Neurons of one layer that can be reversed together as far as the next layer notices."""

    neurons: tuple[Neuron, ...]

    def to_json(self) -> dict[str, Any]:
        """Return the neurons."""
        return {"neurons": [list(v) for v in self.neurons]}


def flip_freeness(complex_: CanonicalComplex, meter: Meter | None = None) -> Verdict:
    """Return whether no non-empty set of neurons of a layer passes the test above; witness: the first set that does.

    Exactness: integers.    Cost: one kernel a layer; undecided for large complexes.

    >>> from exactrelu.network.network import Network
    >>> flip_freeness(CanonicalComplex.build(Network([[[1], [-1]], [[3, 3]]], [[-1, 2], [1]]))).witness.to_json()
    {'neurons': [[1, 0], [1, 1]]}
    """
    if complex_.full_cells > MAX_CELLS:
        return Undecided(f"more than {MAX_CELLS} full cells")
    meter = meter if meter is not None else Meter()
    architecture = complex_.network.architecture
    for layer in range(architecture.hidden_layers):
        try:
            equations = _equations(complex_, layer, meter)
        except BudgetExceeded as error:
            return Undecided(str(error))
        width, few = architecture.hidden_widths[layer], list[int]()
        tall_kernel(equations, few)                                         # a few rows have the kernel of all
        sets = subset_sums([equations[few, v].tolist() for v in range(width)])
        if sets is None:
            return Undecided(f"layer {layer + 1}: too many 0/1 vectors to try, more than {MOST_FREE} coordinates are free")
        found = next((t for t in islice(sets, 2) if any(t)), None)
        if found is not None:
            neurons = tuple(Neuron(layer + 1, i) for i, t in enumerate(found) if t)
            return Fails(FlipSet(neurons), None, {"reason": "a set of neurons can be reversed as far as the next layer notices"})
    return Holds(None, {"reason": "no set of neurons can be reversed unnoticed"})


def _equations(complex_: CanonicalComplex, layer: int, meter: Meter) -> Array:
    """Rows over the neurons v of a layer: W_wv (z_v(g) - z_v(base)) for all w and all generators g of the pieces of B_w (or of P)."""
    architecture, fan, top = complex_.network.architecture, complex_.fan, complex_.fan.dimension
    width, forms = architecture.hidden_widths[layer], ExactForms(complex_.form, complex_.activity)
    following = complex_.form.rows[layer + 1]
    last = layer + 1 == architecture.hidden_layers
    one, _ = complex_.sides
    at = np.searchsorted(complex_.facets, np.arange(fan.counts[top - 1] if top >= 2 else 0))
    bent = BentHyperplanes(complex_)
    blocks = []
    for w, weights in enumerate(following):
        if last:
            cones, level, cell = np.arange(complex_.full_cells), top, np.arange(complex_.full_cells)
        else:
            cones = bent.facets(architecture.offsets[layer + 1] + w)
            level, cell = top - 1, one[at[cones]]
        if not len(cones):
            continue
        rows = np.stack([forms.rows(layer, np.full(len(cell), v), cell) for v in range(width)])          # (n, cells, d + 1)
        values, scales = [], []
        for k, cone in enumerate(cones.tolist()):
            meter.tick()
            for ray in fan.generators(level, cone).tolist():
                g = np.array(complex_.ambient(fan.ray(ray)), dtype=object)
                values.append(np.dot(rows[:, k], g))
                scales.append(int(g[0]))
        table = np.array(values, dtype=object)
        t = np.array(scales, dtype=object)
        base = int(np.argmax(t > 0))
        difference = table * t[base] - t[:, None] * table[base]            # directions have t = 0: the slope itself must vanish
        blocks.append(difference * np.array(weights[1:], dtype=object)[None, :])
    return np.concatenate(blocks) if blocks else np.zeros((0, width), dtype=object)
