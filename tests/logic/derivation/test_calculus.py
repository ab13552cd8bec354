"""The parts of the search one by one: linear programs, ladders, bags, zero facts."""

from __future__ import annotations

import random

import pytest

from exactrelu.errors import BudgetExceeded, InvariantError
from exactrelu.logic.derivation.bags import Bags, Facts
from exactrelu.logic.derivation.ladder import Bag
from exactrelu.logic.derivation.ladder_laws import ladders
from exactrelu.logic.derivation.ledger import Ledger
from exactrelu.logic.derivation.linear_program import bounds, maximum
from exactrelu.logic.derivation.normal_form import NormalForms
from exactrelu.logic.derivation.zero_facts import ZeroFact, ZeroFacts


def dot(a: tuple[int, ...] | list[int], b: tuple[int, ...] | list[int]) -> int:
    return sum(x * y for x, y in zip(a, b))


@pytest.mark.parametrize("seed", range(5))
def test_linear_programs(seed: int) -> None:
    """The point attains the value, the multipliers bound it; an empty polytope has multipliers of a contradiction."""
    rng = random.Random(seed)
    empty = 0
    for _ in range(200):
        n = rng.randint(0, 4)
        rows = bounds(n) + [tuple(rng.randint(-3, 3) for _ in range(n + 1)) for _ in range(rng.randint(0, 5) if n else 0)]
        objective = [rng.randint(-4, 4) for _ in range(n)]
        best = maximum(objective, rows)
        assert best.denominator > 0
        assert all(count > 0 for count in best.multipliers.values())
        total = [sum(count * rows[j][i] for j, count in best.multipliers.items()) for i in range(n + 1)]
        if best.feasible:
            assert total == [best.value, *(best.denominator * x for x in objective)]
            assert dot(objective, best.point) == best.value
            assert all(dot(row[1:], best.point) <= row[0] * best.denominator for row in rows)
        else:
            empty += 1
            assert total[0] < 0
            assert not any(total[1:])
    assert empty


class Workshop:
    def __init__(self) -> None:
        self.ladders = ladders()
        self.tactics, self.ledger, self.terms = self.ladders.tactics, self.ladders.ledger, self.ladders.terms
        self.bags = Bags(self.ladders, lambda: None)
        self.zero_facts = ZeroFacts(self.bags)
        self.x, self.y, self.z = (self.terms.var(name) for name in "xyz")

    def fact(self, c: int, bag: Bag) -> ZeroFact:
        return ZeroFact(c, bag, self.ledger.assume(self.ladders.term(c, bag), self.terms.zero))

    def bag(self, rng: random.Random, most: int) -> Bag:
        m = self.terms
        literals = [rng.choice([v, m.neg(v)]) for v in rng.choices([self.x, self.y, self.z], k=rng.randint(1, most))]
        result: Bag = ()
        for literal in literals:
            result = self.bags.insertion(result, literal)[1]
        return result


def test_ladders_are_good() -> None:
    w = Workshop()
    bag = (w.x, w.y, w.terms.neg(w.z), w.x, w.z)
    for c in range(-7, 3):
        line = w.ladders.good(c, bag)
        upper, lower = w.ladders.term(c + 1, bag), w.ladders.term(c, bag)
        assert (w.ledger.left[line], w.ledger.right[line]) == (w.terms.plus(upper, lower), upper)
        assert not w.ledger.hypotheses[line]


@pytest.mark.parametrize("name", ["swap", "cancel", "sum", "product", "add_one", "add_zero", "good"])
def test_every_law_folds_for_every_pattern_of_constant_levels(name: str) -> None:
    w = Workshop()
    for size in range(5):
        bag = (w.x, w.y, w.z, w.x)[:size]
        for c in range(-size - 3, 3):
            line = w.ladders.law(name, c, bag, f=w.z, g=w.x)
            assert bin(w.ledger.hypotheses[line]).count("1") <= (name in ("sum", "product"))


