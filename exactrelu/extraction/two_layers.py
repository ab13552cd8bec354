"""Two hidden layers from queries.

1. Random lines: breaks with their hyperplanes and jumps (`sheet`).
2. First layer: hyperplanes along which f breaks everywhere (`first_layer`).
3. A cell of their arrangement that shows n_2 further hyperplanes (`start_cell`), the sheets of layer 2 up to a factor.
4. Kinks of the sheets at the walls, outwards from the cell (`second_layer`).
5. Orientations.  In the start cell z_w = b_w + sum of W_wv z_v over the v active there, so the active set A solves
   sum_A W_wv s_v n_v = (gradient of z_w) for all w; and the set B of sheets active at a germ solves sum_B c_w t_w (gradient of z_w)
   = (gradient of f).  All solutions are found; each is a network.
6. Candidates are compared with all answers, at random points and on all cells of their complex (`comparison`).
Each step may fail for unlucky lines; then there are more of them.  Uniqueness among all parameters of the architecture is the
verdict of `certification` on the extracted network.
"""

from __future__ import annotations

from fractions import Fraction

from exactrelu.certificates.verdict import Fails, Holds
from exactrelu.certification.uniqueness import Subject, among_all
from exactrelu.errors import BudgetExceeded
from exactrelu.extraction.comparison import CELL_PROMISE, Comparison, compare, differs_from_answers
from exactrelu.extraction.first_layer import Hyperplanes
from exactrelu.extraction.line_breakpoints import NotAffineHere, TooManyBreaks
from exactrelu.extraction.oracle import Oracle
from exactrelu.extraction.outcome import CERTIFIED, CONSISTENT, Flag, Outcome, broken_promise, undecided
from exactrelu.extraction.region import Region, value_of
from exactrelu.extraction.second_layer import Kinks, StartCell
from exactrelu.extraction.shallow_function import chosen_sets, outer
from exactrelu.extraction.sheet import Row, Scan, scan
from exactrelu.extraction.start_cell import WrongFamily, start_cells
from exactrelu.limits import Meter
from exactrelu.network.architecture import Architecture
from exactrelu.network.network import Network
from exactrelu.network.trivial_symmetry import equivalent
from exactrelu.polyhedra.domain import Domain

ATTEMPTS = 8
"""Rounds of new lines."""
LINES = 4
"""Lines added in each round."""
PATIENT = 3
"""Rounds in which only hyperplanes that break at every point tried count as first layer."""
MOST_STARTS = 4
"""Start cells that are tried for one family."""
MOST_TRIALS = 2
"""How often one start cell is tried, each time with other points of its walls."""


def extract_two_layers(oracle: Oracle, architecture: Architecture, domain: Domain, region: Region, meter: Meter) -> Outcome:
    """Return the parameters of an architecture with two hidden layers that agree with the oracle.

    Raises:
        InputError: the oracle fails (`oracle`).  BudgetExceeded: a limit was reached.
    """
    if architecture.inputs < 2:
        return undecided("with one input no sheet bends, so the layers cannot be told apart; two hidden layers need two inputs")
    search = _Search(oracle, architecture, domain, region, meter)
    reasons: list[str] = []
    for attempt in range(ATTEMPTS):
        try:
            search.look(attempt)
            outcome = search.attempt(attempt < PATIENT, reasons)
        except TooManyBreaks as error:
            return broken_promise(str(error))
        except NotAffineHere as error:
            reasons.append(str(error))
            continue
        if outcome is not None:
            return outcome
    kept = list(dict.fromkeys(reasons))
    return undecided(f"no network found in {ATTEMPTS} rounds: {kept[-1]}", *(Flag("RETRY", reason) for reason in kept))


class _Search:
    """The state of one extraction: all lines so far."""

    def __init__(self, oracle: Oracle, architecture: Architecture, domain: Domain, region: Region, meter: Meter) -> None:
        self.oracle, self.architecture, self.domain, self.region, self.meter = oracle, architecture, domain, region, meter
        self.hyperplanes = Hyperplanes(oracle, region)
        self.scans: list[Scan] = []
        self.trials: dict[tuple[tuple[Row, ...], StartCell], int] = {}

    def look(self, attempt: int) -> None:
        """Scan some more lines.

        Raises:
            TooManyBreaks: no network of the architecture has so many breaks on a line.  NotAffineHere: none of the lines can be read.
        """
        one, two = self.architecture.hidden_widths
        failure = None
        before = len(self.scans)
        for k in range(LINES):
            if not self.region.rows:
                self.region.radius = Fraction(8 << 2 * ((attempt + k) % 4))
            try:
                found = scan(self.oracle, self.region, self.region.point(), self.region.direction(), one + two * (one + 1))
            except TooManyBreaks:
                raise
            except NotAffineHere as error:
                failure = error
                continue
            self.scans.append(found)
            self.hyperplanes.add(found.sheets)
        if len(self.scans) == before and failure is not None:
            raise failure

    def attempt(self, patient: bool, reasons: list[str]) -> Outcome | None:
        """Try to finish with the lines so far; say why not in `reasons`."""
        one, two = self.architecture.hidden_widths
        self.hyperplanes.rate()
        tried = False
        for family in self.hyperplanes.families(one, patient):
            tried = True
            self.meter.tick()
            try:
                starts = start_cells(self.oracle, self.region, family, self.scans, two)
            except WrongFamily as error:
                reasons.append(str(error))
                continue
            if not starts:
                reasons.append(f"no cell of the first layer shows {two} sheets of the second")
            for start in starts[:MOST_STARTS]:
                key = (tuple(family), start)
                self.trials[key] = self.trials.get(key, 0) + 1
                if self.trials[key] > MOST_TRIALS:
                    continue
                kinks = Kinks(self.oracle, self.region, family, start)
                if not kinks.complete():
                    pairs = ", ".join(map(str, kinks.missing))
                    reasons.append(f"the kinks of these sheets of layer 2 at these hyperplanes of layer 1 are not seen: {pairs}")
                    continue
                outcome = self._finish(family, start, kinks, reasons)
                if outcome is not None:
                    return outcome
        if not tried:
            seen = sum(score == 1 for score in self.hyperplanes.score.values())
            reasons.append(f"{len(self.scans)} lines show {seen} hyperplanes along which f breaks everywhere, {one} were promised")
        return None

    def _finish(self, first: list[Row], start: StartCell, kinks: Kinks, reasons: list[str]) -> Outcome | None:
        """Orientations, comparison, label."""
        networks = _networks(first, start, kinks)
        if not networks:
            reasons.append("no orientation of the neurons fits the slopes in the start cell")
            return None
        agreeing: list[tuple[Network, Comparison]] = []
        for network in networks:
            if differs_from_answers(self.oracle, network) is None:
                compared = compare(self.oracle, network, self.domain, self.region, self.meter)
                if compared.difference is None:
                    agreeing.append((network, compared))
        agreeing = [(n, c) for n, c in agreeing if differs_from_answers(self.oracle, n) is None]
        if not agreeing:
            reasons.append("the network read from the breaks differs from the oracle elsewhere")
            return None
        return _labelled(agreeing, self.meter)


