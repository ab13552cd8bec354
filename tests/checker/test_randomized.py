"""The arithmetic of a random draw."""

import random
from fractions import Fraction as F
from math import comb

import pytest

from exactrelu.checker import Rejected, check
from exactrelu.checker.claims import randomized
from exactrelu.checker.document import LIMITS, WORK
from exactrelu.checker.network import Network
from tests.checker import corpus_identifiability as C
from tests.checker import producers
from tests.checker import producers_identifiability as Q
from tests.checker.random_networks import random_network


def test_bound_of_the_number_of_failures() -> None:
    for seed in range(60):
        rng = random.Random(seed)
        WORK.set([LIMITS["work"]])
        widths = [rng.randint(1, 4) for _ in range(rng.randint(3, 5))]
        network = Network(random_network(rng, widths))
        d, hidden, layers, samples = (
            widths[0],
            sum(widths[1:-1]),
            len(widths) - 2,
            rng.randint(1, 9),
        )
        forms = sum(comb(hidden - 1, k) for k in range(d + 1))
        failures = 2 ** (hidden * samples) * hidden * forms * 2 ** (hidden + d)
        failures *= (d + 1) * layers * (layers + 1) ** (network.parameters - hidden)
        bound = randomized.log2_failures(network, samples)
        assert failures <= 2**bound
        assert 2 ** (bound - 1) < failures or failures == 1


@pytest.mark.parametrize("seed", range(4))
def test_draws_are_accepted(seed: int) -> None:
    document = Q.randomized(C.LINES, None, 39, 10, seed)
    assert check(producers.dumps(document)) == "identifiable-randomized"


def test_outputs_at_one_point_count_once() -> None:
    """Two outputs: fewer points, so fewer patterns and fewer bits."""
    net = producers.network(([[1, 0], [0, 1]], [0, 0]), ([[2, 3], [1, 5]], [1, 0]))
    document = Q.randomized(net, None, 60, 0)
    different = len(set(document["evidence"]["points"]))
    assert different < len(document["evidence"]["points"])
    WORK.set([LIMITS["work"]])
    needed = randomized.log2_failures(Network(net), different)
    assert check(producers.dumps(Q.randomized(net, None, needed, 0))) == "identifiable-randomized"
    with pytest.raises(Rejected, match="bits a parameter, needed are"):
        check(producers.dumps(Q.randomized(net, None, needed - 1, 0)))


def test_the_claim_speaks_of_the_draw() -> None:
    text = " ".join((randomized.identifiable_randomized.__doc__ or "").split())
    assert "about a random draw, not about this parameter" in text
    assert "cannot be checked" in text


def test_parameters_between_the_points_of_the_grid_are_refused() -> None:
    step = F(1, Q.GRID << 39)
    net = producers.changed(C.LINES, 0, 0, 0, 1 + 5 * step)
    chosen, outputs = Q.samples(C.LINES, None)
    evidence = {"points": chosen, "outputs": outputs, "geometry_points": Q.germ_points(net, None)}
    claim = {"network": net, "domain": None, "base": C.LINES, "bits": 39, "exponent": 10}
    check(producers.dumps(producers.document("identifiable-randomized", claim, evidence)))
    for value in (1 + 5 * step / 2, 1 - step, 1 + (step * 2**39)):
        other = {**claim, "network": producers.changed(net, 0, 0, 0, value)}
        with pytest.raises(Rejected, match="not on the grid"):
            check(producers.dumps(producers.document("identifiable-randomized", other, evidence)))
