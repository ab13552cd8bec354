"""Ranks, spans and samples of visible facets against their definitions."""

from __future__ import annotations

import numpy as np
import pytest

from exactrelu.arithmetic.matrix import rank
from exactrelu.polyhedra.domain import Domain
from exactrelu.recovery.facet_samples import facet_samples
from exactrelu.recovery.family_tests import gradient_spans
from exactrelu.recovery.rich_hyperplanes import facet_ranks, gradient_pairs, rich_hyperplanes
from tests.recovery.fiber_search import box, seen
from tests.slabs import integer_network

ARCHITECTURES = [(2, 3, 2, 1), (2, 2, 2, 2, 2), (3, 3, 2, 1), (3, 2, 3, 2)]


@pytest.mark.parametrize("widths", ARCHITECTURES)
def test_ranks_and_spans_are_those_of_the_gradients_of_both_sides(widths: tuple[int, ...]) -> None:
    for seed in range(12):
        f = seen(integer_network(widths, ("ranks", seed), 3), (box, Domain.space)[seed % 2](widths[0]))
        d = f.dimension
        both = [[list(row[1:]) for side in sides for row in f.maps[side].tolist()] for sides in f.facet_sides.tolist()]
        ranks = facet_ranks(f)
        assert ranks.tolist() == [rank(rows, d) for rows in both]
        pair, first = gradient_pairs(f)
        assert (pair[first] == np.arange(len(first))).all()
        for r in range(d + 1):
            found = rich_hyperplanes(f, r)
            assert sorted(k for facets in found.values() for k in facets.tolist()) == np.flatnonzero(ranks == r).tolist()
            assert all((f.hyperplane[facets] == h).all() for h, facets in found.items())
        samples = facet_samples(f, np.arange(len(f.facet_rows)), f.facet_rows)
        number, spans = gradient_spans(f, samples)
        assert sorted(set(number.tolist())) == list(range(len(spans)))
        for facet, k in zip(samples.facet.tolist(), number.tolist()):
            span = [list(row) for row in spans[k]]
            assert rank(span, d) == rank(both[facet], d) == rank([*span, *both[facet]], d)


@pytest.mark.parametrize("widths", ARCHITECTURES)
def test_samples_are_the_same_in_and_beyond_machine_words(widths: tuple[int, ...]) -> None:
    """Only quotients of values of one row matter, so rows may be multiplied by anything."""
    f = seen(integer_network(widths, ("words", 1), 5), box(widths[0]))
    facets = np.arange(0, len(f.facet_rows), 2)
    rows = np.array(f.hyperplanes, dtype=object)
    one, two = facet_samples(f, facets, rows), facet_samples(f, facets, rows * (1 << 70))
    assert len(one) > len(facets)
    assert one.points.tolist() == two.points.tolist() and one.facet.tolist() == two.facet.tolist()
    assert sorted(one.facet[one.central].tolist()) == facets.tolist()


def test_a_function_without_breaks_has_no_samples() -> None:
    f = seen(integer_network((2, 1, 1), ("none", 0), 0), box(2))
    found = facet_samples(f, [], np.zeros((0, 3), dtype=object))
    assert len(f.facet_rows) == len(found) == len(facet_ranks(f)) == 0
    assert rich_hyperplanes(f, 2) == {} and gradient_spans(f, found)[1] == ()
