"""The table of all kinds of claims; a new file of kinds is added here."""

from exactrelu.checker.claims import (
    complex,
    conservation,
    covering_fiber,
    equivalence,
    facet_pairs,
    function_geometry,
    functional_dimension,
    genericity,
    geometry,
    local_function,
    randomized,
    shallow_fiber,
    shallow_function,
    supertransversal,
    tight_fiber,
    two_layers,
)
from exactrelu.checker.document import Rule

KINDS: dict[str, Rule] = {
    **geometry.KINDS,
    **complex.KINDS,
    **genericity.KINDS,
    **functional_dimension.KINDS,
    **facet_pairs.KINDS,
    **equivalence.KINDS,
    **function_geometry.KINDS,
    **supertransversal.KINDS,
    **two_layers.KINDS,
    **shallow_fiber.KINDS,
    **randomized.KINDS,
    **local_function.KINDS,
    **tight_fiber.KINDS,
    **covering_fiber.KINDS,
    **conservation.KINDS,
    **shallow_function.KINDS,
}
