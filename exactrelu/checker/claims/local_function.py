"""The function itself, near one point, refutes whole classes of parameters.

Interior means that all inequalities of the domain are strict.  x is an interior point; near x let
f(x + v) = f(x) + phi(v), and phi'(u; n) the derivative of phi at u in direction n (see `germ`).

**Proposition (shallow).**  If a network with at most one hidden layer, of any width, has the
function f on the domain, then phi'(u; n) + phi'(u; -n) is the same for u and for -u.
*Proof.*  Near x a neuron whose row does not vanish at x is affine, and so is one with a zero row.
So phi(v) = A v + sum_i c_i |h_i v| with linear forms h_i != 0.  The derivatives of |h| at u in the
directions n and -n add up to 0 if h u != 0, and to 2 |h n| if h u = 0.  Hence the sum is
2 sum of c_i |h_i n| over the i with h_i u = 0, and this does not change with the sign of u.  QED

**Pictures.**  Let the cell of x have codimension 2.  Near x the rows found at all vanishing
neurons, for any activity, are combinations of the rows vanishing at x; so phi depends only on the
class of v in the *normal plane*, R^d modulo the directions of the cell, and is the same at all
points of the cell near x.  A sector is the cone of two rays (u, v) of the normal plane less than a
half turn apart.  With the activity of the germ (x; u + v), let every row vanishing at x have weakly
one sign at u and v.  Then f is one affine map on the sector near x: by induction on the layers, a
row r is right on the sector; r (a u + b v) has the weak sign of r (u + v), and is 0 on the sector
if that is 0.  *Visible* rays are those with different maps on both sides.

**Theorem (pictures of supertransversal parameters).**  Let eta be a parameter, of any architecture,
with the function f on the domain, such that at every cell of eta meeting the interior exactly as
many neurons bend as its codimension (or: exactly so many vanish, which is stronger).  Then the
visible rays are 0; or 2; or 3; or 4 of which two are opposite and lie between the other two.
*Proof.*  The cell F of x is relatively open of dimension d - 2; finitely many cells of eta meet it,
so one of them, C, contains a relatively open part of F; take y there.  The visible rays at y are
those at x.  C has codimension at most 2.
Codimension 0: no neuron bends, f is affine near y: 0 rays.
A neuron vanishing at y without bending has one activity on all full cells around y, so its
ReLU is near y identically 0 or the identity, and it is left out or passed through.  Codimension 1: one neuron v bends; z_v = alpha_v is
affine near y, and f = affine + c ReLU(alpha_v): 0 or 2 rays.
Codimension 2: C and F have the same directions.  Two neurons bend, v and w, w not in an earlier
layer than v.  Near y, z_v = alpha_v and z_w = alpha_w + beta ReLU(alpha_v), and
f = affine + c ReLU(z_v) + c' ReLU(z_w).  The linear parts of alpha_v and alpha_w are independent:
by the proposition in `genericity` the tangent space of C contains the common kernel of the forms of
the bending neurons, taken in one full cell.  So the rays are the two halves of the line of v, and
one ray of w strictly on each side of this line; the rays of w are opposite if and only if beta = 0.
If c' = 0, f bends at v alone: 0 or 2 rays.  If c' != 0 both rays of w are visible, f jumping by c'
across them; the jumps across the halves of v differ by beta c'.  So if beta != 0 at least one half
of v is visible, and there are 3 or 4 rays; if beta = 0 both are or none: 4 or 2 rays.  In the case
of 4 rays those of v are opposite and separate those of w.  QED
As f is continuous, 1 visible ray never occurs, 2 are opposite, and 3 have no opposite pair; so 5 or
more rays, and 4 without two opposite ones that separate the others, are all that can refute.
"""

from functools import partial

from exactrelu.checker.claims.geometry import claimed_point, scene
from exactrelu.checker.claims.germ import bend, direction, germ, negative, normal_plane
from exactrelu.checker.document import Json, Point, Row, Rule, require, sequence, spend
from exactrelu.checker.linear import dot
from exactrelu.checker.network import Network, inside

Planar = tuple[int, int]


def is_not_shallow(network: Network, x: Point, u: Point, n: Point) -> bool:
    """f bends differently across u and across -u: no function of one hidden layer does so."""
    return bend(network, x, u, n) != bend(network, x, negative(u), n)


def not_shallow(claim: Json, evidence: Json) -> None:
    """No network with at most one hidden layer, whatever its width, has the function of this one on
    the domain: near this interior point the function is not that of a hyperplane arrangement."""
    network, walls = scene(claim)
    x = claimed_point(claim["point"], network)
    inside(network, walls, x)
    read = partial(direction, dimension=network.inputs)
    u, n = sequence(evidence["directions"], read, 2)
    require(is_not_shallow(network, x, u, n), "the function bends alike across both directions")


def cross(a: Planar, b: Planar) -> int:
    """Positive if b is less than a half turn to the left of a."""
    return a[0] * b[1] - a[1] * b[0]


def sector(network: Network, x: Point, u: Point, v: Point) -> list[Row]:
    """The affine map of f between two rays at x; all signs are constant there."""
    output, vanishing = germ(network, x, tuple(a + b for a, b in zip(u, v, strict=True)))
    spend(2 * len(vanishing) * len(u), network.bits)
    one_sign = all(dot(row[1:], u) * dot(row[1:], v) >= 0 for row in vanishing)
    require(one_sign, "a neuron changes its sign inside a sector")
    return output


def occurs(rays: list[Planar]) -> bool:
    """Visible rays, in order once around, as a supertransversal parameter can show them."""
    k = len(rays)  # of four different rays in order, the first and third are opposite if parallel
    return k < 4 or (k == 4 and any(cross(rays[i], rays[i + 2]) == 0 for i in (0, 1)))


def not_supertransversal_function(claim: Json, evidence: Json) -> None:
    """No supertransversal parameter, of any architecture, has the function of this network on the
    domain: near this interior point, whose cell has codimension 2, the function breaks along rays
    as it never does where two neurons in general position meet."""
    network, walls = scene(claim)
    x = claimed_point(claim["point"], network)
    here = inside(network, walls, x)
    require(here.codimension == 2, "the cell of the point does not have codimension 2")
    rays = sequence(evidence["rays"], partial(direction, dimension=network.inputs))
    first, second = normal_plane(here)
    spend(2 * len(rays) * len(first), network.bits)
    plane = [(dot(first[1:], u), dot(second[1:], u)) for u in rays]
    if len(plane) > 1 and cross(plane[0], plane[1]) < 0:
        plane = [(b, a) for a, b in plane]  # the other sense of rotation
    sides = list(zip(plane, plane[1:] + plane[:1], strict=True))
    turn = all(cross(a, b) > 0 for a, b in sides)
    require(turn, "the rays do not turn in one sense, by less than a half turn each")
    turns = sum(cross(a, plane[0]) >= 0 and cross(plane[0], b) > 0 for a, b in sides)
    require(turns == 1, "the rays do not go around once")
    maps = [sector(network, x, u, v) for u, v in zip(rays, rays[1:] + rays[:1], strict=True)]
    before = [maps[-1], *maps]
    visible = [c for c, one, two in zip(plane, before, maps, strict=False) if one != two]
    require(not occurs(visible), f"{len(visible)} visible rays that can occur")


KINDS = {
    "not-shallow": Rule(not_shallow, "network domain point", "directions", ("shallow functions",)),
    "not-supertransversal-function": Rule(
        not_supertransversal_function,
        "network domain point",
        "rays",
        ("pictures of supertransversal parameters",),
    ),
}
