"""Zero-count genericity: every interior cell of codimension k has exactly k vanishing pre-activations.

It implies that the star of every cell is the full cube of signs of its vanishing neurons, hence supertransversality;
the converse fails.  Source: geometry of sign vectors; paper A uses the bent-hyperplane form (`supertransversality`).
"""

from __future__ import annotations

import numpy as np

from exactrelu.certificates.verdict import Fails, Holds, Verdict
from exactrelu.genericity.geometry import Geometry
from exactrelu.genericity.witness import certificate, claim, claim_point, face_witness


def zero_count(geometry: Geometry) -> Verdict:
    """Return whether every interior cell has as many vanishing neurons as its codimension; witness: the first bad cell."""
    complex_ = geometry.complex
    top = complex_.fan.dimension
    for level in range(top, 0, -1):
        inside = complex_.interior(level)
        counts = geometry.bent.zero_counts[level][inside]
        bad = np.flatnonzero(counts != top - level)
        if len(bad):
            cone = int(inside[bad[0]])
            words = geometry.bent.zero_words[level][cone].tolist()
            zero = [j for j in range(complex_.fan.neurons) if words[j >> 5] >> (j & 31) & 1]
            witness = face_witness(complex_, level, cone, f"{len(zero)} neurons vanish on a cell of codimension {top - level}", zero)
            document = claim(complex_, "zero-count-fails", point=claim_point(witness.point))
            return Fails(witness, certificate(complex_, document, {}))
    return Holds()
