"""A parameter drawn at random near another one, unique except with a bounded probability.

Let theta_0 (`base`), the domain, an architecture with L hidden layers, N parameters, H hidden
neurons and d inputs, and a list X of N - H pairs (point of int P, output) be fixed.  Draw k from
{0, .., 2^bits - 1} for every parameter, uniformly and independently, and let theta be theta_0 +
k 2^-bits / 10^4.  Let Q be the number of different points of X.

**Theorem (randomized).**  The probability that theta has the signs of theta_0 at all points of X,
none of them 0, that it is unique among supertransversal parameters (theorem `search`), and that
nevertheless some other parameter of the architecture, not equivalent to theta, has the same
values on the domain, is at most E / 2^bits, provided that the derivatives of (f_k(x))_X at
theta_0 have rank N - H, with

    E = 2^(H Q) . H sum_{k <= d} C(H-1, k) 2^(H+d) . (d+1) L (L+1)^(N-H).

*Proof.*  (1) If eta is not supertransversal, then some cell in int P has vanishing neurons v_1,
.., v_K, in the order of layers, whose affine forms (for the signs of the cell, zeros inactive)
have rank < K in their linear parts.  Let w be the first with a linear part dependent on those
before, k <= d independent ones.  All forms vanish at a point of the cell, so the form of w is a
combination of theirs.  For columns J with det_J != 0 (the linear parts of the others), the
minor M of all k + 1 forms on J and the constant column is 0 at eta.  As a polynomial in the
parameters M is not 0: the bias of w occurs in it only through the constant of w, with
coefficient +-det_J.  Its degree is at most (d+1) L, as the forms of layer l have degree l.  The
number of polynomials M (w, the k others, the signs, J) is at most H sum C(H-1, k) 2^(H+d).
(2) For a pattern A of active neurons at the points of X let F^A(eta) be the values (f_k(x))_X
computed with this activity, polynomials of degree <= L + 1 that do not change under the
scalings of neurons.  Let Z be a component of {M = 0}, of dimension N - 1.  The scalings (by
complex numbers) multiply M by a number, so they preserve Z; on Z a general point has no zero
row of weights and bias, since those form a set of codimension >= 2; its orbit has dimension
H.  So the closure of F^A(Z) has dimension e <= N - H - 1; its degree is at most deg Z (L+1)^e
(Bezout), so it lies in a hypersurface of that degree.  Together: F^A({M = 0}) lies in {G = 0},
G != 0 of degree at most (d+1) L (L+1)^(N-H-1).
(3) Let A_0 be the pattern of theta_0.  By the rank F^{A_0} has a dense image, so G(F^{A_0}) is
not the polynomial 0; its degree is at most (d+1) L (L+1)^(N-H).  The probability that it
vanishes at a uniform point of the grid is at most degree / 2^bits (Schwartz, Zippel).  There
are at most 2^(H Q) patterns A and so at most E / degree polynomials G; add up.  Outside these
events let eta have the same values as theta, which has the signs of theta_0 on X.  If eta is
not supertransversal, it satisfies some M = 0 and has some pattern A on X, so G(F^A(eta)) = 0
and F^A(eta) = F^{A_0}(theta): excluded. If it is, it is equivalent to theta.  QED

What is checked here: theta lies on the grid, its signs, the rank (modulo a prime, from below),
the uniqueness among supertransversal parameters, and bits >= log2 E + exponent.  What cannot be
checked: that base, domain and X were fixed first, and that theta was drawn, once.
"""

from collections.abc import Sequence
from fractions import Fraction
from math import comb

from exactrelu.checker.claims.functional_dimension import jacobian
from exactrelu.checker.claims.geometry import scene
from exactrelu.checker.claims.modular import rank_modulo
from exactrelu.checker.claims.supertransversal import check_unique
from exactrelu.checker.document import (
    Json,
    Malformed,
    Row,
    Rule,
    index,
    points,
    require,
    sequence,
    spend,
)
from exactrelu.checker.linear import dot
from exactrelu.checker.network import Network, inside

GRID = 10_000
MOST_BITS = 1 << 20


def log2_failures(network: Network, samples: int) -> int:
    """An integer upper bound of log2 E for this architecture and number of different points."""
    d, hidden, layers = network.inputs, network.hidden, network.depth
    needed = network.parameters - hidden
    spend(needed * layers.bit_length() * 100)
    forms = hidden * sum(comb(hidden - 1, k) for k in range(min(d, hidden - 1) + 1))
    product: int = forms * (d + 1) * layers * (layers + 1) ** needed
    return hidden * samples + hidden + d + (product - 1).bit_length()


def check_grid(network: Network, base: Network, bits: int) -> None:
    """Every parameter is that of the base plus k 2^-bits / 10^4 with an integer 0 <= k < 2^bits."""
    step = Fraction(1, GRID << bits)
    for weights, old in zip(
        [*network.weights, network.biases], [*base.weights, base.biases], strict=True
    ):
        for row, before in zip(weights, old, strict=True):
            spend(len(row), bits + base.bits)
            steps = [(x - y) / step for x, y in zip(row, before, strict=True)]
            on = all(k.denominator == 1 and 0 <= k < 1 << bits for k in steps)
            require(on, "a parameter is not on the grid of the draw")


def identifiable_randomized(claim: Json, evidence: Json) -> None:
    """A statement about a random draw, not about this parameter: for a base and samples fixed
    before, a draw of `bits` uniform independent bits a parameter passes all checks made here and
    yet is not identifiable among all parameters of the architecture with probability at most
    2^-exponent.  That the network was so drawn, once, cannot be checked."""
    network, walls = scene(claim)
    base = Network(claim["base"])
    if base.widths != network.widths:
        raise Malformed("the base has another architecture")
    require(network.depth, "there is no hidden layer")
    bits, exponent = index(claim["bits"], MOST_BITS), index(claim["exponent"], MOST_BITS)
    check_grid(network, base, bits)
    samples = points(evidence["points"], network.inputs)
    outputs = sequence(
        evidence["outputs"], lambda entry: index(entry, network.outputs), len(samples)
    )
    different = {tuple(Fraction(c, x[0]) for c in x) for x in samples}
    needed = log2_failures(network, len(different)) + exponent
    require(bits >= needed, f"{bits} bits a parameter, needed are {needed}")
    rank = sampled_rank(network, base, walls, list(zip(samples, outputs, strict=True)))
    full = network.parameters - network.hidden
    require(rank == len(samples) == full, f"{len(samples)} values of rank {rank}, needed {full}")
    check_unique(network, walls, points(evidence["geometry_points"], network.inputs))


def sampled_rank(
    network: Network,
    base: Network,
    walls: Sequence[Row],
    samples: list[tuple[tuple[int, ...], int]],
) -> int:
    """Rank of the derivatives at the base, where both networks have the same signs, none 0."""
    rows: list[Row] = []
    columns = network.inputs + 1
    for x, output in samples:
        here, before = inside(network, walls, x), inside(base, walls, x)
        require(here.code == before.code, "another sign than at the base")
        require(not here.zeros, "a neuron vanishes at a sample point")
        block = list(jacobian(base, before.code))[output * columns : (output + 1) * columns]
        spend(len(block) * network.parameters, network.bits)
        rows.append([dot(x, column) for column in zip(*block, strict=True)])
    return rank_modulo(rows)


KINDS = {
    "identifiable-randomized": Rule(
        identifiable_randomized,
        "network domain base bits exponent",
        "points outputs geometry_points",
        ("face order", "local normal form", "geometry of f", "search", "randomized"),
    )
}
