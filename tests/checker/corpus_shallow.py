"""True documents about shallow functions and points of semi-algebraic sets, and the judge of the points."""

from fractions import Fraction as F
from math import prod
from typing import Any

from tests.checker.producers import box, document, half, network

UNIT = box((0, 1), (0, 1))
# all neurons reversed, their columns times rows cancel
FORWARD = network(([[1, 0], [0, 1], [1, 1]], [1, 2, 5]), ([[1, 1, -1]], [0]))
REVERSED = network(([[-1, 0], [0, -1], [-1, -1]], [-1, -2, -5]), ([[1, 1, -1]], [-2]))
# on the unit square the first neuron is active, the third is dead
ACTIVE = network(([[1, 1], [1, -1], [-1, -2]], [1, 0, -1]), ([[2, -1, 7]], [0]))
TURNED = network(([[1, 3], [-1, 1], [-3, -1]], ["1/2", 0, "-1/10"]), ([[1, -1, "-5/3"]], ["3/2"]))
# a constant neuron, a neuron without row, two halves of one
CONSTANT = network(([[0], [0], [2]], [2, 0, 0]), ([[3, 9, 1]], [1]))
HALVES = network(([["1/2"], ["3/2"]], [0, 0]), ([[1, 1]], [7]))
# dead for x <= -3
RELU = network(([[1]], [0]), ([[4]], [0]))
ZERO = network(([[1]], [9]), ([[0]], [0]))
NOTHING: list[Any] = [None, None, None]


def same(a: Any, b: Any, domain: Any, one: list[Any], two: list[Any]) -> Any:
    return document("equal-shallow", {"a": a, "b": b, "domain": domain}, {"a": one, "b": two})


def documents() -> dict[str, Any]:
    first = [[1, ["1", "1", "0", "1", "0"]], None, [-1, ["1", "1", "0", "2", "0"]]]
    second = [[1, ["1/2", "1", "0", "3", "0"]], None, [-1, ["1/10", "3", "0", "1", "0"]]]
    circle = [["1", [[0, 2]]], ["1", [[1, 2]]], ["-1", []]]
    relations = [["=", circle], [">", [["1", [[1, 1]]]]], [">=", [["1", [[0, 1]]], ["-3/5", []]]],
                 ["!=", [["1", [[0, 1]]], ["-1", [[1, 1]]]]], [">", [["5/4", [[0, 1], [1, 1]]]]]]
    return {
        "equal_shallow_reversed": same(FORWARD, REVERSED, None, NOTHING, NOTHING),
        "equal_shallow_square": same(ACTIVE, TURNED, UNIT, first, second),
        "equal_shallow_constant": same(CONSTANT, HALVES, None, [[1, ["2"]], None, None], [None, None]),
        "equal_shallow_half": same(RELU, ZERO, half([-3, -1]), [[-1, ["3", "1"]]], [None]),
        "member": document("stratum-member", {"point": ["3/5", "4/5"], "relations": relations}, {}),
    }


def member(claim: dict[str, Any]) -> bool:
    point = [F(x) for x in claim["point"]]
    tests = {"=": lambda v: v == 0, ">": lambda v: v > 0, ">=": lambda v: v >= 0, "!=": lambda v: v != 0}
    return all(tests[name](sum((F(c) * prod((point[i] ** e for i, e in powers), start=F(1)) for c, powers in terms), F(0)))
               for name, terms in claim["relations"])


JUDGES = {"stratum-member": member}
