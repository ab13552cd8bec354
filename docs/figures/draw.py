"""Draws the pictures of docs/counterexamples.md from the named examples.

    python docs/figures/draw.py
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from xml.etree import ElementTree as ET

from exactrelu.complexes.canonical_complex import CanonicalComplex
from exactrelu.examples import example
from exactrelu.polyhedra.domain import Domain
from exactrelu.report.layer_figure import Panel, layer_figure

PICTURES = {
    "three-rays": (None, ["first layer: the diagonal", "first layer: the horizontal", "first layer: the vertical"]),
    "layer-exchange": ([(-5, 1), (-3, 2)], ["theta", "eta"]),
    "slab-depth-4": (None, ["four hidden layers"]),
    "linear-block": (None, ["two neurons of layer 2 have no sheet"]),
    "clip-reflection": ([(-12, 6), (-10, 6)], ["one of four parameters"]),
    "width-one-two-classes": (None, ["theta", "eta"]),
}
"""Name of the example -> the part of the domain that is shown (None: all of it), and the titles."""


def pictures() -> Iterator[tuple[str, str]]:
    """Yield file names and SVG texts."""
    for name, (part, titles) in PICTURES.items():
        shown = example(name)
        domain = shown.domain if part is None else Domain.box(2, part)
        panels = [Panel(CanonicalComplex.build(network, domain), title) for network, title in zip(shown.networks, titles, strict=True)]
        yield f"{name}.svg", ET.tostring(layer_figure(panels), encoding="unicode") + "\n"


if __name__ == "__main__":
    for file, text in pictures():
        (Path(__file__).parent / file).write_text(text, encoding="utf-8", newline="\n")
