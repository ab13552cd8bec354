"""Draws around slab parameters: bound, labels, failures."""

from __future__ import annotations

import pytest

from exactrelu.certification.certify import certify
from exactrelu.certification.randomized import log2_failures
from exactrelu.constructions.random_draw import MAX_DRAWS, random_draw
from exactrelu.constructions.slab import CERTIFIED
from exactrelu.errors import InputError
from exactrelu.network.architecture import Architecture


@pytest.mark.parametrize("widths", [(2, 2, 1), (2, 2, 2, 1), (2, 3, 2, 2, 1)])
def test_the_bound_counts_all_draws(widths: tuple[int, ...]) -> None:
    architecture = Architecture(widths)
    made = random_draw(architecture, 40)
    assert made.facts["label"] == "certified draw"
    claim = made.claims[0].certificate
    assert claim is not None and claim.kind == "identifiable-randomized"
    assert 2 ** claim.claim["exponent"] == MAX_DRAWS * 2**40
    assert made.facts["bits"] == log2_failures(architecture) + claim.claim["exponent"]
    assert certify(made.network, made.domain).verdict in CERTIFIED


def test_two_draws_differ() -> None:
    first, second = (random_draw(Architecture((2, 2, 2, 1)), 10).network for _ in range(2))
    assert first != second


def test_a_seeded_draw_is_heuristic() -> None:
    first, second = (random_draw(Architecture((2, 2, 2, 1)), 10, draw_seed=3) for _ in range(2))
    assert first.network == second.network
    assert first.facts["label"] == "heuristic"
    assert all(claim.certificate is None for claim in first.claims)


@pytest.mark.parametrize("exponent", [0, -1, 10**9])
def test_exponents_out_of_range(exponent: int) -> None:
    with pytest.raises(InputError, match="exponent"):
        random_draw(Architecture((2, 2, 1)), exponent)
