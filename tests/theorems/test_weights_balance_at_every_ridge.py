"""Around an interior ridge the sum of weight (x) normal over the facets, normals turned one way around, vanishes."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from hypothesis import given, settings

from exactrelu.arithmetic.rational import primitive_integer
from exactrelu.complexes.canonical_complex import CanonicalComplex
from exactrelu.complexes.complex_report import ComplexReport
from exactrelu.network.network import Network
from exactrelu.polyhedra.domain import Domain
from tests.oracles.strategies import domains, small_networks

Signs = tuple[int, ...]


def is_face(sigma: Signs, tau: Signs) -> bool:
    return all(s in (0, t) for s, t in zip(sigma, tau))


def cells(found: CanonicalComplex, k: int) -> list[tuple[int, Any]]:
    if k < 0 or not found.f_vector[k]:
        return []
    return [(int(i), found.cell(k, int(i))) for i in found.interior(found.level(k))]


def side(normal: Signs, facet: Any, cell: Any) -> int:
    value = sum(n * (y - x) for n, x, y in zip(normal, facet.point, cell.point))
    return (value > 0) - (value < 0)


def check_balance(network: Network, domain: Domain) -> None:
    found = CanonicalComplex.build(network, domain)
    d = domain.dimension
    full = [cell for _, cell in cells(found, d)]
    maps = [found.exact_map(i) for i in range(len(full))]
    breakpoints = ComplexReport(found).breakpoints
    listed = {int(f): breakpoints.weights[k] for k, f in enumerate(breakpoints.facets)}
    assert len(breakpoints.weights) == len(listed)
    facets = {}
    for number, facet in cells(found, d - 1):
        sides = [i for i, cell in enumerate(full) if is_face(facet.signs, cell.signs)]
        assert len(sides) == 2
        ((_, *equation),) = facet.equations
        normal = list(primitive_integer(equation))
        if side(tuple(normal), facet, full[sides[0]]) < 0:
            sides.reverse()  # the normal points into the first
        weight = _jump(maps[sides[0]][0], maps[sides[1]][0], normal)
        if any(weight):
            assert weight == tuple(listed[number].weight)
            assert list(listed[number].normal) in (normal, [-n for n in normal])
        else:
            assert number not in listed
        facets[number] = (facet.signs, sides, weight, normal)
    for _, ridge in cells(found, d - 2):
        around = [f for f in facets.values() if is_face(ridge.signs, f[0])]
        _check_ridge(around, d)


def _jump(first: Any, second: Any, normal: list[int]) -> tuple[Fraction, ...]:
    """c with first - second = c (x) normal; fails if the difference has another shape."""
    square = sum(n * n for n in normal)
    out = []
    for p, q in zip(first, second):
        c = sum(((x - y) * n for x, y, n in zip(p, q, normal)), Fraction(0)) / square
        assert [x - y for x, y in zip(p, q)] == [c * n for n in normal]
        out.append(c)
    return tuple(out)


def _check_ridge(around: list[Any], d: int) -> None:
    """Walk once around, from full cell to full cell, and add up."""
    start = here = around[0][1][0]
    used: set[int] = set()
    total = [[Fraction(0)] * d for _ in around[0][2]]
    while len(used) < len(around):
        k = next(k for k, (_, sides, _, _) in enumerate(around) if k not in used and here in sides)
        used.add(k)
        _, (front, back), weight, normal = around[k]
        turn = 1 if here == back else -1  # the normal points into `front`
        here = front if here == back else back
        total = [[t + turn * c * n for t, n in zip(row, normal)] for row, c in zip(total, weight)]
    assert here == start
    assert not any(x for row in total for x in row)


@settings(derandomize=True, max_examples=40)
@given(small_networks(inputs=2, most=4, depth=3).flatmap(lambda n: domains(2).map(lambda p: (n, p))))
def test_weights_balance_at_every_ridge_of_the_plane(pair: tuple[Network, Domain]) -> None:
    check_balance(*pair)


@settings(derandomize=True, max_examples=20)
@given(small_networks(inputs=3, most=3, depth=2).flatmap(lambda n: domains(3).map(lambda p: (n, p))))
def test_weights_balance_at_every_ridge_of_space(pair: tuple[Network, Domain]) -> None:
    check_balance(*pair)
