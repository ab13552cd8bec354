"""Forgeries about functional dimension and equivalence."""

from collections.abc import Iterator
from fractions import Fraction as F

from tests.checker import corpus
from tests.checker import producers as P
from tests.checker.forgery import BASE, Forgery, fresh, malformed, rejected


def dimension_forgeries() -> Iterator[Forgery]:
    base = "dimension_at_least"
    more = {("claim", "dimension"): 99}
    yield rejected("dimension_more", "the rows shown have rank", base, more)
    rows, points = ("evidence", "rows"), ("evidence", "points")
    yield rejected("dimension_no_such_row", "there is no such row", base, {(*rows, 0, 0): 999})
    yield malformed(
        "dimension_negative_row", "expected an integer in [0, ", base, {(*rows, 0, 0): -1}
    )
    zero = {(*points, 0): "1 1 0"}
    yield rejected("dimension_on_facet", "a neuron vanishes at a sample point", base, zero)
    outside = {(*points, 0): "1 99 0"}
    yield rejected("dimension_outside", "a point is not in the interior", base, outside)
    one = {"network": corpus.ONE, "domain": None, "dimension": 2}
    same = {"points": ["1 1"], "rows": [[0, 0]]}
    yield fresh(
        "dimension_row_twice", "the rows shown have rank 1", "dimension-at-least", one, same
    )
    absolute = P.network(([[1], [-1]], [0, 0]), ([[1, 1]], [0]))
    one = {"network": absolute, "domain": None, "dimension": 5}
    kink = {"points": ["1 1", "1 -1", "1 0"], "rows": [[0, 1]] * 3}
    message = "a neuron vanishes at a sample point"
    yield fresh("dimension_at_kink", message, "dimension-at-least", one, kink)
    base = "locally_identifiable"
    kept = BASE[base]["evidence"]["rows"]
    short = {(*rows, 0): kept[0][:-1]}
    yield rejected("locally_one_short", "the rows shown have rank 6, needed is 7", base, short)
    base, kernel = "dimension_at_most", ("evidence", "kernel")
    yield rejected(
        "most_too_few", "1 kernel vectors, needed are 2", base, {("claim", "dimension"): 2}
    )
    vector = BASE[base]["evidence"]["kernel"][0]
    double = {kernel: [vector, vector], ("claim", "dimension"): 2}
    message = "the kernel vectors are dependent modulo the prime"
    yield rejected("most_vector_twice", message, base, double)
    moved = [str(int(x) + 2**61 - 1) if k == 0 else x for k, x in enumerate(vector)]
    modulo = {kernel: [vector, moved], ("claim", "dimension"): 2}
    yield rejected("most_equal_modulo", message, base, modulo)
    unit = {kernel: [["0", "0", "0", "1"]]}
    yield rejected("most_not_killed", "a vector is not in the kernel", base, unit)
    tree = BASE[base]["evidence"]["tree"].rsplit(" ", 1)[0] + " ."
    point = {("evidence", "tree"): tree}
    yield rejected("most_no_point", "a leaf has no interior point", base, point)
    base, pairs = "facet_pairs_lines", ("evidence", "pairs")
    yield rejected("pairs_more", "the pairs and points give 7", base, {("claim", "dimension"): 8})
    fewer = {pairs: BASE["facet_pairs_local"]["evidence"]["pairs"][:1]}
    yield rejected("pairs_local_fewer", "the pairs and points give 5, needed 7", "facet_pairs_local", fewer)
    residual = {("evidence", "residual"): ["1 1 1"]}
    message = "residual rows are not supported, the list must be empty"
    yield malformed("pairs_residual", message, base, residual)
    known = BASE[base]["evidence"]["pairs"]
    other = {(*pairs, 0, 0): 1 - known[0][0]}
    message = "the signs of a pair do not differ in its neuron alone"
    yield rejected("pairs_other_neuron", message, base, other)
    yield rejected("pairs_one_point", message, base, {(*pairs, 0, 1): known[0][2]})
    vanishes = {(*pairs, 0, 1): "1 0 0"}
    yield rejected("pairs_on_facet", "a neuron vanishes at a point", base, vanishes)
    output = {("evidence", "output_points"): ["1 0 1"]}
    yield rejected("pairs_output_on_facet", "a neuron vanishes at a point", base, output)
    wall = {("claim", "domain"): P.box((0, 1), (-9, 9))}
    yield rejected("pairs_outside", "a point is not in the interior", base, wall)
    blind = {("claim", "network"): P.network(([[1, 0], [0, 1]], [0, 0]), ([[0, 0]], [1]))}
    message = "a neuron without path weight to the outputs"
    yield rejected("pairs_blind", message, base, blind)
    p = 2**61 - 1
    blind = {("claim", "network"): P.network(([[1, 0], [0, 1]], [0, 0]), ([[p, p]], [1]))}
    yield rejected("pairs_blind_modulo", message, base, blind)
    gone = {("claim", "network"): P.network(([[p, 0], [0, p]], [0, 0]), ([[1, 1]], [1]))}
    yield rejected("pairs_form_modulo", "an affine form is 0 modulo the prime", base, gone)


