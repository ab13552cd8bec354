"""Convexity and face-to-face property of the strata, on the reference cases."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from exactrelu.complexes.breakpoint_complex import BreakpointComplex
from exactrelu.complexes.canonical_complex import CanonicalComplex
from exactrelu.complexes.coarse_strata import CoarseStrata
from exactrelu.complexes.polyhedral_strata import PolyhedralStrata
from exactrelu.errors import DomainError
from exactrelu.network.network import Network
from exactrelu.polyhedra.domain import Domain

CASES = json.loads((Path(__file__).resolve().parents[1] / "data" / "geometry_cases.json").read_text())["cases"]


def strata_of(weights: Any, biases: Any, domain: Any = None) -> PolyhedralStrata:
    network = Network(weights, biases)
    built = CanonicalComplex.build(network, Domain(network.architecture.inputs, domain or ()))
    return PolyhedralStrata(CoarseStrata(BreakpointComplex(built)))


@pytest.mark.parametrize("case", [c for c in CASES if "is_polyhedral_complex" in c["expected"]], ids=lambda c: c["name"])
def test_reference_cases(case: dict[str, Any]) -> None:
    found = strata_of(case["weights"], case["biases"], case["domain_H"])
    assert found.is_polyhedral_complex == case["expected"]["is_polyhedral_complex"]
    if "strata_all_convex" in case["expected"]:
        assert found.all_convex == case["expected"]["strata_all_convex"]


def test_an_arrangement_is_a_polyhedral_complex() -> None:
    assert strata_of([[[1, 0], [0, 1], [1, 1]], [[1, 2, 3]]], [[0, 0, -1], [0]]).first_failure is None


def test_three_rays_are_a_polyhedral_complex() -> None:
    # relu(relu(x) - 2 relu(y)) bends along three rays from the origin
    found = strata_of([[[1, 0], [0, 1]], [[1, -2]], [[1]]], [[0, 0], [0], [0]])
    assert found.strata.counts == {1: 3, 0: 1}
    assert found.is_polyhedral_complex


def test_a_sheet_that_ends_inside_another_one_is_seen() -> None:
    # relu(x1 - |x2| - |x3|) + |x1 - x2|: an edge of the first summand lies inside the plane x1 = x2
    weights = [[[0, 1, 0], [0, -1, 0], [0, 0, 1], [0, 0, -1], [1, 0, 0], [-1, 0, 0], [1, -1, 0], [-1, 1, 0]],
               [[-1, -1, -1, -1, 1, -1, 0, 0], [0, 0, 0, 0, 0, 0, 1, 0], [0, 0, 0, 0, 0, 0, 0, 1]], [[1, 1, 1]]]
    found = strata_of(weights, [[0] * 8, [0] * 3, [0]])
    assert found.first_failure is not None
    assert not found.is_polyhedral_complex


def test_flat_domains_have_the_strata_of_the_restricted_function() -> None:
    # relu(x2 + x3) - relu(x2) + relu(x1 + 10) on {x3 = 0} is relu(x1 + 10): one line
    found = strata_of([[[0, 1, 1], [0, 1, 0], [1, 0, 0]], [[1, -1, 1]], [[1]]], [[0, 0, 10], [-10], [0]], [(0, 0, 0, 1), (0, 0, 0, -1)])
    flat = strata_of([[[0, 1], [0, 1], [1, 0]], [[1, -1, 1]], [[1]]], [[0, 0, 10], [-10], [0]])
    assert found.strata.counts == flat.strata.counts == {1: 1}
    with pytest.raises(DomainError):
        _ = found.strata.breakpoints.weights
