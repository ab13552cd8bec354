"""Cells: representations against cddlib and an independent double description."""

from __future__ import annotations

import random

import pytest

from exactrelu.complexes.canonical_complex import CanonicalComplex
from exactrelu.errors import ShapeError
from exactrelu.network.forward import sign_vector
from exactrelu.network.network import Network
from exactrelu.polyhedra.domain import Domain


@pytest.mark.parametrize("seed", range(10))
def test_representations_agree_with_cddlib(seed: int) -> None:
    rng = random.Random(seed)
    widths = [(2, 4, 3, 1), (3, 3, 3, 1), (4, 3, 2, 1), (2, 2, 2, 2, 1), (3, 1, 2, 1)][seed % 5]
    d, bound = widths[0], 2 if seed % 2 else 9
    net = Network([[[rng.randint(-bound, bound) for _ in range(m)] for _ in range(n)] for m, n in zip(widths, widths[1:])],
                  [[rng.randint(-bound, bound) for _ in range(n)] for n in widths[1:]])
    for domain in (Domain.space(d), Domain.box(d, [(-2, 1)]), Domain(d, tuple((0, *(int(i == k) for i in range(d))) for k in range(d)))):
        built = CanonicalComplex.build(net, domain)
        for number in range(built.full_cells):
            cell = built.full_cell(number)
            cell.polyhedron.check()
            assert sign_vector(net, cell.point) == cell.signs
            assert cell.polyhedron.contains(cell.point)
            assert domain.contains_strictly(cell.point)


def test_lower_cells_have_equations_and_the_right_dimension() -> None:
    net = Network([[[1, 0, 0], [0, 1, 0], [1, 1, 1]], [[1, -1, 1]]], [[0, -1, 2], [0]])
    built = CanonicalComplex.build(net)
    for k in range(4):
        for number in built.interior(built.level(k)).tolist():
            cell = built.cell(k, number)
            assert cell.polyhedron.dimension == cell.dimension == k
            cell.polyhedron.check()


def test_lineality_is_handed_out() -> None:
    built = CanonicalComplex.build(Network([[[1, 1, 0]], [[1]]], [[0], [0]]))
    assert built.lineality_dimension == 2
    assert built.f_vector == (0, 0, 1, 2)
    cell = built.full_cell(0)
    assert all(x + y == 0 for x, y, _ in cell.lineality)
    cell.polyhedron.check()


def test_a_cone_at_infinity_is_no_cell() -> None:
    built = CanonicalComplex.build(Network([[[1]], [[1]]], [[0], [0]]))
    with pytest.raises(ShapeError, match="infinity"):
        [built.cell(0, number) for number in range(built.fan.counts[1])]
    with pytest.raises(ShapeError):
        built.cell(5, 0)
