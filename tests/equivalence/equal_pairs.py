"""Random networks and random moves that do not change the function, written on plain layers (weights, biases).

Every move takes a network in which what it needs has been arranged (`prepared`) and returns another one with the same function
on all of R^d.  Rows, widths and depth may change.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from random import Random

from exactrelu.network.network import Network

Rows = list[list[Fraction]]
Layers = list[tuple[Rows, list[Fraction]]]
Move = Callable[[Layers, Random], Layers | None]


def copied(layers: Layers) -> Layers:
    return [([list(row) for row in rows], list(biases)) for rows, biases in layers]


def as_network(layers: Layers) -> Network:
    return Network(tuple(rows for rows, _ in layers), tuple(biases for _, biases in layers))


def small(rng: Random) -> Fraction:
    """A number with few digits, often 0."""
    return Fraction(rng.choice((0, 0, 1, -1, 1, -1, 2, -2, 3)), rng.choice((1, 1, 1, 2, 3)))


def positive(rng: Random) -> Fraction:
    return Fraction(rng.choice((1, 2, 3)), rng.choice((1, 2, 5)))


def random_layers(rng: Random, inputs: int, outputs: int, hidden: list[int]) -> Layers:
    widths = [inputs, *hidden, outputs]
    layers: Layers = []
    for m, n in zip(widths, widths[1:]):
        rows = [[small(rng) for _ in range(m)] for _ in range(n)]
        biases = [small(rng) for _ in range(n)]
        if n > 1 and rng.random() < 0.25:               # coincident hyperplanes, twins, or a zero row
            i, j = rng.sample(range(n), 2)
            factor = rng.choice((-1, 0, 1, 2))
            rows[i], biases[i] = [factor * x for x in rows[j]], factor * biases[j]
        layers.append((rows, biases))
    return layers


def hidden_layer(layers: Layers, rng: Random, least: int = 1) -> int | None:
    fitting = [k for k, (rows, _) in enumerate(layers[:-1]) if len(rows) >= least]
    return rng.choice(fitting) if fitting else None


def permuted_and_scaled(layers: Layers, rng: Random) -> Layers | None:
    out = copied(layers)
    for k in range(len(out) - 1):
        (rows, biases), (after, _) = out[k], out[k + 1]
        order = list(range(len(rows)))
        rng.shuffle(order)
        scale = [positive(rng) for _ in order]
        out[k] = [[s * x for x in rows[i]] for i, s in zip(order, scale)], [s * biases[i] for i, s in zip(order, scale)]
        for row in after:
            row[:] = [row[i] / s for i, s in zip(order, scale)]
    return out if len(out) > 1 else None


def flipped(layers: Layers, rng: Random) -> Layers | None:
    """Sum_S v_i ReLU(z_i) = sum_S v_i ReLU(-z_i) + sum_S v_i b_i when sum_S v_i W_i = 0; `prepared` makes it so for all of a layer."""
    for k in rng.sample(range(len(layers) - 1), len(layers) - 1):
        rows, biases = layers[k]
        after, constants = layers[k + 1]
        if all(sum(v * row[j] for v, row in zip(out, rows)) == 0 for out in after for j in range(len(rows[0]))):
            new = copied(layers)
            new[k] = [[-x for x in row] for row in rows], [-b for b in biases]
            new[k + 1] = new[k + 1][0], [c + sum(v * b for v, b in zip(out, biases)) for c, out in zip(constants, after)]
            return new
    return None


def flipped_and_widened(layers: Layers, rng: Random) -> Layers | None:
    """ReLU(z) = ReLU(-z) + ReLU(z) - ReLU(-z), the last two as two new neurons with the sum z."""
    k = hidden_layer(layers, rng)
    if k is None:
        return None
    new = copied(layers)
    (rows, biases), (after, _) = new[k], new[k + 1]
    i = rng.randrange(len(rows))
    scale = positive(rng)
    up, constant = [scale * x for x in rows[i]], scale * biases[i]
    rows[i], biases[i] = [-x for x in rows[i]], -biases[i]
    rows += [up, [-x for x in up]]
    biases += [constant, -constant]
    for row in after:
        row += [row[i] / scale, -row[i] / scale]
    return new


def duplicated(layers: Layers, rng: Random) -> Layers | None:
    k = hidden_layer(layers, rng)
    if k is None:
        return None
    new = copied(layers)
    (rows, biases), (after, _) = new[k], new[k + 1]
    i, place = rng.randrange(len(rows)), rng.randint(0, len(rows))
    scale = positive(rng)
    twin, constant = [scale * x for x in rows[i]], scale * biases[i]
    parts = [small(rng) for _ in after]
    old = [row[i] for row in after]
    for row, part, weight in zip(after, parts, old):
        row[i] = weight - part
        row.insert(place, part / scale)
    rows.insert(place, twin)
    biases.insert(place, constant)
    return new


def never_active(layers: Layers, k: int) -> list[int]:
    """Neurons that are never active: zero row, or in a later layer no positive weight, and no positive bias."""
    return [i for i, (row, b) in enumerate(zip(*layers[k])) if b <= 0 and (not any(row) or (k and max(row) <= 0))]


def always_active(layers: Layers, k: int) -> list[int]:
    """Neurons whose pre-activation is never negative: zero row, or in a later layer no negative weight, and no negative bias."""
    return [i for i, (row, b) in enumerate(zip(*layers[k])) if b >= 0 and (not any(row) or (k and min(row) >= 0))]


def dead_column(layers: Layers, rng: Random) -> Layers | None:
    found = [(k, i) for k in range(len(layers) - 1) for i in never_active(layers, k)]
    if not found:
        return None
    k, i = rng.choice(found)
    new = copied(layers)
    for row in new[k + 1][0]:
        row[i] += small(rng) + 1
    return new


def shifted(layers: Layers, rng: Random) -> Layers | None:
    found = [(k, i) for k in range(len(layers) - 1) for i in always_active(layers, k)]
    if not found:
        return None
    k, i = rng.choice(found)
    step = positive(rng)
    new = copied(layers)
    new[k][1][i] += step
    after, constants = new[k + 1]
    constants[:] = [c - row[i] * step for c, row in zip(constants, after)]
    return new


def mixed(layers: Layers, rng: Random) -> Layers | None:
    """A block M of GL_2 without negative entries on two always active neurons, and its inverse behind them."""
    found = [(k, pair) for k in range(len(layers) - 1) if len(pair := always_active(layers, k)) > 1]
    if not found:
        return None
    k, active = rng.choice(found)
    i, j = rng.sample(active, 2)
    (a, b), (c, d) = rng.choice((((1, 1), (0, 1)), ((2, 1), (1, 1)), ((1, 2), (1, 1)), ((3, 1), (1, 1))))
    det = a * d - b * c
    new = copied(layers)
    (rows, biases), (after, _) = new[k], new[k + 1]
    one, two = (list(rows[i]), biases[i]), (list(rows[j]), biases[j])
    rows[i], biases[i] = [a * x + b * y for x, y in zip(one[0], two[0])], a * one[1] + b * two[1]
    rows[j], biases[j] = [c * x + d * y for x, y in zip(one[0], two[0])], c * one[1] + d * two[1]
    for row in after:
        row[i], row[j] = (d * row[i] - c * row[j]) / det, (a * row[j] - b * row[i]) / det
    return new


def deepened(layers: Layers, rng: Random) -> Layers | None:
    """A new layer: t = ReLU(t) - ReLU(-t) before the neurons of a layer, or a = ReLU(a) behind a hidden one."""
    new = copied(layers)
    k = rng.randrange(len(layers))
    rows, biases = new[k]
    n = len(rows)
    if k + 1 < len(layers) and rng.random() < 0.5:
        new.insert(k + 1, ([[Fraction(int(i == j)) for j in range(n)] for i in range(n)], [Fraction(0)] * n))
        return new
    new[k] = [*rows, *([-x for x in row] for row in rows)], [*biases, *(-b for b in biases)]
    new.insert(k + 1, ([[Fraction(int(i == j) - int(i + n == j)) for j in range(2 * n)] for i in range(n)], [Fraction(0)] * n))
    return new


MOVES: dict[str, Move] = {
    "permutation and scaling": permuted_and_scaled, "flip": flipped, "flip, wider": flipped_and_widened, "duplicate": duplicated,
    "dead column": dead_column, "shift": shifted, "block": mixed, "deeper": deepened,
}


def prepared(layers: Layers, move: str, rng: Random) -> Layers:
    """The network changed so that the move applies to it (another function: the pair is made afterwards)."""
    k = hidden_layer(layers, rng, 2 if move == "block" else 1)
    if k is None:
        return layers
    new = copied(layers)
    (rows, biases), (after, _) = new[k], new[k + 1]
    if move == "flip":                                   # one outgoing column up to factors, and rows with a relation
        factors = [positive(rng) * rng.choice((1, -1)) for _ in rows]
        heads = [small(rng) for _ in after]
        after[:] = [[head * c for c in factors] for head in heads]
        rows[-1] = [-sum((c * row[j] for c, row in zip(factors, rows[:-1])), Fraction(0)) / factors[-1] for j in range(len(rows[0]))]
    if move == "dead column":
        i = rng.randrange(len(rows))
        rows[i], biases[i] = [-abs(x) * (k > 0) for x in rows[i]], -abs(biases[i])
    if move in ("shift", "block"):
        for i in rng.sample(range(len(rows)), 1 if move == "shift" else 2):
            rows[i], biases[i] = [abs(x) * (k > 0) for x in rows[i]], abs(biases[i])
    return new
