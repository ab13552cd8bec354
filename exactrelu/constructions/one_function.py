"""Several parameters with one function: the documents that all pairs are equal and inequivalent, and that the list is complete."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

from exactrelu.certification.certify import certify
from exactrelu.certification.second_parameter import proved
from exactrelu.certification.witnesses.candidate import SecondParameter
from exactrelu.constructions.construction import Claim
from exactrelu.limits import Limits
from exactrelu.network.network import Network
from exactrelu.polyhedra.domain import Domain


def pairwise(networks: Sequence[Network], domain: Domain, limits: Limits | None = None) -> list[Claim]:
    """Return for every pair the document that the functions are equal and the parameters inequivalent.

    Raises:
        InvariantError: two functions differ.  CertificateRejected: two parameters are equivalent.
    """
    claims = []
    for (i, a), (j, b) in combinations(enumerate(networks, 1), 2):
        document = proved(a, SecondParameter("constructed", (), b, certain=True), domain, limits)
        claims.append(Claim(f"one-function-{i}-{j}", f"parameters {i} and {j} have one function and are inequivalent", document))
    return claims


def complete(networks: Sequence[Network], domain: Domain, limits: Limits | None = None) -> list[Claim]:
    """Return the document that exactly these parameters have the function, or nothing if no complete search proves it."""
    found = certify(networks[0], domain, limits=limits)
    if found.fiber is None or len(found.fiber) != len(networks) or found.fiber_certificate is None:
        return []
    count = f"exactly these {len(networks)} parameters of {networks[0].architecture} have the function"
    return [Claim("complete-fiber", f"{count}, up to permutation and positive scaling", found.fiber_certificate)]
