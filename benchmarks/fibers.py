"""Seconds of the questions about networks with one hidden layer.

    python benchmarks/fibers.py [NEURONS]

Equality of a network in 50 inputs with the same one written with all neurons reversed, permuted and rescaled, for growing widths up
to NEURONS (default 100 000); then the least width of functions whose answer is a subset sum.
"""

from __future__ import annotations

import os
import sys
import time
from random import Random

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))

from exactrelu import Network, equal, minimal_width
from tests.fibers.test_equality import wide


def equality_row(neurons: int) -> str:
    """One row: width, seconds, seconds for 1000 neurons."""
    a, b = wide(neurons, 50, 1)
    start = time.perf_counter()
    verdict = equal(a, b).verdict
    seconds = time.perf_counter() - start
    return f"| {neurons} | {verdict} | {seconds:.2f} | {1000 * seconds / neurons:.3f} |"


def width_row(kinks: int) -> str:
    """One row: f = sum of v_k ReLU(x - k) - T x with T a sum of some v_k, so that no further neuron is needed."""
    rng = Random(kinks)
    jumps = [rng.randrange(1, 10**6) for _ in range(kinks)]
    target = sum(jumps[::2])
    network = Network([[[1]] * kinks + [[1], [-1]], [[*jumps, -target, target]]], [[-k for k in range(kinks)] + [0, 0], [0]])
    start = time.perf_counter()
    found = minimal_width(network)
    return f"| {kinks} | {found.lower} to {found.upper} | {time.perf_counter() - start:.2f} |"


if __name__ == "__main__":
    most = int(sys.argv[1]) if len(sys.argv) > 1 else 100_000
    print("| neurons | verdict | seconds | seconds for 1000 neurons |")
    print("|---" * 4 + "|")
    for count in (most // 8, most // 4, most // 2, most):
        print(equality_row(count), flush=True)
    print("| kinks | width | seconds |")
    print("|---" * 3 + "|")
    for count in (10, 20, 30, 40):
        print(width_row(count), flush=True)
