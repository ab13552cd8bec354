"""One kink of three rays, realized by three assignments of its rays to layers.

For linear forms u, v with independent rational slopes in d inputs, max(0, u, v) has three affine pieces, which meet along a
flat of codimension 2; its sheets are {u = v > 0}, {v = 0 > u} and {u = 0 > v}.  Each of them can be the sheet of the first layer:

    max(0, u, v) = max(0, v + max(0, u - v)) = u + max(0, max(0, v) - u) = v + max(0, max(0, u) - v).

On a box, u and v are carried through layer 1 by neurons that are always active, and an affine rest through layer 2 by one more.
On all of R^d pairs x = max(0, x) - max(0, -x) carry them; then some rows are there twice, and supertransversality is lost.
*Proof.*  Each right side is checked for the three orders in which 0, u, v can have their maximum.  QED

**One neuron behind** (`single_reading`).  In (d, 2, 1, 1) the sheet {u = v > 0} is always on a sheet of layer 1, so there is one
assignment; it has two inequivalent parameters, max(0, v + max(0, u - v)) and max(0, u + max(0, v - u)).
*Proof.*  f = c max(0, z) + b is constant where u, v < 0 and has a slope where max(u, v) > 0, so z > 0 there, and the kink of f on
{u = v > 0} is one of z.  QED   On R^d (d, 2, 2, 1) has max(0, v) + max(0, max(0, u) - max(0, v)), and the same with u and v exchanged.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from random import Random
from typing import Any

from exactrelu.arithmetic.matrix import rank
from exactrelu.arithmetic.rational import primitive_integer, signless_row
from exactrelu.certificates.verdict import Fails
from exactrelu.complexes.bent_hyperplane import BentHyperplanes
from exactrelu.complexes.canonical_complex import CanonicalComplex
from exactrelu.constructions.construction import Claim, Construction
from exactrelu.constructions.one_function import pairwise
from exactrelu.dependency.report import DependencyReport, dependency_report
from exactrelu.errors import InputError, InvariantError
from exactrelu.genericity.generic import GenericityReport, genericity
from exactrelu.limits import Limits, Meter
from exactrelu.network.architecture import Architecture
from exactrelu.network.network import Network
from exactrelu.polyhedra.domain import Domain

Row = Sequence[Fraction]
Box = list[tuple[Fraction, Fraction]]
NAMES = ("first-layer-uv", "first-layer-v", "first-layer-u")
SHEETS = ("u = v", "v = 0", "u = 0")
BOXES = 12
"""Boxes that are tried: the sheets must miss the corners, or no document shows all conditions."""


def three_ray(u: Sequence[int | Fraction] = (1, 0), v: Sequence[int | Fraction] = (0, 1), slope: Sequence[int | Fraction] = (2, 3),
              constant: int | Fraction = 0, *, space: bool = False, limits: Limits | None = None) -> Construction:
    """Return three parameters of max(0, u.x, v.x) + slope.x + constant on a box around 0, or with `space` on R^d.

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
    added = Fraction(constant)
    if space:
        domain, networks = Domain.space(d), tuple(_assigned_on_space(k, first, second, rest, added) for k in range(3))
    else:
        domain, networks = _boxed(lambda box: tuple(_assigned(k, first, second, rest, added, box) for k in range(3)), d, limits)
    facts = {"function": {"u": [str(x) for x in first], "v": [str(x) for x in second], "slope": [str(x) for x in rest],
                          "constant": str(added)}}
    return _construction(networks, NAMES, domain, (first, second), facts, limits)


