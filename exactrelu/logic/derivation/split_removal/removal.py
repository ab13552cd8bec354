"""Every derivation with case splits becomes one without.

Below a split, a sequent H |- l = r becomes the unconditional inequalities l <= r + N, r <= l + N of `bounds`.  The two cases
of a split on s, t say that w = l.~(r + R) is below a multiple of s.t and below a multiple of ~(s + t); these two are
disjoint, so w = 0.  All other sequents are copied; hypotheses stay only in conditional lemmas whose hypotheses are proved
wherever they are used.
"""

from __future__ import annotations

from typing import Any

from exactrelu.errors import InvariantError, PreconditionError
from exactrelu.logic.derivation.export import needed
from exactrelu.logic.derivation.ledger import Ledger
from exactrelu.logic.derivation.split_removal.bounded_rules import BoundedRules
from exactrelu.logic.derivation.split_removal.bounds import Bound
from exactrelu.logic.derivation.split_removal.order import Order


def without_splits(source: Ledger, line: int) -> tuple[Ledger, int]:
    """A ledger without split lines and the theorem in it that equals the given one, which has no hypotheses.

    Raises:
        PreconditionError: an argument of delta_n or of a scalar was rewritten under a hypothesis that is split on.
    """
    if source.hypotheses[line]:
        raise PreconditionError(f"hypotheses are left: {source.show(line)}")
    removal = _Removal(source, line)
    result = removal.theorem(line)
    if removal.out.hypotheses[result]:
        raise InvariantError(f"hypotheses are left: {removal.out.show(result)}")
    return removal.out, result


class _Removal:
    """The new ledger, and for each old line its copy or its bound."""

    def __init__(self, source: Ledger, line: int) -> None:
        self.source = source
        self.order = Order()
        self.rules = BoundedRules(self.order)
        self.out = self.order.ledger
        self._terms: list[int] = []
        self._copies: dict[int, int] = {}
        self._bounds: dict[int, Bound] = {}
        self._needed = needed(source, line)

    def theorem(self, line: int) -> int:
        """The copy of an old line, made with those it needs, each after its premises."""
        for number, bound in self._plan(line):
            if bound:
                self._bounds[number] = self._bound(number)
            else:
                self._copies[number] = self._copy(number)
        return self._copies[line]

    def _plan(self, line: int) -> list[tuple[int, bool]]:
        """Old lines with the form that is needed: a copy (False) or a bound (True)."""
        wanted, stack = set[tuple[int, bool]](), [(line, False)]
        while stack:
            entry = stack.pop()
            if entry not in wanted:
                wanted.add(entry)
                stack += self._premises(*entry)
        return sorted(wanted, key=lambda entry: (entry[0], not entry[1]))  # a copy of a split is made from its bound

    def _premises(self, line: int, bound: bool) -> list[tuple[int, bool]]:
        rule, _, premises = self.source.lines[line]
        if rule == "split" and not bound:
            return [(line, True)]
        if not bound:
            return [(j, False) for j in premises]
        return [(j, self.source.hypotheses[j] != 0) for j in premises]

    def _term(self, old: int) -> int:
        nodes = self.source.terms.nodes
        for k in range(len(self._terms), old + 1):
            op, data, arguments = nodes[k]
            self._terms.append(self.out.terms.make(op, tuple([self._terms[a] for a in arguments]), data))
        return self._terms[old]

    def _copy(self, line: int) -> int:
        rule, payload, premises = self.source.lines[line]
        out, term = self.out, self._term
        before = [self._copies.get(j, -1) for j in premises]
        if rule == "axiom":
            return out.axiom(*payload)
        if rule == "definition":
            return out.definition(*payload)
        if rule == "refl":
            return out.refl(term(payload))
        if rule == "assume":
            return out.assume(term(payload[0]), term(payload[1]))
        if rule == "sym":
            return out.sym(*before)
        if rule == "trans":
            return out.trans(*before)
        if rule == "cong":
            return out.cong(term(payload), *before)
        if rule == "rewrite":
            return out.rewrite(term(payload), before)
        if rule == "lemma":
            return out.lemma(before[0], {term(a): term(b) for a, b in payload}, before[1:])
        if rule == "cut":
            return out.cut(*before)
        return self._conditional(line)

    def _conditional(self, line: int) -> int:
        """H |- l = r from its bound: under H all distances vanish."""
        bound = self._bounds[line]
        left, right = self._term(self.source.left[line]), self._term(self.source.right[line])
        for h in [*bound.levels]:
            bound = self.rules.discharged(bound, left, right, h, self.out.assume(*h))
        return bound.upper

    def _result(self, line: int) -> Bound:
        """The bound of a premise; a theorem without hypotheses has no levels."""
        if self.source.hypotheses[line]:
            return self._bounds[line]
        copy = self._copies[line]
        return Bound({}, copy, copy)

    def _bound(self, line: int) -> Bound:
        rule, payload, premises = self.source.lines[line]
        rules, term = self.rules, self._term
        left, right = term(self.source.left[line]), term(self.source.right[line])
        results = [self._result(j) for j in premises]
        if rule == "assume":
            return rules.assumed(left, right)
        if rule == "sym":
            return rules.turned(results[0])
        if rule == "trans":
            ends = [term(self.source.right[j]) for j in premises]
            return rules.chained(left, ends, results)
        if rule == "cong":
            return rules.congruent(left, right, results)
        if rule == "rewrite":
            return rules.rewritten(left, {term(self.source.left[j]): (term(self.source.right[j]), result)
                                          for j, result in zip(premises, results)})
        if rule == "split":
            return rules.split(left, right, (term(payload[0]), term(payload[1])), results[0], results[1])
        proofs: list[tuple[Any, Bound]] = [((term(self.source.left[j]), term(self.source.right[j])), result)
                                           for j, result in zip(premises[1:], results[1:])]
        start = results[0]
        if rule == "lemma":
            start = rules.instance(start, {term(a): term(b) for a, b in payload}, left, right)
            return rules.cut(start, left, right, proofs, True)
        if rule == "cut":
            return rules.cut(start, left, right, proofs, False)
        raise InvariantError(f"a {rule} line has no hypotheses")
