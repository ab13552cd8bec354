"""One shallow function or two: canonical forms, and a point where the values differ when the forms do.

If the forms differ in a hyperplane h, let p in int D lie on h and on no other hyperplane of the difference g, and let the segment
p +- e n (n the normal) stay in D and on the same side of the others.  Then g(p + e n) - 2 g(p) + g(p - e n) = e gamma (n.n) is not
0, so g is not 0 at one of the three points.  If only the affine parts differ, g is not 0 at one of d + 1 affinely independent points.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from random import Random
from typing import Any

from exactrelu.arithmetic.matrix import echelon
from exactrelu.arithmetic.rational import affine_point, homogeneous_point, rational_text
from exactrelu.certificates.certificate import Certificate
from exactrelu.certificates.verdict import Fails, Holds, Verdict
from exactrelu.equivalence.by_split_tree import DifferentValues, different_certificate
from exactrelu.errors import InvariantError, ShapeError
from exactrelu.fibers.shallow.ground import Ground, Kind, Row, dot
from exactrelu.fibers.shallow.shallow_form import ShallowForm, shallow_form
from exactrelu.network.network import Network
from exactrelu.polyhedra.cddlib import nonnegative_basis

Point = tuple[Fraction, ...]


def shallow_equality(a: Network, b: Network, ground: Ground) -> Verdict:
    """Return whether two networks with one hidden layer have the same values on a domain.

    Returns:
        `Holds` with the certificate `equal-shallow`, `Fails` with a `DifferentValues` and the certificate `different`.
    Raises:
        ShapeError: the networks do not fit.
    Exactness: rational.    Cost: that of two canonical forms; a witness costs O(K d) more.

    >>> from exactrelu.polyhedra.domain import Domain
    >>> relu, other = Network([[[1]], [[1]]], [[0], [0]]), Network([[[-1], [1]], [[1, 2]]], [[0, 0], [0]])
    >>> shallow_equality(relu, other, Ground(Domain.space(1))).word
    'fails'
    """
    if (a.architecture.inputs, a.architecture.outputs) != (b.architecture.inputs, b.architecture.outputs):
        raise ShapeError(f"the networks {a.architecture} and {b.architecture} have different inputs or outputs")
    first, second = shallow_form(a, ground), shallow_form(b, ground)
    if first == second:
        claim = {"kind": "equal-shallow", "a": a.claim(), "b": b.claim(), "domain": ground.domain.claim()}
        return Holds(Certificate(claim, lambda: {"a": sign_proofs(a, ground), "b": sign_proofs(b, ground)}), {"form": first})
    x = separating_point(first.minus(second), ground)
    one, two = a(x), b(x)
    if one == two or not ground.domain.contains(x):
        raise InvariantError("different canonical forms, but no difference at the point found")
    found = DifferentValues(x, (one, two))
    return Fails(found, different_certificate(a, b, ground.domain, found))


def sign_proofs(network: Network, ground: Ground) -> list[Any]:
    """Return for every neuron None, or [sign, multipliers] if it has one sign on the domain.

    sign * (its row) is the combination of 1 and of the integral inequalities with these multipliers >= 0.
    """
    walls = [homogeneous_point(row)[1:] for row in ground.domain.inequalities]
    columns = [(1, *[0] * ground.dimension), *walls]
    out: list[Any] = []
    for weights, bias in zip(network.weights[0], network.biases[0]):
        row = homogeneous_point((bias, *weights))
        kind, scale = ground.kind(row[1:]), row[0]
        if kind is Kind.CUTTING:
            out.append(None)
            continue
        sign = 1 if kind is Kind.ACTIVE else -1
        target = [sign * x for x in row[1:]]
        if not any(target[1:]):
            out.append([sign, [rational_text(abs(bias)), *["0"] * len(walls)]])
            continue
        chosen = nonnegative_basis(columns, target)
        table = [[*(columns[i][k] for i in chosen), t] for k, t in enumerate(target)]
        reduced, pivots = echelon(table, len(chosen) + 1)
        if pivots != list(range(len(chosen))):
            raise InvariantError("a neuron of one sign is no combination of the walls")
        found = [line[-1] for line in reduced[:len(chosen)]]
        multipliers = ["0"] * len(columns)
        for i, x in zip(chosen, found):
            multipliers[i] = rational_text(x / scale)
        out.append([sign, multipliers])
    return out


def separating_point(difference: ShallowForm, ground: Ground) -> Point:
    """Return a point of D where a form that is not 0 has a value other than 0."""
    candidates = _across_a_hyperplane(difference, ground) if difference.pieces else _independent_points(ground)
    for x in candidates:
        if any(difference(x)):
            return x
    raise InvariantError("a form that is not 0 vanishes at every point tried")


def _independent_points(ground: Ground) -> Iterator[Point]:
    """An interior point and d more around it, close enough to lie in D."""
    p = affine_point(ground.interior_point())
    yield p
    for k in range(ground.dimension):
        direction = [Fraction(int(i == k)) for i in range(ground.dimension)]
        step = _room(p, direction, list(ground.domain.integer_rows))
        yield tuple(x + step * n for x, n in zip(p, direction))


def _room(p: Sequence[Fraction], direction: Sequence[Fraction], rows: list[Row]) -> Fraction:
    """A step e > 0 such that p +- e direction stays strictly on the same side of all rows, none of which vanishes at p."""
    step = Fraction(1)
    for row in rows:
        slope = abs(sum((a * n for a, n in zip(row[1:], direction)), Fraction(0)))
        value = abs(row[0] + sum((a * x for a, x in zip(row[1:], p)), Fraction(0)))
        if slope:
            step = min(step, value / (2 * slope))
    return step


def _across_a_hyperplane(difference: ShallowForm, ground: Ground) -> Iterator[Point]:
    h = difference.pieces[0][0]
    others = [row for row, _ in difference.pieces[1:]]
    walls = list(ground.domain.integer_rows)
    p = generic_point(ground, h, others)
    normal = [Fraction(a) for a in h[1:]]
    step = _room(p, normal, walls + others)
    yield p
    for sign in (1, -1):
        yield tuple(x + sign * step * n for x, n in zip(p, normal))


def generic_point(ground: Ground, h: Row, others: Sequence[Row]) -> Point:
    """Return a point of int D on the hyperplane h and on none of the others, all different from h."""
    start = affine_point(ground.crossing_point(h))
    walls = list(ground.domain.integer_rows)
    rng = Random(0)
    bound, pivot = 8, next(i for i in range(1, len(h)) if h[i])
    while True:
        # a random direction in h; the others that contain start are left unless it lies in them too
        free: list[Any] = [rng.randrange(-bound, bound + 1) for _ in h[1:]]
        free[pivot - 1] = Fraction(-sum(a * n for i, (a, n) in enumerate(zip(h[1:], free), 1) if i != pivot), h[pivot])
        step = _room(start, free, walls)
        for divisor in (1, 3, 7, 19, 101, 1009):
            x = tuple(a + step / divisor * n for a, n in zip(start, free))
            integral = homogeneous_point(x)
            if all(dot(row, integral) for row in others):
                return x
        bound *= 2

