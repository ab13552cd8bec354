"""Every verb as a function: verdict, JSON, certificate, and the short and the notebook form."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest

from exactrelu import verbs
from exactrelu.errors import BudgetExceeded, DomainError
from exactrelu.limits import Limits
from exactrelu.network.architecture import Architecture
from exactrelu.network.files.load import load_with_box
from exactrelu.network.files.save import save
from exactrelu.network.network import Network
from exactrelu.polyhedra.domain import Domain

A = Network([[[1, 2], [3, -1]], [[1, 1]]], [[1, 0], [0]])
MOVED = Network([[[6, -2], [1, 2]], [["1/2", 1]]], [[0, 1], [0]])
OTHER = A.replaced(2, biases=[1])
DEAD = Network([[[1], [-1]], [[1, 1]]], [[0, -2], [0]])
BOX = Domain.box(1, [(0, 1)])


def shown(result: Any, verdict: str) -> dict[str, Any]:
    """What all results have in common; returns the JSON object."""
    written = result.to_json()
    assert result.verdict == written["verdict"] == verdict
    assert json.loads(json.dumps(written)) == written
    assert repr(result) == f"<{type(result).__name__}: {verdict}>"
    html = result._repr_html_()
    assert html.startswith("<table>") and html.count("<tr>") == len(written)
    return written


def test_info() -> None:
    written = shown(verbs.info(Network([[[1], [2]], [[1, 0]]], [[1, 2], [0]])), "network")
    assert written["architecture"] == [1, 2, 1] and (written["parameters"], written["expected_dimension"]) == (7, 5)
    assert [(d["index"], d["kind"]) for d in written["degenerate"]] == [(1, "proportional"), (1, "zero-column")]


def test_convert(tmp_path: Path) -> None:
    source, target = tmp_path / "a.json", tmp_path / "<b&c>.json"
    save(A, str(source))
    result = verbs.convert(source, target)
    assert shown(result, "exact") == {"verdict": "exact", "exact": True, "written": str(target)}
    assert load_with_box(str(target)).network == A
    assert "&lt;b&amp;c&gt;.json" in result._repr_html_() and "<b&c>" not in result._repr_html_()


def test_complex() -> None:
    assert shown(verbs.complex(A), "complete")["f_vector"] == [1, 4, 4]
    assert shown(verbs.complex(DEAD, BOX, backend="integer"), "complete")["full_cells"] == 1
    with pytest.raises(BudgetExceeded):
        verbs.complex(A, limits=Limits(max_cells=3))
    seen: list[tuple[int, int, int]] = []
    verbs.complex(A, progress=lambda *three: seen.append(three))
    assert [s[:2] for s in seen] == [(1, 2), (2, 2)]


def test_dimension() -> None:
    result = verbs.dimension(A)
    written = shown(result, "exact")
    assert written["functional_dimension"] == written["expected_dimension"] == 7
    result.certificate.verify()
    flawed = verbs.dimension(DEAD, BOX)
    assert shown(flawed, "exact")["functional_dimension"] == 2           # x -> a x + b on [0, 1]
    flawed.certificate.verify()


@pytest.mark.parametrize("network, domain, verdict", [
    (A, None, "identifiable"), (DEAD, BOX, "not-identifiable"), (A.replaced(2, weights=[[1, 0]]), None, "not-identifiable"),
])
def test_certify(network: Network, domain: Domain | None, verdict: str) -> None:
    result = verbs.certify(network, domain)
    shown(result, verdict)
    assert result.certificate is not None
    result.certificate.verify()


def test_canonical() -> None:
    one, two = shown(verbs.canonical(A), "canonical"), shown(verbs.canonical(MOVED), "canonical")
    assert one["sha256"] == two["sha256"] != shown(verbs.canonical(OTHER), "canonical")["sha256"]
    none = shown(verbs.canonical(Network([[[0]], [[1]]], [[0], [0]])), "undecided")
    assert none["sha256"] is None and none["reason"]


def test_equivalent() -> None:
    yes = verbs.equivalent(A, MOVED)
    written = shown(yes, "equivalent")
    assert yes.symmetry is not None and yes.symmetry.act(A) == MOVED and written["moves"]
    yes.certificate.verify()
    no = verbs.equivalent(A, OTHER)
    assert shown(no, "inequivalent")["reason"] and no.symmetry is None
    no.certificate.verify()
    shapes = verbs.equivalent(A, DEAD)
    assert shown(shapes, "inequivalent")["reason"] and shapes.certificate is None


def test_equal() -> None:
    same = verbs.equal(A, MOVED)
    assert shown(same, "equal")["witness"] is None
    same.certificate.verify()
    different = verbs.equal(A, OTHER)
    shown(different, "different")
    different.certificate.verify()
    assert A(different.witness.point) != OTHER(different.witness.point)
    identity = Network([[[1]]], [[0]])
    assert verbs.equal(DEAD, identity, BOX).verdict == "equal" and verbs.equal(DEAD, identity).verdict == "different"
    assert same.method == "trivial symmetry" and same.certificate.kind == "equivalent"
    assert verbs.equal(DEAD, identity, BOX).method == "split tree" and different.method == "canonical form of shallow networks"
    assert verbs.equal(DEAD, identity).method == "exact evaluation"
    odd = Network([[[1], [-1]], [[1, -1]]], [[0, 0], [0]])
    stopped = verbs.equal(odd, identity, limits=Limits(max_cells=1))
    assert shown(stopped, "undecided")["reason"] and stopped.certificate is None and stopped.work["points"]
    diagonal = Domain(2, ((0, 1, -1), (0, -1, 1)))
    x, y, z = (Network([[row], [[1]]], [[0], [0]]) for row in ([1, 0], [0, 1], [2, -1]))
    flat = verbs.equal(x, y, diagonal)
    assert shown(flat, "equal")["reason"] and flat.certificate is None and flat.method == "split tree on the affine hull"
    assert verbs.equal(x, z, diagonal, seed=3).verdict == "equal"
    with pytest.raises(DomainError, match="empty"):
        verbs.equal(x, y, Domain(2, ((-1, 1, 0), (0, -1, 0))))


def test_extract(tmp_path: Path) -> None:
    found = verbs.extract(A, A.architecture)
    written = shown(found, "reconstructed")
    assert written["label"] == "certified" and verbs.equivalent(found.candidates[0], A).verdict == "equivalent"
    program = tmp_path / "oracle.py"
    program.write_text("import json, sys\nfrom fractions import Fraction\nfor line in sys.stdin:\n    x, = map(Fraction, json.loads(line))"
                       "\n    print(json.dumps([str(max(x - 1, 0) + max(2 * x, 0))]), flush=True)\n", encoding="ascii")
    found = verbs.extract(f"{sys.executable} {program}", Architecture((1, 2, 1)), timeout=60)
    assert found.label == "certified" and found.candidates[0]([2]) == (5,)
    shown(verbs.extract(lambda x: [x[0] * x[0]], Architecture((1, 1, 1)), BOX), "undecided")
