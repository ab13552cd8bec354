"""The ledger: every proved sequent with the rule and the earlier lines that prove it.

A theorem is the number of its line.  Line k proves, under the hypotheses `hypotheses[k]` (bit j: equation number j of
the table of hypotheses), that the terms `left[k]` and `right[k]` are equal.  A sequent that is already there is not
recorded again, nor is one whose equation is known without hypotheses.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Any

from exactrelu.errors import BudgetExceeded, InvariantError
from exactrelu.logic.derivation.terms import TermTable

Line = tuple[Any, ...]
"""(rule, payload, premises): see the methods of `Ledger` for the payloads."""


class Ledger:
    """A growing list of theorems over one table of terms."""

    def __init__(self, max_lines: int = 4_000_000) -> None:
        self.terms = TermTable()
        self.lines: list[Line] = []
        self.hypotheses: list[int] = []
        self.left: list[int] = []
        self.right: list[int] = []
        self.equations: list[tuple[int, int]] = []
        self.max_lines = max_lines
        self._bit: dict[tuple[int, int], int] = {}
        self._known: dict[tuple[int, int, int], int] = {}
        self._programs: dict[int, tuple[list[int], list[tuple[int, int, int]], list[int]]] = {}

    def fork(self) -> Ledger:
        """A ledger that starts with the same lines."""
        other = Ledger.__new__(Ledger)
        other.terms = self.terms.copy()
        other.lines, other.equations, other.max_lines = self.lines[:], self.equations[:], self.max_lines
        other.hypotheses, other.left, other.right = self.hypotheses[:], self.left[:], self.right[:]
        other._bit, other._known, other._programs = self._bit.copy(), self._known.copy(), self._programs.copy()
        return other

    def bit(self, left: int, right: int) -> int:
        """The set that holds the one hypothesis left = right."""
        bit = self._bit.get((left, right))
        if bit is None:
            bit = self._bit[left, right] = 1 << len(self.equations)
            self.equations.append((left, right))
        return bit

    def set_of(self, hypotheses: int) -> list[tuple[int, int]]:
        """The equations of a set of hypotheses."""
        found = []
        while hypotheses:
            low = hypotheses & -hypotheses
            found.append(self.equations[low.bit_length() - 1])
            hypotheses ^= low
        return found

    def find(self, left: int, right: int) -> int | None:
        """The line that proves left = right without hypotheses, if there is one."""
        return self._known.get((0, left, right))

    def _record(self, hypotheses: int, left: int, right: int, rule: str, payload: Any, premises: tuple[int, ...]) -> int:
        known = self._known
        line = known.get((0, left, right))
        if line is None and hypotheses:
            line = known.get((hypotheses, left, right))
        if line is None:
            line = known[hypotheses, left, right] = len(self.lines)
            if line >= self.max_lines:
                raise BudgetExceeded(f"more than {self.max_lines} proof lines", {"lines": line})
            self.lines.append((rule, payload, premises))
            self.hypotheses.append(hypotheses)
            self.left.append(left)
            self.right.append(right)
        return line

    def refl(self, term: int) -> int:
        """|- t = t."""
        return self._record(0, term, term, "refl", term, ())

    def assume(self, left: int, right: int) -> int:
        """l = r |- l = r."""
        return self._record(self.bit(left, right), left, right, "assume", (left, right), ())

    def axiom(self, name: str, n: int | None = None) -> int:
        """An axiom in the variables ?x, ?y, ?z; V1 and V2 take n."""
        t = self.terms
        x, y, z = t.var("?x"), t.var("?y"), t.var("?z")
        plus, neg = t.plus, t.neg
        if n is not None:
            part = t.make("delta", (x,), n)
            if name == "V1" and n >= 1:
                return self._record(0, t.fold(n, part), x, "axiom", (name, n), ())
            if name == "V2" and n >= 2:
                return self._record(0, t.times(t.fold(n - 1, part), part), t.zero, "axiom", (name, n), ())
            raise InvariantError(f"no axiom {name}({n})")
        left, right = {
            "A1": (plus(x, plus(y, z)), plus(plus(x, y), z)),
            "A2": (plus(x, y), plus(y, x)),
            "A3": (plus(x, t.zero), x),
            "A4": (neg(neg(x)), x),
            "A5": (plus(x, neg(t.zero)), neg(t.zero)),
            "A6": (plus(neg(plus(neg(x), y)), y), plus(neg(plus(neg(y), x)), x)),
        }[name]
        return self._record(0, left, right, "axiom", (name,), ())

    def definition(self, name: str, scalar: Fraction | None = None) -> int:
        """The definition D1 of 1, D2 of (.), D3 of ->, D4 of |, D5 of &, R1 of a rational scalar."""
        t = self.terms
        x, y = t.var("?x"), t.var("?y")
        if scalar is not None:
            p, q = scalar.as_integer_ratio()
            folded = t.fold(p, t.make("delta", (x,), q)) if p else t.zero
            return self._record(0, t.make("scale", (x,), scalar), folded, "definition", (name, scalar), ())
        left, right = {
            "D1": (t.one, t.neg(t.zero)),
            "D2": (t.times(x, y), t.neg(t.plus(t.neg(x), t.neg(y)))),
            "D3": (t.make("imp", (x, y)), t.plus(t.neg(x), y)),
            "D4": (t.make("vee", (x, y)), t.plus(t.times(x, t.neg(y)), y)),
            "D5": (t.make("wedge", (x, y)), t.times(t.plus(x, t.neg(y)), y)),
        }[name]
        return self._record(0, left, right, "definition", (name,), ())

    def sym(self, line: int) -> int:
        """H |- l = r gives H |- r = l."""
        if self.left[line] == self.right[line]:
            return line
        if self.lines[line][0] == "sym":
            return int(self.lines[line][2][0])
        return self._record(self.hypotheses[line], self.right[line], self.left[line], "sym", None, (line,))

    def trans(self, *lines: int) -> int:
        """t0 = t1, t1 = t2, ...: t0 = tn."""
        left, right = self.left, self.right
        steps = [k for k in lines if left[k] != right[k]]
        if len(steps) < 2:
            return steps[0] if steps else lines[0]
        known = 0
        for k, following in zip(steps, steps[1:]):
            if right[k] != left[following]:
                raise InvariantError(f"the equations do not meet: {self.show(k)} and {self.show(following)}")
        for k in steps:
            known |= self.hypotheses[k]
        if left[steps[0]] == right[steps[-1]]:
            return self.refl(left[steps[0]])
        return self._record(known, left[steps[0]], right[steps[-1]], "trans", None, tuple(steps))

    def cong(self, term: int, *lines: int) -> int:
        """a_i = b_i for the arguments of the term: op(a) = op(b)."""
        op, data, arguments = self.terms.nodes[term]
        if arguments != tuple([self.left[k] for k in lines]):
            raise InvariantError(f"the premises are not about the arguments of {self.word(term)}")
        known = 0
        for k in lines:
            known |= self.hypotheses[k]
        image = self.terms.make(op, tuple([self.right[k] for k in lines]), data)
        return self.refl(term) if image == term else self._record(known, term, image, "cong", term, lines)

    def rewrite(self, term: int, lines: Iterable[int]) -> int:
        """t = t': all outermost left sides in t replaced by the right sides at the same time."""
        left, right = self.left, self.right
        chosen = {left[k]: k for k in reversed([*lines]) if left[k] != right[k]}
        if term in chosen:
            return chosen[term]
        used = list(chosen.values())
        image = self.terms.replaced(term, {left[k]: right[k] for k in used})
        if image == term:
            return self.refl(term)
        known = 0
        for k in used:
            known |= self.hypotheses[k]
        return self._record(known, term, image, "rewrite", term, tuple(used))

    def lemma(self, line: int, image: Mapping[int, int], proofs: Sequence[int] = ()) -> int:
        """Substitute terms for variables in a theorem; `proofs` discharge hypotheses, others of them are ignored."""
        program = self._programs.get(line)
        if program is None:
            conditions = [(self.bit(*pair), *pair) for pair in self.set_of(self.hypotheses[line])]
            roots = [self.left[line], self.right[line], *(side for _, *pair in conditions for side in pair)]
            below = self.terms.below(roots)
            order = [k for k in below if self.terms.args(k)]
            leaves = [k for k in below if not self.terms.args(k)]
            program = self._programs[line] = (order, conditions, leaves)
        order, conditions, leaves = program
        place = {k: k for k in leaves}
        place.update(image)
        self.terms.rebuild(order, place)
        by_equation = {(self.left[k], self.right[k]): k for k in proofs}
        known, used = 0, list[int]()
        for _, left, right in conditions:
            pair = (place[left], place[right])
            proof = by_equation.get(pair)
            if proof is None and pair[0] != pair[1]:
                proof = self.find(*pair)
            if proof is None and pair[0] == pair[1]:
                proof = self.refl(pair[0])
            if proof is None:
                known |= self.bit(*pair)
            else:
                known |= self.hypotheses[proof]
                if proof not in used:
                    used.append(proof)
        left, right = place[self.left[line]], place[self.right[line]]
        if left == right:
            return self.refl(left)
        changes = {k: v for k, v in image.items() if k != v and k in leaves}
        if not changes and not used:
            return line
        if not changes:
            return self.cut(line, *used)
        return self._record(known, left, right, "lemma", tuple(changes.items()), (line, *used))

    def cut(self, line: int, *proofs: int) -> int:
        """Replace hypotheses by the hypotheses of their proofs; proofs of other equations are ignored."""
        known, used = self.hypotheses[line], list[int]()
        for k in proofs:
            bit = self._bit.get((self.left[k], self.right[k]), 0)
            if known & bit:
                known = known & ~bit | self.hypotheses[k]
                used.append(k)
        if not used:
            return line
        return self._record(known, self.left[line], self.right[line], "cut", None, (line, *used))

    def split(self, s: int, t: int, below: int, above: int) -> int:
        """The equation that follows from s (.) t = 0 and also from s (+) t = 1."""
        make = self.terms
        first, second = self.bit(make.times(s, t), make.zero), self.bit(make.plus(s, t), make.one)
        if (self.left[below], self.right[below]) != (self.left[above], self.right[above]):
            raise InvariantError(f"two cases prove different equations: {self.show(below)}; {self.show(above)}")
        if not self.hypotheses[below] & first:
            return below
        if not self.hypotheses[above] & second:
            return above
        known = self.hypotheses[below] & ~first | self.hypotheses[above] & ~second
        return self._record(known, self.left[below], self.right[below], "split", (s, t), (below, above))

    def show(self, line: int) -> str:
        """The sequent of a line, for error messages and explanations of short proofs."""
        pairs = [f"{self.word(a)} = {self.word(b)}" for a, b in self.set_of(self.hypotheses[line])]
        return f"{', '.join(pairs)} |- {self.word(self.left[line])} = {self.word(self.right[line])}"

    def word(self, term: int, longest: int = 200) -> str:
        """A term with all brackets, cut when it is long."""
        signs = {"oplus": "+", "odot": "*", "imp": "->", "vee": "|", "wedge": "&"}
        words = dict[int, str]()
        for k in self.terms.below([term]):
            op, data, arguments = self.terms.nodes[k]
            a = [words[j] for j in arguments]
            if op in signs:
                text = f"({a[0]} {signs[op]} {a[1]})"
            else:
                text = {"neg": "~", "delta": f"/{data} ", "scale": f"[{data}]", "var": str(data)}.get(op, op) + "".join(a)
            words[k] = text if len(text) <= longest else "..."
        return words[term]
