"""Exchanges, reflected clips, three rays, narrow and ambiguous parameters: one function, inequivalent, complete where claimed."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations
from random import Random

import pytest

from exactrelu.certificates.verdict import Holds
from exactrelu.certification.certify import certify
from exactrelu.complexes.canonical_complex import CanonicalComplex
from exactrelu.constructions.ambiguous import ambiguous
from exactrelu.constructions.clip_reflection import clip_reflection, reflections
from exactrelu.constructions.construction import Construction
from exactrelu.constructions.exchange import exchange, exchanged, exchanged_pair
from exactrelu.constructions.narrow import narrow
from exactrelu.constructions.three_ray import single_reading, three_ray, three_ray_of
from exactrelu.dependency.report import dependency_of_network
from exactrelu.equivalence.decide import equality
from exactrelu.errors import BudgetExceeded, InputError
from exactrelu.examples import example
from exactrelu.genericity.geometry import Geometry
from exactrelu.genericity.supertransversality import supertransversality
from exactrelu.limits import Limits
from exactrelu.network.architecture import Architecture
from exactrelu.network.forward import value
from exactrelu.network.network import Network
from exactrelu.network.trivial_symmetry import equivalent
from exactrelu.polyhedra.domain import Domain


def one_function(made: Construction) -> None:
    for a, b in combinations(made.networks, 2):
        assert equality(a, b, made.domain).verdict == "equal"
        assert equivalent(a, b).word == "fails"


@pytest.mark.parametrize("seed", range(6))
def test_exchanges(seed: int) -> None:
    made = exchange(seed=seed)
    one_function(made)
    assert made.facts["complete"]
    found = certify(made.networks[0], made.domain)
    assert found.fiber is not None and len(found.fiber) == 2


@pytest.mark.parametrize("widths", [(2, 2, 2, 1), (2, 2, 2, 3), (4, 2, 2, 1), (2, 2, 2, 2, 1), (3, 2, 2, 4, 2), (2, 3, 2, 2, 1)])
@pytest.mark.parametrize("seed", range(5))
def test_the_identity_of_exchanges_holds_everywhere(widths: tuple[int, ...], seed: int) -> None:
    """Not only on the box: on all of R^d, at random points far away too, and by the split tree."""
    rng = Random(seed)
    a, b = exchanged_pair(Architecture(widths), rng)
    assert equality(a, b, Domain.space(widths[0])).verdict == "equal"
    for scale in (1, 10, 1000):
        point = [rng.randint(-scale, scale) for _ in range(widths[0])]
        assert value(a, point) == value(b, point)


@pytest.mark.parametrize(("widths", "layer"), [((2, 2, 2, 2, 1), 1), ((2, 2, 2, 3, 1), 1), ((2, 3, 2, 2, 1), 2), ((3, 2, 2, 1, 2), 1)])
def test_exchanges_within_deeper_networks(widths: tuple[int, ...], layer: int) -> None:
    made = exchange(Architecture(widths), 1)
    one_function(made)
    assert made.facts["layers"] == [layer, layer + 1]
    a, b = made.networks
    assert a.weights[:layer - 1] == b.weights[:layer - 1] and a.weights[layer - 1] != b.weights[layer - 1]


def test_the_first_exchange_that_was_found() -> None:
    """alpha, beta, gamma, delta = 4, 3, 1, 4 and p = -x + y - 2, q = x + 3 y + 1."""
    weights, biases, other_weights, other_biases = exchanged([[-1, 1, -2], [1, 3, 1]], (4, 3, 1, 4), [[1, 4, -1]])
    made = (Network(weights, biases), Network(other_weights, other_biases))
    shown = example("layer-exchange").networks
    assert all(any(equivalent(a, b).word == "holds" for b in shown) for a in made)
    with pytest.raises(InputError, match="gamma"):
        exchanged([[1, 0, 0], [0, 1, 0]], (1, 1, 2, 1), [[1, 1, 0]])


@pytest.mark.parametrize(("widths", "count"), [((2, 1, 1, 1), 2), ((1, 2, 2, 1), 4), ((2, 2, 2, 2), 4), ((3, 3, 3, 1), 8)])
def test_clips(widths: tuple[int, ...], count: int) -> None:
    made = clip_reflection(Architecture(widths), 3)
    assert len(made.networks) == count
    one_function(made)


@pytest.mark.parametrize("seed", range(10))
def test_reflections_agree_everywhere(seed: int) -> None:
    rng = Random(seed)
    widths = rng.choice(((1, 1, 1, 1), (1, 3, 3, 2), (2, 2, 2, 1), (3, 4, 4, 1)))
    networks = reflections(Architecture(widths), rng)
    for _ in range(30):
        point = [rng.randint(-20, 20) for _ in range(widths[0])]
        assert len({value(network, point) for network in networks}) == 1


def test_three_rays_compute_the_maximum() -> None:
    made = three_ray((1, 2), (3, "-1/2"), (5, 0), 7)
    one_function(made)
    inside = [(x, y) for x in range(-4, 5) for y in range(-4, 5) if made.domain.contains([Fraction(x), Fraction(y)])]
    assert len(inside) == 36
    for x, y in inside:
        want = max(0, x + 2 * y, 3 * x - Fraction(y, 2)) + 5 * x + 7
        assert all(value(network, [x, y]) == (want,) for network in made.networks)


@pytest.mark.parametrize(("widths", "seed"), [((2, 3, 2, 1), 0), ((2, 3, 2, 1), 5), ((3, 3, 2, 1), 1), ((3, 4, 2, 1), 1), ((2, 5, 3, 1), 0),
                                              ((2, 5, 3, 1), 2), ((3, 7, 3, 1), 1)])
def test_three_rays_have_three_readings(widths: tuple[int, ...], seed: int) -> None:
    made = three_ray_of(Architecture(widths), seed)
    one_function(made)
    assert made.facts["readings_of_the_ridge"] == 3
    assert all(network.architecture.widths == widths for network in made.networks)
    graph = dependency_of_network(made.networks[0], made.domain).graph
    assert graph.classes == 3 and not graph.arcs
    broken = {c for conditions in made.facts["conditions"] for c, word in conditions.items() if word == "fails"}
    assert "no_cancellation" in broken
    first = [{sheet for sheet, layers in sheets.items() if layers[0] == 1} for sheets in made.facts["layers_of_the_sheets"].values()]
    assert {"u = v"} <= first[0] and {"v = 0"} <= first[1] and {"u = 0"} <= first[2]
    if widths[1] in (3, 4):                                    # on a box: exactly one sheet, another one each time
        assert list(map(len, first)) == [1, 1, 1]
        kinds = {claim.certificate.kind for claim in made.claims[3:] if claim.certificate is not None}
        assert kinds == {"complex"}                            # one document shows all conditions, supertransversality included
        assert all(entry["supertransversality"] == entry["transparency"] == "holds" for entry in made.facts["conditions"])


@pytest.mark.parametrize(("widths", "seed"), [((2, 2, 1, 1), 0), ((2, 2, 1, 1), 4), ((4, 2, 1, 1), 1), ((2, 2, 2, 1), 0),
                                              ((3, 2, 2, 1), 2)])
def test_one_neuron_behind_has_one_reading(widths: tuple[int, ...], seed: int) -> None:
    made = three_ray_of(Architecture(widths), seed)
    one_function(made)
    assert [network.architecture.widths for network in made.networks] == [widths, widths]
    if widths[2] == 1:
        for sheets, conditions in zip(made.facts["layers_of_the_sheets"].values(), made.facts["conditions"]):
            assert sheets == {"u = 0": [2], "u = v": [1], "v = 0": [2]}
            assert conditions["transparency"] == "fails"
            assert conditions["supertransversality"] == conditions["no_cancellation"] == "holds"
    else:
        assert {entry["supertransversality"] for entry in made.facts["conditions"]} == {"fails"}


@pytest.mark.parametrize("widths", [(2, 1, 2, 1), (1, 1, 2, 1), (3, 1, 2, 2)])
@pytest.mark.parametrize("seed", range(3))
def test_narrow_and_identifiable(widths: tuple[int, ...], seed: int) -> None:
    made = narrow(Architecture(widths), seed)
    assert certify(made.network, made.domain).verdict == "identifiable"
    assert made.facts["functional_dimension"] == made.network.architecture.expected_dimension


@pytest.mark.parametrize("widths", [(2, 1, 1, 1), (3, 1, 1, 1), (2, 1, 1, 3)])
def test_narrow_with_two_classes(widths: tuple[int, ...]) -> None:
    made = narrow(Architecture(widths), 1)
    one_function(made)
    found = certify(made.networks[1], made.domain)
    assert found.verdict == "not-identifiable" and found.fiber is not None and len(found.fiber) == 2
    assert isinstance(found.tiers["local"], Holds)


@pytest.mark.parametrize("widths", [(2, 1, 1, 1), (2, 2, 3, 1), (2, 2, 2, 2, 1), (2, 3, 2, 1), (2, 3, 3, 2)])
def test_ambiguous_functions(widths: tuple[int, ...]) -> None:
    made = ambiguous(Architecture(widths))
    one_function(made)
    again = ambiguous(Architecture(widths))
    assert made.networks == again.networks
    for network in made.networks:
        assert isinstance(supertransversality(Geometry(CanonicalComplex.build(network, made.domain))), Holds)
        assert certify(network, made.domain).dimension.lower == network.architecture.expected_dimension


def test_requests_that_cannot_be_served() -> None:
    for widths in ((2, 3, 2, 1), (1, 2, 2, 1), (2, 2, 1)):
        with pytest.raises(InputError):
            exchange(Architecture(widths))
    for widths in ((2, 2, 3, 1), (2, 5, 5, 1), (2, 2, 1)):
        with pytest.raises(InputError):
            clip_reflection(Architecture(widths))
    for widths in ((1, 3, 2, 1), (2, 4, 2, 1), (2, 3, 2, 2)):
        with pytest.raises(InputError):
            three_ray_of(Architecture(widths), 0)
    with pytest.raises(InputError, match="independent"):
        three_ray((1, 2), (2, 4))
    with pytest.raises(InputError, match="independent"):
        three_ray((1,), (2,), (0,))
    with pytest.raises(InputError, match="entries"):
        three_ray((1, 2), (2, 4, 1))
    with pytest.raises(InputError, match="independent"):
        single_reading((1, 2), (-2, -4))
    with pytest.raises(InputError, match="independent"):
        single_reading((0, 0), (0, 1))
    with pytest.raises(InputError, match="bottleneck_report"):
        narrow(Architecture((2, 2, 1)))
    with pytest.raises(InputError, match="two hidden"):
        ambiguous(Architecture((2, 2, 1)))
    with pytest.raises(BudgetExceeded):
        ambiguous(Architecture((2, 2, 2, 1)), limits=Limits(max_seconds=0.01))
