"""The certificate of a facet-pair bound: the kinds `...-facet-pairs` of the independent checker."""

from __future__ import annotations

from typing import Any

from exactrelu.arithmetic.rational import point_text
from exactrelu.certificates.certificate import Certificate
from exactrelu.identifiability.facet_pairs.bound import FacetPairBound

KIND = "dimension-at-least-facet-pairs"
LOCAL_KIND = "locally-identifiable-facet-pairs"


def facet_pair_certificate(bound: FacetPairBound) -> Certificate:
    """Return the certificate that the functional dimension on the domain is at least `bound.dimension`.

    A bound N - H is certified as local identifiability, which has no field `dimension`.
    Claim: kind, network, domain, dimension.  Evidence: `pairs`, a list of [neuron, "t u1 .. ud", "t v1 .. vd"];
    `output_points`, a list of "t x1 .. xd"; `residual`, always empty.
    """
    claim: dict[str, Any] = {"kind": LOCAL_KIND, "network": bound.network.claim(), "domain": bound.domain.claim()}
    if bound.dimension != bound.expected_dimension:
        claim.update(kind=KIND, dimension=bound.dimension)
    evidence: dict[str, Any] = {
        "pairs": [[pair.neuron, point_text(pair.below), point_text(pair.above)] for pair in bound.pairs],
        "output_points": [point_text(point) for point in bound.output_points],
        "residual": [],
    }
    return Certificate(claim, evidence)
