"""Finite unions of basic semi-algebraic sets, with an honest statement of what they describe."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from exactrelu.arithmetic.polynomial import PolynomialRing
from exactrelu.errors import InputError
from exactrelu.fibers.semialgebraic.basic_set import BasicSet, Values

SCOPES = ("all", "generic", "local")


@dataclass(frozen=True)
class SemialgebraicSet:
    """A union of basic sets that describes a set of parameters.

    Attributes:
        ring: coordinates.
        parts: the basic sets; they may overlap.
        scope: `all` (all parameters of the architecture), `generic` (those in a dense open set that is named in `note`) or `local`
            (those near the given one).
        complete: whether the union contains every parameter of the scope with the function; False: some of them.
        note: for people: what the scope is, what factors out.

    >>> x = PolynomialRing(("x",)).variable("x")
    >>> two = SemialgebraicSet(x.ring, (BasicSet(x.ring, (x - 1,)), BasicSet(x.ring, (), (x,))), "all", True)
    >>> two.which([1]), two.contains([-1])
    ((0, 1), False)
    """

    ring: PolynomialRing
    parts: tuple[BasicSet, ...]
    scope: str
    complete: bool
    note: str = ""

    def __post_init__(self) -> None:
        if self.scope not in SCOPES:
            raise InputError(f"scope {self.scope!r} is none of {', '.join(SCOPES)}")
        if any(part.ring != self.ring for part in self.parts):
            raise InputError("a part lives in another space")

    def __iter__(self) -> Iterator[BasicSet]:
        return iter(self.parts)

    def __len__(self) -> int:
        return len(self.parts)

    def which(self, values: Values) -> tuple[int, ...]:
        """Return the numbers of the parts that contain a point."""
        point = self.ring.point(values)
        return tuple(k for k, part in enumerate(self.parts) if part.contains(point))

    def contains(self, values: Values) -> bool:
        """Whether a point lies in some part."""
        point = self.ring.point(values)
        return any(part.contains(point) for part in self.parts)

    def dimension_bound(self, values: Values) -> int | None:
        """Return the largest n - rank over the parts that contain a point; None if none does.

        The parts need not be closed, so a part that has the point only in its closure is not counted.
        """
        point = self.ring.point(values)
        return max((part.dimension_bound(point) for part in self.parts if part.contains(point)), default=None)
