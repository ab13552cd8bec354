"""The vertex list: all of it is accepted, less of it never is."""

import random
from fractions import Fraction
from itertools import combinations

import pytest

from exactrelu.checker import Rejected, check
from exactrelu.checker.claims import skeleton
from exactrelu.checker.document import LIMITS, WORK
from tests.checker import corpus, oracle, producers
from tests.checker.random_networks import random_network, random_widths

FIELDS = oracle.describe(corpus.LINES, None) or {}
DOMAINS = {
    1: [None, producers.box((-1, 1)), producers.half([0, 1])],
    2: [None, producers.box((-1, 2), (-2, 1)), producers.half([1, 1, 1], [1, 2, -1])],
}


def proved(claim: dict[str, object], vertices: list[str]) -> bool:
    document = producers.document("complex", claim, {"vertices": vertices})
    try:
        check(producers.dumps(document))
    except Rejected:
        return False
    return True


def test_all_vertices_are_accepted_and_no_proper_subset_is() -> None:
    accepted = subsets = 0
    for seed in range(150):
        rng = random.Random(seed)
        widths = random_widths(rng)
        net, domain = random_network(rng, widths), rng.choice(DOMAINS[widths[0]])
        fields = oracle.describe(net, domain)
        if fields is None or fields["f_vector"][-1] > 12:
            continue
        listed = producers.vertices(net, domain)
        claim = {"network": net, "domain": domain, **fields}
        accepted += proved(claim, listed)
        smaller = [c for n in range(len(listed)) for c in combinations(listed, n)]
        for subset in smaller[:40]:
            subsets += 1
            for guess in ([0], [1], fields["f_vector"]):
                assert not proved({**claim, "f_vector": guess}, list(subset))
    assert accepted >= 30
    assert subsets >= 100


def test_degenerate_complexes_are_refused_as_skeletons() -> None:
    refused = 0
    for seed in range(150):
        rng = random.Random(seed)
        widths = random_widths(rng)
        net, domain = random_network(rng, widths), rng.choice(DOMAINS[widths[0]])
        if oracle.describe(net, domain) is not None:
            continue
        claim = {"network": net, "domain": domain, **FIELDS}
        evidence = {"vertices": producers.vertices(net, domain)}
        with pytest.raises(Rejected, match=r"vert|items"):  # not: a field has another value
            check(producers.dumps(producers.document("complex", claim, evidence)))
        refused += 1
    assert refused >= 10


def test_orthogonal_vector() -> None:
    WORK.set([LIMITS["work"]])
    for seed in range(300):
        rng = random.Random(seed)
        n = rng.randint(1, 4)
        rows = [[rng.randint(-2, 2) for _ in range(n)] for _ in range(n - 1)]
        if oracle.rank([[Fraction(x) for x in row] for row in rows]) == n - 1:
            vector = skeleton._orthogonal(rows, n)
            assert any(vector)
            assert all(sum(a * b for a, b in zip(row, vector, strict=True)) == 0 for row in rows)
