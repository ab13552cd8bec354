"""Orientations of the visible hyperplanes for which the residual has small rank.

R = (affine part) + sum of gamma_k (x) (vector of k) over the reversed hyperplanes, taken modulo the vectors of the mixed ones.
Rank 0 is a subset sum problem: 0/1 vectors of a kernel, or meeting in the middle.  A rank between that and the largest possible
is decided by going through all orientations.  (With one output and one input "rank 0" is already NP-complete.)
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product

from exactrelu.arithmetic.matrix import kernel
from exactrelu.arithmetic.subset_sums import MOST_FREE, subset_sums
from exactrelu.errors import BudgetExceeded
from exactrelu.fibers.shallow.ground import dot
from exactrelu.fibers.shallow.setting import Setting

MOST_HALF = 18
"""Most vectors in one half when meeting in the middle."""
MOST_ENUMERATED = 14
"""Most hyperplanes whose orientations are gone through one by one."""


def meet_in_the_middle(vectors: Sequence[Sequence[int]], target: Sequence[int]) -> Iterator[tuple[int, ...]] | None:
    """Yield all t in {0, 1}^n with sum t_i vectors[i] = target; None if n is too large.

    Exactness: integers.    Cost: 2^(n/2) sums of each half.

    >>> sorted(meet_in_the_middle([[1], [2], [3]], [3]))
    [(0, 0, 1), (1, 1, 0)]
    """
    half = (len(vectors) + 1) // 2
    if half > MOST_HALF:
        return None
    return _met(vectors[:half], vectors[half:], tuple(target))


def _met(left: Sequence[Sequence[int]], right: Sequence[Sequence[int]], target: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
    table: dict[tuple[int, ...], list[int]] = {}
    for mask, total in enumerate(_sums(left, len(target))):
        table.setdefault(total, []).append(mask)
    for mask, total in enumerate(_sums(right, len(target))):
        for other in table.get(tuple(t - x for t, x in zip(target, total)), ()):
            yield (*(other >> i & 1 for i in range(len(left))), *(mask >> i & 1 for i in range(len(right))))


def _sums(vectors: Sequence[Sequence[int]], length: int) -> list[tuple[int, ...]]:
    """Sums of all subsets, numbered by bit masks."""
    sums: list[tuple[int, ...]] = [(0,) * length]
    for vector in vectors:
        sums += [tuple(a + b for a, b in zip(total, vector)) for total in sums]
    return sums


def chosen_sums(vectors: Sequence[Sequence[int]], target: Sequence[int]) -> Iterator[tuple[int, ...]]:
    """Yield all t in {0, 1}^n with sum t_i vectors[i] = target, by the cheaper of the two methods.

    Raises:
        BudgetExceeded: neither is feasible.
    """
    if len(vectors) > 2 * MOST_HALF and len(vectors) - len(target) > MOST_FREE:     # then the kernel is too large as well
        raise BudgetExceeded(f"the orientations of {len(vectors)} hyperplanes are too many")
    found = subset_sums(vectors, target) if vectors else iter([()] if not any(target) else [])
    if found is None:
        found = meet_in_the_middle(vectors, target)
    if found is None:
        raise BudgetExceeded(f"the orientations of {len(vectors)} hyperplanes are too many")
    return found


def orientations(setting: Setting, mixed: Sequence[int], most_rank: int, fixed: Sequence[Sequence[int]] = ()) -> Iterator[tuple[int, ...]]:
    """Yield the sets of reversed hyperplanes, none of them mixed, with rank(R modulo mixed and fixed vectors) <= most_rank.

    Args:
        fixed: further lifted vectors to divide out.
    Raises:
        BudgetExceeded: too many orientations would have to be tried.
    """
    rest = [k for k in range(setting.form.visible) if k not in mixed]
    divided = [*(setting.vectors[k] for k in mixed), *fixed]
    possible = min(setting.outputs, setting.size - setting.rank_beyond(divided, ()))
    if most_rank >= possible:
        for bits in product((0, 1), repeat=len(rest)):
            yield tuple(k for k, t in zip(rest, bits) if t)
    elif most_rank == 0:
        functionals = kernel(divided, setting.size)

        def projected(rows: Sequence[Sequence[int]]) -> list[int]:
            return [dot(n, row) for row in rows for n in functionals]

        target = [-x for x in projected(setting.target)]
        for bits in chosen_sums([projected(setting.jumps[k]) for k in rest], target):
            yield tuple(k for k, t in zip(rest, bits) if t)
    elif len(rest) > MOST_ENUMERATED:
        raise BudgetExceeded(f"the orientations of {len(rest)} hyperplanes are too many to be tried one by one")
    else:
        for bits in product((0, 1), repeat=len(rest)):
            chosen = tuple(k for k, t in zip(rest, bits) if t)
            if setting.rank_beyond(setting.residual(chosen), divided) <= most_rank:
                yield chosen
