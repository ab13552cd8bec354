"""construct, from the command line to the checker."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from exactrelu.cli.main import main


@pytest.mark.parametrize("arguments", [["slab", "--architecture", "2,2,2,1"], ["slab", "--architecture", "2,3,1", "--randomised", "20"],
                                       ["depth-chain", "--architecture", "2,2,2,2,1", "--seed", "3"]])
def test_what_is_written_is_accepted(arguments: list[str], tmp_path: Path, capsys: Any) -> None:
    assert main(["construct", *arguments, "-o", str(tmp_path), "--json"]) == 0
    fields = json.loads(capsys.readouterr().out)
    assert fields["verdict"] == "constructed" and fields["claims"]
    assert main(["certify", fields["network"], "--domain", fields["domain"]]) == 0
    for path in fields["certificates"]:
        assert main(["check", path, "--network", fields["network"], "--domain", fields["domain"]]) == 0


@pytest.mark.parametrize("arguments", [["slab"], ["slab", "--architecture", "2,1,2,1"], ["slab", "--architecture", "x"], ["what"],
                                       ["depth-chain", "--architecture", "2,2,1", "--randomised", "5"]])
def test_requests_that_cannot_be_served(arguments: list[str], capsys: Any) -> None:
    assert main(["construct", *arguments]) == 2
    assert "exactrelu:" in capsys.readouterr().err


def test_a_limit_is_undecided(capsys: Any) -> None:
    assert main(["construct", "slab", "--architecture", "2,2,2,1", "--max-cells", "5"]) == 3
    assert capsys.readouterr().out.startswith("undecided")


@pytest.mark.parametrize("arguments", [["linear-block"], ["linear-block", "--architecture", "2,2,3,1", "--size", "1"],
                                       ["exchange", "--seed", "1"], ["clip-reflection"], ["three-ray"], ["narrow"],
                                       ["narrow", "--architecture", "2,1,1,1"], ["ambiguous", "--architecture", "2,2,3,1"]])
def test_examples_pass_the_other_commands(arguments: list[str], tmp_path: Path, capsys: Any) -> None:
    assert main(["construct", *arguments, "-o", str(tmp_path), "--json"]) == 0
    fields = json.loads(capsys.readouterr().out)
    for path in fields["certificates"]:
        assert main(["check", path]) == 0
    paths = fields.get("networks") or [fields["network"]]
    for path in paths[1:]:
        assert main(["equal", paths[0], path, "--domain", fields["domain"]]) == 0
        assert main(["equivalent", paths[0], path]) == 1
    assert main(["certify", paths[0], "--domain", fields["domain"], "--quiet"]) == (1 if len(paths) > 1 else 0)


def test_the_probe_of_a_layer_of_one_neuron(tmp_path: Path, capsys: Any) -> None:
    assert main(["construct", "narrow", "--architecture", "2,1,1,1", "-o", str(tmp_path), "--json"]) == 0
    fields = json.loads(capsys.readouterr().out)
    assert main(["construct", "narrow", "--network", fields["networks"][0], "--domain", fields["domain"], "--json"]) == 0
    report = json.loads(capsys.readouterr().out)
    assert report["verdict"] == "bottleneck" and report["layer"] == 1 and len(report["parameters"]) == 1
    assert main(["construct", "slab", "--network", fields["networks"][0]]) == 2
