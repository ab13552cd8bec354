"""Samples lie strictly inside, for every kind of domain; empty domains give no points."""

from fractions import Fraction

import numpy as np
import pytest

from exactrelu.identifiability.facet_pairs.interior_sample import region, sample_points
from exactrelu.network.integral_form import integral_form
from exactrelu.network.network import Network
from exactrelu.polyhedra.domain import Domain

FORM = integral_form(Network([[[1, 2], [3, -1]], [[1, 1]]], [[1, 1], [0]]))
TRIANGLE = [(0, 1, 0), (0, 0, 1), (1, -1, -1)]
DOMAINS = {
    "space": Domain.space(2),
    "box": Domain.box(2, [(-1, 1), (0, 60760)]),
    "half": Domain(2, [(3, 1, 0)]),
    "quadrant": Domain(2, [(0, 1, 0), (0, 0, -1)]),
    "triangle": Domain(2, TRIANGLE),
    "sliver": Domain(2, [(0, 1, 0), (1, -1, 0), (0, 1, -1), (Fraction(1, 1000), -1, 1)]),
    "far triangle": Domain(2, [(-(10**6), 1, 0), (-(10**6), 0, 1), (2 * 10**6 + 1, -1, -1)]),
    "wedge": Domain(2, [(0, 1, 1), (0, 1, -1)]),
    "strip": Domain(2, [(1, 1, 1), (1, -1, -1)]),
    "tiny": Domain.box(2, [(Fraction(1, 3), Fraction(1, 3) + Fraction(1, 2**300))]),
}


@pytest.mark.parametrize("name", DOMAINS)
def test_sampled_points_are_strictly_inside(name):
    domain = DOMAINS[name]
    with np.errstate(all="ignore"):
        place = region(domain, FORM)
        points = sample_points(place, np.random.default_rng(1), 500)
    assert len(points) > 300
    for row in points.tolist():
        t, *x = place.frame.exact_point(row)
        assert domain.contains_strictly([Fraction(v, t) for v in x])


@pytest.mark.parametrize("rows", [[(-1, 1, 0), (0, -1, 0)], [(-2, 1, 1), (1, -1, -1)], [(-1, 0, 0), (1, 1, 1)]])
def test_domains_without_interior_points_give_no_sample(rows):
    with np.errstate(all="ignore"):
        place = region(Domain(2, rows), FORM)
        assert len(sample_points(place, np.random.default_rng(1), 50)) == 0
