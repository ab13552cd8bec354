"""The affine form behind a formula: m, b with truth function s(m.x + b), if there are any."""

from __future__ import annotations

from fractions import Fraction

from exactrelu.limits import Limits, Meter
from exactrelu.logic.affine_pieces import PieceSearch
from exactrelu.logic.clip import AffineForm
from exactrelu.logic.decide import value_form, vanishing
from exactrelu.logic.formula import Formula
from exactrelu.logic.gates import Form, combined


def recover_affine(formula: Formula, *, limits: Limits | None = None) -> AffineForm | None:
    """Return the form with coefficients in the order of `formula.variables`, or None if the truth function is no clipped form.

    Some affine piece of the truth function takes values strictly between 0 and 1 unless the function is constant 0 or 1 (it is
    continuous, the cube connected); there s(m.x + b) is m.x + b, so the piece is the only candidate.  It is confirmed by decision.

    Raises:
        BudgetExceeded: a limit was reached.

    >>> from exactrelu.logic.parse import parse
    >>> recover_affine(parse("x * ~y + x*x")) is None, recover_affine(parse("(x+x) * ~y"))
    (True, None)
    >>> recover_affine(parse("x*y | 0"))
    AffineForm(coefficients=(Fraction(1, 1), Fraction(1, 1)), constant=Fraction(-1, 1))
    """
    meter = Meter(limits)
    program, value = value_form(formula)
    search = PieceSearch(program, [value], meter)
    scale = search.denominators[0]
    candidate: tuple[int, ...] | None = None
    for piece in search.pieces():
        candidate = piece.forms[0]
        if any(candidate[1:]) or 0 < candidate[0] < scale:
            break
    if candidate is None:
        return None
    constant, *slope = (Fraction(x, scale) for x in candidate)
    form = Form({i: c for i, c in enumerate(slope) if c}, constant)
    clipped = combined([(1, program.relu(form)), (-1, program.relu(combined([(1, form)], -1)))])
    point, _ = vanishing(program, [combined([(1, value), (-1, clipped)])], meter)
    return AffineForm(tuple(slope), constant) if point is None else None
