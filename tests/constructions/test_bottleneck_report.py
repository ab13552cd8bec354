"""The structure behind a layer of one neuron, against evaluation."""

from __future__ import annotations

from fractions import Fraction
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
    places = [Fraction(0), *(t for t, _ in report.breaks)]
    if report.end is not None and report.end <= 0:
        return                                              # never active
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
