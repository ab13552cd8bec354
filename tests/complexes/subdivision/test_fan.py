"""The finished fan: signs by forward passes, generators and cofacets by the facet lists."""

from __future__ import annotations

import random
from math import gcd

import pytest

from exactrelu.complexes.subdivision.fan import AT_INFINITY, Fan
from exactrelu.complexes.subdivision.subdivide import subdivide
from exactrelu.network.integral_form import integral_form
from exactrelu.network.network import Network
from exactrelu.polyhedra.domain import Domain

DOMAINS = [Domain.space(2), Domain.box(2, [(-1, 1)]), Domain(2, ((0, 1, 0),)), Domain(2, ((0, 1, -1), (0, -1, 1))),
           Domain(2, ((-1, 1, 0), (1, -1, 0), (0, 0, 1), (0, 0, -1)))]


def network(seed: int, widths: tuple[int, ...] = (2, 3, 2, 1)) -> Network:
    rng = random.Random(seed)
    return Network([[[rng.randint(-2, 2) for _ in range(m)] for _ in range(n)] for m, n in zip(widths, widths[1:], strict=False)],
                   [[rng.randint(-2, 2) for _ in range(n)] for n in widths[1:]])


def facet_lists(fan: Fan, k: int) -> list[list[int]]:
    starts, index = fan.facets(k)
    return [index[a:b].tolist() for a, b in zip(starts, starts[1:], strict=False)]


@pytest.mark.parametrize("backend", ["certified", "int64", "integer", "reference"])
@pytest.mark.parametrize("domain", DOMAINS, ids=str)
def test_signs_at_the_sum_of_the_generators(domain: Domain, backend: str) -> None:
    for seed in range(3):
        form = integral_form(network(seed))
        fan = subdivide(form, domain, backend)
        assert fan.backend == backend
        for k in range(1, fan.dimension + 1):
            assert fan.signs(k).shape == (fan.counts[k], 5)
            for cone in range(fan.counts[k]):
                rays = [fan.ray(int(r)) for r in fan.generators(k, cone)]
                total = [sum(column) for column in zip(*rays, strict=True)]
                point = [sum(a * y for a, y in zip(row, total, strict=True)) for row in fan.start.embedding]
                assert tuple(fan.signs(k)[cone].tolist()) == form.signs(point)
                assert (fan.labels[k][cone] == AT_INFINITY) == (point[0] == 0)


def test_generators_are_increasing_and_come_from_the_facets() -> None:
    fan = subdivide(integral_form(network(1)), Domain.space(2))
    for k in range(2, fan.dimension + 1):
        for cone, facets in enumerate(facet_lists(fan, k)):
            expected = sorted({int(r) for f in facets for r in fan.generators(k - 1, f)})
            assert fan.generators(k, cone).tolist() == expected
    assert fan.generators(1, 2).tolist() == [2]


def test_cofacets_are_the_facets_turned_around() -> None:
    fan = subdivide(integral_form(network(2)), Domain.box(2, [(-1, 1)]))
    for k in range(1, fan.dimension):
        starts, owner = fan.cofacets(k)
        above = [owner[a:b].tolist() for a, b in zip(starts, starts[1:], strict=False)]
        lists = facet_lists(fan, k + 1)
        assert above == [[c for c, facets in enumerate(lists) if f in facets] for f in range(fan.counts[k])]
        assert fan.cofacets(k)[1] is owner


@pytest.mark.parametrize("backend", ["certified", "integer"])
def test_one_ray_is_the_row_of_all_coordinates(backend: str) -> None:
    fan = subdivide(integral_form(network(3)), Domain.space(2), backend)
    single = [fan.ray(r) for r in range(fan.counts[1])]
    assert all(gcd(*ray) == 1 for ray in single)
    assert single == [tuple(row) for row in fan.coordinates.tolist()] == [fan.ray(r) for r in range(fan.counts[1])]


def test_without_neurons() -> None:
    fan = subdivide(integral_form(Network([[[1, 2]]], [[0]])), Domain.box(2, [(0, 1)]))
    assert (fan.neurons, fan.dimension, fan.counts) == (0, 3, [0, 4, 4, 1])
    assert fan.signs(3).shape == (1, 0)
