"""Uniqueness among supertransversal parameters: documents are accepted, and no all-parameters search contradicts them."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest

from exactrelu.certificates.verdict import Fails, Holds, Undecided
from exactrelu.certification.among_supertransversal import ALMOST_EVERY, almost_every, among_supertransversal, gluing_stability
from exactrelu.certification.certify import certify
from exactrelu.certification.uniqueness import Subject, among_all
from exactrelu.complexes.canonical_complex import CanonicalComplex
from exactrelu.errors import InvariantError
from exactrelu.genericity.generic import genericity
from exactrelu.limits import Meter
from exactrelu.network.network import Network
from exactrelu.network.trivial_symmetry import equivalent
from exactrelu.polyhedra.domain import Domain
from exactrelu.recovery.reconstruct import Reconstruction, reconstruct
from tests.slabs import integer_network, slab_domain, slab_network

UNSTABLE = Network([[[-1, 1], [0, -1], [1, 0]], [[-1, -1, 1], [1, 0, -1]], [[2, -1]]], [[-1, -1, -1], [-1, -1], [0]])
UNSTABLE_BOX = Domain.box(2, [("-43/10", "41/10"), ("-39/10", "47/10")])
ARCHITECTURES = [(2, 2, 1), (2, 2, 2, 1), (2, 3, 3, 1), (3, 2, 2, 1), (3, 3, 2, 1), (2, 2, 2, 2, 1)]


def found_in(network: Network, domain: Domain) -> tuple[Subject, Reconstruction]:
    subject = Subject(CanonicalComplex.build(network, domain), Meter())
    return subject, reconstruct(subject.graph, network.architecture, subject.same, subject.meter)


def check(network: Network, domain: Domain) -> str:
    subject, found = found_in(network, domain)
    verdict = among_supertransversal(subject.complex, genericity(subject.complex), subject.graph, found, subject.same.refutations)
    everywhere = among_all(subject)
    if isinstance(everywhere, Holds) and found.complete:
        assert len(found.candidates) <= 1, "two supertransversal candidates, but unique among all parameters"
        assert all(equivalent(network, candidate) for candidate in found.candidates)
    if isinstance(verdict, Holds):
        verdict.certificate.verify()
        if isinstance(everywhere, Fails):
            members = everywhere.detail.get("members", ())
            others = [m for m in members if not equivalent(network, m)]
            for other in others:                            # another realization of a T3-certified function is not supertransversal
                report = genericity(CanonicalComplex.build(other, domain))
                assert isinstance(report.verdicts["supertransversality"], Fails)
    return verdict.word


def run(count: int, start: int) -> int:
    certified = 0
    for seed in range(start, start + count):
        widths = ARCHITECTURES[seed % len(ARCHITECTURES)]
        domain = (Domain.box(widths[0], [(-12, 13)]), Domain.space(widths[0]))[seed // len(ARCHITECTURES) % 2]
        certified += check(integer_network(widths, ("t3", seed), 3 + seed % 4), domain) == "holds"
    return certified


def test_random_parameters() -> None:
    assert run(150, 0) > 15


@pytest.mark.slow
def test_many_random_parameters() -> None:
    assert run(3000, 10_000) > 300


def test_slabs_and_almost_every() -> None:
    for widths in [(2, 2, 2, 1), (2, 3, 3, 1), (4, 2, 3, 2, 1)]:
        for seed in range(4):
            check(slab_network(widths, seed), slab_domain(widths[0]))
    verdict = certify(slab_network((2, 3, 3, 3, 1), 0), slab_domain(2)).tiers["supertransversal"]
    assert isinstance(verdict, Holds) and ALMOST_EVERY in verdict.detail["reason"]


def test_an_unstable_ridge_is_named() -> None:
    subject, found = found_in(UNSTABLE, UNSTABLE_BOX)
    stable = gluing_stability(subject.complex, subject.graph)
    assert isinstance(stable, Fails) and stable.witness.hidden < 3 <= stable.witness.visible
    further = almost_every(subject.complex, genericity(subject.complex), subject.graph, found)
    assert isinstance(further, Undecided) and "gluing-stable" in further.reason
    verdict = among_supertransversal(subject.complex, genericity(subject.complex), subject.graph, found)
    assert isinstance(verdict, Holds) and ALMOST_EVERY not in verdict.detail["reason"]


def test_unbounded_domains_say_nothing_about_neighbors() -> None:
    subject, found = found_in(slab_network((2, 2, 2, 1), 0), Domain.space(2))
    assert isinstance(almost_every(subject.complex, genericity(subject.complex), subject.graph, found), Undecided)
    assert isinstance(gluing_stability(subject.complex, subject.graph), Holds)


def test_a_neuron_that_touches_zero_says_nothing_about_neighbors() -> None:
    """A neuron that vanishes on a full cell changes its activity under any motion, so the complex changes near theta."""
    touching = Network([[[-1, -1], [-2, 1], [-2, 2]], [[-1, 3, -1], [3, -2, -3]], [[3, -2]]], [[-3, -3, 0], [0, 2], [-2]])
    subject, found = found_in(touching, Domain.box(2, [(Fraction(-43, 5), Fraction(41, 5)), (Fraction(-39, 5), Fraction(47, 5))]))
    further = almost_every(subject.complex, genericity(subject.complex), subject.graph, found)
    assert isinstance(further, Undecided) and "codimension" in further.reason
    verdict = among_supertransversal(subject.complex, genericity(subject.complex), subject.graph, found)
    assert isinstance(verdict, Holds) and ALMOST_EVERY not in verdict.detail["reason"]


def test_proportional_rows_say_nothing_about_neighbors() -> None:
    subject, found = found_in(slab_network((2, 3, 3, 1), 0), slab_domain(2))
    assert isinstance(almost_every(subject.complex, genericity(subject.complex), subject.graph, found), Holds)
    closed = replace(found, coincident_rows=True)
    assert isinstance(almost_every(subject.complex, genericity(subject.complex), subject.graph, closed), Undecided)


def test_the_undecided_name_the_face_or_the_layer() -> None:
    touching = Network([[[1, 0], [0, 1], [1, 1]], [[1, 2, 3]]], [[0, 0, 0], [0]])
    verdict = certify(touching, Domain.space(2)).tiers["supertransversal"]
    assert isinstance(verdict, Undecided) and "(0, 0)" in verdict.reason and verdict.detail["code"] == "ST"
    ambiguous = Network([[[1, -1], [1, 0], [0, 1]], [[1, 0, 1], [0, 2, 3]], [[1, 1]]], [[0, 4, 4], [-4, 1], [-21]])
    subject, found = found_in(ambiguous, Domain.box(2, [(-2, 3), (-3, 2)]))
    verdict = among_supertransversal(subject.complex, genericity(subject.complex), subject.graph, found)
    assert isinstance(verdict, Undecided) and verdict.detail["code"] == "FEW" and "1 ridges are ambiguous" in verdict.reason


def test_a_search_that_loses_theta_is_a_bug() -> None:
    network = slab_network((2, 2, 2, 1), 0)
    subject, found = found_in(network, slab_domain(2))
    empty = Reconstruction((), (), found.nodes, found.points, found.sample)
    with pytest.raises(InvariantError):
        among_supertransversal(subject.complex, genericity(subject.complex), subject.graph, empty)


def test_a_second_candidate_refutes() -> None:
    theta = Network([[[1, 0], [1, 1], [0, 1]], [[1, -1, 1]]], [[1, -2, 3], [0]])
    found = certify(theta, Domain.space(2))
    assert found.verdict == "not-identifiable" and found.fiber is not None and len(found.fiber) == 2
    assert isinstance(found.tiers["supertransversal"], Fails)
