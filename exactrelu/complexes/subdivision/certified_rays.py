"""Signs from floats with certified error bounds, exact integers where a bound does not decide.

Every k-cone carries D-k independent rows that vanish on it; a new ray is the vector of minors of its rows, computed in
floats with the bound below, so no error is inherited from other rays.  u = 2^-53; all arrays are normalized by powers
of two to largest modulus in [1, 2).

* Rows.  H^(l) = W H'_masked + b: E = 1.0001 (|W| (E' (1 + 4u) + (n + 4) u |H'|) + 3u |b|).
* Minors.  From |M| <= |M~| + E: E <- 1.0001 sum(|h| (E + (k+2) u B) + E_h (B + E)), B <- sum |h| B.
* Signs.  |z| > e = 1.0001 sum(|h| (E_x + (D+6) u |x|) + E_h (|x| + E_x)) decides; e = 0 means that every product has an
  exact zero factor, so z = 0; everything else (NaN included) goes to exact integers.
* Range.  Non-zero entries are kept >= 2^-450 (weights and activation rows), >= 2^(-900/D) (rows that define rays)
  and >= 2^-450 (rays); what is smaller gets an infinite bound, a matrix out of range raises `OutOfFloatRange`.  Positive
  bounds are raised to >= 2^-500 (activation rows, rays) and >= 2^(-900/D) (rows that define rays), so that a product of a
  bound never underflows to 0, which would be read as "exactly zero".  Then the products are at least 2^-450 2^-500, those of
  minors at least 2^-900 u, all above 2^-1022.  A minor that is small by cancellation may lose 2^-1074 in its next product;
  the slack of its bound, at least 10^-4 u 2^-900, absorbs that.  In the orientation test TINY = 2^-900 is added.
Source: standard inner-product bounds; the margins 1.0001 absorb all second-order terms for n < 10^6.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from exactrelu.complexes.subdivision.exact_rows import ExactRows, minor_tables, primitive_minors
from exactrelu.complexes.subdivision.face_pools import Cut, FacePools
from exactrelu.complexes.subdivision.growable import Growable
from exactrelu.complexes.subdivision.sign_words import layer_words, positive_matrix
from exactrelu.complexes.subdivision.start_fan import StartFan
from exactrelu.network.integral_form import IntegralForm

Array = np.ndarray
U = 2.0**-53
SLACK = 1.0001
TINY = 2.0**-900
SMALL = 2.0**-450
BOUND_FLOOR = 2.0**-500


class OutOfFloatRange(ArithmeticError):
    """Numbers too far apart for certified floats; the integer backend decides."""


def _floats(rows: Sequence[Sequence[int]], exponents: Sequence[int] | None = None) -> tuple[Array, list[int]]:
    """Rows times powers of two, largest modulus of each in [1, 2), correctly rounded; and the exponents taken out.

    `exponents`: column j is first multiplied by 2^exponents[j].
    """
    out = np.zeros((len(rows), len(rows[0]) if rows else 0))
    taken = []
    for i, row in enumerate(rows):
        lengths = [abs(x).bit_length() + (exponents[j] if exponents else 0) if x else None for j, x in enumerate(row)]
        top = max((n for n in lengths if n is not None), default=1) - 1
        taken.append(top)
        for j, x in enumerate(row):
            if x:
                if lengths[j] < top - 440:  # type: ignore[operator]  # x != 0
                    raise OutOfFloatRange
                out[i, j] = x / (1 << top - (exponents[j] if exponents else 0))   # int / int rounds correctly
    return out, taken


def _raised(bound: Array, floor: float) -> Array:
    """Positive bounds raised to the floor; 0 stays 0 (it says that every product has an exact zero factor)."""
    return np.where(bound > 0, np.maximum(bound, floor), bound)


def _packed_rows(h: Array, e: Array, floor: float) -> Array:
    """(h, |h|, E) normalized by a power of two; positive bounds at least `floor`, infinite where a non-zero entry is below it."""
    size = np.abs(h).max(axis=-1, keepdims=True)
    size = np.exp2(np.floor(np.log2(np.where(size == 0, 1.0, size))))
    positive = e != 0                       # NaN stays NaN
    h, e = h / size, np.where(positive, np.maximum(e / size, floor), 0.0)
    modulus = np.abs(h)
    if ((modulus < floor) & (modulus > 0)).any():
        e = np.where(((modulus < floor) & (modulus > 0)).any(axis=-1, keepdims=True), np.inf, e)
    return np.concatenate([h, modulus, e], axis=-1)


class CertifiedRays:
    """Rays as certified floats."""

    def __init__(self, start: StartFan, first: Sequence[Sequence[int]], form: IntegralForm) -> None:
        self.start, self.dim = start, start.dimension
        self.exact = ExactRows(first, form, start)
        self.widths = [len(layer) for layer in form.hidden]
        self.offsets = np.concatenate([[0], np.cumsum(self.widths)]).astype(int).tolist()
        matrices = [_floats(first)]
        for layer in form.hidden[1:]:
            matrices.append(_floats(layer, [0, *matrices[-1][1]]))
        self.floats = [m for m, _ in matrices]
        self.floor = 2.0 ** (-900 // self.dim)
        self.uncertain = 0
        """Signs and orientations that exact integers decided."""
        rays, _ = _floats(start.rays)
        self._sign_slack = (self.dim + 6) * U * 1.05
        self.packed = Growable(self._pack(rays, 2 * U * np.abs(rays)))
        definition, _ = _floats(start.definition_rows)
        self.row_table = Growable(_packed_rows(definition, 1.01 * U * np.abs(definition), self.floor))
        keys = [(0, j, 0) if j >= 0 else (-1, i, 0) for i, j in enumerate(start.definition_neurons)]
        self.row_keys = Growable(np.array(keys, np.int64).reshape(-1, 3))
        self.orientation = Growable(np.ones(len(rays), np.int8))
        self.first_rays = len(rays)
        self._exact_rays: dict[int, list[int]] = {}
        self._labels = Growable(np.zeros((0, 2), np.int64))
        self._h = self._eh = np.zeros(0)

    def _pack(self, x: Array, e: Array) -> Array:
        """(x, E + slack |x|, |x| + E)."""
        modulus = np.abs(x)
        return np.concatenate([x, e + self._sign_slack * modulus, modulus + e], axis=1)

    def labels(self) -> list[Array]:
        """Initial labels: face of the domain, pattern 0, defining rows."""
        out = [self.start.labels[0]]
        for label, rows in zip(self.start.labels[1:], self.start.definitions[1:]):
            out.append(np.concatenate([label[:, None], np.zeros((len(label), 1), np.int64), rows], axis=1))
        return out

    # -- layers ------------------------------------------------------------------------------------------------------

    def begin_layer(self, layer: int, pools: FacePools, words: Array) -> None:
        """Find the activity patterns of the layer before, and the rows of this layer under each of them."""
        self.layer, self._labels = layer, pools.labels[1]
        w = self.floats[layer]
        bias, weights = w[:, :1], w[:, 1:]
        if layer == 0:
            h = w[:, None, :]
            e = 1.01 * U * np.abs(h)
            self.patterns = 1
        else:
            self._find_patterns(layer, pools, words)
            mask, before = self.exact.masks[layer], self.exact.before[layer]
            on = mask.T[:, :, None]
            n = self.widths[layer - 1]
            a = np.where(on, self._h[:, before, :], 0.0).reshape(n, -1)
            ea = np.where(on, self._eh[:, before, :], 0.0).reshape(n, -1)
            shape = (len(w), self.patterns, self.dim)
            h = (weights @ a).reshape(shape)
            h[:, :, 0] += bias
            e = (np.abs(weights) @ (ea * (1 + 4 * U) + ((n + 4) * U) * np.abs(a))).reshape(shape)
            e[:, :, 0] += 3 * U * np.abs(bias)
            e = _raised(e * SLACK, BOUND_FLOOR)
        modulus = np.abs(h)
        if not modulus.max(initial=0.0) < 1 / SMALL:
            raise OutOfFloatRange
        tiny = (modulus < SMALL) & (modulus > 0)
        if tiny.any():
            raise OutOfFloatRange
        self._h, self._eh = h, e
        self._packed = _packed_rows(h, e, self.floor)
        self._row_of = np.zeros(self.patterns, np.int64)
        self._seen = np.zeros(self.patterns, bool)

    def _find_patterns(self, layer: int, pools: FacePools, words: Array) -> None:
        """Number the activity patterns of the full cones; hand the number down to one pattern for every face."""
        top = pools.dimension
        first, end = self.offsets[layer - 1], self.offsets[layer]
        any_active = np.zeros(pools.counts[1], np.uint64)
        columns = [pools.labels[top].view[:, 1].astype(np.uint64)]
        spans = layer_words(first, end)
        for w, mask in spans:
            active = words[:, w] & mask
            any_active |= active
            columns.append(pools.up_to_top(active))
        key = np.stack(columns, axis=1)
        order = np.lexsort(key.T[::-1])
        ordered = key[order]
        new = np.ones(len(order), bool)
        new[1:] = (ordered[1:] != ordered[:-1]).any(axis=1)
        number = np.empty(len(order), np.int64)
        number[order] = np.cumsum(new) - 1
        # rays on which the whole layer is inactive get one more pattern, "nothing active": structural zeros become exact
        dead = np.flatnonzero(any_active == 0)
        distinct = np.concatenate([ordered[new], np.zeros((1, key.shape[1]), np.uint64)])
        self.patterns = len(distinct)
        full = np.zeros((self.patterns, spans[-1][0] + 1), np.uint64)
        full[:, spans[0][0]:] = distinct[:, 1:]
        self.exact.masks.append(positive_matrix(full, first, end))
        self.exact.before.append(distinct[:, 0].astype(np.int64))
        pools.labels[top].view[:, 1] = number
        for k in range(top, 1, -1):
            pattern = pools.labels[k].view[:, 1]
            below = pools.labels[k - 1].view
            if k == 2:
                below[pools.ends[0].view, 1] = pattern
                below[pools.ends[1].view, 1] = pattern
            else:
                begin, length = pools.rows(k)
                ends = np.cumsum(length)
                index = np.arange(int(ends[-1])) + np.repeat(begin - ends + length, length)
                below[pools.pool[k].view.take(index), 1] = np.repeat(pattern, length)
        pools.labels[1].view[dead, 1] = self.patterns - 1

    # -- signs -------------------------------------------------------------------------------------------------------

    def flags(self, neuron: int) -> Array:
        """1 where the neuron is positive, 2 where it is negative, 0 where it vanishes."""
        self.neuron, d = neuron, self.dim
        rows, rays = self._packed[neuron], self.packed.view
        pattern = self._labels.view[:, 1]
        if self.patterns > 1:
            taken = rows.take(pattern, axis=0)
            z = np.einsum("vd,vd->v", taken[:, :d], rays[:, :d])
            e = np.einsum("vd,vd->v", taken[:, d:], rays[:, d:])
        else:
            z = rays[:, :d] @ rows[0, :d]
            e = rays[:, d:] @ rows[0, d:]
        e *= SLACK
        positive, negative = z > e, z < -e
        flags: Array = positive.view(np.uint8) | (negative.view(np.uint8) << 1)
        if not flags.all():
            for ray in np.flatnonzero((flags == 0) & (e != 0)).tolist():
                row = self.exact.row(self.layer, neuron, int(pattern[ray]))
                value = sum(a * x for a, x in zip(row, self.exact_ray(ray)))
                flags[ray] = 1 if value > 0 else 2 if value < 0 else 0
                self.uncertain += 1
        return flags

    def exact_ray(self, ray: int) -> list[int]:
        """Exact integer coordinates of one ray, up to a positive factor."""
        if ray < self.first_rays:
            return list(self.start.rays[ray])
        found = self._exact_rays.get(ray)
        if found is None:
            keys = self.row_keys.data[self._labels.data[ray, 2:]]
            sign = int(self.orientation.data[ray])
            found = [sign * x for x in self.exact.minors([self.exact.row(*key) for key in keys.tolist()])]
            self._exact_rays[ray] = found
        return found

    # -- new rays ----------------------------------------------------------------------------------------------------

    def rows_for(self, cut: Cut, pools: FacePools) -> Array:
        """Enter the rows of the last neuron under the patterns of the crossing cones; return pattern -> row number."""
        if self.patterns > 1:
            for k in range(2, self.dim + 1):
                self._seen[pools.labels[k].data[cut.crossing[k], 1]] = True
            present = np.flatnonzero(self._seen)
            self._seen[present] = False
        else:
            present = np.zeros(1, np.int64)
        self._row_of[present] = np.arange(self.row_table.size, self.row_table.size + len(present))
        self.row_table.append(self._packed[self.neuron].take(present, axis=0))
        keys = np.empty((len(present), 3), np.int64)
        keys[:, 0], keys[:, 1], keys[:, 2] = self.layer, self.neuron, present
        self.row_keys.append(keys)
        return self._row_of

    def append(self, positive: Array, negative: Array, labels: Array) -> None:
        """Add the rays with these labels on the edges given by their ends."""
        if not len(positive):
            return
        rows = self.row_table.data.take(labels[:, 2:], axis=0)
        x, e = self._cross_products(rows)
        sign = np.where(x[:, 0] > 0, 1.0, -1.0)
        open_ends = np.flatnonzero(~((labels[:, 0] != 1) & (np.abs(x[:, 0]) > e[:, 0])))
        if len(open_ends):
            self._orient(open_ends, positive, negative, labels, rows, x, e, sign)
        x = x * sign[:, None]
        factor = np.exp2(-np.floor(np.log2(np.abs(x).max(axis=1))))[:, None]
        x, e = x * factor, _raised(e * factor, BOUND_FLOOR)
        modulus = np.abs(x)
        bad = ((modulus < SMALL) & (modulus > 0)).any(axis=1) | ~np.isfinite(modulus).all(axis=1)
        if bad.any():
            e[bad] = np.inf
            x[bad] = np.where(np.isfinite(x[bad]), x[bad], 1.0)
        self.packed.append(self._pack(x, e))
        self.orientation.append(sign.astype(np.int8))

    def _cross_products(self, rows: Array) -> tuple[Array, Array]:
        """Signed maximal minors of the rows of each ray, with error bounds."""
        d = self.dim
        tables, order, signs = minor_tables(d)
        m, b, e = rows[:, 0, :d], rows[:, 0, d:2 * d], rows[:, 0, 2 * d:]
        for k in range(2, d):
            columns, rest, alternating = tables[k]
            row = rows[:, k - 1]
            h, eh = row[:, columns], row[:, 2 * d:][:, columns]
            modulus, bj, ej = row[:, d:2 * d][:, columns], b[:, rest], e[:, rest]
            e = (modulus * (ej + ((k + 2) * U) * bj) + eh * (bj + ej)).sum(axis=2) * SLACK
            m = (h * alternating * m[:, rest]).sum(axis=2)
            b = (modulus * bj).sum(axis=2)
        return m[:, order] * signs, e[:, order]

    def _orient(self, at: Array, positive: Array, negative: Array, labels: Array, rows: Array, x: Array, e: Array, sign: Array) -> None:
        """Orient rays along z(p) q - z(q) p, with z taken from the edge's own last row; exact where uncertain."""
        d = self.dim
        rays = self.packed.view
        p, q, row = rays[positive[at]], rays[negative[at]], rows[at, d - 2]
        zp = np.maximum(np.einsum("vd,vd->v", row[:, :d], p[:, :d]), 0)
        zq = np.maximum(-np.einsum("vd,vd->v", row[:, :d], q[:, :d]), 0)
        ep = np.einsum("vd,vd->v", row[:, d:], p[:, d:]) * SLACK
        eq = np.einsum("vd,vd->v", row[:, d:], q[:, d:]) * SLACK
        along = zp[:, None] * q[:, :d] + zq[:, None] * p[:, :d]
        error = ((zp + ep)[:, None] * q[:, d:2 * d] + (zq + eq)[:, None] * p[:, d:2 * d]
                 + ep[:, None] * q[:, 2 * d:] + eq[:, None] * p[:, 2 * d:])
        xs, es = x[at], e[at]
        inner = (along * xs).sum(axis=1)
        bound = (((np.abs(xs) + es) * error + es * np.abs(along)).sum(axis=1) * 1.001
                 + 8 * d * U * (np.abs(xs) * np.abs(along)).sum(axis=1) + TINY)
        sign[at] = np.where(inner > 0, 1.0, -1.0)
        for i in np.flatnonzero(~(np.abs(inner) > bound)).tolist():
            r = int(at[i])
            self.uncertain += 1
            keys = self.row_keys.data[labels[r, 2:]].tolist()
            exact = [self.exact.row(*key) for key in keys]
            xp, xq = self.exact_ray(int(positive[r])), self.exact_ray(int(negative[r]))
            vp, vq = sum(a * b for a, b in zip(exact[-1], xp)), -sum(a * b for a, b in zip(exact[-1], xq))
            target = [vp * b + vq * a for a, b in zip(xp, xq)]
            minors = self.exact.minors(exact)
            k = next(k for k in range(d) if target[k])
            sign[r] = 1.0 if (minors[k] > 0) == (target[k] > 0) else -1.0
            try:
                scaled, _ = _floats([minors])
                x[r], e[r] = scaled[0], 2 * U * np.abs(scaled[0])
            except OutOfFloatRange:
                e[r] = np.inf

    def coordinates(self, pools: FacePools) -> Array:
        """Primitive integer generators, an object array, shape (rays, D)."""
        first = np.array([list(ray) for ray in self.start.rays], dtype=object).reshape(-1, self.dim)
        labels = pools.labels[1].view[self.first_rays:, 2:]
        if not len(labels):
            return first
        used = np.unique(labels)
        number = np.zeros(self.row_keys.size, np.int64)
        number[used] = np.arange(len(used))
        rows = self.exact.batch(self.row_keys.view[used])
        content = np.gcd.reduce(rows, axis=1)
        rows = rows // np.where(content == 0, 1, content)[:, None]
        new = primitive_minors(rows, number[labels], self.orientation.view[self.first_rays:])
        return np.concatenate([first, new])
