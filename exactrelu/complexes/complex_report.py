"""Everything that is counted about one canonical complex, in one value."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

from exactrelu.certificates.result import Result
from exactrelu.complexes.breakpoint_complex import BreakpointComplex
from exactrelu.complexes.canonical_complex import CanonicalComplex
from exactrelu.complexes.coarse_strata import CoarseStrata
from exactrelu.errors import InvariantError


@dataclass(frozen=True, eq=False, repr=False)
class ComplexReport(Result):
    """Counts of the canonical complex and of the breakpoint complex."""

    complex: CanonicalComplex
    verdict = "complete"

    @cached_property
    def breakpoints(self) -> BreakpointComplex:
        """The breakpoint complex."""
        return BreakpointComplex(self.complex)

    @cached_property
    def strata(self) -> CoarseStrata:
        """The coarsest stratification of the breakpoint complex."""
        return CoarseStrata(self.breakpoints)

    def fields(self) -> dict[str, Any]:
        """Return the JSON fields besides `verdict`."""
        if not self.breakpoints.balanced:
            raise InvariantError("the weights of the path formula are not the jumps of f")
        return {
            "f_vector": list(self.complex.f_vector),
            "lineality_dimension": self.complex.lineality_dimension,
            "full_cells": self.complex.full_cells,
            "bounded_full_cells": int(self.complex.bounded.sum()),
            "breakpoint_facets": len(self.breakpoints.facets),
            "linear_regions": self.breakpoints.linear_regions,
            "distinct_affine_maps": self.breakpoints.distinct_affine_maps,
            "strata": {str(k): n for k, n in self.strata.counts.items()},
            "balanced": self.breakpoints.balanced,
        }
