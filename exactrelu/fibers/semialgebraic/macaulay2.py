"""The equations of a basic set as an ideal for Macaulay2 (inequalities are given as comments: an ideal cannot hold them)."""

from __future__ import annotations

from exactrelu.arithmetic.polynomial import Polynomial
from exactrelu.fibers.semialgebraic.basic_set import BasicSet


def macaulay2_names(names: tuple[str, ...]) -> tuple[str, ...]:
    """Return names that Macaulay2 accepts (letters and digits), pairwise different.

    >>> macaulay2_names(("W1_1_2", "b1_1"))
    ('W1x1x2', 'b1x1')
    """
    plain = tuple(name.replace("_", "x") for name in names)
    return plain if len(set(plain)) == len(plain) else tuple(f"x{i}" for i in range(1, len(names) + 1))


def _expression(polynomial: Polynomial, names: tuple[str, ...]) -> str:
    terms = []
    for c, powers in polynomial.terms:
        factors = [f"({c})", *(names[i] if e == 1 else f"{names[i]}^{e}" for i, e in powers)]
        terms.append("*".join(factors))
    return " + ".join(terms) or "0"


def macaulay2(found: BasicSet) -> str:
    """Return a script that defines the ring R and the ideal I of the equations.

    >>> from exactrelu.arithmetic.polynomial import PolynomialRing
    >>> x, y = PolynomialRing(("x", "y")).variables
    >>> print(macaulay2(BasicSet(x.ring, (x * y - 1,), (), (x,))), end="")
    R = QQ[x, y];
    I = ideal((1)*x*y + (-1));
    -- (1)*x > 0
    """
    names = macaulay2_names(found.ring.names)
    lines = [f"-- {' '.join(found.description.split())}"] if found.description else []
    if any(a != b for a, b in zip(names, found.ring.names)):
        lines += [f"-- {a} is {b}" for a, b in zip(names, found.ring.names)]
    lines.append(f"R = QQ[{', '.join(names)}];")
    lines.append(f"I = ideal({', '.join(_expression(p, names) for p in found.equations) or '0_R'});")
    lines += [f"-- {_expression(c.polynomial, names)} {c.relation} 0" for c in found.constraints() if c.relation != "="]
    return "\n".join(lines) + "\n"
