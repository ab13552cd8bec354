"""Negation normal form: only (+), (.), 0, 1 and literals, definitions unfolded, unit laws applied, arguments sorted.

Atoms are variables and terms delta_n w with w in normal form.  Both polarities of every subterm are treated together.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from exactrelu.logic.derivation.tactics import Tactics

DEFINED = {"imp": "D3", "vee": "D4", "wedge": "D5"}


class NormalForms:
    """Theorems t = u and ~t = v with u and v in normal form."""

    def __init__(self, tactics: Tactics) -> None:
        self.tactics, self.ledger, self.terms = tactics, tactics.ledger, tactics.terms
        self._unfolded: dict[int, int] = {}
        self._positive: dict[int, int] = {}
        self._negative: dict[int, int] = {}

    def of(self, term: int) -> int:
        """term = its normal form."""
        line = self._unfold(term)
        return self.ledger.trans(line, self._both(self.ledger.right[line])[0])

    def dual(self, term: int) -> int:
        """~term = the normal form of the negation; `term` is in normal form or at least unfolded."""
        return self._both(term)[1]

    def _unfold(self, term: int) -> int:
        """term = u, u without ->, |, &, scalars and delta_1."""
        ledger, terms, memo = self.ledger, self.terms, self._unfolded
        for k in terms.below([term]):
            if k in memo:
                continue
            op, data, arguments = terms.nodes[k]
            line = ledger.rewrite(k, [memo[a] for a in arguments]) if arguments else ledger.refl(k)
            at = ledger.right[line]
            if op in DEFINED:
                a, b = terms.args(at)
                line = ledger.trans(line, self.tactics.use(DEFINED[op], x=a, y=b))
            elif op == "scale" and isinstance(data, Fraction):
                line = ledger.trans(line, self.tactics.use(ledger.definition("R1", data), x=terms.args(at)[0]))
                line = ledger.trans(line, self._without_ones(ledger.right[line]))
            elif op == "delta" and data == 1:
                line = ledger.trans(line, self.tactics.use(ledger.axiom("V1", 1), x=terms.args(at)[0]))
            memo[k] = line
        return memo[term]

    def _without_ones(self, term: int) -> int:
        """delta_1 w = w, once, in a multiple of delta_1 w."""
        ones = [k for k in self.terms.below([term]) if self.terms.nodes[k][:2] == ("delta", 1)]
        return self.ledger.rewrite(term, [self.tactics.use(self.ledger.axiom("V1", 1), x=self.terms.args(k)[0]) for k in ones[-1:]])

    def _both(self, term: int) -> tuple[int, int]:
        terms, positive, negative = self.terms, self._positive, self._negative
        for k in terms.below([term]):
            if k not in positive:
                positive[k], negative[k] = self._pair(k)
        return positive[term], negative[term]

    def _pair(self, k: int) -> tuple[int, int]:
        """k = u and ~k = v, those of the arguments being known."""
        terms, ledger, use = self.terms, self.ledger, self.tactics.use
        op, _, arguments = terms.nodes[k]
        no = terms.neg(k)
        if op in ("0", "1"):
            return ledger.refl(k), self.tactics.laws["neg_zero" if op == "0" else "neg_one"]
        if op == "neg":
            a = arguments[0]
            return self._negative[a], ledger.trans(use("A4", x=a), self._positive[a])
        lines = [self._positive[a] for a in arguments]
        line = ledger.rewrite(k, lines) if lines else ledger.refl(k)
        if op not in ("oplus", "odot"):
            return line, ledger.rewrite(no, [line])
        a, b = arguments
        split = use("de_morgan_plus" if op == "oplus" else "de_morgan_times", x=a, y=b)
        other = ledger.right[split]
        dual = ledger.trans(split, ledger.cong(other, self._negative[a], self._negative[b]))
        line = ledger.cong(k, *lines)
        return self._tidied(line), self._tidied(dual)

    def _tidied(self, line: int) -> int:
        """Apply a unit law or sort the arguments at the root of the right side."""
        ledger, terms = self.ledger, self.terms
        at = ledger.right[line]
        if terms.op(at) in ("oplus", "odot"):
            step = self.tactics.unit(at)
            if step is not None:
                return ledger.trans(line, step)
            a, b = terms.args(at)
            if a > b:
                return ledger.trans(line, self.tactics.use("plus_comm" if terms.op(at) == "oplus" else "times_comm", x=a, y=b))
        return line

    def reduced(self, term: int, facts: Sequence[int]) -> int:
        """term = u, a normal form with the facts g = 0 or g = 1 applied, and tidied again."""
        ledger, terms = self.ledger, self.terms
        image = {ledger.left[k]: k for k in facts}
        memo: dict[int, int] = {}
        for k in terms.below([term]):
            if k in image:
                memo[k] = image[k]
                continue
            op, _, arguments = terms.nodes[k]
            if op not in ("oplus", "odot"):
                memo[k] = ledger.refl(k)
                continue
            lines = [memo[a] for a in arguments]
            if all(ledger.left[a] == ledger.right[a] for a in lines):
                memo[k] = ledger.refl(k)
                continue
            line = self._tidied(ledger.cong(k, *lines))
            at = ledger.right[line]
            memo[k] = ledger.trans(line, image[at]) if at in image else line
        return memo[term]
