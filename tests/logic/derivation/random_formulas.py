"""Random formulas, random equivalent pairs, and truth at sample points in integers."""

from __future__ import annotations

import random
from collections.abc import Callable

from exactrelu.logic.derivation.textbook import ONE, ZERO, Sketch

STEPS = 12
"""Sample points are multiples of 1/12."""
BINARY: tuple[Callable[[Sketch, Sketch], Sketch], ...] = (
    lambda a, b: a + b, lambda a, b: a * b, lambda a, b: a | b, lambda a, b: a & b, lambda a, b: a >> b)


def formula(rng: random.Random, size: int, names: str) -> Sketch:
    """A random formula with so many symbols."""
    if size <= 1:
        return Sketch.variable(rng.choice(names)) if rng.random() < 0.95 else rng.choice([ZERO, ONE])
    if size == 2 or rng.random() < 0.2:
        return ~formula(rng, size - 1, names)
    left = rng.randint(1, size - 2)
    return rng.choice(BINARY)(formula(rng, left, names), formula(rng, size - 1 - left, names))


def value(f: Sketch, point: dict[str, int]) -> int:
    """STEPS times the truth value at point/STEPS; no delta or scalar."""
    a = [value(g, point) for g in f.args]
    if f.op == "var":
        return point[str(f.data)]
    results: dict[str, Callable[[], int]] = {
        "0": lambda: 0, "1": lambda: STEPS, "neg": lambda: STEPS - a[0], "oplus": lambda: min(STEPS, a[0] + a[1]),
        "odot": lambda: max(0, a[0] + a[1] - STEPS), "vee": lambda: max(a), "wedge": lambda: min(a),
        "imp": lambda: min(STEPS, STEPS - a[0] + a[1])}
    return results[f.op]()


def variables(f: Sketch) -> set[str]:
    """The variables that occur."""
    return {str(f.data)} if f.op == "var" else set().union(*[variables(g) for g in f.args])


def alike_pairs(names: str, sizes: tuple[int, int], count: int, seed: int, tries: int = 60_000) -> list[tuple[Sketch, Sketch]]:
    """Pairs of different formulas in all the variables, not nearly constant, that agree at 60 points: nearly all are equivalent."""
    rng = random.Random(seed)
    points = [{v: rng.randint(0, STEPS) for v in names} for _ in range(60)]
    seen: dict[tuple[int, ...], Sketch] = {}
    found: list[tuple[Sketch, Sketch]] = []
    for _ in range(tries):
        f = formula(rng, rng.randint(*sizes), names)
        if len(variables(f)) < len(names):
            continue
        key = tuple(value(f, point) for point in points)
        if len(set(key)) < 8:
            continue
        other = seen.setdefault(key, f)
        if other != f:
            found.append((other, f))
            del seen[key]
            if len(found) == count:
                break
    return found
