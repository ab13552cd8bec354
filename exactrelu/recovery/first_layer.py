"""What the covering searches share: flats within limits, samples of all visible facets, first layers on the cells of a family.

A cell of a family is a mask: bit k is set where the row of member k, as given, is positive.  An orientation is a mask too: bit
k is set if member k is oriented as given; so member k is active on a cell if the two bits agree.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from exactrelu.complexes.function_complex import FunctionComplex
from exactrelu.limits import Meter
from exactrelu.recovery.complete_fiber import Unsettled
from exactrelu.recovery.facet_samples import facet_samples
from exactrelu.recovery.family_tests import Samples, gradient_spans
from exactrelu.recovery.pencils import Flat

Row = tuple[int, ...]
MAX_NODES = 40_000
"""Nodes of the ownership search, all families and orientations together."""
MAX_FLATS = 150
"""Most flats (candidates are the hyperplanes through two of them)."""
MAX_ROWS = 500
"""Most rows whose signs at vertices the samples keep; with fewer rows they are less telling, never wrong."""


class NodeCounter:
    """Counts the nodes of a search and stops it at `MAX_NODES`."""

    def __init__(self, meter: Meter) -> None:
        self.nodes, self.meter, self.limit = 0, meter, MAX_NODES

    def step(self) -> None:
        """Count one node.

        Raises:
            Unsettled: the limit is reached.  BudgetExceeded: the time is used up.
        """
        self.nodes += 1
        if self.nodes % 64 == 0:
            self.meter.tick()
        if self.nodes > self.limit:
            raise Unsettled("NODES", f"the search for the owners of the visible hyperplanes has more than {self.limit} nodes",
                            limit=self.limit)


def check_number_of_flats(flats: Sequence[Flat]) -> None:
    """Raise Unsettled if there are more flats than the search is made for."""
    if len(flats) > MAX_FLATS:
        raise Unsettled("COMBO", f"f has {len(flats)} flats that the first layer must contain, more than {MAX_FLATS}", limit=MAX_FLATS)


def all_samples(function: FunctionComplex, rows: Sequence[Row]) -> Samples:
    """Return samples of all visible facets, all of them counted.

    Args:
        rows: candidates; signs at vertices are kept for the visible hyperplanes and for these, up to `MAX_ROWS`.
    """
    relevant = tuple(dict.fromkeys((*function.hyperplanes, *rows)))
    found = facet_samples(function, np.arange(len(function.facet_rows)), np.array(relevant[:MAX_ROWS], dtype=object))
    gradients, spans = gradient_spans(function, found)
    return Samples(found, np.ones(len(found), bool), gradients, spans)


def oriented_rows(family: Sequence[Row], orientation: int) -> list[Row]:
    """Return the rows of a family with an orientation.

    >>> oriented_rows([(1, 2), (3, 4)], 0b10)
    [(-1, -2), (3, 4)]
    """
    return [row if orientation >> k & 1 else tuple(-x for x in row) for k, row in enumerate(family)]


def activations_on(cell: int, rows: Sequence[Row], orientation: int) -> list[Row]:
    """Return the affine activations of oriented rows on a cell: the row itself, or 0.

    >>> activations_on(0b11, [(-1, -2), (3, 4)], 0b10)
    [(0, 0), (3, 4)]
    """
    return [row if (cell >> k & 1) == (orientation >> k & 1) else (0,) * len(row) for k, row in enumerate(rows)]
