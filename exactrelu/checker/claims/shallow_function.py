"""Functions with one hidden layer, and points of semi-algebraic sets.

*Sums.*  With ReLU(-t) = ReLU(t) - t every network with one hidden layer is a sum

    f(x) = sum over h of gamma_h ReLU(h(x)) + A x + a

over primitive integer forms h = (b, a_1, .., a_d) whose first non-zero entry of (a_1, .., a_d) is
positive.  A neuron that is >= 0 on the domain may be replaced by its affine form, one that is
<= 0 there may be left out; then its form is written as a non-negative combination of 1 and of
the integral inequalities of the domain.  If the sums of two networks agree, so do the functions on the domain.
"""

from fractions import Fraction
from functools import partial
from math import gcd

from exactrelu.checker.claims.equivalence import read_pair
from exactrelu.checker.document import (
    Json,
    Malformed,
    Row,
    Rule,
    common_denominator,
    index,
    rational,
    require,
    sequence,
    spend,
)
from exactrelu.checker.linear import size
from exactrelu.checker.network import Network, read_domain

Sum = tuple[dict[tuple[int, ...], Row], list[Row]]  # h -> gamma_h; rows (a, A) of the outputs
DEGREE = 64
RELATIONS = {"=": (0,), ">=": (0, 1), ">": (1,), "!=": (-1, 1)}


def equal_shallow(claim: Json, evidence: Json) -> None:
    """The two networks, each with one hidden layer, have the same values on the domain."""
    a, b = read_pair(claim)
    require(a.depth == b.depth == 1, "not one hidden layer")
    walls = read_domain(claim["domain"], a.inputs)
    (pieces, affine), (others, rest) = _sum(a, walls, evidence["a"]), _sum(b, walls, evidence["b"])
    one, two = a.scales[-1], b.scales[-1]
    same = pieces.keys() == others.keys() and all(
        [x * two for x in gamma] == [x * one for x in others[h]] for h, gamma in pieces.items()
    )
    require(same, "the kinks of the two sums differ")
    rows = [[x * two for x in row] for row in affine], [[x * one for x in row] for row in rest]
    require(rows[0] == rows[1], "the affine parts of the two sums differ")


def _sum(network: Network, walls: list[Row], evidence: Json) -> Sum:
    """The sum of a network, times the scale of its outputs."""
    pieces: dict[tuple[int, ...], Row] = {}
    affine = [[b] + [0] * network.inputs for b in network.B[1]]
    columns = [list(column) for column in zip(*network.W[1], strict=True)]
    signs = sequence(evidence, lambda value: value, len(columns))
    spend(len(columns) * (network.inputs + 2) * (network.outputs + 1), network.bits)
    for j, (weights, column, sign) in enumerate(zip(network.W[0], columns, signs, strict=True)):
        bias = network.B[0][j]
        row = [bias, *weights]
        content = gcd(*row)
        given = [network.biases[0][j], *network.weights[0][j]]
        kept = _kept(given, walls, sign) if sign is not None else None
        if not content or kept is False:
            continue
        lead = next((x for x in weights if x), bias)
        if kept or lead < 0:
            for total, v in zip(affine, column, strict=True):
                total[:] = [t + v * x for t, x in zip(total, row, strict=True)]
        if kept is None:
            h = tuple(x // (content if lead > 0 else -content) for x in row)
            known = pieces.get(h, [0] * len(column))
            pieces[h] = [g + v * content for g, v in zip(known, column, strict=True)]
    return {h: gamma for h, gamma in pieces.items() if any(gamma)}, affine


def _kept(row: list[Fraction], walls: list[Row], value: Json) -> bool:
    """Whether the neuron is >= 0 on the domain; it is <= 0 otherwise."""
    proper = isinstance(value, list) and len(value) == 2 and type(value[0]) is int
    if not proper or abs(value[0]) != 1:
        raise Malformed("a sign is not [1 or -1, multipliers]")
    multipliers = sequence(value[1], rational, len(walls) + 1)
    require(min(multipliers) >= 0, "a multiplier is negative")
    scale = common_denominator([*multipliers, *row])
    whole, form = [int(m * scale) for m in multipliers], [int(x * scale) for x in row]
    spend((len(walls) + 2) * len(row), size([whole, form]) + size(walls))
    total = [0] * len(row)
    for m, wall in zip(whole, [[1] + [0] * (len(row) - 1), *walls], strict=True):
        total = [t + m * x for t, x in zip(total, wall, strict=True)]
    require(total == [value[0] * x for x in form], "the multipliers do not give the neuron")
    return bool(value[0] == 1)


def stratum_member(claim: Json, evidence: Json) -> None:
    """The point satisfies all relations (polynomial) = 0, >= 0, > 0 or != 0."""
    point = sequence(claim["point"], rational)
    for relation in sequence(claim["relations"], partial(sequence, item=lambda x: x, length=2)):
        if not isinstance(relation[0], str) or relation[0] not in RELATIONS:
            raise Malformed("a relation is none of = >= > !=")
        value = sum(sequence(relation[1], partial(_term, point=point)), Fraction(0))
        require((value > 0) - (value < 0) in RELATIONS[relation[0]], "a relation does not hold")


def _term(value: Json, point: list[Fraction]) -> Fraction:
    if not isinstance(value, list) or len(value) != 2:
        raise Malformed("a term is not [coefficient, powers]")
    product = rational(value[0])
    powers = sequence(value[1], partial(sequence, item=index, length=2))
    require(all(i < len(point) for i, _ in powers), "a variable does not exist")
    require(sum(e for _, e in powers) <= DEGREE, "the degree is too large")
    for i, e in powers:
        bits = max(point[i].numerator.bit_length(), point[i].denominator.bit_length())
        spend(e + 1, bits * e)
        product *= point[i] ** e
    return product


KINDS = {
    "equal-shallow": Rule(equal_shallow, "a b domain", "a b"),
    "stratum-member": Rule(stratum_member, "point relations", ""),
}
"""Neither kind trusts a theorem."""
