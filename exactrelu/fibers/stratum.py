"""One piece of a fiber: a basic semi-algebraic set of parameters, its dimension, and a parameter in it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from exactrelu.arithmetic.rational import rational_text
from exactrelu.certificates.certificate import Certificate
from exactrelu.fibers.semialgebraic.basic_set import BasicSet
from exactrelu.fibers.semialgebraic.parameter_names import ParameterSpace
from exactrelu.network.network import Network


@dataclass(frozen=True, eq=False)
class FiberStratum:
    """A piece of a fiber.

    Attributes:
        part: the constraints.
        dimension: local dimension at `sample`, scalings of neurons included; if not `exact`, an upper bound of it.
        exact: whether the dimension is proved.
        sample: a parameter of the piece.
    """

    part: BasicSet
    dimension: int
    exact: bool
    sample: Network

    @property
    def dimension_mod_scaling(self) -> int:
        """The dimension less the number of hidden neurons."""
        return self.dimension - self.sample.architecture.hidden_neurons

    def membership(self, network: Network) -> Certificate:
        """Return the document that the parameters of a network satisfy the constraints; the checker refuses it if they do not."""
        values = ParameterSpace(network.architecture).values(network)
        claim = {"kind": "stratum-member", "point": [rational_text(x) for x in values], "relations": self.part.relations()}
        return Certificate(claim, {})

    def to_json(self) -> dict[str, Any]:
        """Return the JSON form."""
        return {"dimension": self.dimension, "dimension_mod_scaling": self.dimension_mod_scaling, "exact": self.exact,
                "description": self.part.description, "equations": len(self.part.equations),
                "inequalities": len(self.part.positive) + len(self.part.nonnegative) + len(self.part.nonzero)}
