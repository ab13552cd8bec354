"""Forgeries about what f shows of its parameter."""

from collections.abc import Iterator
from fractions import Fraction as F

from tests.checker import corpus_identifiability as C
from tests.checker import producers as P
from tests.checker import producers_identifiability as Q
from tests.checker.forgery import BASE, Forgery, fresh, malformed, rejected

POINTS = ("evidence", "points")


def geometry_of_f_forgeries() -> Iterator[Forgery]:
    base = "geometry_ray"
    for name, value in {
        "classes": 2,
        "arcs": 1,
        "ambiguous_ridges": False,
        "bounds": [[1, 1], [1, 1], [2, 1]],
    }.items():
        change = {("claim", name): value}
        yield rejected(f"function_geometry_{name}", f"{name} is ", base, change)
    order = {("claim", "bounds"): [[2, 1], [2, 1], [1, 2], [1, 2]]}
    yield rejected("function_geometry_order", "bounds is ", "geometry_slab", order)
    longest = "the longest path of arcs has "
    yield rejected("depth_more", longest + "3", "depth_deep", {("claim", "depth"): 4})
    yield rejected("depth_empty_evidence", longest + "0", "depth_deep", {POINTS: []})
    on_wall = {("claim", "domain"): P.box((0, 1)), POINTS: ["1 0"]}
    yield rejected("depth_on_wall", longest + "0", "depth_line", on_wall)
    # at the origin three neurons vanish; on the half-line x = 0 two, with dependent rows
    concurrent = {("claim", "depth"): 2, POINTS: ["1 0 0"]}
    yield rejected("depth_three_neurons", longest + "0", "depth_concurrent", concurrent)
    twins = P.network(([[1, 0], [2, 0]], [0, 0]), ([[1, 1]], [0]))
    claim = {"network": twins, "domain": None, "depth": 1}
    yield fresh("depth_twins", longest + "0", "depth", claim, {"points": ["1 0 0", "1 0 1"]})
    touch = P.network(([[1], [-1]], [0, 1]), ([[2, 1]], [-1]), ([[1]], [0]))
    claim = {"network": touch, "domain": None, "depth": 1}
    yield fresh("depth_touch", longest + "0", "depth", claim, {"points": ["1 0"]})
    hidden = P.network(([[1, 0], [0, 1]], [0, 4]), ([[0, 1]], [1]), ([[1]], [1]))
    claim = {"network": hidden, "domain": None, "depth": 1}
    yield fresh("depth_invisible", longest + "0", "depth", claim, {"points": ["1 0 1", "1 0 -5"]})
    ridges = Q.depth(C.RAY, C.RAY_BOX, 2)
    claim = {k: v for k, v in ridges["claim"].items() if k != "kind"}
    yield fresh("depth_ambiguous", longest + "1", "depth", claim, ridges["evidence"])
    shallow = Q.depth(C.LINES, None, 2)
    claim = {k: v for k, v in shallow["claim"].items() if k != "kind"}
    yield fresh("depth_crossing", longest + "1", "depth", claim, shallow["evidence"])


def supertransversal_forgeries() -> Iterator[Forgery]:
    kind = "identifiable-among-supertransversal"
    outside = {
        ("claim", "domain"): C.WALL,
        POINTS: [*BASE["supertransversal_lines"]["evidence"]["points"], "1 99 0"],
    }
    message = "a point lies outside the domain"
    yield rejected("search_outside", message, "supertransversal_lines", outside)
    few = "1 of 2 rows of hidden layer 1 are determined"
    y_axis = {POINTS: ["1 0 1", "1 0 2", "1 1 1", "1 2 5", "1 5 3"]}
    yield rejected("search_one_line", few, "supertransversal_lines", y_axis)
    empty = "0 of 2 rows of hidden layer 1 are determined"
    yield rejected("search_no_points", empty, "supertransversal_lines", {POINTS: []})
    loose = "0 of 2 rows of hidden layer 1 are determined"
    one_each = {POINTS: ["1 0 1", "1 1 0", "1 1 1"]}
    yield rejected("search_one_point_a_line", loose, "supertransversal_lines", one_each)
    output = "the output layer is not determined"
    yield rejected("search_output", output, "supertransversal_one", {POINTS: ["1 0"]})
    affine = {POINTS: ["1 0 0", "1 1 0"]}
    yield rejected("search_affine", output, "supertransversal_no_layer", affine)
    second = "a second candidate survives"
    flip = P.network(([[-1], [1]], [0, 1]), ([[2, 2]], [0]))
    points = {"points": Q.germ_points(flip, None)}
    yield fresh("search_flip", second, kind, {"network": flip, "domain": None}, points)
    three = P.network(([[1, -1], [-1, 0], [1, 0]], [0, -1, 2]), ([[-1, -2, -2]], [2]))
    points = {"points": Q.germ_points(three, None)}
    yield fresh("search_flip_plane", second, kind, {"network": three, "domain": None}, points)
    # the neurons after a layer of one neuron belong to no certain layer
    narrow = {"network": C.NARROW, "domain": C.NARROW_BOX}
    points = {"points": Q.germ_points(C.NARROW, C.NARROW_BOX)}
    few = "0 of 1 rows of hidden layer 1 are determined"
    yield fresh("search_narrow", few, kind, narrow, points)
    ray = {"network": C.RAY, "domain": C.RAY_BOX}
    points = {"points": Q.germ_points(C.RAY, C.RAY_BOX)}
    few = "0 of 3 rows of hidden layer 1 are determined"
    yield fresh("search_ray", few, kind, ray, points)
    zero_row = P.network(([[1], [0]], [0, 0]), ([[1, 1]], [0]))
    points = {"points": ["1 0", "1 1", "1 -1", "1 2"]}
    few = "0 of 2 rows of hidden layer 1 are determined"
    yield fresh("search_zero_row", few, kind, {"network": zero_row, "domain": None}, points)


