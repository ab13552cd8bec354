"""The network and the domain of a document, in integers.

*Integral form.*  With one positive integer S_l a layer (S_0 = 1), the weights of layer l
become S_l/S_{l-1} W and the biases S_l b, all integers.  This is a positive scaling of the
hidden neurons: signs and cells are those of the given network, and the outputs are
multiplied by S_{L+1} > 0.  Points are homogeneous: z(t, x) = W a + t b and
z(t, x) = t z(1, x/t), so the sign at x/t is computed from integers.

*Rows.*  For a choice of active neurons in the layers before, every neuron is one affine
row [constant, x_1, .., x_d].  Rows are kept in a tree keyed by the activity, layer by layer.

*Codes.*  A cell is named by the signs of all hidden neurons, two bits each: 1 for +, 2 for -,
0 for zero.  For a point x of the domain and a cell tau that meets {all inequalities strict},
x lies in the closure of tau if and only if code(x) & code(tau) == code(x).
"""

from collections.abc import Sequence
from fractions import Fraction
from functools import partial
from itertools import pairwise
from typing import Self

from exactrelu.checker.document import (
    LIMITS,
    Json,
    Malformed,
    Point,
    Row,
    common_denominator,
    field,
    homogeneous,
    index,
    rational,
    require,
    sequence,
    spend,
    stamped,
)
from exactrelu.checker.linear import dot, rank, size


class Node:
    """The affine rows of one layer for one choice of active neurons in the layers before."""

    __slots__ = ("children", "layer", "network", "output", "rows")

    def __init__(self, network: "Network", layer: int, rows: list[Row]) -> None:
        self.network, self.layer, self.rows = network, layer, rows
        self.output = layer == network.depth
        self.children: dict[int, Self] = {}

    def child(self, mask: int) -> Self:
        """The next layer, when exactly the neurons in the bit mask are active in this one."""
        found = self.children.get(mask)
        if found is None:
            active = [(j, row) for j, row in enumerate(self.rows) if mask >> j & 1]
            rows = self.network.compose(self.layer + 1, active)
            found = self.children[mask] = type(self)(self.network, self.layer + 1, rows)
        return found


