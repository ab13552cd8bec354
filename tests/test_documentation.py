"""The Python blocks of the documents run, and the files and commands they name exist."""

from __future__ import annotations

import doctest
import re
from pathlib import Path

import pytest

from exactrelu.cli.main import VERBS

ROOT = Path(__file__).resolve().parents[1]
DOCUMENTS = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda p: p.name)
def test_examples_run(path: Path) -> None:
    result = doctest.testfile(str(path), module_relative=False)
    assert result.failed == 0


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda p: p.name)
def test_named_files_exist(path: Path) -> None:
    named = re.findall(r"`((?:exactrelu|docs|tests|examples|benchmarks)/[\w./-]+)`", path.read_text(encoding="utf-8"))
    assert [name for name in named if not (ROOT / name).exists()] == []


def test_the_readme_names_every_command_and_no_other() -> None:
    table = re.findall(r"^\| `exactrelu ([\w-]+)", (ROOT / "README.md").read_text(encoding="utf-8"), re.M)
    assert sorted(table) == sorted(VERBS)
