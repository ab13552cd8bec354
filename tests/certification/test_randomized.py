"""Drawn parameters: everything is fixed before the draw, the document is accepted, and a changed one is not."""

from __future__ import annotations

import random
from fractions import Fraction as F

import pytest

from exactrelu.certificates.certificate import Certificate
from exactrelu.certificates.verdict import Holds, Undecided
from exactrelu.certification.randomized import GRID, log2_failures, randomized, samples_of_full_rank
from exactrelu.complexes.canonical_complex import CanonicalComplex
from exactrelu.errors import CertificateRejected, DomainError
from exactrelu.network.architecture import Architecture
from exactrelu.network.network import Network
from exactrelu.polyhedra.domain import Domain
from tests.slabs import slab_domain, slab_network


@pytest.mark.parametrize(("widths", "seed"), [((2, 2, 2, 1), 0), ((2, 2, 2, 2, 1), 0), ((2, 3, 3, 3, 1), 1)])
def test_draws_are_certified(widths: tuple[int, ...], seed: int) -> None:
    base, domain = slab_network(widths, seed), slab_domain(2)
    found = randomized(base, domain, exponent=100)
    assert isinstance(found, Holds) and found.detail["reason"].startswith("all-randomised(100)")
    found.certificate.verify()
    draw = found.detail["draw"]
    assert draw.bits == log2_failures(base.architecture) + 100 and len(draw.samples) == base.architecture.expected_dimension
    for drawn, given in zip(draw.network.weights, base.weights):
        for row, old in zip(drawn, given):
            for x, y in zip(row, old):
                k = (x - y) * (GRID << draw.bits)
                assert k.denominator == 1 and 0 <= k < 1 << draw.bits


def test_a_stronger_claim_is_refused() -> None:
    found = randomized(slab_network((2, 2, 2, 1), 0), slab_domain(2), exponent=20)
    assert isinstance(found, Holds)
    stronger = {**found.certificate.claim, "exponent": 200}
    with pytest.raises(CertificateRejected):
        Certificate(stronger, found.certificate.evidence).verify()


def test_a_seeded_generator_repeats_and_a_far_draw_is_undecided() -> None:
    base, domain = slab_network((2, 2, 2, 1), 0), slab_domain(2)
    one = randomized(base, domain, exponent=8, random_bits=random.Random(1).getrandbits)
    two = randomized(base, domain, exponent=8, random_bits=random.Random(1).getrandbits)
    assert isinstance(one, Holds) and isinstance(two, Holds) and one.certificate.text == two.certificate.text
    near = base.replaced(1, biases=[F(0), F(4)])
    far = randomized(near, domain, exponent=8, random_bits=lambda bits: (GRID << bits) * 50)
    assert isinstance(far, Undecided)


def test_samples_have_full_rank_or_the_base_is_refused() -> None:
    base, domain = slab_network((2, 2, 2, 1), 0), slab_domain(2)
    samples = samples_of_full_rank(CanonicalComplex.build(base, domain))
    assert samples is not None and len(set(samples)) == 11
    with pytest.raises(DomainError, match="choose another"):
        randomized(Network([[[1, 0], [0, 1]], [[1, 0]]], [[0, 0], [0]]), Domain.box(2, [(-1, 1)]))


def test_the_bound_is_what_the_statement_says() -> None:
    assert log2_failures(Architecture((2, 2, 2, 1))) == 4 * 11 + 5 + 4 + 2 + 3 + 18      # 4 (1 + 3 + 3) = 28 forms, 6, 3^11
