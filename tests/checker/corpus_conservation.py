"""True documents about conserved polynomials, and their judge: exact differences at random parameters."""

import random
from fractions import Fraction as F
from itertools import pairwise
from typing import Any

from tests.checker import oracle
from tests.checker.producers import document

Law = list[list[Any]]


def laws(widths: list[int], patterns: list[list[int]], found: list[Law], at: int = 1) -> Any:
    parameters = sum((m + 1) * n for m, n in pairwise(widths))
    rng = random.Random(at)
    claim = {"architecture": widths, "patterns": patterns, "laws": found}
    point = [rng.randrange(1, 100) for _ in range(parameters)]
    return document("conservation-laws", claim, {"point": point})


def squares(plus: list[int], minus: list[int]) -> Law:
    return [[1, [[i, 2]]] for i in plus] + [[-1, [[i, 2]]] for i in minus]


# a neuron of the first of two layers: its row 0, 1, 2 against its column 6, 9
SCALING = squares([0, 1, 2], [6, 9])
MIXED = [[1, [[0, 1], [3, 1]]], [1, [[1, 1], [4, 1]]], [1, [[2, 1], [5, 1]]], [-1, [[6, 1], [7, 1]]]]
# the square of a scaling law, and a quadratic form with squares and products
QUARTIC = [[c, [[i, 4]]] for c, i in ((1, 0), (1, 1), (1, 2))]
QUARTIC += [[c, [[i, 2], [j, 2]]] for c, i, j in ((2, 0, 1), (-2, 0, 2), (-2, 1, 2))]
WHOLE = [*squares([0, 1, 2, 3, 4, 5], [6, 7]), *([2 * c, powers] for c, powers in MIXED)]
DEAD = [[1, [[0, 1]]]]
CUBIC = [[1, [[0, 1], [4, 2]]], [7, [[1, 3]]], [-2, []]]  # of a neuron that is never active


def documents() -> dict[str, Any]:
    every = [[a, b] for a in range(4) for b in range(4)]
    return {
        "conserved_scaling": laws([2, 2, 2, 1], every, [SCALING]),
        "conserved_block": laws([2, 2, 1], [[3]], [squares([0, 1, 2], [6]), squares([3, 4, 5], [7]), MIXED]),
        "conserved_quartic": laws([1, 1, 1], [[0], [1]], [QUARTIC]),
        "conserved_form": laws([2, 2, 1], [[0], [3]], [WHOLE]),
        "conserved_dead": laws([1, 2, 1], [[0], [2]], [DEAD, [[1, [[1, 1]]]], squares([2, 3], [5])]),
        "conserved_free": laws([1, 2, 1], [[0], [2]], [CUBIC]),
    }


def conserved(claim: dict[str, Any]) -> bool:
    """At random parameters every law is orthogonal to every entry, and some point makes them independent.

    An entry has degree at most 1 in each parameter, so that its derivatives are differences.
    """
    widths, rng = claim["architecture"], random.Random(0)
    count = sum((m + 1) * n for m, n in pairwise(widths))
    ranks = []
    for _ in range(6):
        theta = [F(rng.randrange(-(10**6), 10**6)) for _ in range(count)]
        rows = [slope(law, theta) for law in claim["laws"]]
        ranks.append(oracle.rank([list(row) for row in rows]))
        for pattern in claim["patterns"]:
            here = entries(widths, pattern, theta)
            moved = [entries(widths, pattern, [t + (i == j) for j, t in enumerate(theta)]) for i in range(count)]
            for k, value in enumerate(here):
                if any(sum(row[i] * (moved[i][k] - value) for i in range(count)) for row in rows):
                    return False
    return max(ranks) == len(claim["laws"]) > 0


def slope(law: Law, theta: list[F]) -> list[F]:
    out = [F(0)] * len(theta)
    for c, powers in law:
        for i, e in powers:
            term = F(c) * e * theta[i] ** (e - 1)
            for j, other in powers:
                if j != i:
                    term *= theta[j] ** other
            out[i] += term
    return out


def entries(widths: list[int], pattern: list[int], theta: list[F]) -> list[F]:
    d, at = widths[0], 0
    values = [[F(k == j + 1) for k in range(d + 1)] for j in range(d)]
    for before, width, mask in zip(widths, widths[1:], [*pattern, -1]):
        following = []
        for i in range(width):
            row = [sum((theta[at + j] * v[k] for j, v in enumerate(values)), F(0)) for k in range(d + 1)]
            row[0] += theta[at + before]
            following.append(row if mask >> i & 1 else [F(0)] * (d + 1))
            at += before + 1
        values = following
    return [x for row in values for x in row]


JUDGES = {"conservation-laws": conserved}
