"""One polyhedron and its cuts: the double description step in integers.

A polyhedral part {rows >= 0} of R^d is held by its generators (t, x), primitive integers, each with the bit mask of the
rows that vanish on it (bit 0 is t >= 0, bit i + 1 is row i), and by lines.  Cutting by one more row gives both
children; two generators span an edge iff no third one vanishes on all rows on which both vanish.
It is independent of cddlib and of the subdivision kernel, and serves as a check of both.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from math import gcd
from operator import mul

from exactrelu.errors import InvariantError
from exactrelu.polyhedra.cddlib import nonnegative_basis

Row = tuple[int, ...]
MANY_COLUMNS = 9
"""Above this many tight rows a linear program selects a few of them first."""


def dot(a: Sequence[int], b: Sequence[int]) -> int:
    """Scalar product of integer vectors."""
    return sum(map(mul, a, b))


def _primitive(vector: Sequence[int]) -> Row:
    content = gcd(*vector)
    return tuple(vector) if content in (0, 1) else tuple(x // content for x in vector)


@dataclass(frozen=True)
class Part:
    """A polyhedral part.

    Attributes:
        rows: the inequality rows (b, a), b + a.x >= 0.
        generators: pairs (primitive vector (t, x), bit mask of vanishing rows).
        lines: directions (0, x) contained in both senses.
    """

    rows: tuple[Row, ...]
    generators: tuple[tuple[Row, int], ...]
    lines: tuple[Row, ...]

    @classmethod
    def space(cls, dimension: int) -> Part:
        """Return R^d."""
        unit = [tuple(int(i == j) for j in range(dimension + 1)) for i in range(dimension + 1)]
        return cls((), ((unit[0], 0),), tuple(unit[1:]))

    def values(self, row: Sequence[int]) -> list[int]:
        """Value of a row at every generator."""
        return [sum(map(mul, row, g)) for g, _ in self.generators]

    def free_line(self, row: Sequence[int]) -> int | None:
        """Number of a line on which the row is not constant, if there is one."""
        if not self.lines:
            return None
        return next((i for i, line in enumerate(self.lines) if dot(row, line)), None)

    def cut(self, row: Row, values: Sequence[int], sides: Sequence[int] = (1, -1)) -> list[Part]:
        """Return the children {sign * row >= 0} for the signs asked; both must be full-dimensional in the part."""
        bit = 1 << len(self.rows) + 1
        at = self.free_line(row)
        if at is not None:
            return self._cut_line(row, at, bit, sides)
        plus = [(g, m, v) for (g, m), v in zip(self.generators, values) if v > 0]
        minus = [(g, m, v) for (g, m), v in zip(self.generators, values) if v < 0]
        zero = [(g, m | bit) for (g, m), v in zip(self.generators, values) if v == 0]
        need = len(row) - len(self.lines) - 2
        masks = [m for _, m in self.generators]
        new = []
        for p, mp, vp in plus:
            for q, mq, vq in minus:
                common = mp & mq
                if common.bit_count() >= need and sum(1 for m in masks if m & common == common) == 2:
                    k = gcd(vp, vq)
                    a, b = vp // k, -vq // k
                    new.append((_primitive([b * x + a * y for x, y in zip(p, q)]), common | bit))
        out = []
        for side in sides:
            kept = plus if side > 0 else minus
            signed = row if side > 0 else tuple(-x for x in row)
            out.append(Part((*self.rows, signed), tuple([(g, m) for g, m, _ in kept] + zero + new), self.lines))
        return out

    def _cut_line(self, row: Row, at: int, bit: int, sides: Sequence[int]) -> list[Part]:
        line = self.lines[at]
        slope = dot(row, line)
        if slope < 0:
            line, slope = tuple(-x for x in line), -slope

        def flattened(vector: Row) -> Row:
            value = dot(row, vector)
            return _primitive([slope * x - value * y for x, y in zip(vector, line)])

        lines = tuple(flattened(other) for i, other in enumerate(self.lines) if i != at)
        moved = [(flattened(g), m | bit) for g, m in self.generators]
        every = bit - 1 & ~1 | 1
        out = []
        for side in sides:
            signed = row if side > 0 else tuple(-x for x in row)
            ray = line if side > 0 else tuple(-x for x in line)
            out.append(Part((*self.rows, signed), (*moved, (ray, every)), lines))
        return out

    def interior_point(self) -> Row:
        """Return a point (t, x) with t > 0 strictly inside all rows, with few digits: a rounded center."""
        total = [sum(column) for column in zip(*(g for g, _ in self.generators))]
        for bits in (0, 3, 6, 10, 14, 18, 24, 30, 40, 52, 64, 80, 100, 128, 180, 256, 400, 600):
            scale = 1 << bits
            point = (scale, *((2 * x * scale + total[0]) // (2 * total[0]) for x in total[1:]))
            if all(dot(row, point) > 0 for row in self.rows):
                return _primitive(point)
        return _primitive(total)

    def support(self, row: Sequence[int], values: Sequence[int]) -> list[int]:
        """Return numbers of independent rows with row = sum lambda_i rows_i + constant, lambda >= 0, constant >= 0.

        The row must be >= 0 on the part.  Its minimum is attained at a generator with t > 0, and the gradient of the
        row is a non-negative combination of the rows that vanish there (linear programming duality).
        """
        least, at, mask = 0, 0, 0
        for (g, m), v in zip(self.generators, values):
            t = g[0]
            if t and (not at or v * at < least * t):
                least, at, mask = v, t, m
        tight = _bits(mask >> 1)
        return nonnegative_support([self.rows[i][1:] for i in tight], row[1:], tight)


def _bits(mask: int) -> list[int]:
    """Numbers of the bits that are set, increasing."""
    out = []
    while mask:
        low = mask & -mask
        out.append(low.bit_length() - 1)
        mask ^= low
    return out


def nonnegative_support(columns: Sequence[Sequence[int]], target: Sequence[int], names: Sequence[int]) -> list[int]:
    """Return names of independent columns whose non-negative combination is the target.

    Tries the columns all at once, then small families of subsets, then a basic solution of an exact linear program.
    Raises:
        InvariantError: there is none, although the caller's argument says there is.
    """
    if not any(target):
        return []
    numbers = list(range(len(columns)))
    found = _solution(columns, target, numbers)
    if found is not None and all(x >= 0 for x in found):
        return [names[i] for i, x in zip(numbers, found) if x]
    if len(columns) > MANY_COLUMNS:
        numbers = nonnegative_basis(columns, target)
    for size in range(1, min(len(numbers), len(target)) + 1):
        for subset in combinations(numbers, size):
            found = _solution(columns, target, subset)
            if found is not None and all(x > 0 for x in found):
                return [names[i] for i in subset]
    raise InvariantError("a forced sign has no supporting rows")


def _cross(a: Sequence[int], b: Sequence[int]) -> tuple[int, int, int]:
    return a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]


def _solution(columns: Sequence[Sequence[int]], target: Sequence[int], subset: Sequence[int]) -> list[int] | None:
    """Integers proportional (by a positive factor) to the unique combination of independent columns, or None."""
    if len(subset) == len(target) == 2:                # Cramer's rule: the common case of a simple vertex, in low dimension
        (a, c), (b, d) = columns[subset[0]], columns[subset[1]]
        x, y = target
        det = a * d - b * c
        if not det:
            return None
        return [det * (x * d - b * y), det * (a * y - x * c)]
    if len(subset) == len(target) == 3:
        u, v, w = (columns[i] for i in subset)
        first = _cross(v, w)
        det = u[0] * first[0] + u[1] * first[1] + u[2] * first[2]
        if not det:
            return None
        x, y, z = target
        return [det * (k[0] * x + k[1] * y + k[2] * z) for k in (first, _cross(w, u), _cross(u, v))]
    m = [[columns[i][k] for i in subset] + [target[k]] for k in range(len(target))]
    r, previous = len(subset), 1
    if r > len(m):
        return None
    for c in range(r):
        pivot = next((i for i in range(c, len(m)) if m[i][c]), None)
        if pivot is None:
            return None
        m[c], m[pivot] = m[pivot], m[c]
        p, top = m[c][c], m[c]
        for i in range(len(m)):
            if i != c:
                q = m[i][c]
                m[i] = [(p * x - q * y) // previous for x, y in zip(m[i], top)]
        previous = p
    if any(m[i][r] for i in range(r, len(m))):
        return None
    return [m[i][r] * previous for i in range(r)]
