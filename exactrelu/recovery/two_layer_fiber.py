"""Two hidden layers (n_0; n_1, n_2; m), n_0 >= 2: the complete fiber, by covering and ownership.

Facts that hold for every parameter eta with the function f:
1. Off the hyperplanes of the first layer f is locally a network with one hidden layer.  So every ridge at which f is not
   shallow (a facet germ without an opposite one of the same jump) lies in one of these hyperplanes: it is convex.
2. In a cell of their arrangement f shows at most n_2 hyperplanes off the family.
3. On the cell with active set A all gradients of f lie in the span of the rows of A.
So the family is one of those that `covering` leaves, if it leaves no unknown members.  Then the rows of the first layer are
known up to sign and scale.  For each orientation, every hyperplane seen in a cell, off the family, is owned by a neuron of
the second layer whose preactivation there is a non-zero multiple of it; `ownership` finds all rows that do so, provided that
the kernels have one dimension (else `MULTI`).  `output_layer` does the rest.

**Theorem.**  A `CompleteFiber` lists, modulo permutation and positive scaling, all parameters with the function f.
*Proof.*  The family of eta passes 1-3, so it is an exact family; its orientation passes 3.  Each visible facet off the family
is covered by finitely many zero sets of second-layer preactivations, affine on the cell, so one of them contains it and is
not 0: choose an owner for each item.  The rows of eta lie in the kernels of the branch with these owners, so they are known
up to sign.  (A row of the second layer that is zero, or owns nothing, would be in a kernel of more dimensions: flagged.)
The output layer is a solution of the linear system, unique or flagged.  QED
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from exactrelu.complexes.function_complex import FunctionComplex
from exactrelu.dependency.shallowness import NotShallow, direction_between, nonshallow_ridges
from exactrelu.limits import Meter
from exactrelu.network.architecture import Architecture
from exactrelu.network.network import Network
from exactrelu.recovery.complete_fiber import Collector, CompleteFiber, FiberSearch, Unsettled, check_shapes, settled
from exactrelu.recovery.covering import Covering, covering
from exactrelu.recovery.family_tests import FamilyTests, Samples, cell_codes
from exactrelu.recovery.first_layer import NodeCounter, activations_on, all_samples, check_number_of_flats, oriented_rows
from exactrelu.recovery.output_layer import offer_completions
from exactrelu.recovery.ownership import Ownership, item
from exactrelu.recovery.pencils import candidates, flats_of

Array = np.ndarray
Row = tuple[int, ...]
METHOD = "two-layer-fiber"


def flat_evidence(function: FunctionComplex, found: NotShallow) -> tuple[Row, ...]:
    """Return (x, u, n): a point of a ridge, a direction into the offending facet, and one transversal to the facet."""
    x = tuple(function.ridge_points[found.ridge].tolist())
    normal = tuple(function.facet_rows[found.facet].tolist()[1:])
    return x, direction_between(x, function.facet_points[found.facet].tolist()), normal


def two_layer_fiber(function: FunctionComplex, architecture: Architecture, realizes: Callable[[Network], bool],
                    meter: Meter | None = None) -> FiberSearch:
    """Return all parameters of an architecture with two hidden layers that have the function f, or why the search cannot say.

    Args:
        function: f on the cells of some complex.
        realizes: an exact test whether a network has the function f on the domain; called only for candidates that agree
            with f at points of all cells.
        meter: limits of the search; a limit reached is `Undecided`, code `LIMIT`.
    Raises:
        ShapeError: the architecture has other inputs or outputs than f.
    Exactness: integers; Fractions of the parameters.
    Cost: covers of the flats by n_1 hyperplanes, (2 samples)^k positions for k unknown members, 2^n_1 ownership searches for
    each exact family; limits in `covering` and `first_layer`.

    >>> from exactrelu.complexes.canonical_complex import CanonicalComplex
    >>> from exactrelu.complexes.function_complex import function_complex
    >>> from exactrelu.polyhedra.domain import Domain
    >>> theta = Network([[[1, 0], [0, 1]], [[1, -2], [-2, 1]], [[-1, -3]]], [[1, 2], [-2, -2], [0]])
    >>> f = function_complex(CanonicalComplex.build(theta, Domain.box(2, [(-12, 13)])))
    >>> two_layer_fiber(f, theta.architecture, lambda eta: True)
    <CompleteFiber of (2, 2, 2, 1): 1 members, two-layer-fiber>
    """
    check_shapes(function, architecture)
    used = meter if meter is not None else Meter()
    return settled(lambda: _two_layer_fiber(function, architecture, realizes, used))


def _two_layer_fiber(function: FunctionComplex, architecture: Architecture, realizes: Callable[[Network], bool],
                     meter: Meter) -> FiberSearch:
    if architecture.hidden_layers != 2 or architecture.inputs < 2:
        raise Unsettled("ARCHITECTURE", f"{architecture} does not have two hidden layers and two inputs or more")
    n1, n2 = architecture.hidden_widths
    ridges = nonshallow_ridges(function)
    flats = flats_of(function, [found.ridge for found in ridges])
    check_number_of_flats(flats)
    rows = candidates(flats, function.hyperplanes)
    data = all_samples(function, rows)
    found = covering(function, flats, rows, data, n1, n2, meter)
    collector, counter = Collector(function, realizes, meter), NodeCounter(meter)
    _offer_parameters(function, architecture.hidden_widths, found, data, collector, counter)
    offending = {r.ridge: r for r in ridges}
    points = tuple(tuple(p) for p in data.samples.points.tolist())
    work = {**found.work, "nodes": counter.nodes, "candidates": collector.candidates}
    return CompleteFiber(collector.sorted_members(), METHOD, architecture, points,
                         tests=collector.tests(), flats=tuple(flat_evidence(function, offending[flat.ridge]) for flat in flats),
                         refused=tuple(collector.refused.values()), work=work,
                         certifiable=function.dimension == 2 or not found.free)


def _offer_parameters(function: FunctionComplex, widths: tuple[int, ...], found: Covering, data: Samples, collector: Collector,
                      counter: NodeCounter) -> None:
    """Offer all parameters whose first layer is one of the exact families.

    Raises:
        Unsettled: `MULTI` a row of the second layer is not determined; `OUTPUT_MULTI`; `NODES`.
    """
    n1, n2 = widths
    tests = FamilyTests(data, n1, n2, function.dimension)
    for family in found.families:
        table = np.array([data.column(row) for row in family], np.int8)
        seen = seen_hyperplanes(table, data)
        cells = cell_order({cell: len(shown) for cell, shown in seen.items()})
        for orientation in tests.orientations(table, family):
            counter.step()
            rows = oriented_rows(family, orientation)
            items = []
            for number, cell in enumerate(cells):
                active = activations_on(cell, rows, orientation)
                items += [item(number, h, function.hyperplanes[h], active) for h in seen[cell]]
            for kernels, _ in Ownership(items, n2, n1 + 1, counter.step).leaves():
                wide = max(map(len, kernels))
                if wide > 1:
                    raise Unsettled("MULTI", f"the visible facets leave {wide} dimensions for the row of a neuron of layer 2",
                                    layer=2, dimension=wide)
                offer_completions(collector, [rows], [basis[0] for basis in kernels], counter.step)


def cell_order(cells: dict[int, int]) -> list[int]:
    """Return cells (masks of signs) so that each is as near as possible to those before, the one that shows most first.

    Across one wall preactivations are continuous, so that an item there leaves few owners.

    >>> cell_order({0b00: 1, 0b11: 3, 0b01: 2})
    [3, 1, 0]
    """
    near = dict.fromkeys(cells, 0)
    order: list[int] = []
    while near:
        cell = min(near, key=lambda c: (near[c], -cells[c], c))
        order.append(cell)
        del near[cell]
        for other in near:
            distance = (other ^ cell).bit_count()
            near[other] = distance if len(order) == 1 else min(near[other], distance)
    return order


def seen_hyperplanes(table: Array, data: Samples) -> dict[int, list[int]]:
    """Return the numbers of the hyperplanes seen in every cell of a family, increasing.

    Args:
        table: signs of the members at the samples, shape (members, samples).
    """
    seen: dict[int, list[int]] = {}
    for cell, name in sorted(set(zip(cell_codes(table).tolist(), data.samples.hyperplane.tolist()))):
        if cell >= 0:
            seen.setdefault(cell, []).append(name)
    return seen
