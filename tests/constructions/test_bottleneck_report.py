"""The structure behind a layer of one neuron, against evaluation."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from random import Random

import pytest

from exactrelu.constructions.bottleneck_report import bottleneck_report
from exactrelu.errors import InputError
from exactrelu.network.forward import value
from exactrelu.network.network import Network
from exactrelu.polyhedra.domain import Domain


@pytest.mark.parametrize("seed", range(20))
@pytest.mark.parametrize("widths", [(1, 2, 1), (1, 3, 2), (1, 2, 2, 1), (1, 2, 1, 2, 1)])
def test_breaks_and_slopes_are_those_of_the_tail(seed: int, widths: tuple[int, ...]) -> None:
    rng = Random(seed)
    pairs = list(zip((2, *widths), widths))
    network = Network([[[rng.randint(-4, 4) for _ in range(m)] for _ in range(n)] for m, n in pairs],
                      [[rng.randint(-6, 6) for _ in range(n)] for _, n in pairs])
    report = bottleneck_report(network, Domain.space(2))
    k = report.layer
    tail = Network(network.weights[k:], network.biases[k:])
    places = [report.start, *(t for t, _ in report.breaks)]
    assert len(report.slopes) == (len(report.breaks) + 1 if report.start != report.end else 0)
    last = places[-1] + 7 if report.end is None else report.end
    for (a, b), slope in zip(zip(places, [*places[1:], last]), report.slopes):
        for u, v in ((a, b), ((2 * a + b) / 3, b), (a, (a + b) / 2)):
            rise = [y - x for x, y in zip(value(tail, [u]), value(tail, [v]))]
            assert rise == [s * (v - u) for s in slope]
    for before, (_, jump), after in zip(report.slopes, report.breaks, report.slopes[1:]):
        assert tuple(b - a for a, b in zip(before, after)) == jump and any(jump)


def test_the_constant_side_can_be_chosen_again() -> None:
    clip = Network([[[1, 2]], [[-1]], [[3]]], [[-1], [2], [1]])
    report = bottleneck_report(clip, Domain.box(2, [(-6, 6)]))
    assert report.orientations == ((-1,),)
    (other,) = report.parameters
    assert report.certificates[0].kind == "not-identifiable"
    report.certificates[0].verify()
    assert value(other.network, [3, 1]) == value(clip, [3, 1])


def test_an_identifiable_one_has_no_further_parameter() -> None:
    network = Network([[[1, 2]], [[1], [-1]], [[3, 5]]], [[-1], [-1, 2], [1]])
    report = bottleneck_report(network, Domain.box(2, [(-6, 7)]))
    assert report.parameters == () and report.orientations == ((1, -1),)


def test_no_such_layer() -> None:
    for network in (Network([[[1, 2], [0, 1]], [[1, 1]]], [[0, 0], [0]]), Network([[[1, 2]], [[1]]], [[0], [0]])):
        with pytest.raises(InputError, match="one neuron"):
            bottleneck_report(network)


def test_only_what_occurs_counts() -> None:
    """z runs from 1 to 7 on the box, so the break at 1/2 is not there, and that at 7 is at the end."""
    network = Network([[[1, 1]], [[2], [1], [-1]], [[1, 1, 4]]], [[4], [-1, -7, 3], [0]])
    report = bottleneck_report(network, Domain.box(2, [(-2, 2), (-1, 1)]))
    assert (report.start, report.end) == (1, 7)
    assert report.breaks == ((3, (4,)),) and report.slopes == ((-2,), (2,))
    assert report.orientations == ((-1,), (1,))                # two spare neurons carry any slope
    for _, certificate in zip(report.parameters, report.certificates, strict=True):
        certificate.verify()


def test_a_dead_or_constant_neuron_has_one_t() -> None:
    for row, bias, t in (([0, 0], 3, 3), ([0, 0], -3, 0), ([1, 0], -9, 0)):
        report = bottleneck_report(Network([[row], [[1], [-2]], [[1, 1]]], [[bias], [-1, 5], [0]]), Domain.box(2, [(-1, 1)]))
        assert report.start == report.end == t and report.breaks == report.slopes == ()
        assert report.orientations == ((),) and report.fields()["constant_at_end"]


def test_a_range_behind_a_wide_layer() -> None:
    """z = 3 - |x| on R: t in [0, 3], not more."""
    network = Network([[[1], [-1]], [[-1, -1]], [[1], [1]], [[1, -3]]], [[0, 0], [3], [-1, -4], [0]])
    report = bottleneck_report(network, Domain.space(1))
    assert report.layer == 2 and (report.start, report.end) == (0, 3)
    assert report.breaks == ((1, (1,)),)


def test_deep_tails_are_reflected() -> None:
    """The tail is 4 - t, then t, then 4 from t = 4 on, in two layers; it is constant for t < 0, so z can be reflected."""
    network = Network([[[1, 2]], [[1], [1]], [[1, -1], [-1, 1]], [[1, 2]]], [[0], [0, -4], [0, 2], [0]])
    report = bottleneck_report(network, Domain.box(2, [(-6, 6)]))
    assert report.breaks == ((2, (2,)), (4, (-1,))) and report.slopes == ((-1,), (1,), (0,)) and report.orientations is None
    assert report.fields()["constant_at_end"] and any("reflected" in parameter.reason for parameter in report.parameters)
    for parameter, certificate in zip(report.parameters, report.certificates, strict=True):
        certificate.verify()
        assert all(value(parameter.network, [x, y]) == value(network, [x, y]) for x in range(-6, 7) for y in (-6, 1, 6))
    increasing = Network([[[1, 2]], [[1], [1]], [[1, -1], [-1, 1]], [[1, 2]]], [[0], [0, -4], [-1, 2], [0]])
    assert bottleneck_report(increasing, Domain.box(2, [(-1, 1)])).fields()["constant_at_end"] is False


@pytest.mark.parametrize("seed", range(30))
def test_orientations_by_brute_force(seed: int) -> None:
    """Every sign vector is tried by solving for the constant and, with spare neurons, for one slope."""
    rng = Random(seed)
    width, outputs = rng.randint(1, 4), rng.randint(1, 2)
    network = Network([[[1]], [[rng.choice((-2, -1, 1, 2))] for _ in range(width)], [[rng.randint(-2, 2) for _ in range(width)]
                                                                                     for _ in range(outputs)]],
                      [[0], [rng.randint(-4, 4) for _ in range(width)], [0] * outputs])
    report = bottleneck_report(network, Domain.space(1))
    assert report.orientations is not None
    found, places = [], [t for t, _ in report.breaks]
    for signs in product((-1, 1), repeat=len(places)):
        def left(t: Fraction, q: int, signs: tuple[int, ...] = signs) -> Fraction:
            fan = sum((jump[q] * max(s * (t - p), Fraction(0)) for s, (p, jump) in zip(signs, report.breaks)), Fraction(0))
            return value(network, [t])[q] - fan
        ends = [Fraction(0), *places, (places[-1] if places else Fraction(0)) + 1]
        rises = [[left(b, q) - left(a, q) for q in range(outputs)] for a, b in zip(ends, ends[1:])]
        slopes = {tuple(rise / (b - a) for rise in row) for (a, b), row in zip(zip(ends, ends[1:]), rises)}
        assert len(slopes) == 1                                # what is left has no break
        if width > len(places) or not any(slopes.pop()):
            found.append(signs)
    assert report.orientations == tuple(sorted(found))
