"""Plain text of semi-algebraic sets, for people and logs."""

from __future__ import annotations

from exactrelu.fibers.semialgebraic.basic_set import BasicSet
from exactrelu.fibers.semialgebraic.union import SemialgebraicSet

SCOPE_TEXT = {"all": "all parameters of the architecture", "generic": "generic parameters", "local": "parameters near the given one"}


def text(found: BasicSet | SemialgebraicSet) -> str:
    """Return one constraint a line, parts separated by headings.

    >>> from exactrelu.arithmetic.polynomial import PolynomialRing
    >>> x, y = PolynomialRing(("x", "y")).variables
    >>> print(text(BasicSet(x.ring, (x * y - 1,), (), (x,), description="branch of a hyperbola")), end="")
    branch of a hyperbola
      x*y - 1 = 0
      x > 0
    """
    if isinstance(found, BasicSet):
        lines = [found.description or "basic set"]
        lines += [f"  {c}" for c in found.constraints()] or ["  (no constraint)"]
        return "\n".join(lines) + "\n"
    head = f"{len(found)} parts in {len(found.ring.names)} variables; scope: {SCOPE_TEXT[found.scope]}; " + \
        ("complete" if found.complete else "not known to be complete")
    lines = [head] + ([found.note] if found.note else [])
    return "\n".join(lines) + "\n" + "".join(f"[{k}] {text(part)}" for k, part in enumerate(found.parts))
