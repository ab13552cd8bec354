"""Axioms and textbook laws: all derived and checked, many of them in a few lines, and all without case splits too."""

from __future__ import annotations

from functools import cache

import pytest

from exactrelu.logic.derivation.ladder_laws import ladders
from exactrelu.logic.derivation.laws import elementary_laws
from exactrelu.logic.derivation.laws_table import table
from exactrelu.logic.derivation.proof import Proof
from exactrelu.logic.derivation.prove import prove
from exactrelu.logic.derivation.textbook import AXIOMS, LAWS, Law, stated
from tests.checker.derivation.chains import points, values

EVERY = [*AXIOMS, *LAWS]


@cache
def derived(law: Law) -> Proof:
    proof = prove(*stated(law))
    assert isinstance(proof, Proof)
    return proof


@pytest.mark.parametrize("law", EVERY, ids=[name for name, _ in EVERY])
def test_laws_are_derived(law: Law) -> None:
    proof = derived(law)
    goal = proof.check()
    assert proof.proves(*stated(law))
    if law in AXIOMS and not law[0].startswith("Riesz"):
        assert goal.lines <= 2


def test_most_laws_have_short_derivations() -> None:
    sizes = [derived(law).size() for law in LAWS]
    assert len(sizes) >= 25
    assert sum(size <= 60 for size in sizes) >= 30


def test_the_table() -> None:
    rows = table([LAWS[0], LAWS[21]])
    assert rows[2:] == ["| the product commutes | `(x * y) = (y * x)` | 8 | 0 | 8 | rewriting |",
                        "| the maximum commutes | `(x \\| y) = (y \\| x)` | 20 | 0 | 20 | rewriting |"]


def test_the_stock_of_lemmas_is_valid_on_chains() -> None:
    """Every sequent of the library, hypotheses included, at all points of three chains where it has few variables."""
    ledger = ladders().ledger
    few = 0
    for k in range(len(ledger.lines)):
        conditions = ledger.set_of(ledger.hypotheses[k])
        roots = [ledger.left[k], ledger.right[k], *(side for pair in conditions for side in pair)]
        order = ledger.terms.below(roots)
        place = {term: i for i, term in enumerate(order)}
        nodes = [(op, data, tuple(place[a] for a in args)) for op, data, args in (ledger.terms.nodes[term] for term in order)]
        for point in points(sorted(str(data) for op, data, _ in nodes if op == "var"), 32):
            v = values(nodes, point)
            if all(v[place[a]] == v[place[b]] for a, b in conditions):
                assert v[place[ledger.left[k]]] == v[place[ledger.right[k]]], ledger.show(k)
        few += 1
    assert few > 700


def test_the_elementary_laws_need_no_case_split() -> None:
    assert all(rule != "split" for rule, _, _ in elementary_laws().ledger.lines)


def test_copies_of_the_stock_do_not_meet() -> None:
    one, two = ladders(), ladders()
    before = len(two.ledger.lines)
    one.ledger.refl(one.terms.var("only_here"))
    assert len(two.ledger.lines) == before
    assert len(one.ledger.lines) == before + 1
