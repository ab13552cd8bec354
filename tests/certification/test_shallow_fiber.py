"""One hidden layer: the list of reversals is the whole fiber, by enumeration of small integer parameters."""

from __future__ import annotations

from collections import defaultdict
from fractions import Fraction as F
from itertools import product

import pytest

from exactrelu.certificates.verdict import Holds, Undecided
from exactrelu.certification.same_function import SameFunction
from exactrelu.certification.shallow_fiber import flip_vectors, flipped, shallow_fiber
from exactrelu.complexes.canonical_complex import CanonicalComplex
from exactrelu.limits import Meter
from exactrelu.network.forward import value
from exactrelu.network.network import Network
from exactrelu.network.trivial_symmetry import equivalent
from exactrelu.polyhedra.domain import Domain
from tests.slabs import integer_network

SQUARE = Domain.box(2, [(-3, 4)])


def check(network: Network, domain: Domain) -> int:
    found = shallow_fiber(CanonicalComplex.build(network, domain))
    if not isinstance(found, Holds):
        return 0
    found.certificate.verify()
    members = found.detail["members"]
    same = SameFunction(network, domain, Meter())
    assert members[0] == network and all(map(same, members))
    assert not any(equivalent(a, b) for k, a in enumerate(members) for b in members[:k])
    return len(members)


def test_members_have_the_function_and_differ() -> None:
    counts = [check(integer_network(widths, ("shallow", seed), 1 + seed % 3), domain)
              for seed in range(60) for widths in [(2, 2, 1), (2, 3, 1), (2, 4, 2), (1, 3, 1)]
              for domain in [Domain.space(widths[0]), Domain.box(widths[0], [(-3, 4)])]]
    assert counts.count(1) > 30 and max(counts) > 1


@pytest.mark.parametrize("domain", [Domain.space(1), Domain.box(1, [(-2, 3)])], ids=["line", "interval"])
def test_every_other_realization_is_listed(domain: Domain) -> None:
    """All (1, 2, 1) parameters with weights in {-1, 0, 1}, outputs in {-2, ..., 2}, grouped by their values at nine points."""
    points = [F(k, 2) for k in range(-4, 7, 1)]
    groups: dict[tuple[F, ...], list[Network]] = defaultdict(list)
    for w1, w2, b1, b2 in product((-1, 0, 1), (-1, 0, 1), (-1, 0, 1), (-1, 0, 1)):
        for c1, c2, b in product((-2, -1, 1, 2), (-2, -1, 1, 2), (-1, 0, 1)):
            network = Network([[[w1], [w2]], [[c1, c2]]], [[b1, b2], [b]])
            groups[tuple(value(network, [x])[0] for x in points)].append(network)
    decided = 0
    for group in list(groups.values())[::7]:
        found = shallow_fiber(CanonicalComplex.build(group[0], domain))
        if isinstance(found, Holds):
            decided += 1
            same = SameFunction(group[0], domain, Meter())
            for other in group:
                assert any(equivalent(other, member) for member in found.detail["members"]) or not same(other)
    assert decided > 20


def test_hypotheses_are_named() -> None:
    def reason(weights: object, biases: object, domain: Domain = SQUARE) -> str:
        found = shallow_fiber(CanonicalComplex.build(Network(weights, biases), domain))  # type: ignore[arg-type]
        assert isinstance(found, Undecided)
        return found.reason

    assert "(1, 1) does not meet" in reason([[[1, 0], [0, 1]], [[1, 1]]], [[0, 9], [0]])
    assert "(1, 0) has a zero outgoing column" in reason([[[1, 0], [0, 1]], [[0, 1]]], [[0, 0], [0]])
    assert "share a hyperplane" in reason([[[1, 1], [-2, -2]], [[1, 1]]], [[1, -2], [0]])
    assert "one hidden layer" in reason([[[1, 0]], [[1]], [[1]]], [[0], [0], [0]])


def test_flips() -> None:
    network = Network([[[1, 0], [1, 1], [0, 1]], [[1, -1, 1]]], [[1, -2, 3], [0]])
    assert [sum(v) for v in zip(*flip_vectors(network, 1))] == [0, 0]
    other = flipped(network, 1, (1, 1, 1))
    assert SameFunction(network, Domain.space(2), Meter())(other) and not equivalent(network, other)
