r"""Clipped affine forms s(m.a + b), s(z) = min(1, max(0, z)), as formulae: the good-sequence recursion.

Let h = c + f_1 + ... + f_k with an integer c and truth values f_i (*literals*).  A formula T(c, k) for s(h) is

    T(c, 0) = 1 if c >= 1 else 0,      T(c, k) = T(c, k-1) + (T(c+1, k-1) * f_k).

Proof: with z = c + f_1 + ... + f_{k-1}, f = f_k, the claim is s(z + f) = min(1, s(z) + max(0, s(z+1) + f - 1)).  For z >= 0,
s(z+1) = 1 and the right side is min(1, s(z) + f).  For -1 <= z < 0, s(z) = 0, s(z+1) = z + 1, and z + f < 1.  For z < -1 both are 0.

A negative coefficient uses -x = ~x - 1.  A fractional part p/q uses p literals /q x in the language `divisible`, one literal
[p/q] x in `riesz`.  (T(c, k))_c is the good sequence of Mundici's equivalence with lattice-ordered groups.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from exactrelu.arithmetic.rational import rational, rational_text, rational_vector
from exactrelu.errors import BudgetExceeded, InputError, ShapeError
from exactrelu.logic.formula import ONE, ZERO, Formula, delta, scale

MAX_NODES = 2_000_000
"""Most nodes of one clipped form."""
LANGUAGES = ("mv", "divisible", "riesz")


@dataclass(frozen=True)
class AffineForm:
    """The affine form m.a + b in the nodes (or inputs) of a layer.

    >>> AffineForm.of([1, "1/2"], -1)([1, 1])
    Fraction(1, 2)
    """

    coefficients: tuple[Fraction, ...]
    constant: Fraction

    @classmethod
    def of(cls, coefficients: Sequence[Any], constant: Any) -> AffineForm:
        """Return the form with these exact rationals."""
        return cls(rational_vector(coefficients), rational(constant))

    def __call__(self, values: Sequence[Any]) -> Fraction:
        exact = rational_vector(values)
        if len(exact) != len(self.coefficients):
            raise ShapeError(f"{len(exact)} values for {len(self.coefficients)} coefficients")
        return sum((c * v for c, v in zip(self.coefficients, exact) if c), self.constant)

    def times(self, factor: Fraction, shift: Fraction | int = 0) -> AffineForm:
        """Return factor * form + shift."""
        return AffineForm(tuple(factor * c for c in self.coefficients), factor * self.constant + shift)

    @property
    def is_integer(self) -> bool:
        """Whether all numbers are integers."""
        return all(x.denominator == 1 for x in (*self.coefficients, self.constant))

    def clipped(self, atoms: Sequence[Formula], language: str) -> Formula:
        """Return the formula with truth function s(form)."""
        return clip_formula(self.coefficients, self.constant, atoms, language)

    def to_json(self) -> dict[str, Any]:
        """Return coefficients and constant as text."""
        return {"coefficients": [rational_text(c) for c in self.coefficients], "constant": rational_text(self.constant)}


def clip_formula(coefficients: Sequence[Any], constant: Any, atoms: Sequence[Formula], language: str = "mv") -> Formula:
    """Return a formula with the truth function s(sum coefficients_i atoms_i + constant).

    Args:
        language: `mv` needs integers; `divisible` and `riesz` write fractional parts with /q and [p/q].
    Raises:
        InputError: a fraction in the language `mv`, or no such language.
        BudgetExceeded: the formula would have more than `MAX_NODES` nodes.
    Cost: at most 2 k (1 + min(|c|, c + k)) nodes for k literals; the tree is exponentially larger.

    >>> from exactrelu.logic.formula import var
    >>> x, y = var("x"), var("y")
    >>> clip_formula([1, 1], -1, [x, y]), clip_formula([1, -1], 0, [x, y]), clip_formula(["1/2"], "1/2", [x], "riesz")
    (x * y, x * ~y, [1/2]x + [1/2]1)
    """
    if language not in LANGUAGES:
        raise InputError(f"languages are {', '.join(LANGUAGES)}; got {str(language)[:20]!r}")
    exact, shift = rational_vector(coefficients), rational(constant)
    if len(exact) != len(atoms):
        raise ShapeError(f"{len(exact)} coefficients for {len(atoms)} atoms")
    count = sum(_literals(c, language) for c in exact) + _literals(shift - _floor(shift), language)
    low = _floor(shift) - sum(_literals(c, language) for c in exact if c < 0)
    if count > MAX_NODES or 2 * count * (min(-low, low + count) + 1) > MAX_NODES:
        raise BudgetExceeded(f"a clipped form with {count} literals would have more than {MAX_NODES} nodes")
    positive: list[Formula] = []
    negative: list[Formula] = []
    whole = _floor(shift)
    for c, atom in zip(exact, atoms):
        copies = _copies(abs(c), atom, language)
        if c > 0:
            positive += copies
        else:  # -f = ~f - 1
            negative += [~f for f in copies]
            whole -= len(copies)
    if shift.denominator > 1:
        positive += _copies(shift - _floor(shift), ONE, language)
    return good_sequence(whole, _interleaved(positive, negative))


def _floor(x: Fraction) -> int:
    return x.numerator // x.denominator


def _literals(c: Fraction, language: str) -> int:
    c = abs(c)
    part = c - _floor(c)
    return _floor(c) + (0 if not part else part.numerator if language == "divisible" else 1)


def _copies(c: Fraction, atom: Formula, language: str) -> list[Formula]:
    """Literals whose sum is c atom, c >= 0."""
    whole = _floor(c)
    part = c - whole
    copies = [atom] * whole
    if part:
        if language == "mv":
            raise InputError(f"coefficient {c} is not an integer; the language mv needs integers, use divisible or riesz")
        copies += [scale(part, atom)] if language == "riesz" else [delta(part.denominator, atom)] * part.numerator
    return copies


def _interleaved(positive: list[Formula], negative: list[Formula]) -> list[Formula]:
    """Both kinds in turn, so that partial sums of a form and its opposite stay near each other and few T(c, k) matter."""
    out: list[Formula] = []
    i = j = 0
    while i < len(positive) or j < len(negative):
        if len(positive) - i >= len(negative) - j:
            out.append(positive[i])
            i += 1
        else:
            out.append(negative[j])
            j += 1
    return out


def good_sequence(c: int, literals: Sequence[Formula]) -> Formula:
    """Return T(c, k): the formula for s(c + sum of the literals).

    T(c', j) is 1 for c' >= 1 and 0 for c' + j <= 0; only -j < c' <= 0 with c <= c' <= c + k - j is computed.
    """
    k = len(literals)
    known: dict[int, Formula] = {}
    for j in range(1, k + 1):
        f = literals[j - 1]
        new: dict[int, Formula] = {}
        for d in range(max(c, 1 - j), min(0, c + k - j) + 1):
            low = known.get(d, ZERO)  # T(d, j-1) is 0 for d + j - 1 <= 0, and d <= 0 here
            high = ONE if d + 1 >= 1 else known.get(d + 1, ZERO)
            new[d] = _sum(low, _product(high, f))
        known = new
    if c >= 1:
        return ONE
    return known.get(c, ZERO)


def _product(a: Formula, b: Formula) -> Formula:
    return b if a is ONE else a if b is ONE else ZERO if a is ZERO or b is ZERO else a * b


def _sum(a: Formula, b: Formula) -> Formula:
    return b if a is ZERO else a if b is ZERO else ONE if a is ONE or b is ONE else a + b
