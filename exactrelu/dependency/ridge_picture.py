"""The pictures of f at its ridges: how visible facets meet, what has to be glued, which sheet bends along which.

In the plane normal to a ridge the visible facets are rays.  Two facets of one ridge with the same hyperplane are
opposite rays, so all comparisons are of hyperplane numbers and of signs of rows at facet points.  At a ridge of the
canonical complex of a *supertransversal* parameter exactly two neurons v, w vanish, v in the earlier layer (or both
in one), and the visible rays are (normal form of the two pre-activations at the ridge)

* 2 opposite rays: one sheet;
* 4 rays, two opposite pairs: two sheets cross, nothing is said about the layers;
* 4 rays, one opposite pair {a, a'}: this is v, the others are w, one on each side, and w is in a later layer;
* 3 rays without an opposite pair, only one of which has the two others on different sides of its line: this is v, with
  one half invisible, the two others are w, in a later layer;
* 3 rays that positively span the plane: v is one of them, three readings (*ambiguous*).

Any other picture refutes every supertransversal parameter of every architecture.
Source: paper A; the list is the lemma on ridge pictures.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from exactrelu.complexes.function_complex import FunctionComplex
from exactrelu.errors import InvariantError

Array = np.ndarray


@dataclass(frozen=True, eq=False)
class RidgePictures:
    """The reading of all ridges.

    Attributes:
        rays, pairs: number of visible facets and of opposite pairs at each ridge, shape (R,).
        glued: pairs of facets that belong to one sheet, shape (n, 2).
        arcs: pairs (facet of the earlier sheet, facet of the sheet that bends along it), shape (n, 2).
        arc_ridges: the ridge of every arc.  glue_ridges: the ridge of every glued pair.
        ambiguous: numbers of the ridges with three readings; the three facets are the three possible earlier sheets.
        impossible: numbers of the ridges that no supertransversal parameter has.
    """

    function: FunctionComplex
    rays: Array
    pairs: Array
    glued: Array
    glue_ridges: Array
    arcs: Array
    arc_ridges: Array
    ambiguous: Array
    impossible: Array

    @cached_property
    def counts(self) -> tuple[tuple[int, int, int], ...]:
        """Sorted triples (rays, opposite pairs, number of ridges)."""
        found, number = np.unique(np.stack([self.rays, self.pairs], axis=1), axis=0, return_counts=True)
        return tuple((int(k), int(p), int(n)) for (k, p), n in zip(found, number))


def sides(function: FunctionComplex, line: Array, other: Array) -> Array:
    """Sign of the rows of some facets at points of other facets, shape (n,), exact."""
    values = (function.facet_rows[line] * function.facet_points[other]).sum(axis=1)
    return np.asarray((values > 0).astype(np.int8) - (values < 0).astype(np.int8))


def ridge_pictures(function: FunctionComplex) -> RidgePictures:
    """Return the pictures at all ridges of f.

    Cost: O(R d) integer products.

    >>> from exactrelu.complexes.canonical_complex import CanonicalComplex
    >>> from exactrelu.complexes.function_complex import function_complex
    >>> from exactrelu.network.network import Network
    >>> cross = Network([[[1, 0], [0, 1]], [[1, 1]]], [[0, 0], [0]])
    >>> ridge_pictures(function_complex(CanonicalComplex.build(cross))).counts
    ((4, 2, 1),)
    """
    rays = np.diff(function.ridges.starts)
    pairs = np.zeros(len(rays), np.int64)
    glue: list[tuple[Array, Array, Array]] = []
    arcs: list[tuple[Array, Array, Array]] = []
    ambiguous: list[Array] = []
    impossible: list[Array] = [np.flatnonzero(rays > 4)]
    for at in impossible[0].tolist():
        names = function.hyperplane[function.ridges[at]]
        pairs[at] = len(names) - len(np.unique(names))
    if (rays < 2).any():
        raise InvariantError("a single visible facet at a ridge: the function is not continuous there")
    for k in (2, 3, 4):
        at = np.flatnonzero(rays == k)
        if not len(at):
            continue
        facet = function.ridges.indices[function.ridges.starts[at][:, None] + np.arange(k)]
        facet = np.take_along_axis(facet, np.argsort(function.hyperplane[facet], axis=1, kind="stable"), axis=1)
        same = function.hyperplane[facet[:, 1:]] == function.hyperplane[facet[:, :-1]]
        pairs[at] = same.sum(axis=1)
        if k == 2:
            _two(at, facet, pairs, glue)
        elif k == 3:
            _three(function, at, facet, pairs, glue, arcs, ambiguous)
        else:
            _four(function, at, facet, same, glue, arcs, impossible)
    glued, glue_ridges = _joined(glue)
    arcs_, arc_ridges = _joined(arcs)
    three_readings = np.sort(np.concatenate([np.zeros(0, np.int64), *ambiguous]))
    refuted = np.sort(np.concatenate(impossible))
    return RidgePictures(function, rays, pairs, glued, glue_ridges, arcs_, arc_ridges, three_readings, refuted)


def _joined(found: list[tuple[Array, Array, Array]]) -> tuple[Array, Array]:
    if not found:
        return np.zeros((0, 2), np.int64), np.zeros(0, np.int64)
    return np.stack([np.concatenate([f[1] for f in found]), np.concatenate([f[2] for f in found])], axis=1), \
        np.concatenate([f[0] for f in found])


def _two(at: Array, facet: Array, pairs: Array, glue: list[tuple[Array, Array, Array]]) -> None:
    if (pairs[at] != 1).any():
        raise InvariantError("two visible facets at a ridge that are not opposite: the function is not continuous there")
    glue.append((at, facet[:, 0], facet[:, 1]))


def _three(function: FunctionComplex, at: Array, facet: Array, pairs: Array, glue: list[tuple[Array, Array, Array]],
           arcs: list[tuple[Array, Array, Array]], ambiguous: list[Array]) -> None:
    if pairs[at].any():
        raise InvariantError("three visible facets at a ridge, two of them opposite: the function is not continuous there")
    lines = [(facet[:, u], facet[:, (u + 1) % 3], facet[:, (u + 2) % 3]) for u in range(3)]
    separates = np.stack([sides(function, line, one) * sides(function, line, two) < 0 for line, one, two in lines], axis=1)
    number = separates.sum(axis=1)
    if not np.isin(number, (1, 3)).all():
        raise InvariantError("three rays of which two separate the others cannot exist")
    ambiguous.append(at[number == 3])
    one = np.flatnonzero(number == 1)
    lone = np.argmax(separates[one], axis=1)
    first, second = facet[one, (lone + 1) % 3], facet[one, (lone + 2) % 3]
    glue.append((at[one], first, second))
    arcs.append((at[one], facet[one, lone], first))


def _four(function: FunctionComplex, at: Array, facet: Array, same: Array, glue: list[tuple[Array, Array, Array]],
          arcs: list[tuple[Array, Array, Array]], impossible: list[Array]) -> None:
    two = np.flatnonzero(same[:, 0] & same[:, 2])
    glue += [(at[two], facet[two, 0], facet[two, 1]), (at[two], facet[two, 2], facet[two, 3])]
    impossible.append(at[~same.any(axis=1)])
    one = np.flatnonzero(same.sum(axis=1) == 1)
    start = np.argmax(same[one], axis=1)                     # the opposite pair stands at start, start + 1
    a, a2 = facet[one, start], facet[one, start + 1]
    rest = np.array([[2, 3], [0, 3], [0, 1]])[start]
    b, b2 = facet[one, rest[:, 0]], facet[one, rest[:, 1]]
    good = sides(function, a, b) * sides(function, a, b2) < 0
    impossible.append(at[one[~good]])
    glue += [(at[one[good]], a[good], a2[good]), (at[one[good]], b[good], b2[good])]
    arcs.append((at[one[good]], a[good], b[good]))
