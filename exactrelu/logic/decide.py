"""Exact decision of equality on the cube: two formulae, two networks, a formula and a form.

Both sides become forms over one list of gates (`gates`); the difference is examined on every affine piece
(`affine_pieces`).  It is zero, or a linear program finds a point where it is not; that point is evaluated again on the
originals before it is returned.  The problem is co-NP-complete: limits lead to *undecided*, never to a yes or a no.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from random import Random
from typing import Any

from exactrelu.arithmetic.rational import affine_point, rational_text
from exactrelu.certificates.result import Result
from exactrelu.certificates.verdict import Undecided
from exactrelu.errors import BudgetExceeded, InvariantError, PreconditionError, ShapeError
from exactrelu.limits import Limits, Meter
from exactrelu.logic.affine_pieces import Cell, PieceSearch, Progress, exact_ranges, negated
from exactrelu.logic.formula import Formula, evaluate, variables
from exactrelu.logic.gates import Form, GateProgram, combined
from exactrelu.logic.linear_program import Row, dot
from exactrelu.logic.walk import post_order
from exactrelu.network.network import Network

Point = tuple[Fraction, ...]
_SAMPLES = 40
_SAMPLED_NODES = 200_000
_FEW_GATES = 6


@dataclass(frozen=True, repr=False)
class Equivalent(Result):
    """Both sides agree on the whole cube; the difference vanished on `leaves` affine pieces."""

    leaves: int
    verdict = "equivalent"

    def __bool__(self) -> bool:
        return True

    def __repr__(self) -> str:
        return f"Equivalent(leaves={self.leaves})"

    def fields(self) -> dict[str, Any]:
        """Return the JSON fields of the interface."""
        return {"counterexample": None, "values": None, "leaves": self.leaves}


@dataclass(frozen=True, repr=False)
class Different(Result):
    """A point of the cube where the two sides have different values, evaluated on the originals.

    Attributes:
        at: the values of the variables.
        values: the two truth values; for networks the two vectors of outputs.
    """

    at: dict[str, Fraction]
    values: tuple[Any, Any]
    verdict = "inequivalent"

    def __bool__(self) -> bool:
        return False

    def __repr__(self) -> str:
        return f"Different(at {self.place()}, values {_text(self.values[0])} and {_text(self.values[1])})"

    def place(self) -> str:
        """The point as text: ``x = 1/2, y = 1``."""
        return ", ".join(f"{name} = {rational_text(value)}" for name, value in self.at.items()) or "the only point"

    def fields(self) -> dict[str, Any]:
        """Return the JSON fields of the interface."""
        return {"counterexample": {name: rational_text(value) for name, value in self.at.items()},
                "values": [[rational_text(x) for x in v] if isinstance(v, tuple) else rational_text(v) for v in self.values]}


@dataclass(frozen=True, repr=False)
class Unknown(Result, Undecided):
    """A limit was reached; `bool` raises."""

    verdict = "undecided"

    def __repr__(self) -> str:
        return f"Unknown({self.reason!r})"

    def __bool__(self) -> bool:
        raise PreconditionError(f"undecided: {self.reason}", self)

    def fields(self) -> dict[str, Any]:
        """Return the JSON fields of the interface."""
        return {"counterexample": None, "values": None, "reason": self.reason}


Decision = Equivalent | Different | Unknown


def _text(value: Any) -> str:
    return "(" + ", ".join(map(_text, value)) + ")" if isinstance(value, tuple) else rational_text(value)


def vanishing(program: GateProgram, forms: Sequence[Form], meter: Meter, progress: Progress | None = None) -> tuple[Point | None, int]:
    """Return a point of the cube where one of the forms is not zero, or None, and the number of affine pieces.

    Raises:
        BudgetExceeded: a limit was reached.

    >>> program = GateProgram(1)
    >>> x, = program.input_forms
    >>> vanishing(program, [Form({0: 2}, -1)], Meter())
    ((Fraction(0, 1),), 1)
    """
    search = PieceSearch(program, [f for f in forms if f.terms or f.constant], meter, progress)
    if not search.denominators:
        return None, 0
    ready = search.ready()
    leaves = 0
    for cell, position in search.visits():
        leaves += position == len(search.order)
        for number in ready[position]:
            row = search.asked(number)
            if any(row):
                return _where_not_zero(row, cell), leaves
    return None, leaves


def _where_not_zero(row: Row, cell: Cell) -> Point:
    """A point of a full-dimensional cell where a form that is not the zero form does not vanish."""
    for vertex in cell.vertices:
        if dot(row, vertex.point):
            return affine_point(vertex.point)
    for objective in (row, negated(row)):
        point = cell.maximum(objective).point
        if dot(row, point):
            return affine_point(point)
    raise InvariantError("a form vanishes on a full-dimensional cell and is not zero")


def sample_points(n: int, count: int) -> list[Point]:
    """Return some corners and rational points of the cube, always the same ones."""
    rng = Random(n)
    points: list[Point] = [(Fraction(0),) * n, (Fraction(1),) * n]
    for k in range(count - 2):
        most = 1 if k < count // 3 else 12
        points.append(tuple(Fraction(rng.randint(0, most), most) for _ in range(n)))
    return points[:count]


def equivalent(f: Formula, g: Formula, *, limits: Limits | None = None, progress: Progress | None = None) -> Decision:
    """Return whether two formulae have the same truth function.

    Args:
        limits: `max_cells` bounds the affine pieces visited (20 000 by default), `max_seconds` the time.
    Exactness: integers throughout; a counterexample has been evaluated on both formulae.
    Cost: at most one affine piece for each cell of the arrangement of the gates (2^gates, polynomial for fixed dimension).

    >>> from exactrelu.logic.parse import parse
    >>> equivalent(parse("x*(y|z)"), parse("(x*y)|(x*z)"))
    Equivalent(leaves=6)
    >>> equivalent(parse("(x+x)*(x+x)"), parse("(x*x)+(x*x)"))
    Different(at x = 1/2, values 1 and 0)
    """
    if f is g:
        return Equivalent(0)
    names = variables(f, g)
    program = GateProgram(len(names))
    left, right = program.formula_values([f, g], dict(zip(names, program.input_forms)))

    def values(point: Point) -> tuple[Fraction, ...]:
        return evaluate((f, g), dict(zip(names, point)))

    samples = _SAMPLED_NODES // len(post_order(f, g)) if len(program.gates) > _FEW_GATES else 0
    return _decided(program, [combined([(1, left), (-1, right)])], names, values, min(samples, _SAMPLES), limits, progress)


def networks_equivalent(a: Network, b: Network, *, limits: Limits | None = None, progress: Progress | None = None) -> Decision:
    """Return whether two networks are one function on the unit cube.

    Raises:
        ShapeError: different inputs or outputs.

    >>> a, b = Network([[[1], [-1]], [[1, 1]]], [[0, 0], [0]]), Network([[[1]]], [[0]])
    >>> networks_equivalent(a, b)
    Equivalent(leaves=0)
    """
    if (a.architecture.inputs, a.architecture.outputs) != (b.architecture.inputs, b.architecture.outputs):
        raise ShapeError(f"networks {a.architecture} and {b.architecture} have different inputs or outputs")
    n = a.architecture.inputs
    program = GateProgram(n)
    left = program.network_values(a, program.input_forms)[-1]
    right = program.network_values(b, program.input_forms)[-1]
    names = tuple(f"x{i + 1}" for i in range(n))
    samples = min(_SAMPLES, _SAMPLED_NODES // (a.parameters + b.parameters)) if len(program.gates) > _FEW_GATES else 0
    differences = [combined([(1, p), (-1, q)]) for p, q in zip(left, right)]
    return _decided(program, differences, names, lambda point: (a(point), b(point)), samples, limits, progress)


def _decided(program: GateProgram, differences: Sequence[Form], names: Sequence[str], values: Callable[[Point], Sequence[Any]],
             samples: int, limits: Limits | None, progress: Progress | None) -> Decision:
    meter = Meter(limits)
    try:
        for point in sample_points(len(names), samples):
            meter.tick()
            one, two = values(point)
            if one != two:
                return Different(dict(zip(names, point)), (one, two))
        found, leaves = vanishing(program, differences, meter, progress)
    except BudgetExceeded as reached:
        return Unknown(str(reached), reached.done)
    if found is None:
        return Equivalent(leaves)
    one, two = values(found)
    if one == two:
        raise InvariantError(f"no counterexample after all: both sides are {_text(one)} at {_text(found)}")
    return Different(dict(zip(names, found)), (one, two))


def truth_range(f: Formula, *, limits: Limits | None = None) -> tuple[Fraction, Fraction]:
    """Return the exact minimum and maximum of a truth function.

    Raises:
        BudgetExceeded: a limit was reached.

    >>> from exactrelu.logic.parse import parse
    >>> truth_range(parse("x & ~x"))
    (Fraction(0, 1), Fraction(1, 2))
    """
    program, value = value_form(f)
    return exact_ranges(program, [value], Meter(limits))[0]


def value_form(f: Formula, names: Sequence[str] | None = None) -> tuple[GateProgram, Form]:
    """Return the gates of a formula, whose inputs are its variables (or `names`, in this order), and its truth value."""
    inputs = variables(f) if names is None else names
    program = GateProgram(len(inputs))
    env: Mapping[str, Form] = dict(zip(inputs, program.input_forms))
    return program, program.formula_values([f], env)[0]
