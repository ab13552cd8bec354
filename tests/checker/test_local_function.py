"""What the function near one point excludes: compared with brute force."""

import random
from fractions import Fraction as F
from functools import cmp_to_key

import pytest

from exactrelu.checker import Rejected, check
from exactrelu.checker.claims.local_function import cross, occurs
from tests.checker import judges_fibers, oracle, producers
from tests.checker import producers_fibers as Q
from tests.checker.random_networks import random_network


def accepted(document: object) -> bool:
    try:
        check(producers.dumps(document))
    except Rejected:
        return False
    return True


def turned(rays: list[list[F]]) -> list[list[F]]:
    """Different rays in order once around, more of them where a gap is a half turn or wider."""

    def half(u: list[F]) -> bool:
        return u[1] < 0 or (u[1] == 0 and u[0] < 0)

    def order(u: list[F], v: list[F]) -> int:
        if half(u) != half(v):
            return half(u) - half(v)
        c = u[0] * v[1] - u[1] * v[0]
        return (c < 0) - (c > 0)

    todo = sorted(rays, key=cmp_to_key(order))
    result = []
    for u, v in zip(todo, todo[1:] + todo[:1]):
        result.append(u)
        at = u
        while at[0] * v[1] - at[1] * v[0] <= 0:
            at = [-at[1], at[0]]
            if at[0] * v[1] - at[1] * v[0] == 0 and at[0] * v[0] + at[1] * v[1] > 0:
                break
            result.append(at)
    return result


def test_pictures_are_judged_as_by_brute_force() -> None:
    verdicts = [0, 0]
    for seed in range(250):
        rng = random.Random(seed)
        shape = rng.choice([[3], [4], [2, 2], [3, 2], [2, 1, 1]])
        net = random_network(rng, [2, *shape, rng.choice([1, 2])], 2, 0.2)
        if rng.random() < 0.5:  # everything passes through one point
            net["biases"] = [["0"] * len(b) for b in net["biases"]]
        whole = oracle.complex_of(net, None)
        for cell in whole.cells:
            if cell.dimension:
                continue
            facets = [f for f in whole.facets if oracle.below(cell.signs, f.signs)]
            rays = turned([Q.ray(cell, f) for f in facets])
            document = Q.not_supertransversal_function(net, None, cell.point, rays)
            verdict = accepted(document)
            assert verdict == judges_fibers.not_supertransversal(document["claim"])
            verdicts[verdict] += 1
    assert min(verdicts) > 20


def test_not_shallow_is_never_said_of_shallow_functions() -> None:
    """Two hidden layers, and the judge finds out whether one would do near the point."""
    verdicts = [0, 0]
    for seed in range(80):
        rng = random.Random(seed)
        net = random_network(rng, [2, *rng.choice([[2, 2], [2, 1], [3, 1]]), 1], 2, 0.1)
        whole = oracle.complex_of(net, None)
        for cell in whole.cells:
            facets = Q.around(whole, cell) if cell.dimension == 0 else []
            found = any(
                accepted(Q.not_shallow(net, None, cell.point, Q.ray(cell, f), Q.hyperplane(f)[1:]))
                for f in facets
            )
            if facets and rng.random() < 0.5:
                claim = Q.not_shallow(net, None, cell.point, [1, 0], [0, 1])["claim"]
                assert found == judges_fibers.not_shallow(claim)
                verdicts[found] += 1
    assert min(verdicts) > 10


@pytest.mark.parametrize("d", [1, 2, 3])
def test_one_hidden_layer_is_shallow(d: int) -> None:
    rng = random.Random(d)
    for _ in range(30):
        net = random_network(rng, [d, 4, 1], 2, 0.3)
        cells = oracle.complex_of(net, None).cells
        x = rng.choice(cells).point
        u, n = ([rng.randint(-2, 2) for _ in range(d)] for _ in range(2))
        assert not accepted(Q.not_shallow(net, None, x, u, n))


def test_pictures_that_occur() -> None:
    assert occurs([])
    assert occurs([(1, 0), (-1, 0)])
    assert occurs([(1, 0), (0, 1), (-1, -1)])
    assert occurs([(1, 0), (1, 1), (1, 2)])
    assert occurs([(1, 0), (0, 1), (-1, 0), (0, -1)])
    assert occurs([(1, 0), (2, 1), (-1, 0), (0, -1)])
    assert occurs([(2, 1), (-1, 0), (0, -1), (1, 0)])
    assert not occurs([(1, 0), (1, 1), (0, 1), (-1, 0)])
    assert not occurs([(1, 0), (0, 1), (-2, 1), (-1, -3)])
    assert not occurs([(1, 0), (0, 1), (-1, 0), (-1, -1), (0, -1)])
    assert cross((1, 0), (0, 1)) > 0 > cross((0, 1), (1, 0))


def test_extra_neurons_do_not_matter() -> None:
    """Twins, opposite and zero rows add hidden facets, and more rays to pass, not to f."""
    rows = [[1, 0], [0, 1], [1, 1], [-1, 2], [1, -2], [0, 0], [2, 0]]
    net = producers.network((rows, [0] * 7), ([[2, 3, 5, 4, 4, 9, 0]], [1]))
    rays = ["1 0", "2 1", "0 1", "-1 1", "-1 0", "-2 -1", "0 -1", "1 -1"]
    document = Q.not_supertransversal_function(net, None, [0, 0], [[1, 0]])
    for order in (rays, rays[::-1], rays[3:] + rays[:3]):
        document["evidence"]["rays"] = order
        assert accepted(document)
    document["evidence"]["rays"] = rays[:4] + rays[5:]
    assert not accepted(document)
