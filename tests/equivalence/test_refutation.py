"""Cheap refutation finds ordinary differences, finds none between equal functions, and answers with points of the polyhedron."""

from __future__ import annotations

from fractions import Fraction
from random import Random

import pytest

from exactrelu.equivalence.refutation import LINE_NEURONS, LINES, Refutation
from exactrelu.equivalence.sample_points import Chord, SamplePoints
from exactrelu.errors import BudgetExceeded
from exactrelu.limits import Limits, Meter
from exactrelu.network.network import Network
from exactrelu.polyhedra.domain import Domain
from tests.equivalence.equal_pairs import MOVES, as_network, prepared, random_layers
from tests.oracles.cases import DOMAINS, random_network

FULL = {name: domain for name, domain in DOMAINS.items() if domain.has_interior}
IDENTITY = Network([[[1]]], [[0]])


def refutation(a: Network, b: Network, domain: Domain, seed: int = 0) -> Refutation:
    return Refutation(a, b, SamplePoints(domain.integer_rows, domain.dimension, seed))


@pytest.mark.parametrize("name", FULL)
def test_a_moved_output_bias_is_found_in_the_domain(name: str) -> None:
    domain = FULL[name]
    for seed in range(3):
        a = random_network(seed, domain.dimension, 3, 2, 2)
        search = refutation(a, a.replaced(3, biases=[a.biases[2][0], a.biases[2][1] + Fraction(1, 2**70)]), domain, seed)
        point = search.search(Meter())
        assert point is not None and domain.contains(point) and search.differs(point)
        assert search.work == {"points": 1, "lines": 0}


@pytest.mark.parametrize("move", MOVES)
def test_equal_functions_are_not_refuted(move: str) -> None:
    for seed in range(4):
        rng = Random(seed)
        first = prepared(random_layers(rng, 2, 1, [3]), move, rng)
        second = MOVES[move](first, rng)
        if second is None:
            continue
        search = refutation(as_network(first), as_network(second), Domain.space(2), seed)
        assert search.search(Meter()) is None and LINES < search.work["lines"] <= 2 * LINES and search.work["points"] >= 24


def test_a_narrow_bump_is_found_along_a_line() -> None:
    """A ridge of width 2^-40 across the plane is met by no chosen point, but by every line that is not parallel to it."""
    eps = Fraction(1, 2**40)
    ridge = Network([[[1, 0], [1, 0], [1, 0]], [[1, -2, 1]]], [[Fraction(-1, 3) - k * eps for k in range(3)], [0]])
    zero = Network([[[0, 0]]], [[0]])
    search = refutation(ridge, zero, Domain.box(2, [(-1, 1)]))
    point = search.search(Meter())
    assert point is not None and 0 < point[0] - Fraction(1, 3) < 2 * eps and search.work["lines"] > 0
    assert point[1] == 0                                            # the other coordinate was simplified


def test_differs_is_exact() -> None:
    search = refutation(IDENTITY, Network([[["1/3"], ["-1/3"]], [[3, -3]]], [[0, 0], [0]]), Domain.space(1))
    assert not any(search.differs((Fraction(k, 7),)) for k in range(-9, 9))
    moved = refutation(IDENTITY, IDENTITY.replaced(1, biases=[Fraction(1, 3**400)]), Domain.space(1))
    assert moved.differs((Fraction(10**90),))
    assert refutation(IDENTITY, Network([[[1]], [[1]]], [[0], [0]]), Domain.space(1)).differs((Fraction(-1, 10**300),))


def test_simplified_points_stay_in_the_polyhedron_and_differ() -> None:
    domain = Domain(2, ((-1, 3, 0), (2, -3, 0), (-10, 0, 1)))       # type: ignore[arg-type]  # 1/3 <= x <= 2/3, y >= 10
    one, zero = Network([[[1, 0]]], [[0]]), Network([[[0, 0]]], [[0]])
    search = refutation(one, zero, domain)
    start = (Fraction(5, 9), Fraction(10**6 + 1, 7))
    point = search.simplified(start)
    assert domain.contains(point) and search.differs(point) and point[0] == Fraction(1, 2) and point[1].denominator <= 2
    kept = search.simplified((Fraction(1, 3), Fraction(10)))        # no rounding to few digits lies on the wall
    assert domain.contains(kept) and search.differs(kept)


def test_zero_networks_and_no_hidden_layer() -> None:
    flat = Network([[[0, 0]], [[0]]], [[0], [1]])
    assert refutation(flat, Network([[[0, 0]]], [[1]]), Domain.space(2)).search(Meter()) is None
    assert refutation(flat, Network([[[0, 0]]], [[2]]), Domain.space(2)).search(Meter()) == (0, 0)


def test_large_networks_are_compared_at_points_only() -> None:
    wide = Network([[[1]] * (LINE_NEURONS // 2 + 1), [[1] * (LINE_NEURONS // 2 + 1)]], [[0] * (LINE_NEURONS // 2 + 1), [0]])
    search = refutation(wide, wide, Domain.space(1))
    assert search.search(Meter()) is None and search.work["lines"] == 0


def test_limits() -> None:
    a = random_network(3, 2, 3, 3, 1)
    with pytest.raises(BudgetExceeded, match="max_seconds"):
        refutation(a, a, Domain.space(2)).search(Meter(Limits(max_seconds=1e-9)))
    search = refutation(Network([[[1], [1]], [[1, -1]]], [[0, -1], [0]]), Network([[[0]]], [[0]]), Domain.space(1))
    chord = Chord((Fraction(-3),), (1,), None, None)
    assert search.along(chord) is not None and search.along(chord, Limits(max_cells=1)) is None
