"""The strata of the fiber: one basic semi-algebraic set for each type.

With the neurons in the order of the type, the parameters of one type with the function f are given by

* visible block: (b, w) parallel to its row h, with the sign of the orientation; sum of e w_p / h_p v = gamma, p the pivot of h;
* invisible block with first neuron 0: all 2x2 minors of (b, w) and (b_0, w_0) vanish, e <w, w_0> > 0, sum of e <w, w_0> v = 0;
* dead neuron: h <= 0 at all generators of D, = 0 along its lines; active: h >= 0, and > 0 at some generator;
* sum of v (x) (b, w) over the neurons oriented - and the active ones, plus (c, 0), is the affine part of f.

**Theorem.** The fiber of width N is the union of these sets over all types and all permutations of the neurons (compute the
canonical form).  The dimension of a stratum near a point is bounded by the corank of the equations there, see `corank`.
Source: `docs/theory/shallow_fibers.md`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from exactrelu.arithmetic.matrix import kernel, rank
from exactrelu.arithmetic.polynomial import Polynomial
from exactrelu.arithmetic.rational import primitive_integer
from exactrelu.fibers.semialgebraic.basic_set import BasicSet
from exactrelu.fibers.semialgebraic.parameter_names import ParameterSpace
from exactrelu.fibers.shallow.setting import Biases, Setting
from exactrelu.fibers.shallow.shallow_form import oriented
from exactrelu.fibers.shallow.stratum_type import StratumType
from exactrelu.network.architecture import Architecture
from exactrelu.network.network import Network

SOURCE = "canonical form of shallow networks"


def parameter_space(setting: Setting, width: int) -> ParameterSpace:
    """Return the space of the networks of a width with the inputs and outputs of the function."""
    return ParameterSpace(Architecture((setting.form.inputs, width, setting.outputs)))


def stratum(setting: Setting, kind: StratumType) -> BasicSet:
    """Return the parameters of one type with the function, the neurons in the order of the type.

    >>> from exactrelu.fibers.shallow.ground import Ground
    >>> from exactrelu.polyhedra.domain import Domain
    >>> relu = Network([[[2]], [[3]]], [[4], [0]])
    >>> found = stratum(Setting.of(relu, Ground(Domain.space(1))), StratumType(((1, 0),)))
    >>> [str(c) for c in found.constraints()]
    ['2*W1_1_1 - b1_1 = 0', 'W1_1_1*W2_1_1 - 6 = 0', 'b2_1 = 0', 'W1_1_1 > 0']
    """
    return _Builder(setting, kind).build()


class _Builder:
    def __init__(self, setting: Setting, kind: StratumType) -> None:
        self.setting, self.kind = setting, kind
        self.space = parameter_space(setting, kind.width)
        self.rows = [(self.space.bias(1, j), *self.space.weights(1, j)) for j in range(kind.width)]
        self.columns = [self.space.column(2, j) for j in range(kind.width)]
        self.equations: list[Polynomial] = []
        self.nonnegative: list[Polynomial] = []
        self.positive: list[Polynomial] = []

    def build(self) -> BasicSet:
        form, biases, m = self.setting.form, self.setting.biases, self.setting.outputs
        ring = self.space.ring
        affine = [[ring.zero for _ in range(form.inputs + 1)] for _ in range(m)]
        blocks: dict[tuple[str, int], list[tuple[int, int]]] = {}
        for j, (place, k, sign) in enumerate(self.kind.neurons()):
            if place == "active" or (sign < 0 and place != "dead"):
                affine = [[t + v * x for t, x in zip(row, self.rows[j])] for row, v in zip(affine, self.columns[j])]
            if place in ("visible", "invisible"):
                blocks.setdefault((place, k), []).append((j, sign))
            else:
                self._one_signed(j, place == "active")
        for (place, k), members in blocks.items():
            if place == "visible":
                self._visible(*form.pieces[k], members)
            else:
                self._invisible(members)
        for q, row in enumerate(affine):
            self.equations += [t - x for t, x in zip(row[1:], form.linear[q])]
            self.equations.append(row[0] + self.space.bias(2, q) - form.constant[q])
        if biases is not Biases.ALL:
            self.equations += [self.space.bias(2, q) for q in range(m)]
        if biases is Biases.NONE:
            self.equations += [row[0] for row in self.rows]
        return BasicSet(ring, tuple(self.equations), tuple(self.nonnegative), tuple(self.positive),
                        description=self.kind.description, source=SOURCE)

    def _visible(self, h: Sequence[int], gamma: Sequence[Fraction], members: list[tuple[int, int]]) -> None:
        p = next(i for i in range(1, len(h)) if h[i])
        sums = [self.space.ring.zero for _ in gamma]
        for j, sign in members:
            row = self.rows[j]
            self.equations += [row[i] * h[p] - row[p] * h[i] for i in range(len(h)) if i != p]
            self.positive.append(row[p] * sign)
            sums = [s + v * row[p] * Fraction(sign, h[p]) for s, v in zip(sums, self.columns[j])]
        self.equations += [s - g for s, g in zip(sums, gamma)]

    def _invisible(self, members: list[tuple[int, int]]) -> None:
        first = self.rows[members[0][0]]
        sums = [self.space.ring.zero for _ in range(self.setting.outputs)]
        for j, sign in members:
            row = self.rows[j]
            if row is not first:
                self.equations += [row[i] * first[k] - row[k] * first[i] for i in range(len(row)) for k in range(i)]
            product_ = self.space.ring.sum(a * b for a, b in zip(row[1:], first[1:]))
            self.positive.append(product_ * sign)
            sums = [s + v * product_ * sign for s, v in zip(sums, self.columns[j])]
        self.equations += sums

    def _one_signed(self, j: int, active: bool) -> None:
        row, ring = self.rows[j], self.space.ring
        values = [ring.sum(x * g for x, g in zip(row, generator)) for generator in self.setting.ground.generators]
        if self.setting.biases is Biases.NONE:                           # the generators may force more than the lines do
            self.equations += [ring.sum(x * n for x, n in zip(row[1:], normal)) for normal in self.setting.line_normals]
        else:
            self.equations += [ring.sum(x * g for x, g in zip(row, line)) for line in self.setting.ground.lines]
        self.nonnegative += values if active else [-v for v in values]
        if active:
            self.positive.append(ring.sum(values))


@dataclass(frozen=True)
class Corank:
    """Number of parameters minus rank of the equations of a stratum at a point of it.

    Attributes:
        value: the number; at least the local dimension of the stratum.
        exact: whether it is the local dimension, because the rank is constant nearby.
    """

    value: int
    exact: bool

    def to_json(self) -> dict[str, Any]:
        """Return both."""
        return {"dimension": self.value, "exact": self.exact}


def corank(setting: Setting, kind: StratumType, network: Network) -> Corank:
    """Return the corank of the equations of a stratum at one of its points, by the closed formula.

    Blocks are parametrized freely; what is left is one linear equation whose differential has the image
    Q^m (x) S + T (x) Q^D + T' (x) V_0: S is spanned by the vectors of the mixed blocks and of active neurons, T by the columns
    d_C of the mixed invisible blocks, T' by those of active neurons.  Exact if the dimension of the image is constant nearby: S is
    everything, or T is, or t + s - q reaches rank(R mod M) + number of terms (Sylvester's bound, with all ranks semicontinuous).
    """
    m, size, d = setting.outputs, setting.size, setting.form.inputs
    own = d + (setting.biases is not Biases.NONE)                    # entries of (b, w)
    count = sum((p + q) * (1 + m) - m for p, q in kind.visible)
    count += sum(own - 1 + (p + q) + (p + q - 1) * m for p, q in kind.invisible)
    count += (kind.dead + kind.active) * (setting.one_signed_dimension + m)
    terms = _terms(setting, kind, network)
    span = rank([*terms.fixed, *terms.vectors], size)
    t_inner, t_all = rank(terms.columns, m), rank([*terms.columns, *terms.active_columns], m)
    directions = kernel(list(setting.line_normals), size)            # V_0
    with_lines = rank([*terms.fixed, *terms.vectors, *directions], size)
    image = m * span + t_inner * (size - span) + (t_all - t_inner) * (with_lines - span)
    rho = setting.rank_beyond(setting.residual(kind.reversed), terms.fixed)
    settled = span == size or t_inner == m or not terms.vectors
    if not terms.active_columns or setting.active_space == size:
        settled = settled or t_all == m or t_all + span - rank(terms.fixed, size) == rho + len(terms.vectors)
    return Corank(count - image, settled)


@dataclass(frozen=True)
class _Terms:
    """The terms (column) (x) (vector) of the affine equation at a point, up to scale."""

    fixed: list[tuple[int, ...]]            # vectors of mixed visible hyperplanes, and of constant neurons
    vectors: list[tuple[int, ...]]          # of mixed invisible blocks, and of active neurons
    columns: list[tuple[int, ...]]          # d_C of mixed invisible blocks
    active_columns: list[tuple[int, ...]]


def _terms(setting: Setting, kind: StratumType, network: Network) -> _Terms:
    rows = [(b, *w) for w, b in zip(network.weights[0], network.biases[0])]
    columns = list(zip(*network.weights[1]))
    vectors: dict[tuple[str, int], tuple[int, ...]] = {}
    sums: dict[int, list[Fraction]] = {}
    active_columns = []
    for j, (place, k, sign) in enumerate(kind.neurons()):
        if place == "invisible" and k in kind.mixed_invisible:
            vectors.setdefault((place, k), primitive_integer(setting.lifted(rows[j])))
            if sign < 0:
                size = oriented(rows[j][1:], rows[j][0]).size
                sums[k] = [s + size * v for s, v in zip(sums.get(k, [Fraction(0)] * setting.outputs), columns[j])]
        if place == "active" and setting.active_space and setting.fixed_active is None:
            vectors[place, j] = primitive_integer(setting.lifted(rows[j]))
            active_columns.append(primitive_integer(columns[j]))
    fixed = [setting.vectors[k] for k in kind.mixed]
    if kind.active and setting.fixed_active is not None:
        fixed.append(setting.fixed_active)
    return _Terms(fixed, list(vectors.values()), [primitive_integer(s) for s in sums.values()], active_columns)
