"""Positions of unknown hyperplanes, families, and the two tests, against random rows and brute force."""

from __future__ import annotations

import random
from itertools import combinations

import numpy as np
import pytest

from exactrelu.arithmetic.matrix import rank
from exactrelu.arithmetic.rational import signless_row
from exactrelu.complexes.integer_arrays import exact_product, signs
from exactrelu.dependency.shallowness import nonshallow_ridges
from exactrelu.limits import Meter
from exactrelu.network.network import Network
from exactrelu.polyhedra.domain import Domain
from exactrelu.recovery import covering as module
from exactrelu.recovery.complete_fiber import CompleteFiber, Unsettled
from exactrelu.recovery.covering import CoveringSearch, Family, covering
from exactrelu.recovery.facet_samples import facet_samples
from exactrelu.recovery.family_tests import FamilyTests
from exactrelu.recovery.first_layer import all_samples
from exactrelu.recovery.pencils import (
    Flat,
    candidates,
    cocircuit_rows,
    flats_of,
    free_positions,
    incidence,
    pencil_positions,
)
from exactrelu.recovery.two_layer_fiber import two_layer_fiber
from tests.recovery.fiber_search import box, run, seen
from tests.slabs import integer_network

Row = tuple[int, ...]


def above(table: np.ndarray, column: np.ndarray) -> bool:
    """Whether some position in the table is below the signs, up to a common sign."""
    return bool((((table == 0) | (table == column)).all(axis=1) | ((table == 0) | (table == -column)).all(axis=1)).any())


def random_points(rng: random.Random, size: int, count: int) -> np.ndarray:
    found = {(rng.randint(1, 2), *(rng.randint(-3, 3) for _ in range(size - 1))) for _ in range(count)}
    return np.array(sorted(found), dtype=object)


