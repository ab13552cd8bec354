"""The search: cells of the cube on which both formulae are affine, and the derivation assembled from them.

A gate with arguments s, t is *decided* on a cell when s + t <= 1 or s + t >= 1 holds on all of it; then s (.) t = 0 or
s (+) t = 1, and the gate is affine or constant.  Gates are treated from the inside; one that is not decided splits the cell.
All cells are full-dimensional, so on a last cell two formulae agree iff their affine forms do (up to equations between
atoms delta_n w, w).  Nothing is proved before the search has ended: a decided gate is a hypothesis, whose proof from the
hypotheses of the splits above it is made afterwards, and only if the equation used it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from fractions import Fraction
from math import gcd

from exactrelu.errors import BudgetExceeded, InvariantError
from exactrelu.logic.derivation.bags import Bags
from exactrelu.logic.derivation.ladder import Ladders
from exactrelu.logic.derivation.linear_program import Optimum, Row, bounds, maximum
from exactrelu.logic.derivation.normal_form import NormalForms
from exactrelu.logic.derivation.zero_facts import ZeroFact, ZeroFacts

Form = tuple[int, ...]
"""(constant, coefficients of the atoms)."""
Pair = tuple[int, int]
Finish = Callable[[], int]


class Refuted(Exception):
    """The two formulae differ at `point` (numerators of the atoms over `denominator`)."""

    def __init__(self, point: tuple[int, ...], denominator: int) -> None:
        super().__init__("the formulae differ")
        self.point, self.denominator = point, denominator


@dataclass
class Cell:
    """A part of the cube: rows a . x <= b that begin with the bounds, and what is decided on it.

    `sources[j]` proves row j (a theorem s (.) t = 0 of the pair); `facts` maps a pair to (0, s (.) t = 0) or
    (1, s (+) t = 1); `constants` maps a gate to the theorem that it is 0 or 1; `points` are points of the cell, the denominator first.
    """

    rows: list[Row]
    sources: list[tuple[Pair, int] | None]
    facts: dict[Pair, tuple[int, int]] = field(default_factory=dict)
    forms: dict[int, Form] = field(default_factory=dict)
    points: list[Form] = field(default_factory=list)
    constants: dict[int, int] = field(default_factory=dict)
    attached: set[int] = field(default_factory=set)

    def copy(self) -> Cell:
        """A cell that can be narrowed without changing this one."""
        return Cell(self.rows[:], self.sources[:], self.facts.copy(), self.forms.copy(), self.points[:], self.constants.copy(),
                    self.attached.copy())


@dataclass(frozen=True)
class Decided:
    """A gate whose sign is forced: multipliers of the rows, on the side given by `kind`."""

    kind: int
    optimum: Optimum | None


class Search:
    """One equation between normal forms over the given atoms."""

    def __init__(self, ladders: Ladders, normal: NormalForms, atoms: list[int], tick: Callable[[], None], max_leaves: int) -> None:
        self.ladders, self.ledger, self.terms, self.tactics = ladders, ladders.ledger, ladders.terms, ladders.tactics
        self.normal, self.tick, self.max_leaves = normal, tick, max_leaves
        self.bags = Bags(ladders, tick)
        self.zero_facts = ZeroFacts(self.bags)
        self.atoms = atoms
        self.place = {atom: i for i, atom in enumerate(atoms)}
        self.leaves = self.splits = 0
        self._pairs: dict[tuple[Pair, tuple[int, ...]], int] = {}
        self._rows: dict[tuple[Pair, int, tuple[int, ...]], ZeroFact] = {}

    # numbers ---------------------------------------------------------------------------------------------------

    def form(self, term: int, cell: Cell) -> Form:
        """The affine form of a term whose gates are decided on the cell and not constant there."""
        forms, terms = cell.forms, self.terms
        if term not in forms:
            for k in self._inside([term], forms):
                op, _, arguments = terms.nodes[k]
                if op in ("oplus", "odot"):
                    if cell.facts[arguments[0], arguments[1]][0] != (op == "odot"):
                        raise InvariantError(f"{self.ledger.word(k)} is constant here")
                    a, b = forms[arguments[0]], forms[arguments[1]]
                    forms[k] = (a[0] + b[0] - (op == "odot"), *map(int.__add__, a[1:], b[1:]))
                    continue
                vector = [0] * (len(self.atoms) + 1)
                if op == "neg":
                    vector[0] = 1
                    vector[self.place[arguments[0]] + 1] = -1
                elif op == "1":
                    vector[0] = 1
                elif op != "0":
                    vector[self.place[k] + 1] = 1
                forms[k] = tuple(vector)
        return forms[term]

    def _inside(self, roots: list[int], known: dict[int, Form]) -> list[int]:
        """The gates, literals and atoms of some terms, arguments first; what is inside an atom is left out."""
        seen, stack = set[int](), [*roots]
        while stack:
            k = stack.pop()
            if k not in seen and k not in known:
                seen.add(k)
                if self.terms.op(k) in ("oplus", "odot", "neg"):
                    stack += self.terms.args(k)
        return sorted(seen)

    def decide(self, p: Form, cell: Cell) -> list[Decided]:
        """Kind 0 if the form p is at most 0 on the cell, kind 1 if it is at least 0; none if it takes both signs."""
        found = []
        for kind, sign in ((0, 1), (1, -1)):
            objective = [sign * a for a in p[1:]]
            if sign * p[0] + sum(a for a in objective if a > 0) <= 0:
                found.append(Decided(kind, None))
            elif not any(sign * sum(map(int.__mul__, p, point)) > 0 for point in cell.points):
                best = self._maximum(objective, cell)
                if best.value + sign * p[0] * best.denominator <= 0:
                    found.append(Decided(kind, best))
        return found

    def _maximum(self, objective: list[int] | tuple[int, ...], cell: Cell) -> Optimum:
        self.tick()
        best = maximum(objective, cell.rows)
        if not best.feasible:
            raise InvariantError("an empty cell")
        point = (best.denominator, *best.point)
        if point not in cell.points:
            cell.points.append(point)
        return best

    def narrow(self, cell: Cell, p: Form, pair: Pair, kind: int, line: int) -> Cell:
        """The part of the cell where p <= 0 (kind 0) or p >= 0, the hypothesis `line` being about the pair."""
        child = cell.copy()
        sign = 1 if kind == 0 else -1
        source = (pair, line)
        if kind == 1:
            source = self.dual(pair, kind, line)
        child.rows.append((-sign * p[0], *[sign * a for a in p[1:]]))
        child.sources.append(source)
        child.points = [point for point in cell.points if sign * sum(map(int.__mul__, p, point)) <= 0]
        self.enter(child, pair, kind, line)
        return child

    # facts -----------------------------------------------------------------------------------------------------

    def dual(self, pair: Pair, kind: int, line: int) -> tuple[Pair, int]:
        """The dual pair with its fact: s (+) t = 1 becomes ~s (.) ~t = 0, and s (.) t = 0 becomes ~s (+) ~t = 1."""
        ledger, terms, laws = self.ledger, self.terms, self.tactics.laws
        s, t = pair
        first, second = self.normal.dual(s), self.normal.dual(t)
        a, b = ledger.right[first], ledger.right[second]
        gate = terms.plus(s, t) if kind else terms.times(s, t)
        law = self.tactics.use("de_morgan_plus" if kind else "de_morgan_times", x=s, y=t)
        start = ledger.trans(ledger.sym(ledger.cong(ledger.right[law], first, second)), ledger.sym(law))
        end = ledger.cong(terms.neg(gate), line)
        return (a, b), ledger.trans(start, end, laws["neg_one" if kind else "neg_zero"])

    def enter(self, cell: Cell, pair: Pair, kind: int, line: int) -> None:
        """Record what is decided for a pair, for its dual, and for both with the arguments exchanged."""
        for (s, t), k, fact in ((pair, kind, line), self._of_kind(1 - kind, *self.dual(pair, kind, line))):
            turned = self.tactics.use("plus_comm" if k else "times_comm", x=t, y=s)
            for a, b, proof in ((s, t, fact), (t, s, self.ledger.trans(turned, fact))):
                cell.facts.setdefault((a, b), (k, proof))
                gate = self.terms.plus(a, b) if k else self.terms.times(a, b)
                cell.constants.setdefault(gate, proof)

    @staticmethod
    def _of_kind(kind: int, pair: Pair, line: int) -> tuple[Pair, int, int]:
        return pair, kind, line

    def _key(self, terms: list[int], cell: Cell) -> tuple[int, ...]:
        """The facts on which canonical forms of the terms depend."""
        gates = [k for k in self.terms.below(terms) if self.terms.op(k) in ("oplus", "odot")]
        return tuple(cell.facts[a, b][1] for a, b in map(self._arguments, gates) if (a, b) in cell.facts)

    def _arguments(self, gate: int) -> Pair:
        a, b = self.terms.args(gate)
        return a, b

    def row_fact(self, cell: Cell, j: int) -> ZeroFact:
        """The zero fact of row j."""
        source = cell.sources[j]
        if source is None:
            raise InvariantError("a bound is no hypothesis")
        pair, line = source
        key = (pair, line, self._key([*pair], cell))
        if key not in self._rows:
            c, bag, equal = self.bags.canonical(-1, pair, cell.facts)
            self._rows[key] = ZeroFact(c, bag, self.ledger.trans(self.ledger.sym(equal), line))
        return self._rows[key]

    def pair_vanishes(self, cell: Cell, pair: Pair, optimum: Optimum | None) -> int:
        """s (.) t = 0 from the rows that the multipliers use."""
        used: list[tuple[int, int]] = []
        n = 1
        if optimum is not None:
            first = 2 * len(self.atoms)
            divisor = gcd(optimum.denominator, *optimum.multipliers.values())
            n = optimum.denominator // divisor
            used = [(j, count // divisor) for j, count in sorted(optimum.multipliers.items()) if j >= first]
        facts = [(self.row_fact(cell, j), count) for j, count in used]
        key = (pair, (n, *self._key([*pair], cell), *(x for fact, count in facts for x in (fact.line, count))))
        if key not in self._pairs:
            c, bag, equal = self.bags.canonical(-1, pair, cell.facts)
            zero = self.zero_facts.combine(facts, n, c, bag)
            self._pairs[key] = self.ledger.trans(equal, zero)
        return self._pairs[key]

    # cells -------------------------------------------------------------------------------------------------------

    def solve(self, f: int, g: int, cell: Cell) -> Finish:
        """A function that derives f = g on the cell; raises `Refuted` if it is false there."""
        ledger = self.ledger
        self.tick()
        facts = [*cell.constants.values()]
        first, second = self.normal.reduced(f, facts), self.normal.reduced(g, facts)
        if ledger.left[first] != ledger.right[first] or ledger.left[second] != ledger.right[second]:
            rest = self.solve(ledger.right[first], ledger.right[second], cell)
            return lambda: ledger.trans(first, rest(), ledger.sym(second))
        if f == g:
            self.leaves += 1
            return lambda: ledger.refl(f)
        gate = self._next_gate([f, g], cell)
        if gate is None:
            return self._leaf(f, g, cell)
        pair = self._arguments(gate)
        p = self._pair_form(pair, cell)
        decided = self.decide(p, cell)
        return self._forced(f, g, pair, decided, cell) if decided else self._split(f, g, pair, p, cell)

    def _pair_form(self, pair: Pair, cell: Cell) -> Form:
        a, b = self.form(pair[0], cell), self.form(pair[1], cell)
        return (a[0] + b[0] - 1, *map(int.__add__, a[1:], b[1:]))

    def _next_gate(self, roots: list[int], cell: Cell) -> int | None:
        """The first gate that is not decided, those inside atoms delta_n w included; completed atoms get their rows."""
        for k in self._inside(roots, {}):
            op = self.terms.op(k)
            if op in ("oplus", "odot") and self._arguments(k) not in cell.facts:
                return k
            if op == "delta" and k not in cell.attached:
                reduced = self.normal.reduced(self.terms.args(k)[0], [*cell.constants.values()])
                gate = self._next_gate([self.ledger.right[reduced]], cell)
                if gate is not None:
                    return gate
                self._attach(k, reduced, cell)
        return None

    def _attach(self, atom: int, reduced: int, cell: Cell) -> None:
        """Add the rows of n y = w for the atom y = delta_n w, from V1 and w = its reduced form."""
        ledger, terms, use = self.ledger, self.terms, self.tactics.use
        cell.attached.add(atom)
        _, n, (w,) = terms.nodes[atom]
        assert isinstance(n, int)
        folded = self.normal.of(terms.fold(n, atom))
        multiple, small = ledger.right[folded], ledger.right[reduced]
        equal = ledger.trans(ledger.sym(folded), use(ledger.axiom("V1", n), x=w), reduced)  # n.y = reduced w
        a, b = self.form(multiple, cell), self.form(small, cell)
        p = [*map(int.__sub__, a, b)]
        for (s, t), line, sign in (((multiple, small), equal, 1), ((small, multiple), ledger.sym(equal), -1)):
            dual = self.normal.dual(t)  # ~t = u, so s (.) u = t (.) ~t = 0
            gate = terms.times(s, ledger.right[dual])
            zero = ledger.trans(ledger.cong(gate, line, ledger.sym(dual)), use("times_neg", x=t))
            cell.rows.append((-sign * p[0], *[sign * x for x in p[1:]]))
            cell.sources.append(((s, ledger.right[dual]), zero))
        cell.points = [point for point in cell.points if sum(map(int.__mul__, p, point)) == 0]

    def enter_atoms(self, cell: Cell) -> None:
        """(j.y) (.) y = 0 for every atom y = delta_n w and 1 <= j < n, from V2."""
        ledger, terms, use = self.ledger, self.terms, self.tactics.use
        for atom in self.atoms:
            op, n, arguments = terms.nodes[atom]
            if op != "delta" or not isinstance(n, int):
                continue
            multiples = [ledger.right[self.normal.of(terms.fold(j, atom))] for j in range(1, n)]
            last = use(ledger.axiom("V2", n), x=arguments[0])  # (n-1).y (.) y = 0, bracketed from the left
            turned = ledger.cong(ledger.left[last], self.normal.of(terms.fold(n - 1, atom)), ledger.refl(atom))
            line = ledger.trans(ledger.sym(turned), last)
            for j in range(n - 1, 0, -1):
                self.enter(cell, (multiples[j - 1], atom), 0, line)
                if j > 1:  # j.y is y (+) (j-1).y, or y + y
                    a, b = self._arguments(multiples[j - 1])
                    line = use("factor", line, x=a, y=b, z=atom)
                self.tick()

    def _hypothesis(self, pair: Pair, kind: int) -> int:
        terms = self.terms
        return self.ledger.assume(terms.plus(*pair), terms.one) if kind else self.ledger.assume(terms.times(*pair), terms.zero)

    def _split(self, f: int, g: int, pair: Pair, p: Form, cell: Cell) -> Finish:
        self.splits += 1
        below = self.narrow(cell, p, pair, 0, self._hypothesis(pair, 0))
        first = self.solve(f, g, below)
        above = self.narrow(cell, p, pair, 1, self._hypothesis(pair, 1))
        second = self.solve(f, g, above)

        def finish() -> int:
            line, (s, t) = first(), pair
            if not self.ledger.hypotheses[line] & self.ledger.bit(self.terms.times(s, t), self.terms.zero):
                return line
            return self.ledger.split(s, t, line, second())
        return finish

    def _forced(self, f: int, g: int, pair: Pair, decided: list[Decided], cell: Cell) -> Finish:
        """Both kinds are entered for a pair with s + t = 1: its sum is the constant 1 and its product 0."""
        before = cell.copy()
        lines = [self._hypothesis(pair, side.kind) for side in decided]
        for side, line in zip(decided, lines):
            self.enter(cell, pair, side.kind, line)
        rest = self.solve(f, g, cell)

        def finish() -> int:
            equation = rest()
            proofs = [self._proof(before, pair, side) for side, line in zip(decided, lines)
                      if self.ledger.hypotheses[equation] & self.ledger.hypotheses[line]]
            return self.ledger.cut(equation, *proofs)
        return finish

    def _proof(self, cell: Cell, pair: Pair, decided: Decided) -> int:
        """s (.) t = 0 or s (+) t = 1 for a decided pair."""
        if decided.kind == 0:
            return self.pair_vanishes(cell, pair, decided.optimum)
        s, t = pair
        terms, ledger = self.terms, self.ledger
        first, second = self.normal.dual(s), self.normal.dual(t)
        zero = self.pair_vanishes(cell, (ledger.right[first], ledger.right[second]), decided.optimum)
        law = self.tactics.use("de_morgan_plus", x=s, y=t)  # ~(s + t) = ~s . ~t = 0
        empty = ledger.trans(law, ledger.cong(ledger.right[law], first, second), zero)
        back = ledger.sym(self.tactics.use("A4", x=terms.plus(s, t)))
        return ledger.trans(back, ledger.cong(ledger.right[back], empty), self.tactics.laws["neg_zero"])

    def _leaf(self, f: int, g: int, cell: Cell) -> Finish:
        self.leaves += 1
        if self.leaves > self.max_leaves:
            raise BudgetExceeded(f"max_leaves={self.max_leaves} exceeded", {"leaves": self.leaves})
        ledger = self.ledger
        a, b = self.form(f, cell), self.form(g, cell)
        if a == b:
            def finish() -> int:
                left, right = self.bags.canonical(0, (f,), cell.facts), self.bags.canonical(0, (g,), cell.facts)
                return ledger.trans(left[2], ledger.sym(right[2]))
            return finish
        optima = []
        for sign in (1, -1):
            p = [sign * (x - y) for x, y in zip(a, b)]
            best = self._maximum(p[1:], cell)
            if best.value + p[0] * best.denominator > 0:
                raise Refuted(best.point, best.denominator)
            optima.append(best)

        def both() -> int:
            orders = []
            for (s, t), best in zip(((f, g), (g, f)), optima):
                dual = self.normal.dual(t)
                zero = self.pair_vanishes(cell, (s, ledger.right[dual]), best)
                gate = self.terms.times(s, ledger.left[dual])
                orders.append(ledger.trans(ledger.cong(gate, ledger.refl(s), dual), zero))
            return self.tactics.use("antisymmetry", *orders, x=f, y=g)
        return both

    def point(self, refuted: Refuted) -> dict[str, Fraction]:
        """The values of the variables at a point where the formulae differ."""
        values = {}
        for atom, numerator in zip(self.atoms, refuted.point):
            op, data, _ = self.terms.nodes[atom]
            if op == "var":
                values[str(data)] = Fraction(numerator, refuted.denominator)
        return values


def first_cell(atoms: int) -> Cell:
    """The whole cube."""
    rows = bounds(atoms)
    corners = [(1, *[0] * atoms), (1, *[1] * atoms)]
    return Cell(rows, [None] * len(rows), points=corners)
