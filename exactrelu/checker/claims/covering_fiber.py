"""Complete fibers by covering: two hidden layers, or one wide layer before layers of two neurons.

Interior means that all inequalities of the domain are strict.  Let eta be any parameter of the
architecture with the function f on the domain; its first-layer hyperplanes are those of the rows
whose linear part is not 0.  For an interior point x, phi is as in `germ`, and f is *not shallow* at x
if phi'(u; n) + phi'(u; -n) differs for u and -u, for some u and n (see `local_function`).

**Two layers, (d; n_1, n_2; m).**
*Flats.*  Let the cell of x have codimension 2 and f be not shallow at x.  Then a first-layer
hyperplane of eta contains the affine hull of the cell.  *Proof.*  If none contains x, the first layer
is affine near x, and f near x a network with one hidden layer: f is shallow at x.  At all points of
the cell near x the same holds, phi being the same; so one of the finitely many hyperplanes contains a
relatively open part of the cell.  QED
*Cap n_2.*  In a part of the interior (open, connected) that no first-layer hyperplane meets, the
first layer is affine, and f bends along the zero sets of at most n_2 affine forms.  A sample there
bends along a relatively open part of its hyperplane, which therefore is one of these.

**Wide front, (2; n_1, 2, .., 2, n_L; m) with L >= 3.**  A point y is *rich* if it is a facet point where
f is not affine and the gradients have rank 2.
*Flats.*  Let f be not shallow at x, and let the germs (x; u_i), i.e. the points x + e u_i for all small
e > 0, consist of rich points, the u_i lying in no closed half plane.  Then a first-layer hyperplane
of eta contains x.  *Proof.*  Otherwise a ball U_1 around x meets none; there a^(1) and z^(2) are
affine.  Let the layers 2, .., l be positive at x for an l <= L-2, and so near x.  Rich points near x
have z^(l+1)_i >= 0 for both i, and where one of them is 0 the linear parts of both are independent
(`ownership`, in the proof of (b)).  So z^(l+1)_i(x) >= 0 by limits.  If z^(l+1)_i(x) = 0, its linear
part h is not 0 (else the rich points would need h independent of the other, hence not 0); the rich
points x + e u_j give h u_j >= 0: the u_j lie in a closed half plane.  So layer l+1 is positive at x.
In the end layer L-1 is positive near x, and f is shallow at x.  QED
*Cap n_2 + .. + n_L.*  A region that no first-layer hyperplane meets is a region of layer 2 in the sense
of `ownership`, and by its lemma (b) rich samples there lie on so many lines at most.

The first layer then is found by `covering` (whose gradient test holds for all depths), the others
by `ownership`, and the output layer is the one with the right values at the points of the evidence,
which must determine it: this is one linear system for each candidate.
"""

from functools import partial

from exactrelu.checker.claims.covering import Covering, Flat
from exactrelu.checker.claims.fiber import STEP, Fiber
from exactrelu.checker.claims.germ import Facet, direction, germ, negative, normal_plane
from exactrelu.checker.claims.kernels import kernel
from exactrelu.checker.claims.local_function import is_not_shallow
from exactrelu.checker.claims.ownership import Ownership
from exactrelu.checker.document import Json, Malformed, Point, Rule, point, require, sequence, spend
from exactrelu.checker.linear import dot, rank
from exactrelu.checker.network import Network, inside


def search(fiber: Fiber, flats: list[Flat], rich: list[Facet]) -> None:
    """Every parameter with the function of the network is equivalent to a member.

    The rich facets are the samples for the first layer and the layers of two neurons.
    """
    network = fiber.network
    hidden = network.widths[1:-1]
    covering = Covering(network.inputs, flats, rich, hidden[0], sum(hidden[1:]))
    points = {facet.x for facet in rich}
    owners = Ownership(hidden, fiber.facets, [facet.x in points for facet in fiber.facets])
    for family, orientations in covering.families():
        for orientation in orientations:
            first = [[s * c for c in h] for s, h in zip(orientation, family, strict=True)]
            for layers in owners.hidden(first):
                spend(STEP)
                candidate = fiber.fit(layers)
                if candidate is not None:
                    fiber.settle(candidate)


