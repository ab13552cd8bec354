"""Affine pieces: the cells of the cube on which the gates that matter have one sign, visited depth first.

Gates are treated in their order.  On each cell the next gate is an integer affine form of the inputs; box bounds, vertices
met before, and then linear programs tell its signs.  A cell is split only if the form takes both signs strictly, so all cells are
full-dimensional, and each half inherits a vertex from which its own programs start.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import lcm

from exactrelu.errors import BudgetExceeded
from exactrelu.limits import Meter
from exactrelu.logic.gates import Form, GateProgram
from exactrelu.logic.linear_program import Optimum, Row, Vertex, corner, cube, dot, maximum

MAX_LEAVES = 20_000
"""Most cells visited, unless the caller says otherwise."""
Progress = Callable[[int, int, int], None]
"""Called with the cells closed, the depth, and the part of the search that is closed, in percent."""
_MOST_VERTICES = 12
_UNIT = 1 << 60


@dataclass(frozen=True)
class Cell:
    """A full-dimensional polytope: its rows (those of the cube first) and some of its vertices, at least one."""

    rows: tuple[Row, ...]
    vertices: tuple[Vertex, ...]

    @classmethod
    def whole(cls, n: int) -> Cell:
        """The cube."""
        rows = tuple(cube(n))
        return cls(rows, (corner(rows, [False] * n), corner(rows, [True] * n)) if n else (corner(rows, []),))

    def maximum(self, form: Row) -> Optimum:
        """Return the maximum of a form on the cell; starts from the best vertex known."""
        if len(self.rows) == 2 * (len(form) - 1):
            return maximum(self.rows, form, corner(self.rows, [a > 0 for a in form[1:]]))
        best = self.vertices[0]
        value, t = dot(form, best.point), best.point[0]
        for vertex in self.vertices[1:]:
            other = dot(form, vertex.point)
            if other * t > value * vertex.point[0]:
                best, value, t = vertex, other, vertex.point[0]
        return maximum(self.rows, form, best)

    def half(self, row: Row) -> Cell:
        """Return the part where a form is non-negative; some vertex known satisfies it."""
        return Cell((*self.rows, row), tuple([v for v in self.vertices if dot(row, v.point) >= 0]))

    def knowing(self, vertex: Vertex) -> Cell:
        """Return the same cell with one more vertex."""
        if any(v.point == vertex.point for v in self.vertices):
            return self
        return Cell(self.rows, (vertex, *self.vertices[:_MOST_VERTICES - 1]))


@dataclass(frozen=True)
class Piece:
    """A cell and the forms asked for on it: `forms[i]` is an integer row, `denominators[i]` > 0 times the form."""

    cell: Cell
    forms: tuple[Row, ...]


def negated(row: Row) -> Row:
    """Return -row."""
    return tuple([-x for x in row])


def box_bounds(row: Row) -> tuple[int, int]:
    """Return minimum and maximum of an integer form on the cube."""
    low = high = row[0]
    for a in row[1:]:
        if a > 0:
            high += a
        else:
            low += a
    return low, high


class PieceSearch:
    """One search over the cells that matter for some forms.

    Args:
        forms: what is asked for; denominators are cleared, see `denominators`.
        meter: its `max_cells` bounds the cells closed, `MAX_LEAVES` by default.
    Attributes:
        leaves: cells closed so far.
    """

    def __init__(self, program: GateProgram, forms: Sequence[Form], meter: Meter, progress: Progress | None = None) -> None:
        n = program.inputs
        self.program, self.meter, self.progress = program, meter, progress
        self.max_leaves = meter.limits.max_cells or MAX_LEAVES
        self.leaves = self._closed = 0
        self.denominators = [lcm(f.constant.denominator, *[c.denominator for c in f.terms.values()]) for f in forms]
        self._forms = [(int(f.constant * d), [(k, int(c * d)) for k, c in f.terms.items()]) for f, d in zip(forms, self.denominators)]
        needed = self._cone(k for _, terms in self._forms for k, _ in terms)
        self.order = sorted(needed)
        self._place = {k: i for i, k in enumerate(self.order)}
        self._values: list[Row | None] = []
        self._units = [tuple([int(j == i + 1) for j in range(n + 1)]) for i in range(n)]

    def _cone(self, roots: Iterator[int]) -> set[int]:
        """The gates on which some values depend."""
        seen: set[int] = set()
        stack = [k for k in roots if k >= self.program.inputs]
        while stack:
            k = stack.pop()
            if k not in seen:
                seen.add(k)
                stack += [j for j, _ in self.program.gates[k - self.program.inputs].sources if j >= self.program.inputs]
        return seen

    def row(self, constant: int, sources: Sequence[tuple[int, int]]) -> Row:
        """The integer row of a form on the present cell."""
        n = self.program.inputs
        out = [constant] + [0] * n
        for k, c in sources:
            if k < n:
                out[k + 1] += c
            else:
                value = self._values[self._place[k]]
                if value is not None:
                    for j, x in enumerate(value):
                        if x:
                            out[j] += c * x
        return tuple(out)

    def asked(self, number: int) -> Row:
        """The row of a form asked for on the present cell (all its gates are decided)."""
        return self.row(*self._forms[number])

    def ready(self) -> list[list[int]]:
        """Entry i: the forms that are known as soon as i gates are decided."""
        out: list[list[int]] = [[] for _ in range(len(self.order) + 1)]
        for number, (_, terms) in enumerate(self._forms):
            out[1 + max((self._place[k] for k, _ in terms if k in self._place), default=-1)].append(number)
        return out

    def pieces(self) -> Iterator[Piece]:
        """All affine pieces.

        Raises:
            BudgetExceeded: more than `max_leaves` cells, or the time is used up.
        """
        for cell, position in self.visits():
            if position == len(self.order):
                yield Piece(cell, tuple([self.asked(i) for i in range(len(self._forms))]))

    def visits(self) -> Iterator[tuple[Cell, int]]:
        """Every cell as soon as its first i gates are decided, with i, depth first; `asked` then speaks of this cell."""
        stack: list[tuple[int, int, Cell, Row | None]] = [(0, 0, Cell.whole(self.program.inputs), None)]
        total = len(self.order)
        while stack:
            position, depth, cell, value = stack.pop()
            self._admit()
            if position:
                del self._values[position - 1:]
                self._values.append(value)
            while True:
                yield cell, position
                if position == total:
                    break
                gate = self.program.gates[self.order[position] - self.program.inputs]
                z = self.row(gate.constant, gate.sources)
                below, above, cell = (False, True, cell) if gate.sign else self.signs(z, cell)
                position += 1
                if below and above:
                    depth += 1
                    stack.append((position, depth, cell.half(negated(z)), None))
                    cell = cell.half(z)
                self._values.append(z if above else None)
            self._close(depth)

    def signs(self, z: Row, cell: Cell) -> tuple[bool, bool, Cell]:
        """Whether a form is somewhere negative, somewhere positive on the cell; (False, True) if it vanishes there."""
        low, high = box_bounds(z)
        if low >= 0 or high <= 0:
            return low < 0, low >= 0, cell
        values = [dot(z, v.point) for v in cell.vertices]
        above, below = any(v > 0 for v in values), any(v < 0 for v in values)
        for positive in (True, False):
            if not (above if positive else below):
                self.meter.tick()
                best = cell.maximum(z if positive else negated(z))
                cell = cell.knowing(best.vertex)
                if best.numerator > 0:
                    above, below = above or positive, below or not positive
        return (below, above, cell) if below or above else (False, True, cell)

    def _admit(self) -> None:
        """Stop before one cell too many."""
        self.meter.tick()
        if self.leaves >= self.max_leaves:
            percent = self._closed * 100 // _UNIT
            raise BudgetExceeded(f"stopped after {self.leaves} cells (about {percent} % of the search closed); no answer",
                                 {"leaves": self.leaves, "percent": percent})

    def _close(self, depth: int) -> None:
        self.leaves += 1
        self._closed += _UNIT >> depth
        if self.progress is not None:
            self.progress(self.leaves, depth, self._closed * 100 // _UNIT)


def exact_ranges(program: GateProgram, forms: Sequence[Form], meter: Meter,
                 progress: Progress | None = None) -> list[tuple[Fraction, Fraction]]:
    """Return the exact minimum and maximum of every form on the cube.

    Cost: one search; a form costs two linear programs on each cell where it may exceed what is known, as soon as its gates are decided.

    >>> program = GateProgram(2)
    >>> x, y = program.input_forms
    >>> exact_ranges(program, [program.relu(Form({0: 1, 1: -1}, 0))], Meter())
    [(Fraction(0, 1), Fraction(1, 1))]
    """
    search = PieceSearch(program, forms, meter, progress)
    ready = search.ready()
    best: list[tuple[Fraction, Fraction] | None] = [None] * len(forms)
    for cell, position in search.visits():
        for number in ready[position]:
            row = search.asked(number)
            known = best[number]
            low, high = box_bounds(row)
            if known is None:
                known = (-_best(cell, negated(row)), _best(cell, row))
            else:
                known = (min(known[0], -_best(cell, negated(row))) if low < known[0] else known[0],
                         max(known[1], _best(cell, row)) if high > known[1] else known[1])
            best[number] = known
    return [(known[0] / d, known[1] / d) for known, d in zip(best, search.denominators) if known is not None]


def _best(cell: Cell, form: Row) -> Fraction:
    found = cell.maximum(form)
    return Fraction(found.numerator, found.denominator)
