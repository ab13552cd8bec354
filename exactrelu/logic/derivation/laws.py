"""The elementary laws, each proved from the axioms A1-A6 and the definitions.

Schema variables are ?x, ?y, ...; ``a <= b`` is written a (.) ~b = 0.  The laws with hypotheses: `difference` x (.) y = 0
|- (x + y)(.)~y = x and its duals, the four exchange laws, monotonicity of both operations, transitivity, antisymmetry.
"""

from __future__ import annotations

from exactrelu.logic.derivation.ledger import Ledger
from exactrelu.logic.derivation.tactics import Tactics


def elementary_laws() -> Tactics:
    """A ledger with the elementary laws, named."""
    tactics = Tactics(Ledger(), {})
    _units(tactics)
    _negations(tactics)
    _order(tactics)
    _exchange(tactics)
    _monotone(tactics)
    return tactics


def _units(t: Tactics) -> None:
    k, law, m = t.ledger, t.laws, t.terms
    x, y, z, zero, one = m.var("?x"), m.var("?y"), m.var("?z"), m.zero, m.one
    for name in ("A1", "A2", "A3", "A4", "A5", "A6"):
        law[name] = k.axiom(name)
    for name in ("D1", "D2", "D3", "D4", "D5"):
        law[name] = k.definition(name)
    law["plus_assoc"], law["plus_comm"], law["plus_zero"] = law["A1"], law["A2"], law["A3"]
    law["neg_zero"] = k.sym(law["D1"])
    law["plus_one"] = k.trans(t.chain(m.plus(x, one), law["D1"]), law["A5"], law["neg_zero"])
    law["zero_plus"] = k.trans(t.use("A2", x=zero, y=x), law["A3"])
    law["one_plus"] = k.trans(t.use("A2", x=one, y=x), law["plus_one"])
    law["neg_one"] = t.chain(m.neg(one), law["D1"], t.use("A4", x=zero))
    law["times_comm"] = k.trans(t.chain(m.times(x, y), law["D2"], t.use("A2", x=m.neg(x), y=m.neg(y))), k.sym(t.use("D2", x=y, y=x)))
    law["times_one"] = t.chain(m.times(x, one), t.use("D2", y=one), law["neg_one"], t.use("A3", x=m.neg(x)), law["A4"])
    law["times_zero"] = t.chain(m.times(x, zero), t.use("D2", y=zero), law["neg_zero"], t.use("plus_one", x=m.neg(x)), law["neg_one"])
    law["one_times"] = k.trans(t.use("times_comm", x=one, y=x), law["times_one"])
    law["zero_times"] = k.trans(t.use("times_comm", x=zero, y=x), law["times_zero"])
    left = t.chain(m.times(m.neg(x), m.neg(y)), t.use("D2", x=m.neg(x), y=m.neg(y)), law["A4"], t.use("A4", x=y))
    law["de_morgan_plus"] = k.sym(left)  # ~(x + y) = ~x . ~y
    law["de_morgan_times"] = t.chain(m.neg(m.times(x, y)), law["D2"], t.use("A4", x=m.plus(m.neg(x), m.neg(y))))  # = ~x + ~y
    nx, ny, nz = m.neg(x), m.neg(y), m.neg(z)
    first = t.chain(m.times(x, m.times(y, z)), t.use("D2", y=m.times(y, z)),
                    t.use("de_morgan_times", x=y, y=z), t.use("A1", x=nx, y=ny, z=nz))
    second = t.chain(m.times(m.times(x, y), z), t.use("D2", x=m.times(x, y), y=z), law["de_morgan_times"])
    law["times_assoc"] = k.trans(first, k.sym(second))
    a6 = t.use("A6", x=x, y=one)  # ~(~x + 1) + 1 = ~(~1 + x) + x
    right = t.chain(k.right[a6], law["neg_one"], law["zero_plus"])
    law["neg_plus"] = k.trans(k.sym(right), k.sym(a6), t.use("plus_one", x=m.args(k.left[a6])[0]))
    law["plus_neg"] = k.trans(t.use("A2", y=nx), law["neg_plus"])
    square = t.chain(m.times(x, nx), t.use("D2", y=nx), t.use("plus_neg", x=nx), law["neg_one"])
    law["times_neg"] = square
    law["neg_times"] = k.trans(t.use("times_comm", x=nx, y=x), square)
    law["plus_left_comm"] = k.trans(t.chain(m.plus(x, m.plus(y, z)), law["A1"], law["A2"]), k.sym(t.use("A1", x=y, y=x)))
    law["times_left_comm"] = k.trans(
        t.chain(m.times(x, m.times(y, z)), law["times_assoc"], law["times_comm"]), k.sym(t.use("times_assoc", x=y, y=x)))


