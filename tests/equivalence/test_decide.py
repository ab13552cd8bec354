"""One function or two, on every sort of domain: which method decides, what is witnessed, and what a document can say."""

from __future__ import annotations

from fractions import Fraction
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import exactrelu
from exactrelu.certificates.certificate import TOO_MUCH_WORK, Certificate
from exactrelu.checker import Rejected
from exactrelu.equivalence.decide import EVALUATION, FLAT_REASON, HULL, POINT_REASON, TREE, TRIVIAL, Equality, equality
from exactrelu.errors import CertificateRejected, DomainError, ShapeError
from exactrelu.limits import Limits
from exactrelu.network.network import Network
from exactrelu.network.trivial_symmetry import TrivialSymmetry
from exactrelu.polyhedra.domain import Domain
from tests.oracles.cases import DOMAINS, random_network
from tests.oracles.cell_comparison import difference
from tests.oracles.strategies import domains, small_networks

X, Y = Network([[[1, 0]]], [[0]]), Network([[[0, 1]]], [[0]])
X_DEEP = Network([[[1, 0], [-1, 0]], [[1, -1]]], [[0, 0], [0]])
DIAGONAL = Domain(2, ((0, 1, -1), (0, -1, 1)))           # type: ignore[arg-type]  # integers are accepted
ORIGIN = Domain.box(2, [(0, 0)])
EMPTY = {
    "crossed walls": Domain(2, ((-1, 1, 0), (0, -1, 0))),                               # type: ignore[arg-type]
    "never true": Domain(2, ((-1, 0, 0),)),                                             # type: ignore[arg-type]
    "empty on its hull": Domain(2, ((0, 1, -1), (0, -1, 1), (-1, 1, 0), (0, 0, -1))),   # type: ignore[arg-type]
    "empty far away": Domain(2, ((0, 1, 0), (0, 0, 1), (-1, -1, -1))),                  # type: ignore[arg-type]
}


def answered(a: Network, b: Network, domain: Domain, limits: Limits | None = None, seed: int = 0) -> Equality:
    found = equality(a, b, domain, seed=seed, limits=limits).checked()
    assert (found.verdict == "different") == (found.witness is not None)
    if found.witness is not None:
        assert domain.contains(found.witness.point)
        assert found.witness.values == (a(found.witness.point), b(found.witness.point))
        assert found.witness.values[0] != found.witness.values[1]
    return found


def summary(found: Equality) -> tuple[str, str, str | None]:
    return found.verdict, found.method, found.certificate.kind if found.certificate is not None else None


def test_the_three_methods() -> None:
    a = random_network(5, 2, 3, 2, 1)
    copy = TrivialSymmetry.random(a.architecture, Random(1)).act(a)
    assert summary(answered(a, copy, Domain.space(2))) == ("equal", TRIVIAL, "equivalent")
    assert summary(answered(X, X_DEEP, Domain.space(2))) == ("equal", TREE, "equal")
    assert summary(answered(X, Y, Domain.space(2))) == ("different", EVALUATION, "different")
    assert answered(X, X_DEEP, Domain.space(2)).work == {"points": 176, "lines": 9, "leaves": 2}


def test_a_difference_that_only_the_tree_finds() -> None:
    """A pyramid of width 2^-50 inside a square: no point and no line of the cheap search meets it."""
    eps, at = Fraction(1, 2**50), (Fraction(3, 7), Fraction(-5, 9))
    walls = [[1, 0], [-1, 0], [0, 1], [0, -1]]
    gaps = [-at[0], at[0], -at[1], at[1]]
    pyramid = Network([walls, [[-1, -1, -1, -1]], [[1]]], [gaps, [eps], [0]])
    zero = Network([[[0, 0]]], [[0]])
    found = answered(pyramid, zero, Domain.box(2, [(-1, 1)]))
    assert summary(found) == ("different", TREE, "different")
    assert found.witness is not None and all(abs(x - y) < eps for x, y in zip(found.witness.point, at))
    assert answered(pyramid, zero, Domain.box(2, [(-1, 0)])).verdict == "equal"
    # one of two outputs is enough
    two, none = Network([*pyramid.weights[:-1], [[0], [1]]], [*pyramid.biases[:-1], [0, 0]]), Network([[[0, 0], [0, 0]]], [[0, 0]])
    assert summary(answered(two, none, Domain.box(2, [(-1, 1)]))) == ("different", TREE, "different")


@pytest.mark.parametrize("name", EMPTY)
def test_empty_domains_are_refused(name: str) -> None:
    for pair in ((X, X), (X, Y), (X, X_DEEP)):
        with pytest.raises(DomainError, match="empty"):
            equality(*pair, EMPTY[name])


def test_shapes() -> None:
    for b in (Network([[[1]]], [[0]]), Network([[[1, 0], [0, 1]]], [[0, 0]])):
        with pytest.raises(ShapeError, match="inputs or outputs"):
            equality(X, b, Domain.space(2))
    with pytest.raises(ShapeError, match="dimension 3"):
        equality(X, Y, Domain.space(3))


