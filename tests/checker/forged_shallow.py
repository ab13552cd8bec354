"""Forgeries about shallow functions and points of sets, and planted faults: (file, text, changed text)."""

from collections.abc import Iterator

from tests.checker.forgery import Forgery, malformed, rejected
from tests.checker.producers import network

SHALLOW = "claims/shallow_function.py"
BASE, SQUARE = "equal_shallow_reversed", "equal_shallow_square"
A, B = ("claim", "a"), ("claim", "b")
ONE, TWO = ("evidence", "a"), ("evidence", "b")
RELATIONS = ("claim", "relations")


def shallow_function_forgeries() -> Iterator[Forgery]:
    deep = network(([[1]], [0]), ([[1]], [0]), ([[4]], [0]))
    yield rejected("equal_shallow_deep", "not one hidden layer", "equal_shallow_half", {A: deep})
    kinks = "the kinks of the two sums differ"
    yield rejected("equal_shallow_jump", kinks, BASE, {(*B, "weights", 1, 0, 0): "2"})
    yield rejected("equal_shallow_place", kinks, BASE, {(*B, "biases", 0, 1): "-3"})
    yield rejected("equal_shallow_missing", kinks, BASE, {(*B, "weights", 1, 0, 2): "0"})
    yield rejected("equal_shallow_scale", kinks, "equal_shallow_constant", {(*B, "weights", 1, 0, 0): "1/2"})
    affine = "the affine parts of the two sums differ"
    yield rejected("equal_shallow_bias", affine, BASE, {(*B, "biases", 1, 0): "2"})
    yield rejected("equal_shallow_flip_one", affine, BASE, {(*B, "weights", 0, 0): ["1", "0"], (*B, "biases", 0, 0): "1"})
    yield rejected("equal_shallow_slope", affine, SQUARE, {(*B, "weights", 1, 0, 0): "2"})
    yield rejected("equal_shallow_not_cut", kinks, SQUARE, {(*ONE, 0): None})
    yield rejected("equal_shallow_constant_kept", kinks, "equal_shallow_constant", {(*ONE, 0): None})
    negative = "a multiplier is negative"
    linear = network(([[1], [-1]], [0, 0]), ([[4, -4]], [0]))
    changes = {B: linear, TWO: [None, None], (*ONE, 0): [1, ["-3", "-1"]]}
    yield rejected("equal_shallow_negative", negative, "equal_shallow_half", changes)
    wrong = "the multipliers do not give the neuron"
    yield rejected("equal_shallow_sign", wrong, "equal_shallow_half", {(*ONE, 0): [1, ["3", "1"]]})
    yield rejected("equal_shallow_multiplier", wrong, SQUARE, {(*TWO, 0): [1, ["1/2", "1", "0", "2", "0"]]})
    yield rejected("equal_shallow_cutting", wrong, SQUARE, {(*ONE, 1): [1, ["0", "1", "0", "1", "0"]]})
    yield rejected("equal_shallow_space", wrong, "equal_shallow_half", {("claim", "domain"): None, (*ONE, 0): [-1, ["0"]]})
    sign = "a sign is not [1 or -1, multipliers]"
    yield malformed("equal_shallow_zero_sign", sign, SQUARE, {(*ONE, 0, 0): 0})
    yield malformed("equal_shallow_form", sign, SQUARE, {(*ONE, 0): [1]})
    yield malformed("equal_shallow_short", "expected a list of length 3", SQUARE, {ONE: [None, None]})
    yield malformed("equal_shallow_walls", "expected a list of length 5", SQUARE, {(*ONE, 0, 1): ["1", "1", "1"]})
    fails = "a relation does not hold"
    yield rejected("member_equation", fails, "member", {("claim", "point", 0): "4/5"})
    yield rejected("member_strict", fails, "member", {RELATIONS: [[">", [["1", [[0, 1]]], ["-3/5", []]]]]})
    yield rejected("member_weak", fails, "member", {RELATIONS: [[">=", [["-1", [[0, 1]]]]]]})
    yield rejected("member_different", fails, "member", {RELATIONS: [["!=", [["4", [[0, 1]]], ["-3", [[1, 1]]]]]]})
    yield rejected("member_power", fails, "member", {RELATIONS: [["=", [["1", [[0, 3]]], ["-9/25", []]]]]})
    yield rejected("member_variable", "a variable does not exist", "member", {RELATIONS: [["=", [["0", [[2, 1]]]]]]})
    yield rejected("member_degree", "the degree is too large", "member", {RELATIONS: [["=", [["0", [[0, 65]]]]]]})
    yield malformed("member_relation", "a relation is none of = >= > !=", "member", {RELATIONS: [["<", []]]})
    yield malformed("member_term", "a term is not [coefficient, powers]", "member", {RELATIONS: [["=", [["0"]]]]})


SHALLOW_FAULTS = {
    "shallow depth": (SHALLOW, "require(a.depth == b.depth == 1", "require(True"),
    "shallow kinks": (SHALLOW, 'require(same, "the kinks', 'require(True, "the kinks'),
    "shallow affine": (SHALLOW, "require(rows[0] == rows[1]", "require(True"),
    "shallow negative multipliers": (SHALLOW, "require(min(multipliers) >= 0", "require(True"),
    "shallow multipliers": (SHALLOW, "require(total == [value[0] * x for x in form]", "require(True"),
    "shallow orientation": (SHALLOW, "if kept or lead < 0:", "if kept:"),
    "shallow sizes": (SHALLOW, "[g + v * content for g, v", "[g + v for g, v"),
    "shallow scales": (SHALLOW, "[x * two for x in gamma] == [x * one for x in others[h]]", "gamma == others[h]"),
    "shallow dead": (SHALLOW, "if not content or kept is False:", "if not content:"),
    "member relations": (SHALLOW, "require((value > 0) - (value < 0) in", "require(True or value in"),
    "member strict": (SHALLOW, '">": (1,)', '">": (0, 1)'),
    "member powers": (SHALLOW, "product *= point[i] ** e", "product *= point[i]"),
}
