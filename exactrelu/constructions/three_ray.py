"""One kink of three rays, realized by three assignments of its rays to layers.

For linear forms u, v with independent rational slopes in d inputs, max(0, u, v) has three affine pieces, which meet along a
flat of codimension 2; its sheets are {u = v > 0}, {v = 0 > u} and {u = 0 > v}.  Each of them can be the sheet of the first layer:

    max(0, u, v) = max(0, v + max(0, u - v)) = u + max(0, max(0, v) - u) = v + max(0, max(0, u) - v).

On a box, u and v are carried through layer 1 by neurons that are always active, and an affine rest through layer 2 by one more.
On all of R^d pairs x = max(0, x) - max(0, -x) carry them; then some rows are there twice, and supertransversality is lost.
*Proof.*  Each right side is checked for the three orders in which 0, u, v can have their maximum.  QED
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from random import Random

from exactrelu.arithmetic.matrix import rank
from exactrelu.arithmetic.rational import primitive_integer
from exactrelu.certificates.verdict import Fails
from exactrelu.complexes.canonical_complex import CanonicalComplex
from exactrelu.constructions.construction import Claim, Construction
from exactrelu.constructions.one_function import pairwise
from exactrelu.dependency.report import dependency_report
from exactrelu.errors import InputError
from exactrelu.genericity.generic import genericity
from exactrelu.limits import Limits, Meter
from exactrelu.network.architecture import Architecture
from exactrelu.network.network import Network
from exactrelu.polyhedra.domain import Domain

Row = Sequence[Fraction]
NAMES = ("first-layer-uv", "first-layer-v", "first-layer-u")
BOX = 3
"""Half the width of the box."""


def three_ray(u: Sequence[int | Fraction] = (1, 0), v: Sequence[int | Fraction] = (0, 1), slope: Sequence[int | Fraction] = (2, 3),
              constant: int | Fraction = 0, *, space: bool = False, limits: Limits | None = None) -> Construction:
    """Return three parameters of max(0, u.x, v.x) + slope.x + constant on [-3, 3]^d, or with `space` on R^d.

    Their widths are (d, 3, 2, 1), or (d, 4, 2, 1) if `slope` is not a combination of u and v; (d, 5, 3, 1) or (d, 7, 3, 1) on R^d.
    Raises:
        InputError: u and v are dependent, or of different length.

    >>> made = three_ray()
    >>> [n.architecture.widths for n in made.networks], made.facts["readings_of_the_ridge"]
    ([(2, 3, 2, 1), (2, 3, 2, 1), (2, 3, 2, 1)], 3)
    """
    first, second, rest = ([Fraction(x) for x in row] for row in (u, v, slope))
    d = len(first)
    if len(second) != d or len(rest) != d:
        raise InputError(f"u, v and the slope have {d}, {len(second)} and {len(rest)} entries; they need one number of inputs")
    if d < 2 or rank([primitive_integer([*row, Fraction(0)]) for row in (first, second)], d + 1) < 2:
        raise InputError("u and v must be linearly independent")
    domain = Domain.space(d) if space else Domain.box(d, [(-BOX, BOX)])
    assigned = _assigned_on_space if space else _assigned
    networks = tuple(assigned(k, first, second, rest, Fraction(constant)) for k in range(3))
    claims = pairwise(networks, domain, limits)
    meter, failing, readings = Meter(limits), [], 0
    for name, network in zip(NAMES, networks):
        complex_ = CanonicalComplex.build(network, domain, limits=meter.stage(200_000))
        report = genericity(complex_, meter)
        failing.append({"network": name, **{c: w.word for c, w in report.verdicts.items()}})
        broken = [c for c, w in report.verdicts.items() if isinstance(w, Fails)]
        claims.append(Claim(f"violated-{name}", f"{name} violates: {', '.join(broken)}", report.certificate))
        readings = 3 if len(dependency_report(complex_).graph.pictures.ambiguous) else 0
    facts = {"conditions": failing, "readings_of_the_ridge": readings,
             "function": {"u": [str(x) for x in first], "v": [str(x) for x in second], "slope": [str(x) for x in rest],
                          "constant": str(Fraction(constant))}}
    return Construction("three-ray", networks, domain, tuple(claims), facts, NAMES)


def three_ray_of(architecture: Architecture | None, seed: int, *, limits: Limits | None = None) -> Construction:
    """Return the classical example for seed 0 on two inputs, else random slopes, for the architectures of `three_ray`."""
    widths = (2, 3, 2, 1) if architecture is None else architecture.widths
    boxed, spaced = widths[1:] in ((3, 2, 1), (4, 2, 1)), widths[1:] in ((5, 3, 1), (7, 3, 1))
    if widths[0] < 2 or not (boxed or spaced) or (widths[0] == 2 and widths[1] in (4, 7)):
        raise InputError("three rays have the architectures (d, 3, 2, 1), d >= 2, and (d, 4, 2, 1), d >= 3, on a box; (d, 5, 3, 1) and "
                         f"(d, 7, 3, 1) on R^d; not {widths}")
    if seed == 0 and widths[0] == 2:
        return three_ray(space=spaced, limits=limits)
    rng, d = Random(f"three rays {widths} {seed}"), widths[0]
    while True:
        u, v, w = ([rng.randint(-4, 4) for _ in range(d)] for _ in range(3))
        a, b = rng.randint(-3, 3), rng.randint(-3, 3)
        slope = [a * x + b * y for x, y in zip(u, v)] if widths[1] in (3, 5) else w
        if rank([u, v], d) == 2 and rank([u, v, slope], d) == (2 if widths[1] in (3, 5) else 3):
            return three_ray(u, v, slope, rng.randint(-5, 5), space=spaced, limits=limits)


def _parts(case: int, u: Row, v: Row, slope: Row) -> tuple[Row, list[Fraction], list[Fraction]]:
    """The kink of layer 1, the weights (of kink, u, v) of the maximum, and the affine rest outside it.

    Case 0: the first layer's sheet is {u = v}; 1: {v = 0}; 2: {u = 0}.
    """
    kink = ([x - y for x, y in zip(u, v)], v, u)[case]
    taken = ([Fraction(0)] * len(u), u, v)[case]
    weights = ((1, 0, 1), (1, -1, 0), (1, 0, -1))[case]
    return kink, [Fraction(w) for w in weights], [x + y for x, y in zip(slope, taken)]


def _assigned_on_space(case: int, u: Row, v: Row, slope: Row, constant: Fraction) -> Network:
    kink, weights, rest = _parts(case, u, v, slope)
    a, b, residual = _combination(u, v, rest)
    carried, levels = [u, v], [a, b]
    if any(residual):
        carried, levels, weights = [*carried, residual], [a, b, Fraction(1)], [*weights, Fraction(0)]
    rows = [kink, *(row for form in carried for row in (form, [-x for x in form]))]

    def by_pairs(first: Fraction, others: Sequence[Fraction]) -> list[Fraction]:
        return [first, *(x for w in others for x in (w, -w))]

    zero = Fraction(0)
    second = [by_pairs(weights[0], weights[1:]), by_pairs(zero, levels), by_pairs(zero, [-w for w in levels])]
    return Network([rows, second, [[1, 1, -1]]], [[zero] * len(rows), [zero] * 3, [constant]])


def _assigned(case: int, u: Row, v: Row, slope: Row, constant: Fraction) -> Network:
    kink, weights, rest = _parts(case, u, v, slope)
    a, b, residual = _combination(u, v, rest)
    carriers = [u, v, *([residual] if any(residual) else [])]
    lifts = [Fraction(int(_reach(row)) + 1) for row in carriers]  # carried rows are at least 1 on the box
    levels = [a, b, *([Fraction(1)] if any(residual) else [])]
    carried = int(_reach(rest)) + 1
    maximum = [*weights, *[Fraction(0)] * (len(carriers) - 2)]
    one = -sum((w * lift for w, lift in zip(maximum[1:], lifts)), Fraction(0))
    two = carried - sum((w * lift for w, lift in zip(levels, lifts)), Fraction(0))
    second = [maximum, [Fraction(0), *levels]]
    return Network([[kink, *carriers], second, [[1, 1]]], [[Fraction(0), *lifts], [one, two], [constant - carried]])


def _reach(row: Row) -> Fraction:
    """Largest absolute value of a linear form on the box."""
    return sum((abs(x) for x in row), Fraction(0)) * BOX


def _combination(u: Row, v: Row, row: Row) -> tuple[Fraction, Fraction, list[Fraction]]:
    """(a, b, residual) with row = a u + b v + residual; the residual is 0 if that is possible."""
    d = len(u)
    for i in range(d):
        for j in range(i):
            minor = u[i] * v[j] - u[j] * v[i]
            if minor:
                a, b = (row[i] * v[j] - row[j] * v[i]) / minor, (u[i] * row[j] - u[j] * row[i]) / minor
                return a, b, [x - a * y - b * z for x, y, z in zip(row, u, v)]
    raise InputError("u and v must be linearly independent")
