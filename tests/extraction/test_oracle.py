"""Oracles: every wrong answer is an error that says where; programs never outlive the extraction and never block it."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from exactrelu.errors import BudgetExceeded, ExactnessError, InputError, ShapeError
from exactrelu.extraction.extract import extract
from exactrelu.extraction.oracle import CallableOracle, Oracle
from exactrelu.extraction.process_oracle import MAX_LINE, ProcessOracle
from exactrelu.limits import Limits, Meter
from exactrelu.network.architecture import Architecture

PROGRAM = '''
import json, os, sys, time
from fractions import Fraction
mode, asked = sys.argv[1], 0
if len(sys.argv) > 2:
    open(sys.argv[2], "w").write(str(os.getpid()))
for line in sys.stdin:
    asked += 1
    x, y = map(Fraction, json.loads(line))
    value = json.dumps([str(max(x, 0) + max(Fraction(1, 2) - x - y, 0))])
    if asked > 5:
        if mode == "crash": sys.stderr.write("out of paper\\n"); sys.exit(3)
        if mode == "silent": time.sleep(60)
        if mode == "closed": os.close(1); time.sleep(60)
        if mode == "child": os.system("sleep 60 &"); sys.exit(0)
        if mode == "endless": sys.stdout.write("[" + "1" * 2_000_000); sys.stdout.flush(); time.sleep(60)
        if mode == "flood":
            while True: print(value)
        if mode == "stderr": sys.stderr.write("x" * 3_000_000)
        value = {"float": "[0.5]", "nan": "[NaN]", "infinite": "[-Infinity]", "long": '["1", "2"]', "empty": "[]", "object": '{"a": 1}',
                 "number": "7", "text": "hello", "cut": "[1", "null": "[null]", "true": "[true]", "nested": "[[1]]", "decimal": '["0.5"]',
                 "blank": "", "digits": "[" + "1" * 6000 + "]", "binary": "\\x00\\x01"}.get(mode, value)
    print(value, flush=True)
    if mode == "twice": print(value, flush=True)
'''


@pytest.fixture
def program(tmp_path: Path) -> Path:
    path = tmp_path / "oracle.py"
    path.write_text(PROGRAM, encoding="ascii")
    return path


def is_gone(pid: int) -> bool:
    """No such process, not even a zombie."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return True
    return False


ARCHITECTURE = Architecture((2, 2, 1))


@pytest.mark.parametrize("mode, kind, text", [
    ("crash", InputError, "exit code 3; standard error ends with: out of paper"),
    ("silent", InputError, "no answer within 1 seconds"),
    ("closed", InputError, "ended its output"),
    ("child", InputError, "exit code 0|no answer within"),
    ("endless", InputError, f"a line of more than {MAX_LINE} bytes"),
    ("flood", InputError, "nobody asked for"),
    ("twice", InputError, "nobody asked for|answers one point differently"),
    ("float", ExactnessError, r"0\.5 is a float.*wrote \[0\.5\]"),
    ("nan", ExactnessError, "NaN is a float"),
    ("infinite", ExactnessError, "-Infinity is a float"),
    ("long", ShapeError, "2 numbers, expected 1"),
    ("empty", ShapeError, "0 numbers, expected 1"),
    ("object", ShapeError, "got dict"),
    ("number", ShapeError, "got int: 7"),
    ("text", InputError, "hello is not JSON"),
    ("cut", InputError, "is not JSON"),
    ("blank", InputError, "is not JSON"),
    ("binary", InputError, "is not JSON"),
    ("digits", InputError, "is not JSON"),
    ("null", ExactnessError, "None"),
    ("true", ExactnessError, "boolean"),
    ("nested", ExactnessError, "not an exact rational"),
    ("decimal", ExactnessError, "write decimals as fractions")])
def test_a_failing_program(program: Path, tmp_path: Path, mode: str, kind: type[Exception], text: str) -> None:
    note = tmp_path / "pid"
    oracle = ProcessOracle([sys.executable, str(program), mode, str(note)], timeout=1 if mode in ("silent", "child") else 20)
    with pytest.raises(kind, match=rf"(?s)query \d+ at \[.*({text})|({text}).*query \d+ at"):
        extract(oracle, ARCHITECTURE)
    assert is_gone(int(note.read_text()))


@pytest.mark.parametrize("mode", ["right", "stderr"])
def test_a_good_program(program: Path, tmp_path: Path, mode: str) -> None:
    note = tmp_path / "pid"
    found = extract(ProcessOracle(f"{sys.executable} {program} {mode} {note}"), ARCHITECTURE)
    assert (found.verdict, found.label) == ("reconstructed", "certified")
    assert found.network is not None and found.network([3, 1]) == (3,)
    assert is_gone(int(note.read_text()))


