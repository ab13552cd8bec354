"""Pictures of bent hyperplanes by layer, side by side, as one SVG; drawing is the only use of floats.

Every facet has the color of the layer of the neuron that bends there; it is drawn solid where f breaks and dashed where f does
not (a hidden facet).  Cells with one affine map have one shade.  Names "l,i" stand at the longest facet of a neuron, counted
from 1.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import atan2, hypot
from xml.etree import ElementTree as ET

from exactrelu.complexes.bent_hyperplane import BentHyperplanes
from exactrelu.complexes.breakpoint_complex import BreakpointComplex
from exactrelu.complexes.canonical_complex import CanonicalComplex
from exactrelu.errors import ShapeError

WIDTH = 300
GAP = 24
MARGIN = 6
LEGEND = 46
TITLE = 24
ENTRY = 80
"""Width of one entry of the legend."""
SHORT = 20
"""A neuron whose facets are all shorter gets no name."""
LAYERS = ("#1f5fa8", "#c2410c", "#15803d", "#7e22ce", "#b45309", "#0f766e", "#be185d", "#4d4d4d")
SHADES = ("#f3f7fb", "#fdf6ee", "#f3f9f2", "#fbf2f2", "#f6f3fa", "#f9f6ec", "#eff9f8", "#fcf2f8")
SOLID = {"stroke-width": "2.2", "stroke-linecap": "round"}
DASHED = {"stroke-width": "1.2", "stroke-dasharray": "4 4"}
FONT = {"font-family": "Helvetica, Arial, sans-serif", "font-size": "12"}
Point = tuple[float, float]


@dataclass(frozen=True)
class Panel:
    """One complex with a title."""

    complex: CanonicalComplex
    title: str


def layer_figure(panels: Sequence[Panel]) -> ET.Element:
    """Return one SVG with the panels side by side and a legend.

    Raises:
        ShapeError: no panel, a network that has not two inputs, or an unbounded cell (take a box as domain).
    """
    if not panels:
        raise ShapeError("a figure needs at least one panel")
    height = max(_Frame.of(panel.complex).height for panel in panels)
    depth = max(panel.complex.network.architecture.hidden_layers for panel in panels)
    total = (max(len(panels) * (WIDTH + GAP) - GAP, (depth + 1) * ENTRY) + 2 * MARGIN, TITLE + height + LEGEND)
    svg = ET.Element("svg", {"xmlns": "http://www.w3.org/2000/svg", "viewBox": f"0 0 {total[0]:.0f} {total[1]:.0f}",
                             "width": f"{total[0]:.0f}", "height": f"{total[1]:.0f}", "role": "img"})
    ET.SubElement(svg, "rect", {"width": "100%", "height": "100%", "fill": "white"})
    for number, panel in enumerate(panels):
        group = ET.SubElement(svg, "g", {"transform": f"translate({MARGIN + number * (WIDTH + GAP)},{TITLE})"})
        _text(group, 0, -8, panel.title, {"font-weight": "bold"})
        _draw(group, panel.complex)
    _legend(svg, depth, TITLE + height + 26)
    return svg


@dataclass(frozen=True)
class _Frame:
    """The bounding box of a complex and its place in the picture."""

    left: float
    top: float
    scale: float
    height: float

    @classmethod
    def of(cls, complex_: CanonicalComplex) -> _Frame:
        if complex_.network.architecture.inputs != 2 or complex_.lineality_dimension or not complex_.bounded.all():
            raise ShapeError("a figure needs a network with two inputs on a bounded domain")
        corners = [v for i in range(complex_.full_cells) for v in complex_.full_cell(i).vertices]
        xs, ys = zip(*[(float(x), float(y)) for x, y in corners])
        scale = WIDTH / (max(xs) - min(xs))
        return cls(min(xs), max(ys), scale, (max(ys) - min(ys)) * scale)

    def place(self, point: Sequence[object]) -> Point:
        x, y = (float(c) for c in point)  # type: ignore[arg-type]  # Fractions
        return (x - self.left) * self.scale, (self.top - y) * self.scale


def _text(parent: ET.Element, x: float, y: float, text: str, style: dict[str, str] | None = None) -> None:
    ET.SubElement(parent, "text", {"x": f"{x:.1f}", "y": f"{y:.1f}", **FONT, "fill": "#222222", **(style or {})}).text = text


def _draw(group: ET.Element, complex_: CanonicalComplex) -> None:
    frame = _Frame.of(complex_)
    breaks = BreakpointComplex(complex_)
    regions = {r: i for i, r in enumerate(dict.fromkeys(breaks.region.tolist()))}
    for number in range(complex_.full_cells):
        cell = [frame.place(v) for v in complex_.full_cell(number).vertices]
        cx, cy = sum(x for x, _ in cell) / len(cell), sum(y for _, y in cell) / len(cell)
        ring = sorted(cell, key=lambda p: atan2(p[1] - cy, p[0] - cx))
        ET.SubElement(group, "polygon", {"points": " ".join(f"{x:.2f},{y:.2f}" for x, y in ring),
                                         "fill": SHADES[regions[int(breaks.region[number])] % len(SHADES)]})
    bends = BentHyperplanes(complex_).contains(2)
    name = complex_.network.architecture.neuron
    visible = set(breaks.facets.tolist())
    longest: dict[int, tuple[float, Point]] = {}
    for facet in complex_.facets.tolist():
        (x1, y1), (x2, y2) = (frame.place(v) for v in complex_.cell(1, facet).vertices)
        neurons = [j for j, on in enumerate(bends[facet].tolist()) if on]
        color = LAYERS[(name(neurons[-1]).layer - 1) % len(LAYERS)] if neurons else "#bbbbbb"
        ends = {"x1": f"{x1:.2f}", "y1": f"{y1:.2f}", "x2": f"{x2:.2f}", "y2": f"{y2:.2f}"}
        ET.SubElement(group, "line", {**ends, "stroke": color, **(SOLID if facet in visible else DASHED)})
        for j in neurons:
            length = hypot(x2 - x1, y2 - y1)
            if length > longest.get(j, (0.0, (0.0, 0.0)))[0]:
                longest[j] = length, ((x1 + x2) / 2, (y1 + y2) / 2)
    ET.SubElement(group, "rect", {"width": f"{WIDTH}", "height": f"{frame.height:.2f}", "fill": "none", "stroke": "#888888"})
    for j, (length, (x, y)) in sorted(longest.items()):
        if length < SHORT:
            continue
        neuron = name(j)
        color = LAYERS[(neuron.layer - 1) % len(LAYERS)]
        for style in ({"fill": "white", "stroke": "white", "stroke-width": "3"}, {"fill": color}):
            _text(group, min(x + 4, WIDTH - 24), max(y - 4, 11), f"{neuron.layer},{neuron[1] + 1}", {"font-size": "11", **style})


def _legend(svg: ET.Element, depth: int, y: float) -> None:
    x = float(MARGIN)
    for layer in range(1, depth + 1):
        ET.SubElement(svg, "line", {"x1": f"{x:.1f}", "x2": f"{x + 20:.1f}", "y1": f"{y - 4:.1f}", "y2": f"{y - 4:.1f}",
                                    "stroke": LAYERS[(layer - 1) % len(LAYERS)], "stroke-width": "2.2"})
        _text(svg, x + 25, y, f"layer {layer}")
        x += ENTRY
    ET.SubElement(svg, "line", {"x1": f"{x:.1f}", "x2": f"{x + 20:.1f}", "y1": f"{y - 4:.1f}", "y2": f"{y - 4:.1f}", "stroke": "#666666",
                                **DASHED})
    _text(svg, x + 25, y, "hidden")
