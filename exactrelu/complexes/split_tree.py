"""Split trees: an elementary proof that certain closed cells, on which networks are affine, cover the domain.

The neurons of one or several networks are treated in a fixed order.  On each part (a polyhedron) the next neuron has one
affine row: if it takes both signs there, the part is split; otherwise its sign is forced, because the row is a non-negative
combination of rows of the part.  The tree is written in preorder as one string of tokens: `s` split (first the part where
the row is <= 0), `+i,j,...` / `-i,j,...` forced sign with its supporting rows (domain rows first, then one a split),
and for a leaf the coordinates `t,x1,...,xd` of a point strictly inside.

A non-empty domain without interior points is treated in the same way from its `flat_part`: generators and rows stay in
R^d, a neuron is split iff it takes both signs on the part, and the supports of a forced sign exist by the same duality
theorem (rows with opposite signs included).  Such a leaf has no point strictly inside and is written `.`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from exactrelu.arithmetic.matrix import product
from exactrelu.arithmetic.rational import primitive_integer, rational_text
from exactrelu.errors import DomainError
from exactrelu.limits import Limits, Meter
from exactrelu.network.integral_form import IntegralForm, integral_form
from exactrelu.network.network import Network
from exactrelu.polyhedra.affine_hull import affine_hull
from exactrelu.polyhedra.cddlib import generators
from exactrelu.polyhedra.domain import Domain
from exactrelu.polyhedra.double_description import Part, Row, dot


@dataclass(frozen=True)
class Leaf:
    """A closed cell of the tree: a point (t, x) of its relative interior, the cell, and the output rows of every network on it."""

    point: Row
    part: Part
    outputs: tuple[tuple[Row, ...], ...]

    @property
    def rows(self) -> tuple[Row, ...]:
        """The inequality rows of the cell."""
        return self.part.rows


@dataclass(frozen=True)
class SplitTree:
    """The tokens of a finished tree and its number of leaves."""

    text: str
    leaves: int


class _Place(NamedTuple):
    """A neuron in the order of treatment: which network, which neuron of the layer, and whether it ends the layer."""

    network: int
    index: int  # type: ignore[assignment]  # the neuron's index; tuple.index is not needed here
    last: bool


class _Forms:
    """Rows of all layers of one network, by the activity of the layers before."""

    def __init__(self, form: IntegralForm, inputs: int) -> None:
        self.form, self.inputs = form, inputs
        self.rows = tuple(form.rows[0])
        self.children: dict[tuple[bool, ...], _Forms] = {}
        self.level = 0

    def child(self, active: tuple[bool, ...]) -> _Forms:
        """Rows of the next layer when exactly these neurons of this layer are active."""
        found = self.children.get(active)
        if found is None:
            found = object.__new__(_Forms)
            found.form, found.inputs, found.level, found.children = self.form, self.inputs, self.level + 1, {}
            source = [row if on else [0] * (self.inputs + 1) for row, on in zip(self.rows, active)]
            layer = self.form.rows[found.level]
            rows = product([row[1:] for row in layer], source, len(source), self.inputs + 1)
            for row, new in zip(layer, rows):
                new[0] += row[0]
            found.rows = tuple(tuple(row) for row in rows)
            self.children[active] = found
        return found


def domain_part(domain: Domain) -> Part:
    """Return the domain as a part.  Raises DomainError if it is empty or not full-dimensional."""
    part = Part.space(domain.dimension)
    for row in domain.integer_rows:
        values = part.values(row)
        if part.free_line(row) is None and not any(v > 0 for v in values):
            raise DomainError("a split tree needs a domain with interior points")
        if part.free_line(row) is None and not any(v < 0 for v in values):
            bit = 1 << len(part.rows) + 1
            marked = tuple((g, m | bit if v == 0 else m) for (g, m), v in zip(part.generators, values))
            part = Part((*part.rows, row), marked, part.lines)
        else:
            (part,) = part.cut(row, values, (1,))
    if not any(g[0] for g, _ in part.generators):
        raise DomainError("a split tree needs a domain with interior points")
    return part


def flat_part(domain: Domain) -> Part:
    """Return any non-empty domain as a part of R^d, flat or not: converted in coordinates of its affine hull, then embedded.

    The masks speak of all rows of the domain; the two-generator test of `Part.cut` holds for every polyhedron, and the
    rows that vanish everywhere count for the codimension of the hull.
    Raises:
        DomainError: the domain is empty.

    >>> flat_part(Domain(2, ((0, 1, -1), (0, -1, 1), (0, 1, 0)))).generators
    (((0, 1, 1), 7), ((1, 0, 0), 14))
    """
    rows = domain.integer_rows
    hull = affine_hull(rows, domain.dimension)
    found = generators(hull.rows, (), hull.dimension)
    outside = [list(column) for column in zip(*hull.embedding)]

    def embedded(vectors: Sequence[Row]) -> list[Row]:
        return [primitive_integer(v) for v in product(vectors, outside, hull.dimension + 1, domain.dimension + 1)]

    marked = []
    for g in embedded(found.points):
        mask = int(g[0] == 0)
        for i, row in enumerate(rows, 1):
            mask |= (dot(row, g) == 0) << i
        marked.append((g, mask))
    return Part(rows, tuple(sorted(marked)), tuple(embedded(found.lines)))


def split_tree(networks: Sequence[Network], domain: Domain, limits: Limits | None = None,
               visit: Callable[[Leaf], None] | None = None, *, flat: bool = False) -> SplitTree:
    """Return a split tree of the networks on the domain.

    Args:
        visit: called with every leaf; it may raise to stop the walk.
        flat: start from `flat_part`, which allows a domain without interior points.
    Raises:
        DomainError: the domain is empty, or has no interior points (unless `flat`).  BudgetExceeded: a limit was reached.
    Exactness: integers throughout.    Cost: O(leaves x neurons) evaluations at the generators of a part.

    >>> split_tree([Network([[[1]], [[1]]], [[0], [0]])], Domain.box(1, [(-1, 1)])).text
    's 2,-1 2,1'
    """
    meter = Meter(limits)
    for network in networks:
        meter.bits(integral_form(network).max_bits, "the integral form of a network")
    inputs = domain.dimension
    roots = [_Forms(integral_form(network), inputs) for network in networks]
    plan = [(k, len(rows)) for k, network in enumerate(networks) for rows in network.weights[:-1]]
    order = [_Place(k, j, j + 1 == width) for k, width in plan for j in range(width)]
    tokens: list[str] = []
    leaves, end = 0, len(order)
    whole = flat_part(domain) if flat else domain_part(domain)
    stack: list[tuple[int, tuple[_Forms, ...], tuple[bool, ...], Part]] = [(0, tuple(roots), (), whole)]
    while stack:
        number, forms, active, part = stack.pop()
        row: Row = ()
        values: list[int] = []
        while number < end:                                   # forced signs need no stack: the part stays the same
            here = order[number]
            row = forms[here.network].rows[here.index]
            values = part.values(row)
            least = min(values)
            if least < 0 < max(values) or part.free_line(row) is not None:
                break
            if least >= 0:
                tokens.append("+" + ",".join(map(str, part.support(row, values))))
            else:
                tokens.append("-" + ",".join(map(str, part.support([-x for x in row], [-v for v in values]))))
            forms, active = _after(forms, active, here, least >= 0)
            number += 1
        if number == end:
            leaves += 1
            meter.done = {"leaves": leaves}
            meter.cells(leaves)
            meter.tick()
            point = part.interior_point()
            inside = not flat or all(dot(row, point) > 0 for row in part.rows)
            tokens.append(",".join(map(rational_text, point)) if inside else ".")
            if visit is not None:
                visit(Leaf(point, part, tuple(f.rows for f in forms)))
            continue
        positive, negative = part.cut(row, values)
        tokens.append("s")
        stack.append((number + 1, *_after(forms, active, here, True), positive))
        stack.append((number + 1, *_after(forms, active, here, False), negative))
    return SplitTree(" ".join(tokens), leaves)


def _after(forms: tuple[_Forms, ...], active: tuple[bool, ...], here: _Place, on: bool) -> tuple[tuple[_Forms, ...], tuple[bool, ...]]:
    """Rows and activity of the current layer after the neuron was found active or not."""
    if not here.last:
        return forms, (*active, on)
    k = here.network
    return (*forms[:k], forms[k].child((*active, on)), *forms[k + 1:]), ()
