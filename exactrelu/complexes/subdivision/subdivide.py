"""Insert the neurons layer by layer: start fan -> canonical complex.

Backends (all give bit-identical results): `certified` floats with exact fallback, `int64` for small integers,
`integer` for Python integers of any size, `reference` (plain lists, for tests).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from exactrelu.arithmetic.matrix import product
from exactrelu.complexes.subdivision.certified_rays import CertifiedRays, OutOfFloatRange
from exactrelu.complexes.subdivision.face_pools import FacePools
from exactrelu.complexes.subdivision.fan import Fan
from exactrelu.complexes.subdivision.growable import Growable
from exactrelu.complexes.subdivision.integer_rays import IntegerRays, Overflow
from exactrelu.complexes.subdivision.sign_words import bits_of, cleared, word_count
from exactrelu.complexes.subdivision.start_fan import StartFan, start_fan
from exactrelu.errors import InputError
from exactrelu.limits import Limits, Meter
from exactrelu.network.integral_form import IntegralForm
from exactrelu.polyhedra.domain import Domain

Array = np.ndarray
Progress = Callable[[int, int, int], None]
BACKENDS = ("auto", "certified", "int64", "integer", "reference")
SMALL_BITS = 10
"""`auto` starts with int64 when no integer of the network is longer than this."""


def subdivide(form: IntegralForm, domain: Domain, backend: str = "auto", limits: Limits | None = None,
              progress: Progress | None = None) -> Fan:
    """Return the homogenized canonical complex of a network on a domain, all faces of all dimensions.

    Args:
        form: integral form of the network.
        progress: called with (neurons inserted, neurons, cones so far).
    Raises:
        BudgetExceeded: a limit was reached; carries the neurons inserted and the cones so far.
    Exactness: every sign is proved.    Cost: O(H I), I the number of incidences of the result.
    Source: paper A (canonical complex); the update is proved in `face_pools`.
    """
    if backend not in BACKENDS:
        raise InputError(f"unknown backend {backend!r}; one of {', '.join(BACKENDS)}")
    meter = Meter(limits)
    meter.bits(form.max_bits, "the integral form of the network")
    first_layer: Sequence[Sequence[int]] = form.hidden[0] if form.hidden else ()
    start = start_fan(first_layer, domain)
    first = product(first_layer, start.embedding, len(start.embedding), start.dimension)
    if backend == "reference":
        from exactrelu.complexes.subdivision.reference import reference_fan

        return reference_fan(start, first, form)
    names = [backend]
    if backend == "auto":
        longest = max((abs(x).bit_length() for row in (*first, *start.rays) for x in row), default=0)
        names = (["int64"] if max(form.max_bits, longest) <= SMALL_BITS else []) + ["certified", "integer"]
    with np.errstate(all="ignore"):                 # infinite bounds and NaN mean "not certified", and integers decide
        for name in names[:-1]:
            try:
                return _insert_all(start, first, form, name, meter, progress)
            except (Overflow, OutOfFloatRange):
                continue
        try:
            return _insert_all(start, first, form, names[-1], meter, progress)
        except Overflow:
            raise InputError("the int64 backend would overflow; use another backend") from None
        except OutOfFloatRange:
            raise InputError("numbers of very different size: the certified backend cannot be used; use another backend") from None


def _insert_all(start: StartFan, first: Sequence[Sequence[int]], form: IntegralForm, name: str, meter: Meter,
                progress: Progress | None) -> Fan:
    rays: CertifiedRays | IntegerRays
    rays = CertifiedRays(start, first, form) if name == "certified" else IntegerRays(start, first, form, wide=name == "integer")
    pools = FacePools(start, rays.labels())
    widths = [len(layer) for layer in form.hidden]
    total = sum(widths)
    words = Growable(np.zeros((pools.counts[1], word_count(total)), np.uint64))
    number = 0
    for layer, width in enumerate(widths):
        rays.begin_layer(layer, pools, words.view)
        for neuron in range(width):
            flags = rays.flags(neuron)
            column = number >> 5
            words.view[:, column] |= bits_of(flags, number)
            cut = pools.cut(flags)
            if cut is not None:
                positive, negative, labels = pools.split(cut, rays.rows_for(cut, pools))
                rays.append(positive, negative, labels)
                if len(positive):
                    joined = words.data.take(positive, axis=0) | words.data.take(negative, axis=0)
                    joined[:, column] = cleared(joined[:, column], number)
                    words.append(joined)
            number += 1
            cells = sum(pools.counts)
            meter.done = {"neurons_inserted": number, "neurons": total, "cells": cells}
            meter.cells(cells)
            meter.tick()
            if progress is not None:
                progress(number, total, cells)
    top = start.dimension
    facets = [*start.facets[:2], *(pools.facets(k) for k in range(2, top + 1))]
    faces = [start.labels[0], *(np.ascontiguousarray(pools.labels[k].view[:, 0]) for k in range(1, top + 1))]
    return Fan(start, total, facets, faces, words.view, lambda: rays.coordinates(pools), rays.exact_ray, name, rays.uncertain)
