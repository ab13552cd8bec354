"""Every condition failing and holding, with witness and certificate."""

from __future__ import annotations

import random
from typing import Any

import pytest

from exactrelu.complexes.canonical_complex import CanonicalComplex
from exactrelu.genericity.complex_certificate import complex_certificate, full_cells_certificate
from exactrelu.genericity.generic import genericity
from exactrelu.genericity.geometry import Geometry
from exactrelu.network.network import Network
from exactrelu.polyhedra.domain import Domain

FAILING: dict[str, tuple[Any, Any, Any]] = {
    "supertransversality": ([[[1, 0], [0, 1], [1, 1]], [[1, 1, 1]]], [[0, 0, 0], [0]], None),
    "zero_count": ([[[1], [2]], [[1, 1]]], [[0, 0], [0]], None),
    "no_cancellation": ([[[1], [-1]], [[1, -1]]], [[0, 0], [0]], None),
    "transparency": ([[[1], [1]], [[1, 1]]], [[0, 1], [0]], None),
    "tpic": ([[[1, 0], [0, 1]], [[1, 1]], [[1]]], [[0, 0], [9], [0]], [(-1, 1)]),
    "connected_tpic": ([[[0, 0]], [[1]]], [[1], [0]], None),
    "linear_regions_assumption": ([[[1], [-1]], [[1, -1]]], [[0, 0], [0]], None),
}


@pytest.mark.parametrize("name", FAILING)
def test_a_failing_condition_has_a_witness(name: str) -> None:
    weights, biases, box = FAILING[name]
    net = Network(weights, biases)
    built = CanonicalComplex.build(net, Domain.box(net.architecture.inputs, box) if box else None)
    report = genericity(built)
    verdict = report.verdicts[name]
    assert verdict.word == "fails"
    assert report.verdict == "fails"
    assert report.to_json()[name]["witness"]["reason"]
    if hasattr(verdict.witness, "reevaluated"):
        assert verdict.witness.reevaluated(built)
        assert verdict.certificate is not None
        verdict.certificate.verify()


@pytest.mark.parametrize("seed", range(40))
def test_every_refutation_is_certified_and_every_certifiable_complex_is(seed: int) -> None:
    rng = random.Random(seed)
    widths = [(1, 3, 2, 1), (2, 3, 3, 1), (2, 3, 2, 2, 1), (3, 3, 2, 1)][seed % 4]
    bound = [1, 2, 9][seed % 3]
    net = Network([[[rng.randint(-bound, bound) for _ in range(m)] for _ in range(n)] for m, n in zip(widths, widths[1:])],
                  [[rng.randint(-bound, bound) for _ in range(n)] for n in widths[1:]])
    d = widths[0]
    for domain in (Domain.space(d), Domain.box(d, [(-1, 1)]), Domain(d, ((0, *[1] * d), (0, *[2] * d)))):
        built = CanonicalComplex.build(net, domain)
        report = genericity(built)
        for verdict in (*report.verdicts.values(), *report.further.values()):
            if verdict.word == "fails" and verdict.certificate is not None:
                verdict.certificate.verify()
        whole = complex_certificate(Geometry(built))
        if whole.word == "holds":
            whole.certificate.verify()
        assert (whole.word == "holds") <= (report.verdicts["zero_count"].word == "holds")
    full_cells_certificate(CanonicalComplex.build(net)).verify()


def test_the_room_is_a_verb() -> None:
    import exactrelu

    net = Network([[[1], [1]], [[1, 1]]], [[0, 0], [0]])
    assert exactrelu.genericity(net).verdict == "fails"
    assert exactrelu.genericity(net, Domain.box(1, [(1, 2)])).verdicts["zero_count"].word == "holds"
