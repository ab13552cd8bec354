"""Bounds from below and above meet at the brute-force rank, and go no further."""

import random
from typing import Any

from exactrelu.checker import Rejected, check
from tests.checker import oracle, producers
from tests.checker.random_networks import random_network, random_widths


def proved(document: dict[str, Any], dimension: int) -> bool:
    document = {**document, "claim": {**document["claim"], "dimension": dimension}}
    try:
        check(producers.dumps(document))
    except Rejected:
        return False
    return True


def scenes(number: int) -> list[tuple[producers.Net, Any]]:
    made = []
    for seed in range(number):
        rng = random.Random(seed)
        widths = random_widths(rng)
        domain = rng.choice([None, producers.box(*[(-2, 3)] * widths[0])])
        made.append((random_network(rng, widths), domain))
    return made


def test_bounds_are_exact() -> None:
    for net, domain in scenes(40):
        exact = oracle.functional_dimension(net, domain)
        lower = producers.dimension_at_least(net, domain)
        assert lower["claim"]["dimension"] == exact
        assert proved(lower, exact)
        assert not proved(lower, exact + 1)
        upper = producers.dimension_at_most(net, domain)
        if upper["claim"]["dimension"] == exact:  # also killed where a neuron is 0 on a full cell
            assert proved(upper, exact)
        if exact:
            assert not proved(upper, exact - 1)


def test_facet_pairs_never_exceed_the_dimension() -> None:
    reached = 0
    for net, domain in scenes(80):
        exact = oracle.functional_dimension(net, domain)
        document = producers.by_facet_pairs(net, domain, exact)
        assert not proved(document, exact + 1)
        reached += proved(document, exact)
    assert reached >= 20


def test_local_identifiability_needs_the_full_dimension() -> None:
    verdicts = [0, 0]
    for net, domain in scenes(80):
        document = producers.locally_identifiable(net, domain)
        expected = len(oracle.parameters(net)) - sum(oracle.widths(net))
        full = oracle.functional_dimension(net, domain) == expected
        try:
            check(producers.dumps(document))
        except Rejected:
            assert not full
            verdicts[0] += 1
        else:
            assert full
            verdicts[1] += 1
    assert min(verdicts) >= 5
