"""Queries and seconds of `extract`.

    python benchmarks/extraction.py [NETWORKS]

One Markdown row an architecture: networks tried, certified, queries (mean, largest) and mean seconds over those certified; the oracle
is the network itself, in this process.  One hidden layer: random integers, all hyperplanes different and seen, on all of R^d.
Two hidden layers: slab parameters on their box.
"""

from __future__ import annotations

import os
import sys
import time
from random import Random
from statistics import mean

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")       # seconds of one thread
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))

from exactrelu.arithmetic.rational import signless_row
from exactrelu.extraction.extract import extract
from exactrelu.extraction.oracle import CallableOracle
from exactrelu.network.network import Network
from exactrelu.polyhedra.domain import Domain
from tests.slabs import slab_domain, slab_network

SHALLOW = [(1, 4, 1), (1, 12, 1), (2, 2, 1), (2, 4, 1), (3, 4, 2), (4, 6, 2), (5, 8, 1), (8, 12, 1), (8, 12, 3)]
DEEP = [(2, 2, 2, 1), (2, 2, 2, 2), (3, 2, 2, 1), (2, 2, 3, 1), (2, 3, 2, 1), (2, 3, 3, 1), (2, 4, 3, 1), (3, 3, 3, 2), (3, 4, 3, 2),
        (3, 4, 4, 1)]


def visible_network(widths: tuple[int, ...], seed: int) -> Network:
    """One hidden layer of random integers in [-9, 9], pairwise different hyperplanes, no zero outgoing weight."""
    d, width, outputs = widths
    rng = Random(f"visible {widths} {seed}")
    rows: dict[tuple[int, ...], list[int]] = {}
    while len(rows) < width:
        row = [rng.randint(-9, 9) for _ in range(d + 1)]
        if any(row[1:]):
            rows.setdefault(signless_row(row), row)
    last = [[rng.choice((-1, 1)) * rng.randint(1, 9) for _ in range(width)] for _ in range(outputs)]
    return Network([[row[1:] for row in rows.values()], last], [[row[0] for row in rows.values()], [rng.randint(-9, 9) for _ in last]])


def measure(widths: tuple[int, ...], networks: int) -> str:
    """One row of the table."""
    queries, seconds = [], []
    for seed in range(networks):
        shallow = len(widths) == 3
        network = visible_network(widths, seed) if shallow else slab_network(widths, seed)
        domain = Domain.space(widths[0]) if shallow else slab_domain(widths[0])
        start = time.perf_counter()
        found = extract(CallableOracle(network), network.architecture, domain, seed=seed)
        if found.label == "certified":
            queries.append(found.queries)
            seconds.append(time.perf_counter() - start)
    hidden = ", ".join(map(str, widths[1:-1]))
    numbers = f"{mean(queries):.0f} | {max(queries)} | {mean(seconds):.2f}" if queries else "- | - | -"
    return f"| {widths[0]} | {widths[-1]} | {hidden} | {networks} | {len(queries)} | {numbers} |"


if __name__ == "__main__":
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 10
    print("| d | outputs | hidden widths | networks | certified | queries (mean) | queries (most) | seconds |")
    print("|---" * 8 + "|")
    for entry in SHALLOW + DEEP:
        print(measure(entry, count), flush=True)
