"""The breakpoint complex B_f: interior facets across which the affine map of f changes, their weights and regions.

B_f depends on f only.  Linear regions are the components of the interior of the domain minus B_f: full cells joined
through facets of weight zero.  Source: paper A; balancing is the telescoping sum of the maps around a ridge.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from exactrelu.complexes.canonical_complex import CanonicalComplex
from exactrelu.complexes.components import component_count, component_labels
from exactrelu.complexes.facet_weights import FacetWeights, facet_weights, formula_agrees
from exactrelu.complexes.tropical_weight import TropicalWeight, tropical_weight
from exactrelu.errors import DomainError

Array = np.ndarray


@dataclass(frozen=True, eq=False)
class BreakpointComplex:
    """Facets of non-zero weight of a canonical complex."""

    complex: CanonicalComplex

    @cached_property
    def visible(self) -> Array:
        """Whether the map of f changes across each interior facet (exact), in the order of `complex.facets`."""
        one, two = self.complex.sides
        return ~self.complex.function.equal_pairs(one, two)

    @cached_property
    def facets(self) -> Array:
        """Numbers of the breakpoint facets."""
        numbers: Array = self.complex.facets[self.visible]
        return numbers

    @cached_property
    def region(self) -> Array:
        """Linear region of every full cell, named by its smallest full cell."""
        one, two = self.complex.sides
        hidden = ~self.visible
        return component_labels(self.complex.full_cells, one[hidden], two[hidden])

    @cached_property
    def linear_regions(self) -> int:
        """Number of linear regions (connected)."""
        return component_count(self.region)

    @property
    def distinct_affine_maps(self) -> int:
        """Number of different affine maps of f on full cells."""
        return self.complex.function.distinct_maps

    def weight(self, facet: int) -> TropicalWeight:
        """Return the exact weight of one interior facet (a number from `complex.facets`), from the two maps beside it.

        Raises:
            DomainError: the domain is lower-dimensional, where slopes are defined modulo its normals only.
        """
        self._full_dimensional()
        at = int(np.searchsorted(self.complex.facets, facet))
        one, two = (int(side[at]) for side in self.complex.sides)
        row = self.complex.facet_row(facet, one)
        return tropical_weight(self.complex.exact_map(one)[0], self.complex.exact_map(two)[0], row[1:])

    @cached_property
    def weights(self) -> FacetWeights:
        """Exact weights of all breakpoint facets, in the order of `facets`; DomainError on a lower-dimensional domain."""
        self._full_dimensional()
        return facet_weights(self.complex, np.flatnonzero(self.visible))

    def _full_dimensional(self) -> None:
        if self.complex.fan.start.domain_equations:
            raise DomainError("weights need a full-dimensional domain: on a flat one slopes are defined modulo its normals only")

    @cached_property
    def balanced(self) -> bool:
        """Whether the weights balance at every interior ridge; False would be a bug.

        Around a ridge the jumps A_P - A_Q of f add up to zero, a telescoping sum (theorem).  What is tested here is that the
        jump that the path formula predicts from the parameter (weight times normal) is this jump at every facet where
        one neuron switches, modulo a prime: a self-check of the complex, not a proof.
        """
        return formula_agrees(self.complex)
