"""The laws of ladders for variable levels: adding f then g is adding f + g then f (.) g, and what follows from it."""

from __future__ import annotations

from collections.abc import Callable

from exactrelu.logic.derivation.ladder import Ladders
from exactrelu.logic.derivation.laws import elementary_laws
from exactrelu.logic.derivation.tactics import Tactics

_BUILT: list[Ladders] = []


def ladders() -> Ladders:
    """Ladders over a new ledger that holds all laws; the laws are proved once in a process."""
    if not _BUILT:
        tactics = elementary_laws()
        _disjoint_or_exhaustive(tactics)
        _adding(tactics)
        _one_step(tactics)
        _levels(tactics)
        _BUILT.append(Ladders(tactics))
    return _BUILT[0].fork()


def _step(t: Tactics, r: int, q: int, f: int) -> int:
    return t.terms.plus(r, t.terms.times(q, f))


def _meet(t: Tactics, left: int, right: int, middle: int, *facts: int) -> int:
    """left = right: both simplify, by the facts and AC, to the two sides of `middle`."""
    k = t.ledger
    first, second = t.simplify(left, *facts), t.simplify(right, *facts)
    return k.trans(first, t.ac(k.right[first], k.left[middle]), middle, t.ac(k.right[middle], k.right[second]), k.sym(second))


def _disjoint_or_exhaustive(t: Tactics) -> None:
    """(x + y) + (x.y) = x + y and (x + y).(x.y) = x.y, one case split each."""
    k, law, m = t.ledger, t.laws, t.terms
    x, y = m.var("?x"), m.var("?y")
    plus, times = m.plus(x, y), m.times(x, y)
    small, full = k.assume(times, m.zero), k.assume(plus, m.one)
    total = m.plus(plus, times)
    law["sum_absorbs"] = k.split(x, y, t.simplify(total, small), k.trans(t.simplify(total, full), k.sym(full)))
    meet = m.times(plus, times)
    law["product_absorbs"] = k.split(x, y, k.trans(t.simplify(meet, small), k.sym(small)), t.simplify(meet, full))


def _good_cases(t: Tactics, *cases: Callable[[int, int], int]) -> int:
    """One equation under p + q = p and q + r = q, from its proofs when q = r = 0, p = 1 and r = 0, p = q = 1.

    Each case is called with the two facts.  p.q = 0 makes q = 0 (q = (q + p).~p) and then r = q; p + q = 1 makes p = 1.
    """
    k, m = t.ledger, t.terms
    p, q, r = m.var("?p"), m.var("?q"), m.var("?r")
    good_pq, good_qr = k.assume(m.plus(p, q), p), k.assume(m.plus(q, r), q)
    if "vanishes" not in t.laws:
        disjoint = k.trans(t.use("times_comm", x=q, y=p), k.assume(m.times(p, q), m.zero))
        apart = t.use("difference", disjoint, x=q, y=p)  # (q + p).~p = q
        swap = t.use("plus_comm", x=q, y=p)
        t.laws["vanishes"] = k.trans(k.sym(apart), t.chain(k.left[apart], swap, good_pq, t.use("times_neg", x=p)))
        t.laws["fills"] = k.trans(k.sym(good_pq), k.assume(m.plus(p, q), m.one))
    q_zero, p_one = t.laws["vanishes"], t.laws["fills"]
    r_zero, q_one = t.use("vanishes", good_qr, p=q, q=r), t.use("fills", good_qr, p=q, q=r)
    r_too = k.trans(k.sym(t.use("zero_plus", x=r)), k.sym(k.rewrite(m.plus(q, r), [q_zero])), good_qr, q_zero)
    first, second, third = cases
    return k.split(p, q, first(q_zero, r_too), k.split(q, r, second(p_one, r_zero), third(p_one, q_one)))


