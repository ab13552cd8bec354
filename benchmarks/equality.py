"""Speed of exact equality of functions, the check of every certificate included.

    python benchmarks/equality.py [NAME ...]

One JSON line a pair of network and domain: a permuted and positively rescaled copy, and the copy with one weight moved by 2^-60,
every weight in turn: seconds by verdict (`equal` where the weight cannot be seen on the domain).  Wall seconds of one process.
"""

from __future__ import annotations

import json
import os
import sys
import time
from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from random import Random
from statistics import median
from typing import Any

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")       # seconds of one thread

from kernel import random_network

from exactrelu import equal
from exactrelu.network.network import Network
from exactrelu.network.trivial_symmetry import TrivialSymmetry
from exactrelu.polyhedra.domain import Domain

WIDTHS = (2, 16, 16, 1)
STEP = Fraction(1, 2**60)
DOMAINS = {"plane": Domain.space(2), "box": Domain.box(2, [(-1, 1)])}


def timed(a: Network, b: Network, domain: Domain) -> tuple[float, Any]:
    """Wall seconds and the checked answer."""
    start = time.perf_counter()
    found = equal(a, b, domain)
    return time.perf_counter() - start, found


def moved(network: Network) -> Iterator[tuple[str, Network]]:
    """The network with one weight moved by 2^-60, every weight in turn."""
    for k, weights in enumerate(network.weights, 1):
        for i, row in enumerate(weights):
            for j in range(len(row)):
                changed = [list(r) for r in weights]
                changed[i][j] += STEP
                yield f"W{k}[{i}][{j}]", network.replaced(k, changed)


def measure(name: str, domain: Domain) -> dict[str, Any]:
    """All figures of one domain."""
    network = random_network(WIDTHS)
    copy = TrivialSymmetry.random(network.architecture, Random(1)).act(network)
    seconds, same = timed(network, copy, domain)
    times: dict[str, list[tuple[float, str]]] = {}
    methods: Counter[str] = Counter()
    for place, other in moved(copy):
        taken, found = timed(network, other, domain)
        times.setdefault(found.verdict, []).append((taken, place))
        methods[found.method] += 1
    every = [taken for runs in times.values() for taken, _ in runs]
    figures = {verdict: {"weights": len(runs), "median": round(median(t for t, _ in runs), 4), "worst": round(max(runs)[0], 4),
                         "worst_weight": max(runs)[1]} for verdict, runs in sorted(times.items())}
    return {"name": name, "widths": WIDTHS, "copy": {"verdict": same.verdict, "method": same.method, "seconds": round(seconds, 4)},
            "moved": figures, "methods": dict(methods), "median": round(median(every), 4), "worst": round(max(every), 4)}


if __name__ == "__main__":
    for case in sys.argv[1:] or DOMAINS:
        print(json.dumps(measure(case, DOMAINS[case])), flush=True)
