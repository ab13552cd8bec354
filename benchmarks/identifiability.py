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
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from exactrelu.certification.certify import certify
from exactrelu.certification.reconstruction import reconstruction
from exactrelu.complexes.canonical_complex import CanonicalComplex
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
    """Draws, those unique among supertransversal parameters, those certified among all."""
    rng, domain = random.Random(f"rates {widths}"), Domain.box(widths[0], [(-12, 13)])
    draws = generic = certified = 0
    start = time.monotonic()
    while time.monotonic() - start < seconds:
        draws += 1
        network = nonzero_integers(widths, rng, height)
        if not supertransversality(Geometry(CanonicalComplex.build(network, domain))):
            continue
        found = reconstruction(network, domain)
        if found.found.complete and len(found.found.candidates) == 1:
            generic += 1
            certified += certify(network, domain).verdict == "identifiable"
    share = f"{100 * certified / generic:.1f} %" if generic else "-"
    return f"| {widths} | {draws} | {generic} | {certified} | {share} |"


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
    print("| random | draws | unique among supertransversal | identifiable | share |\n|---|---|---|---|---|")
    for case in RANDOM:
        print(random_row(*case, limit), flush=True)
    print("\n| slabs | identifiable |\n|---|---|")
    for case in SLABS:
        print(slab_row(case), flush=True)
    print("\n| certify | median seconds | worst |\n|---|---|---|")
    for case in TIMED:
        print(time_row(case), flush=True)