def shallow_forgeries() -> Iterator[Forgery]:
    kind, base = "shallow-fiber", "shallow_lines"
    yield rejected(
        "shallow_classes", "there are 4 classes", "shallow_flips", {("claim", "classes"): 3}
    )
    claim = {**_scene("two_layers_plane"), "classes": 1}
    message = "the network has not exactly one hidden layer"
    yield fresh("shallow_two_layers", message, kind, claim, {"points": ["1 0 0", "1 0 0"]})
    message = "the point is on no hyperplane of neuron 1"
    yield rejected("shallow_other_point", message, base, {(*POINTS, 1): "1 0 1"})
    zero = P.network(([[1, 0], [0, 0]], [0, 0]), ([[1, 1]], [0]))
    claim = {"network": zero, "domain": None, "classes": 2}
    yield fresh("shallow_zero_row", message, kind, claim, {"points": ["1 0 0", "1 0 0"]})
    outside = {("claim", "domain"): P.half([-1, 1, 0])}
    yield rejected("shallow_outside", "a point is not in the interior", base, outside)
    wall = {("claim", "domain"): P.half([0, 1, 0])}
    yield rejected("shallow_on_wall", "a point is not in the interior", base, wall)
    silent = {("claim", "network"): P.network(([[1, 0], [0, 1]], [0, 0]), ([[2, 0]], [1]))}
    message = "a neuron has no outgoing weight"
    yield rejected("shallow_silent", message, base, {**silent, ("claim", "classes"): 2})
    opposite = P.network(([[1], [-2]], [0, 0]), ([[1, 1]], [0]))
    claim = {"network": opposite, "domain": None, "classes": 1}
    message = "two neurons have one hyperplane"
    yield fresh("shallow_opposite", message, kind, claim, {"points": ["1 0", "1 0"]})
    n = 22
    many = P.network(([[1]] * n, [-k for k in range(n)]), ([[1] * n], [0]))
    claim = {"network": many, "domain": None, "classes": 1}
    points = {"points": [f"1 {k}" for k in range(n)]}
    message = "too many free coordinates in a kernel of flips"
    yield fresh("shallow_many_free", message, kind, claim, points)


