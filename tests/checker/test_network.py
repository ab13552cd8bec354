import random
from fractions import Fraction as F

import pytest

from exactrelu.checker.claims.forward import path_weight, preactivations, value
from exactrelu.checker.document import LIMITS, WORK, homogeneous
from exactrelu.checker.network import Network, inside, read_domain
from tests.checker import oracle, producers
from tests.checker.random_networks import random_network, random_widths


@pytest.fixture(autouse=True)
def _meter() -> None:
    WORK.set([LIMITS["work"]])


def samples(number: int) -> list[tuple[random.Random, producers.Net]]:
    made = []
    for seed in range(number):
        rng = random.Random(seed)
        net = random_network(rng, random_widths(rng))
        weights, biases = oracle.arrays(net)
        for rows, constants in zip(weights, biases):
            for row in [*rows, constants]:
                row[:] = [x / rng.choice([1, 2, 3, 10]) for x in row]
        made.append((rng, producers.network(*zip(weights, biases))))
    return made


def test_signs_values_and_rows_are_those_of_the_given_network() -> None:
    for rng, net in samples(60):
        network = Network(net)
        for _ in range(5):
            x = [F(rng.randint(-4, 4), rng.choice([1, 2])) for _ in range(network.inputs)]
            z, y = oracle.forward(net, x)
            here = network.locate(homogeneous(x))
            signs = ["0+-"[here.code >> 2 * j & 3] for j in range(network.hidden)]
            assert signs == ["0" if v == 0 else "+" if v > 0 else "-" for v in z]
            assert value(network, x) == y
            flat = [v for layer in preactivations(network, homogeneous(x))[:-1] for v in layer]
            assert [v > 0 for v in flat] == [v > 0 for v in z]
            last = network.nodes(here.code)[-1].rows
            t, *rest = homogeneous(x)
            outputs = [row[0] * t + sum(a * b for a, b in zip(row[1:], rest)) for row in last]
            assert [F(v, t * network.scales[-1]) for v in outputs] == y


def test_codimension_and_closure_order_agree_with_brute_force() -> None:
    for _, net in samples(40):
        whole, network = oracle.Complex(net, None), Network(net)
        places = [(c, inside(network, [], homogeneous(c.point))) for c in whole.cells]
        for cell, here in places:
            assert here.codimension == whole.d - cell.dimension
            for other, there in places:
                assert here.below(there) == oracle.below(cell.signs, other.signs)


def test_path_weight_vanishes_where_f_does_not_bend() -> None:
    for _, net in samples(60):
        whole, network = oracle.Complex(net, None), Network(net)
        for facet in whole.facets:
            if facet.signs.count(0) == 1:
                one, two = whole.sides(facet)
                code = network.locate(homogeneous(facet.point)).code
                bends = any(path_weight(network, code, facet.signs.index(0)))
                assert bends == (one.output != two.output)


def test_the_whole_space_has_no_walls() -> None:
    assert read_domain(None, 3) == []
    assert read_domain({"inequalities": [["1/2", "1/3"]]}, 1) == [[3, 2]]
