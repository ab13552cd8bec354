"""How far two terms can differ when hypotheses fail: l <= r + N and r <= l + N.

For a hypothesis h: a = b let d(h) = (a.~b) + (b.~a); N is the sum, over the hypotheses, of 2^k times d(h), the multiple being
written by repeated doubling.  If all d(h) are 0 then l = r.
"""

from __future__ import annotations

from typing import NamedTuple

from exactrelu.logic.derivation.split_removal.order import Order, Shape

Hypothesis = tuple[int, int]
Levels = dict[Hypothesis, int]
Parts = list[tuple[Hypothesis, int]]


class Bound(NamedTuple):
    """left <= right + N and right <= left + N; without levels it is the one theorem left = right in `upper`."""

    levels: Levels
    upper: int
    lower: int


class Bounds:
    """Terms N and inequalities between them."""

    def __init__(self, order: Order) -> None:
        self.order, self.ledger, self.terms = order, order.ledger, order.terms

    def distance(self, h: Hypothesis) -> int:
        """d(h)."""
        a, b = h
        m = self.terms
        return m.plus(m.times(a, m.neg(b)), m.times(b, m.neg(a)))

    def part(self, h: Hypothesis, k: int) -> int:
        """2^k times d(h)."""
        result = self.distance(h)
        for _ in range(k):
            result = self.terms.plus(result, result)
        return result

    def nested(self, summands: list[int]) -> int:
        """a + (b + (c + ...)); 0 if there is none."""
        if not summands:
            return self.terms.zero
        result = summands[-1]
        for term in reversed(summands[:-1]):
            result = self.terms.plus(term, result)
        return result

    def parts(self, levels: Levels) -> Parts:
        """The parts in their fixed order."""
        return sorted(levels.items())

    def total(self, levels: Levels) -> int:
        """N."""
        return self.nested([self.part(h, k) for h, k in self.parts(levels)])

    @staticmethod
    def shape(indices: list[int]) -> Shape:
        """The shape of `nested`."""
        result: Shape = indices[-1]
        for i in reversed(indices[:-1]):
            result = (i, result)
        return result

    def level_up(self, h: Hypothesis, low: int, high: int) -> int:
        """2^low d(h) <= 2^high d(h)."""
        line = self.order.reflexive(self.part(h, low))
        for k in range(low, high):
            line = self.order.transitive(line, self.order.grows(self.part(h, k), self.part(h, k)))
        return line

    @staticmethod
    def levels_of(parts: Parts) -> Levels:
        """Levels that suffice for a sum of parts: two parts of one hypothesis need one level more."""
        levels: Levels = {}
        for h, k in reversed(parts):
            levels[h] = k if h not in levels else max(levels[h], k) + 1
        return levels

    def regrouped(self, parts: Parts, levels: Levels) -> int:
        """nested(parts) <= N(levels), for levels at least those of `levels_of`."""
        order = self.order
        summands = [self.part(h, k) for h, k in parts]
        inequalities, shapes, present = list[int](), list[Shape](), Parts()
        for h, most in self.parts(levels):
            places = [i for i, (other, _) in enumerate(parts) if other == h]
            if not places:
                continue
            level = parts[places[-1]][1]
            line = order.reflexive(summands[places[-1]])
            for i in reversed(places[:-1]):
                top = max(level, parts[i][1])
                line = order.sums(self.level_up(h, parts[i][1], top), order.transitive(line, self.level_up(h, level, top)))
                level = top + 1
            inequalities.append(order.transitive(line, self.level_up(h, level, most)))
            shapes.append(self.shape(places))
            present.append((h, most))
        line = inequalities[-1]
        for other in reversed(inequalities[:-1]):
            line = order.sums(other, line)
        wanted = shapes[-1]
        for one in reversed(shapes[:-1]):
            wanted = (one, wanted)
        line = order.moved(line, self.ledger.sym(order.rearranged(self.shape([*range(len(parts))]), wanted, summands)))
        return order.transitive(line, self._widened(present, self.parts(levels)))

    def _widened(self, present: Parts, everything: Parts) -> int:
        """nested(present) <= nested(everything), both in the fixed order."""
        order, line = self.order, -1
        tail: Parts = []
        have: Parts = []
        for entry in reversed(everything):
            term = self.part(*entry)
            if entry in present:
                line = order.reflexive(term) if not tail else (
                    order.grows(term, self._sum(tail)) if not have else order.plus_left(term, line))
                have.insert(0, entry)
            elif have:
                line = order.transitive(line, order.grows_left(term, self._sum(tail)))
            tail.insert(0, entry)
        return line

    def _sum(self, parts: Parts) -> int:
        return self.nested([self.part(h, k) for h, k in parts])

    def joined(self, first: Levels, second: Levels) -> tuple[Levels, int]:
        """Levels with N1 + N2 <= N."""
        one, two = self.parts(first), self.parts(second)
        parts = one + two
        levels = self.levels_of(parts)
        n = len(one)
        summands = [self.part(h, k) for h, k in parts]
        equation = self.order.rearranged((self.shape([*range(n)]), self.shape([*range(n, len(parts))])),
                                         self.shape([*range(len(parts))]), summands)
        return levels, self.order.moved(self.regrouped(parts, levels), self.ledger.sym(equation))

    def apart(self, h: Hypothesis, levels: Levels, first: bool) -> int:
        """N = part of h + the others (first), or the others + part of h; there has to be another one."""
        parts = self.parts(levels)
        place = next(i for i, (other, _) in enumerate(parts) if other == h)
        rest = [i for i in range(len(parts)) if i != place]
        shape: Shape = (place, self.shape(rest)) if first else (self.shape(rest), place)
        return self.order.rearranged(self.shape([*range(len(parts))]), shape, [self.part(g, k) for g, k in parts])

    def widened(self, bound: Bound, left: int, right: int, levels: Levels, line: int) -> Bound:
        """The bound with N' in place of N, from N <= N'."""
        order = self.order
        return Bound(levels, order.transitive(bound.upper, order.plus_left(right, line)),
                     order.transitive(bound.lower, order.plus_left(left, line)))
