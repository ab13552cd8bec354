"""What all conditions share about one complex: bent hyperplanes, breakpoints, and points of neighboring cells."""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from exactrelu.complexes.bent_hyperplane import BentHyperplanes
from exactrelu.complexes.breakpoint_complex import BreakpointComplex
from exactrelu.complexes.canonical_complex import CanonicalComplex
from exactrelu.complexes.subdivision.sign_words import layer_words
from exactrelu.genericity.witness import Point

Array = np.ndarray


@dataclass(frozen=True, eq=False)
class Geometry:
    """A complex with the derived objects that the conditions look at."""

    complex: CanonicalComplex

    @cached_property
    def bent(self) -> BentHyperplanes:
        """Bent hyperplanes."""
        return BentHyperplanes(self.complex)

    @cached_property
    def breakpoints(self) -> BreakpointComplex:
        """Breakpoint complex."""
        return BreakpointComplex(self.complex)

    @cached_property
    def spans(self) -> list[list[tuple[int, np.uint64]]]:
        """For every hidden layer the words and masks of its neurons."""
        offsets = self.complex.network.architecture.offsets
        return [layer_words(a, b) for a, b in itertools.pairwise(offsets)]

    def alive(self, words: Array, layer: int) -> Array:
        """Whether some neuron of hidden layer `layer` (from 0) is positive, for packed signs."""
        total = np.zeros(len(words), np.uint64)
        for w, mask in self.spans[layer]:
            total |= words[:, w] & mask
        alive: Array = total != 0
        return alive

    def side_points(self, facet: int) -> tuple[Point, Point]:
        """Points of the two full cells at an interior facet."""
        at = int(np.searchsorted(self.complex.facets, facet))
        one, two = (int(side[at]) for side in self.complex.sides)
        top = self.complex.fan.dimension
        return self.complex.point_of(top, one), self.complex.point_of(top, two)

    def facets_around(self, level: int, cone: int) -> Array:
        """Facet cones that contain a cone."""
        around = np.array([cone])
        for k in range(level, self.complex.fan.dimension - 1):
            starts, owner = self.complex.fan.cofacets(k)
            around = np.unique(np.concatenate([owner[starts[c]:starts[c + 1]] for c in around.tolist()]))
        return around
