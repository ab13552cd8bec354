"""Exact equality of two networks on a domain by a common split tree.

On every leaf both networks are affine; equal maps on all leaves prove equality on the whole domain (the leaves cover
it), a different map yields a point of that leaf where the values differ.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from exactrelu.arithmetic.rational import affine_point, rational_text
from exactrelu.certificates.certificate import Certificate
from exactrelu.certificates.verdict import Fails, Holds, Undecided, Verdict
from exactrelu.complexes.split_tree import Leaf, SplitTree, split_tree
from exactrelu.errors import BudgetExceeded, InvariantError, ShapeError
from exactrelu.limits import Limits
from exactrelu.network.forward import value
from exactrelu.network.integral_form import integral_form
from exactrelu.network.network import Network
from exactrelu.polyhedra.domain import Domain

Point = tuple[Fraction, ...]
ONE = Fraction(1)


@dataclass(frozen=True)
class DifferentValues:
    """A point of the domain where the networks take different values."""

    point: Point
    values: tuple[Point, Point]

    def to_json(self) -> dict[str, Any]:
        """Return {"point": ..., "values": [..., ...]}."""
        return {"point": [rational_text(x) for x in self.point], "values": [[rational_text(x) for x in v] for v in self.values]}


class _Stop(Exception):
    """Ends the walk at the first leaf with two different maps."""

    def __init__(self, leaf: Leaf) -> None:
        super().__init__()
        self.leaf = leaf


def compared(a: Network, b: Network, point: Point) -> DifferentValues | None:
    """Return both values at a point if they differ, evaluated from the parameters alone."""
    values = value(a, point), value(b, point)
    return DifferentValues(point, values) if values[0] != values[1] else None


def _separating(leaf: Leaf, a: Network, b: Network) -> DifferentValues:
    """A point of the full-dimensional leaf, near its interior point, where its two (different) affine maps differ."""
    base = affine_point(leaf.point)
    first = compared(a, b, base)
    if first is not None:
        return first
    # the maps agree at the point but not on the whole leaf: half the largest step that stays in it, in some direction
    for k in range(len(base)):
        slacks = [(row, row[0] + sum((c * x for c, x in zip(row[1:], base)), Fraction(0))) for row in leaf.rows if row[k + 1] < 0]
        falls = [slack / -row[k + 1] for row, slack in slacks]
        step = min(falls) / 2 if falls else ONE
        found = compared(a, b, tuple(x + step * int(i == k) for i, x in enumerate(base)))
        if found is not None:
            return found
    raise InvariantError("two different affine maps agree around a point")


def check_shapes(a: Network, b: Network, domain: Domain) -> None:
    """Raise ShapeError unless the networks have the same inputs and outputs, and the domain lies in the space of the inputs."""
    if (a.architecture.inputs, a.architecture.outputs) != (b.architecture.inputs, b.architecture.outputs):
        raise ShapeError(f"the networks {a.architecture} and {b.architecture} have different inputs or outputs")
    if domain.dimension != a.architecture.inputs:
        raise ShapeError(f"the domain has dimension {domain.dimension}, the networks {a.architecture.inputs} inputs")


def joint_tree(a: Network, b: Network, domain: Domain, limits: Limits | None = None) -> SplitTree | DifferentValues:
    """Return a split tree on whose leaves the networks have equal maps, or a point where they differ.

    Raises:
        ShapeError: the networks have different inputs or outputs, or the domain another dimension.
        BudgetExceeded: a limit was reached.  DomainError: the domain has no interior points.
    Exactness: integers.    Cost: that of `split_tree` on both networks together.

    >>> x, y = Network([[[1], [-1]], [[1, -1]]], [[0, 0], [0]]), Network([[[1]]], [[0]])
    >>> joint_tree(x, y, Domain.space(1)).leaves
    2
    >>> joint_tree(Network([[[1]], [[1]]], [[0], [0]]), y, Domain.space(1)).to_json()
    {'point': ['-1'], 'values': [['0'], ['-1']]}
    """
    found = _tree_or_leaf(a, b, domain, limits)
    return found if isinstance(found, SplitTree) else _separating(found, a, b)


def flat_joint_tree(a: Network, b: Network, domain: Domain, limits: Limits | None = None) -> SplitTree | None:
    """Return a split tree of a domain that may be flat, on whose leaves the networks have equal maps on all of R^d.

    Such a tree proves equality on the domain; None means that on some leaf the maps differ, possibly outside the affine
    hull of the domain only, so it refutes nothing.
    Raises:
        BudgetExceeded: a limit was reached.  DomainError: the domain is empty.
    """
    found = _tree_or_leaf(a, b, domain, limits, flat=True)
    return found if isinstance(found, SplitTree) else None


def _tree_or_leaf(a: Network, b: Network, domain: Domain, limits: Limits | None, flat: bool = False) -> SplitTree | Leaf:
    """The split tree of both networks, or the first leaf on which they have different maps."""
    check_shapes(a, b, domain)
    scale_a, scale_b = integral_form(a).denominator, integral_form(b).denominator

    def agree(leaf: Leaf) -> None:
        one, two = leaf.outputs
        if any([x * scale_b for x in r] != [x * scale_a for x in s] for r, s in zip(one, two)):
            raise _Stop(leaf)

    try:
        return split_tree([a, b], domain, limits, agree, flat=flat)
    except _Stop as stop:
        return stop.leaf


def equal_claim(a: Network, b: Network, domain: Domain) -> dict[str, Any]:
    """Return the claim "equal on the domain"."""
    return {"kind": "equal", "a": a.claim(), "b": b.claim(), "domain": domain.claim()}


def different_certificate(a: Network, b: Network, domain: Domain, found: DifferentValues) -> Certificate:
    """Return the certificate that the networks differ at a point of the domain.

    Raises:
        BudgetExceeded: a coordinate is too long to be written.
    """
    point = [rational_text(x) for x in found.point]
    return Certificate({"kind": "different", "a": a.claim(), "b": b.claim(), "domain": domain.claim(), "point": point}, {})


def equal_by_split_tree(a: Network, b: Network, domain: Domain, limits: Limits | None = None) -> Verdict:
    """Return whether f_a = f_b on the domain, with certificate or with a point where they differ.

    >>> x = Network([[[1], [-1]], [[1, -1]]], [[0, 0], [0]])
    >>> y = Network([[[1]]], [[0]])
    >>> equal_by_split_tree(x, y, Domain.space(1)).word
    'holds'
    """
    try:
        found = joint_tree(a, b, domain, limits)
        if isinstance(found, DifferentValues):
            return Fails(found, different_certificate(a, b, domain, found))
    except BudgetExceeded as error:
        return Undecided(str(error), error.done)
    return Holds(Certificate(equal_claim(a, b, domain), {"tree": found.text}), {"leaves": found.leaves})
