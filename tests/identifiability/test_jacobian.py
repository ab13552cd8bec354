"""The Jacobian of a cell: exact entries by differences (f is affine in each entry), residues by reduction."""

from __future__ import annotations

import random
from fractions import Fraction

import numpy as np
import pytest

from exactrelu.arithmetic.residues import primes
from exactrelu.complexes.canonical_complex import CanonicalComplex
from exactrelu.identifiability.jacobian import JacobianResidues, exact_jacobian, strict_cells
from exactrelu.network.network import Network

WIDTHS = [(1, 2, 1), (2, 3, 2), (2, 2, 2, 1), (1, 1)]


def network(widths: tuple[int, ...]) -> Network:
    rng = random.Random(str(widths))
    return Network([[[rng.randint(-3, 3) for _ in range(m)] for _ in range(n)] for m, n in zip(widths, widths[1:], strict=False)],
                   [[rng.randint(-3, 3) for _ in range(n)] for n in widths[1:]])


def affine_map(weights: list, biases: list, masks: list[list[bool]]) -> list[list[Fraction]]:
    """Rows (constant, slopes) of the outputs with these activities, whatever the signs are."""
    d = len(weights[0][0])
    a = [[Fraction(int(c == k + 1)) for c in range(d + 1)] for k in range(d)]
    for layer, (rows, bias) in enumerate(zip(weights, biases, strict=True)):
        a = [[sum((w * a[k][c] for k, w in enumerate(row)), Fraction(0)) + (b if c == 0 else 0) for c in range(d + 1)]
             for row, b in zip(rows, bias, strict=True)]
        if layer < len(masks):
            a = [row if on else [Fraction(0)] * (d + 1) for row, on in zip(a, masks[layer], strict=True)]
    return a


@pytest.mark.parametrize("widths", WIDTHS)
def test_entries_are_derivatives(widths: tuple[int, ...]) -> None:
    net = network(widths)
    complex_ = CanonicalComplex.build(net)
    weights, biases = [[list(r) for r in rows] for rows in net.weights], [list(b) for b in net.biases]
    prime = primes(1)[0]
    cells = strict_cells(complex_)
    assert len(cells)
    residues = JacobianResidues(complex_, prime).rows(cells).reshape(len(cells), -1, net.parameters)
    for at, cell in enumerate(cells.tolist()):
        signs, masks, first = complex_.full_cell(cell).signs, [], 0
        for n in widths[1:-1]:
            masks.append([s > 0 for s in signs[first:first + n]])
            first += n
        before = affine_map(weights, biases, masks)
        columns = []
        for layer in range(len(weights)):
            for i, row in enumerate(weights[layer]):
                for place, column in [(row, j) for j in range(len(row))] + [(biases[layer], i)]:
                    place[column] += 1
                    after = affine_map(weights, biases, masks)
                    place[column] -= 1
                    columns.append([x - y for r, s in zip(after, before, strict=True) for x, y in zip(r, s, strict=True)])
        exact = exact_jacobian(complex_, cell)
        assert exact == [list(row) for row in zip(*columns, strict=True)]
        assert ((np.array(exact, dtype=object) - residues[at].astype(np.int64).astype(object)) % prime == 0).all()


def test_strict_cells_have_no_vanishing_neuron() -> None:
    complex_ = CanonicalComplex.build(Network([[[1], [-1]], [[1, 0]], [[1]]], [[0, 3], [0], [0]]))
    expected = [c for c in range(complex_.full_cells) if 0 not in complex_.full_cell(c).signs]
    assert strict_cells(complex_).tolist() == expected and 0 < len(expected) < complex_.full_cells
