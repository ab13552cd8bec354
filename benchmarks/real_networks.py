"""The exact facts about the bundled real networks, with times: the table of docs/real_networks.md.

    python benchmarks/real_networks.py [FILE ...]

Runs the command line in fresh processes and prints one Markdown row a network and domain.
"""

from __future__ import annotations

import json
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
RUNS = (
    ("fc_2-2-3.onnx", None), ("vnncomp_small_1-2-2-1.onnx", None), ("twin_ladder_5-10-1.nnet", None), ("ecoli_7-5-5-4.npz", None),
    ("ecoli_7-5-5-4.npz", "0,1"), ("iris_4-10-8-6-4-3.npz", None), ("iris_4-10-8-6-4-3.npz", "0,8"), ("fc1_2-25-25-25-2.onnx", None),
    ("fc1_2-25-25-25-2.onnx", "-1,1"), ("acasxu_v2a_1_1.nnet", "file"),
)
LARGE = "acasxu_v2a_1_1.nnet"


def command(verb: str, file: str, box: str | None) -> tuple[dict[str, Any], float]:
    """JSON answer and wall seconds of one command."""
    arguments = [sys.executable, "-m", "exactrelu", verb, f"examples/networks/{file}", "--json"] + ([f"--box={box}"] if box else [])
    start = time.monotonic()
    done = subprocess.run(arguments, cwd=ROOT, capture_output=True, text=True, check=False)
    return json.loads(done.stdout), time.monotonic() - start


def row(file: str, box: str | None) -> str:
    """One row of the table."""
    info, first = command("info", file, None)
    seconds = [first]
    cells = ["–"] * 4
    if file != LARGE:
        counts, t = command("complex", file, box)
        seconds.append(t)
        cells = [", ".join(map(str, counts["f_vector"])), str(counts["breakpoint_facets"]), str(counts["linear_regions"]),
                 str(counts["distinct_affine_maps"])]
    dimension, t = command("dimension", file, box)
    seconds.append(t)
    bounds = str(dimension["lower"]) if dimension["exact"] else f"{dimension['lower']} to {dimension['upper']}"
    verdict = "–"
    if file != LARGE:
        answer, t = command("certify", file, box)
        seconds.append(t)
        verdict = answer["verdict"]
    place = {None: f"R^{info['architecture'][0]}", "file": "its input box"}.get(box, f"[{box}]^{info['architecture'][0]}")
    times = " / ".join(f"{t:.1f}" for t in seconds)
    return f"| {file} | {place} | {' | '.join(cells)} | {bounds} of {dimension['expected_dimension']} | {verdict} | {times} |"


if __name__ == "__main__":
    titles = ("network", "domain", "cells by dimension", "breakpoint facets", "linear regions", "distinct maps", "functional dimension",
              "certify", "seconds")
    print("| " + " | ".join(titles) + " |")
    print("|" + "---|" * len(titles))
    for name, domain in RUNS:
        if not sys.argv[1:] or name in sys.argv[1:]:
            print(row(name, domain), flush=True)