def single_reading(u: Sequence[int | Fraction] = (1, 0), v: Sequence[int | Fraction] = (0, 1), constant: int | Fraction = 0, *,
                   space: bool = False, limits: Limits | None = None) -> Construction:
    """Return two parameters of max(0, u.x, v.x) + constant, of (d, 2, 1, 1) on a box, or with `space` of (d, 2, 2, 1) on R^d.

    Raises:
        InputError: u and v are dependent, or of different length.

    >>> made = single_reading()
    >>> made.networks[0].architecture.widths, made.facts["layers_of_the_sheets"]["kink-u-v"]["u = v"]
    ((2, 2, 1, 1), [1])
    """
    first, second = ([Fraction(x) for x in row] for row in (u, v))
    d = len(first)
    if len(second) != d:
        raise InputError(f"u and v have {d} and {len(second)} entries; they need one number of inputs")
    if d < 2 or rank([primitive_integer([*row, Fraction(0)]) for row in (first, second)], d + 1) < 2:
        raise InputError("u and v must be linearly independent")
    added = Fraction(constant)

    def on_box(box: Box) -> tuple[Network, ...]:
        lifts = [Fraction(int(_reach(row, box)) + 1) for row in (second, first)]
        kink = [x - y for x, y in zip(first, second)]
        rows = [[kink, second], [[-x for x in kink], first]]
        return tuple(Network([pair, [[1, 1]], [[1]]], [[0, lift], [-lift], [added]]) for pair, lift in zip(rows, lifts))

    if space:
        domain, names = Domain.space(d), ("bends-at-u", "bends-at-v")
        networks = tuple(Network([[first, second], rows, [[1, 1]]], [[0, 0], [0, 0], [added]])
                         for rows in ([[0, 1], [1, -1]], [[1, 0], [-1, 1]]))
    else:
        (domain, networks), names = _boxed(on_box, d, limits), ("kink-u-v", "kink-v-u")
    facts = {"function": {"u": [str(x) for x in first], "v": [str(x) for x in second], "constant": str(added)}}
    return _construction(networks, names, domain, (first, second), facts, limits)


def _boxed(networks_on: Callable[[Box], tuple[Network, ...]], d: int, limits: Limits | None) -> tuple[Domain, tuple[Network, ...]]:
    """A box on which every sheet misses the corners, and networks whose carried rows are positive on it; else the first box."""
    meter = Meter(limits)
    tried: list[tuple[Domain, tuple[Network, ...]]] = []
    for k in range(BOXES):
        box = [(Fraction(-2 - i % 2) - Fraction(k * (i + 1), 7), Fraction(3 - i % 2) + Fraction(k * (2 * i + 3), 11)) for i in range(d)]
        domain, networks = Domain.box(d, box), networks_on(box)
        tried.append((domain, networks))
        complexes = (CanonicalComplex.build(network, domain, limits=meter.stage(200_000)) for network in networks)
        if all(BentHyperplanes(complex_).simple_with_walls for complex_ in complexes):
            return tried[-1]
    return tried[0]


def _construction(networks: tuple[Network, ...], names: tuple[str, ...], domain: Domain, forms: tuple[Row, Row], facts: dict[str, Any],
                  limits: Limits | None) -> Construction:
    """The claims: one function, inequivalent; the conditions that are violated; what the ridge shows."""
    claims = pairwise(networks, domain, limits)
    meter, failing, layers, ridges = Meter(limits), [], {}, []
    for name, network in zip(names, networks):
        complex_ = CanonicalComplex.build(network, domain, limits=meter.stage(200_000))
        report = genericity(complex_, meter)
        failing.append({"network": name, **{c: w.word for c, w in report.verdicts.items()}})
        claims.append(Claim(f"violated-{name}", f"{name} {_violated(report)}", report.certificate))
        shown = dependency_report(complex_)
        ridges.append(len(shown.graph.pictures.ambiguous))
        layers[name] = _layers(shown, forms)
    if len(set(map(bool, ridges))) != 1:
        raise InvariantError("one function whose ridges are ambiguous in one parameter only")
    return Construction("three-ray", networks, domain, tuple(claims), {
        "conditions": failing, "ambiguous_ridges": ridges, "readings_of_the_ridge": 3 if all(ridges) else 1,
        "layers_of_the_sheets": layers, **facts}, names)


def _violated(report: GenericityReport) -> str:
    """The conditions that fail; those that its document does not show are said to be decided by the engine only."""
    broken = {c: w.certificate for c, w in report.verdicts.items() if isinstance(w, Fails)}
    document = report.certificate
    if document is None or document.kind == "complex":
        return f"violates: {', '.join(broken)}"
    shown = [c for c, own in broken.items() if own is document]
    others = [c for c in broken if c not in shown]
    return f"violates: {', '.join(shown)}" + (f" (without a document: {', '.join(others)})" if others else "")


