"""The search for facet pairs: general rounds, then rounds targeted at the columns that have no pivot yet.

The state keeps, for every neuron, the space spanned by its rows modulo p and the pairs that raised its rank.
A pair enters the state only after the exact test.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import reduce

import numpy as np
import numpy.typing as npt

from exactrelu.identifiability.facet_pairs.activity_sample import ActivitySample
from exactrelu.identifiability.facet_pairs.affine_frame import Floats
from exactrelu.identifiability.facet_pairs.column_climb import (
    Climbers,
    best_of_each,
    climbed,
    climbers_on,
    column_candidates,
)
from exactrelu.identifiability.facet_pairs.crossing import Candidates, crossing_candidates
from exactrelu.identifiability.facet_pairs.echelon import RowSpace
from exactrelu.identifiability.facet_pairs.exact_points import (
    HomogeneousPoint,
    exact_signs,
    strictly_inside,
    verified_pairs,
)
from exactrelu.identifiability.facet_pairs.float_network import FloatNetwork
from exactrelu.identifiability.facet_pairs.interior_sample import Region
from exactrelu.identifiability.facet_pairs.mersenne_field import add, multiply, residues
from exactrelu.identifiability.facet_pairs.pattern_maps import ModularNetwork, activation_maps, facet_rows
from exactrelu.network.integral_form import IntegralForm
from exactrelu.polyhedra.domain import Domain

Booleans = npt.NDArray[np.bool_]
Integers = npt.NDArray[np.int64]

_BATCH = 3000
_BATCH_ENTRIES = 12_000_000
_MOST_TRIES = 5
_TRIES_PER_COLUMN = 6
_FIRST_CLIMBERS = 24
_KEPT_CLIMBERS = 6
_COLUMNS_AT_A_TIME = 400
_OUTPUT_BATCH = 200
_OUTPUT_BATCHES = 12


@dataclass(frozen=True)
class FacetPair:
    """Two points strictly inside the domain whose strict sign vectors differ exactly at one neuron.

    Attributes:
        neuron: number 0..H-1.
        below, above: homogeneous integer coordinates (t, x_1, ..., x_d), neuron negative and positive.
    """

    neuron: int
    below: HomogeneousPoint
    above: HomogeneousPoint


@dataclass(frozen=True, eq=False)
class Setting:
    """What a search needs to know: the network in its three forms, the domain and a sample."""

    form: IntegralForm
    modular: ModularNetwork
    floats: FloatNetwork
    domain: Domain
    place: Region
    sample: ActivitySample

    @property
    def inputs(self) -> int:
        """d."""
        return self.modular.inputs

    def exact(self, points: Floats) -> list[HomogeneousPoint]:
        """Return the exact points with these frame coordinates."""
        return [self.place.frame.exact_point(row) for row in points.tolist()]


class PairSearch:
    """Pairs and ranks found so far."""

    def __init__(self, setting: Setting) -> None:
        self.setting = setting
        offsets = setting.modular.offsets
        self.layer_of = np.repeat(np.arange(1, len(offsets)), np.diff(offsets))
        self.widths_below = [setting.modular.weights[layer - 1].shape[1] for layer in self.layer_of.tolist()]
        self.spaces = [RowSpace(width + 1) for width in self.widths_below]
        self.pairs: list[list[FacetPair]] = [[] for _ in self.spaces]
        self.patterns: list[list[Booleans]] = [[] for _ in self.spaces]
        self.tries = [np.zeros(width, dtype=np.int64) for width in self.widths_below]
        self.tested = 0

    @property
    def total_rank(self) -> int:
        """Sum of the ranks of all neurons."""
        return sum(space.rank for space in self.spaces)

    def missing(self, number: int) -> int:
        """Return how far the rank of A_j is from its maximum n_{l-1}."""
        return int(self.widths_below[number]) - self.spaces[number].rank

    def absorb(self, candidates: Candidates) -> int:
        """Keep the candidates that raise a rank and pass the exact test; return the increase of the total rank."""
        before = self.total_rank
        layers = self.layer_of[candidates.neuron] if len(candidates) else np.zeros(0, dtype=np.int64)
        for layer in range(1, self.setting.modular.hidden_layers + 1):
            members = np.flatnonzero(layers == layer)
            order = members[np.argsort(candidates.neuron[members], kind="stable")]
            width = max(matrix.shape[1] for matrix in self.setting.modular.weights) + 1
            size = max(1, min(_BATCH, _BATCH_ENTRIES // ((self.setting.inputs + 1) * width)))
            for start in range(0, len(order), size):
                self._absorb_batch(candidates.take(order[start : start + size]), layer)
        return self.total_rank - before

    def _rows(self, layer: int, number: Integers, active: Booleans) -> tuple[npt.NDArray[np.uint64], Booleans]:
        return facet_rows(self.setting.modular, active, layer, number - self.setting.modular.offsets[layer - 1])

    def _absorb_batch(self, batch: Candidates, layer: int) -> None:
        rows, counts = self._rows(layer, batch.neuron, batch.active)
        chosen: list[int] = []
        for number in np.unique(batch.neuron).tolist():
            members = np.flatnonzero((batch.neuron == number) & counts)
            chosen += [int(members[k]) for k in self._extend(number, rows[members])]
        self._verify(batch.take(np.array(chosen, dtype=np.int64)), layer)

    def _extend(self, number: int, rows: npt.NDArray[np.uint64]) -> list[int]:
        """Add the rows of pairs, shape (pairs, d+1, n), a few pairs at a time; return which pairs raised the rank."""
        raised: list[int] = []
        start = 0
        while start < len(rows) and self.missing(number) > 0:
            part = rows[start : start + self.missing(number) // self.setting.inputs + 1]
            found = self.spaces[number].extend(part.reshape(-1, rows.shape[2]))
            raised += [start + k for k in sorted({row // rows.shape[1] for row in found})]
            start += len(part)
        return raised

    def _verify(self, chosen: Candidates, layer: int) -> None:
        below, above = self.setting.exact(chosen.below), self.setting.exact(chosen.above)
        numbers = chosen.neuron.tolist()
        self.tested += len(numbers)
        good = verified_pairs(self.setting.form, self.setting.domain, numbers, below, above, chosen.active)
        for k, number in enumerate(numbers):
            if good[k]:
                self.pairs[number].append(FacetPair(number, below[k], above[k]))
                self.patterns[number].append(chosen.active[k])
        for number in sorted({number for k, number in enumerate(numbers) if not good[k]}):
            self._rebuild(number, layer)

    def _rebuild(self, number: int, layer: int) -> None:
        """Recompute the space of a neuron from its verified pairs, after a candidate failed the exact test."""
        self.spaces[number] = RowSpace(self.widths_below[number] + 1)
        if self.patterns[number]:
            active = np.array(self.patterns[number])
            rows, counts = self._rows(layer, np.full(len(active), number), active)
            self.spaces[number].extend(rows[counts].reshape(-1, rows.shape[2]))

    def thin(self) -> None:
        """Drop pairs that are not needed for the ranks.

        The pairs found last carry the rare columns; taken first, they often make earlier ones superfluous.
        """
        for number, patterns in enumerate(self.patterns):
            if len(patterns) < 2:
                continue
            active = np.array(patterns[::-1])
            rows, counts = self._rows(int(self.layer_of[number]), np.full(len(active), number), active)
            members = np.flatnonzero(counts)
            raised = RowSpace(rows.shape[2]).extend(rows[members].reshape(-1, rows.shape[2]))
            kept = sorted({len(active) - 1 - int(members[row // rows.shape[1]]) for row in raised})
            self.pairs[number] = [self.pairs[number][k] for k in kept]
            self.patterns[number] = [self.patterns[number][k] for k in kept]

    def general_round(self, rng: np.random.Generator) -> Candidates:
        """Return candidates on segments between random points on both sides of every unfinished neuron."""
        number, negative, positive = [], [], []
        for j in range(len(self.spaces)):
            missing = self.missing(j)
            active = self.setting.sample.active[j]
            above, below = np.flatnonzero(active), np.flatnonzero(~active)
            if missing <= 0 or not len(above) or not len(below):
                continue
            count = max(4, 2 * (missing // self.setting.inputs + 2))
            number.append(np.full(count, j))
            negative.append(rng.choice(below, count))
            positive.append(rng.choice(above, count))
        return self._crossing(number, negative, positive)

    def targeted_round(self, rng: np.random.Generator) -> Candidates:
        """Return candidates for columns without pivot: segments whose ends have the neuron of the column active."""
        number, negative, positive = [], [], []
        for j, i in self._open_columns():
            if self.tries[j][i] >= _MOST_TRIES:
                continue
            source = self._source(j, i)
            active = self.setting.sample.active[j]
            above, below = np.flatnonzero(active & source), np.flatnonzero(~active & source)
            self.tries[j][i] += 1
            if not len(above) or not len(below):
                self.tries[j][i] = _MOST_TRIES
                continue
            number.append(np.full(_TRIES_PER_COLUMN, j))
            negative.append(rng.choice(below, _TRIES_PER_COLUMN))
            positive.append(rng.choice(above, _TRIES_PER_COLUMN))
        return self._crossing(number, negative, positive)

    def climbing_round(self, rng: np.random.Generator, steps: int) -> Candidates:
        """Return candidates for the columns without pivot found by climbing along the facets of the neuron."""
        floats, place, sample = self.setting.floats, self.setting.place, self.setting.sample
        parts = [crossing_candidates(floats, place, np.zeros(0, dtype=np.int64), sample.points[:0], sample.points[:0])]
        for layer in range(2, self.setting.modular.hidden_layers + 1):
            columns = [(j, i) for j, i in self._open_columns(layer) if self._climbable(j, i)]
            for start in range(0, len(columns), _COLUMNS_AT_A_TIME):
                part = columns[start : start + _COLUMNS_AT_A_TIME]
                climbers = best_of_each(self._climbers(rng, layer, part), _KEPT_CLIMBERS)
                climbers = climbed(floats, place, rng, climbers, steps)
                parts.append(column_candidates(floats, place, climbers))
        return Candidates.concatenate(parts)

    def _climbable(self, number: int, column: int) -> bool:
        active = self.setting.sample.active
        layer = int(self.layer_of[number])
        source = active[self.setting.modular.offsets[layer - 2] + column]
        return bool(active[number].any() and not active[number].all() and source.any())

    def _climbers(self, rng: np.random.Generator, layer: int, columns: Sequence[tuple[int, int]]) -> Climbers:
        """Return climbers at crossings of random segments; an end has the column's neuron active where possible."""
        sample, offsets = self.setting.sample, self.setting.modular.offsets
        negative: list[Integers] = []
        positive: list[Integers] = []
        for j, i in columns:
            active, source = sample.active[j], sample.active[offsets[layer - 2] + i]
            for side, chosen in ((~active, negative), (active, positive)):
                both = np.flatnonzero(side & source)
                chosen.append(rng.choice(both if len(both) else np.flatnonzero(side), _FIRST_CLIMBERS))
        target = np.repeat([j - offsets[layer - 1] for j, _ in columns], _FIRST_CLIMBERS)
        source = np.repeat([i for _, i in columns], _FIRST_CLIMBERS)
        return climbers_on(
            self.setting.floats,
            layer,
            target,
            source,
            sample.points[np.concatenate(negative)],
            sample.points[np.concatenate(positive)],
        )

    def _open_columns(self, layer: int | None = None) -> Iterator[tuple[int, int]]:
        for j, space in enumerate(self.spaces):
            if self.missing(j) > 0 and layer in (None, self.layer_of[j]):
                for i in space.free_columns().tolist():
                    if i < self.widths_below[j]:
                        yield j, i

    def _source(self, number: int, column: int) -> Booleans:
        layer = int(self.layer_of[number])
        if layer == 1:
            return np.ones(len(self.setting.sample.points), dtype=bool)
        return np.asarray(self.setting.sample.active[self.setting.modular.offsets[layer - 2] + column])

    def _crossing(
        self, number: Sequence[Integers], negative: Sequence[Integers], positive: Sequence[Integers]
    ) -> Candidates:
        none = np.zeros(0, dtype=np.int64)
        points = self.setting.sample.points
        return crossing_candidates(
            self.setting.floats,
            self.setting.place,
            np.concatenate([none, *number]),
            points[np.concatenate([none, *negative])],
            points[np.concatenate([none, *positive])],
        )


