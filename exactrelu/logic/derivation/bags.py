"""Bags: the same affine form as a sum of other formulae, or of the same ones in another order.

``T(c; L)`` is the term of clip(c + sum of L), see `ladder`.  A bag is *canonical* if its members are literals, sorted, and
no atom stands beside its negation; the canonical bag of an affine form is unique, so two formulae that are affine with the
same form on a cell are equal there because both equal one T(c; L).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial

from exactrelu.errors import BudgetExceeded, InvariantError
from exactrelu.logic.derivation.ladder import Bag, Ladders

Facts = Mapping[tuple[int, int], tuple[int, int]]
"""Arguments (a, b) of a gate -> (0, a theorem a (.) b = 0) or (1, a theorem a (+) b = 1)."""
MOST_LITERALS = 200


class Bags:
    """Equations between levels of ladders over different bags."""

    def __init__(self, ladders: Ladders, tick: Callable[[], None]) -> None:
        self.ladders, self.ledger, self.terms, self.tick = ladders, ladders.ledger, ladders.terms, tick
        self._inserted: dict[tuple[int, Bag, int], int] = {}

    def literal_key(self, literal: int) -> tuple[int, int]:
        """Literals of one atom stand together, the atom first."""
        return (self.terms.args(literal)[0], 1) if self.terms.op(literal) == "neg" else (literal, 0)

    def opposite(self, a: int, b: int) -> bool:
        """Whether one literal is the negation of the other."""
        return self.literal_key(a)[0] == self.literal_key(b)[0] and a != b

    # one law under the formulae that follow ------------------------------------------------------------------

    def lift(self, c: int, shift: int, before: Bag, after: Bag, rest: Bag, family: Callable[[int], int]) -> int:
        """T(c; before, rest) = T(c + shift; after, rest), from the theorems family(i): T(i; before) = T(i + shift; after)."""
        ladders, ledger = self.ladders, self.ledger
        if not rest:
            return family(c)
        start, end = ladders.term(c, before + rest), ladders.term(c + shift, after + rest)
        if start == end:
            return ledger.refl(start)
        lines = []
        for i in range(c, c + len(rest) + 1):
            (old, fixed), (new, other) = ladders.level(i, before), ladders.level(i + shift, after)
            if old != new:
                if fixed is not None or other is not None:
                    return self._lift_folded(c, shift, before, after, rest, family)
                lines.append(family(i))
        line = ledger.rewrite(start, lines)
        if ledger.right[line] == end:
            return line
        return self._lift_folded(c, shift, before, after, rest, family)  # a member of `rest` contains a level

    def _lift_folded(self, c: int, shift: int, before: Bag, after: Bag, rest: Bag, family: Callable[[int], int]) -> int:
        """The same one formula at a time, where levels are constant on one side only."""
        lines = {i: family(i) for i in range(c, c + len(rest) + 1)}
        old, new = before, after
        for count, f in enumerate(rest, 1):
            lines = {i: self._lift_one(i, shift, old, new, f, lines) for i in range(c, c + len(rest) - count + 1)}
            old, new = (*old, f), (*new, f)
        return lines[c]

    def _lift_one(self, c: int, shift: int, old: Bag, new: Bag, f: int, lines: Mapping[int, int]) -> int:
        ladders, ledger = self.ladders, self.ledger
        start, end = ladders.term(c, (*old, f)), ladders.term(c + shift, (*new, f))
        if start == end:
            return ledger.refl(start)
        first = (ladders.level(c, old), ladders.level(c + 1, old))
        second = (ladders.level(c + shift, new), ladders.level(c + 1 + shift, new))
        flags = tuple([a if a is not None else b for (_, a), (_, b) in zip(first, second)])
        left = self._folded(first, flags, (lines[c], lines[c + 1]), f)
        right = self._folded(second, flags, (ledger.sym(lines[c]), ledger.sym(lines[c + 1])), f)
        line = ledger.trans(left, self._replace(ledger.right[left], first, flags, second, (lines[c], lines[c + 1]), f), ledger.sym(right))
        if (ledger.left[line], ledger.right[line]) != (start, end):
            raise InvariantError(f"the step does not lift: {ledger.show(line)}")
        return line

    def _folded(self, levels: tuple[tuple[int, int | None], ...], flags: tuple[int | None, ...], lines: tuple[int, int], f: int) -> int:
        """The step over `levels`, with levels replaced by 0 or 1 where `flags` say so but the levels do not."""
        ladders, ledger, terms = self.ladders, self.ledger, self.terms
        (r, low), (q, high) = levels
        if low == 1 or high == 0:  # the step itself is constant
            return ledger.refl(r if low == 1 else q)
        start = ladders.step(levels, f)[0]
        line = ledger.refl(start)
        q_line = lines[1] if flags[1] is not None and high is None else ledger.refl(q)
        r_line = lines[0] if flags[0] is not None and low is None else ledger.refl(r)
        if high is None:  # q (.) f occurs
            product = ledger.cong(terms.times(q, f), q_line, ledger.refl(f))
            step = self._unit_of(ledger.right[product], flags[1])
            product = ledger.trans(product, step)
        else:
            product = ledger.refl(f)
        if low is None:
            line = ledger.cong(start, r_line, product)
            if flags[0] is not None:
                line = ledger.trans(line, self._unit_sum(ledger.right[line], flags[0]))
            elif flags[1] == 0:
                line = ledger.trans(line, self._unit_sum_zero(ledger.right[line]))
        else:
            line = product
        return line

    def _unit_of(self, product: int, flag: int | None) -> int:
        """1 (.) f = f or 0 (.) f = 0."""
        if flag is None:
            return self.ledger.refl(product)
        return self.ladders.tactics.use("one_times" if flag else "zero_times", x=self.terms.args(product)[1])

    def _unit_sum(self, total: int, flag: int) -> int:
        return self.ladders.tactics.use("one_plus" if flag else "zero_plus", x=self.terms.args(total)[1])

    def _unit_sum_zero(self, total: int) -> int:
        return self.ladders.tactics.use("plus_zero", x=self.terms.args(total)[0])

    def _replace(self, start: int, first: tuple[tuple[int, int | None], ...], flags: tuple[int | None, ...],
                 second: tuple[tuple[int, int | None], ...], lines: tuple[int, int], f: int) -> int:
        """In the folded step: the levels that are constant on neither side."""
        ledger, terms = self.ledger, self.terms
        if flags[0] == 1 or flags[1] == 0:
            if flags[1] == 0 and flags[0] is None and first[0][0] != second[0][0]:
                return lines[0]
            return ledger.refl(start)
        inner = f
        line = ledger.refl(f)
        if flags[1] is None:
            inner = terms.times(first[1][0], f)
            line = ledger.cong(inner, lines[1], ledger.refl(f))
        if flags[0] is None:
            line = ledger.cong(terms.plus(first[0][0], inner), lines[0], line)
        return line

    # order -------------------------------------------------------------------------------------------------

    def swap_at(self, c: int, bag: Bag, i: int) -> int:
        """T(c; ..., f, g, ...) = T(c; ..., g, f, ...) at the places i, i + 1."""
        prefix, f, g, rest = bag[:i], bag[i], bag[i + 1], bag[i + 2:]
        return self.lift(c, 0, (*prefix, f, g), (*prefix, g, f), rest, lambda at: self.law("swap", at, prefix, f, g))

    def law(self, name: str, c: int, prefix: Bag, f: int, g: int) -> int:
        """A law without hypotheses for two formulae added to a prefix."""
        line = self.ladders.law(name, c, prefix, f=f, g=g)
        return line

    def permute(self, c: int, bag: Bag, wanted: Bag) -> int:
        """T(c; bag) = T(c; wanted) for two orders of the same members."""
        line = self.ledger.refl(self.ladders.term(c, bag))
        for place, member in enumerate(wanted):
            for i in range(bag.index(member, place), place, -1):
                line = self.ledger.trans(line, self.swap_at(c, bag, i - 1))
                bag = (*bag[: i - 1], bag[i], bag[i - 1], *bag[i + 1:])
            self.tick()
        return line

    def insertion(self, bag: Bag, literal: int) -> tuple[int, Bag]:
        """Shift and canonical bag that belong to a canonical bag and one more literal."""
        key = self.literal_key(literal)
        place = len(bag)
        while place and self.literal_key(bag[place - 1]) > key:
            place -= 1
            if self.opposite(bag[place], literal):
                return 1, bag[:place] + bag[place + 1:]
        if place and self.opposite(bag[place - 1], literal):
            return 1, bag[: place - 1] + bag[place:]
        return 0, (*bag[:place], literal, *bag[place:])

    def insert(self, c: int, bag: Bag, literal: int) -> int:
        """T(c; bag, literal) = T(c + shift; canonical), see `insertion`."""
        key = (c, bag, literal)
        line = self._inserted.get(key)
        if line is None:
            shift, wanted = self.insertion(bag, literal)
            ladders = self.ladders
            start, end = ladders.term(c, (*bag, literal)), ladders.term(c + shift, wanted)
            if start == end:
                line = self.ledger.refl(start)
            elif self.opposite(bag[-1], literal):
                line = self._cancel(c, bag[:-1], bag[-1], literal)
            else:
                last, rest = bag[-1], bag[:-1]
                turn = self.law("swap", c, rest, last, literal)
                inner = self.insertion(rest, literal)[1]
                under = self.lift(c, shift, (*rest, literal), inner, (last,), lambda at: self.insert(at, rest, literal))
                line = self.ledger.trans(turn, under)
            self._inserted[key] = line
        return line

    def _cancel(self, c: int, bag: Bag, a: int, b: int) -> int:
        if self.terms.op(b) == "neg":
            return self.law("cancel", c, bag, a, a)
        return self.ledger.trans(self.law("swap", c, bag, a, b), self.law("cancel", c, bag, b, b))

    # sums and products that are exact ------------------------------------------------------------------------

    def canonical(self, c: int, members: Bag, facts: Facts, done: int = 0) -> tuple[int, Bag, int]:
        """c', L and a theorem T(c; members) = T(c'; L) with L canonical.

        Args:
            facts: what is known of the gates in the members; a sum needs a (.) b = 0, a product a (+) b = 1.
            done: so many first members are a canonical bag already.
        """
        ladders, ledger, terms = self.ladders, self.ledger, self.terms
        prefix, queue = members[:done], [*reversed(members[done:])]
        lines = [ledger.refl(ladders.term(c, members))]
        while queue:
            u = queue.pop()
            rest = tuple(reversed(queue))
            op = terms.op(u)
            if len(prefix) + len(rest) > MOST_LITERALS:
                raise BudgetExceeded(f"an affine form needs more than {MOST_LITERALS} literals")
            if op in ("oplus", "odot"):
                a, b = terms.args(u)
                kind, fact = facts[a, b]
                if (op == "oplus") != (kind == 0):
                    raise InvariantError(f"{ledger.word(u)} is constant here")
                shift, after = -kind, (*prefix, a, b)
                family = partial(self._gate, "product" if kind else "sum", shift, prefix, fact, a, b)
                queue += [b, a]
            elif u <= terms.one:
                shift, after = u, prefix  # 0 and 1 are the terms number 0 and 1
                family = partial(self._constant, "add_one" if u else "add_zero", prefix)
            else:
                shift, after = self.insertion(prefix, u)
                family = partial(self._inserting, prefix, u)
            lines.append(self.lift(c, shift, (*prefix, u), after, rest, family))
            c += shift
            if op not in ("oplus", "odot"):
                prefix = after
            self.tick()
        return c, prefix, ledger.trans(*lines)

    def _gate(self, law: str, shift: int, prefix: Bag, fact: int, a: int, b: int, c: int) -> int:
        return self.ladders.law(law, c + shift, prefix, fact, f=a, g=b)

    def _constant(self, law: str, prefix: Bag, c: int) -> int:
        return self.ladders.law(law, c, prefix)

    def _inserting(self, prefix: Bag, literal: int, c: int) -> int:
        return self.insert(c, prefix, literal)
