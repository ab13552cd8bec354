"""Forgeries about covers, faces, complexes and genericity."""

from collections.abc import Iterator
from hashlib import sha256

from tests.checker import corpus
from tests.checker import producers as P
from tests.checker.forgery import BASE, Forgery, fresh, malformed, rejected


def cover_forgeries() -> Iterator[Forgery]:
    tree = ("evidence", "tree")
    cells = "cells_concurrent"
    good = BASE[cells]["evidence"]["tree"]
    yield rejected("tree_empty", "unknown token ''", cells, {tree: ""})._replace(
        verdict="malformed"
    )
    yield malformed("tree_list", "field 'tree' should be str", cells, {tree: [good]})
    yield rejected("tree_short", "the tree ends too early", cells, {tree: good.rsplit(" ", 1)[0]})
    long = "the tree goes on after its last leaf"
    yield rejected("tree_long", long, cells, {tree: good + " s"})
    yield rejected("tree_trailing_space", long, cells, {tree: good + " "})
    yield malformed("tree_token", "unknown token 'x' in a tree", cells, {tree: "x" + good[1:]})
    yield malformed(
        "tree_two_spaces", "unknown token ''", cells, {tree: good.replace(" ", "  ", 1)}
    )
    numbers = "expected integers separated by commas"
    for name, token in {
        "space": "+0,,1",
        "plus": "++1",
        "arabic": "+\u0661",
        "long": "+" + "1" * 5_000,
    }.items():
        yield malformed(f"tree_numbers_{name}", numbers, cells, {tree: token + good[1:]})
    leaf = good.rsplit(" ", 1)[0]
    message = "a leaf is '.' or a point"
    yield malformed("leaf_short", message, cells, {tree: leaf + " 1,0"})
    yield malformed("leaf_letters", numbers, cells, {tree: leaf + " ..."})
    message = "a leaf point is not interior"
    yield rejected("leaf_elsewhere", message, cells, {tree: leaf + " 1,-1,-1"})
    yield rejected("leaf_at_infinity", message, cells, {tree: leaf + " 0,1,1"})
    yield rejected("leaf_on_wall", message, cells, {tree: leaf + " 1,0,1"})
    support = "a support names no known row"
    one = {"network": corpus.ONE, "domain": P.half([0, 1]), "count": 1}
    yield fresh("support_later", support, "full-cells", one, {"tree": "+1 1,1"})
    yield fresh("support_negative", support, "full-cells", one, {"tree": "+-1 1,1"})
    sign = "sign of neuron 0 of its layer is not implied"
    yield fresh("support_wrong_sign", sign, "full-cells", one, {"tree": "-0 1,1"})
    yield fresh("support_twice", sign, "full-cells", one, {"tree": "+0,0 1,1"})
    yield fresh("support_missing", sign, "full-cells", one, {"tree": "+ 1,1"})
    yield fresh(
        "split_without_cell", message, "full-cells", {**one, "count": 2}, {"tree": "s 1,1 1,1"}
    )
    absolute = P.network(([[1], [-1]], [0, 0]), ([[1, 1]], [0]))
    odd = P.network(([[-1], [1]], [0, 0]), ([[1, -1]], [0]))
    pair = {"a": absolute, "b": odd, "domain": None}
    negative = {"tree": "s +0 +0 -0 . +0 -0 -0 ."}
    yield fresh("support_negative_multiplier", "sign of neuron 1", "equal", pair, negative)
    moved = {
        "a": P.network(([[1]], [-1]), ([[1]], [0])),
        "b": P.network(([[1]], [0]), ([[1]], [-1])),
    }
    constant = {**moved, "domain": P.half([0, 1])}
    yield fresh("support_constant", sign, "equal", constant, {"tree": "+0 +0 ."})
    zero = P.network(([[1]], [0]), ([[0]], [0]))
    pair = {"a": corpus.ONE, "b": zero, "domain": None}
    maps = "two different affine maps on a part"
    yield fresh("equal_other_map", maps, "equal", pair, {"tree": "s -0 . +0 ."})
    constant = {**pair, "b": P.network(([[1]], [0]), ([[1]], [1]))}
    yield fresh("equal_other_constant", maps, "equal", constant, {"tree": "s -0 . +0 ."})
    yield rejected(
        "cells_without_point", "a leaf has no interior point", cells, {tree: leaf + " ."}
    )
    yield rejected("cells_count", "there are 6 full cells", cells, {("claim", "count"): 7})
    counted = {("claim", "count"): "6"}
    yield malformed("cells_count_text", "expected an integer in [0, ", cells, counted)
    flat = {"network": corpus.ONE, "domain": P.half([0, 1], [0, -1]), "count": 1}
    yield fresh("cells_flat_domain", message, "full-cells", flat, {"tree": "+0 1,0"})
    empty = {"network": corpus.ONE, "domain": P.half([-1, 1], [0, -1]), "count": 0}
    yield fresh("cells_empty_domain", message, "full-cells", empty, {"tree": "+0 1,0"})


