"""Conservation laws: the counts of known families by both algorithms, and invariance along exact Euler steps in the limit."""

from __future__ import annotations

import json
from fractions import Fraction
from itertools import combinations
from pathlib import Path
from random import Random

import pytest

from exactrelu.complexes.canonical_complex import CanonicalComplex
from exactrelu.errors import BudgetExceeded, InputError
from exactrelu.fibers.conservation.lie_hull import lie_hull
from exactrelu.fibers.conservation.pattern_maps import PatternMaps, parameter_texts, parameter_values, strict_patterns
from exactrelu.fibers.conservation.polynomial_laws import independent_laws, law_gradient, law_space
from exactrelu.fibers.conservation.report import conservation
from exactrelu.fibers.conservation.symmetries import symmetries
from exactrelu.identifiability.jacobian import exact_jacobian, strict_cells
from exactrelu.network.architecture import Architecture
from exactrelu.network.network import Network
from exactrelu.polyhedra.domain import Domain

CASES = json.loads((Path(__file__).resolve().parents[2] / "data" / "conservation_cases.json").read_text())
SQUARE = Domain.box(2, [(0, 1)])
PRIME = 2_147_483_647


def active_block(a: int, d: int, m: int) -> Network:
    """One hidden layer of a always active neurons on the unit cube."""
    rng = Random(f"{a} {d} {m}")
    rows = [[rng.randint(1, 9) for _ in range(d)] for _ in range(a)]
    return Network([rows, [[rng.choice((-3, -2, 2, 3, 5)) for _ in range(a)] for _ in range(m)]],
                   [[rng.randint(1, 9) for _ in range(a)], [1] * m])


SHALLOW = Network([[[1, 2], [3, -1]], [[1, -2]]], [[1, 2], [1]])
CUTTING = Network([[[1, 0], [0, 1]], [[1, -2], [-3, 1]], [[1, 2]]], [[0, 0], [1, 2], [0]])
HIDING = Network([[[1, 0], [0, 1]], [[2, -3], [1, -2]], [[1, 2]]], [[0, 0], [-1, -2], [0]])
HIDING_ONE = Network([[[1, 0], [0, 1]], [[2, -3]], [[1]]], [[0, 0], [-1], [0]])
MIXED = Network([[[1, 0], [0, 1]], [[1, 2], [-3, 1]], [[1, 2]]], [[0, 0], [1, 2], [0]])
ACTIVE = Network([[[1, 0], [0, 1]], [[1, 2], [3, 1]], [[1, 2]]], [[0, 0], [1, 2], [0]])
THREE = Network([[[1, 0], [0, 1]], [[1, 2], [3, 1], [-1, 2]], [[1, 2, -1], [2, -1, 1]]], [[0, 0], [1, 2, 1], [0, 0]])
TABLE = [
    (SHALLOW, None, 2), (Network([[[1, 2], [3, -1]], [[1, -2], [2, 1]]], [[1, 2], [1, 0]]), None, 2),
    (active_block(1, 2, 1), SQUARE, 1), (active_block(2, 2, 2), SQUARE, 3),
    (active_block(2, 1, 1), Domain.box(1, [(0, 1)]), 3), (active_block(3, 1, 1), Domain.box(1, [(0, 1)]), 6),
    (active_block(4, 1, 1), Domain.box(1, [(0, 1)]), 9),
    (CUTTING, None, 4), (HIDING, None, 4), (HIDING_ONE, None, 3), (MIXED, None, 4), (ACTIVE, None, 5), (THREE, None, 6),
]


@pytest.mark.parametrize(("network", "domain", "laws"), TABLE)
def test_counts_by_both_algorithms(network: Network, domain: Domain | None, laws: int) -> None:
    maps = PatternMaps(network.architecture, strict_patterns(CanonicalComplex.build(network, domain)))
    count = network.architecture.parameters
    assert len(independent_laws(law_space(maps, 2), count, Random(1))) == laws
    assert count - lie_hull(maps, Random(2)).dimension == laws
    found = conservation(network, domain)
    assert found.complete and len(found.laws) == laws


@pytest.mark.parametrize("case", CASES, ids=[case["id"] for case in CASES])
def test_reference_cases(case: dict) -> None:
    network = Network(case["theta"]["weights"], case["theta"]["biases"])
    domain = None if case["domain"] == "R^n0" else SQUARE
    fields = conservation(network, domain).to_json()
    assert fields["independent"] == case["independent_conservation_laws"] and fields["lie_hull_dimension"] == case["lie_hull_dims"][-1]
    assert fields["lie_hull_dimensions"][0] == case["lie_hull_dims"][0] and fields["parameters"] == case["n_params"]


@pytest.mark.parametrize("network", [SHALLOW, MIXED, THREE, HIDING])
def test_laws_are_orthogonal_to_the_jacobian(network: Network) -> None:
    """By the definition: the gradient of a law annihilates every derivative of f on a strict cell."""
    complex_ = CanonicalComplex.build(network)
    point = [x * 210 for x in parameter_values(network)]
    assert all(x.denominator == 1 for x in point)
    scaled = [int(x) for x in point]
    network = with_parameters(network.architecture, [Fraction(x) for x in scaled])
    complex_ = CanonicalComplex.build(network)
    for law in conservation(network).laws:
        gradient = law_gradient(law, [x % PRIME for x in scaled], PRIME)
        for cell in strict_cells(complex_).tolist():
            for row in exact_jacobian(complex_, cell):
                assert sum(int(a * 1) * g for a, g in zip(cleared(row), gradient)) % PRIME == 0


