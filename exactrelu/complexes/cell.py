"""One cell: its signs and its minimal H- and V-representation, exact.

V: the generators reached through the face lists (vertices x/t, recession directions) and the lineality space.
H: one primitive inequality row a facet (the row of any neuron that vanishes on the facet but not on the cell, or the
wall of the domain), and the equations of the affine hull.  Facets at infinity give no row.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING

from exactrelu.arithmetic.matrix import echelon, product
from exactrelu.arithmetic.rational import affine_point, primitive_integer
from exactrelu.complexes.subdivision.fan import AT_INFINITY, INTERIOR, Fan
from exactrelu.errors import InvariantError
from exactrelu.network.integral_form import integral_form
from exactrelu.network.network import Network

if TYPE_CHECKING:
    from exactrelu.polyhedra.polyhedron import Polyhedron

Row = tuple[int, ...]


@dataclass(frozen=True, eq=False)
class Cell:
    """A cell of a canonical complex.

    Attributes:
        level, number: which cone of the fan it is.
    """

    network: Network
    fan: Fan
    level: int
    number: int

    @property
    def dimension(self) -> int:
        """Dimension of the cell."""
        return self.level - 1 + len(self.fan.start.lineality)

    @property
    def is_interior(self) -> bool:
        """Whether the open cell lies in the interior of the domain."""
        return bool(self.fan.labels[self.level][self.number] == INTERIOR)

    @cached_property
    def signs(self) -> tuple[int, ...]:
        """Signs of all hidden neurons on the open cell, shape (H,)."""
        words = self.fan.words[self.level][self.number].tolist()
        return tuple((words[j >> 5] >> (j & 31) & 1) - (words[j >> 5] >> (32 + (j & 31)) & 1) for j in range(self.fan.neurons))

    @cached_property
    def generators(self) -> tuple[Row, ...]:
        """Primitive rows (t, x) of vertices (t > 0) and recession directions (t = 0), sorted."""
        embedding = self.fan.start.embedding
        rays = [self.fan.ray(int(r)) for r in self.fan.generators(self.level, self.number)]
        return tuple(sorted(primitive_integer([sum(a * y for a, y in zip(row, ray)) for row in embedding]) for ray in rays))

    @property
    def vertices(self) -> tuple[tuple[Fraction, ...], ...]:
        """The vertices (a point of each minimal face, if there is lineality)."""
        return tuple(affine_point(g) for g in self.generators if g[0])

    @property
    def rays(self) -> tuple[Row, ...]:
        """Primitive extreme recession directions."""
        return tuple(g[1:] for g in self.generators if not g[0])

    @property
    def lineality(self) -> tuple[Row, ...]:
        """Basis of the directions along which the cell is invariant."""
        return self.fan.start.lineality

    @cached_property
    def point(self) -> tuple[Fraction, ...]:
        """A rational point of the relative interior: the sum of all generators, dehomogenized."""
        total = [sum(column) for column in zip(*self.generators)]
        return affine_point(total)

    @cached_property
    def affine_rows(self) -> tuple[Row, ...]:
        """Integer rows (b, a) of all hidden neurons on this cell (positive multiples of the pre-activations), shape (H, d+1)."""
        form, inputs = integral_form(self.network), self.network.architecture.inputs
        out: list[Row] = []
        z = [list(row) for row in form.rows[0]] if form.hidden else []
        for level in range(len(form.hidden)):
            if level:
                signs = self.signs[len(out) - len(z):]
                active = [row if s > 0 else [0] * (inputs + 1) for row, s in zip(z, signs)]
                rows = form.rows[level]
                z = product([row[1:] for row in rows], active, len(active), inputs + 1)
                for row, new in zip(rows, z):
                    new[0] += row[0]
            out += [tuple(row) for row in z]
        return tuple(out)

    @cached_property
    def equations(self) -> tuple[Row, ...]:
        """Equations of the affine hull in reduced echelon form, as primitive rows (b, a), sorted."""
        domain_rows = self._wall_rows()
        tight = [row for row, s in zip(self.affine_rows, self.signs) if not s] + list(self.fan.start.domain_equations)
        tight += [row for row in domain_rows if all(sum(a * x for a, x in zip(row, g)) == 0 for g in self.generators)
                  and all(sum(a * x for a, x in zip(row[1:], v)) == 0 for v in self.lineality)]
        table, _ = echelon([(*row[1:], row[0]) for row in tight], self.network.architecture.inputs + 1)
        return tuple(sorted(primitive_integer([row[-1], *row[:-1]]) for row in table))

    def _wall_rows(self) -> tuple[Row, ...]:
        return self.fan.start.domain_rows

    @cached_property
    def inequalities(self) -> tuple[Row, ...]:
        """Irredundant inequalities b + a.x >= 0, primitive, one a facet, sorted; unique for full-dimensional cells."""
        if self.level < 2:
            return ()
        starts, index = self.fan.facets(self.level)
        rows = set()
        for facet in index[starts[self.number]:starts[self.number + 1]].tolist():
            if self.fan.labels[self.level - 1][facet] == AT_INFINITY:
                continue
            rows.add(self.facet_row(facet))
        return tuple(sorted(rows))

    def facet_row(self, facet: int) -> Row:
        """Return the primitive row (b, a) that vanishes on a facet (number of its cone) and is positive on the cell."""
        words = self.fan.words[self.level - 1][facet].tolist()
        for j, sign in enumerate(self.signs):
            if sign and not words[j >> 5] >> (j & 31) & (1 << 32 | 1):
                return primitive_integer([sign * x for x in self.affine_rows[j]])
        small = Cell(self.network, self.fan, self.level - 1, facet).generators
        for row in self._wall_rows():
            values = [sum(a * x for a, x in zip(row, g)) for g in self.generators]
            if any(values) and not any(sum(a * x for a, x in zip(row, g)) for g in small):
                return primitive_integer(row)
        raise InvariantError("a facet lies on no hyperplane")

    @property
    def polyhedron(self) -> Polyhedron:
        """The closed cell as a polyhedron with both representations."""
        from exactrelu.polyhedra.polyhedron import Polyhedron

        return Polyhedron(self.network.architecture.inputs, self.inequalities, self.equations, self.generators, self.lineality)