def _adding(t: Tactics) -> None:
    k, law, m = t.ledger, t.laws, t.terms
    f, g, p, q, r = (m.var("?" + name) for name in "fgpqr")
    fg, both = m.plus(f, g), m.times(f, g)
    left = _step(t, _step(t, r, q, f), _step(t, q, p, f), g)
    right = _step(t, _step(t, r, q, fg), _step(t, q, p, fg), both)

    def lowest(q0: int, r0: int) -> int:
        middle = t.calc(m.times(p, both), k.sym(t.use("product_absorbs", x=f, y=g)))
        return _meet(t, left, right, middle, q0, r0)

    def highest(p1: int, q1: int) -> int:
        middle = t.calc(m.plus(r, fg), k.sym(t.use("sum_absorbs", x=f, y=g)))
        return _meet(t, left, right, middle, p1, q1)

    def between(p1: int, r0: int) -> int:
        def leaf(first: int, second: int, exchange: str) -> int:
            middle = t.use(exchange, first, second, x=q, y=f, z=g)
            return _meet(t, left, right, middle, p1, r0, first, second)

        qf0, qf1 = k.assume(m.times(q, f), m.zero), k.assume(m.plus(q, f), m.one)
        fg0, fg1 = k.assume(both, m.zero), k.assume(fg, m.one)
        below = k.split(f, g, leaf(qf0, fg0, "exchange_00"), leaf(qf0, fg1, "exchange_01"))
        return k.split(q, f, below, k.split(f, g, leaf(qf1, fg0, "exchange_10"), leaf(qf1, fg1, "exchange_11")))

    law["adding"] = _good_cases(t, lowest, between, highest)
    good_left = m.plus(_step(t, q, p, f), _step(t, r, q, f))
    good_right = _step(t, q, p, f)
    law["ladder_good"] = _good_cases(
        t, lambda q0, r0: _meet(t, good_left, good_right, k.refl(m.times(p, f)), q0, r0),
        lambda p1, r0: _meet(t, good_left, good_right, t.use("sum_absorbs", x=q, y=f), p1, r0),
        lambda p1, q1: _meet(t, good_left, good_right, k.refl(m.one), p1, q1))


def _one_step(t: Tactics) -> None:
    """swap, sum (f.g = 0), product (f + g = 1), cancel, and adding a constant."""
    k, law, m = t.ledger, t.laws, t.terms
    f, g, p, q, r = (m.var("?" + name) for name in "fgpqr")
    good_qr, good_pq = k.assume(m.plus(q, r), q), k.assume(m.plus(p, q), p)
    other = t.use("adding", f=g, g=f)
    turn = k.rewrite(k.right[law["adding"]], [law_f := t.use("plus_comm", x=f, y=g), t.use("times_comm", x=f, y=g)])
    assert k.right[turn] == k.right[other] and k.left[law_f]
    law["ladder_swap"] = k.trans(law["adding"], turn, k.sym(other))
    disjoint, full = k.assume(m.times(f, g), m.zero), k.assume(m.plus(f, g), m.one)
    law["ladder_sum"] = k.sym(k.trans(law["adding"], t.simplify(k.right[law["adding"]], disjoint)))
    low = k.trans(t.use("plus_comm", x=r, y=q), good_qr)
    high = k.trans(t.use("plus_comm", x=q, y=p), good_pq)
    law["ladder_product"] = k.sym(k.trans(law["adding"], t.simplify(k.right[law["adding"]], full, low, high)))
    cancel = t.use("adding", g=m.neg(f))
    law["ladder_cancel"] = k.trans(cancel, t.simplify(k.right[cancel], low))
    law["ladder_add_one"] = k.trans(t.simplify(_step(t, r, q, m.one)), low)
    law["ladder_add_zero"] = t.simplify(_step(t, r, q, m.zero))


def _levels(t: Tactics) -> None:
    """Neighboring levels, and inequalities with 0 and 1."""
    k, law, m = t.ledger, t.laws, t.terms
    p, q, x, y = (m.var("?" + name) for name in "pqxy")
    z = m.var("?z")
    good, zero, one = k.assume(m.plus(p, q), p), k.assume(p, m.zero), k.assume(q, m.one)
    # p + q = p, p = 0 |- q = 0
    sum_zero = k.trans(t.use("plus_comm", x=q, y=p), good, zero)
    law["level_below"] = t.use("summand", sum_zero, x=q, y=p)
    # p + q = p, q = 1 |- p = 1
    law["level_above"] = k.trans(k.sym(good), k.cong(m.plus(p, q), k.refl(p), one), t.use("plus_one", x=p))
    # x <= 1
    law["at_most_one"] = t.chain(m.times(x, m.neg(m.one)), law["neg_one"], law["times_zero"])
    # x <= y, y = 0 |- x = 0
    order, gone = k.assume(m.times(x, m.neg(y)), m.zero), k.assume(y, m.zero)
    start = t.calc(x, k.sym(law["times_one"]), k.sym(law["neg_zero"]))
    law["below_zero"] = k.trans(start, k.cong(k.right[start], k.refl(x), k.cong(m.neg(m.zero), k.sym(gone))), order)
    # (x + y).z = 0 |- y.z = 0
    inside = t.chain(m.times(y, m.neg(m.plus(y, x))), t.use("de_morgan_plus", x=y, y=x), t.use("times_assoc", x=y, y=m.neg(y), z=m.neg(x)),
                     t.use("times_neg", x=y), t.use("zero_times", x=m.neg(x)))
    order = t.use("times_monotone", inside, q=y, p=m.plus(y, x), f=z)
    turned = k.trans(k.cong(m.times(m.plus(y, x), z), t.use("plus_comm", x=y, y=x), k.refl(z)), k.assume(m.times(m.plus(x, y), z), m.zero))
    law["factor"] = t.use("below_zero", order, turned, x=m.times(y, z), y=m.times(m.plus(y, x), z))
