"""logic, from the command line: all reference cases, files that pass from one command to the next, refusals."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from exactrelu.cli.main import main
from exactrelu.logic.graph import SubstitutionGraph
from exactrelu.logic.graph_file import save_graph

CASES = json.loads((Path(__file__).resolve().parents[1] / "data" / "logic_cases.json").read_text())["cases"]


def of_kind(kind: str) -> Any:
    cases = [case for case in CASES if case["kind"] == kind]
    return pytest.mark.parametrize("case", cases, ids=[case["id"] for case in cases])


def answer(capsys: Any, *arguments: str) -> tuple[int, dict[str, Any]]:
    capsys.readouterr()
    code = main(["logic", *arguments, "--json"])
    out = capsys.readouterr().out
    return code, json.loads(out) if out else {}


def network_file(layers: list[dict[str, Any]], path: Path) -> str:
    path.write_text(json.dumps({"weights": [layer["W"] for layer in layers], "biases": [layer["b"] for layer in layers]}))
    return str(path)


@of_kind("formula_pair")
def test_formula_pairs(case: dict[str, Any], tmp_path: Path, capsys: Any) -> None:
    for row in case["values"]:
        at = ",".join(f"{name}={value}" for name, value in row["at"].items())
        for side in "fg":
            assert answer(capsys, "evaluate", case[side], "--at", at)[1]["values"] == [row[side]]
    code, decided = answer(capsys, "equivalent", case["f"], case["g"])
    derivation = tmp_path / "derivation.jsonl"
    proved, found = answer(capsys, "derive", case["f"], case["g"], "-o", str(derivation))
    assert code == proved == (0 if case["equivalent"] else 1)
    if case["equivalent"]:
        assert main(["logic", "check", str(derivation)]) == main(["check", str(derivation)]) == 0
    else:
        for fields in (decided, found):
            at = ",".join(f"{name}={value}" for name, value in fields["counterexample"].items())
            values = [answer(capsys, "evaluate", case[side], "--at", at)[1]["values"][0] for side in "fg"]
            assert values == fields["values"] and values[0] != values[1]


@of_kind("network")
def test_networks(case: dict[str, Any], tmp_path: Path, capsys: Any) -> None:
    source, graph, back = network_file(case["layers"], tmp_path / "network.json"), str(tmp_path / "graph.json"), str(tmp_path / "back.json")
    code, found = answer(capsys, "extract", source, "--mode", case["mode"], "-o", graph)
    assert code == 0
    if "graph_layer_widths" in case:
        assert found["layers"] == case["graph_layer_widths"]
    inputs = len(case["layers"][0]["W"][0])
    for row in case.get("values", ()):
        at = ",".join(f"x{i}={value}" for i, value in enumerate(row["x"], 1))
        assert Fraction(answer(capsys, "evaluate", graph, "--at", at)[1]["values"][0]) == Fraction(row["f"])
    assert answer(capsys, "build", graph, "-o", back)[0] == 0
    assert main(["equal", source, back, "--box", ";".join(["0,1"] * inputs)]) == 0


@of_kind("network_pair")
def test_network_pairs(case: dict[str, Any], tmp_path: Path, capsys: Any) -> None:
    graphs = []
    for side in "ab":
        source, graph = network_file(case[side], tmp_path / f"{side}.json"), str(tmp_path / f"{side}_graph.json")
        assert answer(capsys, "extract", source, "-o", graph)[0] == 0
        graphs.append(graph)
    assert answer(capsys, "equivalent", *graphs)[0] == (0 if case["equal_on_cube"] else 1)
    if case["equal_on_cube"]:
        code, found = answer(capsys, "connect", *graphs, "-o", str(tmp_path / "path.json"))
        assert code == 0 and found["steps"]
    code = main(["equivalent", str(tmp_path / "a.json"), str(tmp_path / "b.json")])
    assert code == (0 if case["related_by_permutation_and_positive_scaling"] else 1)


@of_kind("local_operation")
def test_local_operations(case: dict[str, Any], tmp_path: Path, capsys: Any) -> None:
    path = tmp_path / "graph.json"
    save_graph(SubstitutionGraph.of(len(case["graph"]["inputs"]), case["graph"]["layers"]), path)
    operation = case["operation"]
    arguments = [operation["name"], str(path)]
    if operation["name"] == "connect":
        other = tmp_path / "other.json"
        save_graph(SubstitutionGraph.of(len(case["graph"]["inputs"]), operation["target"]["layers"]
                                        if "target" in operation else case["target"]["layers"]), other)
        arguments.append(str(other))
    else:
        arguments += ["--layer", str(operation["layer"])]
        if "node" in operation:
            arguments += ["--node", str(operation["node"])]
        if "formula" in operation:
            arguments += ["--formula", operation["formula"]]
        for name in ("psi", "chi"):
            if name in operation:
                arguments += [f"--{name}", ";".join(operation[name])]
    code, found = answer(capsys, *arguments)
    if case["expected"] == "refused":
        assert code == (1 if found["verdict"] == "refused" else 2) and found["reason"]
    else:
        assert code == 0


@of_kind("formula_error")
def test_formula_errors(case: dict[str, Any], capsys: Any) -> None:
    assert main(["logic", "show", case["text"]]) == 2
    assert "exactrelu:" in capsys.readouterr().err


def test_operations_pass_files_on(tmp_path: Path, capsys: Any) -> None:
    start, other = tmp_path / "start.json", tmp_path / "other.json"
    save_graph(SubstitutionGraph.of(2, [["x1 * x2", "x1 + x2"], ["y1_2 * ~y1_1"]]), start)
    save_graph(SubstitutionGraph.of(2, [["x2 + x1", "~(x2 * x1)"], ["y1_1 * y1_2"]]), other)
    collapsed, expanded = str(tmp_path / "collapsed.json"), str(tmp_path / "expanded.json")
    assert answer(capsys, "collapse", str(start), "--layer", "1", "-o", collapsed)[0] == 0
    code, found = answer(capsys, "expand", collapsed, "--layer", "1", "--psi", "x1+x2; x1*x2", "--chi", "y1_1 * ~y1_2", "-o", expanded)
    assert code == 0 and found["layers"] == [2, 1]
    assert answer(capsys, "equivalent", expanded, str(start))[0] == 0
    code, found = answer(capsys, "connect", str(start), str(other), "--derive", "-o", str(tmp_path / "path.json"))
    assert code == 0 and [step["operation"] for step in found["steps"]] == ["collapse", "rewrite", "expand"]
    assert answer(capsys, "rewrite", collapsed, "--layer", "1", "--node", "1", "--formula", "(x2 + x1) * ~(x1 * x2)")[0] == 0
    code, found = answer(capsys, "rewrite", str(start), "--layer", "2", "--node", "1", "--formula", "0")
    assert code == 1 and found["counterexample"]


def test_files_that_do_not_fit(tmp_path: Path, capsys: Any) -> None:
    derivation = tmp_path / "d.jsonl"
    assert main(["logic", "derive", "x+y", "y+x", "-o", str(derivation), "--explain"]) == 0
    assert main(["check", str(derivation), "--box", "0,1"]) == 2
    damaged = tmp_path / "damaged.jsonl"
    damaged.write_text(derivation.read_text().replace("A2", "A3"))
    assert main(["check", str(damaged)]) == main(["logic", "check", str(damaged)]) == 1
    damaged.write_text(derivation.read_text()[:60])
    assert main(["logic", "check", str(damaged)]) in (1, 2)
    assert main(["logic", "check", str(tmp_path / "nothing.jsonl")]) == 2
    assert main(["logic", "collapse", str(derivation), "--layer", "1"]) == 2
    assert main(["logic", "equivalent", "x", str(tmp_path / "graph.json")]) == 2
    assert main(["logic", "evaluate", "x", "--at", "x"]) == 2
    assert main(["logic", "evaluate", "x", "--at", "y=1"]) == 2
    assert main(["logic", "show", "x", "--style", "comic"]) == 2
    assert main(["logic"]) == 2
    capsys.readouterr()
    assert main(["logic", "derive", "x", "x*x", "--json"]) == 1
    assert json.loads(capsys.readouterr().out)["verdict"] == "inequivalent"


def test_synthesis_and_axioms(tmp_path: Path, capsys: Any) -> None:
    code, found = answer(capsys, "synthesize", "(x+y)*z")
    assert code == 0
    assert answer(capsys, "equivalent", found["formula"], "(x+y)*z")[0] == 0
    target = tmp_path / "axioms.jsonl.gz"
    code, found = answer(capsys, "derive", "x|y", "y|x", "--to-axioms", "-o", str(target))
    assert code == 0 and found["case_splits"] == 0
    assert main(["logic", "check", str(target)]) == 0
