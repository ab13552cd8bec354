"""Two hidden layers: recovered exactly and certified where the parameter is proved the only one; never a wrong network certified."""

from __future__ import annotations

from contextlib import suppress
from fractions import Fraction
from typing import Any

import pytest

from exactrelu import CanonicalComplex, Domain, Network, equal, equivalent
from exactrelu.certification.checked_conditions import two_layer_conditions
from exactrelu.complexes.function_complex import function_complex
from exactrelu.dependency.dependency_graph import dependency_graph
from exactrelu.errors import InputError
from exactrelu.extraction.comparison import CELL_PROMISE
from exactrelu.extraction.extract import Extraction, extract
from exactrelu.extraction.oracle import CallableOracle
from exactrelu.network.architecture import Architecture
from exactrelu.network.trivial_symmetry import TrivialSymmetry
from tests.extraction.drawn_networks import crossing_network
from tests.slabs import integer_network, slab_domain, slab_network

Widths = tuple[int, ...]
BOX, SPACE = "box", "space"

CROSSING: dict[tuple[Widths, str], list[int]] = {
    ((2, 2, 2, 1), BOX): [66, 162, 262, 503], ((2, 2, 2, 1), SPACE): [66, 162, 262, 503],
    ((2, 3, 2, 1), BOX): [111], ((2, 3, 2, 1), SPACE): [106, 111],
    ((2, 2, 3, 1), BOX): [128, 237, 249, 253], ((2, 2, 3, 1), SPACE): [2, 128],
    ((3, 2, 2, 1), BOX): [19, 61, 73, 104, 109, 136, 163, 170, 175], ((2, 3, 3, 1), SPACE): [35],
    ((2, 2, 2, 2), BOX): [43, 99, 171, 195, 246, 269, 277, 383], ((2, 2, 2, 2), SPACE): [43, 99, 171, 182, 195, 244, 246, 269, 277],
    ((3, 2, 2, 2), BOX): [709, 888, 949, 954, 1036, 1163, 1229, 1320, 1321], ((3, 2, 3, 1), BOX): [665, 700, 833, 869, 922, 1068],
    ((2, 3, 2, 2), BOX): [979, 1270, 1360], ((2, 3, 2, 2), SPACE): [836, 979],
    ((2, 2, 4, 1), BOX): [698, 848, 899, 912], ((2, 2, 4, 1), SPACE): [668, 689, 698, 702, 703, 733, 738, 752, 848, 899, 912],
    ((2, 3, 3, 2), BOX): [989], ((2, 3, 3, 2), SPACE): [719]}
"""Draws that the criterion for two layers certifies, by widths and domain; the tests check that it does."""

DRAWS = [(widths, where, seed) for (widths, where), seeds in CROSSING.items() for seed in seeds]
SLABS = [(widths, seed) for widths in ((2, 2, 2, 1), (3, 2, 2, 1), (2, 2, 3, 1), (2, 2, 2, 2), (2, 2, 3, 2), (3, 2, 3, 1), (2, 2, 4, 1))
         for seed in range(9)]
WIDE_SLABS = [(widths, seed) for widths in ((2, 3, 2, 1), (2, 3, 3, 1), (3, 3, 2, 2), (2, 4, 3, 1), (3, 4, 4, 1)) for seed in range(5)]


def domain_of(widths: Widths, where: str) -> Domain:
    return Domain.box(widths[0], [(-6, 6)]) if where == BOX else Domain.space(widths[0])


def recovered(network: Network, domain: Domain, seed: int) -> Extraction:
    """Extract; certified, and one network, which is the one behind the oracle."""
    found = extract(CallableOracle(network), network.architecture, domain, seed=seed)
    assert (found.verdict, found.label) == ("reconstructed", "certified"), found.reason
    assert len(found.candidates) == 1 and found.promise == CELL_PROMISE
    assert equivalent(network, found.candidates[0]).verdict == "equivalent"
    assert equal(network, found.candidates[0], domain).verdict == "equal"
    return found


def never_wrong(network: Network, architecture: Widths, domain: Domain, seed: int) -> Extraction:
    """Extract for an architecture that may be wrong: whatever is certified has the function of the oracle."""
    found = extract(CallableOracle(network), Architecture(architecture), domain, seed=seed)
    assert found.candidates or found.reason
    for other in found.candidates:
        assert equal(network, other, domain).verdict == "equal", (found.label, found.reason)
    return found


@pytest.mark.parametrize("widths, seed", SLABS[::16])
def test_slabs(widths: Widths, seed: int) -> None:
    recovered(slab_network(widths, seed), slab_domain(widths[0]), seed)


@pytest.mark.parametrize("widths, where, seed", DRAWS[1::16])
def test_draws(widths: Widths, where: str, seed: int) -> None:
    recovered(crossing_network(widths, seed), domain_of(widths, where), seed)


