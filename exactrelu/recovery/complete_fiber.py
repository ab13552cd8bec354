"""Complete fibers: all parameters of an architecture that have a given function, and what a search leaves behind.

"All" means every parameter eta of the architecture, without any genericity: dead neurons, preactivations that vanish
identically, coincident or missing hyperplanes are allowed.  A search ends with `CompleteFiber` (its members are all of
them, modulo permutation and positive scaling) or with `Undecided`, whose detail names a code:

`ARCHITECTURE` the theorem does not apply; `FEW_RICH` too few rich hyperplanes; `WILD` a layer may have a hyperplane that f
does not pin down; `MULTI` a row is not determined; `OUTPUT_MULTI` the output layer is not determined; `COMBO`, `NODES`,
`LIMIT` a limit of the search was reached; `FORM` a member has no canonical form within the limits.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

import numpy as np

from exactrelu.certificates.verdict import Undecided
from exactrelu.complexes.function_complex import FunctionComplex
from exactrelu.complexes.integer_arrays import exact_product, primitive_rows
from exactrelu.errors import BudgetExceeded, ShapeError
from exactrelu.limits import Meter
from exactrelu.network.architecture import Architecture
from exactrelu.network.canonical_form import NoCanonicalForm, canonical_form
from exactrelu.network.integral_form import integral_form
from exactrelu.network.network import Network
from exactrelu.recovery.facet_samples import first_occurrences

Array = np.ndarray
Row = tuple[int, ...]
Vector = tuple[Fraction, ...]


@dataclass(frozen=True, eq=False)
class CompleteFiber:
    """All parameters of the architecture with the function f, modulo permutation and positive scaling.

    Attributes:
        members: canonical representatives, pairwise inequivalent; none means that no parameter of the architecture has
            the function.
        method: `tight-fiber`, `two-layer-fiber` or `wide-front-fiber`.
        architecture: of the members.
        points: homogeneous points of facets on whose signs the search decided.
        tests: homogeneous interior points where the value of f refutes everything else, but `refused`.
        flats: for the covering searches, per flat its point followed by integer directions (see `flat_evidence`).
        branches: for `tight-fiber`, the assignments of hyperplanes to layers that survived.
        refused: parameters that agree with f at all those points, and are refused by the exact test all the same.
        work: counts of the search.
        certifiable: whether a document of this fiber can exist; the verifier knows some theorems for fewer cases only.
    """

    members: tuple[Network, ...]
    method: str
    architecture: Architecture
    points: tuple[Row, ...]
    tests: tuple[Row, ...] = ()
    flats: tuple[tuple[Row, ...], ...] = ()
    branches: tuple[Any, ...] = ()
    refused: tuple[Network, ...] = ()
    work: dict[str, int] = field(default_factory=dict)
    certifiable: bool = True

    word = "complete"

    @property
    def unique(self) -> bool:
        """Whether f determines its parameter: exactly one member."""
        return len(self.members) == 1

    def __repr__(self) -> str:
        return f"<CompleteFiber of {self.architecture}: {len(self.members)} members, {self.method}>"


FiberSearch = CompleteFiber | Undecided


class Unsettled(Exception):
    """Ends a search without an answer; carries the verdict.  It never leaves the room."""

    def __init__(self, code: str, reason: str, **numbers: int) -> None:
        super().__init__(reason)
        self.verdict = Undecided(reason, {"code": code, **numbers})


def settled(search: Callable[[], FiberSearch]) -> FiberSearch:
    """Run a search; `Unsettled` and limits become `Undecided`."""
    try:
        return search()
    except Unsettled as stop:
        return stop.verdict
    except BudgetExceeded as error:
        return Unsettled("LIMIT", str(error)).verdict


def check_shapes(function: FunctionComplex, architecture: Architecture) -> None:
    """Raise ShapeError unless the architecture has the inputs and outputs of f."""
    if (architecture.inputs, architecture.outputs) != (function.dimension, function.outputs):
        raise ShapeError(f"{architecture} has other inputs or outputs than the function ({function.dimension}, {function.outputs})")


def interior_points(function: FunctionComplex) -> tuple[Array, Array]:
    """Return distinct interior points of the full cells and D t f there: one inside, and one towards every generator.

    Returns:
        Python integers, shapes (n, d + 1) and (n, m).
    Exactness: integers.    Cost: O(incidences (d + 1) m).

    >>> from exactrelu.complexes.canonical_complex import CanonicalComplex
    >>> from exactrelu.complexes.function_complex import function_complex
    >>> f = function_complex(CanonicalComplex.build(Network([[[1]], [[2]]], [[0], [0]])))
    >>> [a.tolist() for a in interior_points(f)]
    [[[1, 1], [1, -1], [1, 2], [2, 1], [1, -2], [2, -1]], [[2], [0], [4], [2], [0], [0]]]
    """
    cells = len(function.maps)
    owner = np.repeat(np.arange(cells), np.diff(function.cell_rays.starts))
    near = primitive_rows(function.rays[function.cell_rays.indices] + function.cell_points[owner])
    points = np.concatenate([function.cell_points, near])
    cell = np.concatenate([np.arange(cells), owner])
    values = (function.maps[cell] * points[:, None, :]).sum(axis=2)
    kept = first_occurrences(points)
    return points[kept], values[kept]


def values_at(network: Network, points: Array) -> tuple[Array, int]:
    """Return D' t f_network at homogeneous points, and D'.

    Exactness: integers.    Cost: one product a layer.
    """
    form = integral_form(network)
    now = points
    for level, rows in enumerate(form.rows):
        now = exact_product(now, np.array(rows, dtype=object).T)
        if level < len(form.rows) - 1:
            now = np.concatenate([points[:, :1], np.where(now > 0, now, 0)], axis=1)
    return now, form.denominator


def agrees(network: Network, points: Array, values: Array, denominator: int) -> bool:
    """Whether the network has given values (times t and a denominator) at homogeneous points."""
    own, scale = values_at(network, points)
    return bool((own * denominator == values * scale).all())


def layered_network(layers: Sequence[Sequence[Sequence[Fraction | int]]]) -> Network:
    """Return the network whose layers have these rows (b, w_1, ..., w_n)."""
    return Network([[list(row[1:]) for row in layer] for layer in layers], [[row[0] for row in layer] for layer in layers])


class Collector:
    """Tests candidates exactly and keeps the inequivalent ones that have the function."""

    def __init__(self, function: FunctionComplex, realizes: Callable[[Network], bool], meter: Meter) -> None:
        self.function, self.realizes, self.meter = function, realizes, meter
        self.points, self.values = interior_points(function)
        self.members: dict[str, Network] = {}
        self.refused: dict[str, Network] = {}
        self.candidates = 0
        self.used: list[int] = []                   # numbers of points that were needed to determine output layers

    def offer(self, network: Network) -> None:
        """Test a candidate: first at points, then exactly.

        Raises:
            Unsettled: it has the function, and no canonical form within the limits.  BudgetExceeded: as `realizes`.
        """
        self.candidates += 1
        self.meter.tick()
        if not agrees(network, self.points, self.values, self.function.denominator):
            return
        form = canonical_form(network)
        if isinstance(form, NoCanonicalForm):
            if self.realizes(network):
                raise Unsettled("FORM", f"a parameter with the function has no canonical form: {form.reason}")
            return
        if form.sha256 not in self.members and form.sha256 not in self.refused:
            (self.members if self.realizes(network) else self.refused)[form.sha256] = form.network

    def tests(self) -> tuple[Row, ...]:
        """The points that were needed, and one inside each full cell."""
        cells = [tuple(p) for p in self.function.cell_points.tolist()]
        return tuple(dict.fromkeys([*(tuple(p) for p in self.points[self.used].tolist()), *cells]))

    def sorted_members(self) -> tuple[Network, ...]:
        """The members in a fixed order."""
        return tuple(sorted(self.members.values(), key=lambda n: repr(n.claim())))
