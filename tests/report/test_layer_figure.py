"""Pictures of bent hyperplanes: what is drawn is what the complex says; the pictures of the documents are up to date."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from exactrelu.complexes.breakpoint_complex import BreakpointComplex
from exactrelu.complexes.canonical_complex import CanonicalComplex
from exactrelu.errors import ShapeError
from exactrelu.examples import Example, example, examples
from exactrelu.network.network import Network
from exactrelu.polyhedra.domain import Domain
from exactrelu.report.layer_figure import LAYERS, Panel, layer_figure

FIGURES = Path(__file__).resolve().parents[2] / "docs" / "figures"
FLAT = [e for e in examples() if e.network.architecture.inputs == 2]


@pytest.mark.parametrize("shown", FLAT, ids=[e.name for e in FLAT])
def test_every_facet_and_every_cell_is_drawn(shown: Example) -> None:
    complex_ = CanonicalComplex.build(shown.network, shown.domain)
    svg = layer_figure([Panel(complex_, "a < b & c")])
    assert ET.fromstring(ET.tostring(svg)) is not None
    solid = [e for e in svg.iter("line") if e.get("stroke-linecap")]
    assert len(list(svg.iter("polygon"))) == complex_.full_cells
    assert len(solid) == len(BreakpointComplex(complex_).facets)
    depth = shown.network.architecture.hidden_layers
    assert len(list(svg.iter("line"))) == len(complex_.facets) + depth + 1
    assert {e.get("stroke") for e in solid} <= set(LAYERS[:depth])


def test_panels_and_what_cannot_be_drawn() -> None:
    shown = example("three-rays")
    panels = [Panel(CanonicalComplex.build(n, shown.domain), str(k)) for k, n in enumerate(shown.networks)]
    assert len(list(layer_figure(panels).iter("g"))) == 3
    with pytest.raises(ShapeError, match="at least one"):
        layer_figure([])
    with pytest.raises(ShapeError, match="bounded"):
        layer_figure([Panel(CanonicalComplex.build(shown.network), "")])
    line = Network([[[1]], [[1]]], [[0], [0]])
    with pytest.raises(ShapeError, match="two inputs"):
        layer_figure([Panel(CanonicalComplex.build(line, Domain.box(1, [(-1, 1)])), "")])


def test_the_pictures_of_the_documents_are_up_to_date() -> None:
    spec = importlib.util.spec_from_file_location("draw", FIGURES / "draw.py")
    assert spec is not None and spec.loader is not None
    draw = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(draw)
    drawn = dict(draw.pictures())
    assert set(drawn) == {path.name for path in FIGURES.glob("*.svg")}
    for name, text in drawn.items():
        assert (FIGURES / name).read_text(encoding="utf-8") == text