def test_canonical_bags() -> None:
    """Random sums and products, taken as exact, are flattened; the theorem is about the right levels."""
    w = Workshop()
    rng, m = random.Random(1), w.terms

    def term(depth: int) -> int:
        if not depth or rng.random() < 0.2:
            v = rng.choice([w.x, w.y, w.z])
            return rng.choice([v, m.neg(v)])
        return rng.choice([m.plus, m.times])(term(depth - 1), term(depth - 1))

    done = 0
    for _ in range(150):
        members = tuple(term(rng.randint(0, 2)) for _ in range(rng.randint(1, 3)))
        facts: Facts = {}
        for u in m.below(members):
            if m.op(u) in ("oplus", "odot"):
                a, b = m.args(u)
                product, total = m.times(a, b), m.plus(a, b)
                kind = int(m.op(u) == "odot")
                facts = {**facts, (a, b): (kind, w.ledger.assume(total, m.one) if kind else w.ledger.assume(product, m.zero))}
        c = rng.randint(-2, 0)
        try:
            level, bag, line = w.bags.canonical(c, members, facts)
        except InvariantError:
            continue  # one pair is the argument of a sum and of a product
        assert (w.ledger.left[line], w.ledger.right[line]) == (w.ladders.term(c, members), w.ladders.term(level, bag))
        assert list(bag) == sorted(bag, key=w.bags.literal_key)
        assert not any(w.bags.opposite(a, b) for a, b in zip(bag, bag[1:]))
        done += 1
    assert done > 100


def test_lifting_past_a_formula_that_contains_a_level() -> None:
    """The last member contains the terms that are rewritten below it; only the levels may change."""
    w = Workshop()
    inner = w.ladders.term(0, (w.x, w.y))
    bag = (w.x, w.y, w.terms.neg(inner), inner)
    for c in range(-3, 1):
        line = w.bags.swap_at(c, bag, 0)
        assert w.ledger.right[line] == w.ladders.term(c, (w.y, w.x, w.terms.neg(inner), inner))


def test_long_bags_are_declined() -> None:
    w = Workshop()
    with pytest.raises(BudgetExceeded, match="200 literals"):
        w.bags.canonical(0, (w.x,) * 202, {})


def test_sums_bounds_and_division() -> None:
    w = Workshop()
    rng = random.Random(3)
    for _ in range(40):
        first, second = w.bag(rng, 4), w.bag(rng, 3)
        if not first or not second:
            continue
        a, b = w.fact(rng.randint(1 - len(first), 0), first), w.fact(rng.randint(1 - len(second), 0), second)
        total = w.zero_facts.add(a, b)
        assert w.ledger.left[total.line] == w.ladders.term(total.c, total.bag)
        assert w.ledger.right[total.line] == w.terms.zero
        wanted = w.bag(rng, 3)
        # drop what is not wanted, append what is missing, each a level lower
        kept = list(first)
        missing = 0
        for literal in wanted:
            if literal in kept:
                kept.remove(literal)
            else:
                missing += 1
        line = w.zero_facts.bounded(a, wanted, a.c - missing)
        assert (w.ledger.left[line], w.ledger.right[line]) == (w.ladders.term(a.c - missing, wanted), w.terms.zero)
    for n in (2, 3):
        for c, bag in ((-1, (w.x, w.y)), (-1, (w.x, w.y, w.z)), (0, (w.x,)), (-2, (w.x, w.y, w.z))):
            start = w.ledger.assume(w.ladders.term(n * c, bag * n), w.terms.zero)
            line = w.zero_facts.divide(c, bag, n, start)
            assert (w.ledger.left[line], w.ledger.right[line]) == (w.ladders.term(c, bag), w.terms.zero)
            assert w.ledger.hypotheses[line] in (0, w.ledger.hypotheses[start])


def test_normal_forms_have_sums_products_and_literals_only() -> None:
    w = Workshop()
    m = w.terms
    normal = NormalForms(w.tactics)
    f = m.neg(m.make("imp", (m.make("vee", (w.x, m.make("wedge", (w.y, m.neg(w.z))))), m.make("delta", (m.make("imp", (w.x, w.x)),), 3))))
    for line in (normal.of(f), normal.dual(w.ledger.right[normal.of(f)])):
        for k in m.below([w.ledger.right[line]]):
            assert m.op(k) in ("var", "0", "1", "oplus", "odot", "delta", "neg")
            assert m.op(k) != "neg" or m.op(m.args(k)[0]) in ("var", "delta")


def test_the_ledger_refuses_what_does_not_fit() -> None:
    k = Ledger()
    x, y = k.terms.var("x"), k.terms.var("y")
    one, two = k.assume(x, y), k.refl(x)
    with pytest.raises(InvariantError):
        k.trans(one, k.assume(x, k.terms.zero))
    with pytest.raises(InvariantError):
        k.cong(k.terms.neg(y), two)
    with pytest.raises(InvariantError):
        k.split(x, y, one, two)
    with pytest.raises(InvariantError):
        k.axiom("V2", 1)
    full = Ledger(max_lines=1)
    full.axiom("A1")
    with pytest.raises(BudgetExceeded, match="more than 1 proof lines"):
        full.axiom("A2")
