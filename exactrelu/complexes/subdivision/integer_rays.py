"""Signs from exact integer coordinates: every ray carries (t, y) and its pre-activations in the current layer.

A new ray on the edge (p, q) of a neuron with z_p > 0 > z_q is z_p q - z_q p, divided by its content; the columns of
pre-activations are integer combinations of (t, y), so the same division is exact for them.  In int64 while a bound
checked with Python integers says that nothing overflows, otherwise in Python integers.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from exactrelu.complexes.subdivision.exact_rows import _flint_product
from exactrelu.complexes.subdivision.face_pools import Cut, FacePools
from exactrelu.complexes.subdivision.growable import Growable
from exactrelu.complexes.subdivision.start_fan import StartFan
from exactrelu.network.integral_form import IntegralForm

Array = np.ndarray
BOUND = 1 << 62


class Overflow(ArithmeticError):
    """The next int64 operation could overflow."""


class IntegerRays:
    """Exact rays, `wide` for Python integers."""

    uncertain = 0
    """No sign ever needs a second look."""

    def __init__(self, start: StartFan, first: Sequence[Sequence[int]], form: IntegralForm, wide: bool) -> None:
        self.wide = wide
        self.dim = start.dimension
        self.layers = [[list(row) for row in first], *[[list(row) for row in layer] for layer in form.hidden[1:]]]
        self.start = start
        self.type: type = object if wide else np.int64
        self.table = Growable(self._array(start.rays))
        self._flags = np.zeros(0, np.uint8)
        self._bound = max((abs(x) for ray in start.rays for x in ray), default=0)

    def _array(self, rows: Sequence[Sequence[int]]) -> Array:
        if not self.wide and any(abs(x) >= BOUND for row in rows for x in row):
            raise Overflow
        return np.array([list(row) for row in rows], dtype=self.type).reshape(len(rows), -1)

    def labels(self) -> list[Array]:
        """Initial labels: the face of the domain only."""
        return [np.ascontiguousarray(label[:, None]) for label in self.start.labels]

    def begin_layer(self, layer: int, pools: FacePools, words: Array) -> None:
        """Compute the pre-activations of a layer at all rays."""
        view = self.table.view
        coordinates = view[:, :self.dim]
        rows = self._array(self.layers[layer])
        inputs = coordinates if layer == 0 else np.concatenate([coordinates[:, :1], np.maximum(view[:, self.dim:], 0)], axis=1)
        if self.wide:
            values = _flint_product(inputs, np.ascontiguousarray(rows.T)) if rows.size else inputs[:, :0]
        else:
            biggest = int(np.abs(inputs).max(initial=0))
            total = max(sum(map(abs, row)) for row in self.layers[layer])
            if biggest * total >= BOUND:
                raise Overflow
            values = inputs @ rows.T
        self.table = Growable(np.concatenate([coordinates, values], axis=1))
        if not self.wide:
            self._bound = max(int(np.abs(self.table.view).max(initial=0)), 1)

    def flags(self, neuron: int) -> Array:
        """1 where the neuron is positive, 2 where it is negative, 0 where it vanishes."""
        z = self.table.view[:, self.dim + neuron]
        self.neuron = neuron
        return (z > 0).astype(bool).view(np.uint8) | ((z < 0).astype(bool).view(np.uint8) << 1)

    def rows_for(self, cut: Cut, pools: FacePools) -> None:
        """No defining rows are kept."""
        return None

    def append(self, positive: Array, negative: Array, labels: Array) -> None:
        """Add the rays where the last neuron vanishes on the edges given by their ends."""
        if not len(positive):
            return
        p, q = self.table.view.take(positive, axis=0), self.table.view.take(negative, axis=0)
        column = self.dim + self.neuron
        zp, zq = p[:, column], -q[:, column]
        common = np.gcd(zp, zq)
        zp, zq = zp // common, zq // common
        if not self.wide and 2 * max(int(zp.max()), int(zq.max())) * self._bound >= BOUND:
            raise Overflow
        new = zp[:, None] * q + zq[:, None] * p
        content = np.gcd.reduce(new[:, :self.dim], axis=1)
        new = new // content[:, None]
        if not self.wide:
            self._bound = max(self._bound, int(np.abs(new).max()))
        self.table.append(new)

    def coordinates(self, pools: FacePools) -> Array:
        """Primitive integer generators, an object array, shape (rays, D)."""
        return self.table.view[:, :self.dim].astype(object)

    def exact_ray(self, ray: int) -> list[int]:
        """Exact integer coordinates of one ray."""
        return [int(x) for x in self.table.data[ray, :self.dim]]
