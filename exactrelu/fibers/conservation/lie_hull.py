"""The Lie hull: how many conserved functions there can be at most.

The gradient fields of the coefficients of f generate a Lie algebra of polynomial vector fields; a function that is
conserved along all of them is conserved along their brackets.  Where the algebra spans n directions of the N, at most
N - n conserved functions are independent.  The span at one point modulo a prime is at most the generic one, so the bound
is a proof; it is sharp (Frobenius) when all brackets were taken at a generic point.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

import flint

from exactrelu.arithmetic.matrix import independent_rows_modulo
from exactrelu.fibers.conservation.pattern_maps import PatternMaps, parameter_texts
from exactrelu.limits import Meter

PRIME = 2_147_483_629
MAX_ROUNDS = 12


@dataclass(frozen=True)
class LieHull:
    """Dimensions reached by the fields and by each round of brackets.

    Attributes:
        dimensions: of the span at a random point modulo a prime; the first is that of the gradients.
        finished: whether a round added nothing, or the number of laws known left no room.
    """

    dimensions: tuple[int, ...]
    finished: bool

    @property
    def dimension(self) -> int:
        """A lower bound of the generic dimension of the hull."""
        return self.dimensions[-1]


@dataclass(frozen=True, eq=False)
class _Field:
    """A polynomial vector field modulo the prime, with its value and its Jacobian at one point."""

    entries: list[flint.nmod_mpoly]
    value: list[int]
    jacobian: list[list[int]]

    @classmethod
    def at(cls, entries: list[flint.nmod_mpoly], point: Sequence[int]) -> _Field:
        jacobian = []
        for entry in entries:
            row = [0] * len(point)
            for i, degree in enumerate(entry.degrees()):
                if degree:
                    row[i] = _value(entry.derivative(i), point)
            jacobian.append(row)
        return cls(entries, [_value(entry, point) for entry in entries], jacobian)


def lie_hull(maps: PatternMaps, rng: Random, *, at_most: int | None = None, meter: Meter | None = None) -> LieHull:
    """Return the dimensions of the Lie hull of the gradient fields.

    Args:
        at_most: stop when this dimension is reached: N minus a number of known independent laws.

    >>> from exactrelu.network.architecture import Architecture
    >>> lie_hull(PatternMaps(Architecture((1, 1, 1)), ((0,), (1,))), Random(0)).dimensions
    (3,)
    """
    meter = meter if meter is not None else Meter()
    count = maps.architecture.parameters
    ring = flint.nmod_mpoly_ctx.get(parameter_texts(maps.architecture), modulus=PRIME, ordering="degrevlex")
    top = count if at_most is None else at_most
    point = [rng.randrange(1, PRIME) for _ in range(count)]
    base = [_Field.at([ring.from_dict({e: int(c) % PRIME for e, c in entry.derivative(i).to_dict().items()}) for i in range(count)], point)
            for entry in maps.coefficients]
    chosen = independent_rows_modulo([field.value for field in base], PRIME)
    frontier = [base[k] for k in chosen]
    span = [field.value for field in frontier]
    dimensions = [len(span)]
    for _ in range(MAX_ROUNDS):
        if dimensions[-1] >= top:
            return LieHull(tuple(dimensions), True)
        fresh: list[_Field] = []
        for first in base:
            for second in frontier:
                meter.tick()
                value = _bracket_value(first, second)
                if any(value) and len(independent_rows_modulo([*span, value], PRIME)) > len(span):
                    span.append(value)
                    if len(span) >= top:
                        return LieHull((*dimensions, len(span)), True)
                    fresh.append(_Field.at(_bracket(first.entries, second.entries), point))
        if not fresh:
            return LieHull(tuple(dimensions), True)
        dimensions.append(len(span))
        frontier = fresh
    return LieHull(tuple(dimensions), False)


def _value(entry: flint.nmod_mpoly, point: Sequence[int]) -> int:
    return sum(map(int, entry.coeffs())) % PRIME if entry.is_constant() else int(entry(*point)) % PRIME


def _bracket_value(first: _Field, second: _Field) -> list[int]:
    """[first, second] at the point: the derivative of the second along the first, minus the other way round."""
    return [(sum(x * y for x, y in zip(row_b, first.value)) - sum(x * y for x, y in zip(row_a, second.value))) % PRIME
            for row_a, row_b in zip(first.jacobian, second.jacobian)]


def _bracket(first: list[flint.nmod_mpoly], second: list[flint.nmod_mpoly]) -> list[flint.nmod_mpoly]:
    out = []
    for a, b in zip(first, second):
        entry = a - a
        for k, degree in enumerate(b.degrees()):
            if degree:
                entry += first[k] * b.derivative(k)
        for k, degree in enumerate(a.degrees()):
            if degree:
                entry -= second[k] * a.derivative(k)
        out.append(entry)
    return out
