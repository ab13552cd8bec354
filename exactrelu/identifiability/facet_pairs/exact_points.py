"""Exact sign vectors of many rational points at once, by integer matrix products."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from exactrelu.arithmetic.matrix import product
from exactrelu.network.integral_form import IntegralForm
from exactrelu.polyhedra.domain import Domain

Signs = npt.NDArray[np.int8]
Booleans = npt.NDArray[np.bool_]
HomogeneousPoint = tuple[int, ...]

_CHUNK = 512


def _signs(rows: list[list[int]]) -> Signs:
    return np.array([[(x > 0) - (x < 0) for x in row] for row in rows], dtype=np.int8)


def exact_signs(form: IntegralForm, points: Sequence[HomogeneousPoint]) -> Signs:
    """Return the exact signs of all hidden pre-activations, shape (n, H), at homogeneous integer points.

    Exactness: integers throughout.

    >>> from exactrelu.network.integral_form import integral_form
    >>> from exactrelu.network.network import Network
    >>> exact_signs(integral_form(Network([[[1], [-1]], [[1, 1]]], [[0, 1], [0]])), [(1, 1), (2, 1)]).tolist()
    [[1, 0], [1, 1]]
    """
    parts = [np.zeros((0, sum(map(len, form.hidden))), dtype=np.int8)]
    for start in range(0, len(points), _CHUNK):
        chunk = points[start : start + _CHUNK]
        homogeneous = [point[0] for point in chunk]
        activation = [list(column) for column in zip(*(point[1:] for point in chunk))]
        signs = []
        for rows in form.hidden:
            z = product(rows, [homogeneous, *activation], len(rows[0]), len(chunk))
            signs.append(_signs(z))
            activation = [[max(0, x) for x in row] for row in z]
        parts.append(np.concatenate(signs).T if signs else np.zeros((len(chunk), 0), dtype=np.int8))
    return np.concatenate(parts)


def strictly_inside(domain: Domain, points: Sequence[HomogeneousPoint]) -> Booleans:
    """Return at which points every inequality of the domain is strict, exactly."""
    if not points or domain.is_space:
        return np.ones(len(points), dtype=bool)
    columns = [list(column) for column in zip(*points)]
    slacks = product(domain.integer_rows, columns, domain.dimension + 1, len(points))
    return np.asarray(np.array([[x > 0 for x in row] for row in slacks], dtype=bool).all(axis=0))


def verified_pairs(
    form: IntegralForm,
    domain: Domain,
    neurons: Sequence[int],
    below: Sequence[HomogeneousPoint],
    above: Sequence[HomogeneousPoint],
    active: Booleans,
) -> Booleans:
    """Return which pairs are facet pairs with the proposed activity, exactly.

    Demanded: both points strictly inside the domain; no pre-activation zero; the signs at `below` are those of
    `active`; the signs at `above` are the same but for the neuron.
    """
    if not neurons:
        return np.zeros(0, dtype=bool)
    first, second = exact_signs(form, below), exact_signs(form, above)
    good = strictly_inside(domain, below) & strictly_inside(domain, above)
    good &= (first != 0).all(axis=1) & (second != 0).all(axis=1) & ((first > 0) == active).all(axis=1)
    differs = first != second
    good &= (differs.sum(axis=1) == 1) & differs[np.arange(len(neurons)), np.asarray(neurons)]
    return np.asarray(good)