def geometry_forgeries() -> Iterator[Forgery]:
    other = {("claim", "value"): ["0"]}
    yield rejected("value", "the network takes another value there", "values", other)
    base, bending = "face_concurrent", ("evidence", "bending")
    zeros = {("claim", "zero_neurons"): [0, 1]}
    yield rejected("face_zero_left_out", "other neurons vanish at the point", base, zeros)
    dimension = {("claim", "dimension"): 1}
    yield rejected("face_dimension", "the face has dimension 0", base, dimension)
    order = "expected a strictly increasing list of indices"
    twice = {("claim", "bending"): [0, 0], bending: [BASE[base]["evidence"]["bending"][0]] * 2}
    yield malformed("face_bending_twice", order, base, twice)
    yield malformed("face_bending_order", order, base, {("claim", "bending"): [1, 0, 2]})
    number = {("claim", "bending"): [0, 1, 3]}
    yield malformed("face_no_such_neuron", "expected an integer in [0, 3)", base, number)
    ridge = {(*bending, 0, 0): "1 0 0"}
    facet = "not a facet point and points of two full cells"
    yield rejected("face_ridge_is_no_facet", facet, base, ridge)
    yield rejected("face_side_is_no_cell", facet, base, {(*bending, 0, 1): "1 0 1"})
    below = "the facet is not a face of the full cells"
    yield rejected("face_other_cell", below, base, {(*bending, 0, 1): "1 1 2"})
    closure = "the point is not in the closure of the facet"
    lines = P.network(([[1, 0], [1, 0]], [0, -1]), ([[1, 1]], [0]))
    claim = {
        "network": lines,
        "domain": None,
        "point": ["0", "0"],
        "dimension": 1,
        "zero_neurons": [0],
        "bending": [1],
    }
    triple = {"bending": [["1 1 0", "2 1 0", "1 2 0"]]}
    yield fresh("face_facet_elsewhere", closure, "face", claim, triple)
    same = {(*bending, 0): [BASE[base]["evidence"]["bending"][1][k] for k in range(3)]}
    activity = "neuron 0 does not change activity across the facet"
    yield rejected("face_other_neuron", activity, base, same)
    twice_one = BASE[base]["evidence"]["bending"][0]
    yield rejected(
        "face_one_side", activity, base, {(*bending, 0): [twice_one[0], *twice_one[1:2] * 2]}
    )
    outside = "a point is not in the interior"
    yield rejected("face_on_wall", outside, "face_interior", {("claim", "point"): ["13/5", "0"]})
    known = BASE["complex_lines"]["claim"]
    for field, value in {
        "f_vector": [1, 4, 5],
        "lineality": 1,
        "hidden_facets": True,
        "no_cancellation": 1,
        "tpic": False,
        "sheets": [1, 2],
        "linear_regions": 3,
        "sha256": "",
        "transparency": True,
        "distinct_affine_maps": None,
    }.items():
        change = {("claim", field): value}
        yield rejected(f"complex_{field}", f"{field} is ", "complex_lines", change)
    base, listed = "complex_plane", ("evidence", "vertices")
    points = BASE[base]["evidence"]["vertices"]
    missing = "a vertex is missing: an edge has one end"
    for k in range(len(points)):
        rest = points[:k] + points[k + 1 :]
        yield rejected(f"skeleton_missing_{k}", missing, base, {listed: rest})
    yield rejected("skeleton_empty", "no vertices", base, {listed: []})
    again = {listed: [*points, points[0]]}
    yield rejected("skeleton_twice", "a vertex is listed twice", base, again)
    scaled = " ".join(str(2 * int(x)) for x in points[0].split(" "))
    yield rejected("skeleton_scaled", "a vertex is listed twice", base, {listed: [*points, scaled]})
    many = "too many faces at the vertices"
    yield rejected("skeleton_faces", many, base, {}, limits={"items": 1})
    yield rejected("skeleton_cells", "too many cells", "complex_lines", {}, limits={"items": 3})
    vanish = "0 items vanish at a vertex, expected 2"
    yield rejected("skeleton_no_vertex", vanish, base, {listed: ["1 7 7"]})
    concurrent = {
        "network": corpus.CONCURRENT,
        "domain": None,
        **{k: v for k, v in known.items() if k not in ("network", "domain", "kind")},
    }
    origin = {"vertices": ["1 0 0"]}
    vanish = "3 items vanish at a vertex, expected 2"
    yield fresh("skeleton_concurrent", vanish, "complex", concurrent, origin)
    twins = {
        **concurrent,
        "network": P.network(([[1, 0], [2, 0], [0, 1]], [0, 0, 1]), ([[1, 1, 1]], [0])),
    }
    dependent = "the items vanishing at a vertex are dependent"
    yield fresh("skeleton_dependent", dependent, "complex", twins, origin)
    half_line = {
        "network": P.network(([[0, 1]], [0]), ([[1]], [0])),
        "domain": P.half([0, 1, 0], [0, 2, 0]),
        "f_vector": [0, 0, 1],
        "lineality": 0,
        "hidden_facets": 0,
        "no_cancellation": True,
        "tpic": True,
        "sheets": [0],
        "linear_regions": 1,
        "distinct_affine_maps": 1,
    }
    for name, sign, y in (("above", "+", 5), ("below", "-", -5)):
        claim = {
            **half_line,
            "transparency": y > 0,
            "sha256": sha256(f"{sign}\n".encode()).hexdigest(),
        }
        evidence = {"vertices": [f"1 0 {y}"]}
        yield fresh(f"skeleton_equal_walls_{name}", dependent, "complex", claim, evidence)
    outside = {**concurrent, "network": corpus.LINES, "domain": P.half([-1, 0, 0])}
    message = "a vertex lies outside the domain"
    yield fresh("skeleton_outside", message, "complex", outside, origin)
    back = {
        **concurrent,
        "network": P.network(([[1, 0], [0, 1]], [0, 0]), ([[-1, -1]], [1]), ([[1]], [0])),
    }
    yield fresh("skeleton_ray_bends_back", missing, "complex", back, origin)
    wall = {**concurrent, "network": corpus.LINES, "domain": P.half([1, 1, 0], [1, 1, 0])}
    yield fresh("skeleton_duplicate_wall", missing, "complex", wall, origin)


