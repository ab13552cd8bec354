"""The certificate of an upper bound from explicit symmetries: the kind `dimension-at-most` of the independent checker."""

from __future__ import annotations

from typing import Any

from exactrelu.arithmetic.matrix import PRIME, independent_rows_modulo
from exactrelu.arithmetic.rational import common_denominator, rational_text
from exactrelu.certificates.certificate import Certificate
from exactrelu.complexes.split_tree import split_tree
from exactrelu.identifiability.symmetry_bound.bound import SymmetryBound
from exactrelu.limits import Limits


def independent_kernel_vectors(bound: SymmetryBound) -> list[list[Any]]:
    """Return N - R of the kernel vectors, dense, independent modulo the prime of the checker."""
    columns = bound.network.parameters
    dense = [[vector.get(c, 0) for c in range(columns)] for vector in bound.kernel_vectors()]
    scaled = []
    for vector in dense:
        scale = common_denominator(vector)
        scaled.append([int(x * scale) for x in vector])
    return [dense[i] for i in independent_rows_modulo(scaled, PRIME)][:bound.kernel_dimension]


def symmetry_certificate(bound: SymmetryBound, limits: Limits | None = None) -> Certificate:
    """Return the certificate that the functional dimension is at most `bound.dimension`.

    Evidence: the kernel vectors and a split tree of the domain, on whose strict cells the checker multiplies them out.
    """

    def evidence() -> dict[str, Any]:
        tree = split_tree([bound.network], bound.domain, limits)
        return {"kernel": [[rational_text(x) for x in v] for v in independent_kernel_vectors(bound)], "tree": tree.text}

    claim = {"kind": "dimension-at-most", "network": bound.network.claim(), "domain": bound.domain.claim(), "dimension": bound.dimension}
    return Certificate(claim, evidence)
