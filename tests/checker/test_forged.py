"""Forged documents are refused with their message, and every refusal has a forged document."""

import ast
import json
from collections.abc import Iterator
from pathlib import Path
from types import TracebackType
from typing import Any

import pytest

import exactrelu.checker
from exactrelu.checker import Malformed, Rejected, check
from exactrelu.checker.document import LIMITS

GOLDEN = Path(__file__).resolve().parents[1] / "golden"
INDEX: dict[str, Any] = json.loads((GOLDEN / "forged.json").read_text())
SOURCE = Path(exactrelu.checker.__file__).parent
Site = tuple[str, int]


def refuse(name: str, monkeypatch: pytest.MonkeyPatch) -> Malformed | Rejected:
    entry = INDEX[name]
    with monkeypatch.context() as patch:
        for limit, value in entry.get("limits", {}).items():
            patch.setitem(LIMITS, limit, value)
        with pytest.raises((Malformed, Rejected)) as caught:
            check((GOLDEN / "forged" / f"{name}.json").read_bytes(), entry.get("claim"))
    assert isinstance(caught.value, Malformed | Rejected)
    return caught.value


@pytest.mark.parametrize("name", INDEX)
def test_forged_document_is_refused_with_its_message(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    error = refuse(name, monkeypatch)
    assert type(error).__name__.lower() == INDEX[name]["verdict"], error
    assert INDEX[name]["message"] in str(error)


def test_no_stray_files() -> None:
    assert {path.stem for path in (GOLDEN / "forged").iterdir()} == set(INDEX)


def refusals() -> Iterator[tuple[str, int, int]]:
    """File and lines of every call of `require` and every raise of Rejected or Malformed."""
    for path in sorted(SOURCE.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.FunctionDef) and node.name == "require":
                for inner in ast.walk(node):
                    inner.passed = True  # type: ignore[attr-defined]  # its callers count
            found = isinstance(node, ast.Raise) and not hasattr(node, "passed")
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
                found = node.func.id == "require"
            if found:
                assert isinstance(node, ast.Raise | ast.Call)
                yield path.relative_to(SOURCE).as_posix(), node.lineno, node.end_lineno or 0


def site(trace: TracebackType | None) -> Site:
    """Where the refusal was decided: the raise, or the call of `require`."""
    frames = []
    while trace is not None:
        frames.append((trace.tb_frame.f_code, trace.tb_lineno))
        trace = trace.tb_next
    if frames[-1][0].co_name == "require":
        frames.pop()
    code, line = frames[-1]
    return Path(code.co_filename).relative_to(SOURCE).as_posix(), line


def test_every_refusal_has_a_forged_document(monkeypatch: pytest.MonkeyPatch) -> None:
    hit = {site(refuse(name, monkeypatch).__traceback__) for name in INDEX}
    missing = [
        f"{file}:{first}"
        for file, first, last in refusals()
        if not any((file, line) in hit for line in range(first, last + 1))
    ]
    assert not missing, f"refusals without a forged document: {missing}"
