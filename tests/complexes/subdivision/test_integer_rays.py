"""Integer rays: the overflow guards bite exactly at their bounds, and both widths give the same numbers."""

from __future__ import annotations

import random
from math import gcd
from types import SimpleNamespace

import numpy as np
import pytest

from exactrelu.complexes.subdivision.integer_rays import BOUND, IntegerRays, Overflow

AXES = ((1, 0), (0, 1), (0, -1))


def rays(first: list[list[int]], points: tuple[tuple[int, ...], ...] = AXES, later: tuple = (), wide: bool = False) -> IntegerRays:
    start = SimpleNamespace(dimension=len(points[0]), rays=points, labels=[np.zeros(0, np.int64), np.arange(len(points))])
    return IntegerRays(start, first, SimpleNamespace(hidden=(tuple(map(tuple, first)), *later)), wide)  # type: ignore[arg-type]


def begun(found: IntegerRays, layer: int = 0) -> IntegerRays:
    found.begin_layer(layer, None, None)  # type: ignore[arg-type]
    return found


def test_the_bound_of_start_rays() -> None:
    rays([[1, 1]], ((1, BOUND - 1),))
    with pytest.raises(Overflow):
        rays([[1, 1]], ((1, BOUND),))
    with pytest.raises(Overflow):
        rays([[1, 1]], ((1, -BOUND),))
    rays([[1, 1]], ((1, BOUND),), wide=True)


@pytest.mark.parametrize("scale", [1, 2])
def test_the_bound_of_a_product(scale: int) -> None:
    """max |input| times max row sum must stay below 2^62."""
    half = BOUND // scale // 2
    points = ((scale, 0), (0, 1))
    fits = begun(rays([[half, half - 1]], points))
    assert fits.flags(0).tolist() == [1, 1] and fits.table.view[0, 2] == scale * half
    with pytest.raises(Overflow):
        begun(rays([[half, half]], points))
    with pytest.raises(Overflow):
        begun(rays([[-half, half]], points))
    assert begun(rays([[half, half]], points, wide=True)).flags(0).tolist() == [1, 1]


def test_the_bound_of_a_new_ray() -> None:
    """2 max |z| max |entry| must stay below 2^62: 1518500249 is the largest n with 2 n^2 < 2^62."""
    n = 1518500249
    assert 2 * n * n < BOUND <= 2 * (n + 1) * (n + 1)
    end = np.array([0]), np.array([2])
    for size, fits in ((n, True), (n + 1, False)):
        for wide in (False, True):
            found = begun(rays([[size, size - 1]], wide=wide))
            assert found.flags(0).tolist() == [1, 1, 2]
            if fits or wide:
                found.append(*end, np.zeros((1, 1)))
                assert found.exact_ray(3) == [size - 1, -size] and found.flags(0)[3] == 0
            else:
                with pytest.raises(Overflow):
                    found.append(*end, np.zeros((1, 1)))


def test_the_bound_grows_with_new_rays() -> None:
    """A new ray is larger than all before it, and the guard knows."""
    found = begun(rays([[3, 2], [5, -4]]))
    assert found._bound == 5
    found.flags(0)
    found.append(np.array([0]), np.array([2]), np.zeros((1, 1)))
    assert found.exact_ray(3) == [2, -3] and found.table.view[3].tolist() == [2, -3, 0, 22] and found._bound == 22


@pytest.mark.parametrize("wide", [False, True])
def test_new_rays_are_primitive_and_vanish(wide: bool) -> None:
    rng = random.Random(7)
    for _ in range(30):
        first = [[rng.randint(-6, 6) for _ in range(3)] for _ in range(2)]
        points = tuple(tuple(rng.randint(-4, 4) for _ in range(3)) for _ in range(6))
        points = tuple(p for p in points if gcd(*p) == 1)
        if len(points) < 2:
            continue
        found = begun(rays(first, points, wide=wide))
        values = [sum(a * x for a, x in zip(first[0], p, strict=True)) for p in points]
        assert found.flags(0).tolist() == [1 if z > 0 else 2 if z < 0 else 0 for z in values]
        pairs = [(i, j) for i, y in enumerate(values) for j, z in enumerate(values) if y > 0 > z]
        if not pairs:
            continue
        edges = [(i, j) for i, j in pairs if any(values[i] * b - values[j] * a for a, b in zip(points[i], points[j], strict=True))]
        if not edges:
            continue
        found.append(np.array([i for i, _ in edges]), np.array([j for _, j in edges]), np.zeros((len(edges), 1)))
        for number, (i, j) in enumerate(edges, len(points)):
            exact = [values[i] * b - values[j] * a for a, b in zip(points[i], points[j], strict=True)]
            content = gcd(*exact)
            assert found.exact_ray(number) == [x // content for x in exact]
            assert int(found.table.view[number, 4]) == sum(a * x for a, x in zip(first[1], found.exact_ray(number), strict=True))
        assert set(found.flags(0)[len(points):].tolist()) == {0}
        assert found.coordinates(None).tolist() == [found.exact_ray(r) for r in range(len(points) + len(edges))]  # type: ignore[arg-type]


@pytest.mark.parametrize("wide", [False, True])
def test_the_next_layer_sees_activations(wide: bool) -> None:
    found = begun(rays([[1, 2], [-1, 3]], later=(((5, -1, 1), (0, 1, 1)),), wide=wide))
    begun(found, 1)
    expected = [[5 * t - max(t + 2 * y, 0) + max(-t + 3 * y, 0), max(t + 2 * y, 0) + max(-t + 3 * y, 0)] for t, y in AXES]
    assert found.table.view[:, 2:].tolist() == expected


def test_nothing_to_append() -> None:
    found = begun(rays([[1, 1]]))
    found.flags(0)
    found.append(np.zeros(0, np.int64), np.zeros(0, np.int64), np.zeros((0, 1)))
    assert found.table.size == 3 and found.rows_for(None, None) is None and found.uncertain == 0  # type: ignore[arg-type, func-returns-value]
    assert [label.shape for label in found.labels()] == [(0, 1), (3, 1)]
