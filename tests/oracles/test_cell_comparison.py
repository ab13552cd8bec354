"""The elimination against points of a grid and against known answers; the comparison on cells that have no interior points."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from random import Random

import pytest

from tests.oracles.cell_comparison import Row, difference, solution


def satisfied(rows: list[Row], point: tuple[Fraction, ...]) -> bool:
    slacks = [(row[0] + sum(a * x for a, x in zip(row[1:], point)), strict) for row, strict in rows]
    return all(s > 0 if strict else s >= 0 for s, strict in slacks)


@pytest.mark.parametrize("dimension", [1, 2, 3])
def test_solutions_satisfy_the_rows_and_none_means_none(dimension: int) -> None:
    grid = [tuple(Fraction(x, 2) for x in p) for p in product(range(-6, 7) if dimension < 3 else range(-4, 5, 2), repeat=dimension)]
    found = {True: 0, False: 0}
    for seed in range(120):
        rng = Random(seed)
        rows = [(tuple(rng.randint(-2, 2) for _ in range(dimension + 1)), rng.random() < 0.4) for _ in range(rng.randint(1, 3 + dimension))]
        point = solution(rows, dimension)
        found[point is not None] += 1
        if point is None:
            assert not any(satisfied(rows, p) for p in grid)
        else:
            assert satisfied(rows, point)
    assert min(found.values()) >= 10


def test_boundaries() -> None:
    point = [((0, 1), False), ((0, -1), False)]
    assert solution(point, 1) == (0,)
    assert solution([((0, 1), True), ((0, -1), False)], 1) is None
    assert solution([((1, 0), True)], 1) is not None and solution([((0, 0), True)], 1) is None and solution([((-1, 0), False)], 1) is None
    assert solution([((0, 1, 1), False), ((0, -1, -1), False), ((0, 1, 0), True)], 2) is not None
    assert solution([], 0) == ()


def net(*layers: tuple[list[list[int]], list[int]]) -> list[tuple[list[list[Fraction]], list[Fraction]]]:
    return [([[Fraction(x) for x in row] for row in rows], [Fraction(x) for x in biases]) for rows, biases in layers]


def test_known_answers() -> None:
    x, y = net(([[1, 0]], [0])), net(([[0, 1]], [0]))
    kinks = net(([[1, 0], [-1, 0]], [0, 0]), ([[1, -1]], [0]))
    assert difference(x, kinks, [], 2) is None and difference(x, y, [], 2) is not None
    diagonal = [(0, 1, -1), (0, -1, 1)]
    assert difference(x, y, diagonal, 2) is None
    assert difference(x, y, [(-1, 0, 0)], 2) is None                            # no point at all
    assert difference(x, y, [(0, 1, 0), (0, -1, 0), (0, 0, 1), (0, 0, -1)], 2) is None
    ramp = net(([[1, 0]], [-3]), ([[1]], [0]))
    flat = net(([[0, 0]], [0]))
    assert difference(ramp, flat, [(3, -1, 0)], 2) is None
    found = difference(ramp, flat, [(4, -1, 0)], 2)
    assert found is not None and 3 < found[0] <= 4


def test_a_neuron_that_vanishes_identically() -> None:
    zero = net(([[0]], [0]), ([[5]], [1]))
    assert difference(zero, net(([[0]], [1])), [], 1) is None
    assert difference(zero, net(([[0]], [1 + 1])), [], 1) is not None
