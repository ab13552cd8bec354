"""Continuous symmetries of the function, and whether each of them gives a conservation law.

A symmetry field v (linear or constant in theta) satisfies <v, grad c> = 0 for all coefficients c of f.  Gradient flow keeps
<v, d theta/dt> = 0.  If v is the gradient of a function h, h is conserved: for v = B theta this is so iff B is symmetric.  If
not even a multiple of v is a gradient (omega ^ d omega is not 0 for omega = <v, d theta>), the constraint is non-holonomic: it
binds velocities and conserves no function of its own.
Source: Marcotte, Gribonval and Peyre, arXiv 2307.00144 (laws from symmetries); which fields are closed is computed.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from random import Random
from typing import Any

import flint

from exactrelu.arithmetic.matrix import PRIME
from exactrelu.fibers.conservation.pattern_maps import PatternMaps
from exactrelu.fibers.conservation.polynomial_laws import Law
from exactrelu.network.architecture import Architecture

Field = dict[int, flint.fmpz_mpoly]
"""Entries of a vector field that are not 0."""
Terms = dict[int, dict[int, int]]
"""The same for fields linear or constant in theta: entry -> (parameter -> coefficient); parameter -1 stands for the constant 1."""


@dataclass(frozen=True)
class Symmetry:
    """A one-parameter symmetry.

    Attributes:
        name: scaling, dead parameter, block rotation, bias translation, ...
        text: one sentence with the neurons, layers and places counted from 1.
        law: the conserved polynomial, or None.
        reason: why there is a law, or none.
        terms: the vector field.
    """

    name: str
    text: str
    law: Law | None
    reason: str
    terms: Terms = field(default_factory=dict, compare=False, repr=False)

    def at(self, theta: Sequence[Fraction]) -> list[Fraction]:
        """Return the vector of the field at a parameter."""
        values = [Fraction(0)] * len(theta)
        for i, terms in self.terms.items():
            values[i] = sum((c * (theta[j] if j >= 0 else Fraction(1)) for j, c in terms.items()), Fraction(0))
        return values

    def to_json(self) -> dict[str, Any]:
        """Return name, text, whether there is a law, and the reason."""
        return {"name": self.name, "text": self.text, "law": self.law is not None, "reason": self.reason}


@dataclass(frozen=True)
class _Places:
    """Numbers of the parameters of an architecture."""

    architecture: Architecture

    def row(self, layer: int, i: int) -> list[int]:
        """Weights and bias of a neuron; layers from 1."""
        before = self.architecture.widths[layer - 1]
        first = sum((m + 1) * n for m, n in zip(self.architecture.widths, self.architecture.widths[1:layer])) + (before + 1) * i
        return list(range(first, first + before + 1))

    def column(self, layer: int, i: int) -> list[int]:
        """Outgoing weights of a neuron."""
        return [self.row(layer + 1, k)[i] for k in range(self.architecture.widths[layer + 1])]


def symmetries(maps: PatternMaps) -> list[Symmetry]:
    """Return the scalings, and the symmetries of neurons that are never or always active, or hidden behind the next layer.

    Every field is verified against all coefficients; a candidate that is no symmetry is left out.
    """
    places, out = _Places(maps.architecture), list[Symmetry]()
    gradients = [{i: entry.derivative(i) for i, degree in enumerate(entry.degrees()) if degree} for entry in maps.coefficients]
    generators = maps.ring.gens()
    for name, text, chosen, matrix in _candidates(maps, places):
        entries: Field = {i: sum((c * generators[j] for j, c in terms.items() if j >= 0), maps.ring.constant(terms.get(-1, 0)))
                          for i, terms in chosen.items()}
        if not all(_orthogonal(entries, gradient) for gradient in gradients):
            continue
        out.append(replace(_with_law(name, text, chosen, matrix, entries, maps), terms=chosen))
    return out


def _candidates(maps: PatternMaps, places: _Places) -> Iterator[tuple[str, str, Terms, bool]]:
    """Fields that may be symmetries; the flag says that the field is linear (no constants)."""
    architecture = maps.architecture
    for layer in range(1, architecture.hidden_layers + 1):
        masks = [pattern[layer - 1] for pattern in maps.patterns]
        width = architecture.widths[layer]
        always = [i for i in range(width) if all(mask >> i & 1 for mask in masks)]
        for i in range(width):
            row, column = places.row(layer, i), places.column(layer, i)
            here = f"neuron ({layer}, {i + 1})"
            if not any(mask >> i & 1 for mask in masks):
                for p in (*row, *column):
                    yield "dead parameter", f"{here} is never active: parameter {p} may be anything", {p: {-1: 1}}, False
                continue
            yield ("scaling", f"{here} scaled by a positive number, its outgoing weights by the inverse",
                   {**{p: {p: 1} for p in row}, **{p: {p: -1} for p in column}}, True)
            shift: Terms = {row[-1]: {-1: 1}}
            for k, p in enumerate(column):
                shift[places.row(layer + 1, k)[-1]] = {p: -1}
            name = "bias translation" if i in always else "shift of a hidden hyperplane"
            yield name, f"the bias of {here} moved, the next biases compensate", shift, False
        for a, i in enumerate(always):
            for j in always[a + 1:]:
                for sign, name in ((1, "symmetric mixing"), (-1, "rotation")):
                    field: Terms = {}
                    for target, source, s in ((i, j, 1), (j, i, sign)):
                        for p, q in zip(places.row(layer, target), places.row(layer, source)):
                            field[p] = {q: s}
                        for p, q in zip(places.column(layer, source), places.column(layer, target)):
                            field[p] = {q: -s}
                    yield name, f"the always active neurons ({layer}, {i + 1}) and ({layer}, {j + 1}) mixed", field, True


def _orthogonal(field: Field, gradient: Field) -> bool:
    common = [i for i in field if i in gradient]
    return not common or sum((field[i] * gradient[i] for i in common[1:]), field[common[0]] * gradient[common[0]]).is_zero()


def _with_law(name: str, text: str, field: Terms, linear: bool, entries: Field, maps: PatternMaps) -> Symmetry:
    count = maps.architecture.parameters
    if linear:
        if all(field.get(j, {}).get(i, 0) == c for i, terms in field.items() for j, c in terms.items()):
            law: Law = {}
            for i, terms in field.items():
                for j, c in terms.items():
                    exponents = tuple((k == i) + (k == j) for k in range(count))
                    law[exponents] = law.get(exponents, 0) + c
            half = {e: c // 2 for e, c in law.items()} if all(c % 2 == 0 for c in law.values()) else law
            return Symmetry(name, text, half, "the field is the gradient of a quadratic form")
        return Symmetry(name, text, None, _open_reason(entries, count, "the matrix of the field is not symmetric"))
    if all(set(terms) == {-1} for terms in field.values()):
        constant = {tuple(int(k == i) for k in range(count)): terms[-1] for i, terms in field.items()}
        return Symmetry(name, text, constant, "the field is constant: each parameter it moves is conserved")
    return Symmetry(name, text, None, _open_reason(entries, count, "the field is not closed"))


def _open_reason(entries: Field, count: int, reason: str) -> str:
    """Whether omega ^ d omega is not 0 somewhere, so that no multiple of the field is a gradient either."""
    rng = Random(0)
    point = [rng.randrange(1, 1000) for _ in range(count)]
    value = {i: _at(entry, point) for i, entry in entries.items()}
    slope = {(i, j): _at(entry.derivative(j), point) for i, entry in entries.items() for j in range(count) if entry.degrees()[j]}
    used = sorted({i for pair in slope for i in pair} | set(value))
    curl = {(i, j): slope.get((j, i), 0) - slope.get((i, j), 0) for i in used for j in used if i < j}
    for a, i in enumerate(used):
        for b, j in enumerate(used[a + 1:], a + 1):
            for k in used[b + 1:]:
                if (value.get(i, 0) * curl[j, k] - value.get(j, 0) * curl[i, k] + value.get(k, 0) * curl[i, j]) % PRIME:
                    return f"{reason}, and no multiple of it is: the constraint on velocities is non-holonomic"
    return reason


def _at(entry: flint.fmpz_mpoly, point: list[int]) -> int:
    return int(entry(*point)) if not entry.is_constant() else sum(map(int, entry.coeffs()))


