"""Breakpoints and regions of functions known by hand."""

from __future__ import annotations

from fractions import Fraction

import pytest

from exactrelu.complexes.breakpoint_complex import BreakpointComplex
from exactrelu.complexes.canonical_complex import CanonicalComplex
from exactrelu.errors import DomainError
from exactrelu.network.network import Network
from exactrelu.polyhedra.domain import Domain


def built(network: Network, domain: Domain | None = None) -> BreakpointComplex:
    return BreakpointComplex(CanonicalComplex.build(network, domain))


def line(biases: list, out: list) -> Network:
    return Network([[[1] for _ in biases], [out]], [biases, [0]])


@pytest.mark.parametrize("network, points, regions, maps", [
    (Network([[[1], [-1]], [[1, 1]]], [[0, 0], [0]]), 1, 2, 2),              # |x|
    (Network([[[1], [-1]], [[1, -1]]], [[0, 0], [0]]), 0, 1, 1),             # x
    (line([0, -1], [1, -1]), 2, 3, 3),                                        # a ramp
    (line([0, -1, -2], [1, -2, 1]), 3, 4, 3),                                 # a tent: 0 twice
    (line([0, -1, -2], [1, 0, 1]), 2, 3, 3),                                  # an invisible neuron
    (line([0, -1], [0, 0]), 0, 1, 1),
])
def test_functions_on_the_line(network: Network, points: int, regions: int, maps: int) -> None:
    found = built(network)
    assert (len(found.facets), found.linear_regions, found.distinct_affine_maps) == (points, regions, maps)
    assert len(found.weights) == points and found.balanced
    for i, facet in enumerate(found.facets.tolist()):
        one = found.weight(facet)
        sign = 1 if one.normal == found.weights[i].normal else -1
        assert one.weight == found.weights[i].weight and one.normal == tuple(sign * x for x in found.weights[i].normal)


def test_weights_of_a_tent() -> None:
    found = built(line([0, -1, -2], [1, -2, 1]))
    place = {found.complex.point_of(1, int(f)): found.weight(int(f)).weight for f in found.facets}
    assert place == {(Fraction(0),): (1,), (Fraction(1),): (-2,), (Fraction(2),): (1,)}


def test_regions_are_named_by_their_smallest_cell() -> None:
    found = built(Network([[[1, 0], [0, 1]], [[1, 0]]], [[0, 0], [0]]))       # relu(x): y = 0 is invisible
    assert found.complex.full_cells == 4 and found.linear_regions == 2
    x_signs = [found.complex.full_cell(c).signs[0] for c in range(4)]
    assert found.region.tolist() == [x_signs.index(s) for s in x_signs]


def test_a_flat_domain_has_no_weights() -> None:
    flat = built(Network([[[1, 0], [0, 1]], [[1, 1]]], [[0, 0], [0]]), Domain(2, ((0, 1, -1), (0, -1, 1))))
    assert len(flat.facets) == 1 and flat.linear_regions == 2
    with pytest.raises(DomainError, match="full-dimensional"):
        flat.weight(int(flat.facets[0]))
    with pytest.raises(DomainError, match="full-dimensional"):
        _ = flat.weights
