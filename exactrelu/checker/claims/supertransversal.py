"""Uniqueness among the supertransversal parameters of the architecture, by an exhaustive search.

Let eta be a supertransversal parameter of the architecture with f_eta = f on the domain.  The
classes of `function_geometry` lie in zero sets of neurons of eta: class p in that of u(p), with
lo(p) <= layer u(p) <= hi(p).  A point of the closed domain whose code is below the code of a
facet of p lies in the closure of p, where z_{u(p)}(eta) = 0 too.  The search finds the rows of
eta layer by layer, up to permutation and positive scaling.  *Branch*: rows for the layers <= l,
oriented; eta *follows* it if they are the rows of eta, up to positive factors, in some order.

**Theorem (search).**  If the search ends without a refusal, eta follows one of the branches that
reach the end, and there all of eta is known.

*Proof.*  Let eta follow a branch for the layers < l (nothing to follow for l = 1).
*Layers raised.*  If no neuron of these layers vanishes at all points of class p, then u(p) is
not among them: layer u(p) >= l.  The bounds lo are raised, carried along the arcs, and the
branch ends if lo(p) > hi(p) for some p.  (So it ends also if a class of a finished layer was
given no row.)
*Rows.*  Let p have lo(p) = hi(p) = l, and K_p = {(b, w) : b + w a(x) = 0 at all points of p} with a
the activations before layer l.  Then 0 != row of u(p) in K_p, as a row 0 would make u(p) vanish
everywhere, against supertransversality.  So K_p = 0 ends the branch, and if dim K_p = 1 the row
of u(p) is known up to a factor.  Rows of two neurons are no multiples of each other: their zero
sets would coincide along a class.  So the rows known belong to different neurons; more than n_l
end the branch.  A class with a larger K_p belongs to a neuron of a known row, which then lies
in K_p, or to one of the others; classes of one neuron have its row in common.  All distributions
to at most n_l neurons are tried, those end in which a row would be 0 or a multiple of another;
a distribution that leaves a neuron without a row known up to a factor refuses the document.
*Orientations.*  Each row may have either sign.  Which classes come next depends on zero sets
only.  With r_i the rows of layer l, let K_p be the kernel of the matrix of columns 1, max(r_i, 0),
max(-r_i, 0) over the points of p.  For one choice of signs the space of the next rows consists
of the vectors of K_p with entry 0 in the n_l columns not chosen.  It is cut out neuron by neuron,
and once it is 0 for one class, it is 0 for all signs of the neurons that follow.
*Outputs.*  In the same way with one more column for output k: a branch ends if no vector has an
entry != 0 there; if for some output more than one vector is left, the document is refused;
otherwise all of eta is known.  QED

Every branch that reaches the end is required to be equivalent to the network of the claim.  The
points are arbitrary: fewer points make the spaces larger, fewer gluings and arcs make less
determined, and neither makes the search wrong.  The network itself may violate
supertransversality elsewhere; eta may not.  It satisfies all conditions at the points all the
same (its neurons in classes have rows that are not 0 and no multiples of each other, for else
more neurons vanished there), so one branch reaches the end unless the document is refused.
"""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from math import gcd, lcm

from exactrelu.checker.claims.function_geometry import Classes, germs
from exactrelu.checker.claims.geometry import scene
from exactrelu.checker.claims.kernels import cut, in_span, kernel, meet, primitive
from exactrelu.checker.document import (
    Json,
    Point,
    Row,
    Rule,
    points,
    require,
    spend,
)
from exactrelu.checker.linear import dot, size
from exactrelu.checker.network import Network

Space = list[Row]  # a basis


def orientations(
    n: int, spaces: list[Space], outputs: bool
) -> Iterator[tuple[tuple[int, ...], list[Space]]]:
    """All choices of n columns, one of k + 1 and n + k + 1 for each k < n, for which each space
    has a vector != 0 (with `outputs`: with last entry != 0) and entry 0 in the columns not
    chosen; with the spaces of these vectors."""

    def dead(space: Space) -> bool:
        return not any(vector[-1] for vector in space) if outputs else not space

    if any(map(dead, spaces)):
        return
    stack: list[tuple[tuple[int, ...], list[Space]]] = [((), spaces)]
    while stack:
        chosen, current = stack.pop()
        spend(200 + 50 * len(spaces))
        k = len(chosen)
        if k == n:
            yield chosen, current
            continue
        for column, other in ((k + 1, n + k + 1), (n + k + 1, k + 1)):
            smaller: list[Space] = []
            for space in current:
                smaller.append(cut(space, other))
                if dead(smaller[-1]):
                    break
            else:
                stack.append(((*chosen, column), smaller))


