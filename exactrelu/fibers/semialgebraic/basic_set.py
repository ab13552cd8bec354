"""Basic semi-algebraic sets: finitely many polynomial equations and inequalities over Q.

    {x in R^n : equations = 0, nonnegative >= 0, positive > 0, nonzero != 0}

Constraints are kept primitive and without repetition; equations and disequations also up to sign.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from exactrelu.arithmetic.matrix import rank
from exactrelu.arithmetic.polynomial import Point, Polynomial, PolynomialRing
from exactrelu.arithmetic.rational import primitive_integer
from exactrelu.errors import InputError

Values = Sequence[Any] | Mapping[str, Any] | Point
RELATIONS = {"=": (0,), ">=": (0, 1), ">": (1,), "!=": (-1, 1)}
"""Relation to 0 -> the signs that satisfy it."""


@dataclass(frozen=True)
class Constraint:
    """`polynomial` `relation` 0.

    >>> x = PolynomialRing(("x",)).variable("x")
    >>> str(Constraint(x - 1, ">=")), Constraint(x - 1, ">").holds(x.ring.point([1]))
    ('x - 1 >= 0', False)
    """

    polynomial: Polynomial
    relation: str

    def holds(self, point: Point) -> bool:
        """Whether the constraint holds at a point; exact."""
        return self.polynomial.sign(point) in RELATIONS[self.relation]

    @property
    def constant_truth(self) -> bool | None:
        """Truth of a constraint on a constant; None if a variable occurs."""
        value = self.polynomial.constant_value
        return None if value is None else (value > 0) - (value < 0) in RELATIONS[self.relation]

    def __str__(self) -> str:
        return f"{self.polynomial} {self.relation} 0"


def _distinct(polynomials: Iterable[Polynomial], relation: str, known: set[Polynomial]) -> tuple[Polynomial, ...]:
    """Normal forms in their order, without repetition and without constraints that always hold."""
    out = []
    for p in polynomials:
        normal = p.signless() if relation in ("=", "!=") else p.primitive()
        if normal not in known and Constraint(normal, relation).constant_truth is not True:
            known.add(normal)
            out.append(normal)
    return tuple(out)


@dataclass(frozen=True)
class BasicSet:
    """A basic semi-algebraic set in the space of the variables of a ring.

    Attributes:
        equations, nonnegative, positive, nonzero: the constraints.
        description: one line for people.
        source: the theorem from which the constraints were generated.
    Raises:
        InputError: a polynomial of another ring.

    >>> x, y = PolynomialRing(("x", "y")).variables
    >>> half = BasicSet(x.ring, equations=(x * x + y * y - 1, 2 - 2 * x * x - 2 * y * y), positive=(y,))
    >>> len(half.equations), half.contains(["3/5", "4/5"]), str(half.violated([1, 0])), half.dimension_bound(["3/5", "4/5"])
    (1, True, 'y > 0', 1)
    """

    ring: PolynomialRing
    equations: tuple[Polynomial, ...] = ()
    nonnegative: tuple[Polynomial, ...] = ()
    positive: tuple[Polynomial, ...] = ()
    nonzero: tuple[Polynomial, ...] = ()
    description: str = field(default="", compare=False)
    source: str = field(default="", compare=False)

    def __post_init__(self) -> None:
        every = (*self.equations, *self.nonnegative, *self.positive, *self.nonzero)
        if any(p.ring != self.ring for p in every):
            raise InputError("a constraint is a polynomial of another ring")
        positive = _distinct(self.positive, ">", set())
        implied = {p.signless() for p in positive}
        for name, value in (("equations", _distinct(self.equations, "=", set())), ("positive", positive),
                            ("nonnegative", _distinct(self.nonnegative, ">=", set(positive))),
                            ("nonzero", _distinct(self.nonzero, "!=", implied))):
            object.__setattr__(self, name, value)

    def constraints(self) -> Iterator[Constraint]:
        """All constraints: equations first, then >=, >, !=."""
        for polynomials, relation in ((self.equations, "="), (self.nonnegative, ">="), (self.positive, ">"), (self.nonzero, "!=")):
            for p in polynomials:
                yield Constraint(p, relation)

    @cached_property
    def is_plainly_empty(self) -> bool:
        """Whether a constraint without variables is false, such as 1 = 0; False says nothing."""
        return any(c.constant_truth is False for c in self.constraints())

    def violated(self, values: Values) -> Constraint | None:
        """Return the first constraint that fails at a point, None if the point lies in the set.

        Args:
            values: exact rationals, in the order of the variables or by name.
        Exactness: rational.    Cost: one evaluation a constraint.
        """
        point = self.ring.point(values)
        return next((c for c in self.constraints() if not c.holds(point)), None)

    def contains(self, values: Values) -> bool:
        """Whether a point lies in the set."""
        return self.violated(values) is None

    def jacobian_rank(self, values: Values) -> int:
        """Return the rank of the gradients of the equations at a point."""
        point = self.ring.point(values)
        rows = []
        for p in self.equations:
            gradient = p.gradient(point)
            dense = [gradient.get(i, 0) for i in range(len(self.ring.names))]
            rows.append(primitive_integer(dense))
        return rank(rows, len(self.ring.names))

    def dimension_bound(self, values: Values) -> int:
        """Return n - rank of the equations' Jacobian: at least the local dimension at a point of the set.

        Equal to it where the rank is constant on a neighborhood in the set (constant rank theorem).
        """
        return len(self.ring.names) - self.jacobian_rank(values)

    def intersection(self, other: BasicSet) -> BasicSet:
        """Return the intersection with another set in the same space."""
        return BasicSet(self.ring, self.equations + other.equations, self.nonnegative + other.nonnegative,
                        self.positive + other.positive, self.nonzero + other.nonzero, self.description, self.source)

    def relations(self) -> list[list[Any]]:
        """Return the constraints as a certificate writes them: [relation, [[coefficient, [[variable, exponent], ...]], ...]]."""
        return [[c.relation, [[str(a), [list(power) for power in powers]] for a, powers in c.polynomial.terms]] for c in self.constraints()]

    @property
    def degree(self) -> int:
        """Largest degree of a constraint; -1 if there is none."""
        return max((c.polynomial.degree for c in self.constraints()), default=-1)