def _negations(t: Tactics) -> None:
    """(x (.) ~y) + y and (x + ~y)(.) y are symmetric: the maximum and the minimum."""
    k, law, m = t.ledger, t.laws, t.terms
    x, y = m.var("?x"), m.var("?y")
    first = t.chain(m.plus(m.times(x, m.neg(y)), y), t.use("D2", y=m.neg(y)), t.use("A4", x=y), law["A6"])
    second = t.chain(m.plus(m.times(y, m.neg(x)), x), t.use("D2", x=y, y=m.neg(x)), law["A4"])
    law["max_comm"] = k.trans(first, k.sym(second))

    def dual(a: int, b: int) -> int:  # (a + ~b).b = ~((~a . b) + ~b)
        return t.chain(m.times(m.plus(a, m.neg(b)), b), t.use("D2", x=m.plus(a, m.neg(b)), y=b),
                       t.use("de_morgan_plus", x=a, y=m.neg(b)))

    middle = t.use("max_comm", x=m.neg(x), y=m.neg(y))
    law["min_comm"] = k.trans(dual(x, y), k.rewrite(k.right[dual(x, y)], [middle]), k.sym(dual(y, x)))


def _order(t: Tactics) -> None:
    k, law, m = t.ledger, t.laws, t.terms
    x, y, z, zero, one = m.var("?x"), m.var("?y"), m.var("?z"), m.zero, m.one
    nx, ny = m.neg(x), m.neg(y)
    small, full = k.assume(m.times(x, y), zero), k.assume(m.plus(x, y), one)
    # x.y = 0 |- (x + y).~y = x
    minimum = t.use("min_comm", x=x, y=ny)  # (x + ~~y).~y = (~y + ~x).x
    start = k.trans(k.sym(k.rewrite(k.left[minimum], [t.use("A4", x=y)])), minimum)
    whole = k.trans(k.sym(t.use("de_morgan_times", x=y, y=x)),
                    k.rewrite(m.neg(m.times(y, x)), [k.trans(t.use("times_comm", x=y, y=x), small)]),
                    law["neg_zero"])
    law["difference"] = k.trans(start, k.rewrite(k.right[start], [whole]), law["one_times"])
    # x + y = 1 |- (x.y) + ~x = y
    maximum = t.use("max_comm", x=y, y=nx)  # (y.~~x) + ~x = (~x.~y) + y
    start = k.trans(t.chain(m.plus(m.times(x, y), nx), law["times_comm"]),
                    k.sym(k.rewrite(k.left[maximum], [law["A4"]])), maximum)
    empty = k.trans(k.sym(law["de_morgan_plus"]), t.chain(m.neg(m.plus(x, y)), full, law["neg_one"]))
    law["quotient"] = k.trans(start, k.rewrite(k.right[start], [empty]), t.use("zero_plus", x=y))
    # x <= y |- (x + ~y).y = x
    below = t.use("difference", x=x, y=ny)
    law["minimum"] = k.trans(k.sym(k.rewrite(k.left[below], [t.use("A4", x=y)])), below)
    # x <= y, y <= x |- x = y
    law["antisymmetry"] = k.trans(k.sym(law["minimum"]), law["min_comm"], t.use("minimum", x=y, y=x))
    # x <= y, y <= z |- x <= z
    last = k.assume(m.times(y, m.neg(z)), zero)
    start = k.rewrite(m.times(x, m.neg(z)), [k.sym(law["minimum"])])
    law["transitivity"] = k.trans(start, k.sym(t.use("times_assoc", x=m.plus(x, ny), y=y, z=m.neg(z))),
                                  t.chain(m.times(m.plus(x, ny), m.times(y, m.neg(z))), last, t.use("times_zero", x=m.plus(x, ny))))
    # x + y = 0 |- x = 0
    vanish = k.assume(m.plus(x, y), zero)
    start = t.calc(x, k.sym(law["times_one"]), k.sym(law["neg_zero"]), k.sym(vanish))
    rest = t.chain(k.right[start], law["de_morgan_plus"],
                   t.use("times_assoc", x=x, y=nx, z=ny), law["times_neg"], t.use("zero_times", x=ny))
    law["summand"] = k.trans(start, rest)


