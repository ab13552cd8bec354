"""Functional dimension against one dense exact rank; verdicts on identifiability against values and brute-force inequivalence."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from random import Random

import pytest

from exactrelu.certification.certify import certify
from exactrelu.errors import DomainError, PreconditionError
from exactrelu.identifiability.functional_dimension import FunctionalDimension, functional_dimension
from exactrelu.network.network import Network
from exactrelu.network.trivial_symmetry import equivalent
from exactrelu.polyhedra.cddlib import generators
from exactrelu.polyhedra.domain import Domain
from tests.oracles import dense_jacobian
from tests.oracles.cases import CASES, FULL_DIMENSIONAL, Case, larger, many, oracle
from tests.oracles.sign_enumeration import SignComplex
from tests.oracles.trivial_equivalence import are_equivalent

DEGENERATE_DOMAINS = tuple(case for case in CASES if case not in FULL_DIMENSIONAL)
MOST_PERMUTED = 5_000


@cache
def dimension(case: Case) -> FunctionalDimension:
    return functional_dimension(case.network, case.domain)


def check_dimension(case: Case) -> None:
    found, expected = dimension(case), dense_jacobian.functional_dimension(oracle(case))
    assert found.lower <= expected <= found.upper
    if found.exact:
        assert found.lower == expected == found.upper
    assert expected <= case.network.architecture.expected_dimension
    if found.certificate is not None:
        found.certificate.verify()


@pytest.mark.parametrize("case", FULL_DIMENSIONAL, ids=str)
def test_functional_dimension_is_the_dense_rank(case: Case) -> None:
    check_dimension(case)


@pytest.mark.parametrize("case", FULL_DIMENSIONAL, ids=str)
def test_upper_certificate_is_accepted(case: Case) -> None:
    """Also where a neuron is 0 on a full cell, which then does not count for the functional dimension."""
    found = dimension(case)
    if found.upper_certificate is not None:
        found.upper_certificate.verify()


@pytest.mark.slow
@pytest.mark.parametrize("start", range(0, 500, 50))
def test_functional_dimension_on_many_networks(start: int) -> None:
    for case in many(50, start):
        if case_is_full(case):
            check_dimension(case)


@pytest.mark.slow
@pytest.mark.parametrize("start", range(0, 160, 40))
def test_dimension_and_verdict_on_larger_networks(start: int) -> None:
    for case in larger(40, start):
        if case_is_full(case):
            check_dimension(case)
            check_verdict(case)


def case_is_full(case: Case) -> bool:
    return oracle(case).dimension == case.domain.dimension and all(any(row) for row in case.domain.inequalities)


def points(domain: Domain, count: int) -> list[tuple[Fraction, ...]]:
    """Random rational points of the domain, some on its boundary, some far away."""
    rng = Random(7)
    found = generators(domain.integer_rows, [], domain.dimension)
    corners = [tuple(Fraction(x, row[0]) for x in row[1:]) for row in found.points if row[0]]
    rays = [row[1:] for row in (*found.points, *found.lines) if not row[0]] + [tuple(-x for x in row[1:]) for row in found.lines]
    out = []
    for k in range(count):
        weights = [Fraction(rng.randint(0, 9)) for _ in corners]
        weights[rng.randrange(len(weights))] += 1
        x = [sum((w * c[i] for w, c in zip(weights, corners)), Fraction(0)) / sum(weights) for i in range(domain.dimension)]
        for ray in rays:
            t = Fraction(rng.randint(0, 30), rng.randint(1, 7)) * (1 if k % 3 else 10)
            x = [a + t * b for a, b in zip(x, ray)]
        assert domain.contains(x)
        out.append(tuple(x))
    return out


def check_verdict(case: Case) -> None:
    found = certify(case.network, case.domain)
    expected = dense_jacobian.functional_dimension(oracle(case))
    assert (found.tiers["local"].word == "holds") == (expected == case.network.architecture.expected_dimension)
    if found.certificate is not None:
        found.certificate.verify()
    if found.verdict == "not-identifiable":
        other = found.witness.network
        for x in points(case.domain, 200):
            assert other(x) == case.network(x)
        assert equivalent(case.network, other).word == "fails"
        if orders(case.network) <= MOST_PERMUTED:
            assert not are_equivalent(case.network, other)


def orders(network: Network) -> int:
    out = 1
    for width in network.architecture.hidden_widths:
        for k in range(2, width + 1):
            out *= k
    return out


@pytest.mark.parametrize("case", FULL_DIMENSIONAL, ids=str)
def test_verdict_is_right(case: Case) -> None:
    check_verdict(case)


@pytest.mark.slow
@pytest.mark.parametrize("start", range(0, 500, 50))
def test_verdicts_on_many_networks(start: int) -> None:
    for case in many(50, start):
        if case_is_full(case):
            check_verdict(case)


@pytest.mark.parametrize("case", DEGENERATE_DOMAINS, ids=str)
def test_domain_without_interior_is_restricted_to_or_refused(case: Case) -> None:
    """On a domain of lower dimension only the values on it count; a refusal is as good, a larger dimension is wrong."""
    try:
        found = functional_dimension(case.network, case.domain)
    except (DomainError, PreconditionError):
        return
    assert found.lower <= dense_jacobian.functional_dimension(oracle(case)) <= found.upper


@pytest.mark.parametrize("case", DEGENERATE_DOMAINS, ids=str)
def test_verdict_on_a_domain_without_interior_is_right_or_refused(case: Case) -> None:
    try:
        check_verdict(case)
    except (DomainError, PreconditionError):
        pass


def test_one_neuron_on_a_line_in_the_plane() -> None:
    """f = relu(x1 + x2) on {x1 = 0} depends on w2, b, v, c only: dimension 3, whatever w1 is."""
    network, line = Network([[[1, 1]], [[1]]], [[0], [0]]), Domain(2, ((0, 1, 0), (0, -1, 0)))
    assert dense_jacobian.functional_dimension(SignComplex(network, line)) == 3
    try:
        found = functional_dimension(network, line)
    except (DomainError, PreconditionError):
        return
    assert found.lower <= 3 <= found.upper