class Search:
    """The search for all supertransversal parameters with the function of a network."""

    def __init__(self, network: Network, walls: Sequence[Row], listed: list[Point]) -> None:
        inside = all(dot(wall, x) >= 0 for x in listed for wall in walls)
        require(inside, "a point lies outside the domain")
        self.network, self.points, self.candidates = network, listed, 0
        self.classes = Classes(network, *germs(network, walls, listed))
        self.hi = [network.depth + 1 - down for down in self.classes.down]
        here = [network.locate(x) for x in listed]
        count = sum(map(len, self.classes.facets))
        spend(len(listed) * count, 2 * network.hidden)
        self.on = [
            [n for n, x in enumerate(here) if any(x.code & c == x.code for c in facets)]
            for facets in self.classes.facets
        ]
        self.values = [
            [dot(row, x) for row in place.node.rows] for place, x in zip(here, listed, strict=True)
        ]

    def run(self) -> None:
        """Refuse unless every branch that reaches the end is equivalent to the network."""
        network = self.network
        n = network.inputs
        if network.depth:
            spaces = self._next_spaces(1, self.classes.lo, [list(x) for x in self.points], n + 1)
            unknown = [False] * len(self.on)
            for rows in self._rows(1, spaces) if all(spaces) else ():
                self._branch([], rows, self.points, self.classes.lo, unknown)
        else:
            for _, left in orientations(0, self._output_spaces(self.points, n + 1), True):
                self._finish([], left, list(range(n + 1)))
        assert self.candidates, "the network follows a branch that reaches the end"  # see module

    def _next_spaces(
        self, layer: int, lo: Sequence[int], columns: Sequence[Row], width: int
    ) -> list[Space]:
        """The spaces of rows of the classes that certainly belong to this layer."""
        bounds = zip(self.on, lo, self.hi, strict=True)
        return [
            kernel([columns[m] for m in on], width)
            for on, low, high in bounds
            if low == high == layer
        ]

    def _output_spaces(self, columns: Sequence[Sequence[int]], width: int) -> list[Space]:
        """The relations between the columns and each output."""
        rows = [
            [[*row, values[k]] for row, values in zip(columns, self.values, strict=True)]
            for k in range(self.network.outputs)
        ]
        return [kernel(matrix, width + 1) for matrix in rows]

    def _rows(self, layer: int, spaces: list[Space]) -> Iterator[list[Row]]:
        """All possible lists of the rows of a layer, up to sign (*Rows* above)."""
        width = self.network.widths[layer]
        rows = sorted({primitive(space[0]) for space in spaces if len(space) == 1})
        large = sorted((space for space in spaces if len(space) > 1), key=len)
        stack: list[tuple[int, list[Space]]] = [(0, [])] if len(rows) <= width else []
        while stack:
            k, groups = stack.pop()
            spend(200 + 50 * (len(rows) + len(groups)))
            if k < len(large):
                space = large[k]
                if any(in_span(list(row), space) for row in rows):
                    stack.append((k + 1, groups))
                for g, group in enumerate(groups):
                    if common := meet(group, space):
                        stack.append((k + 1, [*groups[:g], common, *groups[g + 1 :]]))
                if len(rows) + len(groups) < width:
                    stack.append((k + 1, [*groups, space]))
                continue
            single = [primitive(group[0]) for group in groups if len(group) == 1]
            if len({*rows, *single}) < len(rows) + len(single):
                continue
            shown = len(rows) + len(single)
            few = f"{shown} of {width} rows of hidden layer {layer} are determined"
            require(shown == width, few)
            yield [list(row) for row in sorted([*rows, *single])]

    def _branch(
        self,
        before: list[list[Row]],
        rows: list[Row],
        a: Sequence[Sequence[int]],
        lo: Sequence[int],
        vanishing: Sequence[bool],
    ) -> None:
        """Continue with these rows, in both orientations, after the layers `before`.

        `a` holds, for each point, the activations before the layer of the rows, times the
        homogeneous coordinate, which comes first; `vanishing` says of each class whether a
        neuron of the layers before vanishes at all its points.
        """
        network, layer, n = self.network, len(before) + 1, len(rows)
        spend(len(a) * n * len(rows[0]), size(rows) + size(a))
        z = [[dot(row, x) for row in rows] for x in a]
        vanishing = [
            known or any(all(not z[m][j] for m in on) for j in range(n))
            for known, on in zip(vanishing, self.on, strict=True)
        ]
        here = zip(lo, vanishing, strict=True)
        lo = self.classes.raised([low if known else max(low, layer + 1) for low, known in here])
        if any(low > high for low, high in zip(lo, self.hi, strict=True)):
            return
        columns = [
            [x[0], *(max(v, 0) for v in values), *(max(-v, 0) for v in values)]
            for x, values in zip(a, z, strict=True)
        ]
        last = layer == network.depth
        if last:
            spaces = self._output_spaces(columns, 2 * n + 1)
        else:
            spaces = self._next_spaces(layer + 1, lo, columns, 2 * n + 1)
        for chosen, left in orientations(n, spaces, last):
            kept = [0, *chosen]
            signed = [
                row if c <= n else [-x for x in row] for row, c in zip(rows, chosen, strict=True)
            ]
            layers = [*before, signed]
            if last:
                self._finish(layers, left, kept)
                continue
            small = [[[vector[c] for c in kept] for vector in space] for space in left]
            after = [[row[c] for c in kept] for row in columns]
            for following in self._rows(layer + 1, small):
                self._branch(layers, following, after, lo, vanishing)

    def _finish(self, layers: list[list[Row]], spaces: list[Space], kept: list[int]) -> None:
        """All of a candidate is known: it is the network."""
        require(all(len(space) == 1 for space in spaces), "the output layer is not determined")
        output = [[Fraction(-v[c], v[-1]) for c in kept] for (v,) in spaces]
        require(equivalent_to(self.network, layers, output), "a second candidate survives")
        self.candidates += 1


