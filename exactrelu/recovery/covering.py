"""All families of n hyperplanes that may be the first layer: they contain every flat, and nothing refutes them.

Let eta have the function f, and let each *flat* given be contained in one of its n first-layer hyperplanes.  Off these, f is
affine in a smaller network, whence two necessary conditions, tested at finitely many samples of visible facets:
* count: a cell of the family shows at most `capacity` different hyperplanes (of the samples that count) off the family;
* rank: for some orientation, in every cell the gradients of f lie in the span of the rows of the active members; so their
  rank is at most the number of active members, and if all active members are candidates (rows known), they lie in the span.
A family is seen through the signs of its members at the samples.  More samples with strict signs only add conditions, so
both tests are monotone in the conformal order, and positions as in `pencils` suffice for members that are not known.

A family consists of candidates, wild members (one through each of some flats) and free members.  Every family of eta has
this form: take for every flat a member through it; a free member may be a copy of another member or constant.  If all
families with wild or free members are refuted, the first layer is one of the exact families that remain.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import combinations, islice
from math import comb, prod

import numpy as np

from exactrelu.arithmetic.matrix import rank
from exactrelu.complexes.function_complex import FunctionComplex
from exactrelu.complexes.integer_arrays import signs
from exactrelu.limits import Meter
from exactrelu.recovery.complete_fiber import Unsettled
from exactrelu.recovery.facet_samples import FacetSamples
from exactrelu.recovery.pencils import Flat, free_positions, incidence, pencil_positions

Array = np.ndarray
Row = tuple[int, ...]
MAX_FAMILIES = 50_000
"""Most families (up to the positions of wild and free members)."""
MAX_COMBINATIONS = 400_000
"""Most combinations of positions for one family."""
MAX_SUBSETS = 40_000
"""Most sets of d samples that span hyperplanes for free members."""
MAX_REFINED = 60
"""Most coarse combinations that are refined with all samples."""
MAX_MEMBERS = 12
"""Most hyperplanes of a family; all their orientations are tried."""
_CHUNK = 1 << 22


@dataclass(frozen=True)
class Family:
    """Numbers of the candidates, of the flats of wild members, and the number of free members."""

    chosen: tuple[int, ...]
    wild: tuple[int, ...]
    free: int


@dataclass
class Samples:
    """The samples of a search with what the tests need.

    Attributes:
        samples: ordered by hyperplane.
        counted: which samples the count looks at.
        gradients: for every sample a number of `spans`.
        spans: gradients on both sides of a facet, as rows.
    """

    samples: FacetSamples
    counted: Array
    gradients: Array
    spans: tuple[tuple[Row, ...], ...]
    columns: dict[Row, Array] = field(default_factory=dict)

    def column(self, row: Row) -> Array:
        """Signs of a row at the samples."""
        found = self.columns.get(row)
        if found is None:
            found = self.columns[row] = signs(np.array([row], dtype=object), self.samples.points)[0]
        return found

    def only(self, keep: Array) -> Samples:
        """The same at some of the samples."""
        return Samples(self.samples.chosen(keep), self.counted[keep], self.gradients[keep], self.spans)


def gradient_spans(function: FunctionComplex, samples: FacetSamples) -> tuple[Array, tuple[tuple[Row, ...], ...]]:
    """Return for every sample the number of a set of rows that span the gradients of f on both sides."""
    names: dict[tuple[Row, ...], int] = {}
    by_facet: dict[int, int] = {}
    for facet in dict.fromkeys(samples.facet.tolist()):
        side = function.maps[function.facet_sides[facet, 0]][:, 1:].tolist()
        rows = {tuple(row) for row in side if any(row)} | {function.hyperplanes[function.hyperplane[facet]][1:]}
        by_facet[facet] = names.setdefault(tuple(sorted(rows)), len(names))
    return np.array([by_facet[facet] for facet in samples.facet.tolist()], np.int64), tuple(names)


class Refutation:
    """The two tests, for families of n members given by their signs."""

    def __init__(self, data: Samples, members: int, capacity: int, dimension: int) -> None:
        self.data, self.members, self.capacity, self.dimension = data, members, capacity, dimension
        order = np.flatnonzero(data.counted)
        self.counted = order
        hyperplane = data.samples.hyperplane[order]
        self.starts = np.flatnonzero(np.diff(hyperplane, prepend=-1)) if len(order) else order
        self.reduced: dict[int, tuple[tuple[Row, ...], int]] = {}
        self.inside: dict[tuple[frozenset[Row], int], bool] = {}

    def by_count(self, table: Array) -> Array:
        """Return which families show too many hyperplanes in a cell; table has shape (families, members, samples)."""
        out = np.zeros(len(table), bool)
        if len(self.starts) <= self.capacity:
            return out
        step = max(1, _CHUNK // max(1, table.shape[1] * len(self.counted)))
        for at in range(0, len(table), step):
            part = table[at:at + step, :, self.counted]
            strict = (part != 0).all(axis=1)
            code = np.where(strict, np.einsum("fms,m->fs", (part > 0).astype(np.int32), 1 << np.arange(part.shape[1], dtype=np.int32)), -1)
            worst = np.zeros(len(part), np.int64)
            for cell in np.unique(code):
                if cell >= 0:
                    shown = np.logical_or.reduceat(code == cell, self.starts, axis=1).sum(axis=1)
                    np.maximum(worst, shown, out=worst)
            out[at:at + step] = worst > self.capacity
        return out

    def seen(self, table: Array) -> Array:
        """For families (shape (families, members, samples)) and samples: cell (a mask of signs) x spans + span, or -1 on a member."""
        strict = (table != 0).all(axis=1)
        weight = 1 << np.arange(table.shape[1], dtype=np.int64)
        code = np.einsum("fms,m->fs", (table > 0).astype(np.int64), weight)
        found: Array = np.where(strict, code * len(self.data.spans) + self.data.gradients, -1)
        return found

    def cells(self, seen: Array) -> dict[int, int]:
        """The cells with samples, and for each the set (a mask) of spans seen there."""
        found: dict[int, int] = {}
        count = len(self.data.spans)
        for pair in set(seen.tolist()):
            if pair >= 0:
                cell = pair // count
                found[cell] = found.get(cell, 0) | 1 << pair % count
        return found

    def span(self, mask: int) -> tuple[tuple[Row, ...], int]:
        """A spanning set of rows of a set of spans, and its rank."""
        known = self.reduced.get(mask)
        if known is None:
            rows = sorted({row for k, rows in enumerate(self.data.spans) if mask >> k & 1 for row in rows})
            known = self.reduced[mask] = (tuple(rows), rank([list(r) for r in rows], self.dimension))
        return known

    def contained(self, mask: int, rows: frozenset[Row]) -> bool:
        """Whether a set of spans lies in the span of the linear parts of rows."""
        key = (rows, mask)
        if key not in self.inside:
            own = [list(row[1:]) for row in sorted(rows)]
            shown, size = self.span(mask)
            self.inside[key] = size == 0 or rank(own, self.dimension) == rank([*own, *map(list, shown)], self.dimension)
        return self.inside[key]

    def orientations(self, family: Array, rows: Sequence[Row]) -> Iterator[int]:
        """Yield the orientations (masks of the members that are oriented as given) that pass the rank test.

        Args:
            rows: the rows of the first members, as far as they are known.
        """
        yield from self._oriented(self.cells(self.seen(family[None])[0]), rows)

    def _oriented(self, cells: dict[int, int], rows: Sequence[Row]) -> Iterator[int]:
        every = (1 << self.members) - 1
        known = (1 << len(rows)) - 1
        ranks = [(cell, mask, self.span(mask)[1]) for cell, mask in cells.items()]
        for orientation in range(every + 1):
            for cell, mask, size in ranks:
                active = every & ~(cell ^ orientation)
                if size > active.bit_count():
                    break
                if active & ~known == 0 and not self.contained(mask, frozenset(rows[k] for k in range(len(rows)) if active >> k & 1)):
                    break
            else:
                yield orientation

    def survivors(self, table: Array, rows: Sequence[Row], most: int) -> Array:
        """Return the numbers of the first `most` families that pass both tests."""
        left = np.flatnonzero(~self.by_count(table))
        seen = self.seen(table[left])
        passed = (k for k, pairs in zip(left.tolist(), seen) if next(self._oriented(self.cells(pairs), rows), None) is not None)
        return np.array(list(islice(passed, most)), np.int64)


@dataclass(frozen=True, eq=False)
class Covering:
    """The exact families that no test refutes, and counts.

    Attributes:
        families: tuples of candidate rows.
        work: numbers of flats, candidates and families.
        free: whether there were families with free members.
    """

    families: tuple[tuple[Row, ...], ...]
    work: dict[str, int]
    free: bool


class CoveringSearch:
    """Enumerates and tests the families; use `covering`."""

    def __init__(self, flats: Sequence[Flat], rows: Sequence[Row], data: Samples, members: int, capacity: int,
                 dimension: int, meter: Meter) -> None:
        self.flats, self.rows, self.members, self.meter = tuple(flats), tuple(rows), members, meter
        self.known = frozenset(rows)
        self.capacity, self.dimension = capacity, dimension
        central = data.samples.central
        self.fine = Refutation(data, members, capacity, dimension)
        self.coarse = Refutation(data.only(central), members, capacity, dimension)
        self.contains = incidence(self.rows, self.flats)
        self.positions: dict[tuple[int, bool], Array] = {}
        self.free: dict[bool, Array] = {}

    def families(self) -> list[Family]:
        """Return all families, those with the most unknown members first.

        Raises:
            Unsettled: more than `MAX_FAMILIES`.
        """
        through = [np.flatnonzero(self.contains[:, i]).tolist() for i in range(len(self.flats))]
        masks = [sum(1 << i for i in np.flatnonzero(row).tolist()) for row in self.contains]
        found: dict[Family, None] = {}
        stack: list[tuple[tuple[int, ...], tuple[int, ...], int]] = [((), (), (1 << len(self.flats)) - 1)]
        seen = set(stack)
        while stack:
            chosen, wild, open_ = stack.pop()
            left = self.members - len(chosen) - len(wild)
            if not open_:
                others = [k for k in range(len(self.rows)) if k not in chosen]
                if len(found) + sum(comb(len(others), k) for k in range(left + 1)) > MAX_FAMILIES:
                    raise Unsettled("COMBO", f"more than {MAX_FAMILIES} families of {self.members} hyperplanes contain the "
                                             f"{len(self.flats)} flats", limit=MAX_FAMILIES)
                for k in range(left + 1):
                    for more in combinations(others, k):
                        found[Family(tuple(sorted((*chosen, *more))), tuple(sorted(wild)), left - k)] = None
                continue
            if not left or open_.bit_count() > self._most(masks, open_, left):
                continue
            if len(seen) > MAX_FAMILIES:
                raise Unsettled("COMBO", f"more than {MAX_FAMILIES} partial families of hyperplanes through the flats", limit=MAX_FAMILIES)
            i = min((i for i in range(len(self.flats)) if open_ >> i & 1), key=lambda i: len(through[i]))
            following = [(tuple(sorted((*chosen, h))), wild, open_ & ~masks[h]) for h in through[i]]
            for state in [*following, (chosen, tuple(sorted((*wild, i))), open_ & ~(1 << i))]:
                if state not in seen:
                    seen.add(state)
                    stack.append(state)
        return sorted(found, key=lambda f: (-f.free, -len(f.wild), f.chosen, f.wild))

    @staticmethod
    def _most(masks: list[int], open_: int, left: int) -> int:
        """The most open flats that `left` members can contain."""
        counts = sorted(((mask & open_).bit_count() for mask in masks), reverse=True)
        return sum(max(c, 1) for c in (counts + [1] * left)[:left])

    def wild_positions(self, flat: int, fine: bool) -> Array:
        """Positions of the rows through a flat that are no candidates."""
        key = (flat, fine)
        if key not in self.positions:
            points = (self.fine if fine else self.coarse).data.samples.points
            self.positions[key] = np.unique(pencil_positions(self.flats[flat], points, self.known), axis=0)
        return self.positions[key]

    def free_positions(self, fine: bool) -> Array:
        """Positions of all rows that are no candidates.

        Raises:
            Unsettled: too many, or the samples do not span the space.
        """
        if fine not in self.free:
            points = (self.fine if fine else self.coarse).data.samples.points
            if comb(len(points), self.dimension) > MAX_SUBSETS:
                raise Unsettled("COMBO", f"a hyperplane of the first layer may be anywhere: more than {MAX_SUBSETS} positions",
                                limit=MAX_SUBSETS)
            found = free_positions(points, self.known)
            if found is None:
                raise Unsettled("WILD", "a hyperplane of the first layer may be anywhere: the visible facets lie in one hyperplane")
            self.free[fine] = found
        return self.free[fine]

    def options(self, family: Family, fine: bool) -> list[Array]:
        """For every member that is not known, its positions."""
        test = self.fine if fine else self.coarse
        out = [self.wild_positions(i, fine) for i in family.wild]
        if family.free:
            own = [test.data.column(self.rows[k])[None, :] for k in family.chosen]
            out += [np.concatenate([self.free_positions(fine), *own])] * family.free
        return out

    def combined(self, family: Family, options: list[Array], fine: bool, most: int) -> Array:
        """Return the first `most` surviving combinations of positions, as numbers in the options, shape (k, unknown members)."""
        total = prod(map(len, options))
        if total > MAX_COMBINATIONS:
            raise Unsettled("COMBO", f"{total} positions of the hyperplanes of the first layer that f does not pin down, "
                                     f"more than {MAX_COMBINATIONS}", limit=MAX_COMBINATIONS)
        test = self.fine if fine else self.coarse
        rows = [self.rows[k] for k in family.chosen]
        known = np.array([test.data.column(row) for row in rows], np.int8).reshape(len(rows), len(test.data.samples))
        kept: list[Array] = []
        step = max(1, _CHUNK // max(1, self.members * len(test.data.samples)))
        shape = tuple(map(len, options))
        for at in range(0, total, step):
            self.meter.tick()
            index = np.stack(np.unravel_index(np.arange(at, min(at + step, total)), shape), axis=1)
            unknown = [part[index[:, k]][:, None, :] for k, part in enumerate(options)]
            fixed = np.broadcast_to(known, (len(index), *known.shape))
            left = most - sum(map(len, kept))
            kept.append(index[test.survivors(np.concatenate([fixed, *unknown], axis=1), rows, left)])
            if len(kept[-1]) == left:
                break
        return np.concatenate(kept) if kept else np.zeros((0, len(options)), np.int64)

    def _absent(self, family: Family) -> bool:
        """Whether the family passes all tests with constant rows in place of the free members: the quickest counterexample."""
        rows = [self.rows[k] for k in family.chosen]
        known = [self.fine.data.column(row) for row in rows]
        table = np.array([*known, *[np.ones(len(self.fine.data.samples), np.int8)] * family.free], np.int8)
        return len(self.fine.survivors(table[None], rows, 1)) > 0

    def survives(self, family: Family) -> bool:
        """Whether some positions of the unknown members of a family pass all tests."""
        if family.free and not family.wild and self._absent(family):
            return True
        options = self.options(family, False)
        coarse = self.combined(family, options, False, MAX_REFINED + 1)
        if not len(coarse):
            return False
        if len(self.coarse.data.samples) == len(self.fine.data.samples) or len(coarse) > MAX_REFINED:
            return True
        central = self.fine.data.samples.central
        dense = self.options(family, True)
        for choice in coarse.tolist():
            near = []
            for k, (option, all_) in enumerate(zip(options, dense)):
                want, have = option[choice[k]][None, :], all_[:, central]
                near.append(all_[((want == 0) | (have == want)).all(axis=1) | ((want == 0) | (have == -want)).all(axis=1)])
            if len(self.combined(family, near, True, 1)):
                return True
        return False

    def describe(self, family: Family, function: FunctionComplex) -> str:
        """What a surviving family leaves open."""
        if family.wild:
            point = function.ridge_points[self.flats[family.wild[0]].ridge].tolist()
            x = ", ".join(f"{c}/{point[0]}" if c % point[0] else str(c // point[0]) for c in point[1:])
            return f"a hyperplane of the first layer may pass through the ridge at ({x}) in a way that f does not pin down"
        return f"{family.free} of the {self.members} hyperplanes of the first layer need not pass through any ridge of f"


def covering(function: FunctionComplex, flats: Sequence[Flat], rows: Sequence[Row], data: Samples, members: int,
             capacity: int, meter: Meter) -> Covering:
    """Return the exact families that may be the first layer of a parameter with the function f.

    Args:
        flats: each is contained in a first-layer hyperplane of every such parameter.
        rows: candidates, containing all hyperplanes through two of the flats.
        members: width of the first layer.
        capacity: most hyperplanes that a cell can show.
    Raises:
        Unsettled: `WILD` a family with unknown members passes all tests; `COMBO` a limit.
    Cost: enumeration of covers; for every family with k unknown members up to (2 samples)^k sign tests.
    """
    if members > MAX_MEMBERS:
        raise Unsettled("COMBO", f"the first layer has {members} neurons, more than {MAX_MEMBERS}", limit=MAX_MEMBERS)
    search = CoveringSearch(flats, rows, data, members, capacity, function.dimension, meter)
    families = search.families()
    work = {"flats": len(search.flats), "hyperplanes": len(search.rows), "families": len(families)}
    for family in families:
        if (family.wild or family.free) and search.survives(family):
            raise Unsettled("WILD", search.describe(family, function), wild=len(family.wild), free=family.free)
    exact = [tuple(search.rows[k] for k in family.chosen) for family in families if not family.wild and not family.free]
    kept = []
    step = max(1, _CHUNK // max(1, members * len(data.samples)))
    for at in range(0, len(exact), step):
        table = np.array([[data.column(row) for row in family] for family in exact[at:at + step]], np.int8)
        passed = search.fine.by_count(table.reshape(-1, members, len(data.samples)))
        kept += [family for family, dead in zip(exact[at:at + step], passed.tolist()) if not dead]
    work["exact"] = len(kept)
    return Covering(tuple(kept), work, any(family.free for family in families))