def test_a_single_point() -> None:
    one = X.replaced(1, biases=[1])
    assert summary(answered(X, one, ORIGIN)) == ("different", EVALUATION, "different")
    same = answered(X, X_DEEP, Domain.box(2, [(3, 3)]))
    assert summary(same) == ("equal", EVALUATION, "equal")             # the maps agree on all of R^2
    # at 0 both neurons vanish, the tree has both active, and 2 x is not x
    assert summary(answered(X, X_DEEP, ORIGIN)) == ("equal", EVALUATION, None)
    only_there = answered(X, Y, ORIGIN)
    assert summary(only_there) == ("equal", EVALUATION, None)
    assert only_there.reason == POINT_REASON and only_there.restricted is None
    hidden = DOMAINS["hidden point"]                                    # a point, not seen row by row
    assert answered(X, Y, hidden).verdict == "equal" and answered(X, one, hidden).verdict == "different"


@pytest.mark.parametrize("domain", [DIAGONAL, Domain(2, ((0, 1, -1), (0, -1, 1), (1, 1, 0))), DOMAINS["segment"]])
def test_flat_domains(domain: Domain) -> None:
    same = answered(X, X_DEEP, domain)
    assert summary(same) == ("equal", HULL, "equal")
    on_hull = answered(X, Y, domain)
    assert summary(on_hull) == ("equal", HULL, None) and on_hull.reason == FLAT_REASON
    assert on_hull.restricted is not None and on_hull.restricted.claim["domain"] != domain.claim()
    assert answered(X, Network([[[2, -1]], [[1]]], [[0], [0]]), domain).verdict == "different"
    assert answered(Network([[[1, -1]], [[5]]], [[0], [2]]), Network([[[0, 0]]], [[2]]), domain).verdict == "equal"


def test_a_difference_on_a_flat_domain_that_only_the_tree_finds() -> None:
    eps = Fraction(1, 2**60)
    bump = Network([[[1, 1], [1, 1], [1, 1]], [[1, -2, 1]]], [[Fraction(-2, 3) - k * eps for k in range(3)], [0]])
    zero = Network([[[0, 0]]], [[0]])
    found = answered(bump, zero, DOMAINS["segment"])
    assert found.verdict == "different" and found.certificate is not None
    assert answered(bump, zero, Domain(2, ((0, 1, -1), (0, -1, 1), (0, -1, 0)))).verdict == "equal"


@pytest.mark.parametrize("a, b", [
    (Network([[[0, 0]], [[5]]], [[-1], [2]]), Network([[[0, 0]]], [[2]])),                              # zero row, dead
    (Network([[[0, 0]], [[5]]], [[0], [2]]), Network([[[0, 0]]], [[2]])),                               # vanishes identically
    (Network([[[0, 0]], [[5]]], [[1], [2]]), Network([[[0, 0]]], [[7]])),                               # zero row, always active
    (Network([[[1, 2], [1, 2]], [[1, 1]]], [[1, 1], [0]]), Network([[[1, 2]], [[2]]], [[1], [0]])),     # twins
    (Network([[[1, 2], [2, 4]], [[2, -1]]], [[1, 2], [0]]), Network([[[0, 0]]], [[0]])),                # twins that cancel
    (Network([[[1, 0], [0, 1]], [[-1, -1]], [[9]]], [[0, 0], [-1], [4]]), Network([[[0, 0]]], [[4]])),  # dead layer
    (Network([[[1, 1], [-1, -1]], [[1, -1]]], [[-1, 1], [1]]), Network([[[1, 1]]], [[0]])),             # coincident hyperplanes
    (Network([[[1, 0]], [[1]]], [[0], [0]]), Network([[[1, 0]], [[1]], [[1]]], [[0], [0], [0]])),       # deeper
    (Network([[[0, 0]]], [[0]]), Network([[[3, 1]], [[0]]], [[1], [0]])),                               # no outgoing weight
])
def test_degenerate_networks(a: Network, b: Network) -> None:
    tilted = Network([[[0, 1]]], [[0]])
    for domain in (Domain.space(2), DOMAINS["square"], DOMAINS["strip"], DOMAINS["half-plane"], DOMAINS["redundant"], DIAGONAL,
                   DOMAINS["segment"], DOMAINS["hidden point"], DOMAINS["zero row"]):
        assert answered(a, b, domain).verdict == "equal" == answered(b, a, domain).verdict
        assert answered(a, b.replaced(len(b.biases), biases=[b.biases[-1][0] + Fraction(1, 2**80)]), domain).verdict == "different"
    assert answered(a, tilted, Domain.space(2)).verdict == "different"


@pytest.mark.parametrize("other, where", [
    (Network([[[1, 0]], [[1]]], [[0], [0]]), "quadrant"),            # ReLU(x) = x
    (Network([[[1, 0]], [[1]]], [[5], [-5]]), "square"),             # always active on the square only
    (Network([[[1, 0], [0, 1]], [[1, 9]]], [[0, -1], [0]]), "unit square"),
])
def test_functions_that_are_equal_on_the_domain_only(other: Network, where: str) -> None:
    domain = DOMAINS.get(where, Domain.box(2, [(0, 1)]))
    assert summary(answered(X, other, domain)) == ("equal", TREE, "equal")
    assert answered(X, other, Domain.space(2)).verdict == "different"