@pytest.mark.slow
@pytest.mark.parametrize("widths, seed", SLABS)
def test_all_slabs(widths: Widths, seed: int) -> None:
    recovered(slab_network(widths, seed), slab_domain(widths[0]), seed)


@pytest.mark.slow
@pytest.mark.parametrize("widths, where, seed", DRAWS)
def test_all_draws(widths: Widths, where: str, seed: int) -> None:
    network, domain = crossing_network(widths, seed), domain_of(widths, where)
    complex_ = CanonicalComplex.build(network, domain)
    assert two_layer_conditions(complex_, dependency_graph(function_complex(complex_))).word == "holds"
    recovered(network, domain, seed)


@pytest.mark.slow
@pytest.mark.parametrize("widths, seed", WIDE_SLABS)
def test_wide_slabs(widths: Widths, seed: int) -> None:
    """Certified wherever the criterion holds; otherwise nothing wrong."""
    network, domain = slab_network(widths, seed), slab_domain(widths[0])
    complex_ = CanonicalComplex.build(network, domain)
    if two_layer_conditions(complex_, dependency_graph(function_complex(complex_))).word == "holds":
        recovered(network, domain, seed)
    else:
        never_wrong(network, widths, domain, seed)


def test_the_scaling_of_the_network_does_not_matter() -> None:
    network = slab_network((2, 2, 2, 1), 3)
    scaled = TrivialSymmetry([[1, 0], [1, 0]], [["1/3", 7], ["22/7", "1/1000003"]]).act(network)
    recovered(scaled, slab_domain(2), 1)


def test_sheets_that_coincide_behind_a_wall() -> None:
    """Two second-layer sheets through one point of a wall that go on as one: not supertransversal, yet the only parameter."""
    recovered(slab_network((2, 2, 3, 1), 3), slab_domain(2), 3)


@pytest.mark.parametrize("hidden, asked", [((2, 2, 3, 1), (2, 2, 2, 1)), ((2, 3, 2, 1), (2, 2, 2, 1)), ((2, 2, 2, 2, 1), (2, 2, 2, 1)),
                                           ((2, 2, 2, 1), (2, 4, 1)), ((2, 2, 2, 1), (2, 1, 2, 1)), ((2, 2, 2, 1), (2, 2, 1, 1))])
@pytest.mark.parametrize("seed", range(2))
def test_more_than_promised(hidden: Widths, asked: Widths, seed: int) -> None:
    found = never_wrong(slab_network(hidden, seed), asked, slab_domain(2), seed)
    assert found.verdict == "undecided"


@pytest.mark.slow
@pytest.mark.parametrize("hidden, asked", [((2, 2, 2, 1), (2, 2, 3, 1)), ((2, 2, 2, 1), (2, 3, 2, 1))])
def test_fewer_than_promised(hidden: Widths, asked: Widths) -> None:
    assert never_wrong(slab_network(hidden, 1), asked, slab_domain(2), 1).label != "certified"


@pytest.mark.parametrize("hidden, asked", [((2, 3, 1), (2, 3, 2, 1)), ((2, 2, 1), (2, 2, 2, 1))])
def test_one_layer_for_two(hidden: Widths, asked: Widths) -> None:
    assert never_wrong(integer_network(hidden, 1), asked, Domain.box(2, [(-6, 6)]), 1).label != "certified"


@pytest.mark.slow
@pytest.mark.parametrize("widths", [(2, 2, 2, 1), (3, 3, 2, 1), (2, 3, 3, 2)])
@pytest.mark.parametrize("where", [BOX, SPACE])
def test_small_integers(widths: Widths, where: str) -> None:
    """Mostly degenerate: dead neurons, twins, cancellations.  Nothing wrong is handed out."""
    never_wrong(integer_network(widths, 2, 2), widths, domain_of(widths, where), 1)


@pytest.mark.parametrize("bump", [Fraction(1, 8)])
def test_a_bump_in_a_corner(bump: Fraction) -> None:
    """One more neuron that is on in a corner of the square only: it is met by the points compared, so nothing is certified."""
    network = slab_network((2, 2, 2, 1), 0)

    def function(x: Any) -> list[Fraction]:
        return [network(x)[0] + max(Fraction(0), x[0] + x[1] - 10 + bump)]
    assert extract(CallableOracle(function), network.architecture, slab_domain(2)).verdict == "undecided"


@pytest.mark.parametrize("every", [50, 300])
def test_an_oracle_that_lies_now_and_then(every: int) -> None:
    network, count, label = slab_network((2, 2, 2, 1), 0), [0], ""

    def function(x: Any) -> list[Fraction]:
        count[0] += 1
        return [network(x)[0] + int(count[0] % every == every - 1)]
    with suppress(InputError):                              # mostly it is caught contradicting itself
        label = extract(CallableOracle(function), network.architecture, slab_domain(2)).label
    assert label == ""