def equivalent_to(network: Network, layers: list[list[Row]], output: list[list[Fraction]]) -> bool:
    """Permutation and positive scaling turn the (integral) network into these rows [b, w].

    The rows of a hidden layer are primitive and different from each other.
    """
    spend(4 * network.parameters, network.bits)
    places = [(j, Fraction(1)) for j in range(network.inputs)]  # neuron, and its scale
    for k in range(network.depth + 1):
        moved = [
            [Fraction(b), *(row[j] * scale for j, scale in places)]
            for row, b in zip(network.W[k], network.B[k], strict=True)
        ]
        if k == network.depth:
            return moved == output
        known: dict[tuple[int, ...], tuple[int, Fraction]] = {}
        for i, row in enumerate(moved):
            denominator = lcm(*(x.denominator for x in row))
            whole = [int(x * denominator) for x in row]
            if divisor := gcd(*whole):
                known[tuple(x // divisor for x in whole)] = (i, Fraction(divisor, denominator))
        wanted = [known.get(tuple(row)) for row in layers[k]]
        places = [place for place in wanted if place is not None]
        if len(places) < len(moved):
            return False
    return False


def check_unique(network: Network, walls: Sequence[Row], listed: list[Point]) -> None:
    """Refuse unless all supertransversal parameters with this function are equivalent."""
    Search(network, walls, listed).run()


def identifiable_among_supertransversal(claim: Json, evidence: Json) -> None:
    """Every supertransversal parameter of the architecture with the same values on the domain is
    equivalent to the network (permutation and positive scaling)."""
    network, walls = scene(claim)
    check_unique(network, walls, points(evidence["points"], network.inputs))


KINDS = {
    "identifiable-among-supertransversal": Rule(
        identifiable_among_supertransversal,
        "network domain",
        "points",
        ("face order", "local normal form", "geometry of f", "search"),
    )
}