def width_one_forgeries() -> Iterator[Forgery]:
    base, net = "width_one_narrow", ("claim", "network")
    message = "the hidden layers have not widths 1 and 2"
    yield fresh(
        "width_one_shape",
        message,
        "identifiable-width-one",
        _scene("two_layers_plane"),
        {"points": []},
    )
    message = "the second layer has not one neuron of each orientation with a positive level"
    for name, layer, listed in (
        ("both_positive", ([[1], [1]], [-1, -2]), ["1 1 0", "1 2 0", "1 3 0"]),
        ("both_negative", ([[-1], [-1]], [1, 2]), ["1 1 0", "1 2 0", "1 3 0"]),
        ("level_0", ([[1], [-1]], [0, 2]), ["1 1 0", "1 1 0", "1 3 0"]),
        ("level_below", ([[1], [-1]], [1, 2]), ["1 1 0", "1 0 0", "1 3 0"]),
        ("other_level_below", ([[1], [-1]], [-1, -2]), ["1 1 0", "1 2 0", "1 -1 0"]),
    ):
        change = {net: P.network(([[1, 2]], [-1]), layer, ([[3, 5]], [1])), POINTS: listed}
        yield rejected(f"width_one_{name}", message, base, change)
    equal = {
        net: P.network(([[1, 2]], [-1]), ([[1], [-2]], [-1, 2]), ([[3, 5]], [1])),
        POINTS: ["1 1 0", "1 2 0", "1 2 0"],
    }
    yield rejected("width_one_equal_levels", "the two levels are equal", base, equal)
    known = BASE[base]["evidence"]["points"]
    message = "a point is not on its level"
    for k in range(3):
        yield rejected(f"width_one_level_{k}", message, base, {(*POINTS, k): known[(k + 1) % 3]})
    constant = {net: P.network(([[0, 0]], [0]), ([[1], [-1]], [-1, 2]), ([[3, 5]], [1]))}
    yield rejected("width_one_constant", message, base, constant)
    wall = {("claim", "domain"): P.half([0, 1, 2])}
    yield rejected(
        "width_one_outside",
        "a point is not in the interior",
        base,
        {**wall, (*POINTS, 0): "1 -1 0"},
    )
    message = "a neuron has no jump"
    for name, row in {"first": [0, 5], "second": [3, 0]}.items():
        change = {net: P.network(([[1, 2]], [-1]), ([[1], [-1]], [-1, 2]), ([row], [1]))}
        yield rejected(f"width_one_no_jump_{name}", message, base, change)
    flip = {net: P.network(([[1, 2]], [-1]), ([[1], [-1]], [-1, 2]), ([[3, 3]], [1]))}
    message = "the jumps allow another orientation"
    yield rejected("width_one_plateau_flip", message, base, flip)


def two_layers_forgeries() -> Iterator[Forgery]:
    kind, base, listed = "identifiable-two-layers", "two_layers_slab", ("evidence", "vertices")
    claim = {"network": C.LINES, "domain": None}
    message = "the network has not exactly two hidden layers"
    yield fresh("two_layers_one", message, kind, claim, {"vertices": ["1 0 0"], "points": []})
    strip = P.network(([[0, 1]], [0]), ([[1]], [-1]), ([[1]], [0]))
    claim = {"network": strip, "domain": None}
    evidence = {"vertices": P.vertices(strip, None), "points": []}
    yield fresh("two_layers_lineality", "the complex has lineality", kind, claim, evidence)
    hidden = {("claim", "network"): P.changed(C.SLAB, 2, 0, 0, 0)}
    yield rejected("two_layers_hidden", "f does not bend at a facet", base, hidden)
    # sheets of equal outgoing weight, so that facets of layer 1 cancel
    cancelled = P.network(
        ([[1, 1], [-1, 0]], [0, 4]), ([[7, 8], [-6, -8]], [-35, 24]), ([[-1, -1]], [0])
    )
    message = "f does not bend at a facet"
    yield _two_layers("two_layers_cancelled", message, cancelled, None)
    cell = {POINTS: ["1 0 1"]}
    yield rejected("two_layers_point", "a point is on no facet", base, cell)
    message = "another family of hyperplanes is not excluded (C1)"
    yield rejected("two_layers_no_points", message, base, {POINTS: []})
    constant = P.network(
        ([[0, 0], [-2, -1], [0, 0]], [1, 2, 1]), ([[0, 1, 0], [0, -2, 0]], [-1, 1]), ([[1, 1]], [0])
    )
    loose = P.network(
        ([[-1, 1], [-1, 2]], [-2, 0]), ([[2, 2], [-2, -2]], [2, -2]), ([[1, 1]], [-1])
    )
    free = "a family with a free hyperplane contains all bend flats (C1)"
    same = "two neurons of layer 1 have one hyperplane (C1)"
    yield _two_layers("two_layers_constants", same, constant, P.box((-4, 5), (-6, 7)))
    yield _two_layers("two_layers_free", free, loose, None)
    closure = P.network(
        ([[-3, 1], [-1, 0], [4, -1]], [6, -4, 0]),
        ([[1, 1, 1], [-1, -1, -1]], [4, 7]),
        ([[-2, -3]], [0]),
    )
    for name, biases, domain in (
        ("only", [-20, 21, -27], C.SLAB_BOX),
        ("plane", [-28, 33, 4], None),
    ):
        third, last = ([2, -7], [2, -3, -1]) if domain else ([1, -9], [-1, 1, 1])
        rows = [[7, 8], [-6, -8], third]
        alone = P.network(([[1, 1], [-1, 0]], [0, 4]), (rows, biases), ([last], [0]))
        message = "the closure does not reach every pair (C2)"
        yield _two_layers(f"two_layers_closure_{name}", message, alone, domain)
    message = "the closure does not reach every pair (C2)"
    yield _two_layers("two_layers_closure", message, closure, None)
    cover = P.network(
        ([[1, 0], [-3, -1], [2, 1]], [5, -6, -5]),
        ([[1, 1, 1], [0, 0, 0], [1, 1, 1]], [9, -3, -5]),
        ([[3, 5, -2]], [0]),
    )
    message = "another family of hyperplanes is not excluded (C1)"
    yield _two_layers("two_layers_cover", message, cover, None)
    flips = P.network(
        ([[2, 1], [-3, -1], [1, 0]], [0, -4, -6]),
        ([[-1, -1, -1], [2, 2, 2]], [8, -9]),
        ([[5, 4]], [0]),
    )
    message = "hidden layer 1 has a set of flips (C3)"
    yield _two_layers("two_layers_flips", message, flips, None)
    missing = {listed: BASE[base]["evidence"]["vertices"][1:]}
    message = "a vertex is missing: an edge has one end"
    yield rejected("two_layers_vertex", message, base, missing)


