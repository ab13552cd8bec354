"""The table of all kinds of claims; a new file of kinds is added here."""

from exactrelu.checker.claims import (
    complex,
    equivalence,
    facet_pairs,
    functional_dimension,
    genericity,
    geometry,
)
from exactrelu.checker.document import Rule

KINDS: dict[str, Rule] = {
    **geometry.KINDS,
    **complex.KINDS,
    **genericity.KINDS,
    **functional_dimension.KINDS,
    **facet_pairs.KINDS,
    **equivalence.KINDS,
}
