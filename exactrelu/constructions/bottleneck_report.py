"""What a layer of one neuron does to a network: everything behind it is a function of one number.

If layer k < L has one neuron, z = z^(k), then f = g(max(0, z(x))), g a network of one input t >= 0, and zero sets of later layers are
level sets {t = c}.  They are disjoint from {z = 0}, so supertransversal parameters never have TPIC at layers k, k+1.  g is given
by its breaks and slopes; where it is constant at both ends the constant side can be chosen again (t -> end - t), and one
hidden layer behind may orient its breaks in several ways.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import islice
from typing import Any

from exactrelu.certificates.certificate import Certificate
from exactrelu.certificates.result import Result
from exactrelu.certification.second_parameter import proved
from exactrelu.certification.witnesses.candidate import SecondParameter
from exactrelu.certification.witnesses.ranges import Ranges
from exactrelu.certification.witnesses.single_source import single_sources
from exactrelu.certification.witnesses.univariate import FanNeuron, Univariate, fan_function, fans
from exactrelu.complexes.canonical_complex import CanonicalComplex
from exactrelu.complexes.function_complex import function_complex
from exactrelu.errors import InputError
from exactrelu.identifiability.symmetry_bound.activity_facts import ActivityFacts
from exactrelu.limits import Limits, Meter
from exactrelu.network.architecture import Neuron
from exactrelu.network.network import Network
from exactrelu.network.trivial_symmetry import equivalent
from exactrelu.polyhedra.domain import Domain

MOST_CANDIDATES = 16


@dataclass(frozen=True, eq=False, repr=False)
class BottleneckReport(Result):
    """The structure behind a layer of one neuron.

    Attributes:
        layer: the last hidden layer k < L with one neuron.
        end: an upper bound of the t that occur, or None.
        breaks: (t, jump of the slope of g), 0 < t < end.
        slopes: of g between the breaks, one more than breaks; the first holds right of t = 0.
        orientations: sign vectors of the one hidden layer behind that realize g (in the order of the breaks, +1: active behind
            its break); None for deeper tails.
        parameters: further parameters with the same function, inequivalent to the given one and to each other.
        certificates: a document for each of them.
    """

    network: Network
    domain: Domain
    layer: int
    end: Fraction | None
    breaks: tuple[tuple[Fraction, tuple[Fraction, ...]], ...]
    slopes: tuple[tuple[Fraction, ...], ...]
    orientations: tuple[tuple[int, ...], ...] | None
    parameters: tuple[SecondParameter, ...]
    certificates: tuple[Certificate, ...]
    verdict = "bottleneck"

    def fields(self) -> dict[str, Any]:
        """Return the JSON fields."""
        return {"layer": self.layer, "end": None if self.end is None else str(self.end),
                "breaks": [{"t": str(t), "jump": [str(x) for x in jump]} for t, jump in self.breaks],
                "slopes": [[str(x) for x in slope] for slope in self.slopes],
                "constant_at_start": not any(self.slopes[0]), "constant_at_end": not any(self.slopes[-1]),
                "orientations": None if self.orientations is None else [list(signs) for signs in self.orientations],
                "parameters": [{"reason": p.reason, "network": p.network.to_json()} for p in self.parameters]}


def bottleneck_report(network: Network, domain: Domain | None = None, *, limits: Limits | None = None) -> BottleneckReport:
    """Return what is behind the last layer of one neuron that is not the last hidden layer.

    Raises:
        InputError: there is no such layer.

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
    ranges = Ranges(network, domain, ActivityFacts())
    _, high = ranges.preactivation(Neuron(k, 0))
    function = _tail_function(Network(network.weights[k:], network.biases[k:]), high, meter)
    slopes = [function.slope]
    for _, jump in function.breaks:
        slopes.append(tuple(a + b for a, b in zip(slopes[-1], jump)))
    orientations = None
    if k == hidden - 1:
        width = network.architecture.widths[hidden]
        found = [tuple(1 if n.weight > 0 else -1 for n in fan[:len(function.breaks)]) for fan, _ in islice(fans(function, width), 64)]
        orientations = tuple(sorted(set(found)))
    parameters, documents = [], []
    for candidate in islice(_inequivalent(network, single_sources(network, ranges)), MOST_CANDIDATES):
        documents.append(proved(network, candidate, domain, limits))
        parameters.append(candidate)
    return BottleneckReport(network, domain, k, high, function.breaks, tuple(slopes), orientations, tuple(parameters), tuple(documents))


def _inequivalent(network: Network, candidates: Iterator[SecondParameter]) -> Iterator[SecondParameter]:
    known = [network]
    for candidate in candidates:
        if all(equivalent(other, candidate.network).word == "fails" for other in known):
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
