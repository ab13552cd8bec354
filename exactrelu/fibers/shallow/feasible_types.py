"""Which types occur in the fiber: the linear equation of the blocks has a solution.

With r mixed invisible blocks, a active neurons and mixed visible hyperplanes M, the affine equation reads
sum over M of d_k (x) (vector of k) + r terms (column) (x) (any vector) + a terms (column) (x) (vector in the cone C) = R.
Let rho be the rank of R modulo span of the vectors of M, L the sum of that span and the row space of R.

* r >= rho suffices, except that a single block cannot supply a constant alone (M empty, no output bias); r + a >= rho is
  necessary, and sufficient if C is everything.
* If C has interior (D has no lines, or the like): r + a > rho with a >= 1 suffices, as C meets L + Q w in a set with interior there
  for w in int C; and if r + a = rho, all vectors lie in L, so span(C with L) + span M must have codimension at most r in L.
* If C is a half-line, an active neuron is one more vector of M.
* Otherwise (lines, and a cone of dimension at least 2) the answer can stay open.
Source: `docs/theory/shallow_fibers.md`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product

from exactrelu.arithmetic.matrix import independent_rows, rank
from exactrelu.arithmetic.matrix import product as matrix_product
from exactrelu.errors import BudgetExceeded
from exactrelu.fibers.shallow.orientations import MOST_ENUMERATED, orientations
from exactrelu.fibers.shallow.setting import Biases, Setting
from exactrelu.fibers.shallow.stratum_type import Block, StratumType, block_multisets, compositions
from exactrelu.polyhedra import cddlib

Row = tuple[int, ...]


def cone_in_span(setting: Setting, basis: Sequence[Sequence[int]]) -> list[Row]:
    """Return generators of {x in the span of a basis : x in C}, lines in both senses."""
    k = len(basis)
    if not k:
        return []
    normals = [[0, *(sum(n * x for n, x in zip(normal, b)) for b in basis)] for normal in setting.cone_normals]
    equations = [[0, *(sum(n * x for n, x in zip(normal, b)) for b in basis)] for normal in setting.line_normals]
    found = cddlib.generators([r for r in normals if any(r)] or [[1, *[0] * k]], [r for r in equations if any(r)], k)
    coordinates = [g[1:] for g in found.points if any(g[1:])]
    coordinates += [tuple(s * x for x in line[1:]) for line in found.lines for s in (1, -1)]
    return [tuple(row) for row in matrix_product(coordinates, basis, k, setting.size)] if coordinates else []


def span_basis(setting: Setting, rows: Sequence[Sequence[int]]) -> list[Sequence[int]]:
    """Return rows that form a basis of the span."""
    return [rows[i] for i in independent_rows(rows, setting.size)] if rows else []


def only_constants(setting: Setting, rows: Sequence[Sequence[int]]) -> bool:
    """Whether rows of lifted vectors (b, a) have a = 0, so that only constants are missing (no output bias)."""
    return setting.biases is Biases.HIDDEN and not any(any(row[1:]) for row in rows)


def is_feasible(setting: Setting, kind: StratumType) -> bool | None:
    """Return whether some network of this type has the function; None if that is not known.

    Exactness: rational.    Cost: a few ranks, and a conversion of a cone when the answer depends on it.
    """
    mixed: list[Sequence[int]] = [setting.vectors[k] for k in kind.mixed]
    invisible, active = len(kind.mixed_invisible), kind.active
    if active and setting.active_space == 0:
        if setting.biases is Biases.NONE:
            return False                                          # an active neuron needs a vector that is not 0
        active = 0
    if active and setting.fixed_active is not None:
        mixed, active = [*mixed, setting.fixed_active], 0
    rows = setting.residual(kind.reversed)
    rho = setting.rank_beyond(rows, mixed)
    if invisible == rho == 1 and not active and not mixed and only_constants(setting, rows):
        return False                                              # a block is on a hyperplane: its vector is no constant
    if invisible >= rho:
        return True
    if invisible + active < rho:
        return False
    if setting.free_active:
        return True
    if setting.active_space == setting.size and invisible + active > rho:
        return True
    basis = span_basis(setting, [*mixed, *rows])
    within = cone_in_span(setting, basis)
    if len(basis) - rank([*within, *mixed], setting.size) <= invisible:
        return True
    return False if setting.active_space == setting.size or invisible + active == rho else None


def feasible_types(setting: Setting, width: int) -> Iterator[tuple[StratumType, bool]]:
    """Yield the types of networks of this width with the function; the flag says whether feasibility is certain.

    Dead and active neurons, block sizes: all combinations, up to permutation of the neurons.

    Raises:
        BudgetExceeded: too many orientations.
    """
    visible = setting.form.visible
    for total in range(visible, width + 1):
        for sizes in compositions(total, visible):
            for extra in _extras(setting, width - total):
                yield from _oriented(setting, sizes, extra)


def _extras(setting: Setting, count: int) -> Iterator[tuple[tuple[Block, ...], int, int]]:
    no_active = setting.active_space == 0 and setting.biases is Biases.NONE
    for dead in range(count + 1):
        for active in range(1 if no_active else count - dead + 1):
            for blocks in block_multisets(count - dead - active):
                yield blocks, dead, active


def _oriented(setting: Setting, sizes: Sequence[int], extra: tuple[tuple[Block, ...], int, int]) -> Iterator[tuple[StratumType, bool]]:
    blocks, dead, active = extra
    open_ = [k for k, p in enumerate(sizes) if p > 1]
    for which in product((False, True), repeat=len(open_)):
        mixed = [k for k, yes in zip(open_, which) if yes]
        constant = setting.fixed_active
        fixed = [constant] if active and constant is not None else []
        useful = 0 if fixed or setting.active_space == 0 else active
        rank_allowed = sum(q > 0 for _, q in blocks) + useful
        pure = setting.form.visible - len(mixed)
        divided = [setting.vectors[k] for k in mixed] + fixed
        if rank_allowed >= min(setting.outputs, setting.size - rank(divided, setting.size)) and pure > MOST_ENUMERATED:
            raise BudgetExceeded(f"2^{pure} orientations of the visible hyperplanes all occur")
        for chosen in orientations(setting, mixed, rank_allowed, fixed):
            for counts in product(*(range(1, sizes[k]) for k in mixed)):
                visible = [(0, p) if k in chosen else (p, 0) for k, p in enumerate(sizes)]
                for k, q in zip(mixed, counts):
                    visible[k] = (sizes[k] - q, q)
                kind = StratumType(tuple(visible), blocks, dead, active)
                answer = is_feasible(setting, kind)
                if answer is not False:
                    yield kind, answer is True
