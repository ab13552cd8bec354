"""Do the closed strata of the breakpoint complex form a polyhedral complex, then the coarsest one on its support?

They do iff (i) every closed stratum is convex, (ii) every facet of a closed stratum is again one closed stratum, and
(iii) no other stratum meets the relative interior of a closed stratum.  (Any polyhedral complex with this support
refines the strata.  By (ii) all faces of a closed stratum are closed strata, by (iii) its points belong to the strata of
its faces; so two closed strata meet in a union of common faces, and a convex union of faces is a face.)  Convexity
alone does not suffice for d >= 3, and (i), (ii) do not exclude a sheet that ends inside another one.

Convexity test: a stratum S is convex iff it lies on the inner side of each of its outer facets.  (If q satisfies all
their inequalities and is not in S, a generic segment from S to q leaves S through the relative interior of an outer
facet, after which that inequality fails.)
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

import numpy as np

from exactrelu.arithmetic.matrix import echelon
from exactrelu.arithmetic.rational import primitive_integer
from exactrelu.complexes.cell import Cell
from exactrelu.complexes.coarse_strata import CoarseStrata
from exactrelu.complexes.subdivision.fan import AT_INFINITY, INTERIOR, Fan

Array = np.ndarray
Row = tuple[int, ...]


@dataclass(frozen=True)
class StratumFailure:
    """A stratum (dimension and number) that violates one of the three conditions."""

    dimension: int
    number: int
    reason: str


@dataclass(frozen=True, eq=False)
class PolyhedralStrata:
    """The three tests on the strata of a breakpoint complex."""

    strata: CoarseStrata

    @cached_property
    def _stratum_of(self) -> dict[int, dict[int, int]]:
        """For every dimension: cone -> number of its stratum."""
        return {k: {int(c): i for i, cones in enumerate(classes) for c in cones} for k, classes in self.strata.strata.items()}

    @cached_property
    def first_failure(self) -> StratumFailure | None:
        """The first stratum that violates (i), else (ii), else (iii), else None."""
        return next(self._not_convex(), None) or next(self._not_face_to_face(), None) or next(self._entered(), None)

    @property
    def all_convex(self) -> bool:
        """Whether every closed stratum is convex."""
        return next(self._not_convex(), None) is None

    @property
    def is_polyhedral_complex(self) -> bool:
        """Whether the closed strata form a polyhedral complex."""
        return self.first_failure is None

    def _pieces(self) -> Iterator[tuple[int, int, Array, dict[Row, list[int]]]]:
        """(dimension, number, cones, outer facets by their inward row modulo the affine hull) of every stratum."""
        complex_ = self.strata.breakpoints.complex
        for k, classes in self.strata.strata.items():
            level = complex_.level(k)
            for number, cones in enumerate(classes):
                yield k, number, cones, self._outer_facets(level, cones) if level > 1 else {}

    def _outer_facets(self, level: int, cones: Array) -> dict[Row, list[int]]:
        complex_ = self.strata.breakpoints.complex
        fan = complex_.fan
        starts, index = fan.facets(level)
        owner: dict[int, list[int]] = {}
        for c in cones.tolist():
            for facet in index[starts[c]:starts[c + 1]].tolist():
                owner.setdefault(facet, []).append(c)
        hull = Cell(complex_.network, fan, level, int(cones[0])).equations
        table, pivots = echelon([(*row[1:], row[0]) for row in hull], complex_.domain.dimension + 1)
        out: dict[Row, list[int]] = {}
        for facet, cells in owner.items():
            if len(cells) == 1 and fan.labels[level - 1][facet] != AT_INFINITY:
                row = Cell(complex_.network, fan, level, cells[0]).facet_row(facet)
                reduced = [Fraction(x) for x in (*row[1:], row[0])]
                for equation, pivot in zip(table, pivots):
                    factor = reduced[pivot]
                    reduced = [x - factor * y for x, y in zip(reduced, equation)]
                out.setdefault(primitive_integer([reduced[-1], *reduced[:-1]]), []).append(facet)
        return out

    def _not_convex(self) -> Iterator[StratumFailure]:
        complex_ = self.strata.breakpoints.complex
        for k, number, cones, outer in self._pieces():
            level = complex_.level(k)
            vectors = {g for c in cones.tolist() for g in Cell(complex_.network, complex_.fan, level, c).generators}
            if any(sum(map(int.__mul__, row, g)) < 0 for row in outer for g in vectors):
                yield StratumFailure(k, number, "the closed stratum is not convex")

    def _not_face_to_face(self) -> Iterator[StratumFailure]:
        complex_ = self.strata.breakpoints.complex
        for k, number, _, outer in self._pieces():
            below = self._stratum_of.get(k - 1, {})
            for facets in outer.values():
                if complex_.fan.labels[complex_.level(k) - 1][facets[0]] != INTERIOR:
                    continue
                names = {below.get(f, -1) for f in facets}
                if len(names) != 1 or -1 in names or len(self.strata.strata[k - 1][names.pop()]) != len(facets):
                    yield StratumFailure(k, number, "a facet of the closed stratum is not one closed stratum")
                    break

    def _entered(self) -> Iterator[StratumFailure]:
        """Strata with a face inside their relative interior at which the breakpoint complex is not locally the stratum."""
        fan = self.strata.breakpoints.complex.fan
        for k, number, cones, outer in self._pieces():
            level = self.strata.breakpoints.complex.level(k)
            border = np.array(sorted(f for facets in outer.values() for f in facets), dtype=np.int64)
            inside = cones
            for below in range(level - 1, 0, -1):
                inside = _facets_of(fan, below + 1, inside)
                inner = np.setdiff1d(inside, border)
                inner = inner[fan.labels[below][inner] == INTERIOR]
                if (self.strata.ranks[below][inner] != fan.dimension - level).any():
                    yield StratumFailure(k, number, "another stratum meets the relative interior of the closed stratum")
                    break
                border = _facets_of(fan, below, border) if below > 1 else border


def _facets_of(fan: Fan, level: int, cones: Array) -> Array:
    """Facets of some cones of a level, increasing."""
    if not len(cones):
        return cones
    starts, index = fan.facets(level)
    return np.unique(np.concatenate([index[starts[c]:starts[c + 1]] for c in cones.tolist()]))
