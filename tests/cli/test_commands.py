"""Every command: JSON fields, exit codes, bad input, limits, interruption."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from exactrelu.cli import geometry_verbs
from exactrelu.cli import main as entry
from exactrelu.cli.main import main

EXAMPLES = Path(__file__).resolve().parents[2] / "examples" / "networks"
IRIS, ECOLI, TWIN = (str(EXAMPLES / name) for name in ("iris_4-10-8-6-4-3.npz", "ecoli_7-5-5-4.npz", "twin_ladder_5-10-1.nnet"))
NNET = str(EXAMPLES / "fc_2-2-3.nnet")
GENERIC = str(EXAMPLES / "generic_2-4-4-1.json")


def run(capsys: Any, *arguments: str) -> tuple[int, Any, str]:
    """Exit code, JSON object (or None), standard error."""
    code = main([*arguments, "--json"])
    captured = capsys.readouterr()
    return code, json.loads(captured.out) if captured.out else None, captured.err


def test_info(capsys: Any) -> None:
    code, found, _ = run(capsys, "info", NNET)
    assert code == 0
    assert found["architecture"] == [2, 2, 3]
    assert (found["parameters"], found["hidden_neurons"], found["expected_dimension"]) == (15, 2, 13)
    assert found["degenerate"] == [{"layer": 1, "index": 1, "kind": "opposite"}]
    assert found["max_bits"] > 0


def test_the_first_line_is_the_verdict_word(capsys: Any) -> None:
    for arguments, word in ((["complex", NNET], "complete"), (["genericity", NNET], "fails"), (["dimension", NNET], "exact"),
                            (["certify", NNET], "locally-identifiable"), (["canonical", NNET], "canonical")):
        main(arguments)
        assert capsys.readouterr().out.split("\n")[0] == word
        main([*arguments, "--quiet"])
        assert capsys.readouterr().out == word + "\n"


def test_complex_fields(capsys: Any) -> None:
    code, found, _ = run(capsys, "complex", GENERIC)
    assert code == 0
    expected = {"f_vector": [34, 76, 43], "lineality_dimension": 0, "full_cells": 43, "breakpoint_facets": 76, "linear_regions": 43,
                "balanced": True}
    assert {name: found[name] for name in expected} == expected


def test_genericity_of_a_generic_network(capsys: Any) -> None:
    code, found, _ = run(capsys, "genericity", GENERIC)
    assert code == 0
    names = ("supertransversality", "zero_count", "no_cancellation", "transparency", "tpic", "connected_tpic", "linear_regions_assumption")
    assert [found[name] for name in names] == [{"verdict": "holds", "witness": None}] * 7


@pytest.mark.parametrize("box", ["-1,1", "0,1;-1/2,2", None])
def test_certificates_are_written_and_accepted(box: str | None, capsys: Any, tmp_path: Path) -> None:
    place = [GENERIC] + (["--box", box] if box else [])
    for verb in ("complex", "genericity", "dimension", "certify"):
        target = str(tmp_path / f"{verb}.json")
        code, found, _ = run(capsys, verb, *place, "-o", target)
        if not Path(target).exists():
            assert found["certificate"] is None
            assert code != 1 or verb == "genericity"
            continue
        assert found["certificate"] == target
        assert run(capsys, "check", target)[0] == 0
        assert run(capsys, "check", target, "--network", GENERIC, *place[1:])[0] == 0
        assert run(capsys, "check", target, "--network", GENERIC, "--box", "7,9")[0] == 1
        assert run(capsys, "check", target, "--network", NNET)[0] == 1


def test_not_identifiable_comes_with_a_second_parameter(capsys: Any, tmp_path: Path) -> None:
    target = str(tmp_path / "c.json")
    code, found, _ = run(capsys, "certify", TWIN, "-o", target)
    assert (code, found["verdict"]) == (1, "not-identifiable")
    second = tmp_path / "second.json"
    second.write_text(json.dumps(found["witness"]["network"]))
    assert run(capsys, "equal", TWIN, str(second))[0] == 0
    assert run(capsys, "equivalent", TWIN, str(second))[0] == 1
    assert run(capsys, "check", target)[0] == 0


def test_dimension_of_an_architecture(capsys: Any) -> None:
    code, found, _ = run(capsys, "dimension", "--architecture", "2,3,2,1")
    assert code == 0
    assert (found["functional_dimension"], found["expected_dimension"], found["exact"]) == (15, 15, True)


def test_canonical_and_equivalent(capsys: Any, tmp_path: Path) -> None:
    target = str(tmp_path / "canonical.json")
    code, found, _ = run(capsys, "canonical", IRIS, "-o", target)
    assert code == 0
    again = run(capsys, "canonical", target)[1]
    assert again["sha256"] == found["sha256"]
    code, same, _ = run(capsys, "equivalent", IRIS, target, "-o", str(tmp_path / "e.json"))
    assert (code, same["sha256"]) == (0, [found["sha256"]] * 2)
    assert run(capsys, "check", str(tmp_path / "e.json"))[0] == 0
    assert run(capsys, "equivalent", IRIS, ECOLI)[0] == 1
    degenerate = tmp_path / "zero.json"
    degenerate.write_text('{"weights": [[["0"]], [["1"]]], "biases": [["0"], ["0"]]}')
    code, none, _ = run(capsys, "canonical", str(degenerate))
    assert (code, none["sha256"]) == (3, None)


def test_convert(capsys: Any, tmp_path: Path) -> None:
    for suffix in ("json", "npz"):
        target = str(tmp_path / f"iris.{suffix}")
        assert run(capsys, "convert", IRIS, target)[0] == 0
        assert run(capsys, "equivalent", IRIS, target)[0] == 0
    third = tmp_path / "third.json"
    third.write_text('{"weights": [[["1/3"]]], "biases": [["0"]]}')
    code, _, error = run(capsys, "convert", str(third), str(tmp_path / "third.npz"))
    assert code == 2
    assert "1/3" in error and "layer 1" in error


def test_equal_gives_a_point(capsys: Any, tmp_path: Path) -> None:
    other = tmp_path / "other.json"
    document = json.loads(Path(GENERIC).read_text())
    document["biases"][2] = ["11/2"]
    other.write_text(json.dumps(document))
    code, found, _ = run(capsys, "equal", GENERIC, str(other), "-o", str(tmp_path / "d.json"))
    assert code == 1
    assert found["witness"]["values"][0] != found["witness"]["values"][1]
    assert run(capsys, "check", str(tmp_path / "d.json"))[0] == 0
    assert run(capsys, "equal", GENERIC, GENERIC)[0] == 0


def test_the_input_box_of_a_nnet_file(capsys: Any) -> None:
    code, found, _ = run(capsys, "complex", NNET, "--box", "file")
    assert (code, found["bounded_full_cells"]) == (0, 2)
    assert run(capsys, "complex", IRIS, "--box", "file")[0] == 2


@pytest.mark.parametrize(("arguments", "words"), [
    ([], ["usage"]), (["frobnicate"], ["invalid choice"]), (["info"], ["NETWORK"]), (["info", "nowhere.json"], ["nowhere.json"]),
    (["complex", NNET, "--box", "1,-1"], ["empty"]), (["complex", NNET, "--box", "0.5,1"], ["0.5", "--decimal"]),
    (["complex", NNET, "--box", "1"], ["lo,hi"]), (["complex", NNET, "--box", "0,1;0,1;0,1"], ["intervals"]),
    (["complex", NNET, "--box", "-1,1", "--domain", "x"], ["not both"]), (["complex", NNET, "--domain", "nowhere"], ["nowhere"]),
    (["complex", NNET, "--max-cells", "0"], ["max_cells"]), (["complex", NNET, "--max-cells", "many"], ["many"]),
    (["complex", NNET, "--backend", "fast"], ["backend"]), (["dimension"], ["--architecture"]),
    (["dimension", "--architecture", "2"], ["architecture"]), (["dimension", "--architecture", "a,b"], ["a,b"]),
    (["check", "nowhere.json"], ["nowhere.json"]), (["check", NNET], ["malformed"]), (["equal", NNET, IRIS], ["inputs"]),
    (["complex", NNET, "-o", "/nowhere/x.json"], ["/nowhere/x.json"]), (["convert", NNET, "/nowhere/x.json"], ["/nowhere/x.json"]),
    (["demo", "--networks", "/nowhere"], ["/nowhere"])], ids=lambda x: " ".join(x)[:60])
def test_bad_input_ends_with_2_and_names_the_place(arguments: list[str], words: list[str], capsys: Any) -> None:
    assert main(arguments) == 2
    captured = capsys.readouterr()
    assert not captured.out
    for word in words:
        assert word in captured.err


def test_decimal_box(capsys: Any) -> None:
    assert run(capsys, "complex", NNET, "--box", "-0.5,1.5", "--decimal")[0] == 0
    assert run(capsys, "complex", NNET, "--box=-1,1")[0] == 0


@pytest.mark.parametrize("limit", [["--max-cells", "50"], ["--max-seconds", "0.000001"], ["--max-bits", "10"]])
def test_limits_end_with_3_and_what_was_done(limit: list[str], capsys: Any) -> None:
    for verb in ("complex", "genericity"):
        code, found, _ = run(capsys, verb, IRIS, *limit)
        assert (code, found["verdict"]) == (3, "undecided")
        assert limit[0][2:].replace("-", "_") in found["reason"]


def test_a_limit_on_certify_is_no_verdict(capsys: Any) -> None:
    # without the complex the sampled Jacobian still has rank 197, and the witness does not fit into 20 leaves
    code, found, _ = run(capsys, "certify", IRIS, "--box", "0,8", "--max-cells", "20")
    assert (code, found["verdict"]) == (3, "undecided")
    assert "max_cells=20" in found["reason"]
    assert found["conditions"]["supertransversality"] == "undecided"


def test_interruption_is_undecided(monkeypatch: pytest.MonkeyPatch, capsys: Any) -> None:
    def interrupt(*_: Any) -> Any:
        raise KeyboardInterrupt
    monkeypatch.setattr(geometry_verbs, "network_file", interrupt)
    assert main(["complex", NNET]) == 3
    assert capsys.readouterr().out.startswith("undecided\nreason: interrupted")


def test_a_failed_self_check_ends_with_4(monkeypatch: pytest.MonkeyPatch, capsys: Any) -> None:
    from exactrelu.errors import InvariantError

    def broken(*_: Any) -> Any:
        raise InvariantError("two cells overlap")
    monkeypatch.setattr(entry, "_verb", lambda name: broken)
    assert main(["complex", NNET]) == 4
    assert "two cells overlap" in capsys.readouterr().err


def test_ctrl_c_in_a_process_leaves_no_traceback() -> None:
    source = str(EXAMPLES / "fc1_2-25-25-25-2.onnx")
    process = subprocess.Popen([sys.executable, "-m", "exactrelu", "certify", source], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                               cwd=EXAMPLES.parents[1], env={**os.environ, "PYTHONPATH": str(EXAMPLES.parents[1])},
                               preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL))  # a job in the background ignores it
    time.sleep(1.5)
    process.send_signal(signal.SIGINT)
    out, error = process.communicate(timeout=60)
    assert b"Traceback" not in error
    assert process.returncode == 3
    assert out.startswith(b"undecided")


def test_a_closed_pipe_is_silent() -> None:
    command = f"{sys.executable} -m exactrelu complex {NNET} | true"
    done = subprocess.run(["sh", "-c", command], capture_output=True, cwd=EXAMPLES.parents[1], timeout=60, check=False)
    assert b"Traceback" not in done.stderr


def test_standard_input(monkeypatch: pytest.MonkeyPatch) -> None:
    done = subprocess.run([sys.executable, "-m", "exactrelu", "info", "-", "--json"], input=Path(GENERIC).read_bytes(), capture_output=True,
                          cwd=EXAMPLES.parents[1], timeout=60, check=True)
    assert json.loads(done.stdout)["architecture"] == [2, 4, 4, 1]


def test_demo_on_small_networks(tmp_path: Path, capsys: Any) -> None:
    chosen = tmp_path / "networks"
    chosen.mkdir()
    for name in ("fc_2-2-3.nnet", "generic_2-4-4-1.json"):
        (chosen / name).write_bytes((EXAMPLES / name).read_bytes())
    (chosen / "notes.txt").write_text("no network")
    assert main(["demo", "--networks", str(chosen), "--folder", str(tmp_path / "out")]) == 0
    out = capsys.readouterr().out
    assert "checked" in out
    page = (tmp_path / "out" / "report.html").read_text()
    assert "<svg" in page and "locally-identifiable" in page
    for certificate in (tmp_path / "out").glob("*.json"):
        assert main(["check", str(certificate)]) == 0


def test_numbers_too_long_for_a_document_are_undecided(capsys: Any, tmp_path: Path) -> None:
    rng = random.Random(1)
    widths = (2, 3, 1)
    long = tmp_path / "long.json"
    long.write_text(json.dumps({
        "weights": [[[str(rng.randrange(10**1500)) for _ in range(m)] for _ in range(n)] for m, n in zip(widths, widths[1:])],
        "biases": [[str(rng.randrange(10**1500)) for _ in range(n)] for n in widths[1:]]}))
    for verb in ("complex", "genericity", "certify", "dimension", "info", "canonical"):
        code, found, error = run(capsys, verb, str(long))
        assert code in (0, 1, 3), (verb, error)
        assert "Traceback" not in error
        if code == 3 and verb != "canonical":
            assert "digits" in json.dumps(found)


def test_an_unexpected_error_is_no_refutation(monkeypatch: pytest.MonkeyPatch, capsys: Any) -> None:
    def broken(*_: Any) -> Any:
        raise ValueError("unforeseen")
    monkeypatch.setattr(entry, "_verb", lambda name: broken)
    assert main(["complex", NNET]) == 4
    assert main(["complex", NNET, "--json"]) == 4
    assert "unforeseen" in capsys.readouterr().err


def test_huge_architectures_are_refused(capsys: Any) -> None:
    assert main(["dimension", "--architecture", "1000000,1000000,1"]) == 2
    assert "parameters" in capsys.readouterr().err
    assert main(["dimension", "--architecture", "2,3,1", "--samples", "0"]) == 2


def test_bits_are_limited_everywhere(capsys: Any) -> None:
    assert run(capsys, "equal", GENERIC, GENERIC, "--max-bits", "1")[0] == 3
    assert run(capsys, "canonical", GENERIC, "--max-bits", "1")[0] == 3
    assert run(capsys, "complex", NNET, "--box", "-inf,inf")[0] == 2


def test_flat_domains_with_long_numbers(capsys: Any, tmp_path: Path) -> None:
    network, domain = tmp_path / "n.json", tmp_path / "d.json"
    network.write_text('{"weights": [[[1,1,1,1,1]],[[1]]], "biases": [[0],[0]]}')
    big, large = 27670116110564327424, 18446744073709551616
    rows = [[-2, 3, 3, big, 0, large], [2, -3, -3, -big, 0, -large], [3, 2, -3, -3, 2, 3]]
    domain.write_text(json.dumps({"inequalities": [[str(x) for x in row] for row in rows]}))
    code, found, _ = run(capsys, "complex", str(network), "--domain", str(domain))
    assert (code, found["f_vector"][-1]) == (0, 0)
    assert found["full_cells"] == 2


def test_dead_neurons_can_be_removed_first(capsys: Any, tmp_path: Path) -> None:
    file = tmp_path / "dead.json"
    file.write_text(json.dumps({"weights": [[[1, 0], [1, 1]], [[1, 3]]], "biases": [[0, -2], [1]]}))
    code, found, _ = run(capsys, "certify", str(file), "--box", "-1,1")
    assert (code, found["verdict"]) == (1, "not-identifiable")
    code, found, _ = run(capsys, "certify", str(file), "--box", "-1,1", "--remove-dead")
    assert (code, found["verdict"], found["removed"]) == (0, "identifiable", [[1, 1]])


def run_shell(command: str) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(["sh", "-c", command], capture_output=True, cwd=EXAMPLES.parents[1], timeout=120, check=False)


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full")
def test_an_answer_that_cannot_be_written() -> None:
    done = run_shell(f"{sys.executable} -m exactrelu certify {GENERIC} > /dev/full")
    assert done.returncode == 2 and b"cannot be written" in done.stderr and b"Traceback" not in done.stderr


def test_closed_streams_keep_the_exit_code() -> None:
    done = run_shell(f"{sys.executable} -m exactrelu certify {GENERIC} >&-")
    assert done.returncode == 0 and b"Traceback" not in done.stderr
    done = run_shell(f"{{ {sys.executable} -m exactrelu certify no-such-file.json 2>&1; echo $? >&3; }} 3>&2 | true")
    assert done.stderr.strip().endswith(b"2") and b"Traceback" not in done.stderr


def test_an_input_is_not_overwritten(tmp_path: Path, capsys: Any) -> None:
    copy = tmp_path / "network.json"
    copy.write_bytes(Path(GENERIC).read_bytes())
    assert main(["certify", str(copy), "-o", str(copy)]) == 2
    assert "overwrite" in capsys.readouterr().err
    assert copy.read_bytes() == Path(GENERIC).read_bytes()


def test_a_limit_of_the_search_is_no_layer(capsys: Any) -> None:
    main(["reconstruct", GENERIC, "--max-seconds", "0.000001"])
    assert "layer 0" not in capsys.readouterr().out
