"""Supertransversality: an interior cell of codimension k lies on exactly k bent hyperplanes.  Source: paper A.

It never lies on fewer.  (Near a point of the cell take a full cell and the linear forms h_j of the vanishing neurons with
its activity; on the subspace where the forms of the bending neurons vanish, every other form has one sign, so it is zero
there, and the subspace, of codimension at most the number of bending neurons, is tangent to the cell.)
"""

from __future__ import annotations

import numpy as np

from exactrelu.certificates.certificate import Certificate
from exactrelu.certificates.verdict import Fails, Holds, Verdict
from exactrelu.complexes.subdivision.fan import AT_INFINITY, INTERIOR
from exactrelu.complexes.subdivision.sign_words import sign_matrix
from exactrelu.genericity.geometry import Geometry
from exactrelu.genericity.witness import FaceWitness, certificate, claim, claim_point, evidence_point, face_witness


def supertransversality(geometry: Geometry) -> Verdict:
    """Return whether every interior cell of codimension k lies on exactly k bent hyperplanes; witness: the first bad cell."""
    complex_ = geometry.complex
    top = complex_.fan.dimension
    if geometry.bent.zero_count_generic:
        return Holds()
    for level in range(top - 1, 0, -1):
        inside = complex_.interior(level)
        counts = geometry.bent.counts[level][inside]
        bad = np.flatnonzero(counts != top - level)
        if len(bad):
            cone = int(inside[bad[0]])
            bending = np.flatnonzero(sign_matrix(geometry.bent.words[level][cone:cone + 1], complex_.fan.neurons)[0]).tolist()
            reason = f"{len(bending)} bent hyperplanes through a cell of codimension {top - level}"
            witness = face_witness(complex_, level, cone, reason, bending)
            return Fails(witness, _certificate(geometry, level, cone, bending, witness))
    return Holds()


def _certificate(geometry: Geometry, level: int, cone: int, bending: list[int], witness: FaceWitness) -> Certificate | None:
    complex_ = geometry.complex

    def evidence() -> dict[str, object]:
        top = complex_.fan.dimension
        around = geometry.facets_around(level, cone)
        words = geometry.bent.words[top - 1][around]
        triples = []
        for j in bending:
            facet = int(around[np.flatnonzero(words[:, j >> 5] >> np.uint64(j & 31) & np.uint64(1))[0]])
            points = [complex_.point_of(top - 1, facet), *geometry.side_points(facet)]
            triples.append([evidence_point(p) for p in points])
        return {"bending": triples}

    document = claim(complex_, "supertransversality-fails", point=claim_point(witness.point), bending=bending)
    return certificate(complex_, document, evidence)


def boundary_transversality(geometry: Geometry) -> Verdict:
    """Return whether the walls of the domain behave like bent hyperplanes.

    For a cell sigma in the relative interior of a face phi of the domain: the number of bent hyperplanes through sigma
    is dim phi - dim sigma.  (Without walls this is supertransversality; `phi` may be the domain itself.)
    """
    complex_ = geometry.complex
    fan, top = complex_.fan, complex_.fan.dimension
    inner = supertransversality(geometry)
    if isinstance(inner, Fails) or all(bool((np.isin(label, (INTERIOR, AT_INFINITY))).all()) for label in fan.labels[1:]):
        return inner
    words = geometry.bent.words_with_boundary
    sizes = np.array(fan.start.face_dimensions)
    for level in range(top - 1, 0, -1):
        label = fan.labels[level]
        edge = np.flatnonzero((label != INTERIOR) & (label != AT_INFINITY))
        counts = np.bitwise_count(words[level][edge]).sum(axis=1)
        bad = np.flatnonzero(counts != sizes[label[edge]] - level)
        if len(bad):
            cone = int(edge[bad[0]])
            bending = np.flatnonzero(sign_matrix(words[level][cone:cone + 1], fan.neurons)[0]).tolist()
            return Fails(face_witness(complex_, level, cone, f"{len(bending)} bent hyperplanes through a boundary cell of relative "
                                      f"codimension {int(sizes[label[cone]]) - level}", bending))
    return Holds()
