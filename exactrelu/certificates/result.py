"""What a verb returns: a verdict word, JSON fields, and a short form for people."""

from __future__ import annotations

from typing import Any
from xml.etree import ElementTree as ET


class Result:
    """Base of all results.  Subclasses have a `verdict` and say their `fields`."""

    verdict: str

    def fields(self) -> dict[str, Any]:
        """Return the JSON fields besides `verdict`."""
        raise NotImplementedError

    def to_json(self) -> dict[str, Any]:
        """Return the JSON object of the command line: verdict and fields."""
        return {"verdict": self.verdict, **self.fields()}

    def __repr__(self) -> str:
        return f"<{type(self).__name__}: {self.verdict}>"

    def _repr_html_(self) -> str:
        """A table for notebooks; every text is escaped."""
        table = ET.Element("table")
        for name, value in self.to_json().items():
            row = ET.SubElement(table, "tr")
            ET.SubElement(row, "th", {"style": "text-align:left"}).text = name
            text = str(value)
            ET.SubElement(row, "td", {"style": "text-align:left"}).text = text if len(text) <= 200 else text[:197] + "..."
        return ET.tostring(table, encoding="unicode", method="html")
