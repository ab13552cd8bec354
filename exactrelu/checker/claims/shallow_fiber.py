"""All parameters with a function, for one hidden layer, and for a layer of one neuron before two.

**Theorem (shallow fiber).**  Let a network with one hidden layer have pairwise different
hyperplanes H_i = {z_i = 0}, each meeting int P, and outgoing columns v_i that are not 0.  Modulo
equivalence (permutation and positive scaling), the parameters of the architecture with the same
values on P are in bijection with the sets T of neurons with sum_{i in T} v_i (x) w_i = 0, w_i
being the row of weights of neuron i (the empty set is the network itself).

*Proof.*  At a point of H_i in int P on no other H_j (there are such points, an open part of
H_i) f breaks, with the jump v_i w_i of its gradient.  So a parameter eta with this function
has, for each i, a neuron with zero set H_i in int P: its hyperplane there, as a neuron without
weights vanishes nowhere or everywhere.  The n hyperplanes take all n neurons, one each, with
rows c_i (w_i, b_i), c_i != 0; |c_i| = 1 after scaling, and the jump then gives the outgoing
column v_i for either sign.  With T = {i : c_i < 0} and ReLU(-z) = ReLU(z) - z, f_eta - f =
const - sum_T v_i z_i on P, which has interior points; so T is as stated and fixes the output
bias, and conversely each such T gives an eta.  An equivalence of two of them fixes the neurons,
since the hyperplanes differ, and the signs of the rows, so the sets T are equal.  QED

**Theorem (width one).**  Let z be the neuron of the first layer of an architecture (n_0, 1, 2,
m), t = ReLU(z); let neuron + of layer 2 have w_+ > 0 > b_+, neuron - have w_- < 0 < b_-, and
let their levels t_+ = -b_+ / w_+ and t_- = -b_- / w_- be different.  Let c_+, c_- be the
outgoing columns and p_0 = c_- w_-, p_2 = c_+ w_+, with p_0, p_2 and p_0 + p_2 all not 0
(vectors of length m).  If z takes in int P the values 0, t_+, t_-, then every parameter of the
architecture with the same values on P is equivalent to the network.

*Proof.*  z(int P) is an open interval I with 0, t_+, t_- in it.  There f = g(z), where g' is 0
below 0, and above it the sum of p_0 if z < t_- and p_2 if z > t_+: first p_0, last p_2, between
the levels p_0 + p_2 (if t_+ < t_-) or 0 (if t_- < t_+).
So g has exactly the breaks 0, t_+, t_-, with jumps p_0, p_2, -p_0;
and f is constant near x in int P if and only if z(x) < 0, or z(x) lies strictly between the
levels and t_- < t_+. Let eta have the same values, with first neuron y and f = h(ReLU(y)); h
has at most two breaks on (0, infinity), one a neuron.  y is not constant, as f is not.  f is
constant on int P and {y < 0}, which is convex and so lies in one of the two parts named.  Near
a point with z just above 0, f is not constant, so y >= 0 there, and y > 0 on an open set; there
p_0 z' = h' y' for the linear parts (where h is differentiable), so y = s (z + r) with s != 0.
Hence {y < 0} is a part of int P on which z runs through an end of I, or empty.  It is not
between the levels, where there is no end of I; so if it is not empty, it lies in {z < 0}, s > 0
and r >= 0.  If it is empty, or r > 0, then all three breaks lie in {y > 0}: h would need
three.  So r = 0, and s = 1 after scaling.  Then h = g on the part t > 0 of I, both levels are
breaks of h, so each belongs to one neuron of eta, which has there its zero and a jump |w| c.
Their orientations (of the neurons of t_+ and t_-) are those of the network, because the
others give: (+, +) slope 0 just above 0, not p_0; (-, -) slope 0 at the upper end of I, not
p_2; (-, +) slope -p_2 just above 0, not p_0.  (In the last two cases a neuron of jump j and
negative orientation adds -j below its level.)  Scaling |w| to that of the network, the jumps
give the outgoing columns, the levels the biases, and one value the output bias.  QED

With w_+, w_- of one sign the conclusion fails: either f does not break at 0, or f is constant
behind the levels as well, and t can be counted from there.
"""

from collections.abc import Sequence
from fractions import Fraction

from exactrelu.checker.claims.geometry import scene
from exactrelu.checker.claims.kernels import kernel, primitive
from exactrelu.checker.document import (
    Json,
    Row,
    Rule,
    common_denominator,
    index,
    points,
    require,
    spend,
)
from exactrelu.checker.linear import dot, size
from exactrelu.checker.network import inside

FREE_COORDINATES = 20


