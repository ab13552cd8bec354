"""Speed of the subdivision and of everything that is computed from it.

    python benchmarks/kernel.py [NAME ...]

Prints one JSON line a network: counts first, then CPU seconds (minimum of some runs) and ratios within the run.
"""

from __future__ import annotations

import json
import os
import random
import sys
import time
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")       # CPU seconds of one thread

from exactrelu.complexes.breakpoint_complex import BreakpointComplex
from exactrelu.complexes.canonical_complex import CanonicalComplex
from exactrelu.genericity.generic import genericity
from exactrelu.network.files.load import load
from exactrelu.network.network import Network
from exactrelu.polyhedra.domain import Domain

EXAMPLES = Path(__file__).resolve().parents[1] / "examples" / "networks"
CASES: dict[str, tuple[Any, int]] = {
    "2-32-32-1": ((2, 32, 32, 1), 15),
    "3-16-16-1": ((3, 16, 16, 1), 15),
    "4-8-8-1": ((4, 8, 8, 1), 15),
    "3-32-32-1": ((3, 32, 32, 1), 3),
    "2-128-128-1": ((2, 128, 128, 1), 2),
    "iris": ("iris_4-10-8-6-4-3.npz", 5),
    "fc1": ("fc1_2-25-25-25-2.onnx", 5),
}


def random_network(widths: tuple[int, ...], seed: int = 1) -> Network:
    """Weights that are float32 numbers: 24-bit integers times a power of two."""
    rng = random.Random(seed)

    def entry() -> Fraction:
        return Fraction(rng.choice((-1, 1)) * rng.randrange(1 << 23, 1 << 24), 1 << rng.randrange(22, 27))

    return Network([[[entry() for _ in range(m)] for _ in range(n)] for m, n in zip(widths, widths[1:])],
                   [[entry() for _ in range(n)] for n in widths[1:]])


def best(repeat: int, run: Callable[[], Any]) -> tuple[float, Any]:
    """Minimal CPU time of some runs, and the last result."""
    seconds, result = float("inf"), None
    for _ in range(repeat):
        start = time.process_time()
        result = run()
        seconds = min(seconds, time.process_time() - start)
    return seconds, result


def analysis(built: CanonicalComplex) -> None:
    """Affine maps, jumps, regions, exact weights, balancing and every condition, from nothing."""
    fresh = CanonicalComplex(built.network, built.domain, built.fan)
    breakpoints = BreakpointComplex(fresh)
    _ = breakpoints.linear_regions, breakpoints.distinct_affine_maps, breakpoints.weights, breakpoints.balanced
    genericity(fresh)


def measure(name: str) -> dict[str, Any]:
    """All figures of one network."""
    source, repeat = CASES[name]
    network = load(EXAMPLES / source) if isinstance(source, str) else random_network(source)
    d = network.architecture.inputs
    build, built = best(repeat, lambda: CanonicalComplex.build(network))
    small, smaller = best(max(1, repeat // 3), lambda: CanonicalComplex.build(network, Domain.box(d, [(-2, 2)])))
    box, boxed = best(max(1, repeat // 3), lambda: CanonicalComplex.build(network, Domain.box(d, [(-4, 4)])))
    words, _ = best(1, lambda: built.fan.words)
    exact, _ = best(1, lambda: built.fan.coordinates)
    analyzed, _ = best(max(1, repeat // 5), lambda: analysis(built))
    cells, box_cells, small_cells = (sum(c.fan.counts) for c in (built, boxed, smaller))
    return {"name": name, "f_vector": built.f_vector, "cones": cells, "box_cones": box_cells, "uncertain_signs": built.fan.uncertain,
            "backend": built.fan.backend, "build": round(build, 4), "sign_words": round(words, 4),
            "exact_coordinates": round(exact, 4), "analysis": round(analyzed, 4), "box": round(box, 4),
            "coordinates_per_build": round(exact / build, 2), "analysis_per_build": round(analyzed / build, 2),
            "box_per_cone_ratio": round(box / box_cells / (build / cells), 2),
            "small_box_cones": small_cells, "small_box_per_cone_ratio": round(small / small_cells / (build / cells), 2)}


if __name__ == "__main__":
    for case in sys.argv[1:] or CASES:
        print(json.dumps(measure(case)), flush=True)
