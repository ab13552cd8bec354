"""One wide layer in front, (n_0; n_1, r, ..., r, n_L; m), n_0 >= 2, L >= 3: the complete fiber, by covering and ownership.

*Rich* means rank r of the gradients of both sides together.  A ridge is *strongly rich* if f is not shallow there and its
rich facet germs lie in no closed half-space (in the normal plane: no closed half-plane).

**Lemma 1.**  Every eta of the architecture with the function f has a first-layer hyperplane through a strongly rich ridge.
*Proof.*  Let x be a relative interior point; all of them have the same germs, modulo the directions of the ridge.  If no
first-layer hyperplane contains x, the layers from 2 on are near x a network of the form (d; r, ..., r, n_L; m) with affine
z^(2).  Suppose x lies in U_l, the set where its layers up to l are positive (l <= L - 2 of them).  Rich points nearby have
z^(l+1)_i >= 0 for all i, with independent linear parts (`rich_hyperplanes`), so z^(l+1)_i(x) >= 0.  If one is 0, the half-space
where it is >= 0 contains all rich germs: excluded.  So x lies in U_(l+1), and at last in all: then f is shallow near x,
excluded.  So each x lies on one of n_1 hyperplanes, and one of them contains an open part of the ridge, hence its hull.  QED
**Lemma 2.**  In a cell of the first layer the rich facets lie on at most r (L - 2) + n_L hyperplanes (structure theorem).

`covering` gives the first layer.  Then layer after layer: a *region* is a convex set where all layers before are affine (for
l = 2 a cell, later the part of it where the layers 2, ..., l - 1 are positive).  By the structure theorem in a region Q, a rich
sample p on h either has z^(l) > 0, or some z^(l)_u vanishes there; then the zero set of z^(l)_u in Q is h (on its negative
side the gradients have rank < r, so h cannot enter it), and all rich points of Q have z^(l) >= 0.  So each hyperplane of Q is
owned by a neuron of layer l, or all its rich samples lie in the next region; the next layers own at most
r (L - 1 - l) + n_L of them.  Owned by u: z^(l)_u is a non-zero multiple of h on Q (`ownership`).  Layer L owns all visible
hyperplanes of its regions.

**Theorem.**  A `CompleteFiber` lists, modulo permutation and positive scaling, all parameters with the function f.
*Proof.*  The true rows lie in the kernels of a branch with true owners; kernels of one dimension determine them up to sign
and scale, the others are flagged.  The output layer is a solution of a linear system, unique or flagged.  QED
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import product

import numpy as np

from exactrelu.arithmetic.matrix import rank
from exactrelu.complexes.function_complex import FunctionComplex
from exactrelu.complexes.integer_arrays import exact_product, sign_array
from exactrelu.dependency.shallowness import direction_between, nonshallow_ridges
from exactrelu.limits import Meter
from exactrelu.network.architecture import Architecture
from exactrelu.network.network import Network
from exactrelu.recovery.complete_fiber import Collector, CompleteFiber, FiberSearch, Unsettled, check_shapes, settled
from exactrelu.recovery.covering import covering
from exactrelu.recovery.family_tests import FamilyTests, Samples, cell_codes
from exactrelu.recovery.first_layer import NodeCounter, activations_on, all_samples, check_number_of_flats, oriented_rows
from exactrelu.recovery.output_layer import offer_completions
from exactrelu.recovery.ownership import Ownership, item
from exactrelu.recovery.pencils import candidates, flats_of
from exactrelu.recovery.rich_hyperplanes import facet_ranks

Array = np.ndarray
Row = tuple[int, ...]
METHOD = "wide-front-fiber"


def is_wide_front(architecture: Architecture) -> bool:
    """Whether the widths are (n_0; n_1, r, ..., r, n_L; m), with three hidden layers or more and n_0 >= 2.

    >>> is_wide_front(Architecture((2, 4, 2, 2, 3, 1))), is_wide_front(Architecture((2, 3, 3, 2, 1, 1)))
    (True, False)
    """
    middle = architecture.hidden_widths[1:-1]
    return architecture.inputs >= 2 and len(middle) >= 1 and len(set(middle)) == 1


def strongly_rich_ridges(function: FunctionComplex, rich: Array) -> dict[int, tuple[Row, ...]]:
    """Return the strongly rich ridges with the directions from their points into all their rich facets.

    Args:
        rich: mask of the rich facets.
    """
    found: dict[int, tuple[Row, ...]] = {}
    for ridge in (case.ridge for case in nonshallow_ridges(function)):
        x, facets = function.ridge_points[ridge].tolist(), function.ridges[ridge]
        directions = tuple(direction_between(x, y) for y in function.facet_points[facets[rich[facets]]].tolist())
        if len(directions) >= 3 and not _in_half_plane(directions, function.ridge_equations(ridge)):
            found[ridge] = directions
    return found


def _in_half_plane(directions: tuple[Row, ...], equations: tuple[Row, Row]) -> bool:
    """Whether the directions lie in a closed half-plane of the normal plane; then in one bounded by one of them."""
    plane = [tuple(sum(a * c for a, c in zip(row[1:], u)) for row in equations) for u in directions]
    for a, b in plane:
        turns = [a * y - b * x for x, y in plane]
        if min(turns) >= 0 or max(turns) <= 0:
            return True
    return False


@dataclass(frozen=True, eq=False)
class Region:
    """A convex set where the layers before are affine: their activations (rows over x), and the samples inside."""

    activations: tuple[Row, ...]
    inside: Array


class _Layers:
    """The search through the layers behind the first one."""

    def __init__(self, function: FunctionComplex, widths: tuple[int, ...], data: Samples, rich: Array, collector: Collector,
                 counter: NodeCounter) -> None:
        self.function, self.widths, self.data, self.rich = function, widths, data, rich
        self.collector, self.counter = collector, counter
        self.table = {h: data.column(row) for h, row in enumerate(function.hyperplanes)}

    def start(self, family: tuple[Row, ...], orientation: int) -> None:
        """Search behind a first layer.

        Args:
            family: the candidate rows.
            orientation: the mask of those oriented as given.
        """
        rows = oriented_rows(family, orientation)
        code = cell_codes(np.array([self.data.column(row) for row in family], np.int8))
        regions = [Region(tuple(activations_on(cell, rows, orientation)), np.flatnonzero(code == cell))
                   for cell in sorted(set(code.tolist()) - {-1})]
        self.search(2, regions, [rows])

    def search(self, layer: int, regions: list[Region], layers: list[list[Row]]) -> None:
        """Search the layers from this one on.

        Raises:
            Unsettled: `MULTI`, `OUTPUT_MULTI`, `NODES`.
        """
        depth, width = len(self.widths), self.widths[layer - 1]
        last, r = layer == depth, self.widths[1]
        spare = 0 if last else r * (depth - 1 - layer) + self.widths[-1]
        shown: list[tuple[int, list[int]]] = []
        for number, region in enumerate(regions):
            seen = region.inside if last else region.inside[self.rich[region.inside]]
            names = sorted(set(self.data.samples.hyperplane[seen].tolist()))
            if len(names) > width + spare:
                return
            if self.rich[region.inside].any() and rank([list(a[1:]) for a in region.activations], self.function.dimension) < r:
                return
            shown.append((number, names))
        shown.sort(key=lambda pair: (-len(pair[1]), pair[0]))
        items = [item(number, h, self.function.hyperplanes[h], regions[number].activations)
                 for number, names in shown for h in names]
        owned = [last or self._one_sided(regions[i.cell], i.hyperplane) for i in items]
        search = Ownership(items, width, 1 + self.widths[layer - 2], self.counter.step,
                           dict.fromkeys(range(len(regions)), spare), owned)
        for kernels, _ in search.leaves():
            wide = max(map(len, kernels))
            if wide > 1:
                raise Unsettled("MULTI", f"the visible facets leave {wide} dimensions for the row of a neuron of layer {layer}",
                                layer=layer, dimension=wide)
            rows = [basis[0] for basis in kernels]
            if last:
                offer_completions(self.collector, layers, rows, self.counter.step)
            else:
                self._descend(layer, regions, layers, rows)

    def _one_sided(self, region: Region, hyperplane: int) -> bool:
        """Whether all rich samples of a region lie on one closed side of a hyperplane."""
        signs = self.table[hyperplane][region.inside[self.rich[region.inside]]]
        return not (signs.min() < 0 < signs.max())

    def _descend(self, layer: int, regions: list[Region], layers: list[list[Row]], rows: list[Row]) -> None:
        """Try all orientations for which no rich sample lies on a negative side."""
        one = (1, *(0,) * self.function.dimension)
        values = []                                             # forms of the layer on the regions, and their signs at the samples
        for region in regions:
            forms = exact_product(np.array(rows, dtype=object), np.array([one, *region.activations], dtype=object))
            values.append((forms, sign_array(exact_product(forms, self.data.samples.points[region.inside].T))))
        allowed = []
        for u in range(len(rows)):
            seen = [signs[u][self.rich[region.inside]] for region, (_, signs) in zip(regions, values)]
            allowed.append([s for s in (1, -1) if all((s * part >= 0).all() for part in seen)])
        for chosen in product(*allowed):
            self.counter.step()
            turn = np.array(chosen, dtype=object)[:, None]
            following = []
            for region, (forms, signs) in zip(regions, values):
                positive = (signs * turn > 0).all(axis=0)
                if positive.any():
                    following.append(Region(tuple(map(tuple, (forms * turn).tolist())), region.inside[positive.astype(bool)]))
            oriented = [tuple(s * x for x in row) for s, row in zip(chosen, rows)]
            self.search(layer + 1, following, [*layers, oriented])


def wide_front_fiber(function: FunctionComplex, architecture: Architecture, realizes: Callable[[Network], bool],
                     meter: Meter | None = None) -> FiberSearch:
    """Return all parameters of (n_0; n_1, r, ..., r, n_L; m) with the function f, or why the search cannot say.

    Args:
        function: f on the cells of some complex.
        realizes: an exact test whether a network has the function f on the domain; called only for candidates that agree
            with f at points of all cells.
        meter: limits of the search; a limit reached is `Undecided`, code `LIMIT`.
    Raises:
        ShapeError: the architecture has other inputs or outputs than f.
    Exactness: integers; Fractions of the parameters.    Cost: as `two_layer_fiber`, and an ownership search a layer.

    >>> from exactrelu.complexes.canonical_complex import CanonicalComplex
    >>> from exactrelu.complexes.function_complex import function_complex
    >>> theta = Network([[[1, 0]] * 2, [[1, 0]] * 2, [[1, 0]] * 2, [[1, 1]]], [[0, 1], [0, 0], [0, 0], [0]])
    >>> wide_front_fiber(function_complex(CanonicalComplex.build(theta)), theta.architecture, lambda eta: True).detail["code"]
    'WILD'
    """
    check_shapes(function, architecture)
    used = meter if meter is not None else Meter()
    return settled(lambda: _wide_front_fiber(function, architecture, realizes, used))


def _wide_front_fiber(function: FunctionComplex, architecture: Architecture, realizes: Callable[[Network], bool],
                      meter: Meter) -> FiberSearch:
    if not is_wide_front(architecture):
        raise Unsettled("ARCHITECTURE", f"{architecture} is not of the form (n_0; n_1, r, ..., r, n_L; m) with three hidden layers")
    widths = architecture.hidden_widths
    rich = facet_ranks(function) == widths[1]
    ridges = strongly_rich_ridges(function, rich)
    flats = flats_of(function, list(ridges))
    check_number_of_flats(flats)
    names = np.unique(function.hyperplane[rich]).tolist()
    rows = candidates(flats, [function.hyperplanes[h] for h in names])
    data = all_samples(function, rows)
    at_rich = rich[data.samples.facet]
    capacity = widths[1] * (len(widths) - 2) + widths[-1]
    found = covering(function, flats, rows, data.only(at_rich), widths[0], capacity, meter)
    collector, counter = Collector(function, realizes, meter), NodeCounter(meter)
    tests = FamilyTests(data, widths[0], capacity, function.dimension)
    layers = _Layers(function, widths, data, at_rich, collector, counter)
    for family in found.families:
        table = np.array([data.column(row) for row in family], np.int8)
        for orientation in tests.orientations(table, family):
            layers.start(family, orientation)
    evidence = tuple((tuple(function.ridge_points[flat.ridge].tolist()), *ridges[flat.ridge]) for flat in flats)
    work = {**found.work, "rich": len(names), "nodes": counter.nodes, "candidates": collector.candidates}
    return CompleteFiber(collector.sorted_members(), METHOD, architecture, tuple(tuple(p) for p in data.samples.points.tolist()),
                         tests=collector.tests(), flats=evidence, refused=tuple(collector.refused.values()), work=work,
                         certifiable=function.dimension == 2 and widths[1] == 2)
