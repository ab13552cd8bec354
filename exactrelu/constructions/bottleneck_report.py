"""What a layer of one neuron does to a network: everything behind it is a function of one number.

If layer k < L has one neuron, z = z^(k), then f = g(max(0, z(x))), g a network of one input t >= 0, and zero sets of later layers are
level sets {t = c}.  They are disjoint from {z = 0}, so supertransversal parameters never have TPIC at layers k, k+1.  g is given
by its breaks and slopes on the t that occur, an interval whose ends are computed exactly.  f is constant where z <= 0; if g is
constant from tau on, f is constant at both ends and the constant side can be chosen again (z -> tau - z).  One hidden layer behind may
orient its breaks in several ways.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import chain, islice, product
from typing import Any

from exactrelu.arithmetic.rational import common_denominator
from exactrelu.arithmetic.subset_sums import subset_sums
from exactrelu.certificates.certificate import Certificate
from exactrelu.certificates.result import Result
from exactrelu.certification.second_parameter import proved
from exactrelu.certification.witnesses.candidate import SecondParameter
from exactrelu.certification.witnesses.ranges import Ranges
from exactrelu.certification.witnesses.single_source import single_sources
from exactrelu.certification.witnesses.univariate import FanNeuron, Univariate, Vector, fan_function
from exactrelu.complexes.canonical_complex import CanonicalComplex
from exactrelu.complexes.function_complex import function_complex
from exactrelu.equivalence.decide import equality
from exactrelu.errors import InputError
from exactrelu.identifiability.symmetry_bound.activity_facts import ActivityFacts
from exactrelu.limits import Limits, Meter
from exactrelu.network.architecture import Neuron
from exactrelu.network.network import Network
from exactrelu.network.trivial_symmetry import equivalent
from exactrelu.polyhedra.domain import Domain

MOST_CANDIDATES = 16
MOST_ORIENTATIONS = 256
ZERO = Fraction(0)


@dataclass(frozen=True, eq=False, repr=False)
class BottleneckReport(Result):
    """The structure behind a layer of one neuron.

    Attributes:
        layer: the last hidden layer k < L with one neuron.
        start, end: smallest and largest t that occur on the (closed) domain; end None: all t >= start.
        breaks: (t, jump of the slope of g), start < t < end.
        slopes: of g between the breaks, one more than breaks, the first behind the start; none if only one t occurs.
        orientations: sign vectors of the one hidden layer behind that realize g (in the order of the breaks, +1: active behind
            its break), neurons without a break taking what is left of the slope; None for deeper tails, and for more than
            `MOST_ORIENTATIONS`.
        parameters: further parameters with the same function, inequivalent to the given one and to each other.
        certificates: a document for each of them.
    """

    network: Network
    domain: Domain
    layer: int
    start: Fraction
    end: Fraction | None
    breaks: tuple[tuple[Fraction, tuple[Fraction, ...]], ...]
    slopes: tuple[tuple[Fraction, ...], ...]
    orientations: tuple[tuple[int, ...], ...] | None
    parameters: tuple[SecondParameter, ...]
    certificates: tuple[Certificate, ...]
    verdict = "bottleneck"

    def fields(self) -> dict[str, Any]:
        """Return the JSON fields."""
        return {"layer": self.layer, "start": str(self.start), "end": None if self.end is None else str(self.end),
                "breaks": [{"t": str(t), "jump": [str(x) for x in jump]} for t, jump in self.breaks],
                "slopes": [[str(x) for x in slope] for slope in self.slopes],
                "constant_at_start": not self.slopes or not any(self.slopes[0]),
                "constant_at_end": not self.slopes or not any(self.slopes[-1]),
                "orientations": None if self.orientations is None else [list(signs) for signs in self.orientations],
                "parameters": [{"reason": p.reason, "network": p.network.to_json()} for p in self.parameters]}


def bottleneck_report(network: Network, domain: Domain | None = None, *, limits: Limits | None = None) -> BottleneckReport:
    """Return what is behind the last layer of one neuron that is not the last hidden layer.

    Raises:
        InputError: there is no such layer.  DomainError: the domain is lower-dimensional.  BudgetExceeded: a limit was reached.

    >>> clip = Network([[[1, 2]], [[-1]], [[3]]], [[-1], [2], [1]])
    >>> report = bottleneck_report(clip, Domain.box(2, [(-6, 6)]))
    >>> [str(t) for t, _ in report.breaks], report.fields()["constant_at_end"], len(report.parameters)
    (['2'], True, 1)
    """
    domain = domain if domain is not None else Domain.space(network.architecture.inputs)
    hidden = network.architecture.hidden_layers
    layers = [k for k in range(1, hidden) if network.architecture.widths[k] == 1]
    if not layers:
        raise InputError(f"no hidden layer before the last of {network.architecture} has one neuron")
    k, meter = layers[-1], Meter(limits)
    low, end = _range(Network(network.weights[:k], network.biases[:k]), domain, meter)
    start = ZERO if low is None else max(low, ZERO)
    end = None if end is None else max(end, start)
    breaks: tuple[tuple[Fraction, Vector], ...] = ()
    slopes: list[Vector] = []
    if start != end:
        function = _tail_function(Network(network.weights[k:], network.biases[k:]), end, meter)
        before = [jump for t, jump in function.breaks if t <= start]
        breaks = tuple((t, jump) for t, jump in function.breaks if t > start)
        slopes.append(tuple(sum(column, ZERO) for column in zip(function.slope, *before)))
        for _, jump in breaks:
            slopes.append(tuple(a + b for a, b in zip(slopes[-1], jump)))
    orientations = _orientations(breaks, slopes[0] if slopes else (), network.architecture.widths[hidden]) if k == hidden - 1 else None
    every = chain(single_sources(network, Ranges(network, domain, ActivityFacts())), _reflections(network, k, breaks, slopes, start))
    parameters, documents = [], []
    for candidate in islice(_inequivalent(network, every, domain, meter), MOST_CANDIDATES):
        documents.append(proved(network, candidate, domain, limits))
        parameters.append(candidate)
    return BottleneckReport(network, domain, k, start, end, breaks, tuple(slopes), orientations, tuple(parameters), tuple(documents))


def _range(front: Network, domain: Domain, meter: Meter) -> tuple[Fraction | None, Fraction | None]:
    """Infimum and supremum of a network with one output on a domain; None: unbounded."""
    f = function_complex(CanonicalComplex.build(front, domain, limits=meter.stage(200_000)))
    values: list[Fraction] = []
    below = above = False
    for cell, maps in enumerate(f.maps.tolist()):
        directions = [(0, *v) for v in f.lineality] + [(0, *(-x for x in v)) for v in f.lineality]
        for g in [*f.cell_generators(cell), *directions]:
            value = sum(a * x for a, x in zip(maps[0], g))
            if g[0]:
                values.append(Fraction(value, f.denominator * g[0]))
            else:
                below, above = below or value < 0, above or value > 0
    return None if below else min(values), None if above else max(values)


def _orientations(breaks: Sequence[tuple[Fraction, Vector]], slope: Vector, width: int) -> tuple[tuple[int, ...], ...] | None:
    """Sign vectors of `width` neurons that realize the breaks and the slope before them.

    A neuron that is off behind its break contributes minus its jump to the slope before; without spare neurons these have to add up.
    """
    if width > len(breaks):
        every = product((1, -1), repeat=len(breaks))
    else:
        rows = [list(jump) for _, jump in breaks] + [list(slope)]
        scale = common_denominator([x for row in rows for x in row])
        *table, target = ([int(x * scale) for x in row] for row in rows)
        found = subset_sums(table, [-x for x in target])
        if found is None:
            return None
        every = (tuple(-1 if off else 1 for off in chosen) for chosen in found)  # type: ignore[assignment]  # an iterator of tuples too
    some = list(islice(every, MOST_ORIENTATIONS + 1))
    return None if len(some) > MOST_ORIENTATIONS else tuple(sorted(some))


def _reflections(network: Network, k: int, breaks: Sequence[tuple[Fraction, Vector]], slopes: Sequence[Vector],
                 start: Fraction) -> Iterator[SecondParameter]:
    """Yield the parameter with -z + tau in place of z, tau the last break, and the next layer reflected; equality is not known.

    Right where the tail, as a function of all real t, is constant on the t <= 0 that now occur (`single_sources` knows others).
    """
    if start or not breaks or any(slopes[-1]):
        return
    tau = breaks[-1][0]
    row, bias = network.weights[k - 1][0], network.biases[k - 1][0]
    moved = network.replaced(k, [[-x for x in row]], [tau - bias])
    rows, biases = network.weights[k], network.biases[k]
    yield SecondParameter("what is made of the layer is constant at both ends, so the layer can be reflected", (Neuron(k, 0),),
                          moved.replaced(k + 1, [[-w[0]] for w in rows], [b + w[0] * tau for w, b in zip(rows, biases)]), certain=False)


def _inequivalent(network: Network, candidates: Iterator[SecondParameter], domain: Domain, meter: Meter) -> Iterator[SecondParameter]:
    """Those that are equal to the network, inequivalent to it and to each other."""
    known = [network]
    for candidate in candidates:
        if any(equivalent(other, candidate.network).word != "fails" for other in known):
            continue
        if candidate.certain or equality(network, candidate.network, domain, limits=meter.stage(200_000)).verdict == "equal":
            known.append(candidate.network)
            yield candidate


def _tail_function(tail: Network, high: Fraction | None, meter: Meter) -> Univariate:
    """g on [0, high]."""
    if tail.architecture.hidden_layers == 1:
        columns = list(zip(*tail.weights[1]))
        return fan_function([FanNeuron(row[0], b, column) for row, b, column in zip(tail.weights[0], tail.biases[0], columns)], high)
    zero, end = Fraction(0), high if high is not None and high > 0 else None
    domain = Domain(1, ((zero, Fraction(1)), *(((end, Fraction(-1)),) if end is not None else ())))
    f = function_complex(CanonicalComplex.build(tail, domain, limits=meter.stage(200_000)))
    places = sorted({Fraction(-row[0], row[1]) for row in f.facet_rows.tolist()})
    ends = [zero, *places]
    inner = [(a + b) / 2 for a, b in zip(ends, places)] + [(ends[-1] + end) / 2 if end is not None else ends[-1] + 1]
    slopes = [_slope(tail, t, places) for t in inner]
    breaks = [(t, tuple(b - a for a, b in zip(before, after))) for t, before, after in zip(places, slopes, slopes[1:])]
    start = tuple(_value(tail, zero))
    return Univariate(start, slopes[0], tuple(breaks))


def _slope(tail: Network, t: Fraction, places: list[Fraction]) -> tuple[Fraction, ...]:
    step = min([abs(t - p) for p in places] + [t] + [Fraction(1)]) / 2
    return tuple((b - a) / step for a, b in zip(_value(tail, t), _value(tail, t + step)))


def _value(tail: Network, t: Fraction) -> tuple[Fraction, ...]:
    from exactrelu.network.forward import value

    return value(tail, [t])
