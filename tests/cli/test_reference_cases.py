"""Every count and condition of the reference cases, through the command line."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from exactrelu.cli.main import main
from exactrelu.network.canonical_form import CanonicalForm, canonical_form
from exactrelu.network.network import Network

DATA = Path(__file__).resolve().parents[1] / "data"
GEOMETRY = json.loads((DATA / "geometry_cases.json").read_text())["cases"]
NASTY = json.loads((DATA / "nasty_networks.json").read_text())["networks"]
DEEP = json.loads((DATA / "deep_cases.json").read_text())["cases"]
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
    check_verdict(code, verdict, set(expected["verdicts"]))
    check_function_geometry(run(capsys, "dependency", *place)[1], expected)
    for layers in [case["witness"]] if "witness" in case else []:
        (other := tmp_path / "other").mkdir()
        second = write(other, [layer["W"] for layer in layers], [layer["b"] for layer in layers])[0]
        assert run(capsys, "equal", place[0], second, *place[1:])[1]["verdict"] == "equal"
        assert run(capsys, "equivalent", place[0], second)[1]["verdict"] == "inequivalent"
    assert main(["check", str(tmp_path / "certificate.json")]) == 0


def check_verdict(code: int, found: dict[str, Any], expected: set[str]) -> None:
    """The tiers are at least as strong as those listed; a parameter that is not identifiable is refuted."""
    tiers = {name: tier["verdict"] for name, tier in found["tiers"].items()}
    assert ("NONID" in expected) == (found["verdict"] == "not-identifiable") == (code == 1)
    assert (tiers["local"] == "holds") == ("LOCAL" in expected)
    assert (tiers["supertransversal"] == "holds") == ("GENERIC" in expected)
    if expected & {"ALL", "ALL_BY_BOTTLENECK_ARGUMENT"}:
        assert found["verdict"] == "identifiable" and len(found["fiber"]) == 1
    elif "GENERIC" in expected:
        assert found["verdict"] in ("identifiable", "identifiable-among-supertransversal")


def check_function_geometry(found: dict[str, Any], expected: dict[str, Any]) -> None:
    """Classes with their neurons, arcs, chains, ambiguous ridges and pictures."""
    assert len(found["classes"]) == expected["visible_classes"]
    neurons = [tuple(entry["neurons"][0]) for entry in found["classes"]]
    assert all(len(entry["neurons"]) == 1 for entry in found["classes"])
    assert sorted(neurons) == sorted(map(tuple, expected["class_neurons"]))
    arcs = sorted([list(neurons[a]), list(neurons[b])] for a, b in found["arcs"])
    assert arcs == sorted(expected["dependency_edges"])
    assert found["depth_bound"] == expected["longest_chain"]
    assert len(found["ambiguous_ridges"]) == expected["ambiguous_ridges"]
    assert found["ridge_pictures"] == expected["ridge_pictures"]


@pytest.mark.parametrize("case", DEEP, ids=lambda c: c["name"])
def test_complete_fibers(case: dict[str, Any], capsys: Any, tmp_path: Path) -> None:
    place = write(tmp_path, [layer["W"] for layer in case["layers"]], [layer["b"] for layer in case["layers"]], box_rows(case["domain"]))
    code, found = run(capsys, "certify", *place, "-o", str(tmp_path / "c.json"), "--fiber", str(tmp_path / "f.json"))
    assert (code, found["verdict"]) == ((0, "identifiable") if len(case["fiber"]) == 1 else (1, "not-identifiable"))
    expected = {canonical_sha(Network([layer["W"] for layer in m], [layer["b"] for layer in m])) for m in case["fiber"]}
    assert {canonical_sha(Network(m["weights"], m["biases"])) for m in found["fiber"]} == expected
    assert main(["check", str(tmp_path / "c.json")]) == 0
    if len(case["fiber"]) > 1:
        assert main(["check", str(tmp_path / "f.json")]) == 0


def canonical_sha(network: Network) -> str:
    form = canonical_form(network)
    assert isinstance(form, CanonicalForm)
    return form.sha256
