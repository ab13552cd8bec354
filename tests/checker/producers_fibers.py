"""Naive producers for claims about the function near a point and about complete fibers."""

from fractions import Fraction as F
from math import gcd
from typing import Any

from tests.checker import oracle
from tests.checker.producers import Net, document, homogeneous, point, strings, tree


def integral(row: list[F]) -> list[int]:
    """A positive multiple with integer entries, primitive."""
    _, *entries = homogeneous(row)
    content = gcd(*entries) or 1
    return [c // content for c in entries]


def direction(u: list[Any]) -> str:
    return " ".join(map(str, integral([F(c) for c in u])))


def tangents(rows: list[list[F]], d: int) -> list[list[F]]:
    """A basis of the vectors killed by all rows (linear parts)."""
    found: list[list[F]] = []
    reduced: list[list[F]] = []
    pivots: list[int] = []
    for row in rows:
        for r, p in zip(reduced, pivots):
            row = [x - row[p] * y for x, y in zip(row, r)]
        at = next((k for k, x in enumerate(row) if x), None)
        if at is not None:
            row = [x / row[at] for x in row]
            reduced = [[x - r[at] * y for x, y in zip(r, row)] for r in reduced]
            reduced.append(row)
            pivots.append(at)
    for free in sorted(set(range(d)) - set(pivots)):
        v = [F(0)] * d
        v[free] = F(1)
        for r, p in zip(reduced, pivots):
            v[p] = -r[free]
        found.append(v)
    return found


def equations(cell: oracle.Cell) -> list[list[F]]:
    return [row[1:] for row, op in cell.constraints if op == "="]


def along(cell: oracle.Cell, v: list[F], part: F = F(7, 8)) -> list[list[F]]:
    """Points of the cell on both sides of its point in direction v, this part of the way out."""
    found = []
    for sign in (1, -1):
        end = F(10)
        for row, op in cell.constraints:
            rate = sign * sum(a * b for a, b in zip(row[1:], v))
            if op == ">" and rate < 0:
                end = min(end, -oracle.evaluate(row, cell.point) / rate)
        found.append([x + sign * part * end * c for x, c in zip(cell.point, v)])
    return found


def spread(cell: oracle.Cell, part: F = F(7, 8)) -> list[list[F]]:
    """The point of a cell and points around it in the cell."""
    basis = tangents(equations(cell), len(cell.point))
    return [cell.point, *(x for v in basis for x in along(cell, v, part))]


def broken(whole: oracle.Complex) -> list[oracle.Cell]:
    """Facets across which f changes."""
    result = []
    for cell in whole.facets:
        one, two = whole.sides(cell)
        if one.output != two.output:
            result.append(cell)
    return result


def members_of(net: Net, others: list[Net], domain: Any) -> tuple[list[Net], list[str]]:
    trees = ["", *(tree([net, other], domain, points=False) for other in others)]
    return [net, *others], trees


def tight_fiber(net: Net, domain: Any, others: list[Net] | None = None) -> dict[str, Any]:
    """Points: some on every facet where f breaks, one or more in every full cell."""
    whole = oracle.complex_of(net, domain)
    chosen = [x for cell in broken(whole) for x in spread(cell)]
    chosen += [x for cell in whole.full for x in spread(cell)]
    members, trees = members_of(net, others or [], domain)
    claim = {"network": net, "domain": domain, "members": members}
    return document("tight-fiber", claim, {"points": [point(x) for x in chosen], "trees": trees})


def not_shallow(net: Net, domain: Any, x: list[Any], u: list[Any], n: list[Any]) -> dict[str, Any]:
    claim = {"network": net, "domain": domain, "point": strings([F(c) for c in x])}
    return document("not-shallow", claim, {"directions": [direction(u), direction(n)]})


def not_supertransversal_function(
    net: Net, domain: Any, x: list[Any], rays: list[list[Any]]
) -> dict[str, Any]:
    claim = {"network": net, "domain": domain, "point": strings([F(c) for c in x])}
    return document("not-supertransversal-function", claim, {"rays": [direction(u) for u in rays]})


def hyperplane(facet: oracle.Cell) -> tuple[int, ...]:
    row = integral(next(row for row, op in facet.constraints if op == "=" and any(row[1:])))
    return tuple(row) if next(c for c in row if c) > 0 else tuple(-c for c in row)


def gradients(whole: oracle.Complex, facet: oracle.Cell) -> tuple[list[list[F]], list[list[F]]]:
    """Gradients of f below and above the hyperplane of a facet."""
    h = [F(c) for c in hyperplane(facet)]
    below, above = sorted(whole.sides(facet), key=lambda c: oracle.evaluate(h, c.point))
    return [row[1:] for row in below.output], [row[1:] for row in above.output]


def is_rich(whole: oracle.Complex, facet: oracle.Cell) -> bool:
    below, above = gradients(whole, facet)
    return oracle.rank(below + above) == 2


def around(whole: oracle.Complex, cell: oracle.Cell) -> list[oracle.Cell]:
    return [f for f in broken(whole) if oracle.below(cell.signs, f.signs)]


def lone_ray(whole: oracle.Complex, cell: oracle.Cell) -> oracle.Cell | None:
    """A facet at the cell across which f breaks otherwise than on the opposite side."""
    jumps: dict[tuple[int, ...], list[Any]] = {}
    found = around(whole, cell)
    for facet in found:
        below, above = gradients(whole, facet)
        gap = [[b - a for a, b in zip(p, q)] for p, q in zip(below, above)]
        jumps.setdefault(hyperplane(facet), []).append(gap)
    for facet in found:
        gaps = jumps[hyperplane(facet)]
        if len(gaps) != 2 or gaps[0] != gaps[1]:
            return facet
    return None


def ray(cell: oracle.Cell, facet: oracle.Cell) -> list[F]:
    return [a - b for a, b in zip(facet.point, cell.point)]


def two_layer_fiber(net: Net, domain: Any, others: list[Net] | None = None) -> dict[str, Any]:
    whole = oracle.complex_of(net, domain)
    flats = []
    for cell in whole.cells:
        if cell.dimension == whole.d - 2:
            lone = lone_ray(whole, cell)
            if lone is not None:
                n = list(hyperplane(lone)[1:])
                flats.append([point(cell.point), direction(ray(cell, lone)), direction(n)])
    chosen = [x for cell in broken(whole) for x in spread(cell)]
    chosen += [x for cell in whole.full for x in spread(cell)]
    members, trees = members_of(net, others or [], domain)
    claim = {"network": net, "domain": domain, "members": members}
    evidence = {"points": [point(x) for x in chosen], "flats": flats, "trees": trees}
    return document("two-layer-fiber", claim, evidence)


def wide_front_fiber(net: Net, domain: Any, others: list[Net] | None = None) -> dict[str, Any]:
    """Flats: vertices with a lone ray; their rich rays, if no closed half plane contains them."""
    whole = oracle.complex_of(net, domain)
    flats = []
    for cell in whole.cells:
        if cell.dimension or lone_ray(whole, cell) is None:
            continue
        rich = [f for f in around(whole, cell) if is_rich(whole, f)]
        rays = [ray(cell, f) for f in rich]
        normals = [n for a, b in rays for n in ([-b, a], [b, -a])]
        if all(any(n[0] * u[0] + n[1] * u[1] < 0 for u in rays) for n in normals) and rays:
            flats.append([point(cell.point), *map(direction, rays)])
    chosen = [x for cell in broken(whole) for x in spread(cell)]
    chosen += [x for cell in whole.full for x in spread(cell)]
    members, trees = members_of(net, others or [], domain)
    claim = {"network": net, "domain": domain, "members": members}
    evidence = {"points": [point(x) for x in chosen], "flats": flats, "trees": trees}
    return document("wide-front-fiber", claim, evidence)
