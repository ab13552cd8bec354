"""Start fans: counts by hand, and every cone satisfies what its definitions and its label say."""

from __future__ import annotations

import pytest
import sympy

from exactrelu.complexes.subdivision import start_fan as module
from exactrelu.complexes.subdivision.start_fan import StartFan, start_fan
from exactrelu.errors import BudgetExceeded, DomainError
from exactrelu.polyhedra.domain import Domain

PLANE = [(1, 1, 0), (0, 0, 1), (3, 1, 1)]
SPACE = [(0, 1, 0, 0), (1, 0, 1, 0), (0, 0, 1, 1), (5, 1, 1, 1)]
PYRAMID = Domain(3, ((1, 1, 0, -1), (1, -1, 0, -1), (1, 0, 1, -1), (1, 0, -1, -1), (0, 0, 0, 1)))

CASES = [
    # name, first layer, domain, cones by dimension, lineality
    ("line", [(2, 3)], Domain.space(1), [3, 2], 0),
    ("plane", PLANE, Domain.space(2), [5, 8, 4], 0),
    ("plane seen by one neuron", [(1, 1, 2)], Domain.space(2), [3, 2], 1),
    ("plane seen by none", [(1, 0, 0)], Domain.space(2), [1], 2),
    ("no neurons", [], Domain.space(2), [1], 2),
    ("square", PLANE, Domain.box(2, [(-1, 1)]), [4, 4, 1], 0),
    ("half-plane", PLANE, Domain(2, ((0, 1, 0),)), [4, 5, 2], 0),
    ("half-plane seen along it", [(1, 1, 0)], Domain(2, ((0, 1, 0),)), [2, 1], 1),
    ("strip", PLANE, Domain(2, ((1, 1, 1), (2, -1, -1))), [4, 5, 2], 0),
    ("quadrant", PLANE, Domain(2, ((0, 1, 0), (0, 0, 1))), [3, 3, 1], 0),
    ("redundant", PLANE, Domain(2, ((1, 1, 0), (2, 2, 0), (5, 1, 0), (3, 0, 0))), [4, 5, 2], 0),
    ("segment", PLANE, Domain(2, ((0, 1, -1), (0, -1, 1), (1, 1, 0), (2, 0, -1))), [2, 1], 0),
    ("tilted line", PLANE, Domain(2, ((1, 2, 4), (-1, -2, -4))), [3, 2], 0),
    ("point", PLANE, Domain(2, ((-1, 2, 0), (1, -2, 0), (-1, 0, 3), (1, 0, -3))), [1], 0),
    ("hidden point", PLANE, Domain(2, ((0, 1, 0), (0, 0, 1), (0, -1, -2), (4, 1, 1))), [1], 0),
    ("pyramid", SPACE, PYRAMID, [5, 8, 5, 1], 0),
    ("square cone", SPACE, Domain(3, ((0, 1, 0, 1), (0, -1, 0, 1), (0, 0, 1, 1), (0, 0, -1, 1))), [5, 8, 5, 1], 0),
    ("octahedron", SPACE, Domain(3, tuple((1, a, b, c) for a in (1, -1) for b in (1, -1) for c in (1, -1))), [6, 12, 8, 1], 0),
    ("half-space", SPACE, Domain(3, ((0, 1, 1, -1),)), [6, 13, 12, 4], 0),
]


def dot(a: tuple[int, ...], b: tuple[int, ...]) -> int:
    return sum(x * y for x, y in zip(a, b, strict=True))


def cone_rays(fan: StartFan) -> list[list[frozenset[int]]]:
    """Ray sets of all cones, read off the facet lists."""
    out = [[], [frozenset([r]) for r in range(len(fan.rays))]]
    for k in range(2, fan.dimension + 1):
        starts, index = fan.facets[k]
        rows = [index[a:b].tolist() for a, b in zip(starts, starts[1:], strict=False)]
        out.append([frozenset().union(*(out[k - 1][f] for f in row)) for row in rows])
    return out


