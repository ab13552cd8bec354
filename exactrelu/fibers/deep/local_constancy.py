"""Does the complex keep its cells when the parameter moves a little?

Homogenize: K = {(t, x): t >= 0, A x + b t >= 0}, neurons homogeneous too.  For a cone s of the fan on K let F be the smallest face of
K that contains it ({t = 0} cuts out faces as well) and J the neurons that vanish on s.

**Proposition.**  If |J| = dim F - dim s for every cone s, then all parameters near theta have the same cones, with the same signs.

*Proof.*  Near a point p of the open cone s let (u, v) be coordinates along F and across it, and z_J the vanishing neurons.  The
neurons that do not vanish keep their signs, so z_J is affine on each piece on which the signs of z_J are constant.  On F the star of s
is the full cube of signs {-, 0, +}^J: a cone above s with m signs that are not 0 has dimension m above s, is pointed modulo s, so it
has at least m facets above s, and at most m, as each has one zero more; hence each sign can be set to 0, and interior facets have two
sides, which differ in that sign.  So u -> z_J(u, 0), modulo s, is a piecewise linear homeomorphism whose pieces are oriented in the same
way.  The derivatives by u do not depend on v, so (u, v) -> (z_J, v) is one near p too.  After a small change of theta
the pieces are as oriented before and the degree is still 1, so it remains a homeomorphism: the cones near p are again the signs
{-, 0, +}^J times the faces of K above F.  Finitely many such neighborhoods cover the part of K on the unit sphere.  QED

*At infinity* more can vanish for good.  If s lies in {t = 0} and l is the first layer none of whose neurons is positive on s, then all
later layers vanish on s, whatever their parameters are.  There J is to be the vanishing neurons of layers up to l only.  With them
the first part of the proof gives coordinates (z_J, v) near p, for theta and for parameters near theta; the later layers are a
network on (t, z of the vanishing neurons of layer l), homogeneous of degree 1.  So in these coordinates the cones near p are those of a
fan with its apex at p, and it is enough that they persist away from p: at cones above s, by induction from the full cones downwards.

*Invisible directions.*  The fan lives modulo the directions N along which nothing changes.  If the domain is R^d and the first-layer
rows are independent, parameters near theta are those with the first layer of theta after a linear change of coordinates near the
identity, and the proposition applies modulo N.  Otherwise the condition is asked of the cone N itself, on which all neurons vanish.
"""

from __future__ import annotations

import numpy as np

from exactrelu.arithmetic.matrix import rank
from exactrelu.certificates.verdict import Holds, Undecided
from exactrelu.complexes.bent_hyperplane import BentHyperplanes
from exactrelu.complexes.canonical_complex import CanonicalComplex
from exactrelu.complexes.subdivision.sign_words import sign_matrix

Array = np.ndarray


def local_constancy(complex_: CanonicalComplex) -> Holds | Undecided:
    """Return whether the proposition applies; Undecided names the first cone where its condition fails.

    Exactness: integers.    Cost: O(incidences times walls).

    >>> from exactrelu.network.network import Network
    >>> near = lambda *rows: local_constancy(CanonicalComplex.build(Network([[[w] for w, _ in rows], [[1] * len(rows)]],
    ...                                                                     [[b for _, b in rows], [0]])))
    >>> near((1, 0), (1, 1)).word, near((1, 0), (-2, 0)).reason
    ('holds', '2 neurons vanish on a cone where 1 can stay zero together')
    """
    fan = complex_.fan
    size = fan.dimension
    bent = BentHyperplanes(complex_)
    walls = _walls(complex_)
    tight = _tight_on_rays(complex_, walls)
    for level in range(1, size + 1):
        if level > 1:
            starts, index = fan.facets(level)
            tight = np.logical_and.reduceat(tight[index], starts[:-1], axis=0)
        kinds, which = np.unique(tight, axis=0, return_inverse=True)
        dimension = np.array([size - rank([walls[j] for j in np.flatnonzero(kind)], size) for kind in kinds], dtype=np.int64)
        expected = dimension[which.reshape(-1)] - level
        counts = bent.zero_counts[level].copy()
        infinite = np.flatnonzero(tight[:, 0])
        counts[infinite] = _counts_at_infinity(complex_, level, infinite)
        bad = np.flatnonzero(counts != expected)
        if len(bad):
            first = int(bad[0])
            return Undecided(_reason(int(counts[first]), int(expected[first]), bool(tight[first, 0])))
    if complex_.lineality_dimension and not _free_of_invisible(complex_):
        expected_here = size - rank(walls, size)
        if fan.neurons != expected_here:
            return Undecided(f"nothing changes along some directions, where {_reason(fan.neurons, expected_here, True)}")
    return Holds()


def _reason(zero: int, expected: int, at_infinity: bool) -> str:
    place = "a cone at infinity" if at_infinity else "a cone"
    return f"{zero} neuron{'s vanish' if zero != 1 else ' vanishes'} on {place} where {expected} can stay zero together"


def _walls(complex_: CanonicalComplex) -> list[list[int]]:
    """Rows of t >= 0 and of the walls of the domain, in working coordinates."""
    size = complex_.fan.dimension
    return [[1, *[0] * (size - 1)], *(list(wall) for wall in complex_.fan.start.walls)]


def _tight_on_rays(complex_: CanonicalComplex, walls: list[list[int]]) -> Array:
    """Which walls vanish on which rays, boolean, shape (rays, walls)."""
    coordinates = complex_.fan.coordinates
    values = coordinates.dot(np.array(walls, dtype=object).T)
    zero: Array = values == 0
    return zero.astype(bool)


def _counts_at_infinity(complex_: CanonicalComplex, level: int, cones: Array) -> Array:
    """How many neurons vanish on each of these cones, up to the first layer without a positive neuron."""
    signs = sign_matrix(complex_.fan.words[level][cones], complex_.fan.neurons)
    offsets = complex_.network.architecture.offsets
    total = np.zeros(len(cones), np.int64)
    counted = np.ones(len(cones), bool)
    for start, stop in zip(offsets, offsets[1:]):
        layer = signs[:, start:stop]
        total += counted * (layer == 0).sum(axis=1)
        counted &= (layer > 0).any(axis=1)
    return total


def _free_of_invisible(complex_: CanonicalComplex) -> bool:
    """Whether the domain has no walls and the first-layer rows are independent."""
    rows = [row[1:] for row in complex_.first_rows]
    return not complex_.fan.start.walls and rank(rows, complex_.fan.dimension - 1) == len(rows)
