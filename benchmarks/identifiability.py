"""How often `certify` proves uniqueness among all parameters, and how long it takes.

    python benchmarks/identifiability.py [SECONDS]

Random integer networks on the box [-12, 13]^d that are unique among supertransversal parameters, and how many of them are
certified among all parameters; slab networks; times of `certify` with all diagnostics and checks.  One Markdown row each;
SECONDS (default 30) bounds the search for random networks of one architecture.
"""

from __future__ import annotations

import random
import sys
import time
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from exactrelu.certification.certify import certify
from exactrelu.certification.reconstruction import reconstruction
from exactrelu.complexes.canonical_complex import CanonicalComplex
from exactrelu.complexes.function_complex import function_complex
from exactrelu.dependency.dependency_graph import dependency_graph
from exactrelu.genericity.geometry import Geometry
from exactrelu.genericity.supertransversality import supertransversality
from exactrelu.network.network import Network
from exactrelu.polyhedra.domain import Domain
from tests.slabs import slab_domain, slab_network

RANDOM = (((2, 2, 2, 1), 5), ((2, 3, 3, 1), 5), ((3, 3, 2, 1), 5), ((2, 2, 2, 2, 1), 9), ((2, 2, 3, 1), 4), ((3, 2, 2, 1), 4))
SLABS = ((2, 2, 2, 1), (2, 2, 2, 2, 1), (2, 2, 2, 2, 2, 1), (3, 2, 2, 2, 1), (2, 2, 2, 2, 2), (2, 2, 2, 3, 1))
TIMED = ((2, 3, 3, 3, 1), (2, 2, 2, 2, 2, 2, 2, 1), (3, 6, 6, 1))


def nonzero_integers(widths: tuple[int, ...], rng: random.Random, height: int) -> Network:
    """Non-zero weights and biases in [-height, height]; zero biases allowed."""
    pairs = list(zip(widths, widths[1:]))
    return Network([[[rng.choice((-1, 1)) * rng.randint(1, height) for _ in range(n)] for _ in range(m)] for n, m in pairs],
                   [[rng.randint(-height, height) for _ in range(m)] for _, m in pairs])


def random_row(widths: tuple[int, ...], height: int, seconds: float) -> str:
    """Draws; how many of those unique among supertransversal parameters are certified among all; how many of these if f alone
    shows the layers."""
    rng, domain = random.Random(f"rates {widths}"), Domain.box(widths[0], [(-12, 13)])
    draws, counts = 0, Counter[tuple[str, bool]]()
    start = time.monotonic()
    while time.monotonic() - start < seconds:
        draws += 1
        network = nonzero_integers(widths, rng, height)
        complex_ = CanonicalComplex.build(network, domain)
        if not supertransversality(Geometry(complex_)):
            continue
        found = reconstruction(network, domain)
        if found.found.complete and len(found.found.candidates) == 1:
            among_all = certify(network, domain).verdict == "identifiable"
            for group in ("unique", "layered") if layers_are_shown(complex_, widths) else ("unique",):
                counts[group, among_all] += 1
    shares = []
    for group in ("unique", "layered"):
        certified, every = counts[group, True], counts[group, True] + counts[group, False]
        shares.append(f"{certified} of {every}" + (f" = {100 * certified / every:.1f} %" if every else ""))
    return f"| {widths} | {draws} | {' | '.join(shares)} |"


def layers_are_shown(complex_: CanonicalComplex, widths: tuple[int, ...]) -> bool:
    """Whether the layer bounds of the dependency graph place n_l classes in every hidden layer l, before any search."""
    bounds = dependency_graph(function_complex(complex_)).layer_bounds(len(widths) - 2)
    placed = Counter(lo for lo, hi in bounds if lo == hi)
    return all(placed[layer] >= width for layer, width in enumerate(widths[1:-1], 1))


def slab_row(widths: tuple[int, ...]) -> str:
    """Fifteen slab networks."""
    verdicts = [certify(slab_network(widths, seed), slab_domain(widths[0])).verdict for seed in range(15)]
    return f"| {widths} | {verdicts.count('identifiable')} of 15 |"


def time_row(widths: tuple[int, ...]) -> str:
    """Seconds of `certify` for six slab networks: median and worst."""
    seconds = []
    for seed in range(6):
        start = time.perf_counter()
        certify(slab_network(widths, seed), slab_domain(widths[0]))
        seconds.append(time.perf_counter() - start)
    return f"| {widths} | {sorted(seconds)[3]:.2f} | {max(seconds):.2f} |"


if __name__ == "__main__":
    limit = float(sys.argv[1]) if len(sys.argv) > 1 else 30
    print("| random | draws | identifiable, of those unique supertransversally | of those whose layers f shows |\n|---|---|---|---|")
    for case in RANDOM:
        print(random_row(*case, limit), flush=True)
    print("\n| slabs | identifiable |\n|---|---|")
    for case in SLABS:
        print(slab_row(case), flush=True)
    print("\n| certify | median seconds | worst |\n|---|---|---|")
    for case in TIMED:
        print(time_row(case), flush=True)
