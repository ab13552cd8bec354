"""A certified lower bound of the functional dimension of a small network: the rank of sampled Jacobian rows.

Facet pairs say nothing about neurons that never change their sign on the domain, and a column of A_j needs a facet of
j on which that neuron is active.  For networks of up to some two thousand parameters the plain Jacobian on sampled
strict cells sees everything that these cells show.  Points are verified in integers, the rank is taken modulo 2^61 - 1.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from exactrelu.arithmetic.rational import point_text
from exactrelu.certificates.certificate import Certificate
from exactrelu.errors import BudgetExceeded, PreconditionError
from exactrelu.identifiability.facet_pairs.bound import (
    DEFAULT_SAMPLES,
    FacetPairBound,
    Progress,
    facet_pair_bound,
    search_setting,
)
from exactrelu.identifiability.facet_pairs.certificate import facet_pair_certificate
from exactrelu.identifiability.facet_pairs.echelon import RowSpace
from exactrelu.identifiability.facet_pairs.exact_points import HomogeneousPoint, exact_signs, strictly_inside
from exactrelu.identifiability.facet_pairs.jacobian_rows import jacobian_rows
from exactrelu.identifiability.facet_pairs.mersenne_field import Residues, product, subtract
from exactrelu.identifiability.facet_pairs.search import Setting
from exactrelu.limits import Limits, Meter
from exactrelu.network.network import Network
from exactrelu.polyhedra.domain import Domain

Booleans = npt.NDArray[np.bool_]

DENSE_PARAMETERS = 2_000
"""Most parameters for which the plain Jacobian is used."""

_BATCH_ENTRIES = 400_000
_PROBES = 3
_EXTENSION = 64


@dataclass(frozen=True)
class CellJacobianBound:
    """fdim(theta) >= dimension, with the rows that prove it.

    Attributes:
        network, domain: what the bound is about.
        dimension: r, the rank modulo 2^61 - 1 of the chosen rows.
        points: homogeneous integer coordinates of points strictly inside the domain, no pre-activation zero.
        rows: for every point the numbers k (d+1) + c of the chosen rows (output k, coefficient c of 1, x_1, ..., x_d).
        stopped: why the search ended early, or None.
    """

    network: Network
    domain: Domain
    dimension: int
    points: tuple[HomogeneousPoint, ...]
    rows: tuple[tuple[int, ...], ...]
    stopped: str | None = field(default=None)

    @property
    def expected_dimension(self) -> int:
        """N - H."""
        return self.network.architecture.expected_dimension

    @property
    def is_maximal(self) -> bool:
        """Whether the bound is N - H, so that theta is locally identifiable."""
        return self.dimension == self.expected_dimension and self.network.architecture.hidden_neurons > 0

    def certificate(self) -> Certificate:
        """Return the certificate of the kind `dimension-at-least`; a bound N - H is certified as local identifiability."""
        if self.is_maximal:
            return self.local_identifiability_certificate()
        claim: dict[str, Any] = {
            "kind": "dimension-at-least",
            "network": self.network.claim(),
            "domain": self.domain.claim(),
            "dimension": self.dimension,
        }
        return Certificate(claim, self._evidence())

    def local_identifiability_certificate(self) -> Certificate:
        """Return the certificate of the kind `locally-identifiable`, with the same evidence.

        Raises:
            PreconditionError: the bound is not N - H.
        """
        if not self.is_maximal:
            raise PreconditionError(f"the bound is {self.dimension}, needed is {self.expected_dimension}")
        claim = {"kind": "locally-identifiable", "network": self.network.claim(), "domain": self.domain.claim()}
        return Certificate(claim, self._evidence())

    def _evidence(self) -> dict[str, Any]:
        points = [point_text(point) for point in self.points]
        return {"points": points, "rows": [list(numbers) for numbers in self.rows]}


def _random_combinations(rng: np.random.Generator, rows: Residues) -> Residues:
    coefficients = rng.integers(0, 1 << 60, (_PROBES, len(rows)), dtype=np.uint64)
    return product(coefficients, rows)


def _seen_in(space: RowSpace, rows: Residues) -> bool:
    """Whether a few random combinations lie in the space: then, almost surely, all rows do (a skip only loses)."""
    if space.pivots:
        rows = subtract(rows, product(rows[:, space.pivots], space.basis))
    return not rows.any()


class _CellRows:
    """The rows chosen so far."""

    def __init__(self, setting: Setting, parameters: int) -> None:
        self.setting = setting
        self.space = RowSpace(parameters)
        self.points: list[HomogeneousPoint] = []
        self.rows: list[tuple[int, ...]] = []

    def absorb(self, rng: np.random.Generator, points: Sequence[HomogeneousPoint], active: Booleans | None) -> None:
        """Choose rows of the cells of these points; `active` is the proposed activity, None to compute it exactly."""
        signs = None
        if active is None:
            signs = exact_signs(self.setting.form, points)
            active = signs > 0
        rows = jacobian_rows(self.setting.modular, active)
        if _seen_in(self.space, _random_combinations(rng, rows.reshape(-1, rows.shape[2]))):
            return
        if signs is None:
            signs = exact_signs(self.setting.form, points)
        strict = (signs != 0).all(axis=1) & strictly_inside(self.setting.domain, points)
        good = np.flatnonzero(strict & ((signs > 0) == active).all(axis=1))
        chosen: dict[int, list[int]] = {}
        flat = rows[good].reshape(-1, rows.shape[2])
        for start in range(0, len(flat), _EXTENSION):
            for number in sorted(self.space.extend(flat[start : start + _EXTENSION])):
                cell, row = divmod(start + number, rows.shape[1])
                chosen.setdefault(int(good[cell]), []).append(row)
        for k, numbers in chosen.items():
            self.points.append(points[k])
            self.rows.append(tuple(numbers))


def _distinct_cells(setting: Setting, rng: np.random.Generator) -> npt.NDArray[np.int64]:
    """Return the numbers of sample points, one for every pattern, in random order."""
    if not len(setting.sample.points):
        return np.zeros(0, dtype=np.int64)
    packed = np.packbits(setting.sample.active, axis=0).T
    if not packed.shape[1]:
        return np.zeros(1, dtype=np.int64)
    _, first = np.unique(packed, axis=0, return_index=True)
    return rng.permutation(first)


def cell_jacobian_bound(
    network: Network,
    domain: Domain,
    *,
    rng: random.Random,
    samples: int = DEFAULT_SAMPLES,
    limits: Limits | None = None,
    progress: Progress | None = None,
    first: Sequence[HomogeneousPoint] = (),
) -> CellJacobianBound:
    """Return the rank of the Jacobian rows of sampled strict cells, a lower bound of the functional dimension.

    Args:
        rng: source of randomness; the same state gives the same bound.
        samples: size of the sample; one point of every pattern seen is used.
        limits: when the time is used up, the bound found so far is returned, with the reason in `stopped`.
        first: homogeneous points whose cells are used first, for instance those of facet pairs.
    Exactness: points are verified in integers; rank modulo 2^61 - 1.    Cost: O(N^2) per row that raises the rank.
    """
    meter = Meter(limits)
    generator = np.random.default_rng(rng.getrandbits(64))
    parameters, expected = network.parameters, network.architecture.expected_dimension
    setting = search_setting(network, domain, generator, samples, meter)
    found = _CellRows(setting, parameters)
    per_cell = network.architecture.outputs * (network.architecture.inputs + 1) * parameters
    stopped = None
    try:
        for points, active in _batches(setting, generator, first, max(1, _BATCH_ENTRIES // per_cell)):
            meter.tick()
            found.absorb(generator, points, active)
            if progress is not None:
                progress("cells", found.space.rank, expected)
            if found.space.rank >= expected:
                break
    except BudgetExceeded as error:
        stopped = str(error)
    return CellJacobianBound(network, domain, found.space.rank, tuple(found.points), tuple(found.rows), stopped)


def _batches(
    setting: Setting, generator: np.random.Generator, first: Sequence[HomogeneousPoint], size: int
) -> Iterator[tuple[list[HomogeneousPoint], Booleans | None]]:
    for start in range(0, len(first), size):
        yield list(first[start : start + size]), None
    cells = _distinct_cells(setting, generator)
    for start in range(0, len(cells), size):
        chosen = cells[start : start + size]
        yield setting.exact(setting.sample.points[chosen]), setting.sample.active[:, chosen].T


def sampled_bound(
    network: Network,
    domain: Domain,
    *,
    rng: random.Random,
    samples: int = DEFAULT_SAMPLES,
    limits: Limits | None = None,
    progress: Progress | None = None,
) -> FacetPairBound | CellJacobianBound:
    """Return the better of both lower bounds: facet pairs, and for small networks the sampled Jacobian."""
    pairs = facet_pair_bound(network, domain, rng=rng, samples=samples, limits=limits, progress=progress)
    if pairs.is_maximal or network.parameters > DENSE_PARAMETERS:
        return pairs
    points = [point for pair in pairs.pairs for point in (pair.below, pair.above)] + list(pairs.output_points)
    cells = cell_jacobian_bound(
        network, domain, rng=rng, samples=samples, limits=limits, progress=progress, first=points
    )
    return cells if cells.dimension > pairs.dimension else pairs


def lower_bound_certificate(bound: FacetPairBound | CellJacobianBound) -> Certificate:
    """Return the certificate of either lower bound."""
    return bound.certificate() if isinstance(bound, CellJacobianBound) else facet_pair_certificate(bound)
