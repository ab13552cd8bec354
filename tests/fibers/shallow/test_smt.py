"""Strata against an SMT solver: models lie in the fiber, empty types have none, and below the least width every type is empty."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from typing import Any

import pytest

from exactrelu import Domain, Network
from exactrelu.fibers.semialgebraic.smtlib import smtlib
from exactrelu.fibers.shallow.feasible_types import feasible_types
from exactrelu.fibers.shallow.ground import Ground
from exactrelu.fibers.shallow.minimal_width import minimal_width
from exactrelu.fibers.shallow.setting import Biases, Setting
from exactrelu.fibers.shallow.shallow_form import shallow_form
from exactrelu.fibers.shallow.strata import parameter_space, stratum
from exactrelu.fibers.shallow.stratum_type import StratumType, block_multisets, compositions
from tests.slabs import integer_network

z3 = pytest.importorskip("z3")

LINE, PLANE, SQUARE, INTERVAL = Domain.space(1), Domain.space(2), Domain.box(2, [(0, 1)]), Domain.box(1, [(0, 1)])
RAY = Domain(1, [[0, 1]])
RELU = Network([[[1]], [[2]]], [[0], [1]])
KINKS = Network([[[1], [-1]], [["3/2", "-1/2"]]], [[0, 0], [0]])
IDENTITY = Network([[[1], [-1]], [[1, -1]]], [[0, 0], [0]])
TWO = Network([[[1], [2]], [[1, -3]]], [[0, 1], [0]])
SUM = Network([[[1, 0], [0, 1]], [[1, 1]]], [[0, 0], [0]])
BEND = Network([[[1, 2]], [[3]]], [[-1], [2]])
PAIR = Network([[[1], [1]], [[1, 0], [0, 1]]], [[0, -1], [0, 0]])
TWO_ON_RAY = Network([[[1], [2]], [[1, -3]]], [[-1, -3], [0]])
TILTED = Network([[[2], [-1]], [[1, 1]]], [[-1, "1/2"], [0]])
CASES = [(RELU, LINE, 2), (RELU, LINE, 3), (BEND, SQUARE, 3),
         (KINKS, LINE, 2), (IDENTITY, LINE, 3), (TWO, LINE, 3), (SUM, PLANE, 2), (BEND, PLANE, 2), (PAIR, LINE, 2),
         (TILTED, INTERVAL, 2), (BEND, SQUARE, 2), (TWO, RAY, 2), (RELU, RAY, 2), (IDENTITY, INTERVAL, 2)]
BELOW = [(IDENTITY, LINE), (TWO, LINE), (SUM, PLANE), (KINKS, LINE), (PAIR, LINE), (TILTED, INTERVAL), (TWO_ON_RAY, RAY),
         (Network([[[1, 0], [-1, 0], [0, 1], [0, -1]], [[1, -1, 2, -2]]], [[0] * 4, [0]]), PLANE),
         (Network([[[1, 0], [-1, 0], [0, 1]], [[1, -1, 2]]], [[0, 0, 0], [0]]), PLANE)]


def every_type(visible: int, width: int) -> Iterator[StratumType]:
    """All types of a width, whether they occur or not."""
    for total in range(visible, width + 1):
        for sizes in compositions(total, visible):
            for minus in product(*(range(n + 1) for n in sizes)):
                blocks = tuple((n - q, q) for n, q in zip(sizes, minus))
                for dead in range(width - total + 1):
                    for active in range(width - total - dead + 1):
                        for invisible in block_multisets(width - total - dead - active):
                            yield StratumType(blocks, invisible, dead, active)


def answer(setting: Setting, kind: StratumType) -> tuple[Any, Any]:
    """The solver's answer on the exported text."""
    solver = z3.Solver()
    solver.set("timeout", 20_000)
    solver.from_string(smtlib(stratum(setting, kind), commands=()))
    return solver.check(), solver


def member(setting: Setting, kind: StratumType, solver: Any) -> Network | None:
    """The model as a network; None if it is irrational."""
    space = parameter_space(setting, kind.width)
    values = {name: solver.model().eval(z3.Real(name), model_completion=True) for name in space.ring.names}
    if not all(z3.is_rational_value(value) for value in values.values()):
        return None
    return space.network({name: Fraction(value.numerator_as_long(), value.denominator_as_long()) for name, value in values.items()})


def check_models(case: tuple[Network, Domain, int]) -> int:
    """Solve all strata of one function and width; return how many models were confirmed."""
    network, domain, width = case
    setting = Setting.of(network, Ground(domain))
    occurring = {kind for kind, certain in feasible_types(setting, width) if certain}
    confirmed = 0
    for kind in every_type(setting.form.visible, width):
        status, solver = answer(setting, kind)
        assert status != z3.unknown, kind
        assert (status == z3.sat) == (kind in occurring), kind
        if status == z3.sat:
            found = member(setting, kind, solver)
            if found is not None:
                assert shallow_form(found, setting.ground) == setting.form
                confirmed += 1
    return confirmed


def test_models_of_many_strata_lie_in_the_fiber() -> None:
    assert sum(map(check_models, CASES)) >= 50


@pytest.mark.parametrize("seed", range(40))
def test_random_functions(seed: int) -> None:
    """All types of width 2, those of the least width included: the solver and the criterion agree."""
    inputs = 1 + seed % 2
    network = integer_network((inputs, 2, 1 + seed % 3 // 2), f"smt {seed}", 2)
    domain = (Domain.space(inputs), Domain.box(inputs, [(0, 1)]), Domain(inputs, [[0, *[1] * inputs]]))[seed // 2 % 3]
    check_models((network, domain, 2))


@pytest.mark.parametrize("network, domain", BELOW, ids=str)
def test_strata_below_the_least_width_are_empty(network: Network, domain: Domain) -> None:
    setting = Setting.of(network, Ground(domain))
    found = minimal_width(setting)
    assert found.exact and found.network is not None and shallow_form(found.network, setting.ground) == setting.form
    for kind in every_type(setting.form.visible, found.upper - 1):
        assert answer(setting, kind)[0] == z3.unsat, kind


@pytest.mark.parametrize("biases", [Biases.HIDDEN, Biases.NONE])
def test_variants_without_biases(biases: Biases) -> None:
    network = Network([[[1, 2], [-1, 1], [1, 0]], [[1, 2, -1]]], [[0, 0, 0], [0]])
    setting = Setting.of(network, Ground(PLANE), biases)
    found = minimal_width(setting)
    assert found.exact and found.network is not None and not any(found.network.biases[1])
    for kind in every_type(setting.form.visible, found.upper - 1):
        assert answer(setting, kind)[0] == z3.unsat
