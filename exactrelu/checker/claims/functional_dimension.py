"""Functional dimension: bounds from below and above, and local identifiability.

On a full cell without vanishing neurons f is an affine map whose coefficients are polynomials
of the parameters theta.  J is the matrix of all derivatives of these coefficients, over all
such cells meeting int P; its rank is the functional dimension of theta.  Parameters are
ordered by layers, in a layer by neurons, in a neuron its weights and then its bias; rows of a
cell by outputs, for each output the coefficients of 1, x_1, .., x_d.

*Scaling.*  With S the positive scaling of `network`, f_{S theta} = D f_theta identically in
theta, so J(S theta) S = D J(theta): ranks agree, and v is killed by J(theta) if and only if
S v is killed by J(S theta).  Everything below happens at the integral form S theta.
"""

from collections.abc import Iterator

from exactrelu.checker.claims.geometry import scene
from exactrelu.checker.claims.modular import rank_modulo
from exactrelu.checker.cover import cover
from exactrelu.checker.document import (
    Json,
    Point,
    Rejected,
    Row,
    Rule,
    field,
    homogeneous,
    index,
    points,
    rational,
    require,
    sequence,
    spend,
)
from exactrelu.checker.network import Network, Node, inside


def jacobian(network: Network, code: int) -> Iterator[Row]:
    """The rows of J for the activity of this code.

    The derivative of output k with respect to the weight (i, j) of a layer is
    beta_i a_j, with beta the path weights from neuron i to output k and a_j the affine form
    of the activation j before it (the constant 1 for the bias).
    """
    nodes = network.nodes(code)
    depth, columns = network.depth, network.dim + 1
    active = [network.active(code, k) for k in range(depth)]
    spend(2 * network.parameters * columns * network.outputs, network.bits)
    forms = [[[int(c == j + 1) for c in range(columns)] for j in range(network.inputs)]]
    for node, on in zip(nodes[:-1], active, strict=True):
        alive = set(on)
        zero = [0] * columns
        forms.append([row if j in alive else zero for j, row in enumerate(node.rows)])
    for output in range(network.outputs):
        beta = [int(i == output) for i in range(network.outputs)]
        blocks = [(beta, forms[depth])]
        for k in range(depth, 0, -1):
            back = [0] * network.widths[k]
            for j in active[k - 1]:
                back[j] = sum(b * row[j] for b, row in zip(beta, network.W[k], strict=True))
            beta = back
            blocks.append((beta, forms[k - 1]))
        for c in range(columns):
            yield [
                b * x
                for beta, below in reversed(blocks)
                for b in beta
                for x in [*(row[c] for row in below), int(c == 0)]
            ]


def sampled_rank(claim: Json, evidence: Json) -> tuple[int, Network]:
    """Rank modulo a fixed prime of the chosen rows of J at points inside full cells."""
    network, walls = scene(claim)
    chosen = sequence(evidence["rows"], lambda numbers: sequence(numbers, index))
    rows: list[Row] = []
    for x, keep in zip(
        points(evidence["points"], network.inputs, len(chosen)), chosen, strict=True
    ):
        here = inside(network, walls, x)
        require(not here.zeros, "a neuron vanishes at a sample point")
        found = list(jacobian(network, here.code))
        require(all(i < len(found) for i in keep), "there is no such row")
        rows += [found[i] for i in keep]
    return rank_modulo(rows), network


def dimension_at_least(claim: Json, evidence: Json) -> None:
    """The functional dimension on the domain is at least `dimension`."""
    rank, _ = sampled_rank(claim, evidence)
    require(rank >= index(claim["dimension"]), f"the rows shown have rank {rank}")


def locally_identifiable(claim: Json, evidence: Json) -> None:
    """Near theta, only the positive scalings of theta have the same values on the domain."""
    rank, network = sampled_rank(claim, evidence)
    needed = network.parameters - network.hidden
    require(rank == needed, f"the rows shown have rank {rank}, needed is {needed}")


def dimension_at_most(claim: Json, evidence: Json) -> None:
    """The functional dimension on the domain is at most `dimension`.

    Independent vectors are killed by J on every strict full cell, listed by a split tree.  A
    neuron that vanishes at the interior point of a leaf is 0 on the whole leaf (its row has one
    sign there), so the leaf lies in a full cell that is not strict and does not count for J.
    """
    network, walls = scene(claim)
    n = network.parameters
    given = sequence(evidence["kernel"], lambda v: sequence(v, rational, n))
    needed = n - index(claim["dimension"])
    require(len(given) >= needed, f"{len(given)} kernel vectors, needed are {needed}")
    factors = []
    for k, scale in enumerate(network.scales):
        before = network.scales[k - 1] if k else 1
        row = [scale // before] * network.widths[k] + [scale]
        factors += row * network.widths[k + 1]
    kill = [
        homogeneous([x * s for x, s in zip(vector, factors, strict=True)])[1:] for vector in given
    ]
    require(rank_modulo(kill) == len(kill), "the kernel vectors are dependent modulo the prime")
    supports = [[(k, x) for k, x in enumerate(vector) if x] for vector in kill]
    length = sum(map(len, supports))
    seen: set[int] = set()

    def leaf(states: tuple[Node, ...], x: Point | None) -> None:
        if x is None:
            raise Rejected("a leaf has no interior point")
        here = network.locate(x)
        if here.zeros or here.code in seen:
            return
        seen.add(here.code)
        for row in jacobian(network, here.code):
            spend(length, network.bits)
            killed = all(sum(row[k] * x for k, x in support) == 0 for support in supports)
            require(killed, "a vector is not in the kernel")

    cover([network.root], walls, field(evidence, "tree", str), network.dim, leaf)


KINDS = {
    "dimension-at-least": Rule(dimension_at_least, "network domain dimension", "points rows"),
    "locally-identifiable": Rule(
        locally_identifiable, "network domain", "points rows", ("T1 local identifiability",)
    ),
    "dimension-at-most": Rule(
        dimension_at_most, "network domain dimension", "kernel tree", ("cover",)
    ),
}
