"""The affine maps of f as polynomials in the parameters, one for every activity pattern.

A pattern says for each hidden layer which neurons are active (bit i of the mask: neuron i).  Under a fixed pattern f is
A_s x + a_s, whose entries are polynomials in theta, of degree at most 1 in the parameters of each layer.
Parameters are numbered layer by layer, neuron by neuron, the weights of a neuron before its bias.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import lcm, prod

import flint
import numpy as np

from exactrelu.complexes.canonical_complex import CanonicalComplex
from exactrelu.errors import BudgetExceeded
from exactrelu.identifiability.jacobian import strict_cells
from exactrelu.network.architecture import Architecture
from exactrelu.network.network import Network

Pattern = tuple[int, ...]
"""One mask a hidden layer."""
MAX_PARAMETERS = 200
MAX_PATHS = 250_000
"""Largest sum over the patterns of the number of paths through active neurons."""


def parameter_texts(architecture: Architecture) -> list[str]:
    """Return the names of all parameters in their order, layers and places counted from 1.

    >>> parameter_texts(Architecture((1, 2, 1)))
    ['W1_1_1', 'b1_1', 'W1_2_1', 'b1_2', 'W2_1_1', 'W2_1_2', 'b2_1']
    """
    out = []
    for layer, (before, width) in enumerate(zip(architecture.widths, architecture.widths[1:]), 1):
        for i in range(1, width + 1):
            out += [f"W{layer}_{i}_{j}" for j in range(1, before + 1)]
            out.append(f"b{layer}_{i}")
    return out


def parameter_values(network: Network) -> list[Fraction]:
    """Return all parameters in their order."""
    return [x for rows, biases in zip(network.weights, network.biases) for row, b in zip(rows, biases) for x in (*row, b)]


def strict_patterns(complex_: CanonicalComplex) -> tuple[Pattern, ...]:
    """Return the different activity patterns of the full cells on which no neuron vanishes, sorted."""
    words = np.unique(complex_.activity_words[strict_cells(complex_)], axis=0)
    offsets = complex_.network.architecture.offsets
    found = []
    for row in words.tolist():
        bits = sum(word << 32 * k for k, word in enumerate(row))
        found.append(tuple(bits >> a & (1 << b - a) - 1 for a, b in zip(offsets, offsets[1:])))
    return tuple(sorted(found))


@dataclass(frozen=True, eq=False)
class PatternMaps:
    """Coefficients of f on some activity patterns.

    Attributes:
        architecture: of the parameters.
        patterns: sorted, distinct.
    """

    architecture: Architecture
    patterns: tuple[Pattern, ...]

    def __post_init__(self) -> None:
        """Refuse what would not fit into memory."""
        architecture = self.architecture
        if architecture.parameters > MAX_PARAMETERS:
            raise BudgetExceeded(f"{architecture} has {architecture.parameters} parameters, more than {MAX_PARAMETERS}")
        paths = sum(prod(mask.bit_count() for mask in pattern) for pattern in self.patterns)
        paths *= (architecture.inputs + architecture.hidden_layers) * architecture.outputs
        if paths > MAX_PATHS:
            raise BudgetExceeded(f"the activity patterns have {paths} paths, more than {MAX_PATHS}")

    @cached_property
    def ring(self) -> flint.fmpz_mpoly_ctx:
        """The polynomials with integer coefficients in the parameters."""
        return flint.fmpz_mpoly_ctx.get(parameter_texts(self.architecture), "degrevlex")

    def maps(self, pattern: Pattern) -> list[list[flint.fmpz_mpoly]]:
        """Return the rows (a, A_1, ..., A_d) of f under a pattern, one an output."""
        generators, zero, one = self.ring.gens(), self.ring.constant(0), self.ring.constant(1)
        d = self.architecture.inputs
        values = [[one if k == j + 1 else zero for k in range(d + 1)] for j in range(d)]
        at = 0
        masks = [*pattern, (1 << self.architecture.outputs) - 1]
        for before, width, mask in zip(self.architecture.widths, self.architecture.widths[1:], masks):
            following = []
            for i in range(width):
                if mask >> i & 1:
                    row = [sum((generators[at + j] * value[k] for j, value in enumerate(values) if not value[k].is_zero()), zero)
                           for k in range(d + 1)]
                    row[0] += generators[at + before]
                    following.append(row)
                else:
                    following.append([zero] * (d + 1))
                at += before + 1
            values = following
        return values

    @cached_property
    def coefficients(self) -> tuple[flint.fmpz_mpoly, ...]:
        """The different non-constant entries of all maps."""
        found: dict[str, flint.fmpz_mpoly] = {}
        for pattern in self.patterns:
            for row in self.maps(pattern):
                for entry in row:
                    if not entry.is_constant():
                        found.setdefault(str(entry), entry)
        return tuple(found.values())

    def values(self, theta: Sequence[Fraction]) -> list[Fraction]:
        """Return the coefficients at a parameter."""
        scale = lcm(*(x.denominator for x in theta))
        rational = flint.fmpq_mpoly_ctx.get(parameter_texts(self.architecture), "degrevlex")
        point = [flint.fmpq(int(x * scale), scale) for x in theta]
        out = []
        for entry in self.coefficients:
            value = rational.from_dict({e: flint.fmpq(c) for e, c in entry.to_dict().items()})(*point)
            out.append(Fraction(int(value.p), int(value.q)))
        return out
