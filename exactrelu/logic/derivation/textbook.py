"""The axioms of the three languages, and laws of MV-algebras as textbooks state them.

A law is a function from variables to the two sides; it works for everything that has the operators ~ + * | & >>.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction


@dataclass(frozen=True)
class Sketch:
    """A formula as written, for stating laws; formulae proper are shared objects of their own.

    >>> x, y = Sketch.variable("x"), Sketch.variable("y")
    >>> (x + ~y).op
    'oplus'
    """

    op: str
    args: tuple[Sketch, ...] = ()
    data: str | int | Fraction | None = None

    @classmethod
    def variable(cls, name: str) -> Sketch:
        """A variable."""
        return cls("var", (), name)

    def __invert__(self) -> Sketch:
        return Sketch("neg", (self,))

    def __add__(self, other: Sketch) -> Sketch:
        return Sketch("oplus", (self, other))

    def __mul__(self, other: Sketch) -> Sketch:
        return Sketch("odot", (self, other))

    def __or__(self, other: Sketch) -> Sketch:
        return Sketch("vee", (self, other))

    def __and__(self, other: Sketch) -> Sketch:
        return Sketch("wedge", (self, other))

    def __rshift__(self, other: Sketch) -> Sketch:
        return Sketch("imp", (self, other))

    def part(self, n: int) -> Sketch:
        """delta_n of this."""
        return Sketch("delta", (self,), n)

    def scaled(self, r: str) -> Sketch:
        """This times the rational r in [0, 1]."""
        return Sketch("scale", (self,), Fraction(r))

    def times(self, n: int) -> Sketch:
        """The sum of n >= 1 copies."""
        result = self
        for _ in range(n - 1):
            result = result + self
        return result


Sides = tuple[Sketch, Sketch]
Law = tuple[str, Callable[[Sketch, Sketch, Sketch], Sides]]
ZERO, ONE = Sketch("0"), Sketch("1")

AXIOMS: tuple[Law, ...] = (
    ("A1", lambda x, y, z: (x + (y + z), (x + y) + z)),
    ("A2", lambda x, y, z: (x + y, y + x)),
    ("A3", lambda x, y, z: (x + ZERO, x)),
    ("A4", lambda x, y, z: (~~x, x)),
    ("A5", lambda x, y, z: (x + ~ZERO, ~ZERO)),
    ("A6", lambda x, y, z: (~(~x + y) + y, ~(~y + x) + x)),
    ("definition of 1", lambda x, y, z: (ONE, ~ZERO)),
    ("definition of the product", lambda x, y, z: (x * y, ~(~x + ~y))),
    ("definition of implication", lambda x, y, z: (x >> y, ~x + y)),
    ("definition of the maximum", lambda x, y, z: (x | y, (x * ~y) + y)),
    ("definition of the minimum", lambda x, y, z: (x & y, (x + ~y) * y)),
    ("divisible: 1 part", lambda x, y, z: (x.part(1), x)),
    ("divisible: 2 parts", lambda x, y, z: (x.part(2).times(2), x)),
    ("divisible: 3 parts", lambda x, y, z: (x.part(3).times(3), x)),
    ("divisible: 5 parts", lambda x, y, z: (x.part(5).times(5), x)),
    ("divisible: 2 disjoint", lambda x, y, z: (x.part(2) * x.part(2), ZERO)),
    ("divisible: 3 disjoint", lambda x, y, z: (x.part(3).times(2) * x.part(3), ZERO)),
    ("divisible: 4 disjoint", lambda x, y, z: (x.part(4).times(3) * x.part(4), ZERO)),
    ("Riesz: scalar and difference", lambda x, y, z: ((x * ~y).scaled("2/3"), x.scaled("2/3") * ~y.scaled("2/3"))),
    ("Riesz: difference of scalars", lambda x, y, z: (x.scaled("1/6"), x.scaled("1/2") * ~x.scaled("1/3"))),
    ("Riesz: product of scalars", lambda x, y, z: (x.scaled("2/3").scaled("1/2"), x.scaled("1/3"))),
    ("Riesz: scalar 1", lambda x, y, z: (x.scaled("1"), x)),
    ("Riesz: scalar 0", lambda x, y, z: (x.scaled("0"), ZERO)),
)
"""Every axiom and definition of the languages mv, divisible and Riesz; schemas with some values of their parameters."""

LAWS: tuple[Law, ...] = (
    ("the product commutes", lambda x, y, z: (x * y, y * x)),
    ("the product associates", lambda x, y, z: (x * (y * z), (x * y) * z)),
    ("1 absorbs in sums", lambda x, y, z: (x + ONE, ONE)),
    ("1 is neutral for the product", lambda x, y, z: (x * ONE, x)),
    ("0 absorbs in products", lambda x, y, z: (x * ZERO, ZERO)),
    ("not 1 is 0", lambda x, y, z: (~ONE, ZERO)),
    ("De Morgan, sum", lambda x, y, z: (~(x + y), ~x * ~y)),
    ("De Morgan, product", lambda x, y, z: (~(x * y), ~x + ~y)),
    ("De Morgan, maximum", lambda x, y, z: (~(x | y), ~x & ~y)),
    ("De Morgan, minimum", lambda x, y, z: (~(x & y), ~x | ~y)),
    ("excluded middle", lambda x, y, z: (x + ~x, ONE)),
    ("contradiction", lambda x, y, z: (x * ~x, ZERO)),
    ("identity", lambda x, y, z: (x >> x, ONE)),
    ("1 implies x", lambda x, y, z: (ONE >> x, x)),
    ("x implies 1", lambda x, y, z: (x >> ONE, ONE)),
    ("ex falso", lambda x, y, z: (ZERO >> x, ONE)),
    ("negation as implication", lambda x, y, z: (x >> ZERO, ~x)),
    ("contraposition", lambda x, y, z: (x >> y, ~y >> ~x)),
    ("exportation", lambda x, y, z: (x >> (y >> z), (x * y) >> z)),
    ("exchange of premises", lambda x, y, z: (x >> (y >> z), y >> (x >> z))),
    ("weakening", lambda x, y, z: (x >> (y >> x), ONE)),
    ("the maximum commutes", lambda x, y, z: (x | y, y | x)),
    ("the minimum commutes", lambda x, y, z: (x & y, y & x)),
    ("the maximum is idempotent", lambda x, y, z: (x | x, x)),
    ("the minimum is idempotent", lambda x, y, z: (x & x, x)),
    ("0 is least", lambda x, y, z: (x | ZERO, x)),
    ("1 is greatest", lambda x, y, z: (x & ONE, x)),
    ("Wajsberg", lambda x, y, z: ((x >> y) >> y, (y >> x) >> x)),
    ("maximum by implication", lambda x, y, z: (x | y, (x >> y) >> y)),
    ("divisibility", lambda x, y, z: (x & y, x * (x >> y))),
    ("absorption, minimum", lambda x, y, z: (x & (x | y), x)),
    ("absorption, maximum", lambda x, y, z: (x | (x & y), x)),
    ("the maximum associates", lambda x, y, z: (x | (y | z), (x | y) | z)),
    ("the minimum associates", lambda x, y, z: (x & (y & z), (x & y) & z)),
    ("minimum over maximum", lambda x, y, z: (x & (y | z), (x & y) | (x & z))),
    ("maximum over minimum", lambda x, y, z: (x | (y & z), (x | y) & (x | z))),
    ("product over maximum", lambda x, y, z: (x * (y | z), (x * y) | (x * z))),
    ("product over minimum", lambda x, y, z: (x * (y & z), (x * y) & (x * z))),
    ("sum over maximum", lambda x, y, z: (x + (y | z), (x + y) | (x + z))),
    ("sum over minimum", lambda x, y, z: (x + (y & z), (x + y) & (x + z))),
    ("prelinearity", lambda x, y, z: ((x >> y) | (y >> x), ONE)),
    ("transitivity of implication", lambda x, y, z: ((x >> y) >> ((y >> z) >> (x >> z)), ONE)),
    ("sum of maximum and minimum", lambda x, y, z: ((x | y) + (x & y), x + y)),
    ("sum and product, sum", lambda x, y, z: ((x + y) + (x * y), x + y)),
    ("sum and product, product", lambda x, y, z: ((x + y) * (x * y), x * y)),
    ("half of a sum", lambda x, y, z: (x.part(2) + y.part(2), (x + y).part(2) + (x * y).part(2))),
    ("half of a maximum", lambda x, y, z: ((x | y).part(2), x.part(2) | y.part(2))),
    ("parts of parts", lambda x, y, z: (x.part(3).part(2), x.part(6))),
)
"""Consequences of the axioms."""


def stated(law: Law) -> Sides:
    """The two sides of a law in the variables x, y, z."""
    return law[1](Sketch.variable("x"), Sketch.variable("y"), Sketch.variable("z"))