def randomized_forgeries() -> Iterator[Forgery]:
    base = "randomized_lines"
    shape = {("claim", "base"): C.CONCURRENT}
    yield malformed("randomized_base", "the base has another architecture", base, shape)
    affine = {"network": C.AFFINE, "domain": None, "base": C.AFFINE, "bits": 9, "exponent": 0}
    empty = {"points": [], "outputs": [], "geometry_points": []}
    kind = "identifiable-randomized"
    yield fresh("randomized_no_layer", "there is no hidden layer", kind, affine, empty)
    grid = "a parameter is not on the grid of the draw"
    net = BASE[base]["claim"]["network"]
    step = F(1, 10_000 << 39)
    for name, k in {"between": F(1, 2), "below": -1, "above": 2**39}.items():
        moved = P.changed(C.LINES, 0, 0, 0, 1 + k * step)
        evidence = {**BASE[base]["evidence"], "geometry_points": Q.germ_points(moved, None)}
        change = {("claim", "network"): moved, ("evidence",): evidence}
        yield rejected(f"randomized_grid_{name}", grid, base, change)
    biases = {("claim", "network"): P.changed(net, 1, 0, None, 7)}
    yield rejected("randomized_grid_bias", grid, base, biases)
    bits = "39 bits a parameter, needed are 40"
    yield rejected("randomized_bits", bits, base, {("claim", "exponent"): 11})
    points, outputs = (BASE[base]["evidence"][k] for k in ("points", "outputs"))
    fewer = {POINTS: points[:-1], ("evidence", "outputs"): outputs[:-1]}
    yield rejected("randomized_rank", "6 values of rank 6, needed 7", base, fewer)
    twice = {POINTS: [*points[:-1], points[0]]}
    yield rejected("randomized_twice", "7 values of rank 6, needed 7", base, twice)
    more = {POINTS: [*points, points[0]], ("evidence", "outputs"): [*outputs, 0]}
    yield rejected("randomized_more", "8 values of rank 7, needed 7", base, more)
    left = next(k for k, x in enumerate(points) if "-" in x.split()[1] and "-" not in x.split()[2])
    near = {(*POINTS, left): f"{10**13} -1 {10**13}"}
    yield rejected("randomized_sign", "another sign than at the base", base, near)
    same = {
        ("claim", "network"): C.LINES,
        ("evidence", "geometry_points"): Q.germ_points(C.LINES, None),
        (*POINTS, left): "1 0 5",
    }
    yield rejected("randomized_on_facet", "a neuron vanishes at a sample point", base, same)
    wall = {("claim", "domain"): P.half([0, 1, 0], [-7, 0, 1])}
    yield rejected("randomized_outside", "a point is not in the interior", base, wall)
    search = {("evidence", "geometry_points"): []}
    message = "0 of 2 rows of hidden layer 1 are determined"
    yield rejected("randomized_search", message, base, search)


def _scene(base: str) -> dict[str, object]:
    return {k: BASE[base]["claim"][k] for k in ("network", "domain")}


def _two_layers(name: str, message: str, net: P.Net, domain: object) -> Forgery:
    document = Q.two_layers(net, domain)
    claim = {"network": net, "domain": domain}
    return fresh(name, message, "identifiable-two-layers", claim, document["evidence"])
