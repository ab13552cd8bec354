"""Certificates of the complex itself: the cells exhaust the domain.

`full-cells` (cover): a split tree, for every network on a full-dimensional domain.  `complex` (skeleton): the list of
vertices, when every cell of codimension k (walls of the domain included) has exactly k vanishing items; it proves the
whole face poset and every condition.
"""

from __future__ import annotations

from hashlib import sha256
from typing import Any

import numpy as np

from exactrelu.arithmetic.rational import point_text
from exactrelu.certificates.certificate import Certificate
from exactrelu.certificates.verdict import Holds, Undecided, Verdict
from exactrelu.complexes.canonical_complex import CanonicalComplex
from exactrelu.complexes.split_tree import split_tree
from exactrelu.genericity.geometry import Geometry
from exactrelu.genericity.no_cancellation import no_cancellation
from exactrelu.genericity.tpic import tpic
from exactrelu.genericity.transparency import transparency
from exactrelu.genericity.witness import claim
from exactrelu.limits import Limits


def full_cells_certificate(complex_: CanonicalComplex, limits: Limits | None = None) -> Certificate:
    """Return the certificate that the complex has exactly its number of full cells; the tree is written on demand."""

    def evidence() -> dict[str, Any]:
        tree = split_tree([complex_.network], complex_.domain, limits)
        return {"tree": tree.text}

    return Certificate(claim(complex_, "full-cells", count=complex_.full_cells), evidence)


def sign_digest(complex_: CanonicalComplex) -> str:
    """SHA-256 of the sorted sign vectors of the full cells, one line of ``+-0`` a cell."""
    signs = complex_.fan.signs(complex_.fan.dimension)
    letters = np.array(list("-0+"))[signs + 1]
    lines = sorted("".join(row) + "\n" for row in letters.tolist())
    return sha256("".join(lines).encode("ascii")).hexdigest()


def complex_certificate(geometry: Geometry) -> Verdict:
    """Return Holds(certificate) of the whole complex, or why there is none.

    The claim counts cells modulo the lineality space, as the checker does.
    """
    complex_ = geometry.complex
    if not complex_.network.weights[:-1]:
        return Undecided("a network without hidden layer has one cell; use the `full-cells` certificate")
    if not geometry.bent.simple_with_walls:
        return Undecided("more neurons or walls meet in a cell than its codimension: only `full-cells` can be certified")
    fan = complex_.fan
    levels = range(1, fan.dimension + 1)
    fields = {
        "f_vector": [len(complex_.interior(k)) for k in levels],
        "lineality": complex_.lineality_dimension,
        "hidden_facets": int((~geometry.breakpoints.visible).sum()),
        "no_cancellation": no_cancellation(geometry).word == "holds",
        "transparency": transparency(geometry).word == "holds",
        "tpic": tpic(geometry).word == "holds",
        "sheets": list(geometry.bent.strong_components),
        "linear_regions": geometry.breakpoints.linear_regions,
        "distinct_affine_maps": geometry.breakpoints.distinct_affine_maps,
        "sha256": sign_digest(complex_),
    }

    def evidence() -> dict[str, Any]:
        return {"vertices": [point_text(ray) for ray in fan.coordinates.tolist() if ray[0]]}

    return Holds(Certificate(claim(complex_, "complex", **fields), evidence))
