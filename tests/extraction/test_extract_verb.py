"""The command `extract`: grammar, exit codes, files."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Any

import pytest

from exactrelu import load
from exactrelu.cli.answer import CERTIFIED, UNDECIDED
from exactrelu.cli.extract_verb import add_extract, extract
from exactrelu.errors import InputError

PROGRAM = ("import json, sys\nfrom fractions import Fraction\nfor line in sys.stdin:\n    x, y = map(Fraction, json.loads(line))\n"
           "    print(json.dumps([str({body})]), flush=True)\n")


def options(*arguments: str) -> argparse.Namespace:
    top = argparse.ArgumentParser()
    verbs = top.add_subparsers(dest="verb")

    def verb(name: str, text: str, *, networks: Any = (), domain: bool = False) -> argparse.ArgumentParser:
        made = verbs.add_parser(name, help=text)
        assert not networks and domain
        for place in ("--domain", "--box", "-o", "--max-cells", "--max-seconds", "--max-bits"):
            made.add_argument(place, **({"dest": "output"} if place == "-o" else {}))
        made.add_argument("--decimal", action="store_true")
        made.add_argument("--seed", type=int, default=0)
        return made
    add_extract(verb)
    return top.parse_args(["extract", *arguments])


def command(tmp_path: Path, body: str) -> str:
    path = tmp_path / "oracle.py"
    path.write_text(PROGRAM.replace("{body}", body), encoding="ascii")
    return f"{sys.executable} {path}"


def test_a_network_is_written(tmp_path: Path) -> None:
    out = tmp_path / "out.json"
    answer = extract(options("--oracle", command(tmp_path, "max(x, 0) - max(x - 1, 0) + 2 * max(y, 0)"), "--architecture", "2,3,1",
                             "-o", str(out), "--timeout", "20"))
    assert (answer.verdict, answer.exit_code) == ("reconstructed", CERTIFIED)
    assert answer.fields["written"] == [str(out), str(tmp_path / "out-2.json")]
    assert all(load(path)([3, 1]) == (3,) for path in answer.fields["written"])
    assert answer.lines[0].startswith("certified") and any("promise" in line for line in answer.lines)


def test_undecided(tmp_path: Path) -> None:
    answer = extract(options("--oracle", command(tmp_path, "x * y"), "--architecture", "2,2,1", "--box=-1,1"))
    assert (answer.verdict, answer.exit_code, answer.fields["candidates"]) == ("undecided", UNDECIDED, [])


@pytest.mark.parametrize("arguments", [("--oracle", "/no/such/program", "--architecture", "2,2,1"),
                                       ("--oracle", "x", "--architecture", "two"),
                                       ("--oracle", "x", "--architecture", "2,2,1", "--timeout", "0"),
                                       ("--oracle", "x", "--architecture", "2,2,1", "--timeout", "nan")])
def test_input_errors(arguments: tuple[str, ...]) -> None:
    with pytest.raises(InputError):
        extract(options(*arguments))