def parts(entry: Json, dimension: int) -> tuple[Point, list[Point]]:
    """A flat of evidence: a point and directions."""
    texts = sequence(entry, lambda text: text)
    if not texts:
        raise Malformed("a flat is a point followed by directions")
    return point(texts[0], dimension), [direction(text, dimension) for text in texts[1:]]


def ridge(entry: Json, fiber: Fiber) -> Flat:
    """The flat of a point whose cell has codimension 2, where f is not shallow."""
    network = fiber.network
    x, directions = parts(entry, network.inputs)
    here = inside(network, fiber.walls, x)
    require(here.codimension == 2, "the point of a flat is not of codimension 2")
    if len(directions) != 2:
        raise Malformed("a flat has two directions")
    require(is_not_shallow(network, x, *directions), "f is shallow in the directions of a flat")
    return normal_plane(here)


def two_layer_fiber(claim: Json, evidence: Json) -> None:
    """The parameters of this architecture with two hidden layers, all of them, that have the
    function of the network on the domain are exactly those equivalent (permutation and positive
    scaling of hidden neurons) to a member; the members are pairwise inequivalent."""
    fiber = Fiber(claim, evidence)
    require(fiber.network.depth == 2, "the network does not have two hidden layers")
    flats = sequence(evidence["flats"], partial(ridge, fiber=fiber))
    search(fiber, flats, fiber.facets)


def is_rich(network: Network, x: Point, u: Point) -> bool:
    """The points x + e u for small e > 0 are facet points where f breaks, with gradients of rank 2.

    The rows that vanish at x + e u are those that vanish along the germ; the sides of the facet are
    the germs (x; u, n) and (x; u, -n) for n off the facet, as the signs there are those of the germs
    (x + e u; n) and (x + e u; -n).
    """
    rows = [row[1:] for row in germ(network, x, u).vanishing if not dot(row[1:], u)]
    if rank(rows) != 1:
        return False
    n = tuple(next(row for row in rows if any(row)))
    below, above = (germ(network, x, u, v).output for v in (negative(n), n))
    return below != above and rank([row[1:] for row in (*below, *above)]) == 2


def crossing(entry: Json, fiber: Fiber) -> Flat:
    """The flat (d = 2) of a point with rich germs around it, where f is not shallow."""
    network = fiber.network
    x, rays = parts(entry, 2)
    inside(network, fiber.walls, x)
    require(all(is_rich(network, x, u) for u in rays), "a germ of a flat is not rich")
    spend(8 * len(rays) ** 2)
    normals = [n for a, b in rays for n in ((-b, a), (b, -a))]
    around = normals and all(any(dot(n, u) < 0 for u in rays) for n in normals)
    require(around, "the germs of a flat lie in a closed half plane")
    bends = any(is_not_shallow(network, x, u, (-u[1], u[0])) for u in rays)
    require(bends, "f is shallow across the germs of a flat")
    one, two = kernel([list(x)], 3)
    return one, two


def wide_front_fiber(claim: Json, evidence: Json) -> None:
    """The parameters of this architecture (2; n_1, 2, .., 2, n_L; m), L >= 3, all of them, that have
    the function of the network on the domain are exactly those equivalent (permutation and positive
    scaling of hidden neurons) to a member; the members are pairwise inequivalent."""
    fiber = Fiber(claim, evidence)
    network = fiber.network
    middle = network.widths[2:-2]
    shape = network.inputs == 2 and middle and set(middle) == {2}
    require(shape, "not two inputs and one wide layer before layers of two neurons")
    flats = sequence(evidence["flats"], partial(crossing, fiber=fiber))
    rich = [facet for facet in fiber.facets if rank(facet.gradients) == 2]
    search(fiber, flats, rich)


EVIDENCE = "points flats trees"
TRUSTED = ("covering", "owners", "cover", "color refinement")
KINDS = {
    "two-layer-fiber": Rule(two_layer_fiber, "network domain members", EVIDENCE, TRUSTED),
    "wide-front-fiber": Rule(wide_front_fiber, "network domain members", EVIDENCE, TRUSTED),
}
