"""Random networks with two hidden layers whose second layer meets every hyperplane of the first: often the only parameter."""

from __future__ import annotations

from fractions import Fraction
from random import Random

from exactrelu.arithmetic.matrix import kernel
from exactrelu.arithmetic.rational import homogeneous_point
from exactrelu.network.network import Network


def crossing_network(widths: tuple[int, ...], seed: int, height: int = 5, side: int = 4) -> Network:
    """First layer uniform integers; each second-layer row vanishes at a random point of each first-layer hyperplane."""
    rng = Random(f"crossing {widths} {seed}")
    d, one, two, out = widths
    while True:
        rows = [[rng.randint(-height, height) for _ in range(d)] for _ in range(one)]
        bias = [rng.randint(-height, height) for _ in range(one)]
        if not all(map(any, rows)):
            continue
        second, constants = [], []
        for _ in range(20 * two):
            conditions = []
            for row, b in zip(rows, bias):
                x = [Fraction(rng.randint(-8 * side, 8 * side), 9) for _ in range(d)]
                j = rng.choice([j for j in range(d) if row[j]])
                x[j] -= (sum(a * y for a, y in zip(row, x)) + b) / row[j]
                active = [max(Fraction(0), sum((a * y for a, y in zip(r, x)), Fraction(c))) for r, c in zip(rows, bias)]
                conditions.append(homogeneous_point(active))
            found = kernel(conditions, one + 1)
            if len(found) == 1 and any(found[0][1:]) and len(second) < two:
                sign = rng.choice((-1, 1))
                second.append([sign * x for x in found[0][1:]])
                constants.append(sign * found[0][0])
        if len(second) == two:
            break
    last = [[rng.choice((-1, 1)) * rng.randint(1, 7) for _ in range(two)] for _ in range(out)]
    return Network([rows, second, last], [bias, constants, [rng.randint(-3, 3) for _ in range(out)]])