def _exchange(t: Tactics) -> None:
    """The sum and the product associate with each other when neighbors are disjoint or exhaustive."""
    k, law, m = t.ledger, t.laws, t.terms
    x, y, z, zero, one = m.var("?x"), m.var("?y"), m.var("?z"), m.zero, m.one
    nx, ny, nz = m.neg(x), m.neg(y), m.neg(z)

    def flip(line: int) -> int:
        return k.trans(t.use("times_comm" if m.op(k.left[line]) == "odot" else "plus_comm", x=y, y=x), line)

    xy0, yz0 = k.assume(m.times(x, y), zero), k.assume(m.times(y, z), zero)
    xy1, yz1 = k.assume(m.plus(x, y), one), k.assume(m.plus(y, z), one)
    # x.y = 0, y.z = 0 |- (x + y).z = x.(y + z): z is ~y.(y + z)
    zy = k.trans(t.use("times_comm", x=z, y=y), yz0)
    last = t.use("difference", zy, x=z, y=y)
    start = k.cong(m.times(m.plus(x, y), z), k.refl(m.plus(x, y)), k.sym(last))
    start = t.calc(k.left[start], start, (m.times(m.times(m.plus(x, y), ny), m.plus(y, z)),), law["difference"])
    law["exchange_00"] = start
    # x + y = 1, y.z = 0 |- (x.y) + z = x.(y + z)
    w = m.plus(m.times(x, y), z)
    kill = t.calc(m.times(m.times(x, y), nx), (zero,))
    gone = t.calc(m.times(z, m.times(x, y)), (m.times(x, m.times(y, z)),), yz0, law["times_zero"])
    inner = t.use("exchange_00", gone, kill, x=z, y=m.times(x, y), z=nx)
    below = t.calc(m.times(w, nx), (k.left[inner],), inner, law["quotient"], (m.times(y, z),), yz0)  # w <= x
    first = k.cong(m.times(x, m.plus(y, z)), k.refl(x), k.rewrite(m.plus(y, z), [k.sym(law["quotient"])]))
    start = t.calc(k.left[first], first, (m.times(m.plus(w, nx), x),), t.use("minimum", below, x=w, y=x))
    law["exchange_10"] = k.sym(start)
    # x.y = 0, y + z = 1 |- (x + y).z = x + (y.z)
    mirrored = t.use("exchange_10", k.trans(t.use("plus_comm", x=z, y=y), yz1), k.trans(t.use("times_comm", x=y, y=x), xy0), x=z, z=x)
    law["exchange_01"] = k.sym(t.calc(m.plus(x, m.times(y, z)), (k.left[mirrored],), mirrored, (m.times(m.plus(x, y), z),)))
    # x + y = 1, y + z = 1 |- (x.y) + z = x + (y.z)

    def no(a: int, b: int, line: int) -> int:
        return k.trans(k.sym(t.use("de_morgan_plus", x=a, y=b)), t.chain(m.neg(m.plus(a, b)), line, law["neg_one"]))

    dual = t.use("exchange_00", no(x, y, xy1), no(y, z, yz1), x=nx, y=ny, z=nz)  # (~x + ~y).~z = ~x.(~y + ~z)
    for_left = t.chain(m.neg(m.plus(m.times(x, y), z)), t.use("de_morgan_plus", x=m.times(x, y), y=z), law["de_morgan_times"])
    for_right = t.chain(m.neg(m.plus(x, m.times(y, z))), t.use("de_morgan_plus", x=x, y=m.times(y, z)), t.use("de_morgan_times", x=y, y=z))
    equal = k.trans(for_left, dual, k.sym(for_right))
    a, b = m.plus(m.times(x, y), z), m.plus(x, m.times(y, z))
    law["exchange_11"] = k.trans(k.sym(t.use("A4", x=a)), k.rewrite(m.neg(m.neg(a)), [equal]), t.use("A4", x=b))


def _monotone(t: Tactics) -> None:
    k, law, m = t.ledger, t.laws, t.terms
    f, p, q, r, s, zero = m.var("?f"), m.var("?p"), m.var("?q"), m.var("?r"), m.var("?s"), m.zero
    neg = m.neg
    low_q, low_r = k.assume(m.times(q, neg(p)), zero), k.assume(m.times(r, neg(s)), zero)
    # q <= p |- q.f <= p.f:  (q.f).(~p + ~f) = q.((~f + ~p).f) = q.((f + ~~p).~p)
    start = t.chain(m.times(m.times(q, f), neg(m.times(p, f))), t.use("de_morgan_times", x=p, y=f))
    minimum = t.use("min_comm", x=neg(p), y=f)  # (~p + ~f).f = (f + ~~p).~p
    start = t.calc(k.left[start], start, (m.times(q, k.left[minimum]),), minimum,
                   (m.times(m.times(q, neg(p)), m.plus(f, neg(neg(p)))),), low_q, t.use("zero_times", x=m.plus(f, neg(neg(p)))))
    law["times_monotone"] = start
    # r <= s |- r + f <= s + f by duality
    dual = t.use("times_monotone",
                 k.trans(t.chain(m.times(neg(s), neg(neg(r))), t.use("A4", x=r), t.use("times_comm", x=neg(s), y=r)), low_r),
                 q=neg(s), p=neg(r), f=neg(f))  # (~s.~f).~(~r.~f) = 0
    first = t.chain(m.times(m.plus(r, f), neg(m.plus(s, f))), t.use("de_morgan_plus", x=s, y=f),
                    t.use("times_comm", x=m.plus(r, f), y=m.times(neg(s), neg(f))))
    back = t.chain(k.left[dual], t.use("de_morgan_times", x=neg(r), y=neg(f)), t.use("A4", x=r), t.use("A4", x=f))
    law["plus_monotone"] = k.trans(first, k.sym(back), dual)
    # r <= s, q <= p |- r + (q.f) <= s + (p.f)
    qf, pf = m.times(q, f), m.times(p, f)
    one = t.use("plus_monotone", r=r, s=s, f=qf)
    two = t.use("plus_monotone", law["times_monotone"], r=qf, s=pf, f=s)
    a, b = t.use("plus_comm", x=qf, y=s), t.use("plus_comm", x=pf, y=s)
    two = k.trans(k.sym(k.rewrite(k.left[two], [a, b])), two)
    law["step_monotone"] = t.use("transitivity", one, two, x=m.plus(r, qf), y=m.plus(s, qf), z=m.plus(s, pf))
