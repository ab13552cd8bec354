"""The affine map of f on the germ of a curve, and f near a facet point or across a line.

A *germ* (x; u_1, u_2, ..) is the curve p(e) = x + e u_1 + e^2 u_2 + .. for all small e > 0, where
x is a point at which all inequalities of the domain are strict.  Neurons are treated layer by
layer: a row valid for the activity of the layers before is on the curve the polynomial
row.x + e row'.u_1 + e^2 row'.u_2 + .. (row' is the linear part), so for small e its sign is that
of the first number that is not 0; if all are 0 the neuron vanishes all along the germ, and counts
as inactive.  By induction these are the signs along the germ, and the output rows give f there.
Nothing is asked of the parameter: rows may be zero, equal, or vanish on a whole side.

**Lemma (directional derivatives).**  Near x let f(x + v) = f(x) + phi(v); phi is positively
homogeneous.  If A is the affine map of f on the germ (x; u, n), with linear part A', then
A(x) = f(x), A' u = phi(u) and A' n = phi'(u; n), the derivative of phi at u in direction n.
*Proof.*  f(p(e)) = f(x) + e phi(u + e n) = f(x) + e phi(u) + e^2 phi'(u; n) for small e > 0, and
this is A(x) + e A' u + e^2 A' n.  QED

**Lemma (sides of a facet).**  Let the rows vanishing at x (as `locate` finds them) have linear
parts of rank 1, all multiples of h', and let h'.n > 0.  Then near x the function f is affine on
{h >= 0} and on {h <= 0}, h the row h' with h(x) = 0, and the two maps are those of the germs
(x; n) and (x; -n).  On {h = 0} near x lies the cell of x, and at all its points the two maps are
the same.
*Proof.*  Neurons not vanishing at x keep their signs.  For the others, by induction on the layers:
the row for the activity on the side {h > 0} is the row found at x plus multiples of rows of
neurons that vanish at x and are active on the side, so it is a multiple of h; its sign on all of
the side near x is that of the multiple, which is its sign along (x; n).  If the multiple is 0, or
negative, the neuron adds nothing on the side.  The cell of x is {h = 0} near x (see `Location`),
and the argument at x is the argument at each of its points.  QED
So one hyperplane may carry several neurons, some of them identically 0 on a side or on both.

For other germs the map is that of f on a full-dimensional set if all rows that vanish along the
germ are zero rows: then p(e) lies in a cell of codimension 0, the same one for all small e.
"""

from collections.abc import Sequence
from typing import NamedTuple

from exactrelu.checker.claims.kernels import primitive
from exactrelu.checker.document import Json, Malformed, Point, Row, point, spend
from exactrelu.checker.linear import dot, rank, size
from exactrelu.checker.network import Location, Network

Hyperplane = tuple[int, ...]  # primitive row [constant, x_1 .. x_d], see `primitive`


class Germ(NamedTuple):
    """Affine map of f on a germ (times the scale of the network), and the hidden rows, valid for
    the activity on the germ, that vanish at its point."""

    output: list[Row]
    vanishing: list[Row]


def germ(network: Network, x: Point, *directions: Sequence[int]) -> Germ:
    """Evaluate the network on the germ of x in these integer directions."""
    count = network.hidden * (network.dim + 1) * (1 + len(directions))
    spend(count, network.bits + size([x, *directions]))
    node = network.root
    vanishing: list[Row] = []
    while not node.output:
        mask = 0
        for j, row in enumerate(node.rows):
            sign = dot(row, x)
            if not sign:
                vanishing.append(row)
                sign = next((s for u in directions if (s := dot(row[1:], u))), 0)
            if sign > 0:
                mask |= 1 << j
        node = node.child(mask)
    return Germ(node.rows, vanishing)


def direction(value: Json, dimension: int) -> Point:
    """A direction of evidence: one string "u1 .. ud" of integers."""
    if type(value) is not str:
        raise Malformed("a direction is one string of integers")
    return point("1 " + value, dimension)[1:]


def negative(u: Sequence[int]) -> Point:
    """The opposite direction."""
    return tuple(-c for c in u)


def bend(network: Network, x: Point, u: Point, n: Point) -> Row:
    """phi'(u; n) + phi'(u; -n), one number an output (times the scale): how f bends across the
    direction u at x (see the first lemma)."""
    sides = [(germ(network, x, u, v).output, v) for v in (n, negative(n))]
    return [
        sum(dot(row[1:], v) for row, v in pair)
        for pair in zip(*([(row, v) for row in rows] for rows, v in sides), strict=True)
    ]


class Facet(NamedTuple):
    """A facet point: the hyperplane of its cell, and the rows of f on the two sides."""

    x: Point
    code: int
    hyperplane: Hyperplane
    below: list[Row]  # where hyperplane <= 0
    above: list[Row]

    @property
    def gradients(self) -> list[Row]:
        """Linear parts on both sides; they span all gradients of f near the point."""
        return [row[1:] for row in (*self.below, *self.above)]

    @property
    def breaks(self) -> bool:
        """f is not affine near the point."""
        return self.below != self.above


def facet(network: Network, x: Point, here: Location) -> Facet | None:
    """The facet of an interior point located at `here`; None if its codimension is not 1."""
    if here.codimension != 1:
        return None
    h = primitive(next(row for _, row in here.zeros if any(row[1:])))
    below, above = (germ(network, x, n).output for n in (negative(h[1:]), h[1:]))
    return Facet(x, here.code, h, below, above)


def normal_plane(here: Location) -> tuple[Row, Row]:
    """Two independent vanishing rows at a point of codimension 2: they span all others, and the
    affine hull of its cell is where they are 0."""
    rows = [row for _, row in here.zeros]
    first = next(row for row in rows if any(row[1:]))
    second = next(row for row in rows if rank([first[1:], row[1:]]) == 2)
    return first, second
