"""Inequalities without case splits: a <= b stands for the theorem a (.) ~b = 0."""

from __future__ import annotations

from exactrelu.logic.derivation.laws import elementary_laws
from exactrelu.logic.derivation.tactics import Tactics

Shape = int | tuple["Shape", "Shape"]
"""A sum: the number of a summand, or the sum of two shapes."""


class Order:
    """The calculus of inequalities over one ledger."""

    def __init__(self) -> None:
        self.tactics: Tactics = elementary_laws()
        self.ledger, self.terms, self.use = self.tactics.ledger, self.tactics.terms, self.tactics.use
        self._shapes: dict[tuple[Shape, Shape], int] = {}
        self._prove_laws()

    def _prove_laws(self) -> None:
        t, k, m = self.tactics, self.ledger, self.terms
        x, y, z, u = (m.var("?" + name) for name in "xyzu")
        law, plus, times, neg = t.laws, m.plus, m.times, m.neg
        law["at_most_sum"] = t.chain(times(x, neg(plus(x, y))), law["de_morgan_plus"], t.use("times_assoc", y=neg(x), z=neg(y)),
                                     law["times_neg"], t.use("zero_times", x=neg(y)))
        # (x.~y).~z = x.~(y + z)
        law["residual"] = k.trans(k.sym(t.use("times_assoc", y=neg(y), z=neg(z))),
                                  k.cong(times(x, times(neg(y), neg(z))), k.refl(x), k.sym(t.use("de_morgan_plus", x=y, y=z))))
        # ~x.~(~y + z) = y.~(x + z)
        first = t.chain(times(neg(x), neg(plus(neg(y), z))), t.use("de_morgan_plus", x=neg(y), y=z), t.use("A4", x=y))
        law["negated"] = t.calc(k.left[first], first, (times(y, times(neg(x), neg(z))),), k.sym(t.use("de_morgan_plus", x=x, y=z)))
        # x <= y + (x.~y)
        inside = times(x, neg(y))
        law["at_most_excess"] = t.chain(times(x, neg(plus(y, inside))), t.use("de_morgan_plus", x=y, y=inside),
                                        t.use("times_assoc", y=neg(y), z=neg(inside)), t.use("times_neg", x=inside))
        # (x.~(y + z)).~u = x.~(y + (u + z))
        law["beside"] = t.calc(times(times(x, neg(plus(y, z))), neg(u)), t.use("de_morgan_plus", x=y, y=z),
                               (times(x, times(neg(y), times(neg(u), neg(z)))),), k.sym(t.use("de_morgan_plus", x=u, y=z)),
                               k.sym(t.use("de_morgan_plus", x=y, y=plus(u, z))))
        law["absorbed"] = self._sum_absorbs()

    def _sum_absorbs(self) -> int:
        """(x + y) + (x.y) = x + y.

        With v = x.y and q = ~(y + v): (x + y + v).~x.~y = (~x + q).(y + v).~y = (~x + q).(~y + ~v).v, and moving x.y out of v
        gives (x + ~q).(q.y).(~y + ~v) = 0, because q.y = 0.
        """
        t, k, m = self.tactics, self.ledger, self.terms
        x, y = m.var("?x"), m.var("?y")
        plus, times, neg = m.plus, m.times, m.neg
        v = times(x, y)
        q = neg(plus(y, v))

        def minimum(a: int, b: int) -> int:  # (a + b).~b = (~b + ~a).a
            line = t.use("min_comm", x=a, y=neg(b))
            return k.trans(k.sym(k.rewrite(k.left[line], [t.use("A4", x=b)])), line)

        start = times(plus(plus(x, y), v), neg(plus(x, y)))
        first, second, third = minimum(plus(y, v), x), minimum(v, y), t.use("min_comm", x=q, y=x)
        line = t.calc(start, t.use("de_morgan_plus"), (times(times(plus(plus(y, v), x), neg(x)), neg(y)),), first,
                      (times(plus(neg(x), q), times(plus(v, y), neg(y))),), second,
                      (times(times(times(plus(q, neg(x)), x), y), plus(neg(y), neg(v))),), third)
        gone = t.calc(times(q, y), t.use("de_morgan_plus", x=y, y=v), (times(times(neg(y), y), neg(v)),), (m.zero,))
        line = k.trans(line, t.calc(k.right[line], (times(times(plus(x, neg(q)), times(q, y)), plus(neg(y), neg(v))),), gone, (m.zero,)))
        return t.use("antisymmetry", line, t.use("at_most_sum", x=plus(x, y), y=v), x=plus(plus(x, y), v), y=plus(x, y))

    def ends(self, line: int) -> tuple[int, int]:
        """a and b of a <= b."""
        a, no = self.terms.args(self.ledger.left[line])
        return a, self.terms.args(no)[0]

    def reflexive(self, a: int) -> int:
        """a <= a."""
        return self.use("times_neg", x=a)

    def moved(self, line: int, left: int | None = None, right: int | None = None) -> int:
        """a' <= b', from a <= b and the equations a = a' and b = b'."""
        k, m = self.ledger, self.terms
        a, b = self.ends(line)
        first = k.refl(a) if left is None else left
        second = k.refl(b) if right is None else right
        if k.left[first] == k.right[first] and k.left[second] == k.right[second]:
            return line
        turned = k.cong(k.left[line], first, k.cong(m.neg(b), second))
        return k.trans(k.sym(turned), line)

    def transitive(self, *lines: int) -> int:
        """a <= c, from a <= b, b <= c, ..."""
        result = lines[0]
        for line in lines[1:]:
            (a, b), c = self.ends(result), self.ends(line)[1]
            if a == b:
                result = line
            elif b != c:
                result = self.use("transitivity", result, line, x=a, y=b, z=c)
        return result

    def plus_right(self, line: int, c: int) -> int:
        """a + c <= b + c."""
        a, b = self.ends(line)
        return self.reflexive(self.terms.plus(a, c)) if a == b else self.use("plus_monotone", line, r=a, s=b, f=c)

    def plus_left(self, c: int, line: int) -> int:
        """c + a <= c + b."""
        a, b = self.ends(line)
        if a == b:
            return self.reflexive(self.terms.plus(c, a))
        return self.moved(self.plus_right(line, c), self.use("plus_comm", x=a, y=c), self.use("plus_comm", x=b, y=c))

    def sums(self, first: int, second: int) -> int:
        """a + c <= b + d."""
        b, c = self.ends(first)[1], self.ends(second)[0]
        return self.transitive(self.plus_right(first, c), self.plus_left(b, second))

    def grows(self, a: int, c: int) -> int:
        """a <= a + c."""
        return self.use("at_most_sum", x=a, y=c)

    def grows_left(self, c: int, a: int) -> int:
        """a <= c + a."""
        return self.moved(self.grows(a, c), None, self.use("plus_comm", x=a, y=c))

    def equal(self, first: int, second: int) -> int:
        """a = b, from a <= b and b <= a."""
        a, b = self.ends(first)
        return self.use("antisymmetry", first, second, x=a, y=b)

    def rearranged(self, start: Shape, end: Shape, summands: list[int]) -> int:
        """The sum of one shape equals the sum of another; proved once for variables, so that summands stay opaque."""
        key = (start, end)
        if key not in self._shapes:
            def build(shape: Shape) -> int:
                if isinstance(shape, int):
                    return self.terms.var(f"?i{shape}")
                return self.terms.plus(build(shape[0]), build(shape[1]))
            self._shapes[key] = self.tactics.ac(build(start), build(end))
        return self.ledger.lemma(self._shapes[key], {self.terms.var(f"?i{i}"): term for i, term in enumerate(summands)})

    # disjoint terms: a + ~b = ~b -----------------------------------------------------------------------------------

    def disjoint_double(self, line: int) -> int:
        """(a + a) + ~b = ~b."""
        k = self.ledger
        a, no = self.terms.args(k.left[line])
        back = k.sym(self.use("plus_assoc", x=a, y=a, z=no))
        return k.trans(back, k.cong(k.right[back], k.refl(a), line), line)

    def disjoint_turned(self, line: int) -> int:
        """b + ~a = ~a."""
        k, m = self.ledger, self.terms
        a, no = m.args(k.left[line])
        b = m.args(no)[0]
        exchange = self.use("min_comm", x=a, y=b)  # (a + ~b).b = (b + ~a).a
        empty = k.trans(k.cong(k.left[exchange], line, k.refl(b)), self.use("neg_times", x=b))
        other = m.plus(b, m.neg(a))
        double = k.cong(m.times(other, m.neg(m.neg(a))), k.refl(other), self.use("A4", x=a))
        below = k.trans(double, k.sym(exchange), empty)
        return self.equal(below, self.grows_left(b, m.neg(a)))

    def meet_vanishes(self, disjoint: int, first: int, second: int) -> int:
        """w = 0, from a + ~b = ~b, w <= a and w <= b: w = (w + ~b).b <= (a + ~b).b = ~b.b = 0."""
        k, m = self.ledger, self.terms
        a, no = m.args(k.left[disjoint])
        w, b = self.ends(second)
        whole = self.use("minimum", second, x=w, y=b)  # (w + ~b).b = w
        grown = self.use("times_monotone", self.plus_right(first, no), q=m.plus(w, no), p=m.plus(a, no), f=b)
        empty = k.trans(k.cong(m.times(m.plus(a, no), b), disjoint, k.refl(b)), self.use("neg_times", x=b))
        line = self.moved(grown, whole, empty)  # w.~0 = 0
        start = k.trans(k.sym(self.use("times_one", x=w)), k.cong(m.times(w, m.one), k.refl(w), k.sym(self.tactics.laws["neg_zero"])))
        return k.trans(start, line)
