"""The coarsest stratification of the breakpoint complex.

For a cell sigma of B_f let delta(sigma) = d - rank{normals of the breakpoint facets containing sigma}: the dimension of
the largest linear space under whose small translations B_f is invariant near sigma.  (A local translation symmetry is
tangent to every breakpoint facet there; conversely a direction tangent to all of them is tangent to every boundary
ridge of a flat piece, because by balancing two non-parallel normals meet there and span its normal space.)
The k-dimensional strata are the classes of cells with dim = delta = k under "share a (k-1)-cell with delta = k".

Ranks are first taken modulo a prime (a lower bound); they are exact when they reach the codimension or the number of
different hyperplanes, otherwise exact integer rows decide.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from exactrelu.arithmetic.matrix import rank
from exactrelu.arithmetic.rational import primitive_integer
from exactrelu.arithmetic.residues import primes
from exactrelu.complexes.breakpoint_complex import BreakpointComplex
from exactrelu.complexes.cell import Cell
from exactrelu.complexes.components import component_labels
from exactrelu.complexes.subdivision.fan import INTERIOR

Array = np.ndarray


@dataclass(frozen=True, eq=False)
class CoarseStrata:
    """Strata of the support of a breakpoint complex."""

    breakpoints: BreakpointComplex

    @cached_property
    def ranks(self) -> list[Array]:
        """For every level the rank of the breakpoint normals around each interior cone, -1 outside B_f (exact)."""
        complex_ = self.breakpoints.complex
        fan, top = complex_.fan, complex_.fan.dimension
        out = [np.full(n, -1, np.int64) for n in fan.counts]
        if top < 2:
            return out
        out[top - 1][self.breakpoints.facets] = 1
        bases = {top - 1: self._facet_rows_modulo()}
        for level in range(top - 2, 0, -1):
            out[level], bases[level] = self._descend(level, out[level + 1], bases[level + 1])
            self._settle(level, out[level])
        return out

    def _facet_rows_modulo(self) -> Array:
        """A row of every breakpoint facet modulo the first prime (zero rows where none is known), shape (n, 1, D)."""
        complex_ = self.breakpoints.complex
        prime, fan = primes(1)[0], complex_.fan
        out = np.zeros((fan.counts[fan.dimension - 1], 1, fan.dimension), np.int64)
        at = np.flatnonzero(self.breakpoints.visible)
        one, two = (side[at] for side in complex_.sides)
        jump = complex_.function.first_residues[one] - complex_.function.first_residues[two]
        first = (jump != 0).any(axis=2).argmax(axis=1)
        out[complex_.facets[at], 0] = np.mod(jump[np.arange(len(at)), first].astype(np.int64), prime)
        return out

    def _descend(self, level: int, above_rank: Array, above: Array) -> tuple[Array, Array]:
        """Ranks and echelon bases modulo the prime of a level, from those one dimension up."""
        complex_ = self.breakpoints.complex
        prime, fan = primes(1)[0], complex_.fan
        codimension = fan.dimension - level
        starts, owner = fan.cofacets(level)
        degree = np.diff(starts)
        basis = np.zeros((fan.counts[level], codimension, fan.dimension), np.int64)
        pivots = np.full((fan.counts[level], codimension), -1, np.int64)
        size = np.zeros(fan.counts[level], np.int64)
        touched = np.zeros(fan.counts[level], bool)
        live = np.flatnonzero(fan.labels[level] == INTERIOR)
        for step in range(int(degree.max(initial=0))):
            live = live[degree[live] > step]
            upper = owner[starts[live] + step]
            inside = above_rank[upper] >= 0
            touched[live[inside]] = True
            for v in range(above.shape[1]):
                want = np.flatnonzero(inside & (size[live] < codimension))
                if len(want):
                    _insert(basis, pivots, size, live[want], above[upper[want], v], prime)
        return np.where(touched, size, -1), basis

    def _settle(self, level: int, ranks: Array) -> None:
        """Replace ranks modulo the prime that may be too small by exact ones."""
        complex_ = self.breakpoints.complex
        fan, top = complex_.fan, complex_.fan.dimension
        doubtful = np.flatnonzero((ranks >= 0) & (ranks < top - level))
        if not len(doubtful):
            return
        visible = np.zeros(fan.counts[top - 1], bool)
        visible[self.breakpoints.facets] = True
        for cone in doubtful.tolist():
            around = np.array([cone])
            for k in range(level, top - 1):
                starts, owner = fan.cofacets(k)
                around = np.unique(np.concatenate([owner[starts[c]:starts[c + 1]] for c in around.tolist()]))
            rows = sorted({self._plane[int(f)] for f in around[visible[around]].tolist()})
            ranks[cone] = 1 if len(rows) == 1 else rank([row[1:] for row in rows], len(rows[0]) - 1)

    @cached_property
    def _plane(self) -> _Planes:
        return _Planes(self.breakpoints)

    @cached_property
    def strata(self) -> dict[int, list[Array]]:
        """For every dimension k the strata: arrays of the numbers of their cones, in the order of their first cone."""
        complex_ = self.breakpoints.complex
        fan, top = complex_.fan, complex_.fan.dimension
        out: dict[int, list[Array]] = {}
        for level in range(top - 1, 0, -1):
            members = np.flatnonzero(self.ranks[level] == top - level)
            if not len(members):
                continue
            labels = np.arange(fan.counts[level])
            if level > 1:
                starts, index = fan.facets(level)
                owner = np.repeat(np.arange(fan.counts[level]), np.diff(starts))
                keep = (self.ranks[level][owner] == top - level) & (self.ranks[level - 1][index] == top - level)
                nodes = fan.counts[level]
                labels = component_labels(nodes + fan.counts[level - 1], owner[keep], nodes + index[keep])[:nodes]
            order = np.argsort(labels[members], kind="stable")
            sizes = np.unique(labels[members], return_counts=True)[1]
            out[level - 1 + complex_.lineality_dimension] = np.split(members[order], np.cumsum(sizes)[:-1])
        return out

    @cached_property
    def counts(self) -> dict[int, int]:
        """Number of strata by dimension, highest first."""
        return {k: len(classes) for k, classes in self.strata.items()}


class _Planes:
    """Exact hyperplane of a breakpoint facet in working coordinates (modulo the affine hull of the domain), as a primitive row
    with positive leading normal entry; computed once each."""

    def __init__(self, breakpoints: BreakpointComplex) -> None:
        self._complex = breakpoints.complex
        self._rows: dict[int, tuple[int, ...]] = {}
        self._one = dict(zip(self._complex.facets.tolist(), self._complex.sides[0].tolist()))

    def __getitem__(self, facet: int) -> tuple[int, ...]:
        row = self._rows.get(facet)
        if row is None:
            fan = self._complex.fan
            ambient = Cell(self._complex.network, fan, fan.dimension, self._one[facet]).facet_row(facet)
            row = primitive_integer([sum(a * e for a, e in zip(ambient, column)) for column in zip(*fan.start.embedding)])
            if next(x for x in row[1:] if x) < 0:
                row = tuple(-x for x in row)
            self._rows[facet] = row
        return row


def _insert(basis: Array, pivots: Array, size: Array, at: Array, rows: Array, prime: int) -> None:
    """Reduce one row for each cone by its basis and append it where something is left (all modulo the prime)."""
    rows = rows.copy()
    for v in range(basis.shape[1]):
        used = size[at] > v
        if not used.any():
            break
        factor = rows[np.arange(len(at)), np.where(used, pivots[at, v], 0)] * used
        rows = (rows - factor[:, None] * basis[at, v]) % prime
    left = np.flatnonzero(rows.any(axis=1))
    if not len(left):
        return
    rows, at = rows[left], at[left]
    column = (rows != 0).argmax(axis=1)
    lead = rows[np.arange(len(at)), column]
    inverse = _inverse(lead, prime)
    basis[at, size[at]] = rows * inverse[:, None] % prime
    pivots[at, size[at]] = column
    size[at] += 1


def _inverse(values: Array, prime: int) -> Array:
    """Inverses modulo a prime below 2^24, by Fermat's exponent (products stay below 2^48)."""
    out, power, exponent = np.ones_like(values), values % prime, prime - 2
    while exponent:
        if exponent & 1:
            out = out * power % prime
        power = power * power % prime
        exponent >>= 1
    return out