class Network:
    """A network of a claim; layers count from 0 here, layer `depth` is the output."""

    def __init__(self, value: Json) -> None:
        stamped(value, "architecture biases weights", "network")
        widths = self.widths = sequence(field(value, "architecture", list), index)
        if len(widths) < 2 or min(widths) < 1 or max(widths[0], widths[-1]) > LIMITS["ends"]:
            raise Malformed("not an architecture, or too many inputs or outputs")
        if sum(widths[1:-1]) > LIMITS["neurons"]:
            raise Malformed("too many neurons")
        self.depth = len(widths) - 2
        weights = sequence(field(value, "weights", list), lambda w: w, self.depth + 1)
        biases = sequence(field(value, "biases", list), lambda b: b, self.depth + 1)
        self.weights: list[list[list[Fraction]]] = []
        self.biases: list[list[Fraction]] = []
        digits = 0
        for rows, constants, n, m in zip(weights, biases, widths, widths[1:], strict=False):
            self.weights.append(sequence(rows, partial(sequence, item=rational, length=n), m))
            self.biases.append(sequence(constants, rational, m))
            digits += max(len(x) for row in [*rows, constants] for x in row)
        if digits > LIMITS["network_digits"]:
            raise Malformed("numbers too long for this depth")
        self.inputs, self.outputs, self.hidden = widths[0], widths[-1], sum(widths[1:-1])
        self.parameters = sum(m * (n + 1) for n, m in pairwise(widths))
        self.offsets = [sum(widths[1 : k + 1]) for k in range(self.depth + 1)]
        self.layer_of = [k for k in range(self.depth) for _ in range(widths[k + 1])]
        self._integral()
        self.restrict(list(range(self.inputs)))

    def _integral(self) -> None:
        self.scales, self.bits, scale = [], 0, 1
        self.W: list[list[Row]] = []
        self.B: list[Row] = []
        for weights, biases in zip(self.weights, self.biases, strict=True):
            factor = common_denominator(x for row in weights for x in row)
            scale *= factor
            more = common_denominator(b * scale for b in biases)
            factor, scale = factor * more, scale * more
            self.scales.append(scale)
            spend(len(weights) * (len(weights[0]) + 1), factor.bit_length())
            self.W.append([[int(x * factor) for x in row] for row in weights])
            self.B.append([int(b * scale) for b in biases])
            grown = self.bits + size(self.W[-1]) + len(weights[0]).bit_length()
            self.bits = max(grown, size([self.B[-1]]))

    def restrict(self, coordinates: list[int]) -> None:
        """Set all other coordinates to 0; from now on points have only these."""
        self.dim = len(coordinates)
        first = zip(self.W[0], self.B[0], strict=True)
        self.root = Node(self, 0, [[b] + [row[c] for c in coordinates] for row, b in first])

    def compose(self, layer: int, active: list[tuple[int, Row]]) -> list[Row]:
        """Rows of a layer from the rows of the active neurons of the layer before."""
        spend(len(self.W[layer]) * (len(active) + 1) * (self.dim + 1), self.bits)
        rows = []
        for weights, bias in zip(self.W[layer], self.B[layer], strict=True):
            row = [bias] + [0] * self.dim
            for j, other in active:
                if q := weights[j]:
                    row = [x + q * y for x, y in zip(row, other, strict=True)]
            rows.append(row)
        return rows

    def locate(self, x: Point) -> "Location":
        """The cell of a point, with the rows of the neurons that vanish there."""
        spend(self.hidden * (self.dim + 1), self.bits + size([x]))
        node, code, shift = self.root, 0, 0
        zeros: list[tuple[int, Row]] = []
        while not node.output:
            mask = 0
            for j, row in enumerate(node.rows):
                z = dot(row, x)
                if z > 0:
                    mask |= 1 << j
                    code |= 1 << shift
                elif z < 0:
                    code |= 2 << shift
                else:
                    zeros.append((shift // 2, row))
                shift += 2
            node = node.child(mask)
        return Location(code, zeros, node)

    def nodes(self, code: int) -> list[Node]:
        """The rows of all layers, the output last, where the neurons + are active."""
        nodes = [self.root]
        for k in range(self.depth):
            nodes.append(nodes[-1].child(sum(1 << j for j in self.active(code, k))))
        return nodes

    def active(self, code: int, layer: int) -> list[int]:
        """Neurons of hidden layer k that are positive in the code."""
        code >>= 2 * self.offsets[layer]
        return [j for j in range(self.widths[layer + 1]) if code >> 2 * j & 3 == 1]


class Location:
    """Sign code of a point, vanishing neurons with their rows, output node."""

    def __init__(self, code: int, zeros: list[tuple[int, Row]], node: Node) -> None:
        self.code, self.zeros, self.node = code, zeros, node
        self.neurons = [j for j, _ in zeros]

    @property
    def codimension(self) -> int:
        """For x with all inequalities strict: d - dim of its cell, which near x is where the
        vanishing rows are 0 (on the cell these neurons are 0, so the rows are right there)."""
        return rank(row[1:] for _, row in self.zeros)

    def below(self, other: "Location") -> bool:
        """This point lies in the closure of the other cell (see *Codes*)."""
        return self.code & other.code == self.code


def read_domain(value: Json, dimension: int) -> list[Row]:
    """Integer rows [b, a_1 .. a_d] of {b + a . x >= 0}; null is the whole space."""
    if value is None:
        return []
    stamped(value, "inequalities", "domain")
    rows = sequence(field(value, "inequalities", list), lambda r: sequence(r, rational))
    if any(len(row) != dimension + 1 for row in rows):
        raise Malformed(f"an inequality on this domain has {dimension + 1} numbers")
    return [list(homogeneous(row)[1:]) for row in rows]


def scene(claim: Json) -> tuple[Network, list[Row]]:
    """The network and the walls of a claim {network, domain}."""
    network = Network(claim["network"])
    return network, read_domain(claim["domain"], network.inputs)


def inside(network: Network, walls: Sequence[Row], x: Point) -> Location:
    """The cell of a point at which all inequalities of the domain are strict."""
    require(all(dot(wall, x) > 0 for wall in walls), "a point is not in the interior")
    return network.locate(x)
