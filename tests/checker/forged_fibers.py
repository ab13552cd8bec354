"""Forgeries about the function near a point and about complete fibers."""

from collections.abc import Iterator

from tests.checker import corpus_fibers as C
from tests.checker import producers as P
from tests.checker import producers_fibers as Q
from tests.checker.forgery import BASE, Forgery, fresh, malformed, rejected


def local_forgeries() -> Iterator[Forgery]:
    base, directions = "not_shallow_bend", ("evidence", "directions")
    text = "a direction is one string of integers"
    yield malformed("shallow_direction_list", text, base, {(*directions, 0): [-1, 0]})
    alike = "the function bends alike across both directions"
    yield rejected("shallow_smooth", alike, base, {(*directions, 0): "1 -3"})
    yield rejected("shallow_no_direction", alike, base, {(*directions, 1): "0 0"})
    yield rejected("shallow_elsewhere", alike, base, {("claim", "point"): ["-1", "0"]})
    lines = {("claim", "network"): C.CONCURRENT}
    yield rejected("shallow_lines", alike, base, lines)
    wall = {("claim", "domain"): P.half([0, 1, 0])}
    yield rejected("shallow_on_wall", "a point is not in the interior", base, wall)
    base, rays = "not_supertransversal_lines", ("evidence", "rays")
    facet = {("claim", "point"): ["1", "0"]}
    codimension = "the cell of the point does not have codimension 2"
    yield rejected("picture_facet", codimension, base, facet)
    unit = [[int(i == j) for i in range(3)] for j in range(3)]
    space = P.network((unit, [0] * 3), ([[1] * 3], [0]))
    lifted = [f"{a} {b} {-a - b}" for a, b in C.AROUND]  # six rays of a plane through the vertex
    corner = {("claim", "network"): space, ("claim", "point"): ["0"] * 3, rays: lifted}
    yield rejected("picture_vertex", codimension, base, corner)
    known = BASE[base]["evidence"]["rays"]
    turn = "the rays do not turn in one sense, by less than a half turn each"
    forth = [known[k] for k in (0, 2, 1, 3, 4, 5)]
    yield rejected("picture_back_and_forth", turn, base, {rays: forth})
    yield rejected("picture_half_turn", turn, base, {rays: [known[0], known[3]]})
    yield rejected("picture_zero_ray", turn, base, {(*rays, 2): "0 0"})
    once = "the rays do not go around once"
    yield rejected("picture_no_rays", once, base, {rays: []})
    yield rejected("picture_twice", once, base, {rays: [*known, *known]})
    pentagram = {rays: ["1 0", "-2 1", "1 -2", "0 1", "-1 -1"]}
    yield rejected("picture_pentagram", once, base, pentagram)
    sector = "a neuron changes its sign inside a sector"
    yield rejected("picture_ray_missing", sector, base, {rays: [*known[:2], *known[3:]]})
    cross = {("claim", "network"): P.network(([[1, 0], [0, 1]], [0, 0]), ([[1, 2]], [0]))}
    yield rejected("picture_crossing", "4 visible rays that can occur", base, cross)
    bent = {("claim", "network"): C.BENT}
    yield rejected("picture_bend", "3 visible rays that can occur", base, bent)


