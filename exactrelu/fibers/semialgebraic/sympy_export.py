"""Semi-algebraic sets as sympy objects, and as a Python script that builds them."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from exactrelu.arithmetic.polynomial import Polynomial
from exactrelu.fibers.semialgebraic.basic_set import BasicSet
from exactrelu.fibers.semialgebraic.union import SemialgebraicSet

CLASSES = {"=": "Eq", ">=": "Ge", ">": "Gt", "!=": "Ne"}


def sympy_symbols(names: tuple[str, ...]) -> tuple[Any, ...]:
    """Return real symbols."""
    import sympy

    return tuple(sympy.Symbol(name, real=True) for name in names)


def sympy_polynomial(polynomial: Polynomial) -> Any:
    """Return the expanded sympy expression.

    >>> from exactrelu.arithmetic.polynomial import PolynomialRing
    >>> x = PolynomialRing(("x",)).variable("x")
    >>> sympy_polynomial(Fraction(1, 2) * x**2 - 1)
    x**2/2 - 1
    """
    import sympy

    symbols = sympy_symbols(polynomial.ring.names)
    return sympy.Add(*(sympy.Mul(sympy.Rational(c.numerator, c.denominator), *(symbols[i] ** e for i, e in powers))
                       for c, powers in polynomial.terms))


def sympy_set(found: BasicSet | SemialgebraicSet) -> Any:
    """Return the membership condition: And of relations, Or of those for a union."""
    import sympy

    if isinstance(found, SemialgebraicSet):
        return sympy.Or(*(sympy_set(part) for part in found.parts), evaluate=False)
    relations = [getattr(sympy, CLASSES[c.relation])(sympy_polynomial(c.polynomial), 0) for c in found.constraints()]
    return sympy.And(*relations, evaluate=False)


def _factor(value: Fraction) -> str:
    return str(value.numerator) if value.denominator == 1 else f"Rational({value.numerator}, {value.denominator})"


def _expression(polynomial: Polynomial) -> str:
    names = polynomial.ring.names
    terms = ["*".join([_factor(c), *(names[i] if e == 1 else f"{names[i]}**{e}" for i, e in powers)]) for c, powers in polynomial.terms]
    return " + ".join(terms) or "0"


def sympy_script(found: BasicSet | SemialgebraicSet) -> str:
    """Return a Python script that defines the symbols and a list `parts` of lists of relations.

    >>> from exactrelu.arithmetic.polynomial import PolynomialRing
    >>> x = PolynomialRing(("x",)).variable("x")
    >>> print(sympy_script(BasicSet(x.ring, (), (), (x - 1,))), end="")
    from sympy import Eq, Ge, Gt, Ne, Rational, symbols
    <BLANKLINE>
    x, = symbols('x', real=True, seq=True)
    parts = [
        [
            Gt(1*x + -1, 0),
        ],
    ]
    """
    parts = [found] if isinstance(found, BasicSet) else list(found.parts)
    names = found.ring.names
    head = ["from sympy import Eq, Ge, Gt, Ne, Rational, symbols", ""]
    if names:
        head.append(f"{', '.join(names)}{',' if len(names) == 1 else ''} = symbols({' '.join(names)!r}, real=True, seq=True)")
    lines = [*head, "parts = ["]
    for part in parts:
        lines.append("    [" + (f"  # {' '.join(part.description.split())}" if part.description else ""))
        lines += [f"        {CLASSES[c.relation]}({_expression(c.polynomial)}, 0)," for c in part.constraints()]
        lines.append("    ],")
    return "\n".join([*lines, "]"]) + "\n"
