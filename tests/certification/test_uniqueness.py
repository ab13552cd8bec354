"""A list of parameters counts as complete with an accepted document only; a rejected document is a bug, never an answer."""

from __future__ import annotations

import pytest

from exactrelu.certificates import certificate as certificate_module
from exactrelu.certificates.certificate import Certificate
from exactrelu.certificates.verdict import Fails, Holds, Undecided
from exactrelu.certification.uniqueness import Subject, among_all, criteria, decided_by_members, other_members
from exactrelu.checker import Rejected
from exactrelu.complexes.canonical_complex import CanonicalComplex
from exactrelu.errors import BudgetExceeded, CertificateRejected, InvariantError
from exactrelu.limits import Meter
from exactrelu.network.network import Network
from exactrelu.polyhedra.domain import Domain
from tests.slabs import slab_domain, slab_network

EXCHANGE = Network([[[-1, 1], [1, 3]], [[-3, 0], [-3, 4]], [[1, 4]]], [[-2, 1], [4, 1], [-1]])
BOX = Domain.box(2, [(-12, 13)])


def subject(network: Network, domain: Domain) -> Subject:
    return Subject(CanonicalComplex.build(network, domain), Meter())


def refuse(message: str) -> object:
    def check(text: str, claim: object) -> None:
        raise Rejected(message)
    return check


def test_a_complete_fiber_of_two() -> None:
    found = among_all(subject(EXCHANGE, BOX))
    assert isinstance(found, Fails) and len(found.detail["members"]) == 2
    found.certificate.verify()
    found.detail["fiber_certificate"].verify()
    assert found.witness.network.architecture == EXCHANGE.architecture


def test_a_check_that_is_too_much_work_is_undecided(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(certificate_module, "check", refuse("too much work"))
    found = among_all(subject(slab_network((2, 2, 2, 2, 1), 0), slab_domain(2)))
    assert isinstance(found, Undecided) and "more work than the checker does" in found.reason
    with pytest.raises(BudgetExceeded):
        Certificate({"kind": "values"}, {}).verify()


def test_without_a_document_the_list_is_not_called_complete() -> None:
    given = subject(EXCHANGE, BOX)
    members = among_all(given).detail["members"]
    found = decided_by_members(given, members, None, "search")
    assert isinstance(found, Fails) and "members" not in found.detail and "at least 2" in found.detail["reason"]
    alone = decided_by_members(given, (EXCHANGE,), None, "search")
    assert isinstance(alone, Undecided)


def test_a_rejected_document_is_a_bug(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(certificate_module, "check", refuse("no"))
    with pytest.raises(CertificateRejected):
        among_all(subject(slab_network((2, 2, 2, 2, 1), 0), slab_domain(2)))


def test_the_checker_is_asked_once(monkeypatch: pytest.MonkeyPatch) -> None:
    calls: list[str] = []
    monkeypatch.setattr(certificate_module, "check", lambda text, claim: calls.append(text))
    document = Certificate({"kind": "values"}, {})
    document.verify()
    document.verify()
    assert len(calls) == 1


def test_a_list_without_theta_is_a_bug() -> None:
    with pytest.raises(InvariantError):
        other_members(EXCHANGE, (EXCHANGE.replaced(3, biases=[5]),))


@pytest.mark.parametrize(("widths", "names"), [
    ((2, 3, 1), ["reversible sets"]), ((2, 2, 2, 1), ["tight fiber", "two-layer conditions", "two-layer search"]),
    ((2, 3, 2, 1), ["tight fiber", "two-layer conditions", "two-layer search"]), ((2, 3, 2, 2, 1), ["wide-front search"]),
    ((2, 2, 2, 2, 1), ["tight fiber", "wide-front search"]), ((2, 3, 3, 2, 1), ["tight fiber", "wide-front search"]),
    ((2, 1, 2, 1), ["tight fiber", "two-layer conditions", "two-layer search", "bottleneck"]),
    ((1, 1, 2, 1), ["bottleneck"]), ((2, 1), [])])
def test_criteria_by_architecture(widths: tuple[int, ...], names: list[str]) -> None:
    pairs = list(zip(widths, widths[1:]))
    network = Network([[[1] * n] * m for n, m in pairs], [[0] * m for _, m in pairs])
    assert [name for name, _ in criteria(network)] == names


def test_one_layer_without_seen_hyperplane_names_the_neuron() -> None:
    found = among_all(subject(Network([[[1, 0], [0, 1]], [[1, 1]]], [[0, 20], [0]]), Domain.box(2, [(-1, 1)])))
    assert isinstance(found, Undecided) and "(1, 1)" in found.reason
    assert isinstance(among_all(subject(Network([[[1, 0]], [[1]]], [[0], [0]]), Domain.space(2))), Holds)
