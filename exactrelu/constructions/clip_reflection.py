"""Clips that can be reflected: 2^r parameters with one function.

A neuron u = max(0, b - c max(0, t)), b, c > 0, that has one input v = max(0, t), which feeds nothing else, clips t.  From
max(0, b - max(0, t)) = b - max(0, b - max(0, b - t)) follows that t may be replaced by b - c t, the weight by -1, and u by b - u: the
outgoing weights change sign and the next biases take up b.  r independent clips can be reflected one by one.

*Proof of the identity.*  Both sides are b for t <= 0, b - t for 0 <= t <= b, and 0 for t >= b.  QED
"""

from __future__ import annotations

from itertools import product
from random import Random

from exactrelu.arithmetic.rational import signless_row
from exactrelu.constructions.construction import Construction
from exactrelu.constructions.one_function import complete, pairwise
from exactrelu.errors import InputError
from exactrelu.limits import Limits
from exactrelu.network.architecture import Architecture
from exactrelu.network.network import Network
from exactrelu.polyhedra.domain import Domain

MOST_PAIRS = 4
DRAWS = 40
"""Draws of two clips on two inputs, until the list of four is certified complete."""


def clip_reflection(architecture: Architecture | None = None, seed: int = 0, *, limits: Limits | None = None) -> Construction:
    """Return all 2^r reflections of a parameter of (d, r, r, m) that consists of r clips, 1 <= r <= 4.

    Raises:
        InputError: another architecture.

    >>> len(clip_reflection().networks), clip_reflection().claims[-1].name
    (4, 'complete-fiber')
    """
    architecture = architecture if architecture is not None else Architecture((2, 2, 2, 1))
    widths = architecture.widths
    if len(widths) != 4 or widths[1] != widths[2] or widths[1] > MOST_PAIRS:
        raise InputError(f"clips are reflected in the architectures (d, r, r, m) with r at most {MOST_PAIRS}, not in {architecture}")
    rng, domain = Random(f"clips {widths} {seed}"), Domain.box(architecture.inputs, [(-12, 13)])
    first: Construction | None = None
    for _ in range(DRAWS):
        networks = reflections(architecture, rng)
        claims = (*pairwise(networks, domain, limits), *complete(networks, domain, limits))
        whole = bool(claims) and claims[-1].name == "complete-fiber"
        made = Construction("clip-reflection", networks, domain, claims, {"seed": seed, "clips": widths[1], "complete": whole})
        first = made if first is None else first
        if whole or widths[1] != 2 or architecture.inputs != 2:
            return made
    assert first is not None
    return first


def reflections(architecture: Architecture, rng: Random) -> tuple[Network, ...]:
    """Return a random parameter of r clips and all its reflections, 2^r parameters."""
    d, r, _, outputs = architecture.widths
    rows: list[list[int]] = []
    levels: list[int] = []
    while len(rows) < r:                                # no two kinks on one hyperplane
        row, level = [rng.randint(-3, 3) for _ in range(d)], rng.randint(-6, 6)
        known = {signless_row((level, *row)) for level, row in zip(levels, rows)}
        if any(row) and signless_row((level, *row)) not in known:
            rows.append(row)
            levels.append(level)
    heights, slopes = [rng.randint(2, 9) for _ in range(r)], [rng.randint(1, 4) for _ in range(r)]
    output = [[rng.choice((-1, 1)) * rng.randint(1, 5) for _ in range(r)] for _ in range(outputs)]
    constants = [rng.randint(-3, 3) for _ in range(outputs)]
    out = []
    for flipped in product((False, True), repeat=r):
        first = [[-c * x for x in row] if f else row for row, c, f in zip(rows, slopes, flipped)]
        biases = [b - c * level if f else level for level, b, c, f in zip(levels, heights, slopes, flipped)]
        second = [[(-1 if f else -slopes[i]) * int(i == j) for j in range(r)] for i, f in enumerate(flipped)]
        last = [[-w if f else w for w, f in zip(row, flipped)] for row in output]
        shifted = [constant + sum(w * b for w, b, f in zip(row, heights, flipped) if f) for row, constant in zip(output, constants)]
        out.append(Network([first, second, last], [biases, heights, shifted]))
    return tuple(out)
