"""Witnesses of failing conditions: a face, the neurons and exact points, re-evaluated on the network alone."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from exactrelu.arithmetic.rational import homogeneous_point, point_text, rational_text
from exactrelu.certificates.certificate import Certificate, Evidence
from exactrelu.complexes.canonical_complex import CanonicalComplex
from exactrelu.complexes.cell import Cell
from exactrelu.network.architecture import Neuron
from exactrelu.network.forward import sign_vector

Point = tuple[Fraction, ...]


@dataclass(frozen=True)
class FaceWitness:
    """A face of the canonical complex at which a condition fails.

    Attributes:
        reason: one sentence for a person.
        dimension: dimension of the face.
        neurons: the neurons concerned.
        point: a rational point of the open face.
        signs: sign vector of all hidden neurons there.
        sides: further points (of neighboring full cells or of a second cell), as the condition needs.
    """

    reason: str
    dimension: int
    neurons: tuple[Neuron, ...]
    point: Point
    signs: tuple[int, ...]
    sides: tuple[Point, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """Return the JSON form."""
        return {"reason": self.reason, "dimension": self.dimension, "neurons": [list(n) for n in self.neurons],
                "point": claim_point(self.point), "sides": [claim_point(p) for p in self.sides]}

    def reevaluated(self, complex_: CanonicalComplex) -> bool:
        """Whether a forward pass of the network alone gives the recorded signs at `point`."""
        return sign_vector(complex_.network, self.point) == self.signs


@dataclass(frozen=True)
class PairWitness:
    """Pairs of neurons of adjacent layers whose bent hyperplanes do not meet transversally."""

    reason: str
    pairs: tuple[tuple[Neuron, Neuron], ...]

    def to_json(self) -> dict[str, Any]:
        """Return the JSON form."""
        return {"reason": self.reason, "pairs": [[list(a), list(b)] for a, b in self.pairs]}


@dataclass(frozen=True)
class NeuronWitness:
    """Neurons that violate a condition on their own."""

    reason: str
    neurons: tuple[Neuron, ...]

    def to_json(self) -> dict[str, Any]:
        """Return the JSON form."""
        return {"reason": self.reason, "neurons": [list(n) for n in self.neurons]}


def face_witness(complex_: CanonicalComplex, level: int, cone: int, reason: str, numbers: Iterable[int],
                 sides: tuple[Point, ...] = ()) -> FaceWitness:
    """Return the witness of one cell; `numbers` are neuron numbers 0..H-1."""
    cell = Cell(complex_.network, complex_.fan, level, cone)
    architecture = complex_.network.architecture
    neurons = tuple(architecture.neuron(int(j)) for j in numbers)
    return FaceWitness(reason, cell.dimension, neurons, cell.point, cell.signs, sides)


def claim(complex_: CanonicalComplex, kind: str, **fields: Any) -> dict[str, Any]:
    """Return the JSON claim of a kind about this network on this domain."""
    return {"kind": kind, "network": complex_.network.claim(), "domain": complex_.domain.claim(), **fields}


def certificate(complex_: CanonicalComplex, document: dict[str, Any], evidence: Evidence | Callable[[], Evidence]) -> Certificate | None:
    """Return the certificate of a claim, or None on a domain without interior points (documents speak about the interior)."""
    return None if complex_.fan.start.domain_equations else Certificate(document, evidence)


def claim_point(point: Point) -> list[str]:
    """A point as it stands in a claim."""
    return [rational_text(x) for x in point]


def evidence_point(point: Point) -> str:
    """A point as it stands in evidence: homogeneous integers in one string."""
    return point_text(homogeneous_point(point))
