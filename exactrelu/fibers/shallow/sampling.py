"""Rational points of a stratum, by parametrizing it: no equation is solved but linear ones.

Vectors of the invisible blocks and of active neurons are drawn so that they span what the residual needs, their columns and those of
the mixed visible hyperplanes solve the linear equation (with a random element of its kernel), and the weights of the neurons
of each block are drawn with the sums that follow.  Draws are as generic as the type allows: extra vectors are arbitrary.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from random import Random

from exactrelu.arithmetic.matrix import echelon, kernel, rank
from exactrelu.errors import InvariantError
from exactrelu.fibers.shallow.feasible_types import cone_in_span, is_feasible, only_constants, span_basis
from exactrelu.fibers.shallow.setting import Biases, Setting
from exactrelu.fibers.shallow.shallow_form import shallow_form
from exactrelu.fibers.shallow.stratum_type import StratumType
from exactrelu.network.network import Network

Vector = list[Fraction]
TRIES = 20
"""Draws of vectors before giving up; a draw fails only on a set of measure 0."""


def _number(rng: Random) -> Fraction:
    return Fraction(rng.choice((-1, 1)) * rng.randrange(1, 10), rng.randrange(1, 4))


def _positive(rng: Random) -> Fraction:
    return Fraction(rng.randrange(1, 10), rng.randrange(1, 4))


def _combination(rng: Random, rows: Sequence[Sequence[int]], length: int, low: int = -9) -> list[int]:
    total = [0] * length
    for row in rows:
        c = rng.randrange(low, 10)
        total = [t + c * x for t, x in zip(total, row)]
    return total


def sample(setting: Setting, kind: StratumType, rng: Random) -> Network | None:
    """Return a network of a type with the function, checked exactly; None if the type is not known to be feasible.

    Args:
        rng: source of the draws; the same generator state gives the same network.
    Raises:
        InvariantError: the draws of a feasible type fail again and again.

    >>> from exactrelu.fibers.shallow.ground import Ground
    >>> from exactrelu.polyhedra.domain import Domain
    >>> setting = Setting.of(Network([[[1], [-1]], [[1, -1]]], [[0, 0], [0]]), Ground(Domain.space(1)))
    >>> sample(setting, StratumType((), ((1, 1),)), Random(0))(["5/3"])
    (Fraction(5, 3),)
    """
    if kind.width == 0 or not is_feasible(setting, kind):
        return None
    drawing = _Drawing(setting, kind, rng)
    for _ in range(TRIES):
        vectors = drawing.vectors()
        if vectors is not None:
            network = drawing.network(*vectors)
            if shallow_form(network, setting.ground) != setting.form:
                raise InvariantError("a sampled network has another function")
            return network
    raise InvariantError("no vectors found for a feasible type")


class _Drawing:
    def __init__(self, setting: Setting, kind: StratumType, rng: Random) -> None:
        self.setting, self.kind, self.rng = setting, kind, rng
        self.size = setting.size
        self.fixed: list[Sequence[int]] = [setting.vectors[k] for k in kind.mixed]
        self.rows = setting.residual(kind.reversed)
        self.units = [tuple(int(i == j) for j in range(self.size)) for i in range(self.size)]

    def vectors(self) -> tuple[list[list[int]], list[list[int]]] | None:
        """Draw the vectors of the mixed invisible blocks and of the active neurons; None if they do not span enough."""
        setting, rng = self.setting, self.rng
        count, active = len(self.kind.mixed_invisible), self.kind.active
        useful = active if setting.active_space and setting.fixed_active is None else 0
        constants = [] if useful or not active or setting.fixed_active is None else [setting.fixed_active]
        fixed = [*self.fixed, *constants]
        basis = span_basis(setting, [*fixed, *self.rows])
        rho = len(basis) - rank(fixed, self.size)
        drawn: list[list[int]] = []
        constant = rho == 1 and not fixed and only_constants(setting, self.rows)     # blocks have no vector (b, 0)
        if useful:
            drawn = self._active_vectors(basis, rho, 0 if constant else count, useful)
        elif active:
            drawn = [list(constants[0]) if constants else [0] * self.size for _ in range(active)]
        missing = len(basis) - self._rank_within([*fixed, *drawn], basis)
        blocks = [_combination(rng, basis, self.size) for _ in range(min(count, missing))]
        blocks += [_combination(rng, self.units, self.size) for _ in range(count - len(blocks))]
        if constant and not useful:
            blocks[:2] = [blocks[1], [a + b for a, b in zip(blocks[1], basis[0])]]
        rng.shuffle(blocks)
        spanning = [*fixed, *drawn, *blocks]
        degenerate = any(not any(self._plain(b)) for b in blocks) or any(not any(v) for v in drawn if setting.biases is not Biases.ALL)
        if degenerate or setting.rank_beyond(self.rows, spanning):
            return None
        return blocks, drawn

    def _rank_within(self, vectors: Sequence[Sequence[int]], basis: Sequence[Sequence[int]]) -> int:
        """dim(span of vectors intersected with span of basis)."""
        return rank(list(vectors), self.size) + len(basis) - rank([*vectors, *basis], self.size)

    def _active_vectors(self, basis: list[Sequence[int]], rho: int, count: int, active: int) -> list[list[int]]:
        """Vectors in the cone C, for neurons that are active."""
        setting, rng = self.setting, self.rng
        if setting.free_active:
            need = max(0, min(active, rho - count))
            drawn = [_combination(rng, basis, self.size) for _ in range(need)]
            return drawn + [_combination(rng, self.units, self.size) for _ in range(active - need)]
        whole = cone_in_span(setting, self.units)
        need = max(0, min(active, rho - count))
        inside = cone_in_span(setting, basis)
        if need and len(basis) - rank([*inside, *self.fixed], self.size) > count:
            # no help inside L: lean the vectors of L towards an interior vector of the cone, one vector more than the rank needs
            need = min(active, need + 1)
            center = _combination(rng, whole, self.size, low=1)
            drawn = [self._leaned(_combination(rng, basis, self.size), center) for _ in range(need)]
        else:
            drawn = [_combination(rng, inside, self.size, low=0) for _ in range(need)]
        return drawn + [_combination(rng, whole, self.size, low=1) for _ in range(active - need)]

    def _leaned(self, vector: list[int], center: list[int]) -> list[int]:
        """vector + large * center, inside the cone."""
        large = 1
        for normal in self.setting.cone_normals:
            slope, value = (sum(n * x for n, x in zip(normal, v)) for v in (center, vector))
            if slope > 0:
                large = max(large, 1 + abs(value) // slope)
        large += self.rng.randrange(1, 10)
        return [x + large * c for x, c in zip(vector, center)]

    def _plain(self, vector: Sequence[int]) -> Sequence[int]:
        """The weights part of a lifted vector."""
        return vector[1:] if self.setting.biases is Biases.HIDDEN else vector

    def _row(self, vector: Sequence[int]) -> list[Fraction]:
        """A row (b, w) with a lifted vector, its bias drawn where it is free."""
        entries = [Fraction(x) for x in vector]
        if self.setting.biases is Biases.HIDDEN:
            return entries
        return [_number(self.rng) if self.setting.biases is Biases.ALL else Fraction(0), *entries]

    def network(self, blocks: list[list[int]], active: list[list[int]]) -> Network:
        """Return the network with these vectors."""
        setting, kind, rng, m = self.setting, self.kind, self.rng, self.setting.outputs
        solved = self._solution([*self.fixed, *blocks, *active])
        shares = {k: solved[i] for i, k in enumerate(kind.mixed)}
        inner = {k: solved[len(kind.mixed) + i] for i, k in enumerate(kind.mixed_invisible)}
        rows: list[Vector] = []
        columns: list[Vector] = []
        zero = [Fraction(0)] * m
        for k, (p, q) in enumerate(kind.visible):
            h, gamma = setting.form.pieces[k]
            self._block([Fraction(x) for x in h], list(gamma), shares.get(k), p, q, rows, columns)
        for k, (p, q) in enumerate(kind.invisible):
            vector = blocks[kind.mixed_invisible.index(k)] if k in inner else self._any_vector()
            self._block(self._row(vector), zero, inner.get(k), p, q, rows, columns)
        for _ in range(kind.dead):
            rows.append([-x for x in self._one_signed(None)])
            columns.append([_number(rng) for _ in range(m)])
        for i, vector in enumerate(active):
            row = self._one_signed(vector)
            s = _positive(rng)
            rows.append([x * s for x in row])
            columns.append([x / s for x in solved[len(kind.mixed) + len(blocks) + i]])
        return self._completed(rows, columns)

    def _any_vector(self) -> list[int]:
        while True:
            vector = _combination(self.rng, self.units, self.size)
            if any(self._plain(vector)):
                return vector

    def _solution(self, vectors: list[Sequence[int]]) -> list[Vector]:
        """Columns x_k with sum x_k (x) vectors[k] = R, a random solution."""
        m, count = self.setting.outputs, len(vectors)
        table = [[*(v[i] for v in vectors), *(row[i] for row in self.rows)] for i in range(self.size)]
        reduced, pivots = echelon(table, count + m)
        if any(p >= count for p in pivots):
            raise InvariantError("the vectors drawn do not span the residual")
        free = kernel([list(column) for column in zip(*vectors)] if vectors else [], count)
        out = [[Fraction(0)] * m for _ in range(count)]
        for row, p in zip(reduced, pivots):
            out[p] = [x / self.setting.scale for x in row[count:]]
        for null in free:
            shift = [_number(self.rng) for _ in range(m)]
            out = [[x + n * s for x, s in zip(column, shift)] for column, n in zip(out, null)]
        return out

    def _block(self, row: Vector, total: Vector, share: Vector | None, p: int, q: int, rows: list[Vector], columns: list[Vector]) -> None:
        """Append p neurons along the row and q against it: jumps add up to `total`, those against it to -share."""
        against = [-x for x in share] if share is not None else ([Fraction(0)] * len(total) if p else total)
        along = [t - a for t, a in zip(total, against)]
        for sign, count, wanted in ((1, p, along), (-1, q, against)):
            left = wanted
            for i in range(count):
                s = _positive(self.rng)
                jump = left if i == count - 1 else [_number(self.rng) for _ in wanted]
                left = [a - b for a, b in zip(left, jump)]
                rows.append([sign * s * x for x in row])
                columns.append([x / s for x in jump])

    def _one_signed(self, vector: Sequence[int] | None) -> Vector:
        """A row that is >= 0 on D, with the lifted vector given, or a random one."""
        setting, rng = self.setting, self.rng
        if vector is None:
            whole = cone_in_span(setting, self.units)
            vector = _combination(rng, whole, self.size, low=1) if whole else [0] * self.size
        entries = [Fraction(x) for x in vector]
        if setting.biases is not Biases.ALL:
            return entries if setting.biases is Biases.HIDDEN else [Fraction(0), *entries]
        values = [sum((x * g for x, g in zip(entries, point[1:])), Fraction(0)) / point[0]
                  for point in setting.ground.generators if point[0]]
        return [_positive(rng) - min(values), *entries]

    def _completed(self, rows: list[Vector], columns: list[Vector]) -> Network:
        """Choose the output bias."""
        setting, m = self.setting, self.setting.outputs
        bias = list(setting.form.constant)
        for (place, _, sign), row, column in zip(self.kind.neurons(), rows, columns):
            if place == "active" or (sign < 0 and place != "dead"):
                bias = [c - v * row[0] for c, v in zip(bias, column)]
        if setting.biases is not Biases.ALL and any(bias):
            raise InvariantError("the output bias should vanish")
        return Network([[row[1:] for row in rows], [[column[q] for column in columns] for q in range(m)]],
                       [[row[0] for row in rows], bias])

