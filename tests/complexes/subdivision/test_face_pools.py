"""Cuts of the face poset: flags by definition, children by an independent double description."""

from __future__ import annotations

import random
from math import gcd

import numpy as np
import pytest

from exactrelu.complexes.subdivision.face_pools import Cut, FacePools
from exactrelu.complexes.subdivision.start_fan import StartFan, start_fan
from exactrelu.polyhedra.cddlib import generators
from exactrelu.polyhedra.domain import Domain

SQUARE_CONE = Domain(3, ((0, 1, 0, 1), (0, -1, 0, 1), (0, 0, 1, 1), (0, 0, -1, 1)))
OCTAHEDRON = Domain(3, tuple((1, a, b, c) for a in (1, -1) for b in (1, -1) for c in (1, -1)))
CUBE = Domain.box(3, [(-1, 1)])
SEEN = [(0, 1, 0, 0), (0, 0, 1, 0), (0, 0, 0, 1)]

Row = tuple[int, ...]


class Cutting:
    """A fan with exact rays that is cut row by row."""

    def __init__(self, domain: Domain, layer: list[Row]) -> None:
        self.start: StartFan = start_fan(layer, domain)
        self.pools = FacePools(self.start, [np.ascontiguousarray(label[:, None]) for label in self.start.labels])
        self.rays = [list(ray) for ray in self.start.rays]

    def values(self, row: Row) -> list[int]:
        return [sum(a * x for a, x in zip(row, ray, strict=True)) for ray in self.rays]

    def flags(self, row: Row) -> np.ndarray:
        return np.array([1 if z > 0 else 2 if z < 0 else 0 for z in self.values(row)], np.uint8)

    def cut(self, row: Row) -> tuple[Cut, list[int], list[int]] | None:
        cut = self.pools.cut(self.flags(row))
        if cut is None:
            return None
        z = self.values(row)
        positive, negative, _ = self.pools.split(cut, None)
        for p, q in zip(positive.tolist(), negative.tolist(), strict=True):
            new = [z[p] * b - z[q] * a for a, b in zip(self.rays[p], self.rays[q], strict=True)]
            self.rays.append([x // gcd(*new) for x in new])
        return cut, positive.tolist(), negative.tolist()

    def facets(self, k: int) -> list[list[int]]:
        starts, index = self.pools.facets(k)
        return [index[a:b].tolist() for a, b in zip(starts, starts[1:], strict=False)]

    def cones(self) -> list[list[frozenset[int]]]:
        out = [[], [frozenset([r]) for r in range(self.pools.counts[1])]]
        for k in range(2, self.pools.dimension + 1):
            out.append([frozenset().union(*(out[k - 1][f] for f in row)) for row in self.facets(k)])
        return out

    @property
    def counts(self) -> list[int]:
        return self.pools.counts[1:-1]


def is_a_fan(fan: Cutting, rows: list[Row]) -> None:
    """The full cones are those of the arrangement (by cddlib), the poset is closed, graded, and every diamond has two sides."""
    cones, top = fan.cones(), fan.pools.dimension
    for k in range(1, top + 1):
        assert len(set(cones[k])) == len(cones[k]) == fan.pools.counts[k]
        rank = [np.linalg.matrix_rank(np.array([fan.rays[r] for r in cone], float)) for cone in cones[k]]
        assert rank == [k] * len(rank)
    for k in range(3, top + 1):
        below = fan.facets(k - 1) if k > 3 else [list(cone) for cone in cones[2]]
        for facets in fan.facets(k):
            assert len(set(facets)) == len(facets)
            ridges = [r for f in facets for r in below[f]]
            assert all(ridges.count(r) == 2 for r in ridges)
    for cone in cones[top]:
        signs = []
        for row in rows:
            found = {(z > 0) - (z < 0) for z in (sum(a * fan.rays[r][c] for c, a in enumerate(row)) for r in cone)} - {0}
            assert len(found) <= 1
            signs.append(found.pop() if found else 0)
        inside = [tuple(s * a for a in row) for s, row in zip(signs, rows, strict=True)]
        expected = generators([*fan.start.walls, *inside], [], top - 1)
        assert {tuple(fan.rays[r]) for r in cone} == set(expected.points) and not expected.lines


def test_a_square_cone_along_its_diagonal_has_no_crossing_edge() -> None:
    fan = Cutting(SQUARE_CONE, SEEN)
    assert fan.counts == [5, 8, 5, 1]
    row = (0, 1, -1, 0)
    found = fan.cut(row)
    assert found is not None
    cut, positive, negative = found
    assert positive == negative == [] and [len(c) for c in cut.crossing[2:]] == [0, 1, 1]
    assert fan.counts == [5, 9, 7, 2]                    # two simplices with a common triangle
    is_a_fan(fan, [row])
    other = (0, 1, 1, 0)
    assert fan.cut(other) is not None
    assert fan.counts == [6, 13, 12, 4]                  # a new ray where the two diagonals cross
    is_a_fan(fan, [row, other])


def test_an_octahedron_along_its_squares() -> None:
    """The first two cuts cross no edge; the third one meets the axis where they met."""
    fan = Cutting(OCTAHEDRON, SEEN)
    rows: list[Row] = []
    expected = [[6, 12, 8, 1], [6, 12, 9, 2], [6, 13, 12, 4], [7, 18, 20, 8]]
    assert fan.counts == expected[0]
    for k, counts in enumerate(expected[1:]):
        rows.append(tuple(int(i == k + 1) for i in range(4)))
        assert fan.cut(rows[-1]) is not None
        assert fan.counts == counts
        is_a_fan(fan, rows)


def test_a_row_that_only_touches_cuts_nothing() -> None:
    fan = Cutting(CUBE, SEEN)
    for row in [(1, 1, 0, 0), (3, 1, 1, 1), (2, 1, 1, 0), (-1, 0, 0, -1), (1, 0, 0, 0), (0, 0, 0, 0)]:
        assert fan.cut(row) is None
    assert fan.counts == [8, 12, 6, 1]


def test_a_fan_of_one_ray_is_never_cut() -> None:
    point = FacePools(start_fan([(0, 1)], Domain.box(1, [(2, 2)])), [np.zeros((0, 1), np.int64), np.zeros((1, 1), np.int64)])
    assert point.cut(np.array([1], np.uint8)) is None


def test_flags_are_the_signs_of_the_generators() -> None:
    fan = Cutting(CUBE, SEEN)
    for row in [(0, 1, 1, 0), (0, 1, 2, 4)]:
        flags = fan.flags(row)
        cut = fan.pools.cut(flags)
        assert cut is not None
        for k, cones in enumerate(fan.cones()):
            if k:
                expected = [int(np.bitwise_or.reduce([flags[r] for r in cone])) for cone in cones]
                assert cut.flags[k].tolist() == expected
                if k > 1:
                    assert cut.crossing[k].tolist() == [c for c, f in enumerate(expected) if f == 3]
        fan.cut(row)


@pytest.mark.parametrize("domain", [CUBE, SQUARE_CONE, OCTAHEDRON, Domain.space(3), Domain.space(2), Domain.box(2, [(-1, 1)]),
                                    Domain(2, ((0, 1, 0),)), Domain.space(1)], ids=str)
def test_random_degenerate_cuts(domain: Domain) -> None:
    """Small central and affine rows meet many rays exactly; pools are compacted on the way."""
    rng = random.Random(str(domain))
    d = domain.dimension
    layer = [row[:d + 1] for row in SEEN[:d]]
    fan = Cutting(domain, layer)
    # for a domain with lines the start fan is cut by the basis of the layer already
    rows = [fan.start.definition_rows[i] for i, j in enumerate(fan.start.definition_neurons) if j >= 0]
    for _ in range(5):
        row = tuple(rng.randint(-1, 1) for _ in range(d + 1))
        fan.cut(row)
        rows.append(row)
        is_a_fan(fan, rows)


def test_values_are_joined_over_faces() -> None:
    fan = Cutting(CUBE, SEEN)
    values = np.array([1 << r for r in range(8)], np.uint64)
    joined = fan.pools.up(values)
    for k, cones in enumerate(fan.cones()):
        if k:
            assert joined[k].tolist() == [sum(1 << r for r in cone) for cone in cones]
    assert fan.pools.up_to_top(values).tolist() == [255]


def test_labels_of_new_cones() -> None:
    """C- has the label of C, and so has C0: the relative interior lies in the same face of the domain."""
    fan = Cutting(CUBE, SEEN)
    fan.cut((0, 1, 0, 0))
    label = [fan.pools.labels[k].view[:, 0].tolist() for k in range(1, 5)]
    assert label[3] == [0, 0]
    walls = [set(), *fan.cones()[1:]]
    for k in range(1, 5):
        for cone, name in zip(walls[k], label[k - 1], strict=True):
            tight = sum(all(sum(a * x for a, x in zip(wall, fan.rays[r], strict=True)) == 0 for r in cone) for wall in fan.start.walls)
            assert (name == 0) == (tight == 0)
            assert name == 0 or fan.start.face_dimensions[name] == 4 - tight
