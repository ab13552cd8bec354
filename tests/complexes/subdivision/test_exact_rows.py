"""Rows by name against a plain evaluation; minors against determinants of sympy."""

from __future__ import annotations

import random
from math import gcd
from types import SimpleNamespace

import numpy as np
import pytest
import sympy

from exactrelu.complexes.subdivision.exact_rows import ExactRows, minor_tables, primitive_minors
from exactrelu.complexes.subdivision.start_fan import start_fan
from exactrelu.network.integral_form import integral_form
from exactrelu.network.network import Network
from exactrelu.polyhedra.domain import Domain


def cross(rows: list[list[int]], dim: int) -> list[int]:
    """Generalized cross product: x_m = (-1)^m det(rows without column m)."""
    return [(-1) ** m * int(sympy.Matrix(len(rows), dim - 1, [x for row in rows for c, x in enumerate(row) if c != m]).det())
            for m in range(dim)]


def empty(dim: int) -> ExactRows:
    return ExactRows([], SimpleNamespace(hidden=()), SimpleNamespace(dimension=dim, definition_rows=()))  # type: ignore[arg-type]


def random_rows(rng: random.Random, dim: int, bound: int) -> list[list[int]]:
    return [[rng.randint(-bound, bound) for _ in range(dim)] for _ in range(dim - 1)]


@pytest.mark.parametrize("dim", [1, 2, 3, 4, 5, 6])
@pytest.mark.parametrize("bound", [1, 10**25])
def test_minors_are_determinants(dim: int, bound: int) -> None:
    rng = random.Random(repr((dim, bound)))
    for _ in range(4):
        rows = random_rows(rng, dim, bound)
        found = empty(dim).minors(rows)
        assert found == cross(rows, dim)
        assert all(sum(a * x for a, x in zip(row, found, strict=True)) == 0 for row in rows)


def test_minors_of_dependent_rows_vanish() -> None:
    assert empty(4).minors([[1, 2, 3, 4], [2, 4, 6, 8], [0, 1, 0, 1]]) == [0, 0, 0, 0]


def test_the_tables_end_with_all_columns_but_one() -> None:
    for dim in range(1, 6):
        tables, order, signs = minor_tables(dim)
        assert len(tables) == max(dim, 2) and sorted(order.tolist()) == list(range(dim))
        assert signs.tolist() == [(-1) ** m for m in range(dim)]


@pytest.mark.parametrize("dim", [1, 2, 3, 4, 5])
def test_many_generators_at_once(dim: int) -> None:
    """Definitions that share their first rows, in both orientations, with a common factor to divide out."""
    rng = random.Random(dim)
    rows = [[rng.randint(-4, 4) * 6 for _ in range(dim)] for _ in range(dim + 3)]
    definitions, expected, orientation = [], [], []
    for _ in range(12):
        chosen = sorted(rng.sample(range(len(rows)), dim - 1))
        minors = cross([rows[i] for i in chosen], dim)
        if any(minors):
            sign = rng.choice((1, -1))
            content = gcd(*minors)
            definitions.append(chosen)
            orientation.append(sign)
            expected.append([sign * x // content for x in minors])
    assert expected
    found = primitive_minors(np.array(rows, dtype=object), np.array(definitions, np.int64).reshape(len(definitions), dim - 1),
                             np.array(orientation))
    assert found.tolist() == expected


# -- rows of neurons -----------------------------------------------------------------------------------------------------

def plain_row(layers: list, first: list[list[int]], layer: int, neuron: int, patterns: list[list[bool]]) -> list[int]:
    if layer == 0:
        return first[neuron]
    bias, *weights = layers[layer][neuron]
    total = [bias] + [0] * (len(first[0]) - 1)
    for j, w in enumerate(weights):
        if patterns[layer - 1][j]:
            total = [x + w * y for x, y in zip(total, plain_row(layers, first, layer - 1, j, patterns), strict=True)]
    return total


def test_rows_under_patterns_and_in_batches() -> None:
    rng = random.Random(4)
    widths = (2, 3, 3, 2, 1)
    network = Network([[[rng.randint(-5, 5) for _ in range(m)] for _ in range(n)] for m, n in zip(widths, widths[1:], strict=False)],
                      [[rng.randint(-5, 5) for _ in range(n)] for n in widths[1:]])
    form = integral_form(network)
    start = start_fan(form.hidden[0], Domain.box(2, [(-1, 1)]))
    first = [list(row) for row in form.hidden[0]]
    rows = ExactRows(first, form, start)
    one = [[True, False, True], [False, False, False], [True, True, True]]
    two = [([False, True, True], 0), ([True, True, True], 1), ([True, False, False], 2), ([False, False, False], 2)]
    rows.masks += [np.array(one), np.array([mask for mask, _ in two])]
    rows.before += [np.zeros(3, np.int64), np.array([p for _, p in two])]
    keys, expected = [], []
    for neuron in range(3):
        keys.append((0, neuron, 0))
        expected.append(first[neuron])
        for p, mask in enumerate(one):
            keys.append((1, neuron, p))
            expected.append(plain_row(form.hidden, first, 1, neuron, [mask]))
    for neuron in range(2):
        for p, (mask, below) in enumerate(two):
            keys.append((2, neuron, p))
            expected.append(plain_row(form.hidden, first, 2, neuron, [one[below], mask]))
    for number, row in enumerate(start.definition_rows):
        keys.append((-1, number, 0))
        expected.append(list(row))
    order = list(range(len(keys)))
    rng.shuffle(order)
    assert rows.batch(np.array([keys[i] for i in order])).tolist() == [expected[i] for i in order]
    assert [rows.row(*key) for key in keys] == expected
    assert [rows.row(*key) for key in keys] == expected                       # remembered, not changed
