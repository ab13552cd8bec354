"""The fan from which the subdivision starts: the homogenized domain cut by a few first-layer hyperplanes.

Homogenize P = {A x + b >= 0} to K = {(t, x) : t >= 0, A x + b t >= 0}.  Three exact reductions make K pointed:

1. the affine hull of P is parametrized by some of its coordinates;
2. the directions N that neither A nor W^(1) sees are divided out: with a set S of coordinates on which the stacked
   matrix [A; W^(1)] keeps its rank, every point has the same signs as a point of {x_i = 0 for i outside S},
   since the column space is unchanged; every cell is the preimage of a cell there;
3. P still contains a linear space V = ker A, on which rows I of W^(1) are a basis of the dual; P is the product of
   the section {z_I = 0} and V, so the cones of the start fan are (face of the homogenized section) x (sign orthant
   in the directions u_i, W_I u_i = e_i).  For P = R^d the section is one point.

Working coordinates are (t, y); x~ = embedding . (t, y).  Every cone carries D - dim independent rows that vanish on
it (`definitions`), and a face label: 0 interior, 1 at infinity, 2, 3, ... proper faces of the domain.
Source: paper A for the canonical complex; the product form is proved above.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import product as cartesian

import numpy as np

from exactrelu.arithmetic.matrix import echelon, independent_rows, kernel, product, rank, solve_columns
from exactrelu.arithmetic.rational import primitive_integer
from exactrelu.errors import BudgetExceeded
from exactrelu.polyhedra import cddlib
from exactrelu.polyhedra.affine_hull import affine_hull
from exactrelu.polyhedra.box import box_vertices, box_walls
from exactrelu.polyhedra.domain import Domain

Rows = Sequence[Sequence[int]]
Array = np.ndarray

MAX_START_CONES = 400_000


@dataclass(frozen=True)
class StartFan:
    """The first fan and the coordinates it lives in.

    Attributes:
        dimension: D, the dimension of the homogeneous working space; full cells are D-cones.
        embedding: integer matrix (d+1) x D, (t, x) = embedding (t', y), first row (c, 0, ..., 0), c > 0.
        lineality: basis of the directions (in R^d) along which every cell is invariant.
        rays: primitive integer generators in working coordinates.
        facets: for k >= 2 (entries 0 and 1 are empty) the facets of the k-cones, as (row starts, indices).
        labels: for every k the face labels of the k-cones.
        definitions: for every k the row numbers (into `definition_rows`), shape (n_k, D - k).
        definition_rows: integer rows vanishing on the cones of the start fan.
        definition_neurons: for each of them the first-layer neuron it belongs to, or -1.
        basis: first-layer neurons I whose hyperplanes cut the start fan.
        walls: irredundant domain inequalities in working coordinates.
        face_dimensions: dimension (of the cone in working coordinates) of the face of the domain with each label.
        domain_rows: irredundant domain inequalities in the coordinates of R^d.
        domain_equations: equations of the affine hull of the domain in the coordinates of R^d.
    """

    dimension: int
    embedding: tuple[tuple[int, ...], ...]
    lineality: tuple[tuple[int, ...], ...]
    rays: tuple[tuple[int, ...], ...]
    facets: tuple[tuple[Array, Array], ...]
    labels: tuple[Array, ...]
    definitions: tuple[Array, ...]
    definition_rows: tuple[tuple[int, ...], ...]
    definition_neurons: tuple[int, ...]
    basis: tuple[int, ...]
    walls: tuple[tuple[int, ...], ...]
    face_dimensions: tuple[int, ...]
    domain_rows: tuple[tuple[int, ...], ...]
    domain_equations: tuple[tuple[int, ...], ...]


def _transform(rows: Rows, embedding: Rows, columns: int) -> list[list[int]]:
    return product(rows, embedding, len(embedding), columns)


def start_fan(first_layer: Rows, domain: Domain) -> StartFan:
    """Return the start fan of a domain for a network with the given first layer.

    Args:
        first_layer: integer rows (b, w_1, ..., w_d).
    Raises:
        DomainError: the domain is empty.  BudgetExceeded: the fan would have too many cones.
    """
    reduced = affine_hull(domain.integer_rows, domain.dimension)
    hull = reduced.embedding
    width = len(hull[0])
    walls = [list(row) for row in reduced.rows]
    layer = _transform(first_layer, hull, width)
    seen = [row[1:] for row in walls] + [row[1:] for row in layer]
    _, chosen = echelon(seen, width - 1)
    keep = [0] + [j + 1 for j in chosen]
    invisible = [tuple(sum(h[j + 1] * v[j] for j in range(width - 1)) for h in hull[1:]) for v in kernel(seen, width - 1)] \
        if seen else [tuple(h[j + 1] for h in hull[1:]) for j in range(width - 1)]
    embedding = tuple(tuple(row[j] for j in keep) for row in hull)
    walls = [[row[j] for j in keep] for row in walls]
    layer = [[row[j] for j in keep] for row in layer]
    dim = len(keep)
    normals = [row[1:] for row in walls]
    pointed = rank(normals, dim - 1) == dim - 1
    basis = [] if pointed else independent_rows([row[1:] for row in layer], dim - 1, normals)
    if 3 ** (dim - 1) > MAX_START_CONES and not basis and _is_bounded_box(walls, dim - 1):
        raise BudgetExceeded(f"a box with {dim - 1} sides has 3^{dim - 1} faces, more than {MAX_START_CONES}")
    section = _section_rays(walls, [layer[i] for i in basis], dim)
    directions = _directions(walls, [layer[i] for i in basis], dim)
    faces = _face_lattice(section, walls)
    if len(faces) * 3 ** len(basis) > MAX_START_CONES:
        raise BudgetExceeded(f"the start fan has {len(faces)} x 3^{len(basis)} cones, more than {MAX_START_CONES}")
    lineality = tuple(primitive_integer(v) for v in invisible)
    fan = _assemble(dim, embedding, lineality, section, directions, faces, walls, layer, basis)
    return replace(fan, domain_rows=reduced.originals, domain_equations=reduced.equations)


def _is_bounded_box(walls: Rows, dimension: int) -> bool:
    """Whether the walls are those of a bounded box; its vertices would be too many to list."""
    sides = box_walls([tuple(row) for row in walls], dimension)
    return sides is not None and all(low is not None and high is not None for low, high in sides)


def _section_rays(walls: Rows, cuts: Rows, dim: int) -> list[tuple[int, ...]]:
    """Generators of the pointed cone {t >= 0, walls >= 0, cuts = 0}."""
    if not walls:
        ((scale, *x),) = solve_columns([row[1:] for row in cuts], [[-row[0] for row in cuts]])
        return [primitive_integer([scale, *x])]
    corners = None if cuts else box_vertices([tuple(row) for row in walls], dim - 1)
    return list(cddlib.generators(walls, cuts, dim - 1).points) if corners is None else corners


def _directions(walls: Rows, cuts: Rows, dim: int) -> list[tuple[int, ...]]:
    """Directions u_i with walls.u_i = 0 and cuts.u_i = e_i times a positive number."""
    if not cuts:
        return []
    linear = [row[1:] for row in walls]
    flat = [linear[i] for i in independent_rows(linear, dim - 1)] + [row[1:] for row in cuts]
    sides = [[int(i == len(flat) - len(cuts) + j) for i in range(len(flat))] for j in range(len(cuts))]
    return [primitive_integer([0, *solution[1:]]) for solution in solve_columns(flat, sides)]


def _face_lattice(rays: Sequence[tuple[int, ...]], walls: Rows) -> list[tuple[int, int]]:
    """Return the faces of a pointed cone as (dimension, bit mask of rays), the apex (0, 0) first, the cone last."""
    masks = {sum(1 << i for i, ray in enumerate(rays) if sum(map(int.__mul__, row, ray)) == 0) for row in walls}
    masks.add(sum(1 << i for i, ray in enumerate(rays) if ray[0] == 0))
    whole = (1 << len(rays)) - 1
    masks.discard(whole)
    level, out = {whole}, []
    dimension = rank(rays, len(rays[0]))
    while level:
        out.append(level)
        below = {face & mask for face in level for mask in masks if face & mask != face}
        maximal: list[int] = []
        for face in sorted(below, key=int.bit_count, reverse=True):
            if not any(not face & outside for outside in maximal):
                maximal.append(~face)
        level = {~outside for outside in maximal}
        if len(out) > dimension:
            break
    faces = []
    for down, level in enumerate(out):
        faces += [(dimension - down, face) for face in level]
        if sum(map(len, out[:down + 1])) > MAX_START_CONES:
            raise BudgetExceeded(f"the domain has more than {MAX_START_CONES} faces")
    return sorted(faces)


def _assemble(dim: int, embedding: tuple[tuple[int, ...], ...], invisible: tuple[tuple[int, ...], ...],
              section: Sequence[tuple[int, ...]], directions: Sequence[tuple[int, ...]], faces: list[tuple[int, int]],
              walls: list[list[int]], layer: list[list[int]], basis: list[int]) -> StartFan:
    """Build the product of the face lattice of the section with the sign orthants of the directions."""
    rows = [tuple(layer[i]) for i in basis] + [tuple(row) for row in walls] + [tuple([1] + [0] * (dim - 1))]
    neurons = [*basis, *([-1] * (len(walls) + 1))]
    cut = len(basis)
    vanishing = [sum(1 << i for i, ray in enumerate(section) if sum(map(int.__mul__, row, ray)) == 0) for row in rows]
    chosen = {}
    for size, mask in faces:
        names = [r for r in range(cut, len(rows)) if mask & vanishing[r] == mask]
        if len(names) > dim - cut - size:                     # not simple here: keep independent rows only
            kept = independent_rows([rows[r] for r in names], dim, rows[:cut])
            names = [names[k] for k in kept]
        chosen[mask] = names
    whole = faces[-1][1]
    at_infinity = {mask for _, mask in faces if all(section[i][0] == 0 for i in range(len(section)) if mask >> i & 1)}
    label, face_dimensions = {whole: 0}, [faces[-1][0] + cut, 0]
    for size, mask in faces:
        if mask in at_infinity:
            label[mask] = 1
        elif mask != whole:
            label[mask] = len(face_dimensions)
            face_dimensions.append(size + cut)
    facets_of = {}
    by_dimension: dict[int, list[int]] = {}
    for size, mask in faces:
        by_dimension.setdefault(size, []).append(mask)
    for size, mask in faces:
        outside = ~mask
        facets_of[mask] = [small for small in by_dimension.get(size - 1, ()) if not small & outside]
    number: dict[tuple[int, tuple[int, ...]], int] = {}
    members: list[list[tuple[int, tuple[int, ...]]]] = [[] for _ in range(dim + 1)]
    for size, mask in faces:
        for signs in cartesian((0, 1, -1), repeat=cut):
            k = size + sum(map(abs, signs))
            if k:
                number[mask, signs] = len(members[k])
                members[k].append((mask, signs))
    nothing = np.zeros(0, np.int64)
    facets: list[tuple[Array, Array]] = [(nothing, nothing)] * 2
    for k in range(2, dim + 1):
        table = [[number[small, signs] for small in facets_of[mask] if small or any(signs)]
                 + [number[mask, (*signs[:i], 0, *signs[i + 1:])] for i in range(cut) if signs[i]] for mask, signs in members[k]]
        starts = np.zeros(len(table) + 1, np.int64)
        np.cumsum([len(t) for t in table], out=starts[1:])
        facets.append((starts, np.array([x for t in table for x in t], np.int64)))
    labels: list[Array] = [nothing]
    definitions: list[Array] = [nothing]
    for k in range(1, dim + 1):
        labels.append(np.array([label[mask] for mask, _ in members[k]], np.int64))
        definitions.append(np.array([[*(i for i in range(cut) if not signs[i]), *chosen[mask]] for mask, signs in members[k]],
                                    np.int64).reshape(len(members[k]), dim - k))
    rays = []
    for mask, signs in members[1]:
        if mask:
            rays.append(tuple(section[mask.bit_length() - 1]))
        else:
            (i,) = [i for i in range(cut) if signs[i]]
            rays.append(tuple(signs[i] * x for x in directions[i]))
    return StartFan(dim, embedding, invisible, tuple(rays), tuple(facets), tuple(labels), tuple(definitions), tuple(rows),
                    tuple(neurons), tuple(basis), tuple(tuple(row) for row in walls), tuple(face_dimensions), (), ())
