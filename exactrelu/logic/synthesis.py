r"""McNaughton synthesis: a continuous piecewise linear function [0,1]^n -> [0,1] as a formula, max of mins of clipped pieces.

For full-dimensional cells P_i with pieces g_i let S_i = {j : g_j >= g_i on P_i}.  Then f = max_i min_{j in S_i} g_j if every g_j - g_i
has one sign on P_i, and s(.) passes through max and min.  Proof: at x in cell k the k-th minimum is f(x).  Let i be any cell, y
interior to it; some piece g_j has g_j(y) >= f(y) and g_j(x) <= f(x): on the segment from y to x, let k be f minus its chord.  If the
first piece of k has slope <= 0, that piece will do.  Otherwise k is positive after y; the piece that arrives at its next zero has
negative slope, so its line is >= 0 at y and <= 0 at x.  As g_j - g_i has one sign on P_i and is >= 0 at y, j is in S_i; so the i-th
minimum is at most f(x).

Cells as they come are tried first and verified; if that fails, every cell is cut by all g_j = g_i.  What can be left out is left out.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction

from exactrelu.arithmetic.rational import affine_point, homogeneous_point
from exactrelu.errors import DomainError, InputError, InvariantError, ShapeError
from exactrelu.limits import Limits, Meter
from exactrelu.logic.affine_pieces import Cell, PieceSearch, exact_ranges, negated
from exactrelu.logic.clip import LANGUAGES, clip_formula
from exactrelu.logic.decide import value_form, vanishing
from exactrelu.logic.formula import Formula, var, variables
from exactrelu.logic.gates import Form, GateProgram, combined
from exactrelu.logic.layers import input_names
from exactrelu.logic.linear_program import Row, dot
from exactrelu.network.network import Network

Term = frozenset[int]


def synthesize(source: Network | Formula, *, language: str = "mv", refined: bool = False, limits: Limits | None = None) -> Formula:
    """Return a formula, the maximum of minima of clipped affine pieces, with the function of a network or formula on the cube.

    Args:
        source: a network with one output, values in [0,1] (variables x1, x2, ...), or a formula.
        language: `mv` needs pieces with integer coefficients; `divisible` and `riesz` take rational ones.
        refined: cut the cells at once, instead of only if it is needed.
    Raises:
        InputError: a piece has a fraction; names the piece.  DomainError: the function leaves [0,1].
        BudgetExceeded: a limit was reached.
    Exactness: the formula has been verified by decision.
    Cost: one search; for p pieces at most p linear programs a cell; then a decision for each part that might be left out.  The
        result can be exponentially larger than the network: this is for small functions.

    >>> from exactrelu.logic.parse import parse
    >>> synthesize(parse("(x+x) & (~x+~x)"))
    x + x & ~x + ~x
    >>> synthesize(Network([[[1, -1]], [[1]]], [[0], [0]]))
    x1 * ~x2
    """
    if language not in LANGUAGES:
        raise InputError(f"languages are {', '.join(LANGUAGES)}; got {str(language)[:20]!r}")
    meter = Meter(limits)
    names, program, value = _function(source)
    low, high = exact_ranges(program, [value], meter)[0]
    if low < 0 or high > 1:
        raise DomainError(f"the function ranges over [{low}, {high}]; a formula has values in [0,1]")
    found = _Synthesis(program, value, meter)
    if language == "mv":
        found.require_integers(names)
    terms = found.terms(refined)
    if not refined and not found.agrees(terms):
        terms = found.terms(True)
    atoms = [var(name) for name in names]
    formula = found.formula(found.reduced(terms), atoms, language)
    again = program.formula_values([formula], dict(zip(names, program.input_forms)))[0]
    point, _ = vanishing(program, [combined([(1, value), (-1, again)])], meter)
    if point is not None:
        raise InvariantError(f"the synthesized formula is wrong at {point}")
    return formula


def _function(source: Network | Formula) -> tuple[tuple[str, ...], GateProgram, Form]:
    if isinstance(source, Formula):
        return variables(source), *value_form(source)
    if not isinstance(source, Network):
        raise InputError(f"a network or a formula is needed, got {type(source).__name__}")
    if source.architecture.outputs != 1:
        raise ShapeError(f"the network has {source.architecture.outputs} outputs, a formula one value")
    program = GateProgram(source.architecture.inputs)
    return input_names(program.inputs), program, program.network_values(source, program.input_forms)[-1][0]


class _Synthesis:
    """The cells and pieces of one function.  Pieces are integer rows, all multiplied by `scale`."""

    def __init__(self, program: GateProgram, value: Form, meter: Meter) -> None:
        self.program, self.value, self.meter = program, value, meter
        search = PieceSearch(program, [value], meter)
        self.scale = search.denominators[0]
        found = [(piece.cell, piece.forms[0]) for piece in search.pieces()]
        self.pieces = sorted({row for _, row in found})
        number = {row: j for j, row in enumerate(self.pieces)}
        self.cells = [(cell, number[row]) for cell, row in found]
        self.points = sorted({vertex.point for cell, _ in self.cells for vertex in cell.vertices})

    def require_integers(self, names: Sequence[str]) -> None:
        """Raise InputError for a piece with a fraction."""
        for row in self.pieces:
            if any(x % self.scale for x in row):
                parts = [str(Fraction(row[0], self.scale)), *(f"{Fraction(a, self.scale)} {x}" for a, x in zip(row[1:], names) if a)]
                raise InputError(f"the piece {' + '.join(parts)} has a coefficient that is not an integer: no formula of the language mv "
                                 'has this function; use language="riesz" or "divisible"')

    def terms(self, refined: bool) -> list[Term]:
        """The sets S_i, without those that contain another."""
        found: set[Term] = set()
        for cell, own in self.cells:
            for part in self._parts(cell, own) if refined else [cell]:
                found.add(frozenset(j for j in range(len(self.pieces)) if self._above(part, j, own)))
        return sorted((t for t in found if not any(u < t for u in found)), key=sorted)

    def _difference(self, j: int, own: int) -> Row:
        return tuple(a - b for a, b in zip(self.pieces[j], self.pieces[own]))

    def _above(self, cell: Cell, j: int, own: int) -> bool:
        """Whether g_j >= g_own on the cell."""
        below = negated(self._difference(j, own))
        if j == own or not any(below):
            return True
        if any(dot(below, vertex.point) > 0 for vertex in cell.vertices):
            return False
        self.meter.tick()
        return cell.maximum(below).numerator <= 0

    def _parts(self, cell: Cell, own: int) -> Iterator[Cell]:
        """The cell cut by all hyperplanes g_j = g_own."""
        stack = [(cell, 0)]
        while stack:
            part, j = stack.pop()
            while j < len(self.pieces):
                row = self._difference(j, own)
                j += 1
                if not any(row):
                    continue
                ends = [part.maximum(row), part.maximum(negated(row))]
                self.meter.tick()
                if ends[0].numerator > 0 and ends[1].numerator > 0:
                    both = part.knowing(ends[0].vertex).knowing(ends[1].vertex)
                    stack.append((both.half(negated(row)), j))
                    part = both.half(row)
            yield part

    def agrees(self, terms: Sequence[Term]) -> bool:
        """Whether f is the clipped maximum of these minima: at the vertices known first, then everywhere."""
        for point in self.points:
            values = [dot(row, point) for row in self.pieces]
            highest_value = max(min(values[j] for j in term) for term in terms)
            if min(self.scale * point[0], max(0, highest_value)) != self._value(point):
                return False
        program = self.program
        minima = [self._minimum([self.pieces[j] for j in sorted(term)]) for term in terms]
        highest = minima[0]
        for form in minima[1:]:
            highest = combined([(1, form), (1, program.relu(combined([(1, highest), (-1, form)])))])
        clipped = combined([(1, program.relu(highest)), (-1, program.relu(combined([(1, highest)], -self.scale)))])
        witness, _ = vanishing(program, [combined([(self.scale, self.value), (-1, clipped)])], self.meter)
        if witness is not None:
            self.points.append(homogeneous_point(witness))
        return witness is None

    def _minimum(self, rows: Sequence[Row]) -> Form:
        lowest: Form | None = None
        for row in rows:
            form = Form({i: c for i, c in enumerate(row[1:]) if c}, row[0])
            if lowest is None:
                lowest = form
            else:
                lowest = combined([(1, form), (-1, self.program.relu(combined([(1, form), (-1, lowest)])))])
        if lowest is None:
            raise InvariantError("a minimum over no piece")
        return lowest

    def _value(self, point: Row) -> Fraction | int:
        """scale t f(x/t)."""
        for cell, own in self.cells:
            if all(dot(row, point) >= 0 for row in cell.rows):
                return dot(self.pieces[own], point)
        raise InvariantError(f"no cell holds {affine_point(point)}")

    def reduced(self, terms: Sequence[Term]) -> list[Term]:
        """Leave out terms, then members of terms, as long as the function stays the same."""
        kept = list(terms)
        for term in list(kept):
            rest = [t for t in kept if t is not term]
            if rest and self.agrees(rest):
                kept = rest
        for i in range(len(kept)):
            for j in sorted(kept[i]):
                smaller = kept[i] - {j}
                if smaller and self.agrees([*kept[:i], smaller, *kept[i + 1:]]):
                    kept[i] = smaller
        return kept

    def formula(self, terms: Sequence[Term], atoms: Sequence[Formula], language: str) -> Formula:
        """The maximum of minima of clipped pieces."""
        clipped = {j: clip_formula([Fraction(a, self.scale) for a in self.pieces[j][1:]], Fraction(self.pieces[j][0], self.scale), atoms,
                                   language) for term in terms for j in term}
        result: Formula | None = None
        for term in terms:
            lowest: Formula | None = None
            for j in sorted(term):
                lowest = clipped[j] if lowest is None else lowest & clipped[j]
            if lowest is not None:
                result = lowest if result is None else result | lowest
        if result is None:
            raise InvariantError("a function without pieces")
        return result
