"""Refutations: one genericity condition fails, at an exact witness.

Interior means that all inequalities of the domain are strict.  For an interior point x let J
be the set of neurons vanishing at x; the codimension of its cell is the rank of their
gradients.  Definitions of bending and activity: see `geometry`.

**Proposition (never too few).**  At every cell tau meeting int P at least codim(tau) neurons
bend.  So supertransversality ("exactly codim many") fails only by too many bending neurons.
*Proof.*  Near a point x of tau all preactivations of the vanishing neurons J are positively
homogeneous functions g_j(u) of the direction u = y - x, and the other neurons keep their
signs.  Let B be the set of neurons bending at tau, all in J.  Every other j in J has one
activity on all full cells around x, so g_j >= 0 everywhere (active) or g_j <= 0 everywhere.
Take one full cell around x.  With its activity every g_j becomes a linear form h_j, and on the
cone C = {sign_b h_b >= 0, b in B} this activity is right, so g_j = h_j there.  C contains the
subspace V = {h_b = 0, b in B}, of dimension at least d - |B|.  On V a form that is everywhere
of one sign is 0, so all g_j, j in J, are 0: V lies in the tangent space of tau, and
d - |B| <= dim tau.  QED
"""

from exactrelu.checker.claims.forward import path_weight, preactivations
from exactrelu.checker.claims.geometry import (
    check_bending,
    claimed_point,
    is_active,
    scene,
    two_sides,
)
from exactrelu.checker.document import (
    Json,
    Malformed,
    Rule,
    field,
    index,
    point,
    points,
    require,
    sequence,
)
from exactrelu.checker.linear import dot
from exactrelu.checker.network import inside


def zero_count_fails(claim: Json, evidence: Json) -> None:
    """Zero-count genericity fails: at this interior point the number of vanishing neurons is
    not the codimension of its cell."""
    network, walls = scene(claim)
    here = inside(network, walls, claimed_point(claim["point"], network))
    require(len(here.zeros) != here.codimension, "as many neurons vanish as the codimension")


def supertransversality_fails(claim: Json, evidence: Json) -> None:
    """Supertransversality fails: at the cell of this interior point all the neurons `bending`
    bend, and they are more than its codimension."""
    network, walls = scene(claim)
    here = inside(network, walls, claimed_point(claim["point"], network))
    bending = check_bending(network, walls, here, claim["bending"], evidence["bending"])
    require(len(bending) > here.codimension, "no more neurons bend than the codimension")


def transparency_fails(claim: Json, evidence: Json) -> None:
    """Transparency fails: at this point of the domain no neuron of this hidden layer is active."""
    network, walls = scene(claim)
    x = claimed_point(claim["point"], network)
    require(all(dot(wall, x) >= 0 for wall in walls), "the point lies outside the domain")
    layer = index(claim["layer"])
    require(1 <= layer <= network.depth, "there is no such hidden layer")
    z = preactivations(network, x)[layer - 1]
    require(max(z) <= 0, "a neuron of the layer is active at the point")


def hidden_facet(claim: Json, evidence: Json) -> None:
    """At this interior point exactly this neuron vanishes and bends, every later hidden layer is
    active, and yet f does not bend: no-cancellation fails, and an affine region has two cells."""
    network, walls = scene(claim)
    here = inside(network, walls, claimed_point(claim["point"], network))
    neuron = index(claim["neuron"], network.hidden)
    require(here.neurons == [neuron], "other neurons vanish at the point")
    require(here.codimension == 1, "the neuron is constant near the point")
    require(not any(path_weight(network, here.code, neuron)), "f bends at the facet")
    later = range(network.layer_of[neuron] + 1, network.depth)
    alive = all(network.active(here.code, k) for k in later)
    require(alive, "a later layer has no active neuron")


def no_cancellation_fails(claim: Json, evidence: Json) -> None:
    """No-cancellation fails: this interior point lies on a facet where a neuron bends and f does
    not, although every layer after the last one that bends is active on one of its two sides."""
    network, walls = scene(claim)
    x = claimed_point(claim["point"], network)
    sides = points(evidence["sides"], network.inputs, 2)
    _, one, two = two_sides(network, walls, [x, *sides])
    changed = [j for j in range(network.hidden) if is_active(one, j) != is_active(two, j)]
    require(changed, "no neuron bends at the facet")
    require(one.node.rows == two.node.rows, "f bends at the facet")
    last = network.layer_of[changed[-1]]
    for k in range(last + 1, network.depth):
        alive = network.active(one.code, k) or network.active(two.code, k)
        require(alive, f"hidden layer {k + 1} is inactive on both sides")


def linear_regions_assumption_fails(claim: Json, evidence: Json) -> None:
    """The linear regions assumption fails at this level: f has one affine map on the full cells
    of the two interior points, which are different (strong) and share a facet (adjacent)."""
    network, walls = scene(claim)
    p, q = sequence(claim["points"], lambda entry: claimed_point(entry, network), 2)
    level = field(claim, "level", str)
    if level == "adjacent":
        facet = point(evidence["facet"], network.inputs)
        _, one, two = two_sides(network, walls, [facet, p, q])
    elif level == "strong":
        one, two = inside(network, walls, p), inside(network, walls, q)
        require(evidence["facet"] is None, "the strong level needs no facet")
        full = one.codimension == 0 and two.codimension == 0
        require(full, "a point lies in no full cell")
    else:
        raise Malformed("the level is 'adjacent' or 'strong'")
    require(one.code != two.code, "the points lie in one cell")
    require(one.node.rows == two.node.rows, "two different affine maps")


KINDS = {
    "zero-count-fails": Rule(zero_count_fails, "network domain point", ""),
    "supertransversality-fails": Rule(
        supertransversality_fails,
        "network domain point bending",
        "bending",
        ("face order",),
    ),
    "transparency-fails": Rule(transparency_fails, "network domain point layer", ""),
    "hidden-facet": Rule(hidden_facet, "network domain point neuron", "", ("local normal form",)),
    "no-cancellation-fails": Rule(
        no_cancellation_fails, "network domain point", "sides", ("face order",)
    ),
    "linear-regions-assumption-fails": Rule(
        linear_regions_assumption_fails,
        "network domain points level",
        "facet",
        ("face order",),
    ),
}
