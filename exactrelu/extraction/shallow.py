"""One hidden layer from queries.

A random line that crosses all hyperplanes shows n_1 breaks; the gradients between them give every hyperplane and jump exactly,
hence the function and all its parameters.  On a bounded domain the hyperplanes are collected from many chords.  Two ways to
certify: counting breaks on d parallel lines (`shallow_proof`), which needs only the promise that the oracle is a network of the
architecture; where no chord crosses all hyperplanes, a comparison on all cells with its stronger promise (`comparison`).
"""

from __future__ import annotations

from fractions import Fraction

from exactrelu.errors import BudgetExceeded
from exactrelu.extraction.comparison import CELL_PROMISE, compare
from exactrelu.extraction.line_breakpoints import NotAffineHere, TooManyBreaks, Value
from exactrelu.extraction.oracle import Oracle, Point
from exactrelu.extraction.outcome import CERTIFIED, CONSISTENT, Flag, Outcome, broken_promise, undecided
from exactrelu.extraction.region import Region
from exactrelu.extraction.shallow_function import shallow_networks
from exactrelu.extraction.shallow_proof import agreeing_points, counting_points
from exactrelu.extraction.sheet import Germ, Row, Scan, scan
from exactrelu.limits import Meter
from exactrelu.network.architecture import Architecture
from exactrelu.network.network import Network
from exactrelu.polyhedra.domain import Domain

MOST_LINES = 40
"""Lines on which hyperplanes are looked for."""
MOST_LINES_IN_SPACE = 10
"""The same on R^d, where almost every line crosses all hyperplanes."""
CONTROLS = 50
"""Random points at which the function is compared besides those that determine it."""
ENOUGH_FAILURES = 8
"""Lines that do not look piecewise affine before the search stops."""
ARCHITECTURE_PROMISE = "the oracle computes a network of this architecture on the domain"


class _Contradiction(Exception):
    """The answers are those of no network of the architecture."""


def extract_shallow(oracle: Oracle, architecture: Architecture, domain: Domain, region: Region, meter: Meter) -> Outcome:
    """Return all parameters of an architecture with one hidden layer that have the function of the oracle.

    Raises:
        InputError: the oracle fails (`oracle`).  BudgetExceeded: a limit was reached.
    """
    width = architecture.hidden_widths[0]
    try:
        jumps, scans, failures = _hyperplanes(oracle, region, width)
    except (_Contradiction, TooManyBreaks) as error:
        return broken_promise(str(error))
    if not scans:
        return undecided(f"no line looks piecewise affine: {failures[-1]}")
    if len(jumps) < width:
        reason = f"{len(scans)} lines show {len(jumps)} hyperplanes where f breaks, {width} neurons were promised"
        return undecided(reason + "; neurons that are not seen, or share a hyperplane, cannot be told from the function",
                         Flag("FEW", reason))
    rows = sorted(jumps)
    columns = [jumps[row] for row in rows]
    try:
        found = shallow_networks(rows, columns, _generic_germ(scans))
    except BudgetExceeded as error:
        return undecided(str(error))
    if not found:
        return broken_promise("the jumps at the hyperplanes and the slopes belong to no orientation of the neurons")
    lines = [(s.point, s.direction) for s in scans if len(s.breaks) == width]
    return _settled(oracle, domain, region, meter, rows, columns, found, lines)


def _hyperplanes(oracle: Oracle, region: Region, width: int) -> tuple[dict[Row, Value], list[Scan], list[str]]:
    """The hyperplanes with their jumps, until there are as many as neurons, with the lines that show them."""
    jumps: dict[Row, Value] = {}
    scans: list[Scan] = []
    failures: list[str] = []
    unbounded_radius = Fraction(1 << 8)
    for _ in range(MOST_LINES if region.rows else MOST_LINES_IN_SPACE):
        unbounded_radius = min(unbounded_radius * 4, Fraction(1 << 20))
        region.radius = unbounded_radius
        try:
            found = scan(oracle, region, _start(region), region.direction(), width)
        except TooManyBreaks:
            raise
        except NotAffineHere as error:
            failures.append(str(error))
            if len(failures) >= ENOUGH_FAILURES and len(failures) > len(scans):
                break
            continue
        scans.append(found)
        for sheet in found.sheets:
            if jumps.setdefault(sheet.row, sheet.column) != sheet.column:
                raise _Contradiction("f breaks with two different jumps at one hyperplane, which one hidden layer cannot do")
        if len(jumps) > width:
            raise _Contradiction(f"f breaks at {len(jumps)} different hyperplanes, more than {width} neurons")
        if len(jumps) == width:
            break
    return jumps, scans, failures


def _start(region: Region) -> Point:
    """A point for a line: near the origin on R^d, anywhere inside a domain with walls."""
    if region.rows:
        return region.point()
    return tuple(Fraction(region.random.randint(-512, 512), 64) for _ in range(region.dimension))


def _generic_germ(scans: list[Scan]) -> Germ:
    """A germ off all hyperplanes: it lies between two breaks of its line, where f is affine."""
    return scans[-1].germs[0]


def _settled(oracle: Oracle, domain: Domain, region: Region, meter: Meter, rows: list[Row], columns: list[Value],
             found: list[Network], lines: list[tuple[Point, Point]]) -> Outcome:
    """The label of the networks found: counting where one line crosses all hyperplanes, else the comparison of cells."""
    flags = [Flag("SEVERAL", f"{len(found)} parameters of the architecture have this function")] if len(found) > 1 else []
    count = "the only parameter" if len(found) == 1 else f"all {len(found)} parameters"
    points = counting_points(rows, columns, region, lines)
    if points is not None:
        wrong = agreeing_points(oracle, found[0], points)
        if wrong is None:
            wrong = agreeing_points(oracle, found[0], [region.point() for _ in range(CONTROLS)])
        if wrong is not None:
            return broken_promise(_disagreement(wrong))
        reason = f"{count} with this function: {len(points)} points account for every break, so no other function is possible"
        return Outcome(tuple(found), CERTIFIED, ARCHITECTURE_PROMISE, reason, tuple(flags))
    compared = compare(oracle, found[0], domain, region, meter)
    if compared.difference is not None:
        return broken_promise(_disagreement(compared.difference))
    if compared.complex is not None:
        reason = f"{count} with this function, which agrees with the oracle on all {compared.complex.full_cells} cells"
        return Outcome(tuple(found), CERTIFIED, CELL_PROMISE, reason, tuple(flags))
    reason = f"consistent with all queries; not certified, as no chord of the domain crosses all hyperplanes and {compared.note}"
    return Outcome(tuple(found), CONSISTENT, ARCHITECTURE_PROMISE, reason, tuple(flags))


def _disagreement(point: Point) -> str:
    shown = ", ".join(str(x) if len(str(x)) < 40 else "..." for x in point)
    return f"the function read from the breaks differs from the answer at ({shown})"
