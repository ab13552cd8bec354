"""Exact facts about real networks, established by other programs: cell splitting with two box sizes, an SMT solver."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from exactrelu.cli.main import main

EXAMPLES = Path(__file__).resolve().parents[2] / "examples" / "networks"
FACTS = {  # regions, vertices, facets, breakpoint facets, linear regions; None: not established elsewhere
    "fc_2-2-3.nnet": (2, 0, 1, 1, 2),
    "fc_2-2-3.onnx": (2, 0, 1, 1, 2),
    "vnncomp_small_1-2-2-1.onnx": (2, 1, 1, 1, 2),
    "twin_ladder_5-10-1.nnet": (32, 1, 80, 0, 1),
    "ecoli_7-5-5-4.npz": (313, None, None, None, None),
    "fc1_2-25-25-25-2.onnx": (2061, 2029, 4089, 4089, 2061),
    "iris_4-10-8-6-4-3.npz": (12590, 8533, 45822, 45822, 12590),
}


@pytest.mark.parametrize("name", FACTS)
def test_counts(name: str, capsys: Any) -> None:
    assert main(["complex", str(EXAMPLES / name), "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    counts = (found["full_cells"], found["f_vector"][0], found["f_vector"][-2], found["breakpoint_facets"], found["linear_regions"])
    assert [c for c, known in zip(counts, FACTS[name]) if known is not None] == [known for known in FACTS[name] if known is not None]


@pytest.mark.parametrize(("name", "box", "lower", "upper"), [
    ("iris_4-10-8-6-4-3.npz", None, 207, 207), ("ecoli_7-5-5-4.npz", None, 84, 84),
    ("iris_4-10-8-6-4-3.npz", "0,8", 196, 197), ("ecoli_7-5-5-4.npz", "0,1", 83, 83)])
def test_functional_dimension(name: str, box: str | None, lower: int, upper: int, capsys: Any) -> None:
    main(["dimension", str(EXAMPLES / name), "--json"] + ([f"--box={box}"] if box else []))
    found = json.loads(capsys.readouterr().out)
    assert lower <= found["lower"] <= found["upper"] <= upper


@pytest.mark.slow
def test_a_large_network_on_its_input_box(capsys: Any, tmp_path: Path) -> None:
    target = str(tmp_path / "acasxu.json")
    assert main(["dimension", str(EXAMPLES / "acasxu_v2a_1_1.nnet"), "--box", "file", "--json", "-o", target]) == 3
    found = json.loads(capsys.readouterr().out)
    assert found["lower"] >= 11_800
    assert found["upper"] <= 12_400
    assert [1, 24] in found["dead_neurons"] and [3, 47] in found["dead_neurons"]
    assert main(["check", target]) == 0


@pytest.mark.parametrize(("file", "box", "verdict", "neuron"), [
    ("iris_4-10-8-6-4-3.npz", "0,8", "not-identifiable", [2, 0]), ("ecoli_7-5-5-4.npz", "0,1", "not-identifiable", [1, 1]),
    ("ecoli_7-5-5-4.npz", None, "identifiable-among-supertransversal", None), ("fc_2-2-3.onnx", None, "locally-identifiable", None),
    ("fc_2-2-3.onnx", "0,1", "not-identifiable", [1, 1]), ("slab_2-2-2-2-2-1.json", "-4,8;-2,2", "identifiable", None),
    ("generic_2-4-4-1.json", None, "identifiable", None)])
def test_verdicts_of_the_documents(file: str, box: str | None, verdict: str, neuron: list[int] | None, capsys: Any) -> None:
    main(["certify", str(EXAMPLES / file), "--json", *([f"--box={box}"] if box else [])])
    found = json.loads(capsys.readouterr().out)
    assert found["verdict"] == verdict
    if neuron is not None:
        assert found["witness"]["neurons"] == [neuron]
