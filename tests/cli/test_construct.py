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
