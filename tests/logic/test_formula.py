"""Formulae: values by the truth tables, one object for equal formulae, walks without recursion, parser and printers inverse."""

from __future__ import annotations

import gc
import weakref
from fractions import Fraction
from random import Random

import pytest

from exactrelu.errors import BudgetExceeded, ExactReluError
from exactrelu.logic.formula import Formula, connective, evaluate, formula_of_records, language, records, var, variables
from exactrelu.logic.parse import parse, parse_counted
from exactrelu.logic.show import show, show_shared
from tests.logic.drawn import formula, grid, truth

LANGUAGES = ("mv", "divisible", "riesz")
CHAIN = 100_000


@pytest.mark.parametrize("name", LANGUAGES)
def test_values_are_those_of_the_tables(name: str) -> None:
    rng = Random(f"values {name}")
    for size in range(40):
        f = formula(rng, size % 13, language=name)
        for x, y in grid(2, 3):
            assert f.evaluate({"x": x, "y": y}) == truth(f, {"x": x, "y": y})


@pytest.mark.parametrize("name", LANGUAGES)
@pytest.mark.parametrize("style", ["text", "unicode"])
def test_parse_inverts_show(name: str, style: str) -> None:
    rng = Random(f"show {name} {style}")
    for size in range(300):
        f = formula(rng, size % 21, ("x", "y", "z_1", "x12"), name)
        assert parse(show(f, style)) is f
        assert language(f) in LANGUAGES[:LANGUAGES.index(name) + 1]


def test_latex_is_shown_for_every_connective() -> None:
    rng = Random("latex")
    for size in range(60):
        text = show(formula(rng, size % 15, language="riesz"), "latex")
        assert text and text.count("{") == text.count("}")


def test_equal_formulae_are_one_object_and_are_freed() -> None:
    a, b = parse("(x + y) * ~z"), parse("( x+y )*~ z")
    assert a is b and hash(a) == hash(b) and variables(a) == ("x", "y", "z")
    seen = weakref.ref(connective("oplus", (var("onlyhere"), var("andhere"))))
    gc.collect()
    assert seen() is None


def chain(length: int) -> Formula:
    found = var("x")
    for k in range(length):
        found = connective("oplus" if k % 2 else "odot", (found, var("y" if k % 3 else "x")))
    return found


def test_walks_over_long_chains_need_no_recursion() -> None:
    f = chain(CHAIN)
    assert f.sizes().depth >= CHAIN and f.variables == ("x", "y")
    assert 0 <= f.evaluate({"x": Fraction(1, 3), "y": Fraction(1, 2)}) <= 1
    assert f.subst({"x": var("y"), "y": var("y")}).variables == ("y",)
    assert formula_of_records(records(f)) is f
    assert parse(show(f)) is f and parse(show_shared(f)) is f


def test_large_trees_are_shown_in_shared_form() -> None:
    f = var("x")
    for k in range(60):
        f = connective("oplus", (f, connective("odot", (f, var(f"y{k % 3}")))))
    text = show(f)
    assert text.startswith("# formula has") and parse(text) is f
    with pytest.raises(BudgetExceeded, match="tree nodes"):
        show(f, limit=None)


def test_shared_formulae_do_not_explode() -> None:
    f = var("x")
    for _ in range(200):
        f = connective("oplus", (f, f))
    assert f.sizes().dag == 201 and f.sizes().tree == 2**201 - 1
    assert evaluate([f], {"x": Fraction(0)}) == (0,)


def test_deep_nesting_is_read() -> None:
    depth = 50_000
    assert parse("~" * depth + "x").sizes().depth == depth
    assert parse("(" * depth + "x" + ")" * depth) is var("x")


@pytest.mark.parametrize("text, message", [
    ("x +", "unexpected end of input at column 4"), ("x ++ y", "unexpected '+' at column 4"),
    ("(x", "'(' is never closed; it stands at column 1"), ("x $ y", "unexpected '$' at column 3"),
    ("", "unexpected end of input at column 1"),
    ("2", "constants are 0 and 1"), ("x)", "column 2"), ("x y", "column 3"), ("0.5 x", "column 1")])
def test_errors_name_their_place(text: str, message: str) -> None:
    with pytest.raises(ExactReluError) as caught:
        parse(text)
    assert message in str(caught.value)


def test_a_limit_on_nodes() -> None:
    with pytest.raises(ExactReluError):
        parse_counted("+".join(["x"] * 500), 100)
