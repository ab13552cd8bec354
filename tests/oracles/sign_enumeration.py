"""Every sign vector of a network on a domain, by linear programs; and every count and condition from the sign vectors alone.

An open cell is a non-empty set {x in the relative interior of a face of P : the pre-activations have given signs}.  Cells are
found neuron by neuron: on a known open cell the next pre-activation is affine, and one linear program tells whether it takes the
other sign.  Shares no code with the engine but the linear program of cddlib, whose answer carries a checked proof.  All relations
between cells come from the rule that sigma lies in the closure of tau iff every sign of sigma is 0 or that of tau.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import product

import numpy as np

from exactrelu.arithmetic.rational import primitive_integer
from exactrelu.network.network import Network
from exactrelu.polyhedra.cddlib import generators, margin
from exactrelu.polyhedra.domain import Domain

Form = tuple[Fraction, ...]
"""An affine form b + a.x as (b, a_1, ..., a_d)."""
Point = tuple[Fraction, ...]
MOST_POINTS = 6


def value(form: Form, point: Sequence[Fraction]) -> Fraction:
    return sum((a * x for a, x in zip(form[1:], point) if a and x), form[0])


def sign(number: Fraction | int) -> int:
    return (number > 0) - (number < 0)


def combination(coefficients: Sequence[Fraction], forms: Sequence[Form], constant: Fraction, dimension: int) -> Form:
    out = [constant] + [Fraction(0)] * dimension
    for c, form in zip(coefficients, forms):
        if c:
            out = [x + c * y for x, y in zip(out, form)]
    return tuple(out)


class Equations:
    """A consistent system of affine equations in reduced echelon form; immutable."""

    def __init__(self, dimension: int, rows: tuple[tuple[int, Form], ...] = ()) -> None:
        self.dimension = dimension
        self.rows = rows
        pivots = {k for k, _ in rows}
        self.free = [k for k in range(1, dimension + 1) if k not in pivots]

    def reduced(self, form: Form) -> Form:
        """The form with the pivot coordinates eliminated: equal on the solutions, and canonical."""
        for k, row in self.rows:
            if form[k]:
                c = form[k]
                form = tuple(x - c * y for x, y in zip(form, row))
        return form

    def with_zero(self, form: Form) -> Equations:
        """The system with one more, independent, reduced equation."""
        k = next(k for k in self.free if form[k])
        row = tuple(Fraction(x) / form[k] for x in form)
        rows = [(i, tuple(x - old[k] * y for x, y in zip(old, row)) if old[k] else old) for i, old in self.rows]
        return Equations(self.dimension, (*rows, (k, row)))

    def solution(self, free: Sequence[Fraction]) -> Point:
        """The solution with these free coordinates."""
        x = [Fraction(0)] * (self.dimension + 1)
        for k, t in zip(self.free, free):
            x[k] = t
        for k, row in self.rows:
            x[k] = -sum((row[i] * x[i] for i in self.free), row[0])
        return tuple(x[1:])


@dataclass(frozen=True)
class OpenCell:
    """The solutions of equations and strict inequalities, with a few points of it and the signs that define it."""

    equations: Equations
    strict: tuple[Form, ...]
    points: tuple[Point, ...]
    walls: tuple[int, ...] = ()
    signs: tuple[int, ...] = ()
    inputs: tuple[Form, ...] = ()
    outputs: tuple[Form, ...] = ()

    @property
    def dimension(self) -> int:
        return len(self.equations.free)

    @property
    def point(self) -> Point:
        return self.points[0]

    def pieces(self, form: Form) -> Iterator[tuple[int, OpenCell]]:
        """The non-empty parts on which the form is negative, zero, positive."""
        form = self.equations.reduced(form)
        if not any(form[1:]):
            yield sign(form[0]), self
            return
        by_sign: dict[int, list[Point]] = {-1: [], 0: [], 1: []}
        for x in self.points:
            by_sign[sign(value(form, x))].append(x)
        if not by_sign[1] and not by_sign[-1]:
            for s in (1, -1):
                by_sign[s].append(self._moved(by_sign[0][0], form, s))
        for s in (1, -1):
            if not by_sign[s]:
                found = self._where(tuple(s * x for x in form))
                if found is None:
                    yield -s, self._with(-s, form, by_sign[-s])
                    return
                by_sign[s].append(found)
        for p, q in product(by_sign[1][:2], by_sign[-1][:2]):
            a, b = value(form, p), -value(form, q)
            by_sign[0].append(tuple((b * x + a * y) / (a + b) for x, y in zip(p, q)))
        for s in (-1, 0, 1):
            yield s, self._with(s, form, by_sign[s])

    def _with(self, s: int, form: Form, points: list[Point]) -> OpenCell:
        kept = tuple(dict.fromkeys(points))[:MOST_POINTS]
        if s:
            strict = dict.fromkeys((*self.strict, tuple(map(Fraction, primitive_integer([s * x for x in form])))))
            return OpenCell(self.equations, tuple(strict), kept, self.walls, self.signs, self.inputs, self.outputs)
        equations = self.equations.with_zero(form)
        rows = [equations.reduced(row) for row in self.strict]
        strict = dict.fromkeys(tuple(map(Fraction, primitive_integer(row))) for row in rows if any(row[1:]))
        return OpenCell(equations, tuple(strict), kept, self.walls, self.signs, self.inputs, self.outputs)

    def _moved(self, point: Point, form: Form, s: int) -> Point:
        """A point of the cell with sign s, next to a point where the form vanishes."""
        free = self.equations.free
        step = [s * form[k] for k in free]
        reach = Fraction(1)
        for row in self.strict:
            change = sum((row[k] * t for k, t in zip(free, step)), Fraction(0))
            if change < 0:
                reach = min(reach, value(row, point) / -change / 2)
        return self.equations.solution([point[k - 1] + reach * t for k, t in zip(free, step)])

    def _where(self, form: Form) -> Point | None:
        """A point of the cell where the form is positive, or None: one linear program."""
        free = self.equations.free
        rows = [primitive_integer([row[0], *(row[k] for k in free)]) for row in (*self.strict, form)]
        found = margin(rows, len(free))
        return self.equations.solution(found.point) if found.value > 0 else None

    def is_bounded(self) -> bool:
        rows = [primitive_integer(row) for row in self.strict]
        equal = [primitive_integer(row) for _, row in self.equations.rows]
        found = generators(rows, equal, self.equations.dimension)
        return not found.lines and all(row[0] for row in found.points)


def open_cells(network: Network, domain: Domain) -> list[OpenCell]:
    """Every open cell of every face of the domain."""
    d = network.architecture.inputs
    zero = (Fraction(0),) * d
    cells = [OpenCell(Equations(d), (), (zero,))]
    for wall in domain.inequalities:
        cells = [OpenCell(piece.equations, piece.strict, piece.points, (*cell.walls, s))
                 for cell in cells for s, piece in cell.pieces(wall) if s >= 0]
    inputs = tuple(tuple(Fraction(int(i == k)) for i in range(d + 1)) for k in range(1, d + 1))
    cells = [OpenCell(c.equations, c.strict, c.points, c.walls, (), inputs) for c in cells]
    for weights, biases in zip(network.weights[:-1], network.biases[:-1]):
        for row, bias in zip(weights, biases):
            cells = [grown for cell in cells for grown in _by_neuron(cell, combination(row, cell.inputs, bias, d))]
        cells = [OpenCell(c.equations, c.strict, c.points, c.walls, c.signs, c.outputs) for c in cells]
    return cells


def _by_neuron(cell: OpenCell, form: Form) -> Iterator[OpenCell]:
    nothing = (Fraction(0),) * len(form)
    for s, piece in cell.pieces(form):
        outputs = (*cell.outputs, form if s > 0 else nothing)
        yield OpenCell(piece.equations, piece.strict, piece.points, cell.walls, (*cell.signs, s), cell.inputs, outputs)


def signs_by_trying_all(network: Network, domain: Domain) -> set[tuple[int, ...]]:
    """Sign vectors on {every inequality strict}: one linear program for each of the 3^H candidates, without any shortcut."""
    d = network.architecture.inputs
    found = set()
    for candidate in product((-1, 0, 1), repeat=network.architecture.hidden_neurons):
        rest = iter(candidate)
        forms = tuple(tuple(Fraction(int(i == k)) for i in range(d + 1)) for k in range(1, d + 1))
        strict, equal = list(domain.inequalities), []
        for weights, biases in zip(network.weights[:-1], network.biases[:-1]):
            new = []
            for row, bias in zip(weights, biases):
                form, s = combination(row, forms, bias, d), next(rest)
                (strict if s else equal).append(tuple(s * x for x in form) if s else form)
                new.append(form if s > 0 else (Fraction(0),) * (d + 1))
            forms = tuple(new)
        if _is_solvable(strict, equal, d):
            found.add(candidate)
    return found


def _is_solvable(strict: Sequence[Form], equal: Sequence[Form], d: int) -> bool:
    equations = Equations(d)
    for form in equal:
        form = equations.reduced(form)
        if any(form[1:]):
            equations = equations.with_zero(form)
        elif form[0]:
            return False
    rows = [equations.reduced(row) for row in strict]
    free = equations.free
    if not free:
        return all(row[0] > 0 for row in rows)
    return margin([primitive_integer([row[0], *(row[k] for k in free)]) for row in rows], len(free)).value > 0


class SignComplex:
    """The canonical complex as a list of sign vectors; every answer follows from them, exact ranks and affine maps.

    Cells are numbered by increasing dimension; `interior` marks those in the relative interior of the domain.
    """

    def __init__(self, network: Network, domain: Domain) -> None:
        self.network, self.domain = network, domain
        self.open_cells = sorted(open_cells(network, domain), key=lambda c: (c.dimension, c.walls, c.signs))
        cells = self.open_cells
        self.walls = np.array([c.walls for c in cells], dtype=np.int8).reshape(len(cells), -1)
        self.signs = np.array([c.signs for c in cells], dtype=np.int8).reshape(len(cells), -1)
        self.dimensions = np.array([c.dimension for c in cells])
        self.dimension = int(self.dimensions.max())
        self.interior = (self.walls == self.walls.max(axis=0)).all(axis=1)
        self.layers = [range(*pair) for pair in zip(network.architecture.offsets, network.architecture.offsets[1:])]

    # --- counts and order ---

    def interior_signs(self, k: int) -> set[tuple[int, ...]]:
        """Sign vectors of the interior cells of dimension k."""
        return {c.signs for c, inner in zip(self.open_cells, self.interior) if inner and c.dimension == k}

    def of(self, k: int) -> np.ndarray:
        """Numbers of the interior cells of dimension k."""
        return np.flatnonzero(self.interior & (self.dimensions == k))

    @property
    def f_vector(self) -> tuple[int, ...]:
        return tuple(len(self.of(k)) for k in range(self.domain.dimension + 1))

    @property
    def closed_f_vector(self) -> tuple[int, ...]:
        return tuple(int((self.dimensions == k).sum()) for k in range(self.domain.dimension + 1))

    @property
    def lineality_dimension(self) -> int:
        equations = Equations(self.domain.dimension)
        for row in (*(row[1:] for row in self.domain.inequalities), *self.network.weights[0]):
            form = equations.reduced((Fraction(0), *row))
            if any(form):
                equations = equations.with_zero(form)
        return len(equations.free)

    @cached_property
    def below(self) -> np.ndarray:
        """below[i, j]: cell i lies in the closure of cell j."""
        every = np.concatenate([self.walls, self.signs], axis=1)
        out = np.empty((len(every), len(every)), dtype=bool)
        for i, row in enumerate(every):
            out[i] = ((row == 0) | (row == every)).all(axis=1)
        return out

    @cached_property
    def full(self) -> np.ndarray:
        return self.of(self.dimension)

    @cached_property
    def facets(self) -> np.ndarray:
        """Numbers of the interior cells of codimension 1."""
        return self.of(self.dimension - 1)

    @cached_property
    def sides(self) -> list[tuple[int, int]]:
        """The two full cells at every interior facet, as numbers of cells."""
        out = []
        for facet in self.facets:
            found = [int(c) for c in self.full if self.below[facet, c]]
            assert len(found) == 2, "an interior facet lies in two full cells"
            out.append((found[0], found[1]))
        return out

    @cached_property
    def is_bounded_full(self) -> list[bool]:
        return [self.open_cells[c].is_bounded() for c in self.full]

    @cached_property
    def is_polytope(self) -> bool:
        return all(self.is_bounded_full)

    # --- the function ---

    @cached_property
    def hull(self) -> Equations:
        """The equations of the affine hull of the domain."""
        return self.open_cells[self.full[0]].equations  # a full cell spans it

    @cached_property
    def maps(self) -> dict[int, tuple[Form, ...]]:
        """The affine map of f on every full cell, reduced by the equations of the domain."""
        d = self.domain.dimension
        return {int(c): tuple(self.hull.reduced(combination(row, self.open_cells[c].inputs, bias, d))
                              for row, bias in zip(self.network.weights[-1], self.network.biases[-1])) for c in self.full}

    @cached_property
    def is_visible(self) -> np.ndarray:
        """For every interior facet: f bends there."""
        return np.array([self.maps[p] != self.maps[q] for p, q in self.sides], dtype=bool)

    @cached_property
    def regions(self) -> dict[int, int]:
        """Full cell -> a representative of its linear region."""
        return components([int(c) for c in self.full], [pair for pair, seen in zip(self.sides, self.is_visible) if not seen])

    @property
    def linear_regions(self) -> int:
        return len(set(self.regions.values()))

    @property
    def distinct_affine_maps(self) -> int:
        return len(set(self.maps.values()))

    @property
    def breakpoint_facets(self) -> int:
        return int(self.is_visible.sum())

    def strata(self) -> dict[int, int]:
        """Number of coarse strata of the breakpoint set by dimension.

        delta(sigma) = dim P - rank of the normals of the breakpoint facets at sigma; cells with delta = dimension = k are joined
        through (k-1)-cells with delta = k.
        """
        delta = np.full(len(self.open_cells), -1)
        for cell in np.flatnonzero(self.interior & (self.dimensions < self.dimension)):
            above = [f for f, seen in zip(self.facets, self.is_visible) if seen and self.below[cell, f]]
            if above:
                spanned = self.hull
                for facet in above:  # the facet adds one equation to those of the hull; its linear part is the normal
                    for _, row in self.open_cells[facet].equations.rows:
                        form = spanned.reduced((Fraction(0), *row[1:]))
                        if any(form[1:]):
                            spanned = spanned.with_zero(form)
                delta[cell] = len(spanned.free)
        out = {}
        for k in range(self.dimension):
            members = [int(c) for c in self.of(k) if delta[c] == k]
            links = []
            for tau in self.of(k - 1) if k else ():
                if delta[tau] == k:
                    around = [c for c in members if self.below[tau, c]]
                    links += list(zip(around, around[1:]))
            if members:
                out[k] = len(set(components(members, links).values()))
        return out

    # --- bent hyperplanes and conditions ---

    @cached_property
    def activity(self) -> np.ndarray:
        return self.signs > 0

    @cached_property
    def bends(self) -> np.ndarray:
        """bends[i, j]: neuron j changes its activity across the interior facet number i."""
        out = np.zeros((len(self.facets), self.signs.shape[1]), dtype=bool)
        for i, (p, q) in enumerate(self.sides):
            out[i] = self.activity[p] != self.activity[q]
        return out

    @cached_property
    def member(self) -> np.ndarray:
        """member[i, j]: cell i lies in the bent hyperplane of neuron j."""
        out = np.zeros(self.signs.shape, dtype=bool)
        for i, facet in enumerate(self.facets):
            out[self.below[:, facet]] |= self.bends[i]
        return out

    def supertransversality(self) -> bool:
        codimensions = self.dimension - self.dimensions
        return bool((self.member.sum(axis=1) == codimensions)[self.interior].all())

    def boundary_transversality(self) -> bool:
        """The same in every face of the domain: dim face - dim cell bent hyperplanes through a cell."""
        faces: dict[tuple[int, ...], int] = {}
        for cell in self.open_cells:
            faces[cell.walls] = max(faces.get(cell.walls, 0), cell.dimension)
        codimensions = np.array([faces[cell.walls] - cell.dimension for cell in self.open_cells])
        return bool((self.member.sum(axis=1) == codimensions).all())

    def zero_count(self) -> bool:
        codimensions = self.dimension - self.dimensions
        return bool(((self.signs == 0).sum(axis=1) == codimensions)[self.interior].all())

    def transparency(self) -> bool:
        """Whether every point of the closed domain activates a neuron in each layer."""
        return all(bool((self.signs[:, list(layer)] > 0).any(axis=1).all()) for layer in self.layers)

    def no_cancellation(self) -> bool:
        for (p, q), seen, bending in zip(self.sides, self.is_visible, self.bends):
            if seen or not bending.any():
                continue
            highest = max(k for k, layer in enumerate(self.layers) if bending[list(layer)].any())
            if not any(not self.activity[[p, q]][:, list(layer)].any() for layer in self.layers[highest + 1:]):
                return False
        return True

    def missing_pairs(self) -> set[tuple[int, int]]:
        """Pairs of neurons of adjacent layers without a transversal ridge."""
        found = set()
        for ridge in self.of(self.dimension - 2) if self.dimension > 1 else ():
            pair = np.flatnonzero(self.member[ridge])
            if len(pair) == 2:
                around = [c for c in self.full if self.below[ridge, c]]
                if len({tuple(row) for row in self.activity[around][:, pair].tolist()}) == 4:
                    found.add((int(pair[0]), int(pair[1])))
        return {pair for here, there in zip(self.layers, self.layers[1:]) for pair in product(here, there)} - found

    def tpic(self) -> bool:
        return not self.missing_pairs()

    def is_connected(self, neuron: int, strong: bool = False) -> bool:
        """Whether the bent hyperplane is not empty and connected, through all interior faces or (strong) through ridges."""
        facets = [int(f) for f, row in zip(self.facets, self.bends) if row[neuron]]
        faces = self.of(self.dimension - 2) if strong else np.flatnonzero(self.interior)
        links = []
        for face in faces if self.dimension > 1 else ():
            above = [f for f in facets if self.below[face, f]]
            links += list(zip(above, above[1:]))
        return bool(facets) and len(set(components(facets, links).values())) == 1

    def connected_tpic(self) -> bool:
        return self.tpic() and all(self.is_connected(j) for j in range(self.signs.shape[1]))

    def linear_regions_adjacent(self) -> bool:
        return bool(self.is_visible.all())

    def linear_regions_activation(self) -> bool:
        """Whether two full cells are in one linear region iff they have the same activity."""
        patterns: dict[bytes, int] = {}
        by_pattern = [patterns.setdefault(self.activity[c].tobytes(), len(patterns)) for c in self.full]
        pairs = set(zip(by_pattern, (self.regions[int(c)] for c in self.full)))
        return len(pairs) == len(patterns) == self.linear_regions

    def linear_regions_strong(self) -> bool:
        return self.distinct_affine_maps == len(self.full)

    def conditions(self) -> dict[str, bool]:
        """The seven conditions and the three further ones."""
        return {"supertransversality": self.supertransversality(), "zero_count": self.zero_count(),
                "no_cancellation": self.no_cancellation(), "transparency": self.transparency(), "tpic": self.tpic(),
                "connected_tpic": self.connected_tpic(), "linear_regions_assumption": self.linear_regions_strong(),
                "boundary_transversality": self.boundary_transversality(),
                "linear_regions_assumption_adjacent": self.linear_regions_adjacent(),
                "linear_regions_assumption_activation": self.linear_regions_activation()}


def components(members: Sequence[int], links: Sequence[tuple[int, int]]) -> dict[int, int]:
    """Member -> representative of its connected component."""
    parent = {m: m for m in members}

    def root(m: int) -> int:
        while parent[m] != m:
            parent[m] = parent[parent[m]]
            m = parent[m]
        return m

    for a, b in links:
        parent[root(a)] = root(b)
    return {m: root(m) for m in members}
