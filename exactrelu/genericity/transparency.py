"""Transparency: every point of the domain activates some neuron of every hidden layer.  Source: paper A."""

from __future__ import annotations

import numpy as np

from exactrelu.certificates.verdict import Fails, Holds, Verdict
from exactrelu.complexes.subdivision.fan import AT_INFINITY
from exactrelu.genericity.geometry import Geometry
from exactrelu.genericity.witness import certificate, claim, claim_point, face_witness


def transparency(geometry: Geometry) -> Verdict:
    """Return whether each layer has a positive neuron on every cell, boundary included; witness: a dark cell and its layer.

    Under zero-count genericity full cells suffice on R^d, but all cells are tested.
    """
    complex_ = geometry.complex
    for level in range(complex_.fan.dimension, 0, -1):
        cones = np.flatnonzero(complex_.fan.labels[level] != AT_INFINITY)
        for layer in range(len(geometry.spans)):
            dark = np.flatnonzero(~geometry.alive(complex_.fan.words[level], layer)[cones])
            if len(dark):
                cone = int(cones[dark[0]])
                offsets = complex_.network.architecture.offsets
                dark_layer = range(offsets[layer], offsets[layer + 1])
                witness = face_witness(complex_, level, cone, f"no neuron of layer {layer + 1} is active", dark_layer)
                document = claim(complex_, "transparency-fails", point=claim_point(witness.point), layer=layer + 1)
                return Fails(witness, certificate(complex_, document, {}))
    return Holds()
