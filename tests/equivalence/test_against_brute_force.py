"""Equality of functions on random pairs, against affine maps compared cell by cell with Fourier-Motzkin elimination only."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from itertools import count
from random import Random

import pytest

import exactrelu
from exactrelu.equivalence.decide import Equality
from exactrelu.polyhedra.domain import Domain
from tests.equivalence.equal_pairs import MOVES, Layers, as_network, copied, prepared, random_layers, small
from tests.oracles.cases import DOMAINS
from tests.oracles.cell_comparison import difference

PLACES = {d: [domain for domain in DOMAINS.values() if domain.dimension == d] for d in (1, 2, 3)}
MOST_NEURONS = 10
"""Hidden neurons of both networks together."""


def neurons(*networks: Layers) -> int:
    return sum(len(rows) for layers in networks for rows, _ in layers[:-1])


def equations(domain: Domain) -> list[tuple[Fraction, ...]]:
    """Rows of the domain that stand there with both signs."""
    return [row for row in domain.inequalities if any(row) and tuple(-x for x in row) in domain.inequalities]


def pair(seed: int) -> tuple[Layers, Layers, Domain, bool]:
    """Two networks and a domain; the last value says that the pair was made equal, and by a change of the parameters."""
    for attempt in count():
        first, second, domain, made_equal = attempted(seed, Random(f"{seed} {attempt}"))
        if not made_equal or first != second:
            return first, second, domain, made_equal
    raise AssertionError


def attempted(seed: int, rng: Random) -> tuple[Layers, Layers, Domain, bool]:
    d = rng.choice((1, 2, 2, 3))
    domain = rng.choice((*PLACES[d], Domain.space(d)))
    outputs = rng.choice((1, 1, 2))

    def fresh() -> Layers:
        return random_layers(rng, d, outputs, [rng.randint(1, 3) for _ in range(rng.choice((0, 1, 1, 2, 2)))])

    first = fresh()
    if seed % 6 == 0:
        return first, fresh(), domain, False
    names = list(MOVES)
    name = names[seed // 2 % len(names)]
    if len(first) == 1 and name != "deeper":
        first = random_layers(rng, d, outputs, [rng.randint(2, 3)])
    first = prepared(first, name, rng)
    second = copied(first)
    for move in (name, *rng.sample(names, 2)):
        moved = MOVES[move](second, rng)
        if moved is not None and neurons(first, moved) <= MOST_NEURONS:
            second = moved
    rows, biases = second[0]
    i = rng.randrange(len(rows))
    vanishing = equations(domain)
    if vanishing and rng.random() < 0.4:                # another map, equal on the affine hull of the domain
        constant, *normal = rng.choice(vanishing)
        rows[i], biases[i] = [x + 2 * y for x, y in zip(rows[i], normal)], biases[i] + 2 * constant
    if seed % 2:
        return first, second, domain, True
    if rng.random() < 0.5:                              # a change that may or may not be seen
        biases[i] += Fraction(1, 2**rng.choice((0, 3, 60)))
        return first, second, domain, False
    rows, biases = second[rng.randrange(len(second))]
    i = rng.randrange(len(rows))
    rows[i][rng.randrange(len(rows[i]))] += small(rng) or Fraction(1, 2**60)
    return first, second, domain, False


def value(layers: Layers, point: Sequence[Fraction]) -> list[Fraction]:
    """Plain forward evaluation."""
    here = list(point)
    for k, (rows, biases) in enumerate(layers):
        here = [sum((w * x for w, x in zip(row, here)), b) for row, b in zip(rows, biases)]
        if k + 1 < len(layers):
            here = [max(x, Fraction(0)) for x in here]
    return here


def judge(seed: int) -> Equality:
    first, second, domain, made_equal = pair(seed)
    a, b = as_network(first), as_network(second)
    expected = difference(first, second, domain.inequalities, domain.dimension)
    assert expected is None or not made_equal, "the pair was not made equal"
    found: Equality = exactrelu.equal(a, b, domain, seed=seed)
    assert found.verdict == ("equal" if expected is None else "different"), (seed, a, b, domain)
    for certificate in (found.certificate, found.restricted):
        if certificate is not None:
            exactrelu.check(certificate.text, certificate.claim)
    if found.verdict == "different":
        assert found.witness is not None and found.certificate is not None
        point, values = found.witness.point, [list(v) for v in found.witness.values]
        assert all(sum((c * x for c, x in zip(row[1:], point)), row[0]) >= 0 for row in domain.inequalities)
        assert values == [value(first, point), value(second, point)] and values[0] != values[1]
        assert found.certificate.claim["point"] == [str(x) for x in point]
    if found.certificate is not None:
        claim = found.certificate.claim
        assert (claim["a"], claim["b"]) == (a.claim(), b.claim())
        assert claim["kind"] == "equivalent" or claim["domain"] == domain.claim()
    else:
        assert found.reason and not domain.has_interior
    return found


CHUNK = 25


@pytest.mark.parametrize("chunk", range(20))
def test_random_pairs(chunk: int) -> None:
    for seed in range(CHUNK * chunk, CHUNK * chunk + CHUNK):
        judge(seed)


@pytest.mark.slow
@pytest.mark.parametrize("chunk", range(20, 100))
def test_more_random_pairs(chunk: int) -> None:
    for seed in range(CHUNK * chunk, CHUNK * chunk + CHUNK):
        judge(seed)


def test_the_pairs_are_of_all_kinds() -> None:
    """Half of them are made equal, by every move, and change widths and depths; of the rest some are equal and some are not."""
    pairs = [pair(seed) for seed in range(500)]
    assert sum(made for *_, made in pairs) == 250
    shapes: Counter[str] = Counter()
    for first, second, domain, _ in pairs:
        shapes["deeper"] += len(first) != len(second)
        shapes["wider"] += len(first) == len(second) and neurons(first) != neurons(second)
        shapes["without hidden layer"] += 1 in (len(first), len(second))
        shapes["on R^d"] += domain.is_space
        shapes["flat"] += not domain.has_interior
    assert all(first != second for first, second, _, made in pairs if made)
    assert all(shapes[kind] >= 20 for kind in ("deeper", "wider", "without hidden layer", "on R^d", "flat")), shapes


@pytest.mark.parametrize("name", MOVES)
def test_every_move_changes_parameters_and_not_the_function(name: str) -> None:
    changed = 0
    for seed in range(30):
        rng = Random(seed)
        first = prepared(random_layers(rng, 2, 1, [rng.randint(2, 3) for _ in range(1 + seed % 2)]), name, rng)
        second = MOVES[name](first, rng)
        if second is not None and second != first:
            changed += 1
            for _ in range(8):
                point = [small(rng) * 5, small(rng) * 7]
                assert value(first, point) == value(second, point)
    assert changed >= 10
