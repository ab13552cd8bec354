"""A picture of the complex of a two-input network in a box, as an SVG element; drawing is the only use of floats."""

from __future__ import annotations

from math import atan2
from xml.etree import ElementTree as ET

from exactrelu.complexes.breakpoint_complex import BreakpointComplex
from exactrelu.complexes.canonical_complex import CanonicalComplex
from exactrelu.errors import ShapeError

SIZE = 420
BOLD = {"stroke": "#1b3a57", "stroke-width": "1.4"}
FAINT = {"stroke": "#999999", "stroke-width": "0.6", "stroke-dasharray": "3 2"}
PALETTE = ("#dbe9f6", "#fde7cf", "#dff0dc", "#f7dede", "#e8e0f2", "#efe9d8", "#d9f0ef", "#f4ddee")


def complex_figure(complex_: CanonicalComplex) -> ET.Element:
    """Return an SVG of a bounded two-dimensional complex: cells colored by linear region, breakpoint facets drawn bold.

    Raises:
        ShapeError: the network has not two inputs, or a cell is unbounded (take a box as domain).
    """
    if complex_.network.architecture.inputs != 2 or complex_.lineality_dimension or not complex_.bounded.all():
        raise ShapeError("a figure needs a network with two inputs on a bounded domain")
    breakpoints = BreakpointComplex(complex_)
    corners = [[(float(x), float(y)) for x, y in complex_.full_cell(i).vertices] for i in range(complex_.full_cells)]
    xs = [x for cell in corners for x, _ in cell]
    ys = [y for cell in corners for _, y in cell]
    left, bottom = min(xs), min(ys)
    scale = SIZE / max(max(xs) - left, max(ys) - bottom)

    def place(point: tuple[float, float]) -> str:
        return f"{(point[0] - left) * scale:.2f},{(max(ys) - point[1]) * scale:.2f}"

    svg = ET.Element("svg", {"xmlns": "http://www.w3.org/2000/svg", "viewBox": f"-2 -2 {SIZE + 4} {SIZE + 4}",
                             "width": str(SIZE), "role": "img"})
    region = {r: i for i, r in enumerate(sorted(set(breakpoints.region.tolist())))}
    for number, cell in enumerate(corners):
        cx, cy = sum(x for x, _ in cell) / len(cell), sum(y for _, y in cell) / len(cell)
        ring = sorted(cell, key=lambda p: atan2(p[1] - cy, p[0] - cx))
        color = PALETTE[region[int(breakpoints.region[number])] % len(PALETTE)]
        ET.SubElement(svg, "polygon", {"points": " ".join(map(place, ring)), "fill": color, "stroke": "none"})
    bold = set(breakpoints.facets.tolist())
    for facet in complex_.facets.tolist():
        ends = [(float(x), float(y)) for x, y in complex_.cell(1, facet).vertices]
        style = BOLD if facet in bold else FAINT
        (x1, y1), (x2, y2) = (place(p).split(",") for p in ends)
        ET.SubElement(svg, "line", {"x1": x1, "y1": y1, "x2": x2, "y2": y2, **style})
    return svg
