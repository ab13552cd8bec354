"""A continuous piecewise affine function f on a polyhedral complex on which it is affine.  No parameter is inside.

This is what questions about f alone may look at: full cells with their affine maps, the *visible* facets (across which
the map changes) with hyperplane, jump and generators, and the ridges where visible facets meet.  The complex may be
finer than f needs; whoever reads it must not depend on that.

Conventions: points and generators are homogeneous integers (t, x_1, ..., x_d), t > 0 for points and vertices, t = 0 for
directions; rows (b, a_1, ..., a_d) mean b + a.x; arrays of numbers are numpy object arrays of Python integers.
Source: the breakpoint complex of paper A.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from exactrelu.arithmetic.matrix import kernel
from exactrelu.complexes.breakpoint_complex import BreakpointComplex
from exactrelu.complexes.canonical_complex import CanonicalComplex
from exactrelu.complexes.exact_maps import exact_maps
from exactrelu.complexes.integer_arrays import object_array, primitive_rows, signless_rows
from exactrelu.complexes.subdivision.fan import Fan
from exactrelu.errors import DomainError
from exactrelu.polyhedra.domain import Domain

Array = np.ndarray
Row = tuple[int, ...]


@dataclass(frozen=True)
class Incidence:
    """Lists of numbers, one list an object: object i has indices[starts[i]:starts[i + 1]]."""

    starts: Array
    indices: Array

    def __getitem__(self, number: int) -> Array:
        """Return one list."""
        found: Array = self.indices[self.starts[number]:self.starts[number + 1]]
        return found

    def __len__(self) -> int:
        return len(self.starts) - 1

    @classmethod
    def of(cls, owner: Array, member: Array, count: int) -> Incidence:
        """Return the lists of the members of owners 0..count-1, in the order given."""
        order = np.argsort(owner, kind="stable")
        starts = np.zeros(count + 1, np.int64)
        np.cumsum(np.bincount(owner, minlength=count), out=starts[1:])
        return cls(starts, member[order])


@dataclass(frozen=True, eq=False)
class FunctionComplex:
    """f on the full cells of a complex; make it with `function_complex`.

    Attributes:
        domain: where f is given; full-dimensional.
        dimension, outputs: d and m.
        denominator: D > 0; maps and jumps are those of D f.
        lineality: directions (length d) along which f and all cells are invariant; a basis.
        rays: generators of all cells, shape (rays, d + 1).
        maps: D f on every full cell, shape (cells, m, d + 1).
        cell_points: a point inside every full cell, shape (cells, d + 1).
        facet_rows: primitive rows of the visible facets, the first non-zero entry of (a_1, ..., a_d, b) positive.
        facet_sides: the full cells where the row is negative, positive, shape (F, 2).
        jumps: D (A_plus - A_minus) = jump (x) row, shape (F, m).
        facet_points: a relative interior point of every visible facet, shape (F, d + 1).
        hyperplane: number of the hyperplane of every visible facet.
        hyperplanes: the rows of the hyperplanes, in the order of first occurrence.
        ridges: visible facets at every interior ridge that has one.
        ridge_points: a relative interior point of these ridges, shape (R, d + 1).
        cell_rays, facet_rays, ridge_rays: numbers of the generators.
        facet_cones, ridge_cones: the numbers of facets and ridges in the complex they come from.
    """

    domain: Domain
    dimension: int
    outputs: int
    denominator: int
    lineality: tuple[Row, ...]
    rays: Array
    maps: Array
    cell_points: Array
    facet_rows: Array
    facet_sides: Array
    jumps: Array
    facet_points: Array
    hyperplane: Array
    hyperplanes: tuple[Row, ...]
    ridges: Incidence
    ridge_points: Array
    cell_rays: Incidence
    facet_rays: Incidence
    ridge_rays: Incidence
    facet_cones: Array
    ridge_cones: Array

    def __repr__(self) -> str:
        return f"<FunctionComplex: {len(self.maps)} cells, {len(self.facet_rows)} visible facets, {len(self.ridges)} ridges>"

    @cached_property
    def ridge_facets(self) -> list[Array]:
        """The visible facets at each ridge."""
        return [self.ridges[r] for r in range(len(self.ridges))]

    def _generators(self, numbers: Array) -> list[Row]:
        return [tuple(row) for row in self.rays[numbers].tolist()]

    def cell_generators(self, cell: int) -> list[Row]:
        """Vertices (t > 0) and extreme directions (t = 0) of a full cell (modulo lineality)."""
        return self._generators(self.cell_rays[cell])

    def facet_generators(self, facet: int) -> list[Row]:
        """Vertices and extreme directions of a visible facet (modulo lineality)."""
        return self._generators(self.facet_rays[facet])

    def ridge_generators(self, ridge: int) -> list[Row]:
        """Vertices and extreme directions of a ridge (modulo lineality)."""
        return self._generators(self.ridge_rays[ridge])

    def ridge_equations(self, ridge: int) -> tuple[Row, Row]:
        """Two independent primitive rows (b, a) that vanish on a ridge."""
        span = [*self.ridge_generators(ridge), *((0, *v) for v in self.lineality)]
        one, two = kernel(span, self.dimension + 1)
        return one, two

    def value(self, cell: int, point: Sequence[int]) -> tuple[int, ...]:
        """Return D t f(x) at a homogeneous point (t, x) of a closed full cell, shape (m,)."""
        return tuple(sum(a * x for a, x in zip(row, point)) for row in self.maps[cell].tolist())

    @cached_property
    def samples(self) -> tuple[tuple[Row, ...], tuple[tuple[int, ...], ...]]:
        """Distinct points of the closed cells and D t f there: inside every cell, all vertices, vertex + direction.

        A function that differs from f somewhere may agree at all of them; they only refute.
        """
        owner = np.repeat(np.arange(len(self.maps)), np.diff(self.cell_rays.starts))
        ray = self.cell_rays.indices
        finite = self.rays[ray, 0] != 0 if len(ray) else np.zeros(0, bool)
        cell_of, at = np.unique(owner[finite], return_index=True)
        vertex = np.zeros(len(self.maps), np.int64)
        vertex[cell_of] = ray[finite][at]                                    # the first vertex of every cell
        far_cell, direction = owner[~finite], self.rays[ray[~finite]]
        for line in self.lineality:
            far_cell = np.concatenate([far_cell, np.arange(len(self.maps))])
            direction = np.concatenate([direction, np.repeat(object_array([0, *line], (1, self.dimension + 1)), len(self.maps), axis=0)])
        base = self.rays[vertex[far_cell]]
        points = np.concatenate([self.cell_points, self.rays[ray[finite]], base + base[:, :1] * direction])
        cells = np.concatenate([np.arange(len(self.maps)), owner[finite], far_cell])
        first: dict[Row, int] = {}
        for k, point in enumerate(points.tolist()):
            first.setdefault(tuple(point), k)
        kept = np.array(list(first.values()), np.int64)
        values = (self.maps[cells[kept]] * points[kept][:, None, :]).sum(axis=2)
        return tuple(first), tuple(map(tuple, values.tolist()))


def _incidences(fan: Fan) -> list[tuple[Array, Array]]:
    """For every level k the pairs (cone, ray) of the cone's generators, cones increasing."""
    count = fan.counts[1]
    out = [(np.zeros(0, np.int64), np.zeros(0, np.int64)), (np.arange(count), np.arange(count))]
    for k in range(2, fan.dimension + 1):
        starts, index = fan.facets(k)
        owner = np.repeat(np.arange(fan.counts[k]), np.diff(starts))
        below_owner, below_ray = out[k - 1]
        first = np.searchsorted(below_owner, np.arange(fan.counts[k - 1] + 1))
        lengths = (first[1:] - first[:-1])[index]
        at = np.repeat(first[:-1][index], lengths) + np.arange(lengths.sum()) - np.repeat(np.cumsum(lengths) - lengths, lengths)
        pairs = np.unique(np.repeat(owner, lengths) * count + below_ray[at])
        out.append((pairs // count, pairs % count))
    return out


def _sums(owner: Array, ray: Array, rays: Array, cones: Array) -> Array:
    """Primitive sums of the generators of some cones: points of their relative interiors."""
    first, last = np.searchsorted(owner, cones), np.searchsorted(owner, cones + 1)
    if not len(cones):
        return object_array([], (0, rays.shape[1]))
    keep = np.concatenate([np.arange(a, b) for a, b in zip(first.tolist(), last.tolist())])
    starts = np.concatenate([[0], np.cumsum(last - first)[:-1]])
    return primitive_rows(np.add.reduceat(rays[ray[keep]], starts, axis=0))


def _listed(owner: Array, ray: Array, cones: Array, total: int) -> Incidence:
    number = np.full(total, -1, np.int64)
    number[cones] = np.arange(len(cones))
    kept = number[owner] >= 0
    return Incidence.of(number[owner[kept]], ray[kept], len(cones))


def _rows_and_jumps(maps: Array, one: Array, two: Array, points: Array) -> tuple[Array, Array, Array]:
    """Rows, sides and jumps of visible facets from the maps on both sides."""
    difference = maps[one] - maps[two]
    count, columns = len(one), maps.shape[2]
    if not count:
        return object_array([], (0, columns)), np.zeros((0, 2), np.int64), object_array([], (0, maps.shape[1]))
    nonzero = (difference != 0).any(axis=2)
    output = np.argmax(nonzero, axis=1)
    at = np.arange(count)
    rows = signless_rows(difference[at, output])
    lead = np.argmax(rows != 0, axis=1)
    jumps = difference[at, :, lead] // rows[at, lead][:, None]
    positive = (rows * points[one]).sum(axis=1) > 0                       # the first side lies where the row is positive
    jumps = np.where(positive[:, None], jumps, -jumps)
    sides = np.where(positive[:, None], np.stack([two, one], axis=1), np.stack([one, two], axis=1))
    return rows, sides, jumps


def function_complex(complex_: CanonicalComplex) -> FunctionComplex:
    """Return f on the cells of a canonical complex, without the parameter.

    Raises:
        DomainError: the domain is lower-dimensional.
    Exactness: integers.    Cost: O(incidences (d + 1)) integer operations after the maps.

    >>> from exactrelu.network.network import Network
    >>> function_complex(CanonicalComplex.build(Network([[[1, 0], [0, 1]], [[1, 1]]], [[0, 0], [0]])))
    <FunctionComplex: 4 cells, 4 visible facets, 1 ridges>
    """
    fan, top = complex_.fan, complex_.fan.dimension
    if fan.start.domain_equations:
        raise DomainError("the geometry of f needs a full-dimensional domain: parametrize its affine hull first")
    architecture = complex_.network.architecture
    maps = exact_maps(complex_.form, complex_.activity, architecture.inputs, complex_.full_cells)
    rays = primitive_rows(np.dot(fan.coordinates, object_array(fan.start.embedding, (architecture.inputs + 1, top)).T))
    pairs = _incidences(fan)
    cell_points = _sums(*pairs[top], rays, np.arange(complex_.full_cells))
    visible = np.flatnonzero(BreakpointComplex(complex_).visible) if top >= 2 else np.zeros(0, np.int64)
    cones = complex_.facets[visible] if top >= 2 else visible
    one, two = (side[visible] for side in complex_.sides)
    rows, sides, jumps = _rows_and_jumps(maps, one, two, cell_points)
    number: dict[Row, int] = {}
    hyperplane = np.array([number.setdefault(tuple(row), len(number)) for row in rows.tolist()], np.int64)
    nothing = Incidence(np.zeros(1, np.int64), np.zeros(0, np.int64))
    facet_points, facet_rays = object_array([], (0, architecture.inputs + 1)), nothing
    ridges, ridge_points, ridge_rays, used = nothing, facet_points, nothing, np.zeros(0, np.int64)
    if top >= 2:
        facet_points = _sums(*pairs[top - 1], rays, cones)
        facet_rays = _listed(*pairs[top - 1], cones, fan.counts[top - 1])
    if top >= 3:
        facet_of = np.full(fan.counts[top - 1], -1, np.int64)
        facet_of[cones] = np.arange(len(cones))
        starts, owner = fan.cofacets(top - 2)
        ridge = np.repeat(np.arange(fan.counts[top - 2]), np.diff(starts))
        interior = np.zeros(fan.counts[top - 2], bool)
        interior[complex_.interior(top - 2)] = True
        kept = (facet_of[owner] >= 0) & interior[ridge]
        used, ridge_number = np.unique(ridge[kept], return_inverse=True)
        ridges = Incidence.of(ridge_number.ravel(), facet_of[owner[kept]], len(used))
        ridge_points = _sums(*pairs[top - 2], rays, used)
        ridge_rays = _listed(*pairs[top - 2], used, fan.counts[top - 2])
    return FunctionComplex(
        complex_.domain, architecture.inputs, architecture.outputs, complex_.form.denominator, fan.start.lineality, rays, maps,
        cell_points, rows, sides, jumps, facet_points, hyperplane, tuple(number), ridges, ridge_points,
        _listed(*pairs[top], np.arange(complex_.full_cells), complex_.full_cells), facet_rays, ridge_rays, cones, used)