@settings(max_examples=60)
@given(st.data())
def test_as_by_brute_force(data: st.DataObject) -> None:
    a = data.draw(small_networks(most=2))
    d, outputs = a.architecture.inputs, a.architecture.outputs
    b = data.draw(small_networks(inputs=d, most=2).filter(lambda n: n.architecture.outputs == outputs))
    domain = data.draw(domains(d, full_dimensional=False))
    expected = difference(list(zip(a.weights, a.biases)), list(zip(b.weights, b.biases)), domain.inequalities, d)
    assert answered(a, b, domain).verdict == ("equal" if expected is None else "different")
    assert answered(a, a, domain).method == TRIVIAL


def test_the_verdict_does_not_depend_on_the_seed() -> None:
    a, b = random_network(1, 2, 3, 1), random_network(2, 2, 3, 1)
    assert {answered(a, b, DOMAINS["pointed"], seed=seed).verdict for seed in range(6)} == {"different"}
    assert {answered(X, X_DEEP, DOMAINS["pointed"], seed=seed).verdict for seed in range(6)} == {"equal"}


class TestLimits:
    """A limit makes `undecided`, with a reason, and never a verdict."""

    def test_cells(self) -> None:
        found = answered(X, X_DEEP, Domain.space(2), Limits(max_cells=1))
        assert summary(found) == ("undecided", TREE, None) and "max_cells" in found.reason and found.work["points"] == 176

    def test_bits(self) -> None:
        found = answered(X, X_DEEP, Domain.space(2), Limits(max_bits=1))
        assert found.verdict == "equal"
        long = X_DEEP.replaced(2, biases=[2**40])
        assert "max_bits" in answered(X, long, Domain.space(2), Limits(max_bits=8)).reason

    def test_seconds(self) -> None:
        found = answered(X, X_DEEP, Domain.space(2), Limits(max_seconds=1e-9))
        assert found.verdict == "undecided" and "max_seconds" in found.reason

    def test_a_flat_domain_without_time_for_a_document(self) -> None:
        flat = Domain(3, ((0, 1, -1, 0), (0, -1, 1, 0)))  # type: ignore[arg-type]
        a = Network([[[1, 0, 0], [0, 1, 0], [0, 0, 1]], [[1, -1, 1]]], [[0, 0, 0], [0]])
        b = Network([[[0, 0, 1]], [[1]]], [[0], [0]])
        found = answered(a, b, flat, Limits(max_cells=4))
        assert found.verdict == "equal" and found.certificate is None and found.restricted is not None and found.reason

    def test_a_witness_that_cannot_be_written(self) -> None:
        huge = Fraction(10**5000 + 1)
        only = Domain(1, ((-huge, Fraction(1)),))
        found = equality(Network([[[1]]], [[0]]), Network([[[2]]], [[0]]), only)
        assert found.verdict == "undecided" and "digits" in found.reason and found.certificate is None

    def test_scales_that_cannot_be_written(self) -> None:
        long = [Fraction(10**3900 + k) for k in (1, 3)]
        a = Network([[[long[0]]], [[1]]], [[0], [0]])
        b = Network([[[1 / long[1]]], [[long[0] * long[1]]]], [[0], [0]])
        found = equality(a, b, Domain.space(1))
        assert found.verdict == "undecided" and "digits" in found.reason


class TestTheCheckerIsAsked:
    """`checked` hands every document to the checker; what is refused or too long is no answer."""

    def refused(self, monkeypatch: pytest.MonkeyPatch, message: str) -> None:
        def check(*_: object) -> None:
            raise Rejected(message)

        monkeypatch.setattr("exactrelu.certificates.certificate.check", check)

    @pytest.mark.parametrize("pair", [(X, X), (X, X_DEEP), (X, Y)])
    def test_a_refused_document(self, pair: tuple[Network, Network], monkeypatch: pytest.MonkeyPatch) -> None:
        self.refused(monkeypatch, "no")
        with pytest.raises(CertificateRejected):
            exactrelu.equal(*pair)

    def test_a_document_that_is_too_much_work(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.refused(monkeypatch, TOO_MUCH_WORK)
        for domain in (None, DIAGONAL):
            found = exactrelu.equal(X, X_DEEP if domain is None else Y, domain)
            assert found.verdict == "undecided" and "more work" in found.reason
            assert found.certificate is None and found.restricted is None and found.witness is None

    def test_a_forged_answer(self) -> None:
        true = equality(X, X_DEEP, Domain.space(2))
        assert true.certificate is not None
        claim = {**true.certificate.claim, "b": Y.claim()}
        with pytest.raises(CertificateRejected):
            Equality("equal", TREE, certificate=Certificate(claim, true.certificate.evidence)).checked()
