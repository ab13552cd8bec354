"""fiber and minimal-width from the command line: reference cases, files, refusals."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from exactrelu import equal, load
from exactrelu.cli.main import main

CASES = json.loads((Path(__file__).resolve().parents[1] / "data" / "fiber_cases.json").read_text())
RELU = {"weights": [[[1], [2]], [[1, 1]]], "biases": [[0, 0], [0]]}


def answer(capsys: Any, *arguments: str) -> tuple[int, dict[str, Any]]:
    capsys.readouterr()
    code = main([*arguments, "--json"])
    out = capsys.readouterr().out
    return code, json.loads(out) if out else {}


def file_of(network: dict[str, Any], path: Path) -> str:
    path.write_text(json.dumps(network))
    return str(path)


@pytest.mark.parametrize("case", CASES["equality"], ids=lambda case: str(case["name"]))
def test_reference_pairs(case: dict[str, Any], tmp_path: Path, capsys: Any) -> None:
    theta, eta = file_of(case["theta"], tmp_path / "theta.json"), file_of(case["eta"], tmp_path / "eta.json")
    box = [] if case["box"] is None else ["--box", ";".join(",".join(pair) for pair in case["box"])]
    code, fields = answer(capsys, "equal", theta, eta, *box)
    assert (code, fields["verdict"]) == ((0, "equal") if case["equal"] else (1, "different"))
    code, fields = answer(capsys, "fiber", theta, *box)
    assert code == (0 if fields["complete"] else 3)
    assert fields["scope"] == ("all" if len(case["theta"]["weights"]) == 2 else "local")
    assert all(s["dimension_mod_scaling"] <= s["dimension"] for s in fields["strata"]) and fields["symmetries"]
    if case["dimension"] is not None and not case["upper_bound_only"]:
        assert max(s["dimension"] for s in fields["strata"]) == case["dimension"]


def test_exports_and_samples(tmp_path: Path, capsys: Any) -> None:
    net = file_of(RELU, tmp_path / "net.json")
    targets = {name: tmp_path / f"system.{name}" for name in ("smt2", "sympy", "latex", "text", "macaulay2")}
    out = tmp_path / "member.json"
    arguments = [x for name, path in targets.items() for x in (f"--{name}", str(path))]
    code, fields = answer(capsys, "fiber", net, *arguments, "--sample", "3", "-o", str(out))
    assert code == 0 and len(fields["samples"]) == 3
    assert fields["written"] == [*map(str, targets.values()), str(out), str(tmp_path / "member-2.json"), str(tmp_path / "member-3.json")]
    assert all(path.read_text().strip() for path in targets.values())
    assert all(equal(load(net), load(path)).verdict == "equal" for path in fields["written"][5:])
    space: dict[str, Any] = {}
    exec(compile(targets["sympy"].read_text(), "system.sympy", "exec"), space)
    assert "(check-sat)" in targets["smt2"].read_text()


def test_text_for_people(tmp_path: Path, capsys: Any) -> None:
    assert main(["fiber", file_of(RELU, tmp_path / "net.json")]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[:2] == ["complete", "scope: all"] and any(line.startswith("stratum 1: dimension 3 (1 modulo scaling); ") for line in lines)
    assert main(["minimal-width", file_of(RELU, tmp_path / "net.json")]) == 0
    assert capsys.readouterr().out.splitlines()[:3] == ["exact", "width 1", "visible hyperplanes: 1"]


def test_search(tmp_path: Path, capsys: Any) -> None:
    net = file_of({"weights": [[[1, 2], [2, -1]], [[1, 2], [-3, 1]], [[1, 2]]], "biases": [[1, 1], [-4, 2], [0]]}, tmp_path / "net.json")
    code, local = answer(capsys, "fiber", net)
    code, fields = answer(capsys, "fiber", net, "--search")
    assert local["scope"] == "local" and fields["scope"] in ("local", "all")
    assert (code == 0) == fields["complete"]


@pytest.mark.parametrize("biases, width", [("all", 2), ("hidden", 2), ("none", 2)])
def test_biases_of_the_identity(biases: str, width: int, tmp_path: Path, capsys: Any) -> None:
    net = file_of({"weights": [[[1], [-1], [2]], [[1, -1, 0]]], "biases": [[0, 0, 0], [0]]}, tmp_path / "net.json")
    out = tmp_path / "least.json"
    code, fields = answer(capsys, "minimal-width", net, "--biases", biases, "-o", str(out))
    assert (code, fields["width"], fields["excess"]) == (0, width, width)
    assert equal(load(net), load(out)).verdict == "equal"


@pytest.mark.parametrize("arguments, text", [
    (["--sample", "-1"], "at least 0"), (["-o", "x.json"], "--sample"), (["--biases", "some"], "invalid choice"),
    (["--smt2", "/no/such/folder/x"], "cannot be written"), (["--box", "1,1"], "")])
def test_refusals(arguments: list[str], text: str, tmp_path: Path, capsys: Any) -> None:
    code = main(["fiber", file_of(RELU, tmp_path / "net.json"), *arguments])
    assert code == 2 and text in capsys.readouterr().err


def test_minimal_width_is_for_one_hidden_layer(tmp_path: Path, capsys: Any) -> None:
    net = file_of({"weights": [[[1]], [[1]], [[1]]], "biases": [[0], [0], [0]]}, tmp_path / "net.json")
    assert main(["minimal-width", net]) == 2
    assert "one hidden layer" in capsys.readouterr().err
