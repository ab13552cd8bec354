"""Every genericity condition against its definition on the enumerated sign vectors, and every witness against plain evaluation."""

from __future__ import annotations

from typing import Any

import pytest

from exactrelu.complexes.canonical_complex import CanonicalComplex
from exactrelu.genericity.generic import genericity
from exactrelu.network.forward import sign_vector
from tests.oracles.cases import CASES, FULL_DIMENSIONAL, Case, larger, many, oracle


def verdicts(case: Case) -> dict[str, Any]:
    found = genericity(CanonicalComplex.build(case.network, case.domain))
    return {**found.verdicts, **found.further}


def check_conditions(case: Case) -> None:
    found = verdicts(case)
    words = {name: verdict.word for name, verdict in found.items()}
    assert words == {name: "holds" if holds else "fails" for name, holds in oracle(case).conditions().items()}
    for name, verdict in found.items():
        check_witness(case, name, verdict)


def check_witness(case: Case, name: str, verdict: Any) -> None:
    """A failure names a cell, a point of it and neurons for which the definition is violated, or the missing pairs."""
    if verdict.word == "holds":
        return
    witness, expected = verdict.witness, oracle(case)
    if name in ("tpic", "connected_tpic"):
        architecture = case.network.architecture
        pairs = {tuple(architecture.number(neuron) for neuron in pair) for pair in getattr(witness, "pairs", ())}
        if pairs or name == "tpic":
            assert pairs == expected.missing_pairs()
        return
    cells = [i for i, c in enumerate(expected.open_cells) if c.signs == witness.signs and c.dimension == witness.dimension]
    assert cells, "the witness is a cell of the enumeration"
    assert sign_vector(case.network, witness.point) == witness.signs
    assert case.domain.contains(witness.point)
    codimension = expected.dimension - witness.dimension
    layers = [expected.signs[cells[0], list(layer)] for layer in expected.layers]
    if name == "zero_count":
        assert witness.signs.count(0) != codimension
    elif name == "supertransversality":
        assert any(expected.interior[i] and expected.member[i].sum() != codimension for i in cells)
    elif name == "transparency":
        assert any(all(s <= 0 for s in layer) for layer in layers)
    elif name == "boundary_transversality":
        faces = {c.walls: max(o.dimension for o in expected.open_cells if o.walls == c.walls) for c in expected.open_cells}
        assert any(expected.member[i].sum() != faces[expected.open_cells[i].walls] - witness.dimension for i in cells)
    elif name in ("no_cancellation", "linear_regions_assumption_adjacent"):
        facets = [k for k, f in enumerate(expected.facets) if f in cells]
        assert facets and not expected.is_visible[facets[0]]
        assert name != "no_cancellation" or expected.bends[facets[0]].any()


@pytest.mark.parametrize("case", CASES, ids=str)
def test_conditions_are_those_of_the_definition(case: Case) -> None:
    check_conditions(case)


@pytest.mark.slow
@pytest.mark.parametrize("start", range(0, 500, 50))
def test_conditions_on_many_networks(start: int) -> None:
    for case in many(50, start):
        check_conditions(case)


@pytest.mark.slow
@pytest.mark.parametrize("start", range(0, 160, 40))
def test_conditions_on_larger_networks(start: int) -> None:
    for case in larger(40, start):
        check_conditions(case)


def check_certificates(case: Case) -> None:
    for verdict in verdicts(case).values():
        if verdict.certificate is not None:
            verdict.certificate.verify()


@pytest.mark.parametrize("case", FULL_DIMENSIONAL, ids=str)
def test_certificates_are_accepted(case: Case) -> None:
    check_certificates(case)


@pytest.mark.parametrize("case", [case for case in CASES if case not in FULL_DIMENSIONAL], ids=str)
def test_certificates_on_domains_without_interior_are_accepted(case: Case) -> None:
    check_certificates(case)
