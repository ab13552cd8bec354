"""Split trees: as many leaves as full cells, accepted by the checker, on every kind of domain."""

from __future__ import annotations

import random

import pytest

from exactrelu.complexes.canonical_complex import CanonicalComplex
from exactrelu.complexes.split_tree import split_tree
from exactrelu.errors import BudgetExceeded, DomainError
from exactrelu.genericity.complex_certificate import full_cells_certificate
from exactrelu.limits import Limits
from exactrelu.network.network import Network
from exactrelu.polyhedra.domain import Domain


@pytest.mark.parametrize("seed", range(12))
def test_leaves_are_the_full_cells(seed: int) -> None:
    rng = random.Random(seed)
    widths = [(1, 3, 2, 1), (2, 3, 3, 1), (2, 4, 3, 2, 1), (3, 3, 3, 1)][seed % 4]
    d, bound = widths[0], [1, 2, 9][seed % 3]
    net = Network([[[rng.randint(-bound, bound) for _ in range(m)] for _ in range(n)] for m, n in zip(widths, widths[1:])],
                  [[rng.randint(-bound, bound) for _ in range(n)] for n in widths[1:]])
    for domain in (Domain.space(d), Domain.box(d, [(-1, 1)]), Domain(d, ((0, *[1] * d), (0, *[2] * d)))):
        built = CanonicalComplex.build(net, domain)
        assert split_tree([net], domain).leaves == built.full_cells
        full_cells_certificate(built).verify()


def test_limits_and_flat_domains() -> None:
    net = Network([[[1, 0], [0, 1]], [[1, 1]]], [[0, 0], [0]])
    with pytest.raises(BudgetExceeded):
        split_tree([net], Domain.space(2), Limits(max_cells=2))
    with pytest.raises(DomainError):
        split_tree([net], Domain(2, ((0, 1, 0), (0, -1, 0))))
    with pytest.raises(DomainError):
        split_tree([net], Domain(2, ((-1, 1, 0), (0, -1, 0))))
    with pytest.raises(DomainError):
        split_tree([net], Domain(2, ((0, 0, 0), (-1, 0, 0))))
