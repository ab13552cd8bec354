"""What the conditions share: life of layers, points beside a facet, facets around a cell."""

from __future__ import annotations

import random

import pytest

from exactrelu.complexes.canonical_complex import CanonicalComplex
from exactrelu.genericity.geometry import Geometry
from exactrelu.network.forward import sign_vector
from exactrelu.network.network import Network
from exactrelu.polyhedra.domain import Domain


def geometry(seed: int, widths: tuple[int, ...], domain: Domain | None = None) -> Geometry:
    rng = random.Random(seed)
    return Geometry(CanonicalComplex.build(Network(
        [[[rng.randint(-3, 3) for _ in range(m)] for _ in range(n)] for m, n in zip(widths, widths[1:], strict=False)],
        [[rng.randint(-3, 3) for _ in range(n)] for n in widths[1:]]), domain))


@pytest.mark.parametrize("widths", [(2, 3, 2, 1), (1, 20, 20, 1), (2, 3, 2, 2, 1)])
def test_layers_that_are_alive(widths: tuple[int, ...]) -> None:
    found = geometry(1, widths)
    complex_ = found.complex
    for k in range(1, complex_.fan.dimension + 1):
        first = 0
        for layer, n in enumerate(widths[1:-1]):
            expected = [any(s > 0 for s in row[first:first + n]) for row in complex_.fan.signs(k).tolist()]
            assert found.alive(complex_.fan.words[k], layer).tolist() == expected
            first += n


@pytest.mark.parametrize("seed", range(4))
def test_points_beside_a_facet(seed: int) -> None:
    found = geometry(seed, (2, 3, 2, 1), Domain.box(2, [(-2, 2)]))
    complex_ = found.complex
    for facet in complex_.facets.tolist():
        zero = complex_.cell(1, facet).signs
        p, q = (sign_vector(complex_.network, x) for x in found.side_points(facet))
        assert p != q and all(z in (0, s) for z, s in zip(zero, p, strict=True)) and all(z in (0, s) for z, s in zip(zero, q, strict=True))


@pytest.mark.parametrize("domain", [None, Domain.box(3, [(-2, 2)])], ids=["space", "cube"])
def test_facets_around_a_cell(domain: Domain | None) -> None:
    found = geometry(2, (3, 3, 1), domain)
    fan, top = found.complex.fan, found.complex.fan.dimension
    rays = [set(fan.generators(top - 1, f).tolist()) for f in range(fan.counts[top - 1])]
    for level in range(1, top):
        for cone in range(fan.counts[level]):
            mine = set(fan.generators(level, cone).tolist())
            assert found.facets_around(level, cone).tolist() == [f for f, other in enumerate(rays) if mine <= other]


def test_derived_objects_are_of_the_same_complex_and_kept() -> None:
    found = geometry(3, (2, 2, 1))
    assert found.bent is found.bent and found.bent.complex is found.complex
    assert found.breakpoints is found.breakpoints and found.breakpoints.complex is found.complex
    assert [w for span in found.spans for w, _ in span] == [0]
