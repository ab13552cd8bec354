"""Documents of complete fibers: `tight-fiber`, `two-layer-fiber`, `wide-front-fiber`.

Claim: the parameters of the architecture of `network` with its function on the domain are exactly those equivalent to one
of `members`.  Evidence: `points` (facet points with the signs that decide the search, then interior points that refute every
other leaf), `flats` for the covering searches, and for each member a split tree that proves equality, empty if the member is
equivalent to the network.  The verifier repeats the search from the points alone.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np

from exactrelu.arithmetic.rational import affine_point, homogeneous_point, point_text
from exactrelu.certificates.certificate import Certificate
from exactrelu.equivalence.by_split_tree import DifferentValues, joint_tree
from exactrelu.errors import BudgetExceeded, InvariantError
from exactrelu.limits import Meter
from exactrelu.network.canonical_form import CanonicalForm, canonical_form
from exactrelu.network.network import Network
from exactrelu.network.trivial_symmetry import equivalent
from exactrelu.polyhedra.domain import Domain
from exactrelu.recovery.complete_fiber import CompleteFiber, values_at
from exactrelu.recovery.tight_fiber import METHOD as TIGHT

Array = np.ndarray
Row = tuple[int, ...]
LEAVES = 200_000
"""Leaves of a split tree, unless the user sets `max_cells`."""
MAX_CANDIDATES = 20_000
"""Most leaves of a tight search, with all orientations, that the evidence refutes one by one."""


def fiber_certificate(network: Network, domain: Domain, fiber: CompleteFiber, meter: Meter | None = None) -> Certificate | None:
    """Return the document of a complete fiber, or None if there is none for it.

    There is none if the fiber is empty, or if the network is not of its architecture, or where the verifier knows the theorem
    for fewer cases only (`wide-front-fiber`: two inputs and middle layers of two neurons; `two-layer-fiber`: no free members in
    more than two dimensions).  Evidence is computed when asked for.
    Raises, when the evidence is computed:
        BudgetExceeded: a split tree grows over the limits, or a tight search has more than `MAX_CANDIDATES` leaves.

    >>> from exactrelu.complexes.canonical_complex import CanonicalComplex
    >>> from exactrelu.complexes.function_complex import function_complex
    >>> from exactrelu.recovery.tight_fiber import tight_fiber
    >>> theta = Network([[[0, -2], [1, 1]], [[2, 4], [-1, 4]], [[1, -1]]], [[1, -1], [-2, 0], [0]])
    >>> box = Domain.box(2, [(-12, 13)])
    >>> found = tight_fiber(function_complex(CanonicalComplex.build(theta, box)), theta.architecture, lambda eta: True)
    >>> fiber_certificate(theta, box, found)
    <Certificate: tight-fiber>
    """
    if not fiber.members or network.architecture != fiber.architecture or not fiber.certifiable:
        return None
    claim = {"kind": fiber.method, "network": network.claim(), "domain": domain.claim(),
             "members": [member.claim() for member in fiber.members]}
    limits = meter if meter is not None else Meter()

    def evidence() -> dict[str, Any]:
        points = list(dict.fromkeys(fiber.points))
        if fiber.method == TIGHT:
            points += _refuting(network, domain, fiber, points, limits)
        else:
            points += [p for p in fiber.tests if p not in set(points)]
            points += [_difference(network, eta, domain, limits) for eta in fiber.refused]
        found: dict[str, Any] = {"points": [point_text(p) for p in points], "trees": _trees(network, domain, fiber, limits)}
        if fiber.method != TIGHT:
            found["flats"] = [[point_text(flat[0]), *(" ".join(map(str, u)) for u in flat[1:])] for flat in fiber.flats]
        return found

    return Certificate(claim, evidence)


def _trees(network: Network, domain: Domain, fiber: CompleteFiber, meter: Meter) -> list[str]:
    trees = []
    for member in fiber.members:
        if equivalent(network, member).word == "holds":
            trees.append("")
            continue
        found = joint_tree(network, member, domain, meter.stage(LEAVES))
        if isinstance(found, DifferentValues):
            raise InvariantError("a member of a complete fiber has another function")
        trees.append(found.text)
    return trees


def _difference(network: Network, eta: Network, domain: Domain, meter: Meter) -> Row:
    """An interior point where a refused parameter has another value."""
    found = joint_tree(network, eta, domain, meter.stage(LEAVES))
    if not isinstance(found, DifferentValues):
        raise InvariantError("a refused parameter has the function after all")
    return homogeneous_point(found.point)


def _leaves(fiber: CompleteFiber, start: Row, network: Network) -> Iterator[Network]:
    """All leaves of the tight search, with all orientations of the last layer, right at one point."""
    value, denominator = values_at(network, np.array([start], dtype=object))
    count = 0
    for branch in fiber.branches:
        for orientation in product((1, -1), repeat=len(branch.last)):
            count += 1
            if count > MAX_CANDIDATES:
                raise BudgetExceeded(f"the evidence would have to refute more than {MAX_CANDIDATES} parameters")
            yield branch.through(orientation, np.array(start, dtype=object), value[0], denominator)


def _refuting(network: Network, domain: Domain, fiber: CompleteFiber, before: list[Row], meter: Meter) -> list[Row]:
    """Points that refute all leaves of the tight search that are no members and that the points before do not refute."""
    known = {form.sha256 for form in map(canonical_form, fiber.members) if isinstance(form, CanonicalForm)}
    tests = np.array([*before, *fiber.tests], dtype=object)
    values, scale = values_at(network, tests)
    needed: list[Row] = []
    chosen = np.arange(len(tests)) < len(before)
    for eta in _leaves(fiber, before[0], network):
        meter.tick()
        own, factor = values_at(eta, tests)
        wrong = (own * scale != values * factor).any(axis=1)
        if (wrong & chosen).any() or any(_differs(network, eta, p) for p in needed):
            continue
        if wrong.any():
            chosen[int(np.argmax(wrong))] = True
            continue
        form = canonical_form(eta)
        if not (isinstance(form, CanonicalForm) and form.sha256 in known):
            needed.append(_difference(network, eta, domain, meter))
    return [tuple(p) for p in tests[chosen].tolist()[len(before):]] + needed


def _differs(network: Network, eta: Network, point: Row) -> bool:
    x: tuple[Fraction, ...] = affine_point(point)
    return network(x) != eta(x)
