"""Slab parameters: certified for every architecture of widths at least 2."""

from __future__ import annotations

from itertools import product

import pytest

from exactrelu.certificates.verdict import Holds
from exactrelu.certification.certify import certify
from exactrelu.certification.flip_freeness import flip_freeness
from exactrelu.complexes.canonical_complex import CanonicalComplex
from exactrelu.constructions.slab import CERTIFIED, certified_slab, slab, slab_domain
from exactrelu.errors import BudgetExceeded, InputError
from exactrelu.genericity.generic import genericity
from exactrelu.limits import Limits
from exactrelu.network.architecture import Architecture
from exactrelu.network.canonical_form import canonical_form

SMALL = [(2, 2, 1), (3, 2, 1), (2, 2, 2, 1), (4, 3, 2, 1), (2, 2, 2, 2, 3), (2, 3, 3, 3, 1), (2, 4, 4, 1), (3, 4, 3, 2), (6, 2, 2, 1),
         (2, 5, 2)]


@pytest.mark.parametrize("widths", SMALL)
def test_all_conditions_hold_and_the_parameter_is_certified(widths: tuple[int, ...]) -> None:
    made = slab(Architecture(widths))
    complex_ = CanonicalComplex.build(made.network, made.domain)
    report = genericity(complex_)
    for name in ("supertransversality", "transparency", "no_cancellation", "tpic", "connected_tpic"):
        assert isinstance(report.verdicts[name], Holds), name
    assert isinstance(flip_freeness(complex_), Holds)
    assert certify(made.network, made.domain).verdict in CERTIFIED
    assert made.network.architecture.widths == widths
    assert all(w.denominator == 1 for rows in made.network.weights for row in rows for w in row)


@pytest.mark.parametrize("seed", range(5))
def test_a_seed_names_one_parameter(seed: int) -> None:
    first, again = (slab(Architecture((2, 2, 2, 2, 1)), seed) for _ in range(2))
    assert first.network == again.network
    others = {canonical_form(slab(Architecture((2, 2, 2, 2, 1)), other).network) for other in range(5)}
    assert len(others) == 5


def test_the_functional_dimension_is_full() -> None:
    found, _ = certified_slab(Architecture((2, 3, 2, 2)))
    assert found.dimension.exact and found.dimension.lower == found.network.architecture.expected_dimension


@pytest.mark.parametrize("widths", [(1, 2, 1), (2, 1, 1), (2, 2, 1, 1), (2, 1), (2, 2, 2, 1, 2)])
def test_narrow_architectures_are_refused(widths: tuple[int, ...]) -> None:
    with pytest.raises(InputError, match="at least 2"):
        slab(Architecture(widths))


def test_limits_end_the_search() -> None:
    with pytest.raises(BudgetExceeded):
        slab(Architecture((2, 2, 2, 1)), limits=Limits(max_cells=5))
    with pytest.raises(BudgetExceeded, match="faces"):
        slab(Architecture((20, 2, 2, 1)))


@pytest.mark.parametrize("inputs", [2, 3, 5, 7])
def test_the_other_coordinates_hardly_move(inputs: int) -> None:
    rows = slab_domain(inputs).integer_rows
    assert len(rows) == 2 * inputs


@pytest.mark.slow
@pytest.mark.parametrize("inputs", [2, 3, 4])
@pytest.mark.parametrize("depth", [2, 3, 4])
def test_every_architecture_of_the_sweep(inputs: int, depth: int) -> None:
    for hidden in product((2, 3), repeat=depth):
        assert slab(Architecture((inputs, *hidden, 1)), 1).facts["tier"] in CERTIFIED


@pytest.mark.slow
def test_eight_hidden_layers() -> None:
    assert slab(Architecture((2, *[2] * 8, 1))).facts["tier"] in CERTIFIED
