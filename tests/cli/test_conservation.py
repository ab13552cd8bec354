"""conservation, from the command line to the checker."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from exactrelu.cli.main import main

CASES = json.loads((Path(__file__).resolve().parents[1] / "data" / "conservation_cases.json").read_text())


@pytest.mark.parametrize("case", CASES, ids=[case["id"] for case in CASES])
def test_reference_cases(case: dict[str, Any], tmp_path: Path, capsys: Any) -> None:
    network, document = tmp_path / "network.json", tmp_path / "laws.json"
    network.write_text(json.dumps(case["theta"]))
    box = [] if case["domain"] == "R^n0" else ["--box", "0,1"]
    assert main(["conservation", str(network), *box, "--json", "-o", str(document)]) == 0
    fields = json.loads(capsys.readouterr().out)
    assert fields["verdict"] == "complete"
    assert fields["independent"] == len(fields["laws"]) == case["independent_conservation_laws"]
    assert fields["lie_hull_dimension"] == case["lie_hull_dims"][-1]
    assert main(["check", str(document)]) == 0


def test_text_and_bad_degree(tmp_path: Path, capsys: Any) -> None:
    network = tmp_path / "network.json"
    network.write_text(json.dumps(CASES[0]["theta"]))
    assert main(["conservation", str(network)]) == 0
    out = capsys.readouterr().out
    assert out.startswith("complete") and "law: W1_1_1^2" in out and "symmetry: scaling, a law" in out
    assert main(["conservation", str(network), "--degree", "0"]) == 2
    assert main(["conservation", str(network), "--degree", "1"]) == 3
