"""Documents of complete fibers: accepted as written, refused when a member or the evidence for it is missing."""

from __future__ import annotations

import json
from typing import Any

import pytest

from exactrelu.certificates.certificate import Certificate
from exactrelu.errors import BudgetExceeded, CertificateRejected
from exactrelu.network.architecture import Architecture
from exactrelu.recovery import fiber_certificate as module
from exactrelu.recovery.complete_fiber import CompleteFiber
from exactrelu.recovery.fiber_certificate import fiber_certificate
from exactrelu.recovery.tight_fiber import tight_fiber
from tests.recovery.fiber_search import SEARCHES, case_domain, deep_cases, network_of, run
from tests.slabs import slab_domain, slab_network


def document(case: dict[str, Any]) -> Certificate:
    theta, domain = network_of(case["layers"]), case_domain(case)
    found = run(SEARCHES[case["method"]], theta, domain)
    assert isinstance(found, CompleteFiber)
    certificate = fiber_certificate(theta, domain, found)
    assert certificate is not None
    return certificate


@pytest.mark.parametrize("case", deep_cases(), ids=lambda case: case["name"])
def test_documents(case: dict[str, Any]) -> None:
    certificate = document(case)
    certificate.verify()
    assert document(case).text == certificate.text and len(certificate.text) < 6000
    evidence = json.loads(certificate.text)["evidence"]
    for missing in range(len(case["fiber"])):                                       # one member less
        claim = {**certificate.claim, "members": [m for k, m in enumerate(certificate.claim["members"]) if k != missing]}
        fewer = {**evidence, "trees": [t for k, t in enumerate(evidence["trees"]) if k != missing]}
        with pytest.raises(CertificateRejected):
            Certificate(claim, fewer).verify()
    with pytest.raises((CertificateRejected, BudgetExceeded)):                      # thin evidence: refused, if need be for its work
        Certificate(certificate.claim, {**evidence, "points": evidence["points"][:3]}).verify()
    if "flats" in evidence:
        with pytest.raises((CertificateRejected, BudgetExceeded)):
            Certificate(certificate.claim, {**evidence, "flats": []}).verify()


def test_refused_candidates_have_a_point() -> None:
    """A candidate that only the exact test refuses is refuted by a point of its own."""
    case = deep_cases()[0]
    theta, domain = network_of(case["layers"]), case_domain(case)
    found = run(tight_fiber, theta, domain)
    assert isinstance(found, CompleteFiber)
    bare = CompleteFiber(found.members, found.method, found.architecture, found.points, (), branches=found.branches)
    certificate = fiber_certificate(theta, domain, bare)
    assert certificate is not None
    certificate.verify()


def test_no_document() -> None:
    theta, domain = slab_network((2, 2, 2, 2, 1), 0), slab_domain(2)
    found = run(tight_fiber, theta, domain)
    assert isinstance(found, CompleteFiber)
    empty = run(tight_fiber, theta, domain, Architecture((2, 2, 2, 1)))
    assert isinstance(empty, CompleteFiber) and fiber_certificate(theta, domain, empty) is None
    assert fiber_certificate(slab_network((2, 2, 2, 1), 0), domain, found) is None


def test_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MAX_CANDIDATES", 3)
    certificate = document(deep_cases()[0])
    with pytest.raises(BudgetExceeded):
        certificate.verify()
