"""The rules of derivations for bounds: what replaces sym, trans, cong, inst, cut and split under hypotheses."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from exactrelu.errors import PreconditionError
from exactrelu.logic.derivation.split_removal.bounds import Bound, Bounds, Hypothesis, Levels
from exactrelu.logic.derivation.split_removal.order import Order

DEFINED = {"imp": "D3", "vee": "D4", "wedge": "D5"}


class BoundedRules:
    """One method for each rule."""

    def __init__(self, order: Order) -> None:
        self.order, self.bounds = order, Bounds(order)
        self.ledger, self.terms, self.use = order.ledger, order.terms, order.use

    def theorem(self, line: int) -> Bound:
        """An equation without hypotheses."""
        return Bound({}, line, line)

    def assumed(self, left: int, right: int) -> Bound:
        """l <= r + (l.~r) <= r + d(l = r), and the same from the other side."""
        order = self.order
        a, b = self.terms.args(self.bounds.distance((left, right)))
        upper = order.transitive(self.use("at_most_excess", x=left, y=right), order.plus_left(right, order.grows(a, b)))
        lower = order.transitive(self.use("at_most_excess", x=right, y=left), order.plus_left(left, order.grows_left(a, b)))
        return Bound({(left, right): 0}, upper, lower)

    def turned(self, bound: Bound) -> Bound:
        """r = l."""
        if not bound.levels:
            return self.theorem(self.ledger.sym(bound.upper))
        return Bound(bound.levels, bound.lower, bound.upper)

    def chained(self, left: int, ends: Sequence[int], results: Sequence[Bound]) -> Bound:
        """l = m_1 = m_2 = ..."""
        bound, middle = results[0], ends[0]
        for end, following in zip(ends[1:], results[1:]):
            bound = self._two(left, middle, end, bound, following)
            middle = end
        return bound

    def _two(self, left: int, middle: int, right: int, first: Bound, second: Bound) -> Bound:
        k, order, m, bounds = self.ledger, self.order, self.terms, self.bounds
        if not first.levels and not second.levels:
            return self.theorem(k.trans(first.upper, second.upper))
        if not first.levels:
            n = bounds.total(second.levels)
            back = k.sym(first.upper)
            return Bound(second.levels, order.moved(second.upper, back),
                         order.moved(second.lower, None, k.cong(m.plus(middle, n), back, k.refl(n))))
        if not second.levels:
            n = bounds.total(first.levels)
            return Bound(first.levels, order.moved(first.upper, None, k.cong(m.plus(middle, n), second.upper, k.refl(n))),
                         order.moved(first.lower, second.upper))
        n1, n2 = bounds.total(first.levels), bounds.total(second.levels)
        levels, joined = bounds.joined(first.levels, second.levels)
        up = order.transitive(first.upper, order.plus_right(second.upper, n1))
        up = order.moved(up, None, order.rearranged(((0, 1), 2), (0, (2, 1)), [right, n2, n1]))
        down = order.transitive(second.lower, order.plus_right(first.lower, n2))
        down = order.moved(down, None, order.rearranged(((0, 1), 2), (0, (1, 2)), [left, n1, n2]))
        return Bound(levels, order.transitive(up, order.plus_left(right, joined)), order.transitive(down, order.plus_left(left, joined)))

    # congruence ----------------------------------------------------------------------------------------------------

    def congruent(self, left: int, right: int, results: Sequence[Bound]) -> Bound:
        """op(a) = op(b) from a = b."""
        k, m = self.ledger, self.terms
        if not any(result.levels for result in results):
            return self.theorem(k.cong(left, *[result.upper for result in results]))
        op = m.op(left)
        if op == "neg":
            return self._negated(m.args(left)[0], m.args(right)[0], results[0])
        if op == "oplus":
            return self._sum(left, right, results[0], results[1])
        if op == "odot":
            return self._by_definition("D2", left, right, results)
        if op in DEFINED:
            return self._by_definition(DEFINED[op], left, right, results)
        raise PreconditionError(f"an argument of {op} was rewritten under a hypothesis that is split on")

    def _by_definition(self, name: str, left: int, right: int, results: Sequence[Bound]) -> Bound:
        """Unfold, rewrite, fold."""
        k, m = self.ledger, self.terms
        (a, b), (c, d) = m.args(left), m.args(right)
        first, second = self.use(name, x=a, y=b), self.use(name, x=c, y=d)
        middle = self.rewritten(k.right[first], {a: (c, results[0]), b: (d, results[1])})
        ends = [k.right[first], k.right[second], right]
        return self.chained(left, ends, [self.theorem(first), middle, self.theorem(k.sym(second))])

    def rewritten(self, term: int, changes: Mapping[int, tuple[int, Bound]]) -> Bound:
        """All outermost occurrences replaced at the same time."""
        m, k = self.terms, self.ledger
        done: dict[int, tuple[int, Bound]] = dict(changes)
        seen, stack, order = set(done), [term], list[int]()
        while stack:
            at = stack.pop()
            if at not in seen:
                seen.add(at)
                order.append(at)
                stack += m.args(at)
        for at in sorted(order):
            op, data, arguments = m.nodes[at]
            parts = [done[a] for a in arguments]
            image = m.make(op, tuple([part[0] for part in parts]), data)
            done[at] = (at, self.theorem(k.refl(at))) if image == at else (image, self.congruent(at, image, [part[1] for part in parts]))
        return done[term][1]

    def _negated(self, a: int, b: int, bound: Bound) -> Bound:
        """~a.~(~b + N) = b.~(a + N)."""
        k, n = self.ledger, self.bounds.total(bound.levels)
        return Bound(bound.levels, k.trans(self.use("negated", x=a, y=b, z=n), bound.lower),
                     k.trans(self.use("negated", x=b, y=a, z=n), bound.upper))

    def _sum(self, left: int, right: int, first: Bound, second: Bound) -> Bound:
        k, m, order, bounds = self.ledger, self.terms, self.order, self.bounds
        (a, b), (c, d) = m.args(left), m.args(right)
        if first.levels and second.levels:
            n1, n2 = bounds.total(first.levels), bounds.total(second.levels)
            levels, joined = bounds.joined(first.levels, second.levels)
            up = order.moved(order.sums(first.upper, second.upper), None,
                             order.rearranged(((0, 1), (2, 3)), ((0, 2), (1, 3)), [c, n1, d, n2]))
            down = order.moved(order.sums(first.lower, second.lower), None,
                               order.rearranged(((0, 1), (2, 3)), ((0, 2), (1, 3)), [a, n1, b, n2]))
            return Bound(levels, order.transitive(up, order.plus_left(right, joined)),
                         order.transitive(down, order.plus_left(left, joined)))
        if first.levels:
            n, middle = bounds.total(first.levels), m.plus(c, b)
            up = order.moved(order.plus_right(first.upper, b), None, order.rearranged(((0, 1), 2), ((0, 2), 1), [c, n, b]))
            down = order.moved(order.plus_right(first.lower, b), None, order.rearranged(((0, 1), 2), ((0, 2), 1), [a, n, b]))
            changed = k.cong(middle, k.refl(c), second.upper)
            return self._two(left, middle, right, Bound(first.levels, up, down), self.theorem(changed))
        n, middle = bounds.total(second.levels), m.plus(a, d)
        up = order.moved(order.plus_left(a, second.upper), None, order.rearranged((0, (1, 2)), ((0, 1), 2), [a, d, n]))
        down = order.moved(order.plus_left(a, second.lower), None, order.rearranged((0, (1, 2)), ((0, 1), 2), [a, b, n]))
        changed = k.cong(middle, first.upper, k.refl(d))
        return self._two(left, middle, right, Bound(second.levels, up, down), self.theorem(changed))

    # substitution and discharge ---------------------------------------------------------------------------------------

    def instance(self, bound: Bound, image: Mapping[int, int], left: int, right: int) -> Bound:
        """The bound with terms put for variables; left and right are the new sides."""
        k, m = self.ledger, self.terms
        if not bound.levels:
            return self.theorem(k.lemma(bound.upper, image))
        upper, lower = k.lemma(bound.upper, image), k.lemma(bound.lower, image)
        parts = []
        for (a, b), level in self.bounds.parts(bound.levels):
            place = dict(image)
            m.rebuild(m.below([a, b]), place)
            parts.append(((place[a], place[b]), level))
        levels = self.bounds.levels_of(parts)
        return self.bounds.widened(Bound(levels, upper, lower), left, right, levels, self.bounds.regrouped(parts, levels))

    def cut(self, bound: Bound, left: int, right: int, proofs: Sequence[tuple[Hypothesis, Bound]], together: bool) -> Bound:
        """Replace hypotheses by those of their proofs; `together`: hypotheses that a proof brings in are not replaced."""
        pending = dict(proofs) if together else {}
        if together:  # a hypothesis is trivial, or proved by an earlier theorem, when an instance made its sides equal
            for h in [h for h in bound.levels if h[0] == h[1] and h not in pending]:
                pending[h] = self.theorem(self.ledger.refl(h[0]))
            bare = {h: proof for h, proof in pending.items() if not proof.levels}
            for h, proof in bare.items():
                bound = self.discharged(bound, left, right, h, proof.upper)
            return self._substituted(bound, left, right, {h: p for h, p in pending.items() if p.levels and h in bound.levels})
        for h, proof in proofs:
            if proof.levels:
                bound = self._substituted(bound, left, right, {h: proof} if h in bound.levels else {})
            else:
                bound = self.discharged(bound, left, right, h, proof.upper)
        return bound

    def discharged(self, bound: Bound, left: int, right: int, h: Hypothesis, proof: int) -> Bound:
        """The part of h is 0, from a theorem a = b (which may have hypotheses itself: they stay)."""
        if h not in bound.levels:
            return bound
        k, m, order = self.ledger, self.terms, self.order
        gone = self._vanishing(h, bound.levels[h], proof)
        rest = {g: level for g, level in bound.levels.items() if g != h}
        n = self.bounds.total(bound.levels)
        if rest:
            apart = self.bounds.apart(h, bound.levels, True)
            others = m.args(k.right[apart])[1]
            equation = k.trans(apart, k.cong(k.right[apart], gone, k.refl(others)), self.use("zero_plus", x=others))
        else:
            equation = gone
        ends = []
        for line, side in ((bound.upper, right), (bound.lower, left)):
            changed = k.cong(m.plus(side, n), k.refl(side), equation)
            if not rest:
                changed = k.trans(changed, self.use("plus_zero", x=side))
            ends.append(order.moved(line, None, changed))
        if rest:
            return Bound(rest, ends[0], ends[1])
        if left == right:
            return self.theorem(k.refl(left))
        return self.theorem(order.equal(ends[0], ends[1]))

    def _vanishing(self, h: Hypothesis, level: int, proof: int) -> int:
        """2^level d(a = b) = 0, from a = b."""
        k, m, use = self.ledger, self.terms, self.use
        a, b = h
        start = self.bounds.distance(h)
        first = k.trans(k.cong(m.times(a, m.neg(b)), proof, k.refl(m.neg(b))), use("times_neg", x=b))
        second = k.trans(k.cong(m.times(b, m.neg(a)), k.refl(b), k.cong(m.neg(a), proof)), use("times_neg", x=b))
        zero = use("plus_zero", x=m.zero)
        line = k.trans(k.cong(start, first, second), zero)
        for _ in range(level):
            line = k.trans(k.cong(m.plus(k.left[line], k.left[line]), line, line), zero)
        return line

    def _substituted(self, bound: Bound, left: int, right: int, proofs: Mapping[Hypothesis, Bound]) -> Bound:
        """d(h) <= N_h + N_h for hypotheses h proved under other ones."""
        if not proofs:
            return bound
        order, bounds = self.order, self.bounds
        parts = bounds.parts(bound.levels)
        levels: Levels | None = None
        line = -1
        for h, level in reversed(parts):
            if h in proofs:
                here, inequality = self._doubled(h, level, proofs[h])
            else:
                here, inequality = {h: level}, order.reflexive(bounds.part(h, level))
            if levels is None:
                levels, line = here, inequality
            else:
                added, joined = bounds.joined(here, levels)
                levels, line = added, order.transitive(order.sums(inequality, line), joined)
        assert levels is not None
        return bounds.widened(bound, left, right, levels, line)

    def _doubled(self, h: Hypothesis, level: int, proof: Bound) -> tuple[Levels, int]:
        """2^level d(h) <= N."""
        k, order, bounds = self.ledger, self.order, self.bounds
        a, b = h
        n = bounds.total(proof.levels)
        one = k.trans(self.use("residual", x=a, y=b, z=n), proof.upper)  # a.~b <= n
        two = k.trans(self.use("residual", x=b, y=a, z=n), proof.lower)
        levels, joined = bounds.joined(proof.levels, proof.levels)
        line = order.transitive(order.sums(one, two), joined)
        for _ in range(level):
            levels, joined = bounds.joined(levels, levels)
            line = order.transitive(order.sums(line, line), joined)
        return levels, line

    # case splits ----------------------------------------------------------------------------------------------------------

    def split(self, left: int, right: int, pair: tuple[int, int], below: Bound, above: Bound) -> Bound:
        """Both cases bound w = l.~(r + R) by multiples of two disjoint terms, so w = 0."""
        k, m, order, bounds = self.ledger, self.terms, self.order, self.bounds
        s, t = pair
        h0, h1 = (m.times(s, t), m.zero), (m.plus(s, t), m.one)
        for case, h in ((below, h0), (above, h1)):
            if h not in case.levels:
                return case
        rest: Levels = {}
        for case, h in ((below, h0), (above, h1)):
            for g, level in case.levels.items():
                if g != h:
                    rest[g] = max(level, rest.get(g, 0))
        total = bounds.total(rest)
        disjoint = self._disjoint(s, t, below.levels[h0], above.levels[h1])
        ends = []
        for a, b, cases in ((left, right, (below.upper, above.upper)), (right, left, (below.lower, above.lower))):
            small = []
            for line, case, h in ((cases[0], below, h0), (cases[1], above, h1)):
                full = rest | {h: case.levels[h]}
                part = bounds.part(h, case.levels[h])
                wide = order.transitive(line, order.plus_left(b, bounds.regrouped(bounds.parts(case.levels), full)))
                apart = bounds.apart(h, full, True) if rest else k.sym(self.use("plus_zero", x=part))
                wide = order.moved(wide, None, k.cong(m.plus(b, k.left[apart]), k.refl(b), apart))
                small.append(k.trans(self.use("beside", x=a, y=b, z=total, u=part), wide))
            ends.append(order.meet_vanishes(disjoint, small[0], small[1]))
        if rest:
            return Bound(rest, ends[0], ends[1])
        ends = [order.moved(line, None, self.use("plus_zero", x=side)) for line, side in zip(ends, (right, left))]
        return self.theorem(k.refl(left) if left == right else order.equal(ends[0], ends[1]))

    def _disjoint(self, s: int, t: int, first: int, second: int) -> int:
        """a + ~b = ~b for a = 2^first d(s.t = 0), b = 2^second d(s + t = 1)."""
        k, m, use, order = self.ledger, self.terms, self.use, self.order
        product, total = m.times(s, t), m.plus(s, t)
        zero = self.bounds.distance((product, m.zero))  # (p.~0) + (0.~p) = p
        one = self.bounds.distance((total, m.one))  # (q.~1) + (1.~q) = ~q
        simple, other = self._plain_zero(product), self._plain_one(total)
        no = m.neg(total)
        # p + ~~q = p + q = q + p = q = ~~q
        line = k.trans(k.cong(m.plus(product, m.neg(no)), k.refl(product), use("A4", x=total)), use("plus_comm", x=product, y=total),
                       use("absorbed", x=s, y=t), k.sym(use("A4", x=total)))
        inner = k.cong(m.neg(one), other)
        line = k.trans(k.cong(m.plus(zero, m.neg(one)), simple, inner), line, k.sym(inner))
        for _ in range(first):
            line = order.disjoint_double(line)
        line = order.disjoint_turned(line)
        for _ in range(second):
            line = order.disjoint_double(line)
        return order.disjoint_turned(line)

    def _plain_zero(self, p: int) -> int:
        """(p.~0) + (0.~p) = p, nothing inside p being touched."""
        k, m, use, laws = self.ledger, self.terms, self.use, self.order.tactics.laws
        first = k.trans(k.cong(m.times(p, m.neg(m.zero)), k.refl(p), laws["neg_zero"]), use("times_one", x=p))
        start = self.bounds.distance((p, m.zero))
        return k.trans(k.cong(start, first, use("zero_times", x=m.neg(p))), use("plus_zero", x=p))

    def _plain_one(self, q: int) -> int:
        """(q.~1) + (1.~q) = ~q, nothing inside q being touched."""
        k, m, use, laws = self.ledger, self.terms, self.use, self.order.tactics.laws
        first = k.trans(k.cong(m.times(q, m.neg(m.one)), k.refl(q), laws["neg_one"]), use("times_zero", x=q))
        start = self.bounds.distance((q, m.one))
        return k.trans(k.cong(start, first, use("one_times", x=m.neg(q))), use("zero_plus", x=m.neg(q)))
