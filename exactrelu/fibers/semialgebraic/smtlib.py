"""SMT-LIB 2 text of semi-algebraic sets (logic QF_NRA), for z3, cvc5, Yices and others.

Numbers are written as decimals p.0 and quotients (/ p.0 q.0), negative ones as (- ...); strict inequalities stay strict.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import Any

from exactrelu.arithmetic.polynomial import Polynomial
from exactrelu.arithmetic.rational import rational, rational_text
from exactrelu.fibers.semialgebraic.basic_set import BasicSet, Constraint
from exactrelu.fibers.semialgebraic.union import SemialgebraicSet


def smt_number(value: Fraction) -> str:
    """Return a rational as an SMT-LIB term.

    >>> smt_number(Fraction(-1, 2))
    '(- (/ 1.0 2.0))'
    """
    top, _, bottom = rational_text(abs(value)).partition("/")
    text = f"(/ {top}.0 {bottom}.0)" if bottom else f"{top}.0"
    return f"(- {text})" if value < 0 else text


def smt_polynomial(polynomial: Polynomial) -> str:
    """Return a polynomial as an SMT-LIB term.

    >>> from exactrelu.arithmetic.polynomial import PolynomialRing
    >>> x, y = PolynomialRing(("x", "y")).variables
    >>> smt_polynomial(x * x * y - 2)
    '(+ (* x x y) (- 2.0))'
    """
    names, terms = polynomial.ring.names, []
    for c, powers in polynomial.terms:
        factors = [names[i] for i, e in powers for _ in range(e)]
        if c != 1 or not factors:
            factors.insert(0, smt_number(c))
        terms.append(factors[0] if len(factors) == 1 else f"(* {' '.join(factors)})")
    if not terms:
        return "0.0"
    return terms[0] if len(terms) == 1 else f"(+ {' '.join(terms)})"


def smt_constraint(constraint: Constraint) -> str:
    """Return a constraint as an SMT-LIB formula."""
    term = smt_polynomial(constraint.polynomial)
    return f"(not (= {term} 0.0))" if constraint.relation == "!=" else f"({constraint.relation} {term} 0.0)"


def _conjunction(part: BasicSet) -> str:
    formulas = [smt_constraint(c) for c in part.constraints()]
    if not formulas:
        return "true"
    return formulas[0] if len(formulas) == 1 else f"(and {' '.join(formulas)})"


def _comment(text: str) -> list[str]:
    return [f"; {' '.join(line.split())}" for line in text.splitlines() if line.strip()]


def smtlib(found: BasicSet | SemialgebraicSet, known: Mapping[str, Any] | None = None, *,
           commands: Iterable[str] = ("(check-sat)",)) -> str:
    """Return an SMT-LIB script that is satisfiable iff the set has a point (with the known coordinates).

    Args:
        known: coordinates to fix, by name: all of them make the script a membership query.
        commands: what to ask at the end; add ``(get-model)`` for a point.

    >>> from exactrelu.arithmetic.polynomial import PolynomialRing
    >>> x = PolynomialRing(("x",)).variable("x")
    >>> print(smtlib(BasicSet(x.ring, (), (), (x,))), end="")
    (set-logic QF_NRA)
    (declare-const x Real)
    (assert (> x 0.0))
    (check-sat)
    """
    lines = _comment(found.description if isinstance(found, BasicSet) else found.note)
    lines.append("(set-logic QF_NRA)")
    lines += [f"(declare-const {name} Real)" for name in found.ring.names]
    if isinstance(found, BasicSet):
        lines += [f"(assert {smt_constraint(c)})" for c in found.constraints()]
    else:
        parts = [_conjunction(part) for part in found.parts]
        formula = "false" if not parts else parts[0] if len(parts) == 1 else f"(or {' '.join(parts)})"
        lines.append(f"(assert {formula})")
    for name, value in (known or {}).items():
        lines.append(f"(assert (= {found.ring.names[found.ring.number(name)]} {smt_number(rational(value))}))")
    return "\n".join([*lines, *commands]) + "\n"
