"""Every refusal of the checker of derivations is reached by a forged file, and exactly there."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from pathlib import Path
from types import TracebackType
from typing import Any

import pytest

import exactrelu.checker.derivation
from exactrelu.checker.derivation import LIMITS, check_derivation
from exactrelu.checker.document import Malformed, Rejected
from tests.checker.derivation.documents import HEADER, ONE, SPLIT, UNIT, Z0, X, Y, document

SOURCE = Path(exactrelu.checker.derivation.__file__).parent
GOAL = {"goal": [0, 0], "line": 0}
BAD = "bytes are not canonical (sorted keys, no spaces, ASCII, a final newline)"

FORGED: dict[str, tuple[list[str], type[Exception], str, dict[str, int]]] = {}


def forge(name: str, kind: type[Exception], message: str, written: Iterable[str], **limits: int) -> None:
    FORGED[name] = ([*written], kind, message, limits)


def rejected(name: str, message: str, *lines: Any, **limits: int) -> None:
    forge(name, Rejected, message, document(*lines), **limits)


def malformed(name: str, message: str, *lines: Any, **limits: int) -> None:
    forge(name, Malformed, message, document(*lines), **limits)


# the file
forge("empty", Malformed, "line 0: the file ends without a goal", [])
forge("header_missing", Malformed, "line 1: not a derivation of version 1", document(*UNIT)[1:])
forge("header_version", Malformed, "line 1: not a derivation of version 1", [HEADER.replace("1}", "2}")])
forge("header_true", Malformed, "line 1: not a derivation of version 1", [HEADER.replace("1}", "true}")])
forge("header_float", Malformed, "line 1: not a derivation of version 1", [HEADER.replace("1}", "1.0}")])
forge("header_format", Malformed, "line 1: not a derivation of version 1", [HEADER.replace("derivation", "certificate")])
malformed("truncated", "line 7: the file ends without a goal", *UNIT[:-1])
malformed("after_goal", "line 9: a line after the goal", *UNIT, X)
malformed("two_goals", "line 9: a line after the goal", *UNIT, UNIT[-1])
malformed("not_json", "line 2: not JSON", '["refl",0\n')
malformed("nested", "line 2: not JSON", "[" * 100_000 + "]" * 100_000 + "\n")
malformed("nested_less", "line 2: a line begins with a connective or a rule", "[" * 100 + "]" * 100 + "\n")
malformed("long_integer", "line 2: not JSON", f'["refl",{"9" * 5_000}]\n')
malformed("spaces", f"line 2: {BAD}", '["var", "x"]\n')
malformed("no_newline", f"line 2: {BAD}", '["var","x"]')
malformed("carriage_return", f"line 2: {BAD}", '["var","x"]\r\n')
malformed("escaped", f"line 2: {BAD}", '["var","\\u0078"]\n')
malformed("key_twice", f"line 2: {BAD}", '{"goal":[0,0],"goal":[0,0],"line":0}\n')
malformed("number_line", "line 2: a line is a list, the last one an object", "3\n")
malformed("empty_line", "line 2: not JSON", "\n")
malformed("empty_list", "line 2: a line begins with a connective or a rule", [])
malformed("no_rule", "line 2: no connective or rule 'magic'", ["magic", 0])
malformed("explicit_number", "line 2: a line begins with a connective or a rule", [7, "var", "x"])
rejected("too_many_lines", "line 4: too many lines", *UNIT, lines=3)
rejected("too_long", "line 2: the file is too long", *UNIT, bytes=50)
forge("line_bytes", Rejected, "line 2: the line is too long", document(["var", "x" * 50]), line_bytes=50)

# terms
malformed("var_number", "line 2: the name of a variable is a short identifier", ["var", 1])
malformed("var_missing", "line 2: the name of a variable is a short identifier", ["var"])
malformed("var_spaces", "line 2: the name of a variable is a short identifier", ["var", "x y"])
malformed("var_newline", "line 2: the name of a variable is a short identifier", ["var", "x\n"])
malformed("var_constant", "line 2: the name of a variable is a short identifier", ["var", "0"])
malformed("var_long", "line 2: the name of a variable is a short identifier", ["var", "x" * 201])
malformed("var_arguments", "line 3: expected 0 terms", X, ["var", "y", 0])
malformed("term_arguments", "line 3: expected 2 terms", X, ["oplus", 0])
malformed("term_no_number", "line 3: expected the number of a term", X, ["neg", "0"])
malformed("term_true", "line 3: expected the number of a term", X, ["neg", True])
malformed("term_float", "line 3: expected the number of a term", X, ["neg", 0.0])
rejected("term_forward", "line 3: no term 1 above", X, ["neg", 1])
rejected("term_itself", "line 2: no term 0 above", ["neg", 0])
rejected("term_negative", "line 3: no term -1 above", X, ["neg", -1])
rejected("term_gigantic", "line 3: no term 10000000000000000000 above", X, ["neg", 10**400])
rejected("term_twice", "line 3: a term is given twice", X, X)
rejected("terms", "line 4: too many terms", X, Y, ["neg", 0], terms=2)
malformed("delta_text", "line 3: a parameter should be an integer", X, ["delta", "2", 0])
malformed("delta_true", "line 3: a parameter should be an integer", X, ["delta", True, 0])
rejected("delta_zero", "line 3: a parameter is out of range", X, ["delta", 0, 0])
rejected("delta_gigantic", "line 3: a parameter is out of range", X, ["delta", 10**1_000, 0])
malformed("scale_number", "line 3: a scalar is a rational in lowest terms", X, ["scale", 1, 0])
malformed("scale_lowest", "line 3: not a rational in lowest terms", X, ["scale", "2/4", 0])
malformed("scale_decimal", "line 3: a scalar is a rational in lowest terms", X, ["scale", "0.5", 0])
rejected("scale_above_one", "line 3: a scalar lies in [0, 1]", X, ["scale", "3/2", 0])
rejected("scale_negative", "line 3: a scalar lies in [0, 1]", X, ["scale", "-1/2", 0])
rejected("scale_gigantic", "line 3: a parameter is out of range", X, ["scale", "1/10001", 0])

# axioms and definitions
malformed("axiom_nothing", "line 2: expected the name of an axiom or a definition", ["axiom"])
malformed("axiom_number", "line 2: expected the name of an axiom or a definition", ["axiom", 1])
rejected("axiom_unknown", "line 2: no axiom 'A7'", ["axiom", "A7"])
rejected("axiom_definition", "line 2: no axiom 'D2'", ["axiom", "D2"])
rejected("axiom_parameter", "line 2: A1 takes 0 parameters", ["axiom", "A1", 2])
rejected("axiom_no_parameter", "line 2: V2 takes 1 parameters", ["axiom", "V2"])
rejected("v1_zero", "line 2: a parameter is out of range", ["axiom", "V1", 0])
rejected("v2_one", "line 2: n of V2 should be in [2, 10000]", ["axiom", "V2", 1])
rejected("v2_zero", "line 2: a parameter is out of range", ["axiom", "V2", 0])
rejected("v2_negative", "line 2: a parameter is out of range", ["axiom", "V2", -3])
malformed("v2_float", "line 2: a parameter should be an integer", ["axiom", "V2", 2.0])
malformed("v2_text", "line 2: a parameter should be an integer", ["axiom", "V2", "2"])
rejected("definition_unknown", "line 2: no definition 'D6'", ["definition", "D6"])
rejected("definition_parameter", "line 2: wrong parameter of D1", ["definition", "D1", "1/2"])
rejected("definition_no_parameter", "line 2: wrong parameter of R1", ["definition", "R1"])
malformed("definition_two", "line 2: too many parameters of a definition", ["definition", "R1", "1/2", "1/2"])
rejected("r1_above_one", "line 2: a scalar lies in [0, 1]", ["definition", "R1", "3/2"])

# rules
malformed("sym_two", "line 4: wrong number of premises", X, ["refl", 0], ["sym", 0, 0])
malformed("trans_none", "line 2: wrong number of premises", ["trans"])
malformed("premise_text", "line 4: expected the number of a proof line", X, ["refl", 0], ["sym", "0"])
rejected("premise_forward", "line 4: no proof line 1 above", X, ["refl", 0], ["sym", 1])
rejected("premise_itself", "line 2: no proof line 0 above", ["sym", 0])
rejected("premise_negative", "line 4: no proof line -1 above", X, ["refl", 0], ["sym", -1])
rejected("trans_apart", "line 6: the equations do not meet", X, Y, ["refl", 0], ["refl", 1], ["trans", 0, 1])
rejected("cong_leaf", "line 4: the premises are not about the arguments", X, ["refl", 0], ["cong", 0, 0])
rejected("cong_other", "line 6: the premises are not about the arguments", X, Y, ["refl", 1], ["neg", 0], ["cong", 2, 0])
rejected("cong_few", "line 5: the premises are not about the arguments", X, ["refl", 0], ["oplus", 0, 0], ["cong", 1, 0])
rejected("rewrite_twice", "line 6: two premises have the same left side", X, Y, ["assume", 0, 1], ["refl", 0], ["rewrite", 0, 0, 1])
rejected("inst_no_variable", "line 5: only variables can be instantiated", X, Z0, ["refl", 0], ["inst", 0, 1, 0])
rejected("inst_twice", "line 5: a variable is instantiated twice", X, Y, ["refl", 0], ["inst", 0, 0, 1, 0, 0])
malformed("inst_odd", "line 5: a substitution lists variables and terms in turn", X, Y, ["refl", 0], ["inst", 0, 0])
malformed("lemma_short", "line 4: a lemma line has a premise, a substitution and proofs", X, ["refl", 0], ["lemma", 0, []])
malformed("lemma_no_list", "line 4: a substitution lists variables and terms in turn", X, ["refl", 0], ["lemma", 0, 7, [0]])
malformed("lemma_no_proofs", "line 4: wrong number of premises", X, ["refl", 0], ["lemma", 0, [], []])
malformed("lemma_proofs_text", "line 4: wrong number of premises", X, ["refl", 0], ["lemma", 0, [], "0"])
rejected("lemma_no_hypothesis", "line 4: a proof of what is no hypothesis", X, ["refl", 0], ["lemma", 0, [], [0]])
rejected("lemma_two_proofs", "line 5: two proofs of one hypothesis", X, Y, ["assume", 0, 1], ["lemma", 0, [], [0, 0]])
rejected("cut_no_hypothesis", "line 6: a proof of what is no hypothesis", X, Y, ["assume", 0, 1], ["refl", 0], ["cut", 0, 1])
rejected("cut_turned", "line 6: a proof of what is no hypothesis", X, Y, ["assume", 0, 1], ["assume", 1, 0], ["cut", 0, 1])
rejected("split_different", "line 6: the two cases prove different equations", X, Y, ["refl", 0], ["refl", 1], ["split", 0, 1, 0, 1])
malformed("split_premises", "line 4: wrong number of premises", X, ["refl", 0], ["split", 0, 0, 0])
rejected("hypotheses", "line 5: too many hypotheses", X, Y, ["assume", 0, 1], ["assume", 1, 0], hypotheses=1)
rejected("hypothesis_bytes", "too many hypotheses on too many lines", X, Y, ["assume", 0, 1],
         *[["neg", k] for k in range(1, 20)], *[["assume", 0, k] for k in range(2, 20)], hypothesis_bytes=5)
rejected("work", "too much work", *UNIT, work=2)

# the goal
malformed("goal_fields", "line 8: the last line has the fields goal, line", *UNIT[:-1], {"goal": [3, 1]})
malformed("goal_three", "line 8: expected 2 terms", *UNIT[:-1], {"goal": [3, 1, 1], "line": 1})
rejected("goal_forward", "line 8: no proof line 2 above", *UNIT[:-1], {"goal": [3, 1], "line": 2})
rejected("goal_other", "line 8: the line proves another equation", *UNIT[:-1], {"goal": [1, 1], "line": 1})
rejected("goal_turned", "line 8: the line proves another equation", *UNIT[:-1], {"goal": [1, 3], "line": 1})
rejected("goal_assumed", "line 5: hypotheses are left", X, Y, ["assume", 0, 1], {"goal": [0, 1], "line": 0})
rejected("split_leak", "line 20: hypotheses are left", *SPLIT[:-2], ["split", 0, 0, 5, 8], SPLIT[-1])
rejected("split_wrong_side", "line 20: hypotheses are left", *SPLIT[:-2], ["split", 0, 1, 8, 5], SPLIT[-1])
rejected("cut_circular", "line 6: hypotheses are left", X, Y, ["assume", 0, 1], ["cut", 0, 0], {"goal": [0, 1], "line": 1})
rejected("lemma_circular", "line 6: hypotheses are left", X, Y, ["assume", 0, 1], ["lemma", 0, [], [0]], {"goal": [0, 1], "line": 1})
rejected("inst_leak", "line 7: hypotheses are left", X, Y, ONE, ["assume", 0, 1], ["inst", 0, 0, 2], {"goal": [2, 1], "line": 1})


def refuse(name: str, monkeypatch: pytest.MonkeyPatch) -> Malformed | Rejected:
    lines, kind, _, limits = FORGED[name]
    with monkeypatch.context() as patch:
        for limit, value in limits.items():
            patch.setitem(LIMITS, limit, value)
        with pytest.raises(kind) as caught:
            check_derivation(lines)
    assert isinstance(caught.value, Malformed | Rejected)
    return caught.value


@pytest.mark.parametrize("name", FORGED)
def test_forged_derivations_are_refused_with_their_message(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    assert FORGED[name][2] in str(refuse(name, monkeypatch))


@pytest.mark.parametrize("lines, text, splits", [(UNIT, "(x + 0) = x", 0), (SPLIT, "((x * y) + 0) = (x * y)", 1)])
def test_the_documents_that_are_forged_are_accepted(lines: list[Any], text: str, splits: int) -> None:
    goal = check_derivation(document(*lines))
    assert (goal.text(), goal.splits) == (text, splits)


def refusals() -> Iterator[tuple[str, int, int]]:
    """File and lines of every call of `require` and `malformed`."""
    for path in sorted(SOURCE.glob("*.py")):
        tree = ast.parse(path.read_text())
        inside = {id(inner) for node in ast.walk(tree) if isinstance(node, ast.FunctionDef) and node.name == "malformed"
                  for inner in ast.walk(node)}  # its callers count
        for node in ast.walk(tree):
            if id(node) in inside or not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute):
                continue
            if node.func.attr in ("require", "malformed"):
                yield path.name, node.lineno, node.end_lineno or node.lineno


def site(trace: TracebackType | None) -> tuple[str, int]:
    frames = []
    while trace is not None:
        frames.append((trace.tb_frame.f_code, trace.tb_lineno))
        trace = trace.tb_next
    while frames[-1][0].co_name in ("require", "malformed"):
        frames.pop()
    code, line = frames[-1]
    return Path(code.co_filename).name, line


# what cannot be reached from a file: the reader refuses the value before
GUARDED_TWICE = {"r of R1 should be in [0, 1]"}


def test_every_refusal_has_a_forged_derivation(monkeypatch: pytest.MonkeyPatch) -> None:
    hit = {site(refuse(name, monkeypatch).__traceback__) for name in FORGED}
    missing = []
    for file, first, last in refusals():
        text = "\n".join((SOURCE / file).read_text().splitlines()[first - 1 : last])
        if not any((file, line) in hit for line in range(first, last + 1)) and not any(phrase in text for phrase in GUARDED_TWICE):
            missing.append(f"{file}:{first}")
    assert not missing, f"refusals without a forged derivation: {missing}"
