"""Functional dimension of large networks, from below, by facet pairs.

A *facet pair* of hidden neuron j (of layer l, layers counted from 1 here) is a pair u, v of
interior points without vanishing neurons, with equal signs except at j.  Let z_j be its affine
form and a^(l-1) the activations before it, both under the common activity of the layers < l,
and beta its outgoing path weights under the common activity of the layers > l.

**Theorem (facet pairs).**  For each neuron j let A_j have rows (a^(l-1)(x), 1) with z_j(x) = 0,
taken from facet pairs of j with beta != 0 (x need not lie in P).  Let A_out have rows
(a^(L)(x), 1) at points x of full cells without vanishing neurons.  Then the functional
dimension is at least sum_j rank A_j + n_{L+1} rank A_out.

*Proof.*  As polynomials in theta, the formulas of f on the two activities differ by
beta_k(theta) z_j(x; theta).  Differentiate and insert x with z_j(x) = 0: the rows of J at u and v
differ by beta_k grad z_j(x), so grad z_j(x) is in the row space of J.  It has the block
(a^(l-1)(x), 1) in the columns of neuron j and otherwise only entries in columns of layers < l;
grad f_k has the block (a^(L), 1) in the columns of output k.  Sorted by layers this is block
triangular, and its rank is at least the sum of the ranks of the diagonal blocks.  QED

*Rows of one pair.*  Let M be the matrix of (a^(l-1), 1) in the coordinates (1, x_1, .., x_d) and
h the row of z_j.  For h_k != 0 the vectors y = h_k e_m - h_m e_k satisfy h y = 0, and M y is t
times an admissible row if y has first entry t != 0, a difference of two otherwise.

*Modulo a prime.*  Points are located exactly, in integers.  Affine forms, path weights and
ranks are computed modulo one prime, for the integral form (same functional dimension, see
`functional_dimension`): a number that is not 0 modulo the prime is not 0, and ranks modulo
the prime are at most the ranks over Q.

`residual` is reserved for the rows of the undetermined columns, and must be empty.
"""

from exactrelu.checker.claims.forward import preactivations
from exactrelu.checker.claims.geometry import scene
from exactrelu.checker.claims.modular import PRIME, ModularEchelon
from exactrelu.checker.document import (
    Json,
    Malformed,
    Point,
    Rejected,
    Row,
    Rule,
    index,
    points,
    require,
    sequence,
    spend,
)
from exactrelu.checker.linear import dot
from exactrelu.checker.network import Network

Signs = list[tuple[bool, ...]]  # active neurons, layer by layer


