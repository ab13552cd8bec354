"""The checker runs alone, from the command line, and never shows a traceback."""

import ast
import gzip
import json
import subprocess
import sys
from pathlib import Path

import pytest

import exactrelu.checker
from exactrelu.checker import __main__ as command
from exactrelu.checker.document import LIMITS

ROOT = Path(__file__).resolve().parents[2]
GOLDEN = ROOT / "tests" / "golden"
SOURCE = Path(exactrelu.checker.__file__).parent
DOCUMENT = GOLDEN / "accepted" / "not_identifiable_rays.json"


def run(*arguments: str, standard_input: bytes = b"") -> tuple[int, str]:
    done = subprocess.run(
        [sys.executable, "-m", "exactrelu.checker", *arguments],
        input=standard_input,
        capture_output=True,
        cwd=ROOT,
        check=False,
    )
    assert b"Traceback" not in done.stderr
    return done.returncode, done.stdout.decode("ascii")


def test_accepted_claims_are_restated() -> None:
    code, text = run(str(DOCUMENT))
    lines = text.splitlines()
    assert (code, lines[:2]) == (0, ["accepted", "not-identifiable"])
    assert any(line.startswith("  a: architecture [2, 3, 2, 1], sha256 ") for line in lines)
    assert any(line.startswith("  domain: 4 inequalities, sha256 ") for line in lines)
    assert lines[-1] == "trusted: cover; color refinement"


@pytest.mark.parametrize(
    ("name", "code", "lines"),
    [
        ("value", 1, ["rejected", "the network takes another value there"]),
        ("bytes_key_twice", 2, ["malformed", "duplicate key"]),
        ("document_odd_kind", 2, ["malformed", r"unknown kind of claim '\ud800'"]),
    ],
)
def test_refusals_give_their_reason(name: str, code: int, lines: list[str]) -> None:
    found, text = run(str(GOLDEN / "forged" / f"{name}.json"))
    assert (found, text.splitlines()) == (code, lines)


def test_standard_input() -> None:
    assert run("-", standard_input=DOCUMENT.read_bytes())[0] == 0
    assert run("-", standard_input=gzip.compress(DOCUMENT.read_bytes()))[0] == 0
    assert run("-")[0] == 2


def test_wrong_usage(tmp_path: Path) -> None:
    assert run()[0] == 2
    assert run("a", "b")[0] == 2
    assert run(str(tmp_path / "missing.json"))[0] == 2
    assert run(str(tmp_path))[0] == 2


def test_compressed_documents(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    packed = gzip.compress(DOCUMENT.read_bytes())
    path = tmp_path / "document.json.gz"
    for data, code in (
        (packed, 0),
        (packed[:-9], 2),
        (packed[:4], 2),
        (packed[:30] + b"?" * 30, 2),
    ):
        path.write_bytes(data)
        assert command.main([str(path)]) == code
    assert capsys.readouterr().out.count("malformed\n") == 3


def test_unpacked_size_is_bounded(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "bomb.json.gz"
    path.write_bytes(gzip.compress(b" " * 10_000_000))
    monkeypatch.setitem(LIMITS, "bytes", 100_000)
    assert len(command.read(str(path))) == 100_001
    assert command.main([str(path)]) == 2
    assert capsys.readouterr().out == "malformed\ndocument too long\n"


def test_only_the_standard_library_is_loaded() -> None:
    program = f"""
import json, sys
sys.path.insert(0, {str(ROOT)!r})
from exactrelu.checker import check
print(check(open({str(DOCUMENT)!r}).read()))
print(json.dumps(sorted(sys.modules)))
"""
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-c", program], capture_output=True, text=True, check=True
    )
    kind, modules = done.stdout.splitlines()
    assert kind == "not-identifiable"
    for name in json.loads(modules):
        top = name.partition(".")[0]
        inside = name == "exactrelu" or name.startswith("exactrelu.checker")
        assert inside or top in sys.stdlib_module_names or top == "__main__", name


def test_the_kernel_is_small_and_imports_no_other_room() -> None:
    assert sum(len(path.read_text().splitlines()) for path in SOURCE.glob("*.py")) <= 700
    for path in SOURCE.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            if isinstance(node, ast.ImportFrom):
                assert node.level == 0
                names = [node.module or ""]
            for name in names:
                top = name.partition(".")[0]
                assert name.startswith("exactrelu.checker") or top in sys.stdlib_module_names
            assert not (isinstance(node, ast.Constant) and isinstance(node.value, float))
