"""Depth chains: the documents, and no smaller number of layers."""

from __future__ import annotations

import json

import pytest

from exactrelu.checker import check
from exactrelu.constructions.depth_chain import depth_chain
from exactrelu.dependency.report import dependency_of_network
from exactrelu.errors import InputError
from exactrelu.network.architecture import Architecture


@pytest.mark.parametrize("widths", [(2, 2, 1), (2, 2, 2, 1), (3, 2, 3, 1), (2, 2, 2, 2, 2), (2, 2, 2, 2, 2, 2, 1)])
def test_the_chain_has_one_class_a_layer(widths: tuple[int, ...]) -> None:
    made = depth_chain(Architecture(widths), seed=1)
    depth = len(widths) - 2
    assert made.facts["chain"] == depth
    assert [{layer for layer, _ in neurons} for neurons in made.facts["chain_neurons"]] == [{k} for k in range(1, depth + 1)]
    assert dependency_of_network(made.network, made.domain).graph.depth_bound == depth
    claim = made.claims[0]
    assert claim.certificate is not None
    assert check(claim.certificate.text)
    assert json.loads(claim.certificate.text)["claim"]["kind"] == "depth"
    assert ("not-shallow" in [c.name for c in made.claims]) == (depth > 1)


def test_narrow_architectures_are_refused() -> None:
    with pytest.raises(InputError):
        depth_chain(Architecture((2, 1, 2, 1)))