class FacetPairs:
    """A network modulo the prime, with affine forms kept by the activity of the layers before."""

    def __init__(self, network: Network, walls: list[Row]) -> None:
        self.network, self.walls = network, walls
        self.W = [[[x % PRIME for x in row] for row in rows] for rows in network.W]
        self.B = [[b % PRIME for b in constants] for constants in network.B]
        self.last: list[tuple[tuple[bool, ...], list[Row]]] = []
        self.blocks = [ModularEchelon() for _ in range(network.hidden)]

    def strict(self, x: Point) -> list[Row]:
        """Exact preactivations at an interior point; no hidden neuron vanishes."""
        require(all(dot(wall, x) > 0 for wall in self.walls), "a point is not in the interior")
        z = preactivations(self.network, x)
        require(all(all(values) for values in z[:-1]), "a neuron vanishes at a point")
        return z

    def signs(self, x: Point) -> Signs:
        """Active neurons at a strict interior point."""
        return [tuple(z > 0 for z in values) for values in self.strict(x)[:-1]]

    def forms(self, signs: Signs, layer: int) -> list[Row]:
        """Columns of affine forms of the preactivations of a layer (from 0), modulo the prime.

        Entry [c][i] belongs to coordinate c (0 is the constant) and neuron i.  The forms of
        the last activity are kept, and reused as far as the activities agree.
        """
        d = self.network.inputs
        keep = 0
        while keep < min(len(self.last), layer + 1):
            if keep and self.last[keep][0] != signs[keep - 1]:
                break
            keep += 1
        del self.last[keep:]
        for k in range(keep, layer + 1):
            weights, biases = self.W[k], self.B[k]
            if k == 0:
                columns = [biases, *([row[c] for row in weights] for c in range(d))]
                self.last.append(((), columns))
                continue
            on = [j for j, active in enumerate(signs[k - 1]) if active]
            spend(len(weights) * (len(on) + 1) * (d + 1))
            below = [[column[j] for j in on] for column in self.last[k - 1][1]]
            chosen = [[row[j] for j in on] for row in weights]
            columns = [[dot(row, column) % PRIME for row in chosen] for column in below]
            columns[0] = [(x + b) % PRIME for x, b in zip(columns[0], biases, strict=True)]
            self.last.append((signs[k - 1], columns))
        return self.last[layer][1]

    def visible(self, signs: Signs, layer: int, i: int) -> bool:
        """The path weights of neuron i of a layer to the outputs are not all 0."""
        column = [row[i] for row in self.W[layer + 1]]
        for k in range(layer + 1, self.network.depth):
            on = [j for j, active in enumerate(signs[k]) if active]
            spend(len(self.W[k + 1]) * (len(on) + 1))
            short = [column[j] for j in on]
            column = [dot([row[j] for j in on], short) % PRIME for row in self.W[k + 1]]
        return any(column)

    def add(self, neuron: int, u: Point, v: Point) -> None:
        """Use a facet pair of the neuron, unless its block is full already."""
        network = self.network
        layer = network.layer_of[neuron]
        block = self.blocks[neuron]
        if block.rank == network.widths[layer]:
            return
        one, two = self.signs(u), self.signs(v)
        i = neuron - network.offsets[layer]
        flipped = list(two[layer])
        flipped[i] = not flipped[i]
        two[layer] = tuple(flipped)
        require(one == two, "the signs of a pair do not differ in its neuron alone")
        require(self.visible(one, layer, i), "a neuron without path weight to the outputs")
        h = [column[i] for column in self.forms(one, layer)]
        k = next((k for k, x in enumerate(h) if x), None)
        if k is None:
            raise Rejected("an affine form is 0 modulo the prime")
        matrix = self._activations(one, layer)
        for m, column in enumerate(matrix):
            if m != k and block.rank < network.widths[layer]:
                p, q = h[k], h[m]
                block.add(p * x - q * y for x, y in zip(column, matrix[k], strict=True))

    def _activations(self, signs: Signs, layer: int) -> list[Row]:
        """Columns of (a, 1) before a layer: inactive neurons are 0."""
        d = self.network.inputs
        if layer == 0:
            rows = [[int(c == j + 1) for j in range(d)] for c in range(d + 1)]
        else:
            on = signs[layer - 1]
            rows = [
                [x if active else 0 for x, active in zip(column, on, strict=True)]
                for column in self.last[layer - 1][1]
            ]
        return [[*row, int(c == 0)] for c, row in enumerate(rows)]


def shown_rank(claim: Json, evidence: Json) -> tuple[int, Network]:
    """The rank proved by the evidence, and the network of the claim."""
    network, walls = scene(claim)
    if evidence["residual"] != []:
        raise Malformed("residual rows are not supported, the list must be empty")
    pairs = FacetPairs(network, walls)
    for entry in sequence(evidence["pairs"], lambda pair: sequence(pair, lambda x: x, 3)):
        neuron = index(entry[0], network.hidden)
        u, v = points(entry[1:], network.inputs)
        pairs.add(neuron, u, v)
    output = ModularEchelon()
    for x in points(evidence["output_points"], network.inputs):
        z = pairs.strict(x)
        before = [max(v, 0) for v in z[-2]] if network.depth else list(x[1:])
        output.add([*before, x[0]])
    return sum(block.rank for block in pairs.blocks) + network.outputs * output.rank, network


def dimension_at_least_facet_pairs(claim: Json, evidence: Json) -> None:
    """The functional dimension on the domain is at least `dimension`."""
    total, _ = shown_rank(claim, evidence)
    require(total >= index(claim["dimension"]), f"the pairs and points give {total}")


def locally_identifiable_facet_pairs(claim: Json, evidence: Json) -> None:
    """Near theta, only the positive scalings of theta have the same values on the domain."""
    total, network = shown_rank(claim, evidence)
    needed = network.parameters - network.hidden
    require(total == needed, f"the pairs and points give {total}, needed {needed}")


EVIDENCE = "pairs output_points residual"
KINDS = {
    "dimension-at-least-facet-pairs": Rule(
        dimension_at_least_facet_pairs, "network domain dimension", EVIDENCE, ("facet pairs",)
    ),
    "locally-identifiable-facet-pairs": Rule(
        locally_identifiable_facet_pairs,
        "network domain",
        EVIDENCE,
        ("facet pairs", "T1 local identifiability"),
    ),
}
