"""Without case splits: the same equation by equational logic, accepted by the checker."""

from __future__ import annotations

import pytest

from exactrelu.errors import PreconditionError
from exactrelu.logic.derivation.ladder_laws import ladders
from exactrelu.logic.derivation.laws import elementary_laws
from exactrelu.logic.derivation.proof import Proof
from exactrelu.logic.derivation.prove import prove
from exactrelu.logic.derivation.split_removal import without_splits
from exactrelu.logic.derivation.textbook import LAWS, stated
from tests.logic.derivation.random_formulas import alike_pairs

LAW = dict(LAWS)


def pure(proof: Proof) -> Proof:
    result = proof.to_axioms()
    goal = result.check()
    assert goal.splits == 0
    assert goal.text() == proof.check().text()
    assert result.rules()["split"] == 0
    return result


@pytest.mark.parametrize("name", ["excluded middle", "sum and product, sum", "sum and product, product", "prelinearity",
                                  pytest.param("product over maximum", marks=pytest.mark.slow),
                                  pytest.param("half of a maximum", marks=pytest.mark.slow), "transitivity of implication"])
def test_laws(name: str) -> None:
    proof = prove(*stated((name, LAW[name])))
    assert isinstance(proof, Proof)
    result = pure(proof)
    if not proof.rules()["split"]:
        assert result.size() == proof.size()


@pytest.mark.parametrize("names, sizes, seed, count", [("x", (4, 12), 1, 3), ("xy", (6, 12), 2, 3),
                                                       pytest.param("xyz", (10, 20), 3, 20, marks=pytest.mark.slow)])
def test_random_pairs(names: str, sizes: tuple[int, int], seed: int, count: int) -> None:
    done = 0
    for f, g in alike_pairs(names, sizes, count, seed, 40_000):
        proof = prove(f, g, short=False)
        if isinstance(proof, Proof):
            pure(proof)
            done += 1
    assert done


@pytest.mark.parametrize("op, value", [("imp", "1"), ("vee", "+"), ("wedge", "*")])
def test_defined_connectives_under_hypotheses(op: str, value: str) -> None:
    """op(x.y, x + y), with x.y rewritten to 0 in one case and x + y to 1 in the other."""
    t = elementary_laws()
    k, m = t.ledger, t.terms
    x, y = m.var("x"), m.var("y")
    product, total = m.times(x, y), m.plus(x, y)
    facts = (k.assume(product, m.zero), k.assume(total, m.one))
    cases = []
    for fact in facts:
        line = k.rewrite(m.make(op, (product, total)), [fact])
        a, b = m.args(k.right[line])
        line = k.trans(line, t.use({"imp": "D3", "vee": "D4", "wedge": "D5"}[op], x=a, y=b))
        line = k.trans(line, t.units(k.right[line]))
        cases.append(k.trans(line, k.sym(fact)) if (op, fact) in (("vee", facts[1]), ("wedge", facts[0])) else line)
    assert {k.right[line] for line in cases} == {{"1": m.one, "+": total, "*": product}[value]}
    goal = k.split(x, y, cases[0], cases[1])
    assert not k.hypotheses[goal]
    assert any(rule == "split" for rule, _, _ in k.lines)
    ledger, line = without_splits(k, goal)
    result = Proof(ledger, line, "test")
    assert result.check().splits == 0
    assert ledger.left[line] != ledger.right[line]


def test_parts_under_hypotheses_are_refused() -> None:
    """delta_2(x.y) = 0 or not 0 by cases: the rewriting inside delta_2 has no bound yet, and says so."""
    t = elementary_laws()
    k, m = t.ledger, t.terms
    x, y = m.var("x"), m.var("y")
    product, total = m.times(x, y), m.plus(x, y)
    small, full = k.assume(product, m.zero), k.assume(total, m.one)
    half = m.make("delta", (product,), 2)
    start = m.plus(m.times(half, m.neg(total)), product)
    # x.y = 0: rewrite inside, delta_2 0.~(x + y) + 0, and back outside; x + y = 1: half.~1 + x.y = x.y
    none = m.make("delta", (m.zero,), 2)
    empty = t.use(k.axiom("V1", 2), x=m.zero)  # delta_2 0 + delta_2 0 = 0
    zero = t.use("summand", empty, x=none, y=none)
    first = k.rewrite(start, [small])
    first = k.trans(first, k.rewrite(k.right[first], [zero]))
    first = k.trans(first, t.units(k.right[first]), k.sym(small))
    second = k.rewrite(start, [full])
    second = k.trans(second, t.units(k.right[second]))
    goal = k.split(x, y, first, second)
    Proof(k, goal, "test").check()
    with pytest.raises(PreconditionError, match="an argument of delta was rewritten"):
        without_splits(k, goal)


def test_hypotheses_have_to_be_discharged() -> None:
    ladder = ladders()
    with pytest.raises(PreconditionError, match="hypotheses are left"):
        without_splits(ladder.ledger, ladder.tactics.laws["adding"])
