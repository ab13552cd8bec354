"""Near theta the solutions of the region equations are the parameters with its function, wherever this is claimed."""

from __future__ import annotations

from fractions import Fraction
from random import Random

import pytest

from exactrelu import CanonicalComplex, Domain, Limits, Network, equal
from exactrelu.errors import BudgetExceeded
from exactrelu.fibers.deep.local_fiber import LocalFiber, local_fiber
from exactrelu.fibers.deep.local_system import LocalSystem
from exactrelu.fibers.semialgebraic.parameter_names import ParameterSpace
from exactrelu.identifiability.functional_dimension import functional_dimension
from exactrelu.limits import Meter
from tests.fibers.deep.test_local_constancy import drawn
from tests.slabs import slab_domain, slab_network

Widths = tuple[int, ...]
SIZES: list[Widths] = [(1, 2, 1), (2, 2, 1), (2, 2, 2, 1), (2, 3, 2, 1), (3, 2, 2, 1), (2, 2, 2, 2, 1), (2, 3, 3, 1)]


def domain_of(widths: Widths, bounded: bool) -> Domain:
    return Domain.box(widths[0], [(-2, 2)]) if bounded else Domain.space(widths[0])


def members(near: LocalFiber, network: Network, other: Network) -> bool:
    return near.stratum.part.contains(ParameterSpace(network.architecture).values(other))


def small_changes(network: Network, near: LocalFiber, rng: Random) -> list[Network]:
    """Changes of single parameters by 2^-40, and the solutions that a linear change of two parameters gives."""
    space = ParameterSpace(network.architecture)
    theta, out = list(space.values(network)), []
    step = Fraction(rng.choice((-1, 1)), 1 << 40)
    for i in range(len(theta)):
        out.append(space.network([x + step * (j == i) for j, x in enumerate(theta)]))
    first, second = rng.sample(range(len(theta)), 2)
    for factor in (-2, -1, 1, 2):
        out.append(space.network([x + step * ((j == first) + factor * (j == second)) for j, x in enumerate(theta)]))
    return out


def check_changes(network: Network, domain: Domain, seed: int) -> tuple[int, int]:
    """Equations hold iff the functions are equal, where the fiber is claimed; equal functions satisfy them in any case."""
    near = local_fiber(network, domain)
    assert members(near, network, network)
    same = changed = 0
    for other in small_changes(network, near, Random(seed)):
        inside = members(near, network, other)
        agrees = equal(network, other, domain).verdict == "equal"
        if near.complete:
            assert inside == agrees, (network, other)
        elif agrees:
            assert inside, (network, other)
        same, changed = same + agrees, changed + (not agrees)
    return same, changed


@pytest.mark.parametrize("widths", SIZES)
@pytest.mark.parametrize("bounded", [True, False])
def test_proposition_on_small_changes(widths: Widths, bounded: bool) -> None:
    _, changed = map(sum, zip(*(check_changes(drawn(widths, 3, seed), domain_of(widths, bounded), seed) for seed in range(2))))
    assert changed


@pytest.mark.slow
@pytest.mark.parametrize("widths", SIZES)
@pytest.mark.parametrize("bounded", [True, False])
def test_proposition_on_many_small_changes(widths: Widths, bounded: bool) -> None:
    same, changed = map(sum, zip(*(check_changes(drawn(widths, 3, seed), domain_of(widths, bounded), seed) for seed in range(2, 14))))
    assert same and changed


def test_equations_without_persistence() -> None:
    """The second layer touches 0: a parameter satisfies all equations, is as near as one likes, and has another function."""
    theta = Network([[[1], [-1]], [[2, 1]], [[1]]], [[0, 1], [-1], [0]])
    near = local_fiber(theta, Domain.space(1))
    assert not near.complete and not near.stratum.exact
    assert near.note.startswith("parameters near theta: the equations are necessary; whether they suffice is open, as ")
    for exponent in (7, 40):
        other = theta.replaced(2, biases=[-1 - Fraction(1, 1 << exponent)]).replaced(3, biases=[Fraction(1, 1 << exponent)])
        assert members(near, theta, other)
        assert equal(theta, other).witness.to_json()["point"] == ["0"]


@pytest.mark.parametrize("widths", [(2, 2, 2, 1), (2, 2, 2, 2, 1), (3, 2, 3, 1)])
def test_slabs_are_isolated_up_to_scaling(widths: Widths) -> None:
    near = local_fiber(slab_network(widths, 1), slab_domain(widths[0]))
    assert near.complete and near.stratum.exact and near.stratum.dimension_mod_scaling == 0
    assert near.stratum.part.dimension_bound(ParameterSpace(near.stratum.sample.architecture).values(near.stratum.sample)) \
        == near.stratum.dimension
    assert near.union.scope == "local" and near.union.complete and len(near.symmetries) == sum(widths[1:-1])


@pytest.mark.parametrize("widths", SIZES)
def test_rank_of_the_equations_is_the_functional_dimension(widths: Widths) -> None:
    for seed in range(4):
        network = drawn(widths, 9, seed)
        system = LocalSystem(CanonicalComplex.build(network), Meter())
        rank = system.basic_set.jacobian_rank(system.space.values(network))
        assert rank == functional_dimension(network, Domain.space(widths[0])).lower


def test_an_always_active_neuron() -> None:
    """On a box where the only neuron is active f is affine: two parameters of five are free."""
    near = local_fiber(Network([[[1, 2]], [[1]]], [[9], [1]]), Domain.box(2, [(0, 1)]))
    assert (near.stratum.dimension, near.stratum.exact, near.complete) == (2, True, True)
    assert near.stratum.to_json()["dimension_mod_scaling"] == 1


def test_limits() -> None:
    with pytest.raises(BudgetExceeded, match="max_cells"):
        local_fiber(drawn((2, 3, 3, 1), 3, 0), Domain.space(2), limits=Limits(max_cells=3))
    with pytest.raises(BudgetExceeded, match="at most 250 parameters"):
        LocalSystem(CanonicalComplex.build(drawn((1, 90, 1), 3, 0)), Meter())
