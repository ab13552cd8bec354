"""Classes and arcs agree with a reader of f that never sees the parameter."""

import random

import pytest

from exactrelu.checker import Rejected, check
from tests.checker import corpus_identifiability as C
from tests.checker import judges_identifiability as J
from tests.checker import oracle, producers
from tests.checker import producers_identifiability as Q
from tests.checker.random_networks import random_network, random_widths

DOMAINS = {
    1: [None, producers.box((-1, 1)), producers.half([0, 1])],
    2: [None, C.BOX, C.WEDGE],
    3: [None],
}


def accepted(document: dict[str, object]) -> bool:
    try:
        check(producers.dumps(document))
    except Rejected:
        return False
    return True


def compare(seeds: range) -> tuple[int, int, int]:
    """The numbers of networks compared, of those with arcs, and with ambiguous ridges."""
    compared = arcs = ambiguous = 0
    shapes = [[2, 2, 2, 1], [2, 3, 2, 1], [2, 2, 2, 1], [2, 2, 1, 1], [1, 2, 2, 1]]
    for seed in seeds:
        rng = random.Random(seed)
        widths = rng.choice(shapes)
        net, domain = random_network(rng, widths, 3, 0.1), rng.choice(DOMAINS[widths[0]])
        if not J.supertransversal(net, domain):
            continue
        fields = J.function_geometry(net, domain)
        assert fields is not None  # the network itself is supertransversal
        if not accepted(Q.function_geometry(net, domain, fields)):
            assert domain is not None  # a vertex of the domain lies on a bent hyperplane
            continue
        for name in ("classes", "arcs", "ambiguous_ridges"):
            other = {**fields, name: fields[name] + 1}
            assert not accepted(Q.function_geometry(net, domain, other))
        compared += 1
        arcs += fields["arcs"] > 0
        ambiguous += fields["ambiguous_ridges"] > 0
    return compared, arcs, ambiguous


def test_numbers_agree_with_a_reader_of_the_function() -> None:
    compared, arcs, _ = compare(range(20))
    assert compared >= 5
    assert arcs >= 1


@pytest.mark.slow
def test_more_numbers_agree_with_a_reader_of_the_function() -> None:
    compared, arcs, ambiguous = compare(range(20, 250))
    assert compared >= 50
    assert arcs >= 20
    assert ambiguous >= 5


def test_depth_of_degenerate_networks_is_never_overstated() -> None:
    deep = 0
    for seed in range(80):
        rng = random.Random(seed)
        widths = rng.choice([random_widths(rng), [2, 3, 2, 1], [2, 2, 2, 1]])
        net, domain = random_network(rng, widths, 2, 0.2), rng.choice(DOMAINS[widths[0]])
        whole = oracle.complex_of(net, domain)
        points = [producers.point(c.point) for c in whole.cells]
        claim = {"network": net, "domain": domain}
        for number in (1, 2, 3, 4):
            evidence = {"points": points}
            if accepted(producers.document("depth", {**claim, "depth": number}, evidence)):
                assert J.depth({**claim, "depth": number})
                deep += number > 1
    assert deep >= 5


def test_the_reader_and_the_checker_find_the_same_depth_of_generic_networks() -> None:
    for net, domain, longest in (
        (C.DEEP, C.SLAB_BOX, 3),
        (C.SLAB, C.SLAB_BOX, 2),
        (C.RAY, C.RAY_BOX, 1),
        (C.MESSY, None, 2),
    ):
        assert accepted(Q.depth(net, domain, longest))
        assert not accepted(Q.depth(net, domain, longest + 1))
