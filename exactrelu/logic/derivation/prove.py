"""Proving or refuting an equation between formulae.

The procedure is complete: an equation that holds on the whole cube gets a derivation from the axioms, one that does not
gets a point of the cube where the two sides differ.  Only the limits can make it give up.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from exactrelu.certificates.verdict import Undecided
from exactrelu.errors import BudgetExceeded, DomainError, InvariantError
from exactrelu.limits import Limits, Meter
from exactrelu.logic.derivation.ladder import Ladders
from exactrelu.logic.derivation.ladder_laws import ladders
from exactrelu.logic.derivation.normal_form import NormalForms
from exactrelu.logic.derivation.proof import FormulaLike, Proof, term_of
from exactrelu.logic.derivation.rewriting import short_proof
from exactrelu.logic.derivation.search import Refuted, Search, first_cell

MAX_LEAVES = 20_000
MAX_LINES = 2_000_000
MOST_GATES = 200
MOST_COPIES = 100
"""Largest n of delta_n, largest numerator and denominator of a scalar."""


@dataclass(frozen=True)
class Counterexample:
    """A point of the cube where the two formulae take different values."""

    at: dict[str, Fraction]
    values: tuple[Fraction, Fraction]

    def __bool__(self) -> bool:
        return False


def prove(f: FormulaLike, g: FormulaLike, limits: Limits | None = None, *, short: bool = True) -> Proof | Counterexample | Undecided:
    """Return a proof of f = g, a point where f and g differ, or that a limit was reached.

    Args:
        limits: `max_cells` bounds the cells compared (20 000 by default), `max_seconds` the time.
        short: first try to find a readable derivation by rewriting.
    Raises:
        DomainError: a parameter of delta_n or a scalar that would unfold to a very long sum.
    Exactness: integers and rationals throughout; a counterexample has been evaluated on both formulae.
    Cost: exponential in the number of gates at worst (the problem is co-NP-complete).
    Source: flattening sums and products under case splits is Mundici's equivalence with lattice-ordered groups, made a
        derivation; completeness is Chang's theorem.

    >>> from exactrelu.logic.derivation.textbook import Sketch
    >>> x, y = Sketch.variable("x"), Sketch.variable("y")
    >>> prove(x * y, y * x)
    <Proof of (x * y) = (y * x): 8 lines, 0 case splits, found by rewriting>
    >>> prove(x + x, x).values
    (Fraction(1, 1), Fraction(1, 2))
    """
    meter = Meter(limits)
    base = ladders()
    ledger = base.ledger
    ledger.max_lines = len(ledger.lines) + MAX_LINES
    left, right = term_of(f, ledger.terms), term_of(g, ledger.terms)
    _admit(base, [left, right])
    try:
        if short:
            found = short_proof(base.tactics, left, right, meter.tick)
            if found is not None:
                return Proof(*found, "rewriting")
        return _searched(base, left, right, meter)
    except BudgetExceeded as reached:
        return Undecided(str(reached), reached.done)
    except RecursionError:
        return Undecided("the cases nest more deeply than the search admits", {"lines": len(ledger.lines)})


def _admit(base: Ladders, roots: list[int]) -> None:
    """Refuse parameters that would unfold to very long sums."""
    for k in base.terms.below(roots):
        op, data, _ = base.terms.nodes[k]
        largest = data if isinstance(data, int) else max(data.as_integer_ratio()) if isinstance(data, Fraction) else 1
        if largest > MOST_COPIES:
            raise DomainError(f"{op} with parameter {data}: derivations need at most {MOST_COPIES}")


def _searched(base: Ladders, left: int, right: int, meter: Meter) -> Proof | Counterexample:
    ledger, terms = base.ledger, base.terms
    normal = NormalForms(base.tactics)
    first, second = normal.of(left), normal.of(right)
    f, g = ledger.right[first], ledger.right[second]
    below = terms.below([f, g])
    gates = sum(terms.op(k) in ("oplus", "odot") for k in below)
    if gates > MOST_GATES:
        raise BudgetExceeded(f"{gates} sums and products in negation normal form; the search admits {MOST_GATES}")
    search = Search(base, normal, [k for k in below if terms.op(k) in ("var", "delta")], meter.tick,
                    meter.limits.max_cells or MAX_LEAVES)
    cell = first_cell(len(search.atoms))
    search.enter_atoms(cell)
    try:
        finish = search.solve(f, g, cell)
    except Refuted as refuted:
        point = search.point(refuted)
        names = {str(terms.nodes[k][1]) for k in terms.below([left, right]) if terms.op(k) == "var"}
        at = {name: point.get(name, Fraction(0)) for name in sorted(names)}
        values = (terms.value(left, at.__getitem__), terms.value(right, at.__getitem__))
        if values[0] == values[1]:
            raise InvariantError(f"no counterexample after all: both sides are {values[0]} at {at}") from None
        return Counterexample(at, values)
    line = ledger.trans(first, finish(), ledger.sym(second))
    if ledger.hypotheses[line] or (ledger.left[line], ledger.right[line]) != (left, right):
        raise InvariantError(f"the search derived another sequent: {ledger.show(line)}")
    return Proof(ledger, line, "case splits", search.leaves)
