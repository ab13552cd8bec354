"""Functional dimension as the exact rank of one dense matrix: all derivatives of f on all strict full cells.

On a strict cell f(x) is a polynomial in the parameter and affine in x.  The derivative by W_ij of layer l is
(what the outputs gain per unit of z_i) times (activation j), by b_i the same with 1 for the activation; it is affine in x, and its
coefficients, reduced by the equations of the domain, are the entries.  Fractions only; the rank is found by plain elimination.
"""

from __future__ import annotations

from fractions import Fraction

from exactrelu.arithmetic.rational import primitive_integer
from tests.oracles.sign_enumeration import Form, SignComplex, combination

Column = tuple[Fraction, ...]


def jacobian(found: SignComplex) -> list[list[Fraction]]:
    """One row per strict full cell, output and coefficient; one column per parameter, layer by layer, (row, bias) by row."""
    rows = []
    for cell in found.full:
        signs = found.open_cells[cell].signs
        if all(signs):
            rows += _rows(found, signs)
    return rows


def _rows(found: SignComplex, signs: tuple[int, ...]) -> list[list[Fraction]]:
    network, d = found.network, found.domain.dimension
    one: Form = (Fraction(1),) + (Fraction(0),) * d
    activations: list[list[Form]] = [[tuple(Fraction(int(i == k)) for i in range(d + 1)) for k in range(1, d + 1)]]
    rest = iter(signs)
    patterns: list[list[int]] = []
    for weights, biases in zip(network.weights[:-1], network.biases[:-1]):
        pattern = [int(next(rest) > 0) for _ in weights]
        patterns.append(pattern)
        forms = [combination(row, activations[-1], b, d) for row, b in zip(weights, biases)]
        activations.append([tuple(on * x for x in form) for on, form in zip(pattern, forms)])
    outputs = len(network.weights[-1])
    gains: list[Column] = [tuple(Fraction(int(i == k)) for k in range(outputs)) for i in range(outputs)]
    blocks: list[list[list[Form]]] = []
    for layer in range(len(network.weights), 0, -1):
        block = []
        for gain in gains:
            for form in (*activations[layer - 1], one):
                block.append([found.hull.reduced(tuple(g * x for x in form)) for g in gain])
        blocks.append(block)
        if layer > 1:
            weights = network.weights[layer - 1]
            gains = [tuple(patterns[layer - 2][j] * sum((w[j] * gain[k] for w, gain in zip(weights, gains)), Fraction(0))
                           for k in range(outputs)) for j in range(len(patterns[layer - 2]))]
    columns = [column for block in reversed(blocks) for column in block]
    return [[column[k][c] for column in columns] for k in range(outputs) for c in range(d + 1)]


def rank(rows: list[list[Fraction]]) -> int:
    """Rank by integer elimination, one row after the other."""
    kept: list[tuple[int, tuple[int, ...]]] = []
    for row in sorted({primitive_integer(row) for row in rows}):
        for pivot, other in kept:
            if row[pivot]:
                a, b = row[pivot], other[pivot]
                row = primitive_integer([b * x - a * y for x, y in zip(row, other)])
        pivot = next((k for k, x in enumerate(row) if x), None)
        if pivot is not None:
            kept.append((pivot, row))
    return len(kept)


def functional_dimension(found: SignComplex) -> int:
    """The exact rank over all strict full cells."""
    return rank(jacobian(found))
