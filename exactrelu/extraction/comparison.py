"""An extracted network against the oracle: everything asked so far, random points, and all cells of its canonical complex.

*Cell promise.*  On each closed full cell of the canonical complex of the extracted network, f is affine if it agrees there with
the network at the points compared.  Under it agreement everywhere proves equal functions, as the points of a cell span it affinely:
all vertices, a point along each extreme direction and lineality direction, and random points inside.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from random import Random

from exactrelu.arithmetic.rational import affine_point
from exactrelu.complexes.canonical_complex import CanonicalComplex
from exactrelu.complexes.cell import Cell
from exactrelu.errors import BudgetExceeded
from exactrelu.extraction.oracle import Oracle, Point
from exactrelu.extraction.region import Region
from exactrelu.limits import Meter
from exactrelu.network.network import Network
from exactrelu.polyhedra.domain import Domain

CELL_PROMISE = ("the oracle computes a network of this architecture, and on every cell of the extracted network's complex on which it "
                "agrees with the extracted network at the vertices and the inner points asked, it is affine")
MOST_CELLS = 2_000
"""Full cells whose points are all compared."""
INSIDE = 5
"""Random points inside each full cell."""
RANDOM_POINTS = 100


@dataclass(frozen=True)
class Comparison:
    """The result of a comparison.

    Attributes:
        difference: a point at which oracle and network differ, or None.
        complex: the complex all whose cells were compared, or None if it is too large.
        note: why the cells were not compared, or "".
    """

    difference: Point | None
    complex: CanonicalComplex | None = None
    note: str = ""


def differs_from_answers(oracle: Oracle, network: Network) -> Point | None:
    """Return a point asked before at which the network has another value, or None.  No query."""
    return next((x for x, value in oracle.answers.items() if network(x) != value), None)


def compare(oracle: Oracle, network: Network, domain: Domain, region: Region, meter: Meter) -> Comparison:
    """Compare an extracted network with the oracle.

    Cost: `RANDOM_POINTS` queries, then one for every vertex and `INSIDE` for every full cell.
    """
    point = differs_from_answers(oracle, network)
    if point is not None:
        return Comparison(point)
    radius = region.radius
    for k in range(RANDOM_POINTS):
        region.radius = radius if region.rows else Fraction(4**(k % 8), 4)
        x = region.point()
        if oracle(x) != network(x):
            region.radius = radius
            return Comparison(x)
    region.radius = radius
    try:
        complex_ = CanonicalComplex.build(network, domain, limits=meter.stage(50 * MOST_CELLS))
    except BudgetExceeded as error:
        return Comparison(None, None, str(error))
    if complex_.full_cells > MOST_CELLS:
        return Comparison(None, None, f"the complex has {complex_.full_cells} full cells, more than {MOST_CELLS}")
    for k in range(complex_.full_cells):
        cell = complex_.full_cell(k)
        slope, constant = complex_.exact_map(k)
        for x in _points(cell, region.random):
            expected = tuple(sum((a * y for a, y in zip(row, x)), b) for row, b in zip(slope, constant))
            if oracle(x) != expected:
                return Comparison(x)
    return Comparison(None, complex_)


def _points(cell: Cell, rng: Random) -> Iterator[Point]:
    """Points of the closed cell that span it affinely, then random ones inside."""
    generators, lines = cell.generators, cell.lineality
    first = next(affine_point(g) for g in generators if g[0])
    for g in generators:
        yield affine_point(g) if g[0] else tuple(x + a for x, a in zip(first, g[1:]))
    for line in lines:
        yield tuple(x + a for x, a in zip(first, line))
    for _ in range(INSIDE):
        weights = [Fraction(rng.randint(1, 64), g[0] or 1) for g in generators]
        total = sum((w * g[0] for w, g in zip(weights, generators)), Fraction(0))
        inner = [sum((w * g[j] for w, g in zip(weights, generators)), Fraction(0)) / total for j in range(1, len(first) + 1)]
        for line in lines:
            t = rng.randint(-9, 9)
            inner = [x + t * a for x, a in zip(inner, line)]
        yield tuple(inner)
