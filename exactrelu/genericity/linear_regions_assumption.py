"""LRA, the linear regions assumption, in three exact strengths.

adjacent: no interior facet has weight 0 (every linear region is one full cell); activation: linear regions are the
maximal connected sets of constant activity pattern; strong: different full cells have different affine maps.
Source: paper A; the wording of the three levels is ours.
"""

from __future__ import annotations

import numpy as np

from exactrelu.certificates.verdict import Fails, Holds, Verdict
from exactrelu.genericity.geometry import Geometry
from exactrelu.genericity.witness import certificate, claim, claim_point, evidence_point, face_witness


def _facet_failure(geometry: Geometry, at: int, reason: str) -> Fails:
    complex_ = geometry.complex
    top = complex_.fan.dimension
    facet = int(complex_.facets[at])
    sides = geometry.side_points(facet)
    witness = face_witness(complex_, top - 1, facet, reason, [], sides)
    document = claim(complex_, "linear-regions-assumption-fails", points=[claim_point(p) for p in sides], level="adjacent")
    return Fails(witness, certificate(complex_, document, {"facet": evidence_point(witness.point)}))


def adjacent(geometry: Geometry) -> Verdict:
    """Return whether f bends at every interior facet of the complex; witness: a facet of weight zero."""
    hidden = np.flatnonzero(~geometry.breakpoints.visible)
    if len(hidden):
        return _facet_failure(geometry, int(hidden[0]), "f does not bend at this facet of the canonical complex")
    return Holds()


def activation(geometry: Geometry) -> Verdict:
    """Return whether f bends at every interior facet across which the activity pattern changes."""
    complex_ = geometry.complex
    one, two = complex_.sides
    changes = (complex_.activity_words[one] ^ complex_.activity_words[two]).any(axis=1)
    hidden = np.flatnonzero(~geometry.breakpoints.visible & changes)
    if len(hidden):
        return _facet_failure(geometry, int(hidden[0]), "the activity pattern changes here but f does not bend")
    return Holds()


def strong(geometry: Geometry) -> Verdict:
    """Return whether all full cells have different affine maps; witness: two cells with one map."""
    complex_ = geometry.complex
    classes = complex_.function.map_classes
    if complex_.function.distinct_maps == complex_.full_cells:
        return Holds()
    order = np.argsort(classes, kind="stable")
    at = int(np.flatnonzero(classes[order][1:] == classes[order][:-1])[0])
    one, two = int(order[at]), int(order[at + 1])
    top = complex_.fan.dimension
    points = (complex_.point_of(top, one), complex_.point_of(top, two))
    witness = face_witness(complex_, top, one, "two full cells have the same affine map", [], points[1:])
    document = claim(complex_, "linear-regions-assumption-fails", points=[claim_point(p) for p in points], level="strong")
    return Fails(witness, certificate(complex_, document, {"facet": None}))