def _networks(first: list[Row], start: StartCell, kinks: Kinks) -> list[Network]:
    """All networks with these hyperplanes, sheets, kinks and germ."""
    outputs, width = len(start.germ.value), len(start.rows)
    weight = [[kinks.kinks[w, v] for v in range(len(first))] for w in range(width)]
    reach = [outer([weight[w][v] * s for w in range(width)], row[1:]) for v, (row, s) in enumerate(zip(first, start.signs))]
    slopes = [Fraction(x) for row in start.rows for x in row[1:]]
    heights = [value_of(row, start.germ.point) for row in start.rows]
    turns = [1 if z > 0 else -1 for z in heights]
    jumps = [outer([c * t for c in column], row[1:]) for column, row, t in zip(start.columns, start.rows, turns)]
    outgoing = chosen_sets(jumps, [x for row in start.germ.gradient for x in row])
    out = []
    for active in chosen_sets(reach, slopes):
        signs = [s if on else -s for s, on in zip(start.signs, active)]
        biases = [row[0] - sum((weight[w][v] * s * first[v][0] for v, (s, on) in enumerate(zip(start.signs, active)) if on), Fraction(0))
                  for w, row in enumerate(start.rows)]
        for on in outgoing:
            turned = [t if x else -t for t, x in zip(turns, on)]
            bias = [b - sum((c[k] * abs(z) for c, z, x in zip(start.columns, heights, on) if x), Fraction(0))
                    for k, b in enumerate(start.germ.value)]
            out.append(Network([[[s * x for x in row[1:]] for row, s in zip(first, signs)],
                                [[t * x for x in weight[w]] for w, t in enumerate(turned)],
                                [[c[k] for c in start.columns] for k in range(outputs)]],
                               [[s * row[0] for row, s in zip(first, signs)], [t * b for t, b in zip(turned, biases)], bias]))
    return out


def _labelled(agreeing: list[tuple[Network, Comparison]], meter: Meter) -> Outcome:
    """The label: certified if all cells were compared and the fiber of the function is completely known."""
    networks = tuple(n for n, _ in agreeing)
    compared = agreeing[0][1]
    several = (Flag("SEVERAL", f"{len(networks)} parameters agree with all queries"),) if len(networks) > 1 else ()
    if compared.complex is None:
        return Outcome(networks, CONSISTENT, CELL_PROMISE, f"consistent with all queries; the cells were not all compared: {compared.note}",
                       several)
    cells = f"agrees with the oracle on all {compared.complex.full_cells} cells"
    try:
        unique = among_all(Subject(compared.complex, meter))
    except BudgetExceeded as error:
        return Outcome(networks, CONSISTENT, CELL_PROMISE, f"{cells}; uniqueness of the parameter is open: {error}",
                       (*several, Flag("UNPROVED", str(error))))
    if isinstance(unique, Holds) and len(networks) == 1:
        return Outcome(networks, CERTIFIED, CELL_PROMISE, f"the only parameter of the architecture with its function, which {cells}")
    if isinstance(unique, Fails):
        members = unique.detail.get("members")
        if members is not None:
            flag = Flag("SEVERAL", f"{len(members)} parameters of the architecture have this function")
            reason = f"all {len(members)} parameters with their function, which {cells}"
            return Outcome(tuple(members), CERTIFIED, CELL_PROMISE, reason, (flag,))
        others = networks if any(equivalent(n, unique.witness.network).word == "holds" for n in networks) \
            else (*networks, unique.witness.network)
        flag = Flag("SEVERAL", f"at least {len(others)} parameters of the architecture have this function")
        return Outcome(others, CONSISTENT, CELL_PROMISE, f"consistent with all queries: {cells}; further parameters may exist", (flag,))
    reason = getattr(unique, "reason", "several candidates agree")
    return Outcome(networks, CONSISTENT, CELL_PROMISE, f"consistent with all queries: {cells}; uniqueness of the parameter is open",
                   (*several, Flag("UNPROVED", reason)))
