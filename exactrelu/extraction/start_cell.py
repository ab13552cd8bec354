"""A cell of the first-layer arrangement that shows all sheets of the second layer."""

from __future__ import annotations

from collections.abc import Sequence

from exactrelu.extraction.line_breakpoints import NotAffineHere, TooManyBreaks, Value
from exactrelu.extraction.oracle import Oracle
from exactrelu.extraction.region import Region
from exactrelu.extraction.second_layer import Signs, StartCell, signed, signs_at
from exactrelu.extraction.sheet import Germ, Row, Scan, Sheet, scan

LINES = 4
"""Lines inside one cell."""
MOST_CELLS = 6
"""Cells that are searched with lines of their own."""


class WrongFamily(Exception):
    """The hyperplanes cannot be those of the first layer: some cell shows more sheets than the second layer has, or two jumps."""


def start_cells(oracle: Oracle, region: Region, first: Sequence[Row], scans: list[Scan], width: int) -> list[StartCell]:
    """Return cells that show `width` sheets: those seen on the lines, else one that further lines complete; may be empty.

    Args:
        scans: the lines so far; further ones are appended.
    Raises:
        WrongFamily: a cell shows more sheets, or one hyperplane with two different jumps.
    """
    sheets: dict[Signs, dict[Row, Value]] = {}
    inside: dict[Signs, Sheet] = {}
    germs: dict[Signs, Germ] = {}
    own = set(first)
    for line in scans:
        _collect(line, first, own, sheets, inside, germs, width)
    found = [signs for signs, seen in sheets.items() if len(seen) == width and signs in germs]
    if not found:
        for signs in sorted(sheets, key=lambda s: -len(sheets[s]))[:MOST_CELLS]:
            cell = region.cut(signed(first, signs), inside[signs].point)
            for _ in range(LINES):
                try:
                    line = scan(oracle, cell, cell.point(), cell.direction(), width)
                except TooManyBreaks:
                    raise WrongFamily("a cell shows more sheets than the second layer has neurons") from None
                except NotAffineHere:
                    continue
                scans.append(line)
                _collect(line, first, own, sheets, inside, germs, width)
                if len(sheets[signs]) == width:
                    break
            if len(sheets[signs]) == width and signs in germs:
                found.append(signs)
                break
    return [_cell(signs, sheets[signs], germs[signs]) for signs in found]


def _collect(line: Scan, first: Sequence[Row], own: set[Row], sheets: dict[Signs, dict[Row, Value]], inside: dict[Signs, Sheet],
             germs: dict[Signs, Germ], width: int) -> None:
    """Sort the sheets and germs of a line into the cells."""
    for sheet in line.sheets:
        if sheet.row in own:
            continue
        signs = signs_at(first, sheet.point)
        if 0 in signs:
            continue
        seen = sheets.setdefault(signs, {})
        if seen.setdefault(sheet.row, sheet.column) != sheet.column:
            raise WrongFamily("a cell shows one hyperplane with two different jumps")
        inside.setdefault(signs, sheet)
        if len(seen) > width:
            raise WrongFamily("a cell shows more sheets than the second layer has neurons")
    for germ in line.germs:
        signs = signs_at(first, germ.point)
        if 0 not in signs:
            germs.setdefault(signs, germ)


def _cell(signs: Signs, seen: dict[Row, Value], germ: Germ) -> StartCell:
    rows = tuple(sorted(seen))
    return StartCell(signs, rows, tuple(seen[row] for row in rows), germ)