def test_decimals_if_they_are_allowed(program: Path) -> None:
    with ProcessOracle([sys.executable, str(program), "decimal"], decimal=True) as oracle:
        oracle.start(2, 1)
        assert [oracle([Fraction(k), Fraction(0)]) for k in range(6)][5] == (Fraction(1, 2),)


@pytest.mark.parametrize("command, text", [("", "empty"), ("'", "cannot be split"), (["/no/such/program"], "cannot be started")])
def test_a_program_that_cannot_be_started(command: Any, text: str) -> None:
    with pytest.raises(InputError, match=text):
        extract(ProcessOracle(command), ARCHITECTURE)


@pytest.mark.parametrize("timeout", [0, -1, True, float("nan"), float("inf")])
def test_senseless_timeouts(timeout: Any) -> None:
    with pytest.raises(InputError, match="positive number of seconds"):
        ProcessOracle(["x"], timeout)


def test_an_interrupt_leaves_no_program_behind(program: Path, tmp_path: Path) -> None:
    note = tmp_path / "pid"
    script = ("import signal\nsignal.signal(signal.SIGINT, signal.default_int_handler)\n"       # a background job inherits "ignored"
              "from exactrelu import Architecture\nfrom exactrelu.extraction.extract import extract\n"
              "from exactrelu.extraction.process_oracle import ProcessOracle\n"
              f"extract(ProcessOracle({[sys.executable, str(program), 'silent', str(note)]!r}, 60), Architecture((2, 2, 1)))\n")
    with subprocess.Popen([sys.executable, "-c", script], stderr=subprocess.PIPE) as process:
        try:
            while not (note.exists() and note.read_text()):
                assert process.poll() is None
            process.send_signal(signal.SIGINT)
            _, errors = process.communicate(timeout=20)
        finally:
            process.kill()
    assert b"KeyboardInterrupt" in errors
    assert is_gone(int(note.read_text()))


@pytest.mark.parametrize("answer, kind, text", [
    ([0.5], ExactnessError, "float"), ([float("nan")], ExactnessError, "nan"), ([True], ExactnessError, "boolean"),
    (["1/0"], ExactnessError, "not a rational"), ([None], ExactnessError, "not an exact"), ([1, 2], ShapeError, "expected 1"),
    (7, ShapeError, "got int"), ("1", ShapeError, "got str"), (None, ShapeError, "got NoneType")])
def test_wrong_answers_of_a_function(answer: Any, kind: type[Exception], text: str) -> None:
    with pytest.raises(kind, match=rf"query 1 at \[.*{text}"):
        extract(CallableOracle(lambda x: answer), ARCHITECTURE)


def test_a_function_that_raises() -> None:
    with pytest.raises(InputError, match=r"query 1 at .*ZeroDivisionError: .*by zero"):
        extract(CallableOracle(lambda x: [1 // 0]), ARCHITECTURE)


@pytest.mark.parametrize("answer", [[Fraction(1, 2)], (Fraction(1, 2),), ["1/2"]])
def test_every_exact_form_is_read(answer: Any) -> None:
    assert CallableOracle(lambda x: answer)([Fraction(1)]) == (Fraction(1, 2),)


def test_answers_are_cached_and_counted() -> None:
    asked: list[Any] = []

    def function(x: list[Fraction]) -> list[int]:
        asked.append(x)
        return [1]
    oracle = CallableOracle(function)
    for _ in range(5):
        oracle([Fraction(3)])
    repeated = len(asked) - 1
    assert repeated in (0, 1) and oracle.queries == len(asked)
    for k in range(200):
        oracle([Fraction(k)])
    assert oracle.queries == len(asked) > 205 and len(oracle.answers) == 200


@pytest.mark.parametrize("seed", range(5))
def test_an_oracle_that_changes_its_mind(seed: int) -> None:
    count = [0]

    def function(x: list[Fraction]) -> list[Fraction]:
        count[0] += 1
        return [max(x[0], Fraction(0)) + Fraction(count[0] > 60)]
    oracle = CallableOracle(function)
    oracle.start(2, 1, seed=seed)
    with pytest.raises(InputError, match=r"answers one point differently: query \d+ at .* gave .* before and gives .* now"):
        [oracle([Fraction(k), Fraction(1)]) for k in range(400)]


def test_limits_stop_the_questions() -> None:
    oracle = CallableOracle(lambda x: [0])
    oracle.start(1, 1, meter=Meter(Limits(max_seconds=1e-9)))
    with pytest.raises(BudgetExceeded):
        oracle([Fraction(0)])
    found = extract(CallableOracle(lambda x: [0]), ARCHITECTURE, limits=Limits(max_seconds=1e-9))
    assert found.verdict == "undecided" and "max_seconds" in found.reason


def test_the_protocol_class_answers_nothing() -> None:
    with Oracle() as oracle, pytest.raises(NotImplementedError):
        oracle([Fraction(0)])
