"""Consequences of linear inequalities, proved: from p_k <= 0 to d <= 0 by the multipliers of a linear program.

A *zero fact* (c, L, line) proves T(c; L) = 0, which says that the affine form c + sum of L is at most 0.  If
``N d + e = sum l_k p_k + (bounds of the cube)`` with N >= 1 and e >= 0 then d <= 0.  The sum of zero facts comes from the
monotony of the step, a bound drops a literal or appends one a level lower, and N d <= 0 gives d <= 0 by one case split on
the two neighboring levels T(d + 1) and T(d).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from exactrelu.errors import InvariantError
from exactrelu.logic.derivation.bags import Bags
from exactrelu.logic.derivation.ladder import Bag


class ZeroFact(NamedTuple):
    """A theorem T(c; bag) = 0 for a canonical bag."""

    c: int
    bag: Bag
    line: int


class ZeroFacts:
    """Sums, bounds and division of zero facts."""

    def __init__(self, bags: Bags) -> None:
        self.bags, self.ladders, self.ledger, self.terms = bags, bags.ladders, bags.ledger, bags.terms
        self.tactics = self.ladders.tactics
        self._sums: dict[tuple[int, int], ZeroFact] = {}

    # levels below, inequalities between levels ------------------------------------------------------------------

    def lower(self, fact: ZeroFact, c: int) -> int:
        """T(c; bag) = 0 for a level at or below the one of the fact."""
        line, term, use = fact.line, self.ladders.term, self.tactics.use
        for at in range(fact.c - 1, c - 1, -1):
            good = self.ladders.good(at, fact.bag)
            line = use("level_below", good, line, p=term(at + 1, fact.bag), q=term(at, fact.bag))
        return line

    def at_most_zero(self, term: int, zero: int) -> int:
        """term <= 0, from term = 0."""
        terms, ledger = self.terms, self.ledger
        start = terms.times(term, terms.neg(terms.zero))
        line = ledger.cong(start, zero, ledger.refl(terms.neg(terms.zero)))
        return ledger.trans(line, self.tactics.use("zero_times", x=terms.neg(terms.zero)))

    def vanishing(self, small: int, order: int, zero: int) -> int:
        """small = 0, from small <= large and large = 0."""
        large = self.ledger.left[zero]
        return self.tactics.use("below_zero", order, zero, x=small, y=large)

    def climb(self, c: int, low: Bag, d: int, high: Bag, tail: Bag, base: Callable[[int], int]) -> int:
        """T(c; low, tail) <= T(d; high, tail), from base(i): T(c + i; low) <= T(d + i; high) for 0 <= i <= |tail|."""
        lines = [base(i) for i in range(len(tail) + 1)]
        for count in range(1, len(tail) + 1):
            small, large, f = (*low, *tail[: count - 1]), (*high, *tail[: count - 1]), tail[count - 1]
            lines = [self._climb_one(c + i, small, d + i, large, f, lines[i], lines[i + 1]) for i in range(len(lines) - 1)]
            self.bags.tick()
        return lines[0]

    def _climb_one(self, c: int, low: Bag, d: int, high: Bag, f: int, first: int, second: int) -> int:
        ladders, terms = self.ladders, self.terms
        smaller, larger = ladders.level(c, (*low, f)), ladders.level(d, (*high, f))
        wanted = terms.times(smaller[0], terms.neg(larger[0]))
        if smaller[1] == 0:
            return self.tactics.use("zero_times", x=terms.neg(larger[0]))
        if larger[1] == 1:
            return self.tactics.units(wanted) if smaller[1] == 1 else self.under_one(smaller[0])
        levels = (ladders.level(c, low), ladders.level(c + 1, low), ladders.level(d, high), ladders.level(d + 1, high))
        line = ladders.monotone(tuple(flag for _, flag in levels))
        (r, _), (q, _), (s, _), (p, _) = levels
        result = self.tactics.use(line, first, second, r=r, q=q, s=s, p=p, f=f)
        if self.ledger.left[result] != wanted:
            raise InvariantError(f"another inequality: {self.ledger.show(result)}")
        return result

    def under_one(self, term: int) -> int:
        """term <= 1."""
        return self.tactics.use("at_most_one", x=term)

    # combination ---------------------------------------------------------------------------------------------------

    def add(self, first: ZeroFact, second: ZeroFact) -> ZeroFact:
        """The zero fact of the sum."""
        if len(second.bag) > len(first.bag):
            first, second = second, first
        key = (first.line, second.line)
        if key not in self._sums:
            self._sums[key] = self._add(first, second)
        return self._sums[key]

    def _add(self, first: ZeroFact, second: ZeroFact) -> ZeroFact:
        ladders, bag, tail = self.ladders, first.bag, second.bag
        lowered: dict[int, int] = {}

        def base(i: int) -> int:  # T(first.c + second.c + i; bag) <= T(second.c + i; ())
            at = second.c + i
            term = ladders.term(first.c + at, bag)
            if at >= 1:
                return self.under_one(term)
            if at not in lowered:
                lowered[at] = self.lower(first, first.c + at)
            return self.at_most_zero(term, lowered[at])

        c = first.c + second.c
        if c >= 1 and not bag and not tail:
            return ZeroFact(c, (), first.line if first.c >= 1 else second.line)
        order = self.climb(c, bag, second.c, (), tail, base)
        small = ladders.term(c, bag + tail)
        zero = self.vanishing(small, order, second.line)
        at, canonical, equal = self.bags.canonical(c, bag + tail, {}, len(bag))
        return ZeroFact(at, canonical, self.ledger.trans(self.ledger.sym(equal), zero))

    def bounded(self, fact: ZeroFact, wanted: Bag, c: int) -> int:
        """T(c; wanted) = 0 for a canonical bag that differs from the fact by bounds of the cube only."""
        ledger, bags = self.ledger, self.bags
        kept, extra = list[int](), list(wanted)
        dropped = list[int]()
        for literal in fact.bag:
            if literal in extra:
                extra.remove(literal)
                kept.append(literal)
            else:
                dropped.append(literal)
        order = tuple(kept + dropped)
        line = ledger.trans(ledger.sym(bags.permute(fact.c, fact.bag, order)), fact.line)
        while len(order) > len(kept):  # T(c; P, f) = T(c; P) + ... = 0 makes T(c; P) = 0
            line = self._drop(fact.c, order[:-1], order[-1], line)
            order = order[:-1]
        at = ZeroFact(fact.c, order, line)
        for literal in extra:  # T(c - 1; P, f) = T(c - 1; P) + (T(c; P) . f)
            at = self._append(at, literal)
        line = self.lower(at, c)
        return ledger.trans(bags.permute(c, wanted, at.bag), line)

    def _drop(self, c: int, bag: Bag, f: int, line: int) -> int:
        ladders = self.ladders
        (r, low), (q, high) = ladders.level(c, bag), ladders.level(c + 1, bag)
        if low is not None:
            if low == 1:
                raise InvariantError("1 = 0 is no fact about a bag")
            return self.ledger.refl(r)
        rest = f if high == 1 else self.terms.times(q, f)
        return self.tactics.use("summand", line, x=r, y=rest)

    def _append(self, fact: ZeroFact, f: int) -> ZeroFact:
        ladders, ledger, terms = self.ladders, self.ledger, self.terms
        c, bag = fact.c - 1, fact.bag
        (r, low), (q, high) = ladders.level(c, bag), ladders.level(c + 1, bag)
        term = ladders.level(c, (*bag, f))
        if term[1] == 0:
            return ZeroFact(c, (*bag, f), ledger.refl(terms.zero))
        if high is not None:
            raise InvariantError("the level above a zero fact is constant")
        product = terms.times(q, f)
        gone = ledger.trans(ledger.cong(product, fact.line, ledger.refl(f)), self.tactics.use("zero_times", x=f))
        if low is None:
            both = ledger.cong(terms.plus(r, product), self.lower(fact, c), gone)
            gone = ledger.trans(both, self.tactics.use("plus_zero", x=terms.zero))
        return ZeroFact(c, (*bag, f), gone)

    def divide(self, c: int, bag: Bag, n: int, line: int) -> int:
        """T(c; bag) = 0, from T(n c; bag repeated n times) = 0.

        If T(d + 1) = 1 for the form d, the ladder of d is above the one of 0, so T((n-1) d) <= T(n d) = 0, and so on.
        """
        ladders, terms, use = self.ladders, self.terms, self.tactics.use
        if n == 1 or ladders.level(c, bag)[1] == 0:
            return line
        above, below = ladders.level(c + 1, bag), ladders.level(c, bag)
        ones = dict[int, int]()
        if above[1] is None:
            good = ladders.good(c, bag)
            first = use("vanishes", good, p=above[0], q=below[0])
            ones[1] = use("fills", good, p=above[0], q=below[0])

        def one(i: int) -> int:  # T(c + i; bag) = 1
            for j in range(2, i + 1):
                if j not in ones:
                    p, q = ladders.term(c + j, bag), ladders.term(c + j - 1, bag)
                    ones[j] = use("level_above", ladders.good(c + j - 1, bag), ones[j - 1], p=p, q=q)
            return ones[i]

        for k in range(n, 1, -1):
            tail = bag * (k - 1)
            start = (k - 1) * c

            def base(i: int, start: int = start) -> int:  # T(start + i; ()) <= T(start + i + c; bag)
                at = start + i
                large = ladders.term(at + c, bag)
                if at <= 0:
                    return use("zero_times", x=terms.neg(large))
                wanted = terms.times(terms.one, terms.neg(large))
                turned = self.ledger.rewrite(wanted, [one(at)]) if large != terms.one else self.ledger.refl(wanted)
                return self.ledger.trans(turned, self.tactics.units(self.ledger.right[turned]))

            order = self.climb(start, (), start + c, bag, tail, base)
            line = self.vanishing(ladders.term(start, tail), order, line)
        return line if above[1] == 1 else self.ledger.split(above[0], below[0], first, line)

    def combine(self, facts: Sequence[tuple[ZeroFact, int]], n: int, c: int, bag: Bag) -> int:
        """T(c; bag) = 0 for a form d = c + sum of the bag with n d <= sum of count times fact, up to bounds."""
        if self.ladders.level(c, bag)[1] == 0:
            return self.ledger.refl(self.terms.zero)
        total: ZeroFact | None = None
        for fact, count in facts:
            for _ in range(count):
                total = fact if total is None else self.add(total, fact)
        if total is None:
            raise InvariantError("bounds alone prove constant levels only")
        repeated = tuple(sorted(bag * n, key=self.bags.literal_key))
        line = self.bounded(total, repeated, n * c)
        if n > 1:
            line = self.ledger.trans(self.bags.permute(n * c, bag * n, repeated), line)
        return self.divide(c, bag, n, line)
