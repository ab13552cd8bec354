"""Oriented slab parameters: connected bent hyperplanes that all cross, on a fixed box.  Random jitter, exact integers."""

from __future__ import annotations

import random
from fractions import Fraction

from exactrelu.network.network import Network
from exactrelu.polyhedra.domain import Domain


def slab_domain(inputs: int) -> Domain:
    return Domain.box(inputs, [(-4, 8), (-2, 2), *[(Fraction(-1, 4), Fraction(1, 4))] * (inputs - 2)])


def slab_network(widths: tuple[int, ...], seed: int, steepness: int = 8) -> Network:
    """Widths n_0, ..., n_{L+1} with n_0, ..., n_L >= 2."""
    rng = random.Random(f"slab {widths} {seed}")
    weights, biases = [], []
    for layer, width in enumerate(widths[1:-1], start=1):
        before = widths[layer - 1]
        if layer == 1:
            one, two = [1, 1, *(rng.choice((-1, 1)) for _ in range(before - 2))], [-1, 0, *(rng.choice((-1, 1)) for _ in range(before - 2))]
            b1, b2 = 0, 4
        else:
            m = steepness + 3 * steepness * (before - 2) // 2
            alpha, beta = rng.choice(((2, -1), (-1, 2)))
            c = 4 * m - 2 + rng.randint(-1, 1)
            one = [m + alpha, m, *(rng.choice((-1, 1)) for _ in range(before - 2))]
            two = [beta - m, -m, *(rng.choice((-1, 1)) for _ in range(before - 2))]
            b1, b2 = -c - 2 * alpha, 4 + c - 2 * beta
        rows, constants = [one, two], [b1, b2]
        for _ in range(width - 2):
            sign, tau = rng.choice((1, -1)), rng.randint(2, 6)
            row = [2 * x + rng.choice((-1, 0, 1)) for x in one]
            row = [2 * x + 1 for x in one] if 0 in row else row
            rows.append([sign * x for x in row])
            constants.append(sign * (2 * b1 - tau))
        weights.append(rows)
        biases.append(constants)
    weights.append([[rng.choice((-1, 1)) * rng.randint(1, 7) for _ in range(widths[-2])] for _ in range(widths[-1])])
    biases.append([rng.randint(-3, 3) for _ in range(widths[-1])])
    return Network(weights, biases)


def integer_network(widths: tuple[int, ...], seed: object, height: int = 5) -> Network:
    """Uniform integer weights and biases in [-height, height]."""
    rng = random.Random(f"integers {widths} {seed}")
    pairs = list(zip(widths, widths[1:]))
    return Network([[[rng.randint(-height, height) for _ in range(n)] for _ in range(m)] for n, m in pairs],
                   [[rng.randint(-height, height) for _ in range(m)] for _, m in pairs])
