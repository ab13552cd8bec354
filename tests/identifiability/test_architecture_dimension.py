"""Sampling an architecture: the certificate of the best parameter, the histogram, and limits."""

from __future__ import annotations

import random
from itertools import product

import pytest

from exactrelu.errors import BudgetExceeded, InputError
from exactrelu.identifiability.architecture_dimension import architecture_dimension, pinned_draw
from exactrelu.identifiability.functional_dimension import functional_dimension
from exactrelu.limits import Limits
from exactrelu.network.architecture import Architecture
from exactrelu.network.forward import sign_vector
from exactrelu.polyhedra.domain import Domain


@pytest.mark.parametrize("widths", [(1, 1), (2, 2, 1), (1, 2, 1), (2, 2, 2, 1)])
def test_the_best_parameter(widths: tuple[int, ...]) -> None:
    architecture, domain = Architecture(widths), Domain.space(widths[0])
    found = architecture_dimension(architecture, domain, samples=12, seed=1)
    written = found.to_json()
    assert sum(found.histogram.values()) == found.samples <= 12 and max(found.histogram) == found.lower
    assert found.hits == found.histogram[found.lower] and found.exact == (found.lower == architecture.expected_dimension)
    assert written["verdict"] == found.verdict == ("exact" if found.exact else "undecided")
    assert written["functional_dimension"] == functional_dimension(found.best.complex.network, domain).lower
    found.certificate.verify()
    assert found.certificate.claim["network"] == found.best.complex.network.claim()


def test_the_search_stops_at_the_top_and_repeats_itself() -> None:
    found = [architecture_dimension(Architecture((2, 2, 1)), Domain.space(2), seed=3).to_json() for _ in range(2)]
    assert found[0] == found[1] and found[0]["samples"] < 100 and found[0]["exact"]


def test_an_unreachable_dimension_stays_undecided() -> None:
    """Three layers of one neuron make a clipped ramp: two breakpoints, a slope and a level, one less than N - H = 5."""
    found = architecture_dimension(Architecture((1, 1, 1, 1, 1)), Domain.space(1), samples=40)
    assert (found.architecture.expected_dimension, found.samples) == (5, 40)
    assert found.lower <= 4 and not found.exact and found.verdict == "undecided"


@pytest.mark.parametrize("samples", [0, -1])
def test_no_samples(samples: int) -> None:
    with pytest.raises(InputError, match="samples must be a positive"):
        architecture_dimension(Architecture((1, 1)), Domain.space(1), samples=samples)


def test_limits_before_the_first_parameter() -> None:
    with pytest.raises(BudgetExceeded, match="max_cells=1"):
        architecture_dimension(Architecture((2, 2, 1)), Domain.space(2), limits=Limits(max_cells=1))


def test_the_histogram_counts_all_samples_when_asked() -> None:
    found = architecture_dimension(Architecture((2, 2, 1)), Domain.space(2), samples=20, stop=False)
    assert found.samples == 20 and found.exact


@pytest.mark.parametrize("widths", [(1, 2, 1), (2, 3, 2, 1)])
def test_pinned_neurons_vanish_somewhere_in_the_box(widths: tuple[int, ...]) -> None:
    """Seen from the definition: each neuron changes sign, or vanishes, on the integer points of the box."""
    architecture = Architecture(widths)
    for seed in range(20):
        network = pinned_draw(architecture, 2, random.Random(seed))
        words = [sign_vector(network, list(x)) for x in product(range(-2, 3), repeat=widths[0])]
        assert all(0 in column for column in zip(*words))
