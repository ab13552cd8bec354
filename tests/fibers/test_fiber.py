"""Fibers of known pairs of parameters: scope, membership, dimension, samples, exports; and the least widths of known functions."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from exactrelu import Domain, Limits, Network, equal, equivalent, fiber, minimal_width
from exactrelu.errors import BudgetExceeded, CertificateRejected, InputError
from exactrelu.fibers.semialgebraic.latex import latex
from exactrelu.fibers.semialgebraic.parameter_names import ParameterSpace
from exactrelu.fibers.semialgebraic.scaling_orbit import scaling_orbit
from exactrelu.fibers.semialgebraic.smtlib import smtlib
from exactrelu.network.trivial_symmetry import TrivialSymmetry
from tests.slabs import integer_network, slab_domain, slab_network

CASES = json.loads((Path(__file__).resolve().parents[1] / "data" / "fiber_cases.json").read_text())
EQUALITY = {case["name"]: case for case in CASES["equality"]}


def network_of(data: dict[str, Any]) -> Network:
    return Network(data["weights"], data["biases"])


def domain_of(case: dict[str, Any]) -> Domain | None:
    return None if case["box"] is None else Domain.box(len(case["box"]), [tuple(map(Fraction, pair)) for pair in case["box"]])


@pytest.mark.parametrize("name", EQUALITY)
def test_known_pairs(name: str) -> None:
    case = EQUALITY[name]
    theta, eta, domain = network_of(case["theta"]), network_of(case["eta"]), domain_of(case)
    assert equal(theta, eta, domain).verdict == ("equal" if case["equal"] else "different")
    if case["equal_on_space"] is not None:
        assert (equal(theta, eta).verdict == "equal") == case["equal_on_space"]
    if case["witness"] is not None:
        assert theta([Fraction(x) for x in case["witness"]]) != eta([Fraction(x) for x in case["witness"]])
    found = fiber(theta, domain)
    layers = theta.architecture.hidden_layers
    assert found.scope == ("all" if layers == 1 else "local")
    if case["orbits"] is not None:
        assert len(found.strata) == case["orbits"] and found.complete
    here = [s for s in found.strata if layers > 1 or s.part.contains(_as_in(s.part, theta))]
    if case["dimension"] is not None:
        best = max(s.dimension for s in (here or found.strata))
        if case["upper_bound_only"]:
            assert best > case["dimension"] and not any(s.exact for s in found.strata if s.dimension == best)
        else:
            assert best == case["dimension"] and all(s.exact for s in found.strata if s.dimension == best)
    if case["dimension_at_eta"] is not None:
        assert fiber(eta, domain).strata[0].dimension == case["dimension_at_eta"]


def _as_in(part: Any, network: Network) -> tuple[Fraction, ...]:
    return ParameterSpace(network.architecture).values(network)


def test_the_dimension_at_a_nearby_point_of_a_singular_fiber() -> None:
    eta = network_of(EQUALITY["active-block-singular-point"]["eta"])
    stratum = fiber(eta).strata[0]
    assert (stratum.dimension, stratum.exact) == (15, True)


def test_coincident_hyperplanes_are_not_counted_by_the_jacobian() -> None:
    """3/2 ReLU(x) - 1/2 ReLU(-x): parameters minus rank is 3, yet moving the two kinks apart changes f, so the fiber has dimension 2."""
    network = Network([[[1], [-1]], [["3/2", "-1/2"]]], [[0, 0], [0]])
    found = fiber(network)
    assert [(s.dimension, s.exact) for s in found.strata] == [(2, True)] and found.complete
    moved = Network([[[1], [-1]], [["3/2", "-1/2"]]], [[0, Fraction(1, 1 << 50)], [0]])
    assert equal(network, moved).verdict == "different"


@pytest.mark.parametrize("case", CASES["minimal_width"], ids=lambda case: str(case["name"]))
def test_known_least_widths(case: dict[str, Any]) -> None:
    if "network" in case:
        network = network_of(case["network"])
    else:
        slope = Fraction(case["slope"])
        weights = [[1] for _ in case["kinks"]] + [[1], [-1]]
        network = Network([weights, [[Fraction(g) for _, g in case["kinks"]] + [slope, -slope]]],
                          [[-Fraction(k) for k, _ in case["kinks"]] + [0, 0], [0]])
    found = minimal_width(network)
    assert (found.lower, found.upper, found.verdict) == (case["width"], case["width"], "exact")
    assert found.network is not None and found.network.architecture.hidden_widths == (case["width"],)
    assert equal(network, found.network).verdict == "equal"


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("bounded", [False, True])
def test_samples_have_the_function(seed: int, bounded: bool) -> None:
    network = integer_network((2, 3, 1), f"fiber {seed}", 2)
    domain = Domain.box(2, [(0, 1)]) if bounded else Domain.space(2)
    found = fiber(network, domain)
    drawn = found.samples(2 * len(found.strata), seed)[:12]
    assert drawn and all(equal(network, other, domain).verdict == "equal" for other in drawn)
    for k, other in enumerate(drawn):
        stratum = found.strata[k % len(found.strata)]
        assert stratum.part.contains(ParameterSpace(other.architecture).values(other))
        stratum.membership(other).verify()
        with pytest.raises(CertificateRejected, match="a relation does not hold"):
            stratum.membership(other.replaced(2, biases=[other.biases[1][0] + 1])).verify()


def test_search_for_all_parameters() -> None:
    network = slab_network((2, 2, 2, 1), 0)
    found = fiber(network, slab_domain(2), search=True)
    assert (found.scope, found.complete, found.method, len(found.strata)) == ("all", True, "complete search", 1)
    assert found.certificate is not None and found.strata[0].dimension_mod_scaling == 0
    drawn = found.samples(3)
    assert all(equivalent(network, other).verdict == "equivalent" and found.union.contains(ParameterSpace(other.architecture).values(other))
               for other in drawn)


def test_a_search_that_does_not_end_gives_the_local_system() -> None:
    found = fiber(network_of(EQUALITY["gl-block"]["theta"]), search=True)
    assert found.scope == "local" and found.complete


def test_an_affine_network() -> None:
    found = fiber(Network([[[1, 2]]], [[3]]))
    assert (found.scope, found.complete, found.strata[0].dimension, found.symmetries) == ("all", True, 0, ())


@pytest.mark.parametrize("widths", [(2, 2, 1), (2, 3, 2, 1), (1, 2, 2, 2, 1)])
def test_orbits_contain_scalings_only(widths: tuple[int, ...]) -> None:
    network = integer_network(widths, "orbit", 4)
    space, orbit = ParameterSpace(network.architecture), scaling_orbit(network)
    hidden = network.architecture.hidden_widths
    scaled = TrivialSymmetry([list(range(n)) for n in hidden], [[Fraction(k + 2, 3) for k in range(n)] for n in hidden]).act(network)
    assert orbit.contains(space.values(scaled)) and orbit.dimension_bound(space.values(network)) == network.architecture.hidden_neurons
    values = list(space.values(scaled))
    for i, x in enumerate(values):
        assert not orbit.contains([*values[:i], x + Fraction(1, 997), *values[i + 1:]]) or x == 0
        assert x == 0 or not orbit.contains([*values[:i], -x, *values[i + 1:]])


def test_orbits_need_rows() -> None:
    with pytest.raises(InputError, match="neuron 1 of layer 1 has a zero row"):
        scaling_orbit(Network([[[0]], [[1]]], [[0], [0]]))


def test_limits_and_variants() -> None:
    wide = Network([[[1]] * 30 + [[1], [-1]], [[1] * 30 + [3, -3]]], [[*range(30), 99, -99], [0]])
    found = fiber(wide, limits=Limits(max_seconds=1))
    assert found.verdict == "undecided" and "strata may be missing" in found.to_json()["reason"]
    with pytest.raises(BudgetExceeded):
        fiber(slab_network((2, 3, 3, 1), 0), limits=Limits(max_cells=2))
    with pytest.raises(InputError, match="output bias"):
        fiber(Network([[[1]], [[1]]], [[0], [1]]), biases="hidden")
    assert fiber(Network([[[1]], [[1]]], [[0], [0]]), biases="none").strata[0].dimension == 1


def test_exports() -> None:
    found = fiber(Network([[[1]], [[2]]], [[1], [0]]))
    script = smtlib(found.union)
    assert script.count("declare-const") == 4 and "(set-logic QF_NRA)" in script
    assert "W" in latex(found.union)