@pytest.mark.parametrize("dimension", [2, 3])
def test_every_row_is_above_a_listed_position(dimension: int) -> None:
    for seed in range(12):
        rng = random.Random(seed)
        points = random_points(rng, dimension + 1, 5 + dimension)
        if rank(points.tolist(), dimension + 1) <= dimension:
            assert free_positions(points, set()) is None
            continue
        rows = cocircuit_rows(points).tolist()
        known = {tuple(row) for row in rng.sample(rows, len(rows) // 2)}
        table = free_positions(points, known)
        assert table is not None
        for _ in range(150):
            row = tuple(rng.randint(-4, 4) for _ in range(dimension + 1)) if rng.random() < 0.7 else tuple(rng.choice(rows))
            if rng.random() < 0.3:
                row = tuple(60 * x + rng.choice((-1, 0, 1)) for x in row)          # near a hyperplane through samples
            if any(row) and signless_row(row) not in known:
                assert above(table, signs(np.array([row], dtype=object), points)[0]), (seed, row)


@pytest.mark.parametrize("dimension", [2, 3])
def test_every_row_of_a_pencil_is_above_a_listed_position(dimension: int) -> None:
    for seed in range(30):
        rng = random.Random(seed)
        points = random_points(rng, dimension + 1, 6)
        rows = [[rng.randint(-3, 3) for _ in range(dimension)] + [rng.randint(1, 3)] for _ in range(2)]
        equations = tuple(map(signless_row, rows))
        if rank([list(row) for row in equations], dimension + 1) < 2:
            continue
        flat = Flat(0, (equations[0], equations[1]), ())
        def member(u: int, v: int, flat: Flat = flat) -> Row:
            return tuple(u * a + v * b for a, b in zip(*flat.equations))
        critical = {signless_row(member(sum(b * p for b, p in zip(equations[1], x)), -sum(a * p for a, p in zip(equations[0], x))))
                    for x in points.tolist() if any(sum(a * p for a, p in zip(row, x)) for row in equations)}
        for known in (set(), set(sorted(critical)[::2]), critical):
            table = pencil_positions(flat, points, known)
            for u in range(-9, 10):
                for v in range(-9, 10):
                    if (u or v) and signless_row(member(u, v)) not in known:
                        assert above(table, signs(np.array([member(u, v)], dtype=object), points)[0])
            for row in critical - known:
                assert above(table, signs(np.array([row], dtype=object), points)[0])


def test_candidates_are_the_hyperplanes_through_two_flats() -> None:
    for seed in range(40):
        theta = integer_network((3, 2, 2, 1) if seed % 2 else (2, 3, 2, 1), ("candidates", seed), 4)
        f = seen(theta, box(theta.architecture.inputs))
        flats = flats_of(f, [case.ridge for case in nonshallow_ridges(f)])
        rows = candidates(flats, f.hyperplanes)
        contains = incidence(rows, flats)
        assert len(set(rows)) == len(rows) and (contains.sum(axis=1) >= 1).all()
        for i, j in combinations(range(len(flats)), 2):
            together = rank([list(v) for k in (i, j) for v in flats[k].span], f.dimension + 1)
            assert (contains[:, i] & contains[:, j]).sum() == (together == f.dimension)
        assert {row for row, inside in zip(rows, contains) if inside.sum() == 1} <= set(f.hyperplanes)


def test_samples_see_the_sides_of_closed_facets() -> None:
    for seed in range(40):
        theta = integer_network((2, 3, 2, 1), ("samples", seed), 5)
        f = seen(theta, (box, Domain.space)[seed % 2](2))
        if not len(f.facet_rows):
            continue
        rows = np.array(f.hyperplanes, dtype=object)
        found = facet_samples(f, np.arange(len(f.facet_rows)), rows)
        assert len({tuple(p) for p in found.points.tolist()}) == len(found)
        table = signs(rows, found.points)
        for facet in range(len(f.facet_rows)):
            shown = table[:, found.facet == facet]
            closed = signs(rows, np.array(f.facet_generators(facet), dtype=object))
            for s in (1, -1):
                assert ((shown == s).any(axis=1) == (closed == s).any(axis=1)).all()
            assert (shown[f.hyperplane[facet]] == 0).all()


def _random_family(rng: random.Random, search: CoveringSearch, family: Family, dimension: int) -> list[Row] | None:
    """Rows of a concrete family of this kind: unknown members that are no candidates."""
    rows = [search.rows[k] for k in family.chosen]
    for i in family.wild:
        alpha, beta = search.flats[i].equations
        u, v = rng.randint(-40, 40), rng.randint(-40, 40)
        row = tuple(u * a + v * b for a, b in zip(alpha, beta))
        if not (u or v) or signless_row(row) in search.known:
            return None
        rows.append(row)
    for _ in range(family.free):
        row = tuple(rng.randint(-30, 30) if k == 0 else rng.randint(-6, 6) for k in range(dimension + 1))
        if rng.random() < 0.1:
            row = (1, *(0 for _ in range(dimension)))
        if rng.random() < 0.1 and family.chosen:
            row = search.rows[family.chosen[0]]
        elif not any(row) or signless_row(row) in search.known:
            return None
        rows.append(row)
    return rows


@pytest.mark.parametrize("widths", [(2, 2, 2, 1), (2, 3, 2, 1), (2, 3, 3, 1), (3, 2, 2, 1)])
def test_families_called_impossible_are_impossible(widths: tuple[int, ...]) -> None:
    """Concrete rows in a refuted family fail the count or the rank test on all samples."""
    tried = 0
    for seed in range(24):
        theta = integer_network(widths, ("refuted", seed), 4)
        f = seen(theta, box(widths[0]))
        flats = flats_of(f, [case.ridge for case in nonshallow_ridges(f)])
        if not flats or len(flats) > 12:
            continue
        rows = candidates(flats, f.hyperplanes)
        data = all_samples(f, rows)
        search = CoveringSearch(flats, rows, data, widths[1], widths[2], f.dimension, Meter())
        test = FamilyTests(data, widths[1], widths[2], f.dimension)
        rng = random.Random(seed)
        for family in search.families()[:40]:
            if not (family.wild or family.free):
                continue
            try:
                if search.survives(family):
                    continue
            except Unsettled:
                continue
            for _ in range(4):
                concrete = _random_family(rng, search, family, f.dimension)
                if concrete is not None:
                    tried += 1
                    table = signs(np.array(concrete, dtype=object), data.samples.points)
                    assert test.by_count(table[None])[0] or not list(test.orientations(table, concrete[:len(family.chosen)]))
    assert tried > 60


def test_the_true_first_layer_is_never_refuted() -> None:
    """Its rows pass both tests, with the true orientation, whatever theta is."""
    for seed in range(300):
        widths = ((2, 2, 2, 1), (2, 3, 2, 1), (3, 2, 3, 1), (2, 3, 3, 2))[seed % 4]
        theta = integer_network(widths, ("true", seed), 1 + seed % 5)
        f = seen(theta, (box, Domain.space)[seed % 2](widths[0]))
        if not len(f.facet_rows):
            continue
        data = all_samples(f, ())
        rows = [tuple(int(x) for x in (b, *row)) for row, b in zip(theta.weights[0], theta.biases[0])]
        table = signs(np.array(rows, dtype=object), data.samples.points)
        table[[not any(row[1:]) for row in rows]] = 1                                # an absent hyperplane has one side
        test = FamilyTests(data, widths[1], widths[2], f.dimension)
        assert not test.by_count(table[None])[0]
        assert list(test.orientations(table, ()))
        if all(any(row[1:]) for row in rows):
            assert (1 << widths[1]) - 1 in test.orientations(table, rows)
        flats = flats_of(f, [case.ridge for case in nonshallow_ridges(f)])
        if flats:
            real = [row for row in rows if any(row[1:])]
            assert incidence(real, flats).any(axis=0).all()


def test_count_against_a_direct_count() -> None:
    for seed in range(40):
        rng = random.Random(seed)
        f = seen(integer_network((2, 3, 3, 1), ("count", seed), 4), box(2))
        if not len(f.facet_rows):
            continue
        data = all_samples(f, ())
        rows = [[rng.randint(-9, 9), rng.randint(-3, 3), rng.randint(1, 3)] for _ in range(2)]
        table = signs(np.array(rows, dtype=object), data.samples.points)
        cells: dict[tuple[int, ...], set[int]] = {}
        for column, hyperplane in zip(table.T.tolist(), data.samples.hyperplane.tolist()):
            if all(column):
                cells.setdefault(tuple(column), set()).add(hyperplane)
        most = max(map(len, cells.values()), default=0)
        for capacity in range(6):
            assert FamilyTests(data, 2, capacity, 2).by_count(table[None])[0] == (most > capacity)


def test_limits(monkeypatch: pytest.MonkeyPatch) -> None:
    theta = Network([[[1, 0], [-1, 0], [0, -1]], [[1, 1, -1], [1, 1, 1]], [[1, 3]]], [[-1, -1, 0], [1, -1], [0]])
    assert isinstance(run(two_layer_fiber, theta, box(2)), CompleteFiber)
    f = seen(theta, box(2))
    flats = flats_of(f, [case.ridge for case in nonshallow_ridges(f)])
    rows = candidates(flats, f.hyperplanes)
    data = all_samples(f, rows)
    for limit in ("MAX_FAMILIES", "MAX_COMBINATIONS", "MAX_SUBSETS", "MAX_MEMBERS"):
        with monkeypatch.context() as patch:
            patch.setattr(module, limit, 2)
            with pytest.raises(Unsettled, match=r"more than") as stop:
                covering(f, flats, rows, data, 3, 2, Meter())
            assert stop.value.verdict.detail["code"] == "COMBO"


def test_exact_products() -> None:
    big = np.array([[1 << 70, 1]], dtype=object)
    assert exact_product(big, big.T).tolist() == [[(1 << 140) + 1]]
    assert signs(big, -big).tolist() == [[-1]]
