"""Domains: R^d or a rational polyhedron {x : b + a.x >= 0 for every row (b, a)}.

The *interior* used by all verdicts is {every written inequality strict}; for a full-dimensional domain whose rows
have non-zero normals this is the topological interior.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

from exactrelu.arithmetic.rational import common_denominator, parse_decimal, parse_rational, rational_vector
from exactrelu.errors import DomainError, ExactnessError, ShapeError


@dataclass(frozen=True)
class Domain:
    """A rational polyhedron in R^d, given by inequalities; none means all of R^d.

    Rows without normal that are always true are dropped; one that is never true (-1 >= 0) makes the domain empty.

    Args:
        dimension: d.
        inequalities: rows (b, a_1, ..., a_d) meaning b + a.x >= 0, exact rationals.
    Raises:
        ShapeError: a row has the wrong length.  ExactnessError: an entry is not rational.

    >>> Domain.box(2, [(-1, 1)]).contains([1, 0])
    True
    """

    dimension: int
    inequalities: tuple[tuple[Fraction, ...], ...] = ()

    def __post_init__(self) -> None:
        rows = []
        for i, row in enumerate(self.inequalities):
            try:
                exact = rational_vector(row)
            except ExactnessError as error:
                raise ExactnessError(f"domain row {i}: {error}") from None
            if len(exact) != self.dimension + 1:
                raise ShapeError(f"domain row {i} has {len(exact)} entries, expected {self.dimension + 1} (b, a1, ..., ad)")
            if any(exact[1:]) or exact[0] < 0:            # 0 >= 0 and 1 >= 0 say nothing and would spoil "all strict"
                rows.append(exact)
        object.__setattr__(self, "inequalities", tuple(rows))

    @classmethod
    def space(cls, dimension: int) -> Domain:
        """Return R^d."""
        return cls(dimension)

    @classmethod
    def box(cls, dimension: int, intervals: Sequence[Sequence[Any]]) -> Domain:
        """Return a product of intervals [lo, hi]; a single interval is used for every coordinate."""
        pairs = [rational_vector(pair) for pair in intervals]
        if len(pairs) == 1:
            pairs = pairs * dimension
        if len(pairs) != dimension or any(len(pair) != 2 for pair in pairs):
            raise ShapeError(f"a box in dimension {dimension} needs 1 or {dimension} intervals lo,hi; got {len(intervals)}")
        rows = []
        for k, (low, high) in enumerate(pairs):
            if low > high:
                raise DomainError(f"interval {k} is empty: {low} > {high}")
            unit = [Fraction(int(k == j)) for j in range(dimension)]
            rows.append((-low, *unit))
            rows.append((high, *(-x for x in unit)))
        return cls(dimension, tuple(rows))

    @classmethod
    def parse_box(cls, dimension: int, text: str, decimal: bool = False) -> Domain:
        """Return the box written ``"-1,1"`` or ``"-1,1;0,2"``; with `decimal`, 0.1 means exactly 1/10."""
        read = parse_decimal if decimal else parse_rational
        intervals = []
        for k, part in enumerate(text.strip(" ;").split(";")):
            ends = part.split(",")
            if len(ends) != 2:
                raise DomainError(f'box part {k} is {part[:40]!r}, expected "lo,hi"')
            try:
                intervals.append([read(end.strip()) for end in ends])
            except ExactnessError as error:
                raise ExactnessError(f"box part {k}: {error}") from None
        return cls.box(dimension, intervals)

    @property
    def is_space(self) -> bool:
        """Whether no inequality is written."""
        return not self.inequalities

    @cached_property
    def integer_rows(self) -> tuple[tuple[int, ...], ...]:
        """The inequalities as integer rows (b, a_1, ..., a_d), each multiplied by its common denominator."""
        out = []
        for row in self.inequalities:
            scale = common_denominator(row)
            out.append(tuple(x.numerator * (scale // x.denominator) for x in row))
        return tuple(out)

    @cached_property
    def bounding_intervals(self) -> tuple[tuple[Fraction | None, Fraction | None], ...] | None:
        """The intervals, when every inequality bounds one coordinate (a box, possibly unbounded); else None."""
        low: list[Fraction | None] = [None] * self.dimension
        high: list[Fraction | None] = [None] * self.dimension
        for b, *a in self.inequalities:
            support = [k for k, x in enumerate(a) if x]
            if len(support) != 1:
                return None
            k = support[0]
            bound = -b / a[k]
            if a[k] > 0:
                low[k] = bound if low[k] is None else max(low[k], bound)  # type: ignore[type-var]  # not None here
            else:
                high[k] = bound if high[k] is None else min(high[k], bound)  # type: ignore[type-var]  # not None here
        return tuple(zip(low, high))

    def slacks(self, point: Sequence[Any]) -> tuple[Fraction, ...]:
        """Return b + a.x for every inequality."""
        x = rational_vector(point)
        if len(x) != self.dimension:
            raise ShapeError(f"point has {len(x)} coordinates, the domain dimension {self.dimension}")
        return tuple(sum((a * y for a, y in zip(row[1:], x)), row[0]) for row in self.inequalities)

    def contains(self, point: Sequence[Any]) -> bool:
        """Whether the point lies in the (closed) domain."""
        return all(s >= 0 for s in self.slacks(point))

    def contains_strictly(self, point: Sequence[Any]) -> bool:
        """Whether every inequality is strict at the point."""
        return all(s > 0 for s in self.slacks(point))

    @cached_property
    def has_interior(self) -> bool:
        """Whether some point satisfies every inequality strictly (decided by an exact linear program)."""
        from exactrelu.polyhedra.cddlib import margin

        return self.is_space or margin(self.integer_rows, self.dimension).value > 0

    def require_interior(self) -> None:
        """Raise DomainError if no point satisfies every inequality strictly."""
        if not self.has_interior:
            raise DomainError("the domain has no interior points, so nothing can be said about identifiability there; "
                              "parametrize its affine hull and compose the network with the parametrization")

    def claim(self) -> dict[str, Any] | None:
        """Return the domain as it is written in a certificate; None for R^d."""
        if self.is_space:
            return None
        return {"inequalities": [[str(x) for x in row] for row in self.inequalities]}

    def to_json(self) -> dict[str, Any]:
        """Return the domain file of the interface; R^d is written with the trivial row 1 >= 0, which keeps the dimension."""
        rows = self.inequalities or ((Fraction(1), *[Fraction(0)] * self.dimension),)
        return {"format": "exactrelu/domain", "version": 1, "inequalities": [[str(x) for x in row] for row in rows]}
