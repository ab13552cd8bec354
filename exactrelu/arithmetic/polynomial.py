"""Polynomials over Q in named variables, immutable and hashable, on top of flint's sparse multivariate polynomials.

A ring is a tuple of names; polynomials of one ring mix freely with integers and fractions, polynomials of different rings
do not.  Exponent vectors can be long (one entry a variable) while polynomials are short, so terms are handed out sparsely.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import gcd, lcm
from typing import Any

from flint import Ordering, fmpq, fmpq_mpoly_ctx

from exactrelu.arithmetic.rational import rational
from exactrelu.errors import InputError, ShapeError

Powers = tuple[tuple[int, int], ...]
"""A monomial: pairs (number of the variable, exponent > 0), variables increasing."""
Scalar = int | Fraction
_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_]*")


def _flint(value: Any) -> fmpq:
    exact = rational(value)
    return fmpq(exact.numerator, exact.denominator)


def _fraction(value: Any) -> Fraction:
    return Fraction(int(value.p), int(value.q))


@dataclass(frozen=True)
class Point:
    """Values of all variables of a ring, converted once."""

    values: tuple[fmpq, ...]

    def fractions(self) -> tuple[Fraction, ...]:
        """Return the values."""
        return tuple(map(_fraction, self.values))


@dataclass(frozen=True)
class PolynomialRing:
    """Q[names].

    >>> ring = PolynomialRing(("x", "y"))
    >>> x, y = ring.variables
    >>> (x + y) ** 2 - 2 * x * y == x * x + y * y
    True
    """

    names: tuple[str, ...]

    def __post_init__(self) -> None:
        object.__setattr__(self, "names", tuple(self.names))
        wrong = [name for name in self.names if not isinstance(name, str) or not _NAME.fullmatch(name)]
        if wrong:
            raise InputError(f"{wrong[0]!r} is not a name of a variable (a letter, then letters, digits and underscores)")
        if len(set(self.names)) != len(self.names):
            raise InputError("two variables have one name")

    def __reduce__(self) -> tuple[Any, ...]:
        return PolynomialRing, (self.names,)

    @cached_property
    def _context(self) -> Any:
        return fmpq_mpoly_ctx.get(self.names, Ordering.degrevlex)

    @cached_property
    def variables(self) -> tuple[Polynomial, ...]:
        """All variables as polynomials."""
        return tuple(Polynomial(self, g) for g in self._context.gens())

    @cached_property
    def _numbers(self) -> dict[str, int]:
        return {name: i for i, name in enumerate(self.names)}

    def number(self, name: str) -> int:
        """Return the place of a variable."""
        if name not in self._numbers:
            raise InputError(f"no variable is called {name!r}")
        return self._numbers[name]

    def variable(self, name: str) -> Polynomial:
        """Return one variable as a polynomial."""
        return self.variables[self.number(name)]

    def constant(self, value: Any) -> Polynomial:
        """Return a constant; ExactnessError for floats."""
        return Polynomial(self, self._context.constant(_flint(value)))

    @cached_property
    def zero(self) -> Polynomial:
        """The polynomial 0."""
        return self.constant(0)

    def sum(self, parts: Iterable[Polynomial]) -> Polynomial:
        """Return the sum, 0 for no parts."""
        total = self.zero
        for part in parts:
            total = total + part
        return total

    def from_terms(self, terms: Iterable[tuple[Any, Iterable[tuple[int, int]]]]) -> Polynomial:
        """Return the polynomial of pairs (coefficient, powers), the inverse of `Polynomial.terms`.

        >>> str(PolynomialRing(("x", "y")).from_terms([(Fraction(1, 2), [(1, 2)]), (3, [])]))
        '1/2*y^2 + 3'
        """
        table: dict[tuple[int, ...], fmpq] = {}
        for coefficient, powers in terms:
            exponents = [0] * len(self.names)
            for i, e in powers:
                exponents[i] += e
            key = tuple(exponents)
            table[key] = table.get(key, fmpq(0)) + _flint(coefficient)
        return Polynomial(self, self._context.from_dict(table))

    def point(self, values: Sequence[Any] | Mapping[str, Any] | Point) -> Point:
        """Return exact values of all variables, given in order or by name.

        Raises:
            ShapeError: a value is missing, or there are too many.  ExactnessError: a value is not rational.
        """
        if isinstance(values, Point):
            return values
        if isinstance(values, Mapping):
            missing = [name for name in self.names if name not in values]
            if missing or len(values) != len(self.names):
                raise ShapeError(f"no value for {missing[0]!r}" if missing else "values for unknown variables")
            values = [values[name] for name in self.names]
        if len(values) != len(self.names):
            raise ShapeError(f"{len(values)} values for {len(self.names)} variables")
        return Point(tuple(map(_flint, values)))


class Polynomial:
    """An element of a `PolynomialRing`; made by its ring, and by arithmetic.

    Exactness: rational throughout; floats are refused.    Cost: that of flint's sparse arithmetic.
    """

    __slots__ = ("__dict__", "_value", "ring")
    ring: PolynomialRing
    _value: Any

    def __init__(self, ring: PolynomialRing, value: Any) -> None:
        object.__setattr__(self, "ring", ring)
        object.__setattr__(self, "_value", value)

    def __setattr__(self, name: str, value: Any) -> None:
        raise AttributeError("a polynomial is immutable")

    def __reduce__(self) -> tuple[Any, ...]:
        return _restored, (self.ring, self.terms)

    def _with(self, other: Any, operation: Callable[[Any, Any], Any]) -> Any:
        if isinstance(other, Polynomial):
            if other.ring is not self.ring and other.ring != self.ring:
                raise InputError("polynomials of two different rings")
            return Polynomial(self.ring, operation(self._value, other._value))
        if isinstance(other, (int, Fraction)) and not isinstance(other, bool):
            return Polynomial(self.ring, operation(self._value, _flint(other)))
        return NotImplemented

    def __add__(self, other: Polynomial | Scalar) -> Polynomial:
        return self._with(other, lambda a, b: a + b)  # type: ignore[no-any-return]  # or NotImplemented

    __radd__ = __add__

    def __sub__(self, other: Polynomial | Scalar) -> Polynomial:
        return self._with(other, lambda a, b: a - b)  # type: ignore[no-any-return]  # or NotImplemented

    def __rsub__(self, other: Scalar) -> Polynomial:
        return (-self) + other

    def __mul__(self, other: Polynomial | Scalar) -> Polynomial:
        return self._with(other, lambda a, b: a * b)  # type: ignore[no-any-return]  # or NotImplemented

    __rmul__ = __mul__

    def __neg__(self) -> Polynomial:
        return Polynomial(self.ring, -self._value)

    def __pow__(self, exponent: int) -> Polynomial:
        if isinstance(exponent, bool) or not isinstance(exponent, int) or exponent < 0:
            raise InputError(f"{exponent!r} is not an exponent: whole and at least 0")
        return Polynomial(self.ring, self._value ** exponent)

    def __eq__(self, other: object) -> bool:
        if isinstance(other, Polynomial):
            return self.ring == other.ring and bool(self._value == other._value)
        if isinstance(other, (int, Fraction)) and not isinstance(other, bool):
            return bool(self._value == _flint(other))
        return NotImplemented

    def __hash__(self) -> int:
        constant = self.constant_value
        return hash(self.terms) if constant is None else hash(constant)   # equal to a number: the hash of the number

    def __bool__(self) -> bool:
        return bool(self._value)

    def __str__(self) -> str:
        return str(self._value)

    def __repr__(self) -> str:
        return f"Polynomial({self})"

    @cached_property
    def terms(self) -> tuple[tuple[Fraction, Powers], ...]:
        """Coefficients with their monomials, decreasing in the degree reverse lexicographic order."""
        return tuple((_fraction(c), tuple((i, e) for i, e in enumerate(map(int, exponents)) if e)) for exponents, c in self._value.terms())

    @property
    def constant_value(self) -> Fraction | None:
        """The value of a constant polynomial; None for all others."""
        if not self._value.is_constant():
            return None
        return self.terms[0][0] if self.terms else Fraction(0)

    @property
    def degree(self) -> int:
        """Total degree; -1 for 0."""
        return int(self._value.total_degree())

    @cached_property
    def support(self) -> tuple[int, ...]:
        """Numbers of the variables that occur, increasing."""
        return tuple(sorted({i for _, powers in self.terms for i, _ in powers}))

    def coefficient(self, powers: Iterable[tuple[int, int]]) -> Fraction:
        """Return the coefficient of a monomial."""
        wanted = tuple(sorted(powers))
        return next((c for c, here in self.terms if here == wanted), Fraction(0))

    def derivative(self, variable: int | str) -> Polynomial:
        """Return the partial derivative by a variable (number or name)."""
        number = self.ring.number(variable) if isinstance(variable, str) else variable
        return Polynomial(self.ring, self._value.derivative(number))

    def _at(self, point: Point) -> fmpq:
        total = fmpq(0)
        for c, powers in self._quick:
            for i, e in powers:
                c = c * (point.values[i] if e == 1 else point.values[i] ** e)
            total = total + c
        return total

    @cached_property
    def _quick(self) -> tuple[tuple[fmpq, Powers], ...]:
        return tuple((_flint(c), powers) for c, powers in self.terms)

    def __call__(self, values: Sequence[Any] | Mapping[str, Any] | Point) -> Fraction:
        """Return the value at a point; the values in the order of the variables, or by name.

        >>> x, y = PolynomialRing(("x", "y")).variables
        >>> (x * y + 1)([Fraction(1, 2), 3])
        Fraction(5, 2)
        """
        return _fraction(self._at(self.ring.point(values)))

    def sign(self, point: Point) -> int:
        """Return the sign (-1, 0, 1) at a point."""
        value = self._at(point)
        return (value > 0) - (value < 0)

    def gradient(self, point: Point) -> dict[int, Fraction]:
        """Return the partial derivatives at a point that are not 0, by number of the variable."""
        totals: dict[int, fmpq] = {}
        for c, powers in self._quick:
            for place, (i, e) in enumerate(powers):
                part = c * e * point.values[i] ** (e - 1)
                for j, f in (*powers[:place], *powers[place + 1:]):
                    part = part * point.values[j] ** f
                totals[i] = totals.get(i, fmpq(0)) + part
        return {i: _fraction(x) for i, x in sorted(totals.items()) if x}

    def substitute(self, values: Mapping[str, Polynomial | Scalar]) -> Polynomial:
        """Return the polynomial with variables replaced by polynomials of the same ring, or numbers, all at once.

        >>> x, y = PolynomialRing(("x", "y")).variables
        >>> (x - y).substitute({"x": y, "y": x}) == y - x
        True
        """
        images = list(self.ring.variables)
        for name, value in values.items():
            image = value if isinstance(value, Polynomial) else self.ring.constant(value)
            if image.ring != self.ring:
                raise InputError("polynomials of two different rings")
            images[self.ring.number(name)] = image
        return Polynomial(self.ring, self._value.compose(*(p._value for p in images), ctx=self.ring._context))

    def primitive(self) -> Polynomial:
        """Return the positive multiple with integer coefficients without common factor; 0 stays 0."""
        if not self:
            return self
        coefficients = [c for c, _ in self.terms]
        scale = lcm(*(c.denominator for c in coefficients))
        return self * Fraction(scale, gcd(*(int(c * scale) for c in coefficients)))

    def signless(self) -> Polynomial:
        """Return the primitive multiple whose first coefficient is positive: equal for polynomials with the same zeros by scaling."""
        found = self.primitive()
        return -found if found and found.terms[0][0] < 0 else found


def _restored(ring: PolynomialRing, terms: tuple[tuple[Fraction, Powers], ...]) -> Polynomial:
    return ring.from_terms(terms)