@pytest.mark.parametrize("name, layer, domain, counts, lineality", CASES, ids=[case[0] for case in CASES])
def test_every_cone_is_what_it_says(name: str, layer: list, domain: Domain, counts: list[int], lineality: int) -> None:
    fan = start_fan(layer, domain)
    assert [len(labels) for labels in fan.labels[1:]] == counts
    assert fan.dimension == len(counts) and len(fan.lineality) == lineality
    ambient = [tuple(dot(row, ray) for row in fan.embedding) for ray in fan.rays]
    for ray, x in zip(fan.rays, ambient, strict=True):
        assert sympy.igcd(0, *ray) == 1 and x[0] >= 0 and (x[0] > 0) == (ray[0] > 0)
        assert all(dot(row, x) >= 0 for row in domain.integer_rows)
        assert all(dot(wall, ray) >= 0 for wall in fan.walls)
    for direction in fan.lineality:
        assert not any(dot(row[1:], direction) for row in (*domain.integer_rows, *layer))
    for number, j in enumerate(fan.definition_neurons):
        if j >= 0:
            row = layer[j]
            assert tuple(sum(row[i] * fan.embedding[i][c] for i in range(len(row))) for c in range(fan.dimension)) \
                == fan.definition_rows[number]
    cones = cone_rays(fan)
    label_of: dict[frozenset[int], int] = {}
    for k in range(1, fan.dimension + 1):
        assert len(set(cones[k])) == len(cones[k])
        for rays, definition, label in zip(cones[k], fan.definitions[k].tolist(), fan.labels[k].tolist(), strict=True):
            points = [fan.rays[r] for r in rays]
            assert sympy.Matrix(points).rank() == k
            rows = [fan.definition_rows[i] for i in definition]
            assert len(rows) == fan.dimension - k
            assert not rows or sympy.Matrix(rows).rank() == len(rows)
            assert all(dot(row, p) == 0 for row in rows for p in points)
            tight = frozenset(i for i, wall in enumerate(fan.walls) if all(dot(wall, p) == 0 for p in points))
            if all(p[0] == 0 for p in points):
                assert label == 1
            elif not tight:
                assert label == 0
            else:
                assert label >= 2 and label_of.setdefault(tight, label) == label
    assert len(set(label_of.values())) == len(label_of)
    assert all(fan.face_dimensions[label] for label in label_of.values()) and fan.face_dimensions[0] == fan.dimension


@pytest.mark.parametrize("name, layer, domain, counts, lineality", CASES, ids=[case[0] for case in CASES])
def test_the_fan_is_a_complex(name: str, layer: list, domain: Domain, counts: list[int], lineality: int) -> None:
    """Every cone in an interior facet has two sides, a wall one; every ridge of a cone lies in two of its facets."""
    fan = start_fan(layer, domain)
    for k in range(2, fan.dimension + 1):
        starts, index = fan.facets[k]
        below = [set(index[a:b].tolist()) for a, b in zip(starts, starts[1:], strict=False)]
        if k == fan.dimension:
            sides = [sum(f in facets for facets in below) for f in range(len(fan.labels[k - 1]))]
            assert sides == [2 if label == 0 else 1 for label in fan.labels[k - 1].tolist()]
        if k > 2:
            starts, index = fan.facets[k - 1]
            under = [index[a:b].tolist() for a, b in zip(starts, starts[1:], strict=False)]
            for facets in below:
                ridges = [r for f in facets for r in under[f]]
                assert all(ridges.count(r) == 2 for r in ridges)


@pytest.mark.parametrize("rows, words", [
    (((-1, 1), (0, -1)), "empty"), (((-1, 0),), "like -1 >= 0"), (((1, 1), (-2, 0)), "like -1 >= 0"),
])
def test_empty_domains(rows: tuple, words: str) -> None:
    with pytest.raises(DomainError, match=words):
        start_fan([(0, 1)], Domain(1, rows))


def test_too_many_cones(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MAX_START_CONES", 5)
    with pytest.raises(BudgetExceeded, match="2 x 3\\^2 cones, more than 5"):
        start_fan(PLANE, Domain.space(2))
    with pytest.raises(BudgetExceeded, match="more than 5 faces"):
        start_fan(SPACE, PYRAMID)
