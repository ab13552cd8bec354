"""Coarse strata of breakpoint complexes known by hand."""

from __future__ import annotations

import pytest

from exactrelu.complexes.breakpoint_complex import BreakpointComplex
from exactrelu.complexes.canonical_complex import CanonicalComplex
from exactrelu.complexes.coarse_strata import CoarseStrata
from exactrelu.network.network import Network
from exactrelu.polyhedra.domain import Domain

CROSS = Network([[[1, 0], [0, 1]], [[1, 1]]], [[0, 0], [0]])
SIX = [[1, 0, 0], [-1, 0, 0], [0, 1, 0], [0, -1, 0], [0, 0, 1], [0, 0, -1]]


@pytest.mark.parametrize("network, domain, expected", [
    (CROSS, None, {1: 4, 0: 1}),
    (CROSS.replaced(2, weights=[[1, 0]]), None, {1: 1}),                               # the crossing is invisible
    (CROSS.replaced(2, weights=[[0, 0]]), None, {}),
    (CROSS, Domain(2, ((-1, 1, 0),)), {1: 1}),
    (CROSS, Domain.box(2, [(-1, 1)]), {1: 4, 0: 1}),
    (Network([[[1, 0, 0], [0, 1, 0]], [[1, 1]]], [[0, 0], [0]]), None, {2: 4, 1: 1}),  # times a line
    (Network([[[1, 0, 0], [0, 1, 0], [0, 0, 1]], [[1, 1, 1]]], [[0] * 3, [0]]), None, {2: 12, 1: 6, 0: 1}),
    (Network([[[1], [1]], [[1, 1]]], [[0, -1], [0]]), None, {0: 2}),
    (Network([[[1, 0], [1, 0]], [[1, -1]]], [[0, -1], [0]]), None, {1: 2}),            # parallel lines
    (Network([[[1, 0], [0, 1], [1, 1]], [[1, 1, 1]]], [[0] * 3, [0]]), None, {1: 6, 0: 1}),
    (Network([SIX, [[-1] * 6], [[1]]], [[0] * 6, [1], [0]]), None, {2: 20, 1: 18, 0: 7}),
    (Network([[[1, 2]]], [[0]]), None, {}),
], ids=str)
def test_strata(network: Network, domain: Domain | None, expected: dict[int, int]) -> None:
    found = CoarseStrata(BreakpointComplex(CanonicalComplex.build(network, domain)))
    assert found.counts == expected
    members = {k: [c for stratum in strata for c in stratum.tolist()] for k, strata in found.strata.items()}
    for k, cones in members.items():
        level = found.breakpoints.complex.level(k)
        top = found.breakpoints.complex.fan.dimension
        assert len(set(cones)) == len(cones) and all(found.ranks[level][c] == top - level for c in cones)
