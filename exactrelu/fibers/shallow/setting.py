"""A shallow function on a domain, with the biases that a network may use: the data of every question about its fiber.

The condition that the affine parts agree is a matrix equation, sum of (column) (x) (vector) = target, where the *lifted vector* of
a row (b, a) is a if there is an output bias (the constant is free) or no bias at all, and (b, a) if there is no output bias.
An active neuron has its vector in the cone C dual to the rays of D (with an output bias: its bias can be large) or to all
generators (without); C spans the space V_0 of vectors that vanish on the lines of D.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from fractions import Fraction
from functools import cached_property
from typing import TypeVar

from exactrelu.arithmetic.matrix import kernel, rank
from exactrelu.arithmetic.rational import common_denominator
from exactrelu.errors import InputError
from exactrelu.fibers.shallow.ground import Ground, Row
from exactrelu.fibers.shallow.shallow_form import ShallowForm, shallow_form
from exactrelu.network.network import Network
from exactrelu.polyhedra import cddlib

Matrix = tuple[Row, ...]
Entry = TypeVar("Entry")


class Biases(Enum):
    """Which biases a network may have."""

    ALL = "all"
    HIDDEN = "hidden"
    NONE = "none"


@dataclass(frozen=True)
class Setting:
    """A form on a domain.

    Raises:
        InputError: the form is not that of a network with these biases.
    """

    form: ShallowForm
    ground: Ground
    biases: Biases = Biases.ALL

    def __post_init__(self) -> None:
        if self.biases is Biases.NONE and (any(self.form.constant) or any(h[0] for h, _ in self.form.pieces)):
            raise InputError("the function is not that of a network without biases")

    @classmethod
    def of(cls, network: Network, ground: Ground, biases: Biases = Biases.ALL) -> Setting:
        """Return the setting of a network's function; InputError if it has a bias that is not allowed."""
        if biases is not Biases.ALL and any(network.biases[1]):
            raise InputError("the network has an output bias")
        if biases is Biases.NONE and any(network.biases[0]):
            raise InputError("the network has a hidden bias")
        return cls(shallow_form(network, ground), ground, biases)

    @property
    def outputs(self) -> int:
        """m."""
        return self.form.outputs

    @property
    def size(self) -> int:
        """Length of lifted vectors."""
        return self.form.inputs + (self.biases is Biases.HIDDEN)

    def lifted(self, row: Sequence[Entry]) -> tuple[Entry, ...]:
        """Return the lifted vector of a row (b, a)."""
        return tuple(row) if self.biases is Biases.HIDDEN else tuple(row[1:])

    @cached_property
    def vectors(self) -> Matrix:
        """Lifted vectors of the visible hyperplanes."""
        return tuple(self.lifted(h) for h, _ in self.form.pieces)

    @cached_property
    def scale(self) -> int:
        """A common denominator of the form."""
        entries = [x for _, gamma in self.form.pieces for x in gamma] + [x for row in self.form.linear for x in row]
        return common_denominator([*entries, *self.form.constant])

    @cached_property
    def target(self) -> Matrix:
        """scale times the affine part, lifted, one row an output."""
        rows = (self.lifted((c, *row)) for c, row in zip(self.form.constant, self.form.linear))
        return tuple(tuple(int(x * self.scale) for x in row) for row in rows)

    @cached_property
    def jumps(self) -> tuple[Matrix, ...]:
        """scale times gamma_k (x) (lifted vector), one matrix a visible hyperplane."""
        out = []
        for (_, gamma), vector in zip(self.form.pieces, self.vectors):
            whole = [int(g * self.scale) for g in gamma]
            out.append(tuple(tuple(g * x for x in vector) for g in whole))
        return tuple(out)

    def residual(self, reversed_: Sequence[int]) -> list[list[int]]:
        """Return scale times R = (affine part) + sum of gamma_k (x) (vector) over the reversed hyperplanes."""
        total = [list(row) for row in self.target]
        for k in reversed_:
            total = [[a + b for a, b in zip(r, s)] for r, s in zip(total, self.jumps[k])]
        return total

    def rank_beyond(self, rows: Sequence[Sequence[int]], vectors: Sequence[Sequence[int]]) -> int:
        """Return the rank of rows modulo the span of vectors."""
        return rank([*rows, *vectors], self.size) - rank(list(vectors), self.size)

    @cached_property
    def cone_normals(self) -> Matrix:
        """Vectors n with n.x >= 0 for the lifted vectors x of active neurons."""
        return self._conditions(self.ground.generators)

    @cached_property
    def line_normals(self) -> Matrix:
        """Vectors n that span the equations n.x = 0 of C: the lifted vectors x of active and dead neurons satisfy them."""
        if self.biases is not Biases.NONE or not self.cone_normals:
            return self._conditions(self.ground.lines)
        # without biases C is cut out by the points of D as well, and can be flat even if D has no lines
        found = cddlib.generators([(0, *n) for n in self.cone_normals], [(0, *n) for n in self._conditions(self.ground.lines)], self.size)
        return tuple(kernel([g[1:] for g in (*found.points, *found.lines) if any(g[1:])], self.size))

    def _conditions(self, generators: Sequence[Row]) -> Matrix:
        if self.biases is Biases.HIDDEN:
            return tuple(generators)
        chosen = [g for g in generators if self.biases is Biases.NONE or not g[0]]
        return tuple(dict.fromkeys(g[1:] for g in chosen if any(g[1:])))

    @cached_property
    def active_space(self) -> int:
        """dim V_0."""
        return self.size - rank(list(self.line_normals), self.size)

    @cached_property
    def fixed_active(self) -> Row | None:
        """The vector (1, 0, ..., 0) of a constant neuron, when active neurons have no other (R^d without output bias)."""
        if self.active_space != 1 or self.biases is not Biases.HIDDEN:
            return None
        return (1, *[0] * (self.size - 1))

    @property
    def one_signed_dimension(self) -> int:
        """Dimension of the rows (b, w) of active neurons; the same for dead ones."""
        return self.active_space + (self.biases is Biases.ALL)

    @property
    def free_active(self) -> bool:
        """Whether the vector of an active neuron is arbitrary (bounded domain, output bias)."""
        return not self.line_normals and not self.cone_normals


def fraction_rows(rows: Sequence[Sequence[int]], scale: int) -> list[list[Fraction]]:
    """Return integer rows divided by a scale."""
    return [[Fraction(x, scale) for x in row] for row in rows]
