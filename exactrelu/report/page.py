"""A self-contained HTML page: built as an element tree, so that every text is escaped."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from xml.etree import ElementTree as ET

STYLE = """
body { font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; color: #1a1a1a; }
h1 { font-size: 1.6rem; } h2 { font-size: 1.15rem; margin-top: 2.2rem; border-top: 1px solid #ddd; padding-top: 1rem; }
.verdict { display: inline-block; padding: .1rem .6rem; border-radius: 1rem; background: #e3ecf5; font-weight: 600; }
table { border-collapse: collapse; margin: .6rem 0; } td { padding: .15rem 1rem .15rem 0; vertical-align: top; }
td:first-child { color: #555; } code { font-size: .85em; }
"""


@dataclass(frozen=True)
class Section:
    """One network on the page: title, verdict word, sentences, a two-column table, and a figure."""

    title: str
    verdict: str
    sentences: tuple[str, ...]
    rows: tuple[tuple[str, str], ...] = ()
    figure: ET.Element | None = field(default=None, compare=False)


def html_page(title: str, introduction: str, sections: Sequence[Section]) -> str:
    """Return the page as text."""
    html = ET.Element("html", {"lang": "en"})
    head = ET.SubElement(html, "head")
    ET.SubElement(head, "meta", {"charset": "utf-8"})
    ET.SubElement(head, "title").text = title
    ET.SubElement(head, "style").text = STYLE
    body = ET.SubElement(html, "body")
    ET.SubElement(body, "h1").text = title
    ET.SubElement(body, "p").text = introduction
    for section in sections:
        ET.SubElement(body, "h2").text = section.title
        ET.SubElement(ET.SubElement(body, "p"), "span", {"class": "verdict"}).text = section.verdict
        for sentence in section.sentences:
            ET.SubElement(body, "p").text = sentence
        if section.rows:
            table = ET.SubElement(body, "table")
            for name, value in section.rows:
                row = ET.SubElement(table, "tr")
                ET.SubElement(row, "td").text = name
                ET.SubElement(row, "td").text = value
        if section.figure is not None:
            body.append(section.figure)
    return "<!DOCTYPE html>\n" + ET.tostring(html, encoding="unicode", method="html") + "\n"
