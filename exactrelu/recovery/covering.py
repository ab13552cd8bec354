"""All families of n hyperplanes that may be the first layer: they contain every flat, and nothing refutes them.

Let eta have the function f, and let each *flat* given be contained in one of its n first-layer hyperplanes.  The tests of
`family_tests` see the signs of the members at the samples only, and they are monotone: positions as in `pencils` suffice for
members that are not known.

A family consists of candidates, wild members (one through each of some flats) and free members.  Every family of eta has
this form: take for every flat a member through it; a free member may be a copy of another member or constant (a zero row
counts as the constant -1, which gives the same function).  If all families with wild or free members are refuted, the first
layer is one of the exact families that remain.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from math import comb, prod

import numpy as np

from exactrelu.arithmetic.rational import affine_point, rational_text
from exactrelu.complexes.function_complex import FunctionComplex
from exactrelu.limits import Meter
from exactrelu.recovery.complete_fiber import Unsettled
from exactrelu.recovery.family_tests import CHUNK, FamilyTests, Samples
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


@dataclass(frozen=True)
class Family:
    """Numbers of the candidates, of the flats of wild members, and the number of free members."""

    chosen: tuple[int, ...]
    wild: tuple[int, ...]
    free: int


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
        self.fine = FamilyTests(data, members, capacity, dimension)
        self.coarse = FamilyTests(data.only(central), members, capacity, dimension)
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
                raise Unsettled("WILD", "a hyperplane of the first layer may be anywhere: the points looked at lie on one hyperplane")
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
        step = max(1, CHUNK // max(1, self.members * len(test.data.samples)))
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
            point = affine_point(function.ridge_points[self.flats[family.wild[0]].ridge].tolist())
            x = ", ".join(map(rational_text, point))
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
    step = max(1, CHUNK // max(1, members * len(data.samples)))
    for at in range(0, len(exact), step):
        table = np.array([[data.column(row) for row in family] for family in exact[at:at + step]], np.int8)
        passed = search.fine.by_count(table.reshape(-1, members, len(data.samples)))
        kept += [family for family, dead in zip(exact[at:at + step], passed.tolist()) if not dead]
    work["exact"] = len(kept)
    return Covering(tuple(kept), work, any(family.free for family in families))

