"""LaTeX text of semi-algebraic sets (amsmath)."""

from __future__ import annotations

import re
from fractions import Fraction

from exactrelu.arithmetic.polynomial import Polynomial
from exactrelu.fibers.semialgebraic.basic_set import BasicSet
from exactrelu.fibers.semialgebraic.union import SemialgebraicSet

_PARAMETER = re.compile(r"([A-Za-z]+)([0-9]+)((?:_[0-9]+)+)")
SIGNS = {"=": "=", ">=": r"\ge", ">": ">", "!=": r"\ne"}


def latex_name(name: str) -> str:
    r"""Return a variable in LaTeX.

    >>> latex_name("W2_1_3"), latex_name("lambda_total")
    ('W^{(2)}_{1,3}', '\\mathit{lambda\\_total}')
    """
    match = _PARAMETER.fullmatch(name)
    if match and len(match[1]) == 1:
        return f"{match[1]}^{{({match[2]})}}_{{{match[3][1:].replace('_', ',')}}}"
    if len(name) == 1:
        return name
    return rf"\mathit{{{name.replace('_', chr(92) + '_')}}}"


def _number(value: Fraction) -> str:
    return str(value.numerator) if value.denominator == 1 else rf"\tfrac{{{value.numerator}}}{{{value.denominator}}}"


def latex_polynomial(polynomial: Polynomial) -> str:
    r"""Return a polynomial in LaTeX.

    >>> from exactrelu.arithmetic.polynomial import PolynomialRing
    >>> x, y = PolynomialRing(("x", "y")).variables
    >>> latex_polynomial(Fraction(-1, 2) * x**2 * y + y - 3)
    '-\\tfrac{1}{2}x^{2}y + y - 3'
    """
    out = ""
    for c, powers in polynomial.terms:
        names = []
        for i, e in powers:
            name = latex_name(polynomial.ring.names[i])
            names.append(name if e == 1 else f"{name}^{{{e}}}" if len(name) == 1 else f"({name})^{{{e}}}")
        size = abs(c)
        body = ("" if size == 1 and names else _number(size)) + "".join(names)
        sign = "-" if c < 0 else "+"
        out += f" {sign} {body}" if out else ("-" if c < 0 else "") + body
    return out or "0"


def _rows(part: BasicSet) -> str:
    rows = [rf"  {latex_polynomial(c.polynomial)} &{SIGNS[c.relation]} 0" for c in part.constraints()]
    return " \\\\\n".join(rows) if rows else r"  0 &= 0"


def _plain(text: str) -> str:
    return re.sub(r"([&%$#_{}])", r"\\\1", text.replace("\\", "/"))


def latex(found: BasicSet | SemialgebraicSet) -> str:
    """Return a list of `align*` environments, one a part, each after its description."""
    parts = [found] if isinstance(found, BasicSet) else list(found.parts)
    head = "" if isinstance(found, BasicSet) or not found.note else _plain(found.note) + "\n\n"
    return head + "\n".join(f"{_plain(part.description)}\n\\begin{{align*}}\n{_rows(part)}\n\\end{{align*}}\n" for part in parts)
