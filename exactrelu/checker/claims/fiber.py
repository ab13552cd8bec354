"""Complete fibers: what all claims about them share.

A claim {network, domain, members} of a complete fiber says: the parameters of the architecture of
`network` that have its function on the domain are exactly those that are equivalent (permutation
of the neurons of each hidden layer, and their positive scaling) to a member; the members are
pairwise inequivalent.  One member: the network is identifiable among all parameters.

*Members.*  A member with an empty tree has the normal form of the network; for any other the
split tree shows equal functions.  Inequivalence is decided as for the kind `inequivalent`.

*Normal form.*  Layer by layer each row (bias, weights) is multiplied by the positive number that
makes it a primitive integer vector, the outgoing column divided by it, and the rows are sorted.
These steps are equivalences, so equal normal forms prove equivalence (of networks without zero
rows; a network with one has no normal form here).

*Candidates.*  The search of each kind yields finitely many parameters, and proves that every
parameter of the fiber is equivalent to one of them.  Each must have the normal form of a member,
or differ from the network at one of the points of the evidence.
"""

from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations
from math import gcd

from exactrelu.checker.claims.equivalence import check_equal, check_inequivalent
from exactrelu.checker.claims.forward import preactivations
from exactrelu.checker.claims.germ import Facet, facet
from exactrelu.checker.document import (
    Json,
    Malformed,
    Point,
    common_denominator,
    points,
    require,
    sequence,
    spend,
)
from exactrelu.checker.linear import eliminate
from exactrelu.checker.network import Network, inside, read_domain

Rational = Fraction | int
Layer = tuple[Sequence[Sequence[Rational]], Sequence[Rational]]  # weights, biases
Form = tuple[tuple[tuple[Fraction, ...], ...], ...]
STEP = 100_000  # charge for one node of a search: at most a hundred thousand of them in one document


def build(inputs: int, layers: Sequence[Layer]) -> Network:
    """The network with these layers, the output last."""
    weights = [[[str(Fraction(w)) for w in row] for row in rows] for rows, _ in layers]
    biases = [[str(Fraction(b)) for b in constants] for _, constants in layers]
    widths = [inputs, *map(len, biases)]
    return Network({"architecture": widths, "weights": weights, "biases": biases})


def normal_form(network: Network) -> Form | None:
    """Rows (bias, weights) of all layers in normal form; None if a hidden row is 0."""
    spend(10 * network.parameters, network.bits)
    order = [(j, Fraction(1)) for j in range(network.inputs)]
    layers = []
    for k, (weights, biases) in enumerate(zip(network.weights, network.biases, strict=True)):
        rows = [[b, *(w[j] / s for j, s in order)] for w, b in zip(weights, biases, strict=True)]
        if k < network.depth:
            if not all(map(any, rows)):
                return None
            scaled = []
            for i, row in enumerate(rows):
                t = common_denominator(row)
                scale = Fraction(t, gcd(*(int(x * t) for x in row)))
                scaled.append(([scale * x for x in row], i, scale))
            scaled.sort()
            rows, order = [row for row, _, _ in scaled], [(i, s) for _, i, s in scaled]
        layers.append(tuple(map(tuple, rows)))
    return tuple(layers)


class Fiber:
    """The network, the proved members, and the points of a claim about a complete fiber."""

    def __init__(self, claim: Json, evidence: Json) -> None:
        self.network = Network(claim["network"])
        self.walls = read_domain(claim["domain"], self.network.inputs)
        members = sequence(claim["members"], Network)
        form = normal_form(self.network)
        self.forms = [normal_form(member) for member in members]
        trees = sequence(evidence["trees"], lambda tree: tree, len(members))
        for member, own, tree in zip(members, self.forms, trees, strict=True):
            if type(tree) is not str or member.widths != self.network.widths:
                raise Malformed("members have the architecture of the network, trees are strings")
            require(own is not None, "a member has a zero row")
            if tree:
                check_equal(self.network, member, claim["domain"], tree)
            else:
                require(own == form, "a member without tree is not the network")
        for one, two in combinations(members, 2):
            check_inequivalent(one, two)
        self.points = points(evidence["points"], self.network.inputs)
        self.facets: list[Facet] = []  # where f breaks, at different points
        seen: set[Point] = set()
        for x in self.points:
            content = gcd(*x)
            x = tuple(c // content for c in x)
            found = facet(self.network, x, inside(self.network, self.walls, x))
            if found is not None and found.breaks and x not in seen:
                self.facets.append(found)
                seen.add(x)
        self.values = [preactivations(self.network, x)[-1] for x in self.points]

    def fit(self, hidden: Sequence[Layer]) -> Network | None:
        """The only network with these hidden layers and the right values at all points.

        None if there is no such network; the document is refused if there are several.
        """
        width, m = len(hidden[-1][1]), self.network.outputs
        trial = build(self.network.inputs, [*hidden, ([[0] * width] * m, [0] * m)])
        s, t = trial.scales[-2], self.network.scales[-1]
        matrix = []
        for x, value in zip(self.points, self.values, strict=True):
            activations = [max(z, 0) for z in preactivations(trial, x)[-2]]
            matrix.append([*activations, x[0], *value])
        pivots, pivot = eliminate(matrix, width + 1)
        if any(any(row[:m]) for row in matrix[len(pivots) :]):
            return None
        require(len(pivots) == width + 1, "the points do not determine an output layer")
        solution = [[Fraction(v, pivot * t) for v in row[:m]] for row in matrix[: width + 1]]
        weights = [[solution[j][k] * s for j in range(width)] for k in range(m)]
        return build(self.network.inputs, [*hidden, (weights, solution[width])])

    def refuted(self, candidate: Network) -> bool:
        """The candidate has another value at one of the points."""
        p, q = candidate.scales[-1], self.network.scales[-1]
        for x, mine in zip(self.points, self.values, strict=True):
            other = preactivations(candidate, x)[-1]
            if any(a * p != b * q for a, b in zip(mine, other, strict=True)):
                return True
        return False

    def settle(self, candidate: Network) -> None:
        """The candidate is refuted, or equivalent to a member."""
        if not self.refuted(candidate):
            known = normal_form(candidate) in self.forms
            require(known, "a candidate is neither refuted by a point nor a member")
