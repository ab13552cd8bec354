"""Criteria whose conditions the checker tests by itself: the document is written, and the checker's answer is the decision.

* two hidden layers: supertransversal, everything visible, the first-layer hyperplanes are the only family that covers the
  bends, some cell meets all sheets of the second layer and every kink is reached from it, no reversible set of neurons;
* one hidden neuron in the first of two layers, two in the second: the bottleneck argument.
They are sufficient, cheap, and say nothing when they fail.
"""

from __future__ import annotations

from exactrelu.arithmetic.rational import homogeneous_point, point_text
from exactrelu.certificates.certificate import Certificate
from exactrelu.certificates.verdict import Holds, Undecided, Verdict
from exactrelu.complexes.bent_hyperplane import BentHyperplanes
from exactrelu.complexes.canonical_complex import CanonicalComplex
from exactrelu.dependency.dependency_graph import DependencyGraph
from exactrelu.errors import CertificateRejected

MAX_VERTICES = 3_000
"""Largest list of vertices that is tried."""


def _claim(complex_: CanonicalComplex, kind: str) -> dict[str, object]:
    return {"kind": kind, "network": complex_.network.claim(), "domain": complex_.domain.claim()}


def _decided_by_checker(certificate: Certificate, reason: str) -> Verdict:
    try:
        certificate.verify()
    except CertificateRejected as error:
        return Undecided(f"a condition of the criterion fails: {error}")
    return Holds(certificate, {"reason": reason})


def two_layer_conditions(complex_: CanonicalComplex, graph: DependencyGraph) -> Verdict:
    """Return Holds if the quick criterion for two hidden layers applies; else Undecided.  Cost: that of the check."""
    architecture = complex_.network.architecture
    if architecture.hidden_layers != 2 or architecture.inputs < 2:
        return Undecided("the criterion is about two hidden layers and two or more inputs")
    vertices = [ray for ray in complex_.fan.coordinates.tolist() if ray[0]]
    if len(vertices) > MAX_VERTICES or not BentHyperplanes(complex_).simple_with_walls:
        return Undecided("the criterion needs a small complex in which cells of codimension k have exactly k neurons and walls")
    points = [point_text(p) for p in graph.function.facet_points.tolist()]
    evidence = {"vertices": [point_text(v) for v in vertices], "points": points}
    return _decided_by_checker(Certificate(_claim(complex_, "identifiable-two-layers"), evidence),
                               "the bends of f force the first layer, and every kink of the second is seen")


def width_one_conditions(complex_: CanonicalComplex) -> Verdict:
    """Return Holds if the bottleneck argument for one neuron followed by two applies; else Undecided."""
    architecture = complex_.network.architecture
    if architecture.hidden_widths != (1, 2):
        return Undecided("the criterion is about hidden widths 1, 2")
    bent = BentHyperplanes(complex_)
    points = []
    for neuron in range(3):
        facets = bent.facets(neuron)
        if not len(facets):
            return Undecided(f"the level of neuron {architecture.neuron(neuron)} does not meet the interior of the domain")
        points.append(point_text(homogeneous_point(complex_.point_of(complex_.fan.dimension - 1, int(facets[0])))))
    return _decided_by_checker(Certificate(_claim(complex_, "identifiable-width-one"), {"points": points}),
                               "f is constant exactly where the single neuron is off, and its two levels cannot be turned around")