def genericity_forgeries() -> Iterator[Forgery]:
    point = ("claim", "point")
    message = "as many neurons vanish as the codimension"
    yield rejected("zero_count", message, "zero_count_concurrent", {point: ["1", "0"]})
    message = "no more neurons bend than the codimension"
    base = "supertransversality"
    few = {
        ("claim", "bending"): [0, 1],
        ("evidence", "bending"): BASE[base]["evidence"]["bending"][:2],
    }
    yield rejected("supertransversality_two", message, base, few)
    twice = {("claim", "bending"): [0, 0, 1]}
    order = "expected a strictly increasing list of indices"
    yield malformed("supertransversality_twice", order, base, twice)
    base = "transparency"
    yield rejected(
        "transparency_layer_0", "there is no such hidden layer", base, {("claim", "layer"): 0}
    )
    yield rejected(
        "transparency_layer_3", "there is no such hidden layer", base, {("claim", "layer"): 3}
    )
    active = "a neuron of the layer is active at the point"
    on = {("claim", "layer"): 1, point: ["1", "0"]}
    yield rejected("transparency_active", active, base, on)
    message = "the point lies outside the domain"
    yield rejected("transparency_outside", message, "transparency_boundary", {point: ["-1"]})
    base = "hidden_facet"
    message = "other neurons vanish at the point"
    yield rejected("hidden_other_neuron", message, base, {("claim", "neuron"): 1})
    yield rejected("hidden_no_neuron", message, base, {point: ["1", "1"]})
    zero = P.network(([[0]], [0]), ([[0]], [0]))
    claim = {"network": zero, "domain": None, "point": ["0"], "neuron": 0}
    message = "the neuron is constant near the point"
    yield fresh("hidden_constant", message, "hidden-facet", claim, {})
    claim = {"network": corpus.ONE, "domain": None, "point": ["0"], "neuron": 0}
    yield fresh("hidden_visible", "f bends at the facet", "hidden-facet", claim, {})
    dead = P.network(([[1]], [0]), ([[1]], [-1]), ([[1]], [0]))
    claim = {"network": dead, "domain": None, "point": ["0"], "neuron": 0}
    message = "a later layer has no active neuron"
    yield fresh("hidden_behind_dead_layer", message, "hidden-facet", claim, {})
    sides = {"sides": ["1 -1", "2 1"]}
    claim = {"network": dead, "domain": None, "point": ["0"]}
    message = "hidden layer 2 is inactive on both sides"
    yield fresh("cancellation_dead_layer", message, "no-cancellation-fails", claim, sides)
    claim = {"network": corpus.ONE, "domain": None, "point": ["0"]}
    kind = "no-cancellation-fails"
    yield fresh("cancellation_visible", "f bends at the facet", kind, claim, sides)
    message = "no neuron bends at the facet"
    yield fresh("cancellation_one_side", message, kind, claim, {"sides": ["1 1", "2 1"]})
    base, facet = "regions_adjacent", ("evidence", "facet")
    strong = {("claim", "level"): "strong"}
    yield rejected("regions_needless_facet", "the strong level needs no facet", base, strong)
    unknown = {("claim", "level"): "weak"}
    yield malformed("regions_level", "the level is 'adjacent' or 'strong'", base, unknown)
    missing = {("claim", "level"): "adjacent"}
    message = "a point is one string of integers"
    yield malformed("regions_no_facet", message, "regions_strong", missing)
    first = BASE[base]["claim"]["points"][0]
    same = {("claim", "points"): [first, first]}
    yield rejected("regions_same_cell", "the points lie in one cell", base, same)
    on = {("claim", "points"): [first, ["0", "0"]]}
    yield rejected("regions_on_facet", "a point lies in no full cell", "regions_strong", on)
    claim = {"network": corpus.ONE, "domain": None, "points": [["-1"], ["1"]], "level": "strong"}
    message = "two different affine maps"
    yield fresh(
        "regions_two_maps", message, "linear-regions-assumption-fails", claim, {"facet": None}
    )
    elsewhere = {facet: "1 1 1"}
    message = "not a facet point and points of two full cells"
    yield rejected("regions_facet_elsewhere", message, base, elsewhere)
