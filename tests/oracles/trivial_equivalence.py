"""Equivalence by permutations and positive scalings, by trying every permutation."""

from __future__ import annotations

from fractions import Fraction
from itertools import permutations, product

from exactrelu.network.network import Network

Place = tuple[int, int]
ROOT: Place = (-1, 0)


def are_equivalent(a: Network, b: Network) -> bool:
    """Whether some permutation of each hidden layer and some positive factors turn a into b."""
    widths = a.architecture.widths
    if b.architecture.widths != widths:
        return False
    every = [list(permutations(range(n))) if 0 < k < len(widths) - 1 else [tuple(range(n))] for k, n in enumerate(widths)]
    return any(_has_factors(a, b, orders) for orders in product(*every))


def _has_factors(a: Network, b: Network, orders: tuple[tuple[int, ...], ...]) -> bool:
    """Whether positive c solve c(l,i) a_ij / c(l-1,j) = b_ij, with factor 1 at inputs, outputs and constants."""
    last = len(a.weights)
    links: dict[Place, list[tuple[Place, Fraction]]] = {ROOT: []}

    def place(k: int, i: int) -> Place:
        return ROOT if k in (0, last) else (k, i)

    for k, (weights, biases) in enumerate(zip(a.weights, a.biases), 1):
        for i, p in enumerate(orders[k]):
            pairs = [(place(k - 1, j), weights[p][q], b.weights[k - 1][i][j]) for j, q in enumerate(orders[k - 1])]
            for other, x, y in (*pairs, (ROOT, biases[p], b.biases[k - 1][i])):
                if (x > 0) - (x < 0) != (y > 0) - (y < 0):
                    return False
                if x:
                    links.setdefault(place(k, i), []).append((other, y / x))
                    links.setdefault(other, []).append((place(k, i), x / y))
    factor: dict[Place, Fraction] = {}
    for start in (ROOT, *links):
        if start in factor:
            continue
        factor[start] = Fraction(1)
        stack = [start]
        while stack:
            here = stack.pop()
            for other, ratio in links.get(here, ()):  # factor[here] = ratio * factor[other]
                if other not in factor:
                    factor[other] = factor[here] / ratio
                    stack.append(other)
                elif factor[other] * ratio != factor[here]:
                    return False
    return True