def output_points(setting: Setting, rng: np.random.Generator) -> tuple[list[HomogeneousPoint], int]:
    """Return strict interior points whose rows (a^(L), t) are independent modulo p, and the rank of A_out.

    Two batches of random points come first, then points at which a neuron of a column without pivot is active.
    """
    layer, count = setting.modular.hidden_layers, len(setting.sample.points)
    space = RowSpace(setting.modular.weights[layer].shape[1] + 1)
    kept: list[HomogeneousPoint] = []
    for batch in range(_OUTPUT_BATCHES):
        if space.rank == space.columns or not count:
            break
        chosen = rng.integers(0, count, _OUTPUT_BATCH)
        if batch >= 2 and layer:
            free = space.free_columns()
            sources = setting.sample.active[setting.modular.offsets[layer - 1] + free[free < space.columns - 1]]
            seen = [np.flatnonzero(row) for row in sources if row.any()]
            if not seen:
                break
            chosen = np.concatenate([rng.choice(numbers, max(1, _OUTPUT_BATCH // len(seen))) for numbers in seen])
        kept += _independent_outputs(setting, space, setting.sample.points[chosen])
    return kept, space.rank


def _independent_outputs(setting: Setting, space: RowSpace, rough: Floats) -> list[HomogeneousPoint]:
    """Extend the space by the rows (a^(L), t) of strict interior points; return those that raised the rank."""
    points = setting.exact(np.rint(rough * 2.0**30) * 2.0**-30)
    signs = exact_signs(setting.form, points)
    good = np.flatnonzero((signs != 0).all(axis=1) & strictly_inside(setting.domain, points))
    if not len(good):
        return []
    maps = activation_maps(setting.modular, signs[good] > 0, setting.modular.hidden_layers)
    at = residues((x for k in good for x in points[k]), (len(good), setting.inputs + 1))
    rows = reduce(add, (multiply(maps[:, :, c], at[None, :, c]) for c in range(setting.inputs + 1)))
    return [points[good[k]] for k in sorted(space.extend(rows.T))]