def flip_sets(rows: Sequence[Row], columns: Sequence[Row]) -> int:
    """The number of sets T with sum_{i in T} columns_i (x) rows_i = 0, the empty one included."""
    n = len(rows)
    products = [[v * w for v in columns[i] for w in rows[i]] for i in range(n)]
    basis = kernel(list(zip(*products, strict=True)), n)
    require(len(basis) <= FREE_COORDINATES, "too many free coordinates in a kernel of flips")
    return zero_one(basis, n)


def zero_one(basis: list[Row], n: int) -> int:
    """The number of 0/1 vectors in the span of a basis in which each vector has a coordinate of
    its own, where all others are 0 (as `kernel` makes them).

    The coefficients, 0 or 1 with the own entries scaled to 1, are decided one after the other; a
    coordinate whose possible values leave out both 0 and 1 ends the branch.
    """
    owns = [_own_coordinate(vector, basis) for vector in basis]
    steps: list[Row] = [[] for _ in basis]
    ones: Row = []  # the value 1 of each coordinate, after clearing its denominators
    for c in sorted(set(range(n)) - set(owns)):
        entries = [Fraction(v[c], v[own]) for v, own in zip(basis, owns, strict=True)]
        if any(entries):
            ones.append(common_denominator(entries))
            for step, x in zip(steps, entries, strict=True):
                step.append(int(x * ones[-1]))
    zero = [0] * len(ones)
    low, high = [zero], [zero]  # what the coefficients still open can add
    for step in reversed(steps):
        low.append([a + min(x, 0) for a, x in zip(low[-1], step, strict=True)])
        high.append([a + max(x, 0) for a, x in zip(high[-1], step, strict=True)])
    bits, count, stack = size(steps), 0, [(len(steps), zero)]
    while stack:
        left, total = stack.pop()
        spend(20 * len(ones) + 100, bits)
        ends = zip(total, low[left], high[left], ones, strict=True)
        if any(not (s + a <= 0 <= s + b or s + a <= one <= s + b) for s, a, b, one in ends):
            continue
        if left == 0:
            count += 1
            continue
        left -= 1
        step = steps[len(steps) - 1 - left]
        stack.append((left, total))
        stack.append((left, [s + x for s, x in zip(total, step, strict=True)]))
    return count


def _own_coordinate(vector: Row, basis: list[Row]) -> int:
    return next(
        c
        for c, x in enumerate(vector)
        if x and all(not other[c] for other in basis if other is not vector)
    )


def shallow_fiber(claim: Json, evidence: Json) -> None:
    """The parameters of the architecture (one hidden layer) with the same values on the domain
    form exactly `classes` classes under permutation and positive scaling."""
    network, walls = scene(claim)
    require(network.depth == 1, "the network has not exactly one hidden layer")
    rows, n = network.W[0], network.hidden
    for j, x in enumerate(points(evidence["points"], network.inputs, n)):
        here = inside(network, walls, x)
        on = j in here.neurons and any(rows[j])
        require(on, f"the point is on no hyperplane of neuron {j}")
    columns = [list(column) for column in zip(*network.W[1], strict=True)]
    require(all(map(any, columns)), "a neuron has no outgoing weight")
    different = len({primitive(row) for row in network.root.rows}) == n
    require(different, "two neurons have one hyperplane")
    found = flip_sets(rows, columns)
    require(found == index(claim["classes"]), f"there are {found} classes")


def identifiable_width_one(claim: Json, evidence: Json) -> None:
    """Every parameter of the architecture (n_0, 1, 2, m) with the same values on the domain is
    equivalent to the network (permutation and positive scaling)."""
    network, walls = scene(claim)
    require(network.widths[1:-1] == [1, 2], "the hidden layers have not widths 1 and 2")
    z = network.root.rows[0]
    ((w, b), (v, c)) = (
        (row[0], bias) for row, bias in zip(network.W[1], network.B[1], strict=True)
    )
    signs = w * b < 0 and v * c < 0 and w * v < 0
    require(signs, "the second layer has not one neuron of each orientation with a positive level")
    require(b * v != c * w, "the two levels are equal")
    levels = [(0, 1), (-b, w), (-c, v)]
    for x, (top, bottom) in zip(points(evidence["points"], network.inputs, 3), levels, strict=True):
        inside(network, walls, x)
        on = dot(z, x) * bottom == top * x[0]
        require(on, "a point is not on its level")
    slopes = [[row[0] * w, row[1] * v] for row in network.W[2]]
    require(any(p for p, _ in slopes) and any(q for _, q in slopes), "a neuron has no jump")
    require(any(p + q for p, q in slopes), "the jumps allow another orientation")


KINDS = {
    "shallow-fiber": Rule(shallow_fiber, "network domain classes", "points", ("shallow fiber",)),
    "identifiable-width-one": Rule(
        identifiable_width_one, "network domain", "points", ("width one",)
    ),
}
