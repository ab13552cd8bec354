"""Tight architectures (n_0; r, ..., r, n_L; m): the complete fiber of a function that shows all its rich hyperplanes.

**Theorem.**  Let f have N = r (L - 1) + n_L rich hyperplanes (`rich_hyperplanes`).  Then the parameters with the function f
are, modulo permutation and positive scaling, among the leaves of this search:
1. Layers l = 1, ..., L - 1 in turn: r of the hyperplanes not used yet, each with an orientation s h such that all rich
   facets of the *other* hyperplanes not used yet lie in s h >= 0; independent linear parts; the rows s h are written in the
   coordinates z^(l-1), in at most one way.
2. Layer L: the n_L hyperplanes that are left, with every orientation.
3. Output: the column of the neuron with row t h is (jump across h per unit of h) / |t|, the same at all rich facets of h; the
   biases come from one point.

*Proof.*  The rich hyperplanes are among the at most N hyperplanes of eta, so neurons and rich hyperplanes correspond one to
one, and all hyperplanes are distinct.  Let h belong to layer k and x be a point of a rich facet of h, on no other rich
hyperplane.  By the proof of the structure theorem x lies in U_(k-1) and, for k < L, in the closure of U_k; so all neurons of
layers < k, and the others of layer k < L, are positive at x.  Such x are dense in the facet, so the rich facets of all
hyperplanes not used yet lie where the true rows of the layer are >= 0.  A rich point of a hyperplane of layer l < L gives
independent linear parts of that layer, so rows are unique in its coordinates.  In layer L, f jumps near x by W_i (x) dz_i,
since x lies in U_(L-1) and only neuron i vanishes there.  QED
Nothing is asked of the domain; n_0 > r needs no change.  Evidence: the samples of the rich facets.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations, product

import numpy as np

from exactrelu.arithmetic.matrix import echelon, kernel
from exactrelu.arithmetic.subset_sums import subset_sums
from exactrelu.complexes.function_complex import FunctionComplex
from exactrelu.complexes.integer_arrays import signs
from exactrelu.limits import Meter
from exactrelu.network.architecture import Architecture
from exactrelu.network.network import Network
from exactrelu.recovery.complete_fiber import (
    Collector,
    CompleteFiber,
    FiberSearch,
    Unsettled,
    Vector,
    check_shapes,
    layered_network,
    settled,
    values_at,
)
from exactrelu.recovery.facet_samples import FacetSamples, facet_samples
from exactrelu.recovery.rich_hyperplanes import rich_hyperplanes

Array = np.ndarray
Row = tuple[int, ...]
METHOD = "tight-fiber"
MAX_LEAVES = 20_000
"""Most assignments of hyperplanes to layers."""
MAX_FREE = 16
"""Most orientations of the last layer that the gradients of f leave free."""


@dataclass(frozen=True)
class Branch:
    """An assignment of the hyperplanes to the layers.

    Attributes:
        layers: rows (b, w_1, ...) of the hidden layers but the last.
        last: rows of the last hidden layer for the orientations +h, in the coordinates of the layer before.
        columns: the outgoing columns of these rows.
        hyperplanes: the numbers of the hyperplanes of the last layer.
    """

    layers: tuple[tuple[Vector, ...], ...]
    last: tuple[Vector, ...]
    columns: tuple[Vector, ...]
    hyperplanes: tuple[int, ...]

    def oriented(self, orientation: tuple[int, ...], output_biases: tuple[Fraction, ...]) -> Network:
        """Return the network with these orientations (signs) of the last layer."""
        last = [tuple(s * x for x in row) for s, row in zip(orientation, self.last)]
        output = [(b, *column) for b, column in zip(output_biases, zip(*self.columns))]
        return layered_network([*self.layers, last, output])

    def through(self, orientation: tuple[int, ...], point: Array, value: Array, denominator: int) -> Network:
        """Return that network with the output biases that are right at one point (value = D t f there)."""
        zero = (Fraction(0),) * len(self.columns[0])
        own, scale = values_at(self.oriented(orientation, zero), point[None, :])
        t = point[0]
        biases = tuple(Fraction(v, denominator * t) - Fraction(o, scale * t) for v, o in zip(value.tolist(), own[0].tolist()))
        return self.oriented(orientation, biases)


def is_tight(architecture: Architecture) -> bool:
    """Whether the widths are (n_0; r, ..., r, n_L; m) with at least two hidden layers.

    >>> is_tight(Architecture((3, 2, 2, 5, 1))), is_tight(Architecture((2, 3, 1))), is_tight(Architecture((2, 3, 2, 2, 1)))
    (True, False, False)
    """
    widths = architecture.hidden_widths
    return len(widths) >= 2 and len(set(widths[:-1])) == 1


def expressed(before: list[Row] | None, rows: list[Row]) -> tuple[Vector, ...] | None:
    """Return the rows (b, w) with row = b + sum w_j before_j (before None: the inputs), or None if there are none.

    The rows `before` must have independent linear parts.

    >>> expressed([(0, 1, 1), (1, 1, -1)], [(3, 2, 0)])
    ((Fraction(2, 1), Fraction(1, 1), Fraction(1, 1)),)
    """
    if before is None:
        return tuple(tuple(Fraction(x) for x in row) for row in rows)
    one = (1, *(0 for _ in before[0][1:]))
    table, pivots = echelon([list(entries) for entries in zip(one, *before, *rows)], 1 + len(before) + len(rows))
    if len(pivots) != 1 + len(before) or pivots[-1] > len(before):
        return None
    return tuple(tuple(line[1 + len(before) + k] for line in table) for k in range(len(rows)))


class _Search:
    """The rich hyperplanes with their sides, and the depth-first search over assignments."""

    def __init__(self, function: FunctionComplex, widths: tuple[int, ...], rich: dict[int, Array], meter: Meter) -> None:
        self.function, self.widths, self.meter = function, widths, meter
        self.names = sorted(rich)
        self.rows = [function.hyperplanes[h] for h in self.names]
        table = np.array(self.rows, dtype=object)
        self.samples = facet_samples(function, np.concatenate([rich[h] for h in self.names]), table)
        starts = np.searchsorted(self.samples.hyperplane, self.names)
        side = signs(table, self.samples.points)
        self.side = side
        self.positive, self.negative = (_masks(np.logical_or.reduceat(test, starts, axis=1)) for test in (side > 0, side < 0))
        self.columns = [_column(function, rich[h]) for h in self.names]
        self.leaves = 0

    def orientation(self, k: int, rest: int) -> int:
        """The sign s with all rich facets of the hyperplanes in `rest` (a bit mask) on the closed side s h >= 0, or 0."""
        others = rest & ~(1 << k)
        if not self.negative[k] & others:
            return 1
        return 0 if self.positive[k] & others else -1

    def branches(self, layer: int, rest: int, layers: tuple[tuple[Vector, ...], ...], before: list[Row] | None) -> Iterator[Branch]:
        """Yield all assignments of the hyperplanes in `rest` to the layers from this one on."""
        left = [k for k in range(len(self.names)) if rest >> k & 1]
        last = layer == len(self.widths)
        if sum(self.columns[k] is None for k in left) > len(left) - self.widths[-1]:
            return                                              # they have no column, so they cannot lie in the last layer
        self.leaves += last
        if self.leaves > MAX_LEAVES:
            raise Unsettled("NODES", f"the rich hyperplanes can be assigned to the layers in more than {MAX_LEAVES} ways",
                            limit=MAX_LEAVES)
        if last:
            found = expressed(before, [self.rows[k] for k in left])
            columns = tuple(self.columns[k] for k in left)
            if found is not None:
                yield Branch(layers, found, columns, tuple(left))       # type: ignore[arg-type]  # no column is None here
            return
        self.meter.tick()
        usable = [(k, s) for k in left if (s := self.orientation(k, rest))]
        for chosen in combinations(usable, self.widths[layer - 1]):
            rows = [tuple(s * x for x in self.rows[k]) for k, s in chosen]
            if len(kernel([list(column) for column in zip(*(row[1:] for row in rows))], len(rows))):
                continue                                        # dependent linear parts
            found = expressed(before, rows)
            if found is not None:
                following = rest & ~sum(1 << k for k, _ in chosen)
                yield from self.branches(layer + 1, following, (*layers, found), rows)

    def orientations(self, branch: Branch) -> Iterator[tuple[int, ...]]:
        """Yield the orientations of the last layer for which the gradient near one rich facet point is that of f.

        At a rich point x of h_0 in U_(L-1), on its positive side, the active neurons are those with the orientation
        s_i = sign h_i(x) (+ for h_0 itself), and D f has the gradient sum of s_i jump_i (x) h_i over them.
        """
        n, names = len(branch.hyperplanes), branch.hyperplanes
        facets = [int(self.samples.facet[self.samples.hyperplane == self.names[k]][0]) for k in names]
        pairs = []
        for k, facet in zip(names, facets):
            for at in np.flatnonzero(self.samples.facet == facet).tolist():
                side = [int(self.side[j, at]) if j != k else 1 for j in names]
                if all(side):
                    pairs.append((side, facet))
                    break
        if not pairs:                      # each point lies on another hyperplane of the layer: no condition
            yield from product((1, -1), repeat=n)
            return
        side, facet = pairs[0]
        outer = [[s * c * x for c in self._jump(k) for x in self.rows[k][1:]] for k, s in zip(names, side)]
        gradient = self.function.maps[self.function.facet_sides[facet, 1]][:, 1:].ravel().tolist()
        found = subset_sums(outer, gradient, MAX_FREE)
        if found is None:
            raise Unsettled("NODES", f"more than {MAX_FREE} neurons of the last layer can be reversed", limit=MAX_FREE)
        yield from (tuple(s if active else -s for s, active in zip(side, chosen)) for chosen in found)

    def _jump(self, k: int) -> list[int]:
        facet = int(self.samples.facet[self.samples.hyperplane == self.names[k]][0])
        return self.function.jumps[facet].tolist()  # type: ignore[no-any-return]


def _masks(table: Array) -> list[int]:
    return [sum(1 << j for j in np.flatnonzero(row).tolist()) for row in table]


def _column(function: FunctionComplex, facets: Array) -> Vector | None:
    """Jump of f per unit of the row at the rich facets of a hyperplane, None if they disagree."""
    jumps = function.jumps[facets]
    if (jumps != jumps[0]).any():
        return None
    return tuple(Fraction(x, function.denominator) for x in jumps[0].tolist())


def sample_value(function: FunctionComplex, samples: FacetSamples, k: int) -> Array:
    """Return D t f at a sample."""
    cell = function.facet_sides[samples.facet[k], 0]
    found: Array = np.dot(function.maps[cell], samples.points[k])
    return found


def tight_fiber(function: FunctionComplex, architecture: Architecture, realizes: Callable[[Network], bool],
                meter: Meter | None = None) -> FiberSearch:
    """Return all parameters of a tight architecture with the function f, or why the search cannot say.

    Args:
        function: f on the cells of some complex.
        realizes: an exact test whether a network has the function f on the domain; called only for candidates that agree
            with f at points of all cells.
        meter: limits of the search; a limit reached is `Undecided`, code `LIMIT`.
    Raises:
        ShapeError: the architecture has other inputs or outputs than f.
    Exactness: integers; Fractions of the parameters.
    Cost: at most N!/(r!^(L-1) n_L!) leaves, one where the sides force the layers; limits `MAX_LEAVES`, `MAX_FREE`.

    >>> from exactrelu.complexes.canonical_complex import CanonicalComplex
    >>> from exactrelu.complexes.function_complex import function_complex
    >>> from exactrelu.polyhedra.domain import Domain
    >>> theta = Network([[[0, -2], [1, 1]], [[2, 4], [-1, 4]], [[1, -1]]], [[1, -1], [-2, 0], [0]])
    >>> f = function_complex(CanonicalComplex.build(theta, Domain.box(2, [(-12, 13)])))
    >>> tight_fiber(f, theta.architecture, lambda eta: True)
    <CompleteFiber of (2, 2, 2, 1): 1 members, tight-fiber>
    """
    check_shapes(function, architecture)
    used = meter if meter is not None else Meter()
    return settled(lambda: _tight_fiber(function, architecture, Collector(function, realizes, used), used))


def _tight_fiber(function: FunctionComplex, architecture: Architecture, collector: Collector, meter: Meter) -> FiberSearch:
    widths = architecture.hidden_widths
    if not is_tight(architecture):
        raise Unsettled("ARCHITECTURE", f"{architecture} is not of the form (n_0; r, ..., r, n_L; m) with two hidden layers or more")
    r, needed = widths[0], widths[0] * (len(widths) - 1) + widths[-1]
    rich = rich_hyperplanes(function, r)
    if len(rich) < needed:
        raise Unsettled("FEW_RICH", f"f shows {len(rich)} rich hyperplanes (gradients of both sides of rank {r}), {needed} would "
                                    "be needed to locate every neuron", found=len(rich), needed=needed)
    work = {"rich": len(rich), "needed": needed}
    if len(rich) > needed:                                      # more than any parameter of the architecture can show
        points = tuple(tuple(p) for names in rich.values() for p in function.facet_points[names[:1]].tolist())
        return CompleteFiber((), METHOD, architecture, points, work=work)
    search = _Search(function, widths, rich, meter)
    start, value = search.samples.points[0], sample_value(function, search.samples, 0)
    branches = []
    for branch in search.branches(1, (1 << needed) - 1, (), None):
        branches.append(branch)
        for orientation in search.orientations(branch):
            collector.offer(branch.through(orientation, start, value, function.denominator))
    work |= {"leaves": len(branches), "candidates": collector.candidates}
    points = tuple(tuple(p) for p in search.samples.points.tolist())
    tests = tuple(tuple(p) for p in collector.points.tolist())
    return CompleteFiber(collector.sorted_members(), METHOD, architecture, points, tests=tests, branches=tuple(branches),
                         refused=tuple(collector.refused.values()), work=work)