def cleared(row: list) -> list[int]:
    values = [Fraction(x) for x in row]
    scale = 1
    for x in values:
        scale *= x.denominator
    return [int(x * scale) for x in values]


def with_parameters(architecture: Architecture, values: list[Fraction]) -> Network:
    weights, biases, at = [], [], 0
    for before, width in zip(architecture.widths, architecture.widths[1:]):
        weights.append([values[at + i * (before + 1):at + i * (before + 1) + before] for i in range(width)])
        biases.append([values[at + i * (before + 1) + before] for i in range(width)])
        at += (before + 1) * width
    return Network(weights, biases)


def test_coefficients_are_those_of_the_affine_maps() -> None:
    maps = PatternMaps(Architecture((2, 2, 2, 1)), ((3, 3), (1, 2)))
    ring = maps.ring
    names = parameter_texts(maps.architecture)
    w = dict(zip(names, ring.gens()))
    ((constant, first, _),) = maps.maps((1, 2))
    assert first == w["W3_1_2"] * w["W2_2_1"] * w["W1_1_1"]
    assert constant == w["W3_1_2"] * (w["W2_2_1"] * w["b1_1"] + w["b2_2"]) + w["b3_1"]


@pytest.mark.parametrize("degree", [1, 2, 3])
def test_higher_degrees_bring_no_further_independent_law(degree: int) -> None:
    found = conservation(active_block(2, 2, 2), SQUARE, degree=degree)
    assert len(found.laws) == (0 if degree == 1 else 3)
    assert found.complete == (degree > 1)


def test_symmetries_and_their_reasons() -> None:
    found = conservation(active_block(2, 2, 2), SQUARE)
    kinds = {(s.name, s.law is not None) for s in found.symmetries}
    assert kinds == {("scaling", True), ("bias translation", False), ("symmetric mixing", True), ("rotation", False)}
    assert all("non-holonomic" in s.reason for s in found.symmetries if s.law is None)
    assert "shift of a hidden hyperplane" in {s.name for s in conservation(HIDING).symmetries}
    dead = Network([[[1, 0], [0, 0]], [[1, 1]]], [[0, -1], [0]])
    laws = conservation(dead)
    assert laws.complete
    assert {s.name for s in laws.symmetries} == {"scaling", "dead parameter"}


def test_a_symmetry_field_is_verified() -> None:
    """A bias translation of a neuron that cuts the domain is no symmetry."""
    maps = PatternMaps(SHALLOW.architecture, strict_patterns(CanonicalComplex.build(SHALLOW)))
    assert {s.name for s in symmetries(maps)} == {"scaling"}


@pytest.mark.parametrize("seed", range(25))
def test_random_three_layer_types(seed: int) -> None:
    """The count n_1 + cutting + own coordinates of dead neurons + active block, where the block's formula is the known one."""
    rng = Random(seed)
    n1, n2, m = rng.choice(((2, 2, 1), (2, 2, 2), (2, 3, 2), (3, 2, 1)))
    while True:
        rows = [[rng.choice((-1, 1)) * rng.randint(1, 5) for _ in range(n1)] for _ in range(n2)]
        biases = [rng.choice((-1, 1)) * rng.randint(1, 5) for _ in range(n2)]
        signs = [{x > 0 for x in (*row, b)} for row, b in zip(rows, biases)]
        twins = any(a * d == b * c for one, other in combinations(zip(rows, biases), 2)
                    for (a, b), (c, d) in combinations(zip((*one[0], one[1]), (*other[0], other[1])), 2))
        if any(True in s for s in signs) and not twins:
            break
    active, dead = sum(s == {True} for s in signs), sum(s == {False} for s in signs)
    cutting = n2 - active - dead
    output = [[rng.choice((-3, -2, 1, 2, 5, 7)) for _ in range(n2)] for _ in range(m)]
    network = Network([[[int(i == j) for j in range(n1)] for i in range(n1)], rows, output], [[0] * n1, biases, [0] * m])
    rho = min(active, n1 + 1 + m)
    expected = n1 + cutting + dead * (n1 + 1 + m) + rho * (2 * active + 1 - rho) // 2
    found = conservation(network)
    assert len(found.laws) == expected and found.complete


def test_twins_obey_a_law_of_their_own() -> None:
    """Two neurons with one row switch together, so they mix like always active ones, as long as they stay together."""
    twins = Network([[[1, 0], [0, 1]], [[-4, 2], [-4, 2]], [[-2, 1], [7, -3]]], [[0, 0], [3, 3], [0, 0]])
    found = conservation(twins)
    assert len(found.laws) == 5 and found.complete and not found.stable
    assert "other activity patterns" in found.reason
    assert conservation(CUTTING).stable


def test_bad_requests() -> None:
    with pytest.raises(InputError, match="degree"):
        conservation(SHALLOW, degree=0)
    with pytest.raises(BudgetExceeded, match="parameters"):
        PatternMaps(Architecture((50, 50, 1)), ((0,),))
    with pytest.raises(BudgetExceeded, match="monomials"):
        law_space(PatternMaps(Architecture((5, 10, 10, 1)), ((0, 0),)), 3)
