"""Random formulae and networks for the tests of logic."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from random import Random

from exactrelu import Network
from exactrelu.logic.formula import Formula, connective, const, delta, scale, var

BINARY = ("oplus", "odot", "imp", "vee", "wedge")


def formula(rng: Random, size: int, names: tuple[str, ...] = ("x", "y"), language: str = "mv") -> Formula:
    """A random formula with about `size` connectives."""
    if size <= 0:
        return var(rng.choice(names)) if rng.random() > 1 / 8 else const(rng.randrange(2))
    kind = rng.randrange(8)
    if kind == 0:
        return connective("neg", (formula(rng, size - 1, names, language),))
    if kind == 1 and language == "divisible":
        return delta(rng.randrange(2, 4), formula(rng, size - 1, names, language))
    if kind == 1 and language == "riesz":
        return scale(Fraction(rng.randrange(1, 5), 5), formula(rng, size - 1, names, language))
    left = rng.randrange(size)
    return connective(rng.choice(BINARY), (formula(rng, left, names, language), formula(rng, size - 1 - left, names, language)))


def truth(node: Formula, point: dict[str, Fraction]) -> Fraction:
    """The truth value by the tables, recursively; for short formulae only."""
    values = [truth(a, point) for a in node.args]
    zero, one = Fraction(0), Fraction(1)
    if node.op == "var":
        return point[str(node.data)]
    if node.op == "neg":
        return 1 - values[0]
    if node.op == "oplus":
        return min(one, values[0] + values[1])
    if node.op == "odot":
        return max(zero, values[0] + values[1] - 1)
    if node.op == "imp":
        return min(one, 1 - values[0] + values[1])
    if node.op == "vee":
        return max(values)
    if node.op == "wedge":
        return min(values)
    if node.op == "delta":
        return values[0] / int(str(node.data))
    if node.op == "scale":
        return values[0] * Fraction(str(node.data))
    return Fraction(int(node.op))


def grid(count: int, steps: int) -> list[tuple[Fraction, ...]]:
    """The points of a cube whose coordinates are multiples of 1/steps."""
    return list(product([Fraction(k, steps) for k in range(steps + 1)], repeat=count))


def network(widths: tuple[int, ...], seed: int, rational: bool = False) -> Network:
    """Small weights: integers, or fractions."""
    rng = Random(f"logic {widths} {seed} {rational}")

    def number() -> Fraction:
        return Fraction(rng.randint(-2, 2), rng.choice((1, 2, 3)) if rational else 1)
    pairs = list(zip(widths, widths[1:]))
    return Network([[[number() for _ in range(n)] for _ in range(m)] for n, m in pairs], [[number() for _ in range(m)] for _, m in pairs])
