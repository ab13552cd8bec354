"""The canonical polyhedral complex of a network on a domain: all cells of all dimensions, with exact signs.

An open cell is the set of points of the relative interior of a face of the domain with one sign vector; it is a
relatively open polyhedron, and sigma lies in the closure of tau iff s(sigma) <= s(tau) entrywise (0 below both signs).
Interior cells are those inside the interior of the domain.  Source: paper A; geometry of the fan in `subdivision`.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np

from exactrelu.arithmetic.matrix import product
from exactrelu.arithmetic.rational import primitive_integer
from exactrelu.complexes.activity import ActivityTree, activity_tree
from exactrelu.complexes.cell import Cell
from exactrelu.complexes.cpwl_function import CpwlFunction
from exactrelu.complexes.subdivision.fan import AT_INFINITY, INTERIOR, Fan
from exactrelu.complexes.subdivision.sign_words import LOW
from exactrelu.complexes.subdivision.subdivide import Progress, subdivide
from exactrelu.errors import ShapeError
from exactrelu.limits import Limits
from exactrelu.network.integral_form import IntegralForm, integral_form
from exactrelu.network.network import Network
from exactrelu.polyhedra.domain import Domain

Array = np.ndarray


@dataclass(frozen=True, eq=False)
class CanonicalComplex:
    """The canonical complex; make it with `CanonicalComplex.build`.

    Cells of dimension k are numbered 0..count(k)-1 in the order of the subdivision (the same for every backend).
    """

    network: Network
    domain: Domain
    fan: Fan

    @classmethod
    def build(cls, network: Network, domain: Domain | None = None, *, backend: str = "auto", limits: Limits | None = None,
              progress: Progress | None = None) -> CanonicalComplex:
        """Return the canonical complex of a network on a domain (all of R^d by default).

        Raises:
            BudgetExceeded: a limit was reached.  ShapeError: the domain has another dimension.
        Cost: O(H I) for I incidences; practical for d <= 7.

        >>> CanonicalComplex.build(Network([[[1], [1]], [[1, 1]]], [[0, -1], [0]])).f_vector
        (2, 3)
        """
        region = Domain.space(network.architecture.inputs) if domain is None else domain
        if region.dimension != network.architecture.inputs:
            raise ShapeError(f"the domain has dimension {region.dimension}, the network {network.architecture.inputs} inputs")
        return cls(network, region, subdivide(integral_form(network), region, backend, limits, progress))

    @property
    def form(self) -> IntegralForm:
        """Integral form of the network."""
        return integral_form(self.network)

    @property
    def lineality_dimension(self) -> int:
        """Dimension of the space of directions along which every cell is invariant."""
        return len(self.fan.start.lineality)

    @property
    def dimension(self) -> int:
        """Dimension of the full cells (d, unless the domain is lower-dimensional)."""
        return self.fan.dimension - 1 + self.lineality_dimension

    def level(self, dimension: int) -> int:
        """Dimension of the cones that belong to cells of this dimension; 0 if there are none."""
        k = dimension - self.lineality_dimension + 1
        return k if 1 <= k <= self.fan.dimension else 0

    @cached_property
    def _interior(self) -> list[Array]:
        return [np.zeros(0, np.int64)] + [np.flatnonzero(label == INTERIOR) for label in self.fan.labels[1:]]

    def interior(self, level: int) -> Array:
        """Numbers of the interior cones of a level."""
        return self._interior[level]

    @cached_property
    def f_vector(self) -> tuple[int, ...]:
        """Number of interior cells of dimension 0..d."""
        d = self.domain.dimension
        return tuple(len(self.interior(self.level(k))) if self.level(k) else 0 for k in range(d + 1))

    @cached_property
    def closed_f_vector(self) -> tuple[int, ...]:
        """Number of cells of dimension 0..d, those on the boundary of the domain included."""
        d = self.domain.dimension
        return tuple(int(np.count_nonzero(self.fan.labels[self.level(k)] != AT_INFINITY)) if self.level(k) else 0 for k in range(d + 1))

    @cached_property
    def full_cells(self) -> int:
        """Number of full cells."""
        return self.fan.counts[self.fan.dimension]

    @cached_property
    def bounded(self) -> Array:
        """Whether each full cell is bounded, boolean, shape (full cells,)."""
        if self.lineality_dimension:
            return np.zeros(self.full_cells, bool)
        unbounded: Array = self.fan.labels[1] == AT_INFINITY
        for k in range(2, self.fan.dimension + 1):
            starts, index = self.fan.facets(k)
            unbounded = np.logical_or.reduceat(unbounded[index], starts[:-1])
        return ~np.asarray(unbounded)

    @cached_property
    def first_rows(self) -> list[list[int]]:
        """First-layer rows (the output rows of a network without hidden layer) in working coordinates."""
        embedding = self.fan.start.embedding
        return product(self.form.rows[0], embedding, len(embedding), self.fan.dimension)

    @cached_property
    def activity(self) -> ActivityTree:
        """Activity patterns of the full cells."""
        return activity_tree(self.fan.words[self.fan.dimension], self.network.architecture.offsets)

    @cached_property
    def function(self) -> CpwlFunction:
        """The function on the full cells."""
        return CpwlFunction(self.form, self.first_rows, self.activity, self.fan.dimension, self.full_cells)

    @cached_property
    def facets(self) -> Array:
        """Numbers of the interior facets (cones of level D-1), increasing."""
        return self.interior(self.fan.dimension - 1) if self.fan.dimension >= 2 else np.zeros(0, np.int64)

    @cached_property
    def sides(self) -> tuple[Array, Array]:
        """The two full cells at every interior facet, smaller number first."""
        top = self.fan.dimension
        if top < 2:
            return np.zeros(0, np.int64), np.zeros(0, np.int64)
        starts, index = self.fan.facets(top)
        owner = np.repeat(np.arange(self.fan.counts[top]), np.diff(starts))
        one = np.empty(self.fan.counts[top - 1], np.int64)
        two = one.copy()
        one[index[::-1]] = owner[::-1]
        two[index] = owner
        return one[self.facets], two[self.facets]

    @cached_property
    def activity_words(self) -> Array:
        """Packed activity of the full cells (positive bits only), shape (full cells, words)."""
        return self.fan.words[self.fan.dimension] & LOW

    def cell(self, dimension: int, number: int) -> Cell:
        """Return one cell of this dimension (boundary cells included; cones at infinity are no cells)."""
        level = self.level(dimension)
        if not level or not 0 <= number < self.fan.counts[level]:
            raise ShapeError(f"no cell of dimension {dimension} with number {number}")
        if self.fan.labels[level][number] == AT_INFINITY:
            raise ShapeError(f"number {number} in dimension {dimension} is a recession cone at infinity, not a cell")
        return Cell(self.network, self.fan, level, number)

    def full_cell(self, number: int) -> Cell:
        """Return one full cell."""
        return self.cell(self.dimension, number)

    def exact_map(self, cell: int) -> tuple[tuple[tuple[Fraction, ...], ...], tuple[Fraction, ...]]:
        """Return (slope, constant) of f on a full cell, in the coordinates of R^d.

        On a lower-dimensional domain it is one representative modulo the equations of its affine hull.

        >>> c = CanonicalComplex.build(Network([[[2]], [[3]]], [[1], [5]]))
        >>> c.exact_map(0)
        (((Fraction(6, 1),),), (Fraction(8, 1),))
        """
        inputs = self.network.architecture.inputs
        z = [list(row) for row in self.form.rows[0]]
        for level, rows in enumerate(self.form.rows[1:]):
            mask = self.activity.masks[level][self.activity.prefix[level][cell]].tolist()
            active = [row if on else [0] * (inputs + 1) for row, on in zip(z, mask)]
            z = product([row[1:] for row in rows], active, len(active), inputs + 1)
            for row, out in zip(rows, z):
                out[0] += row[0]
        scale = self.form.denominator
        return (tuple(tuple(Fraction(x, scale) for x in row[1:]) for row in z), tuple(Fraction(row[0], scale) for row in z))

    def facet_row(self, facet: int, cell: int) -> tuple[int, ...]:
        """Return the primitive row (b, a) that vanishes on a facet cone and is positive on one full cell beside it."""
        return Cell(self.network, self.fan, self.fan.dimension, cell).facet_row(facet)

    def point_of(self, level: int, cone: int) -> tuple[Fraction, ...]:
        """Return a rational point in the relative interior of a cell."""
        return Cell(self.network, self.fan, level, cone).point

    def ambient(self, vector: Any) -> tuple[int, ...]:
        """Return the homogeneous integer vector (t, x) of working coordinates (t, y), primitive."""
        return primitive_integer([sum(a * int(y) for a, y in zip(row, vector)) for row in self.fan.start.embedding])