def tight_forgeries() -> Iterator[Forgery]:
    base = "tight_fiber_exchange"
    trees, members, points = ("evidence", "trees"), ("claim", "members"), ("evidence", "points")
    shape = "members have the architecture of the network, trees are strings"
    yield malformed("fiber_tree_null", shape, base, {(*trees, 0): None})
    other = P.network(([[1, 0], [0, 1]], [0, 0]), ([[1, 2]], [0]))
    yield malformed("fiber_member_shape", shape, base, {(*members, 1): other})
    dead = P.changed(P.changed(C.EXCHANGE[0], 0, 0, 0, 0), 0, 0, 1, 0)
    zero = {(*members, 1): P.changed(dead, 0, 0, None, 0)}
    yield rejected("fiber_zero_row", "a member has a zero row", base, zero)
    no_tree = {trees: ["", ""]}
    own = "a member without tree is not the network"
    yield rejected("fiber_no_tree", own, base, no_tree)
    listed, proofs = BASE[base]["claim"]["members"], BASE[base]["evidence"]["trees"]
    at = next(k for k, tree in enumerate(proofs) if tree)              # the member that needs a proof of equality
    moved = P.changed(listed[at], 2, 0, None, 8)
    maps = {members: [*listed, moved], trees: [*proofs, proofs[at]]}
    yield rejected("fiber_other_function", "two different affine maps on a part", base, maps)
    twice = {members: [*listed, listed[at]], trees: [*proofs, proofs[at]]}
    yield rejected("fiber_member_twice", "the parameters are equivalent", base, twice)
    missing = "a candidate is neither refuted by a point nor a member"
    for k, name in enumerate(("network", "other")):
        kept = {members: [C.EXCHANGE[1 - k]], trees: [BASE[base]["evidence"]["trees"][1 - k]]}
        yield rejected(f"fiber_without_{name}", missing, base, kept)
    yield rejected("fiber_no_member", missing, base, {members: [], trees: []})
    clip = {members: [C.CLIP[0]], trees: [""]}
    yield rejected("fiber_clip_alone", missing, "tight_fiber_clip", clip)
    few = {points: BASE[base]["evidence"]["points"][:12]}
    yield rejected("fiber_few_points", "rich hyperplanes, needed 4", base, few)
    yield rejected("fiber_no_points", "the points show 0 rich hyperplanes", base, {points: []})
    outside = {("claim", "domain"): P.box((-1, 1), (-1, 1))}
    interior = "a point is not in the interior"
    yield rejected("fiber_point_outside", interior, "tight_fiber_vanishing", outside)
    wide = "not a tight architecture"
    claim = {"network": C.FRONT, "domain": C.LARGE, "members": [C.FRONT]}
    yield fresh("fiber_wide", wide, "tight-fiber", claim, {"points": [], "trees": [""]})
    claim = {"network": P.network(([[1]], [0])), "domain": None, "members": []}
    yield fresh("fiber_no_layer", wide, "tight-fiber", claim, {"points": [], "trees": []})
    claim = {"network": C.CONCURRENT, "domain": None, "members": []}
    yield fresh("fiber_one_layer", wide, "tight-fiber", claim, {"points": [], "trees": []})


