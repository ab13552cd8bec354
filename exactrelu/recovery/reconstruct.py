"""Reconstruction: from f alone to every supertransversal parameter of an architecture that realizes it.

Layer by layer: a class whose layer bounds meet lies in the bent hyperplane of one neuron of that layer, so the row of
the neuron vanishes, as a row over the activations of the layer before, at all points of the class.  With enough points
this fixes the row up to a factor; all orientations of the layer before are tried (`orientation`).  Points only weaken the
conditions, never falsify them: each equation is necessary.

*Subset rule.*  Rows found are multiples of rows of the parameter sought, so n_l distinct ones are all of the layer,
whatever the other classes say.  *Ownership rule.*  Classes that leave their row undetermined are distributed to the
neurons still missing, in all ways; classes of one neuron share its row.  *Exhaustion rule.*  In a branch where the layers
up to l are fixed, a class on which none of their neurons vanishes has a layer > l; lower bounds are raised and passed
along the arcs.
Theorem: if the search ends without a flag, its candidates contain, up to permutation and positive scaling, every
supertransversal parameter of the architecture that realizes f.  Source: paper A for the peeling of layers.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

import numpy as np

from exactrelu.arithmetic.matrix import rank
from exactrelu.arithmetic.rational import primitive_integer, signless_row
from exactrelu.complexes.function_complex import FunctionComplex
from exactrelu.dependency.dependency_graph import DependencyGraph
from exactrelu.dependency.layering import raised
from exactrelu.dependency.sheet_sample import SheetSample, sheet_sample
from exactrelu.errors import BudgetExceeded, ShapeError
from exactrelu.limits import Meter
from exactrelu.network.architecture import Architecture
from exactrelu.network.canonical_form import CanonicalForm, canonical_form
from exactrelu.network.network import Network
from exactrelu.recovery.complete_fiber import layered_network
from exactrelu.recovery.orientation import (
    Basis,
    Vector,
    both_columns,
    has_value,
    intersection,
    orientations,
    output_row,
    row_of,
    tall_kernel,
)

Array = np.ndarray
Branch = tuple[tuple[Vector, ...], ...]
"""Rows of the first layers, oriented."""
MAX_NODES = 200_000
"""Nodes of the orientation search, all layers together."""
FACETS = 60
"""Facets of a class that are looked at (a few more where arcs need them)."""
SAMPLES = 4_000
"""Points at which the values of f determine the output layer."""


@dataclass(frozen=True)
class Flag:
    """Why the search does not settle a branch.

    Attributes:
        code: `NOT_ST` (f has no supertransversal realization at all), `FEW` (too few neurons of a layer are determined),
            `MULTI` (a row, or the output layer, is not determined by its points), `LIMIT`.
        layer: the layer concerned (the output layer counts as L + 1; 0: a limit of the whole search).
        found, wanted: numbers of rows, for `FEW`; dimension of the space of rows and 1, for `MULTI`.
        reason: one sentence.
    """

    code: str
    layer: int
    found: int
    wanted: int
    reason: str

    def to_json(self) -> dict[str, Any]:
        """Return code, layer, numbers and reason."""
        return {"code": self.code, "layer": self.layer, "found": self.found, "wanted": self.wanted, "reason": self.reason}


@dataclass(frozen=True, eq=False)
class Reconstruction:
    """The result of the search.

    Attributes:
        candidates: pairwise inequivalent parameters with the function f, as canonical representatives.
        flags: reasons why there may be further supertransversal parameters; none means the list is complete.
        nodes: nodes of the search.
        points: homogeneous points the search used, for a certificate.
        sample: the facets and ridges it looked at.
        open_branches: hidden layers, as rows (bias first), of every branch in which some later layer stayed undetermined.
        coincident_rows: whether some distribution of the classes ended because two rows were proportional; unlike all other tests,
            this one may have another outcome at parameters nearby.
    """

    candidates: tuple[Network, ...]
    flags: tuple[Flag, ...]
    nodes: int
    points: tuple[Vector, ...]
    sample: SheetSample
    open_branches: tuple[Branch, ...] = ()
    coincident_rows: bool = False

    @property
    def complete(self) -> bool:
        """Whether every supertransversal parameter of the architecture is among the candidates."""
        return not self.flags


def class_points(function: FunctionComplex, facets: Sequence[int]) -> list[Vector]:
    """Points of some closed facets: vertices, and for unbounded facets vertex + multiples of directions.

    At a direction itself nothing can be evaluated, because activations need not be affine on the facet in every branch.
    """
    found: dict[Vector, None] = {}
    for facet in facets:
        rays = function.facet_generators(facet)
        vertices = [g for g in rays if g[0]]
        found.update(dict.fromkeys(vertices))
        directions = [g for g in rays if not g[0]]
        directions += [(0, *(s * x for x in v)) for v in function.lineality for s in (1, -1)]
        for r in directions:
            for g in vertices:
                for k in (1, 7):
                    found[primitive_integer([a + k * g[0] * b for a, b in zip(g, r)])] = None
    return list(found)


@dataclass
class _Search:
    """The state that all branches share."""

    function: FunctionComplex
    architecture: Architecture
    arcs: tuple[tuple[int, int], ...]
    high: list[int]
    of_class: list[Array]           # positions of the points of each class
    points: Array                   # all points, object (n, d + 1)
    sampled: Array                  # positions of the points where f is known
    values: Array                   # D t f there, object (n, m)
    meter: Meter
    nodes: int = 0
    flags: dict[tuple[str, int], Flag] = field(default_factory=dict)
    open_branches: dict[Branch, None] = field(default_factory=dict)
    coincident_rows: bool = False
    found: list[tuple[list[list[Vector]], list[tuple[Fraction, ...]]]] = field(default_factory=list)

    def step(self) -> None:
        self.nodes += 1
        self.meter.tick()
        if self.nodes > MAX_NODES:
            raise BudgetExceeded(f"the orientation search has more than {MAX_NODES} nodes")

    def flag(self, code: str, layer: int, found: int, wanted: int, reason: str) -> None:
        self.flags.setdefault((code, layer), Flag(code, layer, found, wanted, reason))


def _weighted(basis: Basis) -> bool:
    """Whether some vector has a non-zero weight."""
    return any(any(v[1:]) for v in basis)


def _determined(search: _Search, low: list[int], touched: list[bool], layer: int) -> list[int] | None:
    """Classes that must lie in this layer of the branch, after the exhaustion rule; None if the branch is impossible."""
    start = [lo if touched[p] else max(lo, layer) for p, lo in enumerate(low)]
    bounds = raised(start, search.arcs)
    if bounds is None or any(lo > hi for lo, hi in zip(bounds, search.high)):
        return None
    low[:] = bounds
    return [p for p, lo in enumerate(bounds) if lo == layer == search.high[p]]


def _row_choices(search: _Search, layer: int, kernels: list[Basis], branch: Branch) -> Iterator[list[Vector]]:
    """Yield the possible lists of all rows of a layer, from the row spaces of its determined classes.

    A space of one dimension is a row.  A class with a larger space lies on the bent hyperplane of a neuron whose row is
    already in the list (then that row is in its space), or of one of the neurons still missing; classes of one missing
    neuron share its row, so their spaces are intersected.  All ways to distribute the classes are tried.  A distribution
    that leaves a neuron without a row is flagged.  (Two neurons of one layer cannot have proportional rows: their sheets
    would coincide.)
    """
    width = search.architecture.widths[layer]
    rows = sorted({signless_row(k[0]) for k in kernels if len(k) == 1})
    if len(rows) > width:
        return
    many = sorted((k for k in kernels if len(k) > 1), key=len)
    stack: list[tuple[int, tuple[Basis, ...]]] = [(0, ())]
    while stack:
        k, groups = stack.pop()
        search.step()
        if k < len(many):
            if any(_contains(many[k], row) for row in rows):
                stack.append((k + 1, groups))
            for g, group in enumerate(groups):
                common = intersection(group, many[k])
                if _weighted(common):
                    stack.append((k + 1, (*groups[:g], common, *groups[g + 1:])))
            if len(rows) + len(groups) < width:
                stack.append((k + 1, (*groups, many[k])))
            continue
        new = sorted({signless_row(group[0]) for group in groups if len(group) == 1})
        if len(new) < sum(len(group) == 1 for group in groups) or set(new) & set(rows):
            search.coincident_rows = True
            continue
        wide = [group for group in groups if len(group) > 1]
        if len(rows) + len(groups) < width:
            shown = len(rows) + len(groups)
            search.open_branches.setdefault(branch)
            search.flag("FEW", layer, shown, width, f"f shows {shown} of the {width} neurons of layer {layer}")
        elif wide:
            search.open_branches.setdefault(branch)
            search.flag("MULTI", layer, len(wide[0]), 1,
                        f"the sheets of a neuron of layer {layer} do not determine its row: {len(wide[0])} dimensions are left")
        else:
            yield sorted([*rows, *new])


def _contains(basis: Basis, row: Vector) -> bool:
    return rank([*basis, row], len(row)) == len(basis)


def _descend(search: _Search, layer: int, rows: list[Vector], layers: list[list[Vector]], before: Array, low: list[int],
             touched: list[bool]) -> None:
    """Try all orientations of the rows (up to sign) of a layer; `before` holds (t, activations of the layer before)."""
    values = np.dot(before, np.array(rows, dtype=object).T)
    now = [was or bool((values[at] == 0).all(axis=0).any()) for was, at in zip(touched, search.of_class)]
    both = both_columns(values, before[:, 0])
    last = layer == len(search.architecture.widths) - 2
    if last:
        columns = both[search.sampled]
        tables = [np.concatenate([columns, search.values[:, k:k + 1]], axis=1) for k in range(search.values.shape[1])]
        conditions = [tall_kernel(table) for table in tables]
        for signs, bases in orientations(len(rows), conditions, has_value, search.step):
            _finish(search, layers, rows, signs, bases)
        return
    bounds = list(low)
    classes = _determined(search, bounds, now, layer + 1)
    if classes is None:
        return
    conditions = [tall_kernel(both[search.of_class[p]]) for p in classes]
    for signs, bases in orientations(len(rows), conditions, _weighted, search.step):
        oriented = [tuple(s * x for x in row) for s, row in zip(signs, rows)]
        side = np.array(signs, dtype=object)
        after = np.concatenate([before[:, :1], np.where(values * side > 0, values * side, 0)], axis=1)
        branch = tuple(map(tuple, (*layers, oriented)))
        for following in _row_choices(search, layer + 1, [[row_of(v, signs) for v in basis] for basis in bases], branch):
            _descend(search, layer + 1, following, [*layers, oriented], after, bounds, now)


def _finish(search: _Search, layers: list[list[Vector]], rows: list[Vector], signs: tuple[int, ...], bases: list[Basis]) -> None:
    """The output layer of an oriented branch."""
    output = []
    for basis in bases:
        if len(basis) > 1:
            search.flag("MULTI", len(search.architecture.widths) - 1, len(basis), 1,
                        f"the points of f leave {len(basis) - 1} dimensions of output weights")
            return
        output.append(output_row(basis, signs, search.function.denominator))
    search.found.append(([*layers, [tuple(s * x for x in row) for s, row in zip(signs, rows)]], output))


def reconstruct(graph: DependencyGraph, architecture: Architecture, realizes: Callable[[Network], bool],
                meter: Meter | None = None) -> Reconstruction:
    """Return every supertransversal parameter of the architecture that realizes f, or say where the search stops.

    Args:
        graph: the dependency graph of f (which holds f and no parameter).
        realizes: an exact test whether a network has the function f on the domain.
    Raises:
        ShapeError: the architecture has other inputs or outputs than f, or no hidden layer.
        BudgetExceeded: a limit was reached.
    Exactness: integers and Fractions of the candidates.    Cost: one kernel a class and branch; orientations are pruned.

    >>> from exactrelu.complexes.canonical_complex import CanonicalComplex
    >>> from exactrelu.complexes.function_complex import function_complex
    >>> from exactrelu.dependency.dependency_graph import dependency_graph
    >>> theta = Network([[[1, 0], [0, 1]], [[1, 2]]], [[0, 0], [0]])
    >>> f = function_complex(CanonicalComplex.build(theta))
    >>> len(reconstruct(dependency_graph(f), Architecture((2, 2, 1)), lambda eta: True).candidates)
    1
    """
    function = graph.function
    sample = sheet_sample(graph, FACETS)
    if (architecture.inputs, architecture.outputs) != (function.dimension, function.outputs) or not architecture.hidden_layers:
        raise ShapeError(f"no hidden layer, or other inputs or outputs than f: {architecture}")
    if graph.obstruction is not None:
        return Reconstruction((), (), 0, (), sample)
    search = _prepared(graph, sample, architecture, meter if meter is not None else Meter())
    low = list(graph.lower)
    if any(lo > hi for lo, hi in zip(low, search.high)):
        return Reconstruction((), (), 0, (), sample)
    try:
        classes = _determined(search, low, [False] * graph.classes, 1)
        kernels = [tall_kernel(search.points[search.of_class[p]]) for p in classes or ()]
        if classes is not None and all(map(_weighted, kernels)):
            for rows in _row_choices(search, 1, kernels, ()):
                _descend(search, 1, rows, [], search.points, low, [False] * graph.classes)
    except BudgetExceeded as error:
        search.flag("LIMIT", 0, search.nodes, MAX_NODES, str(error))
    members: dict[str, Network] = {}
    for hidden, output in search.found:
        network = layered_network([*hidden, output])
        form = canonical_form(network)
        name = form.sha256 if isinstance(form, CanonicalForm) else repr(network.to_json())
        if name not in members and realizes(network):
            members[name] = form.network if isinstance(form, CanonicalForm) else network
    return Reconstruction(tuple(members.values()), tuple(search.flags.values()), search.nodes,
                          tuple(tuple(p) for p in search.points.tolist()), sample, tuple(search.open_branches),
                          search.coincident_rows)


def _prepared(graph: DependencyGraph, sample: SheetSample, architecture: Architecture, meter: Meter) -> _Search:
    function = graph.function
    samples, values = function.samples
    step = -(-len(samples) // SAMPLES)
    samples, values = samples[::step], values[::step]
    number = {point: k for k, point in enumerate(samples)}
    of_class = []
    for facets in sample.facets:
        of_class.append(np.array([number.setdefault(point, len(number)) for point in class_points(function, facets)], np.int64))
    points = np.array(list(number), dtype=object).reshape(len(number), function.dimension + 1)
    high = [architecture.hidden_layers + 1 - down for down in graph.down]
    return _Search(function, architecture, graph.arcs, high, of_class, points, np.arange(len(samples)),
                   np.array(values, dtype=object).reshape(len(samples), function.outputs), meter)
