"""No cancellation: a facet of a bent hyperplane has weight zero only where a later layer is off.  Source: paper A.

"Off" is read as: no neuron of the layer is active on either full cell beside the facet.
"""

from __future__ import annotations

import numpy as np

from exactrelu.certificates.verdict import Fails, Holds, Verdict
from exactrelu.genericity.geometry import Geometry
from exactrelu.genericity.witness import certificate, claim, claim_point, evidence_point, face_witness


def no_cancellation(geometry: Geometry) -> Verdict:
    """Return whether weights vanish only behind a dead layer; witness: the first cancelled facet with its two sides."""
    complex_ = geometry.complex
    fan, top = complex_.fan, complex_.fan.dimension
    if top < 2 or not fan.neurons:
        return Holds()
    one, two = complex_.sides
    active = complex_.activity_words
    hidden = np.flatnonzero(~geometry.breakpoints.visible)
    jump = active[one[hidden]] ^ active[two[hidden]]
    bends = jump.any(axis=1)
    hidden, jump = hidden[bends], jump[bends]
    either = active[one[hidden]] | active[two[hidden]]
    layers = len(geometry.spans)
    highest = np.full(len(hidden), -1)
    for layer in range(layers):
        highest[geometry.alive(jump, layer)] = layer
    excused = np.zeros(len(hidden), bool)
    for layer in range(layers):
        excused |= (layer > highest) & ~geometry.alive(either, layer)
    bad = np.flatnonzero(~excused)
    if not len(bad):
        return Holds()
    facet = int(complex_.facets[hidden[bad[0]]])
    word = jump[bad[0]]
    bending = [j for j in range(fan.neurons) if int(word[j >> 5]) >> (j & 31) & 1]
    sides = geometry.side_points(facet)
    reason = "the slope of f does not change although a neuron switches and every later layer is on"
    witness = face_witness(complex_, top - 1, facet, reason, bending, sides)
    document = claim(complex_, "no-cancellation-fails", point=claim_point(witness.point))
    return Fails(witness, certificate(complex_, document, {"sides": [evidence_point(p) for p in sides]}))
