"""No hidden layer: an affine function from d + 1 queries."""

from __future__ import annotations

from fractions import Fraction

from exactrelu.extraction.oracle import Oracle
from exactrelu.extraction.outcome import CERTIFIED, Outcome, broken_promise
from exactrelu.extraction.region import Region
from exactrelu.network.network import Network

PROMISE = "the oracle computes an affine function on the domain"
CONTROLS = 10


def extract_affine(oracle: Oracle, region: Region) -> Outcome:
    """Return the affine function with the values at d + 1 points that span the space; the promise makes it the only one.

    Some random points control the promise.
    """
    x = region.point()
    room = region.room(x)
    step = Fraction(1) if room is None else min(Fraction(1), room / 2)
    value = oracle(x)
    slopes = []
    for j in range(region.dimension):
        moved = oracle((*x[:j], x[j] + step, *x[j + 1:]))
        slopes.append([(a - b) / step for a, b in zip(moved, value)])
    weights = [list(row) for row in zip(*slopes)]
    bias = [v - sum((a * y for a, y in zip(row, x)), Fraction(0)) for row, v in zip(weights, value)]
    network = Network([weights], [bias])
    if any(oracle(y) != network(y) for y in (region.point() for _ in range(CONTROLS))):
        return broken_promise("it is not affine")
    return Outcome((network,), CERTIFIED, PROMISE, f"{region.dimension + 1} points that span the space determine an affine function")