def _layers(report: DependencyReport, forms: tuple[Row, Row]) -> dict[str, list[int]]:
    """For each of the three sheets at an ambiguous ridge the layers of the neurons that bend all along its class."""
    graph, out = report.graph, {}
    u, v = forms
    rows = [[x - y for x, y in zip(u, v)], v, u]
    names = {signless_row([*row, Fraction(0)]): name for row, name in zip(rows, SHEETS)}
    for ridge in graph.pictures.ambiguous.tolist():
        for facet in graph.function.ridges[ridge].tolist():
            constant, *weights = graph.function.facet_rows[facet].tolist()
            name = names[signless_row([*map(Fraction, weights), Fraction(constant)])]
            out[name] = sorted({neuron.layer for neuron in report.class_neurons[int(graph.label[facet])]})
    return dict(sorted(out.items()))


def three_ray_of(architecture: Architecture | None, seed: int, *, limits: Limits | None = None) -> Construction:
    """Return the classical example for seed 0 on two inputs, else random slopes, for the architectures of this file.

    Raises:
        InputError: another architecture.
    """
    widths = (2, 3, 2, 1) if architecture is None else architecture.widths
    single = widths[1:] in ((2, 1, 1), (2, 2, 1))
    boxed, spaced = widths[1:] in ((3, 2, 1), (4, 2, 1)), widths[1:] in ((5, 3, 1), (7, 3, 1))
    if widths[0] < 2 or not (boxed or spaced or single) or (widths[0] == 2 and widths[1] in (4, 7)):
        raise InputError("three rays have the architectures (d, 3, 2, 1), d >= 2, and (d, 4, 2, 1), d >= 3, on a box; (d, 5, 3, 1) and "
                         f"(d, 7, 3, 1) on R^d; (d, 2, 1, 1) on a box and (d, 2, 2, 1) on R^d with one reading; not {widths}")
    if single:
        return _single_of(widths, seed, limits)
    if seed == 0 and widths[0] == 2:
        return three_ray(space=spaced, limits=limits)
    rng, d = Random(f"three rays {widths} {seed}"), widths[0]
    while True:
        u, v, w = ([rng.randint(-4, 4) for _ in range(d)] for _ in range(3))
        a, b = rng.randint(-3, 3), rng.randint(-3, 3)
        slope = [a * x + b * y for x, y in zip(u, v)] if widths[1] in (3, 5) else w
        if rank([u, v], d) == 2 and rank([u, v, slope], d) == (2 if widths[1] in (3, 5) else 3):
            return three_ray(u, v, slope, rng.randint(-5, 5), space=spaced, limits=limits)


def _single_of(widths: tuple[int, ...], seed: int, limits: Limits | None) -> Construction:
    space, d = widths[2] == 2, widths[0]
    if seed == 0 and d == 2:
        return single_reading(space=space, limits=limits)
    rng = Random(f"three rays {widths} {seed}")
    while True:
        u, v = ([rng.randint(-4, 4) for _ in range(d)] for _ in range(2))
        if rank([u, v], d) == 2:
            return single_reading(u, v, rng.randint(-5, 5), space=space, limits=limits)


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


def _assigned(case: int, u: Row, v: Row, slope: Row, constant: Fraction, box: Box) -> Network:
    kink, weights, rest = _parts(case, u, v, slope)
    a, b, residual = _combination(u, v, rest)
    carriers = [u, v, *([residual] if any(residual) else [])]
    lifts = [Fraction(int(_reach(row, box)) + 1) for row in carriers]  # carried rows are at least 1 on the box
    levels = [a, b, *([Fraction(1)] if any(residual) else [])]
    carried = int(_reach(rest, box)) + 1
    maximum = [*weights, *[Fraction(0)] * (len(carriers) - 2)]
    one = -sum((w * lift for w, lift in zip(maximum[1:], lifts)), Fraction(0))
    two = carried - sum((w * lift for w, lift in zip(levels, lifts)), Fraction(0))
    second = [maximum, [Fraction(0), *levels]]
    return Network([[kink, *carriers], second, [[1, 1]]], [[Fraction(0), *lifts], [one, two], [constant - carried]])


def _reach(row: Row, box: Box) -> Fraction:
    """A bound of the absolute value of a linear form on the box."""
    return sum((abs(x) * max(-low, high) for x, (low, high) in zip(row, box)), Fraction(0))


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
