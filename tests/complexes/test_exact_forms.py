"""Rows and path weights of neurons on cells against plain products of matrices."""

from __future__ import annotations

import random

import numpy as np
import pytest

from exactrelu.complexes.canonical_complex import CanonicalComplex
from exactrelu.complexes.exact_forms import ExactForms
from exactrelu.network.network import Network

WIDTHS = [(1, 3, 1), (2, 3, 2, 2), (2, 2, 3, 2, 1)]


def network(widths: tuple[int, ...]) -> Network:
    rng = random.Random(str(widths))
    return Network([[[rng.randint(-3, 3) for _ in range(m)] for _ in range(n)] for m, n in zip(widths, widths[1:], strict=False)],
                   [[rng.randint(-3, 3) for _ in range(n)] for n in widths[1:]])


def split(signs: tuple[int, ...], widths: tuple[int, ...]) -> list[list[bool]]:
    out, at = [], 0
    for n in widths[1:-1]:
        out.append([s > 0 for s in signs[at:at + n]])
        at += n
    return out


@pytest.mark.parametrize("widths", WIDTHS)
def test_rows_and_paths(widths: tuple[int, ...]) -> None:
    complex_ = CanonicalComplex.build(network(widths))
    forms, layers = ExactForms(complex_.form, complex_.activity), complex_.form.rows
    assert complex_.full_cells > 2
    for level in range(len(widths) - 2):
        pairs = [(j, c) for c in range(complex_.full_cells) for j in range(widths[level + 1])]
        neuron, cell = np.array([j for j, _ in pairs]), np.array([c for _, c in pairs])
        rows, paths = forms.rows(level, neuron, cell), forms.paths(level, neuron, cell)
        for (j, c), row, path in zip(pairs, rows.tolist(), paths.tolist(), strict=True):
            active = split(complex_.full_cell(c).signs, widths)
            z = [list(r) for r in layers[0]]
            for below in range(level):
                a = [r if on else [0] * len(r) for r, on in zip(z, active[below], strict=True)]
                z = [[sum(w * a[k][i] for k, w in enumerate(r[1:])) + (r[0] if i == 0 else 0) for i in range(widths[0] + 1)]
                     for r in layers[below + 1]]
            assert row == z[j]
            carried = [int(k == j) for k in range(widths[level + 1])]
            for above in range(level + 1, len(widths) - 1):
                carried = [sum(w * x for w, x in zip(r[1:], carried, strict=True)) for r in layers[above]]
                if above < len(widths) - 2:
                    carried = [x if on else 0 for x, on in zip(carried, active[above], strict=True)]
            assert path == carried
