"""Every count and condition of the reference cases, through the command line."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from exactrelu.cli.main import main

DATA = Path(__file__).resolve().parents[1] / "data"
GEOMETRY = json.loads((DATA / "geometry_cases.json").read_text())["cases"]
NASTY = json.loads((DATA / "nasty_networks.json").read_text())["networks"]
IDENTIFIABILITY = json.loads((DATA / "identifiability_cases.json").read_text())["cases"]


def run(capsys: Any, *arguments: str) -> tuple[int, dict[str, Any]]:
    """Exit code and JSON object of one command."""
    code = main([*arguments, "--json"])
    return code, json.loads(capsys.readouterr().out)


def write(folder: Path, weights: Any, biases: Any, domain: Any = None) -> list[str]:
    """Network file (and domain options) of one case."""
    network = folder / "network.json"
    network.write_text(json.dumps({"weights": weights, "biases": biases}))
    if domain is None:
        return [str(network)]
    file = folder / "domain.json"
    file.write_text(json.dumps({"format": "exactrelu/domain", "version": 1, "inequalities": domain}))
    return [str(network), "--domain", str(file)]


def box_rows(domain: dict[str, Any]) -> list[list[str]]:
    """Inequalities of the box of an identifiability case."""
    rows = []
    for k, (low, high) in enumerate(zip(domain["lo"], domain["hi"])):
        unit = [int(k == j) for j in range(len(domain["lo"]))]
        rows.append([str(-low) if isinstance(low, int) else f"-{low}".replace("--", ""), *unit])
        rows.append([high, *(-x for x in unit)])
    return rows


@pytest.mark.parametrize("case", GEOMETRY, ids=lambda c: c["name"])
@pytest.mark.parametrize("backend", ["auto", "certified", "reference"])
def test_geometry(case: dict[str, Any], backend: str, capsys: Any, tmp_path: Path) -> None:
    place = write(tmp_path, case["weights"], case["biases"], case["domain_H"])
    code, found = run(capsys, "complex", *place, "--backend", backend, "-o", str(tmp_path / "c.json"))
    expected = case["expected"]
    assert code == 0
    assert found["balanced"]
    assert found["f_vector"] == expected["f_vector_interior"]
    assert found["full_cells"] == expected["full_cells"]
    assert found["breakpoint_facets"] == expected["breakpoint_facets"]
    assert found["linear_regions"] == expected["regions"]
    assert found["distinct_affine_maps"] == expected["distinct_affine_maps"]
    assert found["strata"] == expected["intrinsic_strata"]
    assert main(["check", str(tmp_path / "c.json")]) == 0


@pytest.mark.parametrize("case", GEOMETRY, ids=lambda c: c["name"])
def test_conditions(case: dict[str, Any], capsys: Any, tmp_path: Path) -> None:
    _, found = run(capsys, "genericity", *write(tmp_path, case["weights"], case["biases"], case["domain_H"]))
    names = {"supertransversal": "supertransversality", "zero_count_generic": "zero_count", "no_cancellation": "no_cancellation",
             "transparent": "transparency", "tpic": "tpic", "lra_strong": "linear_regions_assumption",
             "boundary_transversal": "boundary_transversality"}
    for short, name in names.items():
        if short in case["expected"]:
            assert (found[name]["verdict"] == "holds") == case["expected"][short], name


@pytest.mark.parametrize("case", NASTY, ids=lambda c: c["name"])
def test_nasty_networks(case: dict[str, Any], capsys: Any, tmp_path: Path) -> None:
    code, found = run(capsys, "complex", *write(tmp_path, case["weights"], case["biases"]), "--with-output")
    truth = case["truth"]
    assert code == 0
    fields = {"regions": found["full_cells"], "bounded_regions": found["bounded_full_cells"], "vertices": found["f_vector"][0],
              "facets": found["f_vector"][-2], "breakpoint_facets": found["breakpoint_facets"],
              "connected_linear_regions": found["linear_regions"], "distinct_affine_maps": found["distinct_affine_maps"],
              "regions_with_output": found["regions_with_output"], "vertices_with_output": found["vertices_with_output"]}
    assert {name: fields[name] for name in truth} == truth


@pytest.mark.parametrize("case", IDENTIFIABILITY, ids=lambda c: c["name"])
def test_identifiability(case: dict[str, Any], capsys: Any, tmp_path: Path) -> None:
    domain = box_rows(case["domain"]) if case["domain"]["type"] == "box" else None
    place = write(tmp_path, [layer["W"] for layer in case["layers"]], [layer["b"] for layer in case["layers"]], domain)
    expected = case["expected"]
    code, found = run(capsys, "dimension", *place)
    assert (code, found["exact"]) == (0, True)
    assert found["functional_dimension"] == expected["functional_dimension"]
    assert found["expected_dimension"] == expected["max_functional_dimension"]
    assert (found["parameters"], found["hidden_neurons"]) == (expected["params"], expected["hidden"])
    _, conditions = run(capsys, "genericity", *place)
    names = {"supertransversal": "supertransversality", "transparent": "transparency", "no_cancellation": "no_cancellation",
             "cTPIC": "connected_tpic", "all_facets_visible": "linear_regions_assumption_adjacent"}
    assert {short: conditions[name]["verdict"] == "holds" for short, name in names.items()} == expected["conditions"]
    _, counts = run(capsys, "complex", *place)
    assert counts["full_cells"] == expected["n_full_cells"]
    _, canonical = run(capsys, "canonical", place[0])
    assert canonical["sha256"] == expected["canonical_sha256"]
    code, verdict = run(capsys, "certify", *place, "-o", str(tmp_path / "certificate.json"))
    if "LOCAL" in expected["verdicts"]:
        assert (code, verdict["verdict"]) == (0, "locally-identifiable")
    else:
        assert (code, verdict["verdict"]) == (1, "not-identifiable")
    assert main(["check", str(tmp_path / "certificate.json")]) == 0
