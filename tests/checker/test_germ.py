"""Germs: the affine map found is that of f close to the point, however degenerate the network."""

import random
from fractions import Fraction as F

import pytest

from exactrelu.checker.claims.germ import bend, facet, germ
from exactrelu.checker.document import WORK
from exactrelu.checker.network import Network
from tests.checker import oracle, producers_fibers
from tests.checker.producers import Net, homogeneous, network
from tests.checker.random_networks import random_network, random_widths


@pytest.fixture(autouse=True)
def _work() -> None:
    WORK.set([10**12])


def directions(rng: random.Random, d: int, number: int) -> list[tuple[int, ...]]:
    return [tuple(rng.randint(-2, 2) for _ in range(d)) for _ in range(number)]


def special_point(rng: random.Random, net: Net) -> list[F]:
    """A point of a cell, preferably of a small one."""
    cells = oracle.complex_of(net, None).cells
    least = min(c.dimension for c in cells)
    return rng.choice([c for c in cells if c.dimension == least] if rng.random() < 0.7 else cells).point


def test_map_on_a_germ_is_that_of_f_close_to_the_point() -> None:
    small = F(1, 10**9)
    for seed in range(300):
        rng = random.Random(seed)
        widths = random_widths(rng, (1, 2, 3))
        net = random_network(rng, widths, 2, rng.choice([0.2, 0.5]))
        x = special_point(rng, net)
        us = directions(rng, widths[0], rng.randint(1, 3))
        checked = Network(net)
        rows = germ(checked, tuple(homogeneous(x)), *us).output
        y = [c + sum(small ** (k + 1) * u[i] for k, u in enumerate(us)) for i, c in enumerate(x)]
        scale = checked.scales[-1]
        found = [oracle.evaluate([F(c, scale) for c in row], y) for row in rows]
        assert found == oracle.forward(net, y)[1]


def test_sides_of_facets() -> None:
    several = 0
    for seed in range(150):
        rng = random.Random(seed)
        widths = random_widths(rng)
        net = random_network(rng, widths, 1, rng.choice([0.2, 0.5]))
        whole, checked = oracle.complex_of(net, None), Network(net)
        for cell in whole.cells:
            x = tuple(homogeneous(cell.point))
            found = facet(checked, x, checked.locate(x))
            assert (found is None) == (cell.dimension != widths[0] - 1)
            if found is None:
                continue
            h = [F(c) for c in found.hyperplane]
            below, above = sorted(whole.sides(cell), key=lambda c: oracle.evaluate(h, c.point))
            scale = checked.scales[-1]
            assert [[F(c, scale) for c in row] for row in found.below] == below.output
            assert [[F(c, scale) for c in row] for row in found.above] == above.output
            assert found.breaks == (below.output != above.output)
            several += cell.signs.count(0) > 1
    assert several > 50


def test_shallow_functions_bend_alike_on_opposite_sides() -> None:
    for seed in range(200):
        rng = random.Random(seed)
        d = rng.choice([1, 2, 3])
        net = random_network(rng, [d, rng.randint(1, 5), rng.choice([1, 2])], 1, 0.3)
        x = tuple(homogeneous(special_point(rng, net)))
        checked = Network(net)
        for u in directions(rng, d, 5):
            for n in directions(rng, d, 5):
                assert bend(checked, x, u, n) == bend(checked, x, tuple(-c for c in u), n)


def test_neurons_that_vanish_on_a_side() -> None:
    """z_2 = ReLU(x) vanishes for x <= 0 and z_3 = -ReLU(x) everywhere counts as inactive."""
    net = Network(network(([[1]], [0]), ([[1], [-1]], [0, 0]), ([[3, 5]], [1])))
    found = facet(net, (1, 0), net.locate((1, 0)))
    assert found is not None
    assert (found.below, found.above) == ([[1, 0]], [[1, 3]])
    left, right = germ(net, (1, 0), (-1,)), germ(net, (1, 0), (1,))
    assert left.vanishing == [[0, 1], [0, 0], [0, 0]]
    assert right.vanishing == [[0, 1], [0, 1], [0, -1]]


def test_lone_rays_are_those_of_brute_force() -> None:
    """At a cell of codimension 2 some direction is not shallow if and only if a ray is lone."""
    verdicts = [0, 0]
    for seed in range(300):
        rng = random.Random(seed)
        net = random_network(rng, [2, *rng.choice([[2, 2], [3, 1], [2, 1, 1]]), 1], 2, 0.1)
        whole, checked = oracle.complex_of(net, None), Network(net)
        for cell in whole.cells:
            if cell.dimension:
                continue
            x = tuple(homogeneous(cell.point))
            rays = [
                (producers_fibers.integral(producers_fibers.ray(cell, f)), f)
                for f in producers_fibers.around(whole, cell)
            ]
            lone = False
            for u, f in rays:
                n = producers_fibers.hyperplane(f)[1:]
                opposite = tuple(-c for c in u)
                lone = lone or bend(checked, x, tuple(u), n) != bend(checked, x, opposite, n)
            assert lone == (producers_fibers.lone_ray(whole, cell) is not None)
            verdicts[lone] += 1
    assert min(verdicts) > 20