def equivalence_forgeries() -> Iterator[Forgery]:
    line = {("claim", "b"): corpus.LINES}
    ends = "the networks have different inputs or outputs"
    yield malformed("different_ends", ends, "inequivalent_twins", line)
    far = {("claim", "point"): ["9", "9"]}
    yield rejected("different_outside", "the point lies outside the domain", "different", far)
    copy_ = {("claim", "b"): BASE["different"]["claim"]["a"]}
    yield rejected("different_equal", "equal values at the point", "different", copy_)
    moves = ("evidence", "moves")
    shape = {("claim", "b"): BASE["complex_lines"]["claim"]["network"]}
    yield rejected("equivalent_shape", "different architectures", "equivalent", shape)
    fields = "a move has the fields permutation scale"
    yield malformed("equivalent_move_list", fields, "equivalent", {(*moves, 0): []})
    yield malformed("equivalent_move_extra", fields, "equivalent", {(*moves, 0, "sign"): 1})
    twice = {(*moves, 0, "permutation"): [0, 0]}
    yield rejected("equivalent_permutation", "not a permutation", "equivalent", twice)
    claim = {"a": corpus.ONE, "b": P.network(([[-1]], [0]), ([[-1]], [0]))}
    for name, scale in {"negative": "-1", "zero": "0"}.items():
        move = {"moves": [{"permutation": [0], "scale": [scale]}]}
        yield fresh(f"equivalent_{name}", "a scale is not positive", "equivalent", claim, move)
    other = {(*moves, 0, "scale", 0): "7"}
    yield rejected("equivalent_row", "row 0 of layer 1 does not match", "equivalent", other)
    last = {("claim", "b", "biases", 2, 0): "77"}
    yield rejected("equivalent_output", "row 0 of layer 3 does not match", "equivalent", last)
    message = "the parameters are equivalent"
    pair = {k: BASE["equal_copy"]["claim"][k] for k in ("a", "b")}
    yield fresh("inequivalent_copy", message, "inequivalent", pair, {})
    floppy = {k: BASE["equivalent_floppy"]["claim"][k] for k in ("a", "b")}
    yield fresh("inequivalent_floppy_copy", message, "inequivalent", floppy, {})
    zero_rows = P.network(([[0], [1]], [0, 0]), ([[1, 1], [3, 1]], [0, 0]), ([[1, 1]], [0]))
    messy, _ = P.moves(corpus.MESSY, [[3, 1, 2, 0], [1, 0]], [[2, 3, 4, 5], [6, 7]])
    pair = {"a": corpus.MESSY, "b": messy}
    yield fresh("inequivalent_messy_copy", message, "inequivalent", pair, {})
    scaled, _ = P.moves(zero_rows, [[1, 0], [1, 0]], [[F(1, 2), 3], [5, 7]])
    pair = {"a": zero_rows, "b": scaled}
    yield fresh("inequivalent_zero_row_copy", message, "inequivalent", pair, {})
    unit = [[int(i == j) for i in range(5)] for j in range(5)]
    five = P.network(([[1]] * 5, [0] * 5), (unit, [0] * 5), ([[1] * 5], [0]))
    many = "too many permutations to try"
    yield fresh("inequivalent_twins", many, "inequivalent", {"a": five, "b": five}, {})
    shape = {("claim", "b"): P.network(([[1]], [0]), ([[3]], [0]))}
    yield rejected(
        "not_identifiable_shape", "different architectures", "not_identifiable_twins", shape
    )
    same = {("claim", "b"): BASE["not_identifiable_twins"]["claim"]["a"]}
    yield rejected("not_identifiable_copy", message, "not_identifiable_twins", same)
    tree = BASE["not_identifiable_twins"]["evidence"]["tree"]
    points = " ".join("." if "," in t and t[0] not in "+-" else t for t in tree.split(" "))
    interior = "no leaf shows that the domain has an interior point"
    point = {("evidence", "tree"): points}
    yield rejected("not_identifiable_no_point", interior, "not_identifiable_twins", point)
    double = P.network(([[2]], [0]), ([[1]], [0]))
    empty = {"a": corpus.ONE, "b": double, "domain": P.half([-1, 1], [0, -1])}
    maps = "two different affine maps on a part"
    yield fresh("not_identifiable_empty", maps, "not-identifiable", empty, {"tree": "+0 +0 ."})
    flat = {**empty, "domain": P.half([0, 1], [0, -1])}
    yield fresh("not_identifiable_flat", interior, "not-identifiable", flat, {"tree": "-1 -1 ."})
