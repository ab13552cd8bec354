"""Small proof procedures: instances of named laws, unit laws, associative-commutative normal forms, calculations.

Each returns the number of a theorem of the ledger; none of them is trusted.
"""

from __future__ import annotations

from collections.abc import Mapping

from exactrelu.errors import InvariantError
from exactrelu.logic.derivation.ledger import Ledger

Laws = dict[str, int]
"""Name of a law -> its line."""


class Tactics:
    """Procedures over one ledger and the laws proved in it so far."""

    def __init__(self, ledger: Ledger, laws: Laws) -> None:
        self.ledger, self.laws = ledger, laws
        self.terms = ledger.terms
        self._unit_memo: dict[int, int] = {}

    def fork(self) -> Tactics:
        """The same laws over a ledger of their own."""
        return Tactics(self.ledger.fork(), self.laws)

    def use(self, law: str | int, *proofs: int, **image: int) -> int:
        """An instance of a law: the value of ``x=`` is put for ``?x``; `proofs` discharge hypotheses."""
        line = self.laws[law] if isinstance(law, str) else law
        var = self.terms.var
        return self.ledger.lemma(line, {var("?" + name): term for name, term in image.items()}, proofs)

    def chain(self, start: int, *steps: int) -> int:
        """start = t by rewriting all occurrences with one theorem after the other; the right sides are read off."""
        ledger, lines = self.ledger, list[int]()
        at = start
        for step in steps:
            line = ledger.rewrite(at, [step])
            if ledger.left[line] == ledger.right[line]:
                raise InvariantError(f"nothing to rewrite in {ledger.word(at)} by {ledger.show(step)}")
            lines.append(line)
            at = ledger.right[line]
        return ledger.trans(*lines) if lines else ledger.refl(start)

    def calc(self, start: int, *items: int | tuple[int, ...], ground: Mapping[int, int] | None = None) -> int:
        """start = t_1 = t_2 = ...: an integer rewrites by that theorem, ``(term,)`` moves there by AC and unit laws."""
        ledger, line = self.ledger, self.ledger.refl(start)
        for item in items:
            at = ledger.right[line]
            if isinstance(item, tuple):
                step = self.ac(at, item[0], ground)
            else:
                step = ledger.rewrite(at, [item])
                if ledger.left[step] == ledger.right[step] and ledger.left[item] != ledger.right[item]:
                    raise InvariantError(f"nothing to rewrite in {ledger.word(at)} by {ledger.show(item)}")
            line = ledger.trans(line, step)
        return line

    # unit laws -------------------------------------------------------------------------------------------

    def unit(self, term: int) -> int | None:
        """term = u by one unit, complement or double-negation law at the root, if one applies."""
        terms, laws = self.terms, self.laws
        op, _, arguments = terms.nodes[term]
        if op == "neg":
            a = arguments[0]
            inner = terms.op(a)
            if inner == "neg":
                return self.use("A4", x=terms.args(a)[0])
            return laws["neg_zero"] if inner == "0" else laws["neg_one"] if inner == "1" else None
        if op not in ("oplus", "odot"):
            return None
        a, b = arguments
        kind = "plus" if op == "oplus" else "times"
        if b <= terms.one:  # 0 and 1 are the terms number 0 and 1
            return self.use(f"{kind}_zero" if b == terms.zero else f"{kind}_one", x=a)
        if a <= terms.one:
            return self.use(f"zero_{kind}" if a == terms.zero else f"one_{kind}", x=b)
        if terms.op(b) == "neg" and terms.args(b)[0] == a:
            return self.use(f"{kind}_neg", x=a)
        if terms.op(a) == "neg" and terms.args(a)[0] == b:
            return self.use(f"neg_{kind}", x=b)
        return None

    def units(self, term: int) -> int:
        """term = u, no unit law applies anywhere in u."""
        ledger, memo = self.ledger, self._unit_memo
        if term in memo:
            return memo[term]
        for k in self.terms.below([term]):
            if k in memo:
                continue
            line = ledger.rewrite(k, [memo[a] for a in self.terms.args(k)]) if self.terms.args(k) else ledger.refl(k)
            at = ledger.right[line]
            if at in memo:
                line = ledger.trans(line, memo[at])
            else:
                step = self.unit(at)
                if step is not None:
                    rest = ledger.right[step]
                    line = ledger.trans(line, step, memo[rest] if rest in memo else self.units(rest))
                    memo[at] = ledger.trans(step, memo.get(rest, ledger.refl(rest)))
            memo[k] = line
        return memo[term]

    def simplify(self, term: int, *facts: int) -> int:
        """term = u by the facts (left to right, repeatedly) and the unit laws."""
        ledger, line = self.ledger, self.ledger.refl(term)
        while True:
            at = ledger.right[line]
            line = ledger.trans(line, self.units(at))
            step = ledger.rewrite(ledger.right[line], facts)
            if ledger.left[step] == ledger.right[step]:
                return line
            line = ledger.trans(line, step)

    # associativity and commutativity -----------------------------------------------------------------------

    def _sort_key(self, term: int) -> tuple[int, int]:
        return (self.terms.args(term)[0], 1) if self.terms.op(term) == "neg" else (term, 0)

    def _root(self, term: int, ground: Mapping[int, int] | None) -> int | None:
        if ground and term in ground:
            return ground[term]
        line = self.unit(term)
        if line is not None:
            return line
        terms = self.terms
        op, _, arguments = terms.nodes[term]
        if op in ("oplus", "odot") and terms.op(arguments[1]) == op:  # a.(~a.rest)
            a, (b, rest) = arguments[0], terms.args(arguments[1])
            if (terms.op(b) == "neg" and terms.args(b)[0] == a) or (terms.op(a) == "neg" and terms.args(a)[0] == b):
                law = "plus_assoc" if op == "oplus" else "times_assoc"
                line = self.use(law, x=a, y=b, z=rest)
                pair = self.unit(terms.make(op, (a, b)))
                assert pair is not None
                line = self.ledger.trans(line, self.ledger.rewrite(self.ledger.right[line], [pair]))
                final = self._root(self.ledger.right[line], ground)
                return line if final is None else self.ledger.trans(line, final)
        return None

    def _finish(self, line: int, ground: Mapping[int, int] | None) -> int:
        step = self._root(self.ledger.right[line], ground)
        return line if step is None else self.ledger.trans(line, step)

    def _insert(self, op: str, a: int, b: int, ground: Mapping[int, int] | None) -> int:
        """a.b for an atom a and a sorted right-nested b."""
        ledger, terms = self.ledger, self.terms
        term = terms.make(op, (a, b))
        step = self._root(term, ground)
        if step is not None:
            return step
        word = "plus" if op == "oplus" else "times"
        if terms.op(b) != op:
            return ledger.refl(term) if self._sort_key(a) <= self._sort_key(b) else self.use(f"{word}_comm", x=a, y=b)
        first, rest = terms.args(b)
        if self._sort_key(a) <= self._sort_key(first):
            return ledger.refl(term)
        line = self.use(f"{word}_left_comm", x=a, y=first, z=rest)
        inner = self._insert(op, a, rest, ground)
        line = ledger.trans(line, self._under(op, first, inner))
        return self._finish(line, ground)

    def _under(self, op: str, first: int, line: int) -> int:
        """first.l = first.r from l = r, only the second argument being touched."""
        ledger = self.ledger
        if ledger.left[line] == ledger.right[line]:
            return ledger.refl(self.terms.make(op, (first, ledger.left[line])))
        return ledger.cong(self.terms.make(op, (first, ledger.left[line])), ledger.refl(first), line)

    def _merge(self, op: str, a: int, b: int, ground: Mapping[int, int] | None) -> int:
        """a.b for sorted right-nested a and b."""
        ledger, terms = self.ledger, self.terms
        if terms.op(a) != op:
            return self._insert(op, a, b, ground)
        first, rest = terms.args(a)
        back = ledger.sym(self.use("plus_assoc" if op == "oplus" else "times_assoc", x=first, y=rest, z=b))
        inner = self._merge(op, rest, b, ground)
        line = ledger.trans(back, self._under(op, first, inner))
        return ledger.trans(line, self._insert(op, first, ledger.right[inner], ground))

    def normal(self, term: int, ground: Mapping[int, int] | None = None, memo: dict[int, int] | None = None) -> int:
        """term = u, arguments of (+) and (.) nested to the right and sorted, unit laws and `ground` applied."""
        ledger, terms = self.ledger, self.terms
        memo = {} if memo is None else memo
        for k in terms.below([term]):
            if k in memo:
                continue
            line = ledger.rewrite(k, [memo[a] for a in terms.args(k)]) if terms.args(k) else ledger.refl(k)
            at = ledger.right[line]
            step = self._root(at, ground)
            if step is not None:
                line = ledger.trans(line, step)
            elif terms.op(at) in ("oplus", "odot"):
                a, b = terms.args(at)
                line = ledger.trans(line, self._merge(terms.op(at), a, b, ground))
            memo[k] = line
        return memo[term]

    def ac(self, left: int, right: int, ground: Mapping[int, int] | None = None) -> int:
        """left = right, if the normal forms agree."""
        ledger = self.ledger
        first, second = self.normal(left, ground), self.normal(right, ground)
        if ledger.right[first] != ledger.right[second]:
            a, b = ledger.word(ledger.right[first]), ledger.word(ledger.right[second])
            raise InvariantError(f"different normal forms {a} and {b} of {ledger.word(left)} and {ledger.word(right)}")
        return ledger.trans(first, ledger.sym(second))
