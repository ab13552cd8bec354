"""The HTML page escapes everything."""

from __future__ import annotations

import pytest

from exactrelu.complexes.canonical_complex import CanonicalComplex
from exactrelu.errors import ShapeError
from exactrelu.network.network import Network
from exactrelu.polyhedra.domain import Domain
from exactrelu.report.figure import complex_figure
from exactrelu.report.page import Section, html_page


def test_names_are_escaped() -> None:
    page = html_page("<t>", "a & b", [Section("<script>alert(1)</script>", "holds", ("<b>",), (("<i>", "</table>"),))])
    assert "<script>" not in page
    assert "&lt;script&gt;" in page
    assert "a &amp; b" in page


def test_a_figure_has_every_cell_and_facet() -> None:
    network = Network([[[1, 0], [0, 1]], [[1, 0]]], [[0, 0], [0]])
    svg = complex_figure(CanonicalComplex.build(network, Domain.box(2, [(-1, 1)])))
    assert len(svg.findall("polygon")) == 4
    lines = svg.findall("line")
    assert len(lines) == 4
    assert sum("stroke-dasharray" in line.attrib for line in lines) == 2
    with pytest.raises(ShapeError):
        complex_figure(CanonicalComplex.build(network))
