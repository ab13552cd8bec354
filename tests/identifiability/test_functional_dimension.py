"""Functional dimension: methods, bounds, notes and limits; the rank is recomputed by sympy."""

from __future__ import annotations

import random
from fractions import Fraction

import pytest
import sympy

from exactrelu.complexes.canonical_complex import CanonicalComplex
from exactrelu.errors import DomainError, ShapeError
from exactrelu.identifiability import functional_dimension as module
from exactrelu.identifiability.functional_dimension import functional_dimension
from exactrelu.identifiability.jacobian import exact_jacobian, strict_cells
from exactrelu.limits import Limits
from exactrelu.network.network import Network
from exactrelu.polyhedra.domain import Domain

GENERIC = Network([[[1, 2], [3, -1]], [[1, 1]]], [[1, 0], [0]])
TWINS = Network([[[1], [2]], [[1, 1]]], [[1, 2], [0]])
DEAD = Network([[[1], [-1]], [[1, 1]]], [[0, -2], [0]])
PLANE, LINE, UNIT = Domain.space(2), Domain.space(1), Domain.box(1, [(0, 1)])


@pytest.mark.parametrize("seed", range(6))
def test_rank_by_sympy(seed: int) -> None:
    rng, widths = random.Random(seed), [(1, 2, 1), (2, 2, 1), (1, 2, 2, 1)][seed % 3]
    network = Network([[[rng.randint(-2, 2) for _ in range(m)] for _ in range(n)] for m, n in zip(widths, widths[1:], strict=False)],
                      [[rng.randint(-2, 2) for _ in range(n)] for n in widths[1:]])
    complex_ = CanonicalComplex.build(network)
    rows = [row for cell in strict_cells(complex_).tolist() for row in exact_jacobian(complex_, cell)]
    found = functional_dimension(network, Domain.space(widths[0]))
    assert found.lower == (sympy.Matrix(rows).rank() if rows else 0)
    assert found.exact or not rows
    found.certificate.verify()


@pytest.mark.parametrize("network, domain, dimension, method, maximal", [
    (GENERIC, PLANE, 7, "rank over the complete complex", True),
    (DEAD, UNIT, 2, "rank over the complete complex below, explicit symmetries above", False),
    (TWINS, LINE, 3, None, False),
    (Network([[[1, 2]]], [[3]]), PLANE, 3, "rank over the complete complex", True),
])
def test_methods(network: Network, domain: Domain, dimension: int, method: str | None, maximal: bool) -> None:
    found = functional_dimension(network, domain)
    assert found.lower == found.upper == dimension and found.exact and found.verdict == "exact"
    assert found.is_maximal is maximal and found.upper_certified
    assert method is None or found.method == method
    found.certificate.verify()
    assert (found.upper_certificate is None) is maximal
    if found.upper_certificate is not None:
        found.upper_certificate.verify()
    assert functional_dimension(network, domain, seed=5).lower == dimension


def test_without_the_complete_complex() -> None:
    found = functional_dimension(GENERIC, PLANE, limits=Limits(max_cells=3))
    assert found.complex is None and any(note.startswith("no complete complex: max_cells=3") for note in found.notes)
    assert found.lower <= 7 <= found.upper and found.to_json()["notes"] == list(found.notes)
    found.certificate.verify()


def test_large_networks_are_sampled(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "COMPLEX_PARAMETERS", 1)
    found = functional_dimension(GENERIC, PLANE)
    assert found.lower == 7 and found.method in ("facet pairs", "rank over sampled cells") and found.complex is not None
    found.certificate.verify()
    flawed = functional_dimension(DEAD, UNIT)
    assert flawed.method.endswith("explicit symmetries above") and flawed.lower <= 2 <= flawed.upper < 5


def test_a_neuron_that_vanishes_on_every_cell_is_noted() -> None:
    found = functional_dimension(Network([[[0]], [[1]]], [[0], [0]]), LINE)
    assert any("vanishes identically" in note for note in found.notes) and found.lower == 0


def test_refused_domains() -> None:
    with pytest.raises(ShapeError, match="dimension 1, the network 2 inputs"):
        functional_dimension(GENERIC, LINE)
    for domain in (Domain.box(1, [(1, 1)]), Domain(1, ((-1, 0),))):
        with pytest.raises(DomainError, match="no interior"):
            functional_dimension(TWINS, domain)


def test_a_domain_by_a_hair() -> None:
    """On [0, 2^-200] the breakpoint of the second neuron is seen or not seen."""
    tiny = Fraction(1, 2**200)
    inside = Network([[[1], [1]], [[1, 1]]], [[1, -tiny / 2], [0]])
    beside = inside.replaced(1, biases=[1, -tiny])
    domain = Domain.box(1, [(0, tiny)])
    assert functional_dimension(inside, domain).lower > functional_dimension(beside, domain).lower == 2
