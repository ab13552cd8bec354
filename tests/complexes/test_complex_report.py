"""The report counts what the complex and the breakpoint complex hold, and refuses to hide a contradiction."""

from __future__ import annotations

import pytest

from exactrelu.complexes import breakpoint_complex
from exactrelu.complexes.canonical_complex import CanonicalComplex
from exactrelu.complexes.complex_report import ComplexReport
from exactrelu.errors import InvariantError
from exactrelu.network.network import Network
from exactrelu.polyhedra.domain import Domain

CROSS = Network([[[1, 0], [0, 1]], [[1, 0]]], [[0, 0], [0]])


@pytest.mark.parametrize("domain, closed", [(None, 0), (Domain.box(2, [(-1, 1)]), 4)])
def test_fields(domain: Domain | None, closed: int) -> None:
    report = ComplexReport(CanonicalComplex.build(CROSS, domain))
    assert report.to_json() == {
        "verdict": "complete", "f_vector": [1, 4, 4], "lineality_dimension": 0, "full_cells": 4, "bounded_full_cells": closed,
        "breakpoint_facets": 2, "linear_regions": 2, "distinct_affine_maps": 2, "strata": {"1": 1}, "balanced": True}
    assert repr(report) == "<ComplexReport: complete>" and "<table>" in report._repr_html_()


def test_a_contradiction_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(breakpoint_complex, "formula_agrees", lambda complex_: False)
    with pytest.raises(InvariantError, match="not the jumps"):
        ComplexReport(CanonicalComplex.build(CROSS)).fields()
