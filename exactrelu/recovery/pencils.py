"""Flats, hyperplanes through them, and all positions of a hyperplane relative to finitely many points.

A *flat* is the affine hull of a ridge (codimension 2).  A *candidate* is a hyperplane through two flats, or one given
(visible) that contains a flat.  A hyperplane that is no candidate contains at most one flat: if one, it lies in the pencil
of that flat (*wild*), if none, it is *free*.

*Positions.*  Two rows with the same signs at all samples have the same position; signs are ordered by 0 < +, 0 < -
(conformal order), and every test of `family_tests` that a position fails is failed by all positions above it.  So it is
enough to test, of all positions of non-candidates, a set M such that each of them is above (or in) M.
* Pencil of a flat with equations alpha, beta: a row u alpha + v beta passes through finitely many critical directions
  (those vanishing at a sample off the flat), and in an open interval between two of them signs are constant.  Each interval
  is above both its ends.  M: the critical rows that are no candidates, and the intervals both of whose ends are candidates.
* Free rows: positions are the covectors of the samples, vectors of R^(d+1).  If the samples span it, every covector other
  than 0 is above a cocircuit, a row vanishing at d independent samples; a covector above a candidate cocircuit h, other than
  h, is above h with the samples on h moved to the signs of a cocircuit of *those*.  M: the cocircuits that are no
  candidates, and for candidates h these refinements.  Constant rows (absent hyperplanes) are covectors too.
All signs are up to a common sign of the row, which only renames cells and orientations.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cmp_to_key
from itertools import combinations

import numpy as np

from exactrelu.arithmetic.matrix import kernel, rank
from exactrelu.arithmetic.rational import primitive_integer, signless_row
from exactrelu.complexes.function_complex import FunctionComplex
from exactrelu.complexes.integer_arrays import exact_product, sign_array, signless_rows, signs

Array = np.ndarray
Row = tuple[int, ...]


@dataclass(frozen=True)
class Flat:
    """The affine hull of a ridge.

    Attributes:
        ridge: one ridge that spans it.
        equations: two independent rows that vanish on it.
        span: homogeneous vectors that span it, one point and directions or several points.
    """

    ridge: int
    equations: tuple[Row, Row]
    span: tuple[Row, ...]


def flats_of(function: FunctionComplex, ridges: Sequence[int]) -> tuple[Flat, ...]:
    """Return the different flats of some ridges, in the order given.

    Cost: one kernel for each ridge and flat.
    """
    found: dict[tuple[Row, Row], Flat] = {}
    for ridge in ridges:
        equations = function.ridge_equations(ridge)
        if equations not in found:
            found[equations] = Flat(ridge, equations, tuple(kernel([list(row) for row in equations], function.dimension + 1)))
    return tuple(found.values())


def _values(flats: Sequence[Flat], rows: Array) -> Array:
    """Values of rows on the spans of all flats, shape (rows, flats, d - 1)."""
    span = np.array([v for flat in flats for v in flat.span], dtype=object)
    return exact_product(rows, span.T).reshape(len(rows), len(flats), -1)


def incidence(rows: Sequence[Row], flats: Sequence[Flat]) -> Array:
    """Return which rows vanish on which flats, shape (rows, flats).

    >>> incidence([(0, 1, 0)], [Flat(0, ((0, 1, 0), (0, 0, 1)), ((1, 0, 0),))])
    array([[ True]])
    """
    if not len(rows) or not len(flats):
        return np.zeros((len(rows), len(flats)), bool)
    found: Array = (_values(flats, np.array(rows, dtype=object)) == 0).all(axis=2)
    return found


def candidates(flats: Sequence[Flat], visible: Sequence[Row]) -> tuple[Row, ...]:
    """Return the hyperplanes through two flats, and the visible ones through a flat.

    Exactness: integers.    Cost: O(flats^2 d^2).

    >>> one, two = Flat(0, ((0, 1, 0), (0, 0, 1)), ((1, 0, 0),)), Flat(1, ((-1, 1, 0), (0, 0, 1)), ((1, 1, 0),))
    >>> candidates([one, two], [(0, 1, 0), (5, 1, 0)])
    ((0, 1, 0), (0, 0, 1))
    """
    touching = np.flatnonzero(incidence(visible, flats).any(axis=1))
    found: dict[Row, None] = dict.fromkeys(visible[k] for k in touching.tolist())
    if len(flats) < 2:
        return tuple(found)
    equations = np.array([row for flat in flats for row in flat.equations], dtype=object)
    table = _values(flats, equations)                                       # (2 F, F, d - 1)
    one, two = table[0::2], table[1::2]
    at = np.argmax((one != 0) | (two != 0), axis=2)[:, :, None]             # where the value is not (0, 0): the flats differ
    u, v = (np.take_along_axis(part, at, axis=2)[:, :, 0] for part in (two, one))
    meets = (u[:, :, None] * one == v[:, :, None] * two).all(axis=2)        # u alpha - v beta vanishes on the other flat
    for i, j in np.argwhere(np.triu(meets, 1)).tolist():
        alpha, beta = flats[i].equations
        row = signless_row([u[i, j] * a - v[i, j] * b for a, b in zip(alpha, beta)])
        found.setdefault(row, None)
    return tuple(found)


def _before(one: tuple[int, int], two: tuple[int, int]) -> int:
    cross = one[0] * two[1] - one[1] * two[0]
    return -1 if cross > 0 else int(cross < 0)


def pencil_positions(flat: Flat, points: Array, known: frozenset[Row] | set[Row]) -> Array:
    """Return the positions M of the rows through a flat that are no candidates, int8, shape (positions, points).

    Args:
        known: the candidates.
    Exactness: integers.    Cost: O(n log n) comparisons and a table of n^2 signs.

    >>> flat = Flat(0, ((0, 1, 0), (0, 0, 1)), ((1, 0, 0),))
    >>> points = np.array([[1, 1, 0], [1, 1, 1], [1, 2, 2]], dtype=object)
    >>> pencil_positions(flat, points, {(0, 1, -1)}).tolist()
    [[0, 1, 1]]
    >>> pencil_positions(flat, points, {(0, 1, -1), (0, 0, 1)}).tolist()
    [[-1, 1, 1], [-1, -1, -1]]
    """
    alpha, beta = (np.array(row, dtype=object) for row in flat.equations)
    x, y = np.dot(points, alpha), np.dot(points, beta)
    directions: dict[tuple[int, int], list[int]] = {}
    for k, (a, b) in enumerate(zip(x.tolist(), y.tolist())):
        if a or b:
            u, v = primitive_integer((b, -a))                                # u alpha + v beta vanishes at the point
            directions.setdefault((-u, -v) if v < 0 or (v == 0 and u < 0) else (u, v), []).append(k)
    order = sorted(directions, key=cmp_to_key(_before))                      # by angle in [0, pi)
    count, n = len(order), len(points)
    if not count:
        return np.zeros((1, n), np.int8)
    candidate = [signless_row([u * a + v * b for a, b in zip(*flat.equations)]) in known for u, v in order]
    place = np.full(n, -1, np.int64)
    for k, direction in enumerate(order):
        place[directions[direction]] = k
    u, v = (a + b for a, b in zip(order[-1], (-order[0][0], -order[0][1]))) if count > 1 else (-order[0][1], order[0][0])
    after = sign_array(u * x + v * y)                                        # signs beyond the last critical direction
    chosen = [2 * k for k in range(count) if not candidate[k]]
    chosen += [2 * k + 1 for k in range(count) if candidate[k] and candidate[(k + 1) % count]]
    position, middle = np.array(sorted(chosen), np.int64)[:, None], 2 * place[None, :]
    found: Array = np.where(place < 0, 0, np.sign(position - middle) * after).astype(np.int8)
    return found


def cocircuit_rows(points: Array) -> Array:
    """Return the rows that vanish at as many independent points as determine one, up to sign and factor, pairwise different.

    Args:
        points: integer vectors in R^(k + 1), k >= 1, of full rank.
    Cost: C(n, k) rows of minors.

    >>> cocircuit_rows(np.array([[1, 0, 0], [1, 1, 0], [1, 0, 1]], dtype=object)).tolist()
    [[0, 0, 1], [0, 1, 0], [-1, 1, 1]]
    """
    size = points.shape[1] - 1
    chosen = np.array(list(combinations(range(len(points)), size)), np.int64).reshape(-1, size)
    minors: dict[tuple[int, ...], Array] = {(): np.ones(len(chosen), dtype=object)}
    for k in range(size):                                                    # minors of the first k + 1 points by columns
        row = points[chosen[:, k]]
        minors = {columns: sum(((-1) ** (k + i)) * row[:, c] * minors[columns[:i] + columns[i + 1:]] for i, c in enumerate(columns))
                  for columns in combinations(range(size + 1), k + 1)}
    every = tuple(range(size + 1))
    rows = np.stack([(-1) ** j * minors[every[:j] + every[j + 1:]] for j in every], axis=1)
    rows = signless_rows(rows[(rows != 0).any(axis=1)])
    return np.array(list(dict.fromkeys(map(tuple, rows.tolist()))), dtype=object).reshape(-1, size + 1)


def free_positions(points: Array, known: frozenset[Row] | set[Row]) -> Array | None:
    """Return the positions M of all rows that are no candidates; None if the points lie on a hyperplane.

    Cost: C(n, d) rows, and a sign table of that many rows.

    >>> square = np.array([[1, 0, 0], [1, 1, 0], [1, 0, 1], [1, 1, 1]], dtype=object)
    >>> len(free_positions(square, set())), len(free_positions(square, {(0, 1, 0)}))
    (6, 9)
    """
    size = points.shape[1]
    if rank(points.tolist(), size) < size:
        return None
    rows = cocircuit_rows(points)
    table = signs(rows, points)
    is_known = np.array([tuple(row) in known for row in rows.tolist()], bool)
    found = [table[~is_known]]
    for position in table[is_known]:
        on = np.flatnonzero(position == 0)
        basis = _coordinates(points[on])
        inner = signs(cocircuit_rows(basis), basis)
        for s in (1, -1):
            refined = np.repeat(position[None, :], len(inner), axis=0)
            refined[:, on] = s * inner
            found.append(refined)
    return np.unique(np.concatenate(found), axis=0)


def _coordinates(vectors: Array) -> Array:
    """The vectors in integer coordinates of their span: the entries at as many columns as their rank."""
    size = vectors.shape[1]
    (normal,) = kernel(vectors.tolist(), size)                               # they span a hyperplane
    drop = next(k for k in range(size) if normal[k])
    return np.delete(vectors, drop, axis=1)