def covering_forgeries() -> Iterator[Forgery]:
    base = "two_layer_fiber_poor"
    flats, points = ("evidence", "flats"), ("evidence", "points")
    yield malformed("flat_empty", "a flat is a point followed by directions", base, {(*flats, 0): []})
    first = BASE[base]["evidence"]["flats"][0]
    three = {(*flats, 0): [*first, "1 0"]}
    yield malformed("flat_three_directions", "a flat has two directions", base, three)
    generic = {(*flats, 0): ["1 40 50", *first[1:]]}
    yield rejected("flat_generic", "the point of a flat is not of codimension 2", base, generic)
    smooth = {(*flats, 0): [first[0], "17 -5", first[2]]}
    yield rejected("flat_smooth", "f is shallow in the directions of a flat", base, smooth)
    crossing = {(*flats, 0): ["1 -1 -2", "1 0", "0 1"]}
    yield rejected("flat_crossing", "f is shallow in the directions of a flat", base, crossing)
    wall = {("claim", "domain"): P.half([1, 0, 0], [0, 0, 0])}
    yield rejected("flat_no_interior", "a point is not in the interior", base, wall)
    survives = "a family with a wild or free hyperplane survives"
    yield rejected("covering_one_flat", survives, base, {flats: [first]})
    yield rejected("covering_no_flat", survives, base, {flats: []})
    yield rejected("covering_no_points", survives, base, {points: []})
    one = {points: BASE[base]["evidence"]["points"][:1]}
    yield rejected("covering_one_point", survives, base, one)
    free = "a free hyperplane is possible, not in the plane"
    yield rejected("covering_free", free, "two_layer_fiber_space", {flats: []})
    missing = "a candidate is neither refuted by a point nor a member"
    alone = {("claim", "members"): [C.PARALLEL[0]], ("evidence", "trees"): [""]}
    yield rejected("covering_member_missing", missing, "two_layer_fiber_parallel", alone)
    thin = {points: BASE["two_layer_fiber_space"]["evidence"]["points"][::2]}
    layer = "layer 2 is not determined in a branch"
    yield rejected("covering_thin", layer, "two_layer_fiber_space", thin)
    wedge = P.network(([[-1, 0], [0, -1]], [1, 0]), ([[1, 1], [1, -1]], [0, 0]), ([[0, 1]], [-1]))
    claim = {"network": wedge, "domain": None, "members": [wedge]}
    corner = {"points": [], "flats": [["1 1 0", "0 1", "-1 0"]], "trees": [""]}
    yield fresh("covering_wedge", survives, "two-layer-fiber", claim, corner)
    dark = P.network(([[-1, 1], [-2, 1]], [-2, 2]), ([[-1, 2], [-2, 1]], [1, -1]), ([[2, -2]], [0]))
    document = Q.two_layer_fiber(dark, None)
    evidence = document["evidence"]
    kept = [p for p in evidence["points"] if 5 * int(p.split()[0]) <= int(p.split()[2])]
    claim = {k: document["claim"][k] for k in ("network", "domain", "members")}
    output = "the points do not determine an output layer"
    yield fresh("covering_output", output, "two-layer-fiber", claim, {**evidence, "points": kept})
    claim = {"network": C.LEVELS, "domain": None, "members": [C.LEVELS]}
    tight = {"points": [], "flats": [], "trees": [""]}
    yield fresh("covering_line", free, "two-layer-fiber", claim, tight)
    claim = {"network": C.FRONT, "domain": None, "members": [C.FRONT]}
    depth = "the network does not have two hidden layers"
    yield fresh("covering_three_layers", depth, "two-layer-fiber", claim, tight)


def front_forgeries() -> Iterator[Forgery]:
    base, flats = "wide_front_fiber", ("evidence", "flats")
    shape = "not two inputs and one wide layer before layers of two neurons"
    for name, net in (("shallow", C.POOR), ("space", C.SPACE), ("wide", three_wide())):
        claim = {"network": net, "domain": None, "members": [net]}
        empty = {"points": [], "flats": [], "trees": [""]}
        yield fresh(f"front_{name}", shape, "wide-front-fiber", claim, empty)
    first = BASE[base]["evidence"]["flats"][0]
    rich = "a germ of a flat is not rich"
    yield rejected("front_smooth_germ", rich, base, {(*flats, 0): [*first, "1 1"]})
    yield rejected("front_zero_germ", rich, base, {(*flats, 0): [*first, "0 0"]})
    plane = "the germs of a flat lie in a closed half plane"
    yield rejected("front_half_plane", plane, base, {(*flats, 0): first[:3]})
    yield rejected("front_no_germ", plane, base, {(*flats, 0): first[:1]})
    crossing = {(*flats, 0): ["22 47 73", "2 1", "3 7", "-3 -7", "-2 -1"]}
    yield rejected("front_crossing", "f is shallow across the germs of a flat", base, crossing)
    full = C.wide_front_fiber(C.FRONT, C.LARGE)["evidence"]["points"]
    few = (6, 9, 20, 27, 30, 41, 49, 51, 56, 60, 64, 67, 87, 88, 94, 97, 99, 100, 105, 106, 111)
    few = (*few, 122, 132, 139, 156, 162, 168, 173, 177, 181, 184)
    known = {("evidence", "points"): [full[k] for k in few]}
    yield rejected("front_few_points", "layer 2 is not determined in a branch", base, known)


def three_wide() -> P.Net:
    layers = ([[1, 0], [0, 1]], [0, 0]), ([[1, 2], [3, 4], [5, 6]], [1, 2, 3])
    return P.network(*layers, ([[1, 2, 3]], [1]), ([[1]], [0]))
