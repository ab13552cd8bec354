"""Equivalence of formulae: brute force on a grid that decides, counterexamples that are checked, local operations, paths."""

from __future__ import annotations

from fractions import Fraction
from random import Random

import pytest

from exactrelu import Domain, equal
from exactrelu.errors import ExactReluError
from exactrelu.logic.build import build
from exactrelu.logic.connect import connect
from exactrelu.logic.decide import equivalent, truth_range
from exactrelu.logic.formula import connective
from exactrelu.logic.graph import SubstitutionGraph, same_nodes
from exactrelu.logic.parse import parse
from exactrelu.logic.recovery import recover_affine
from exactrelu.logic.synthesis import synthesize
from tests.logic.drawn import formula, grid, truth

NAMES = ("x", "y")


@pytest.mark.parametrize("name", ["mv", "divisible", "riesz"])
def test_decisions(name: str) -> None:
    rng = Random(f"decide {name}")
    verdicts = []
    for k in range(60):
        f = formula(rng, 1 + k % 6, language=name)
        g = connective("neg", (connective("neg", (f,)),)) if k % 3 == 0 else formula(rng, 1 + k % 6, language=name)
        found = equivalent(f, g)
        verdicts.append(found.verdict)
        if found.verdict == "inequivalent":
            point = {n: Fraction(v) for n, v in found.fields()["counterexample"].items()}
            assert truth(f, {**dict.fromkeys(NAMES, Fraction(0)), **point}) != truth(g, {**dict.fromkeys(NAMES, Fraction(0)), **point})
        else:
            assert found.verdict == "equivalent"
            for x, y in grid(2, 12):
                assert truth(f, {"x": x, "y": y}) == truth(g, {"x": x, "y": y})
    assert {"equivalent", "inequivalent"} == set(verdicts)


def test_one_variable_by_all_breakpoints() -> None:
    """Formulae of size at most 5 in one variable have breaks at multiples of 1/k, k <= 6: agreement at multiples of 1/120 decides."""
    rng = Random("one variable")
    for k in range(150):
        f, g = formula(rng, 1 + k % 5, ("x",)), formula(rng, 1 + (k + 2) % 5, ("x",))
        same = all(truth(f, {"x": x}) == truth(g, {"x": x}) for x, in grid(1, 120))
        assert (equivalent(f, g).verdict == "equivalent") == same


@pytest.mark.parametrize("seed", range(15))
def test_ranges_of_truth_values(seed: int) -> None:
    f = formula(Random(f"range {seed}"), 4)
    low, high = truth_range(f)
    values = [truth(f, {"x": x, "y": y}) for x, y in grid(2, 12)]
    assert low <= min(values) and max(values) <= high
    assert equivalent(f, parse("0")).verdict == ("equivalent" if high == 0 else "inequivalent")


@pytest.mark.parametrize("seed", range(10))
def test_networks_of_formulae(seed: int) -> None:
    f = formula(Random(f"build {seed}"), 5)
    network = build(f, names=NAMES)
    assert all(network([x, y]) == (truth(f, {"x": x, "y": y}),) for x, y in grid(2, 6))


@pytest.mark.parametrize("seed", range(10))
@pytest.mark.parametrize("refined", [False, True])
def test_synthesis(seed: int, refined: bool) -> None:
    f = formula(Random(f"synthesis {seed}"), 4)
    assert equivalent(f, synthesize(f, refined=refined)).verdict == "equivalent"


@pytest.mark.parametrize("text, form", [("x * y", ((1, 1), -1)), ("x + y", ((1, 1), 0)), ("~x", ((-1,), 1)), ("x & ~x", None)])
def test_affine_forms_are_recovered(text: str, form: object) -> None:
    found = recover_affine(parse(text))
    assert (None if found is None else (tuple(found.coefficients), found.constant)) == form


START = SubstitutionGraph.of(2, [["x1 * x2", "x1 + x2"], ["y1_2 * ~y1_1", "y1_1"]])


def test_operations_keep_the_function() -> None:
    collapsed = START.collapse(1)
    expanded = collapsed.expand(1, ["x1 + x2", "x1 * x2"], ["y1_1 * ~y1_2", "y1_2"])
    rewritten = START.rewrite((2, 1), "~(~y1_2 + y1_1)")
    for graph in (collapsed, expanded, rewritten):
        assert equal(graph.to_network(), START.to_network(), Domain.box(2, [(0, 1)])).verdict == "equal"


def test_a_rewrite_holds_on_the_whole_feeding_cube() -> None:
    """y1_1 <= y1_2 always holds here, but a node has to be equivalent for all values of its inputs."""
    with pytest.raises(ExactReluError) as caught:
        START.rewrite((2, 1), "y1_2 * ~y1_1 + (y1_1 * ~y1_2)")
    assert "y1_1" in str(caught.value)


@pytest.mark.parametrize("call", [lambda: START.collapse(0), lambda: START.collapse(2), lambda: START.collapse(9),
                                  lambda: START.rewrite((3, 1), "x1"), lambda: START.rewrite((1, 1), "y1_1"),
                                  lambda: START.expand(1, ["x1"], ["y1_1"]), lambda: START.expand(1, ["x9"], ["y1_1", "y1_1"])])
def test_refusals(call: object) -> None:
    with pytest.raises(ExactReluError):
        call()  # type: ignore[operator]


@pytest.mark.parametrize("seed", range(8))
def test_paths_between_equivalent_graphs(seed: int) -> None:
    rng = Random(f"path {seed}")
    f, g = (formula(rng, 3, ("x1", "x2")) for _ in range(2))
    h = formula(rng, 3, ("y1_1", "y1_2"))
    one = SubstitutionGraph.of(2, [[f, g], [h]])
    two = SubstitutionGraph.of(2, [[h.subst({"y1_1": f, "y1_2": g})], [parse("~~y1_1")]])
    found = connect(one, two)
    assert same_nodes(found.replay(), two)
    assert equal(one.to_network(), two.to_network(), Domain.box(2, [(0, 1)])).verdict == "equal"


def test_no_path_between_different_graphs() -> None:
    with pytest.raises(ExactReluError):
        connect(START, SubstitutionGraph.of(2, [["x1", "x2"]]))
