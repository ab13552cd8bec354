"""Boxes written down directly agree with cddlib."""

from __future__ import annotations

import random
from fractions import Fraction

import pytest

from exactrelu.arithmetic.rational import primitive_integer
from exactrelu.polyhedra import cddlib
from exactrelu.polyhedra.affine_hull import affine_hull
from exactrelu.polyhedra.box import box_vertices, box_walls


@pytest.mark.parametrize("seed", range(60))
def test_against_cddlib(seed: int) -> None:
    rng = random.Random(seed)
    d = rng.randint(1, 4)
    rows = []
    for _ in range(rng.randint(d, 4 * d + 2)):
        row = [Fraction(0)] * (d + 1)
        row[0] = Fraction(rng.randint(-1, 9), rng.randint(1, 4))
        row[rng.randint(1, d)] = Fraction(rng.choice((-3, -2, -1, 1, 2, 3)))
        rows.append(primitive_integer(row))
    margin = cddlib.margin(rows, d).value
    walls = box_walls(rows, d)
    assert (walls is None) == (margin <= 0)
    if walls is None:
        return
    kept = tuple(sorted(row for pair in walls for row in pair if row is not None))
    assert kept == cddlib.irredundant(rows, d)[0] == affine_hull(rows, d).rows
    found = cddlib.generators(rows, (), d)
    bounded = not found.lines and all(g[0] for g in found.points)
    assert box_vertices(rows, d) == (list(found.points) if bounded else None)


def test_what_is_no_box() -> None:
    assert box_walls([(1, 1, 1)], 2) is None
    assert box_walls([(0, 1), (0, -1)], 1) is None          # a point
    assert box_walls([(-1, 1), (0, -1)], 1) is None         # empty
    assert box_walls([], 2) == [(None, None)] * 2
    assert box_vertices([(0, 1)], 1) is None
