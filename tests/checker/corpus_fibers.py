"""True documents about the function near a point and about complete fibers."""

from typing import Any

from tests.checker.producers import box, network
from tests.checker.producers_fibers import (
    not_shallow,
    not_supertransversal_function,
    tight_fiber,
    two_layer_fiber,
    wide_front_fiber,
)

LARGE = box((-12, 13), (-12, 13))
# ReLU(y + ReLU(x)): a sheet with a bend; a hidden line y = 0, where two neurons vanish
BENT = network(([[1, 0], [0, 1], [0, -1]], [0, 0, 0]), ([[1, 1, -1]], [0]), ([[1]], [0]))
# the same in space, with a zero row, twins, and a neuron that vanishes on a side
BENT_SPACE = network(
    ([[1, 0, 1], [2, 0, 2], [0, 1, 0], [0, -1, 0], [0, 0, 0]], [0, 0, 0, 0, 0]),
    ([[1, 0, 1, -1, 7], [0, -1, 0, 0, 3]], [0, 0]),
    ([[1, 5], [2, 0]], [0, 1]),
)
CONCURRENT = network(([[1, 0], [0, 1], [1, 1]], [0, 0, 0]), ([[2, 3, 5]], [1]))
PENCIL = network(
    ([[1, 0, 1], [0, 1, 0], [1, 1, 1], [0, 0, 0]], [0, 0, 0, 0]),
    ([[2, 3, 5, 1]], [7]),
    ([[1], [0]], [1, 2]),
)
EXCHANGE = (
    network(([[-1, 1], [1, 3]], [-2, 1]), ([[-3, 0], [-3, 4]], [4, 1]), ([[1, 4]], [-1])),
    network(
        ([[3, -3], [7, 9]], [10, 11]),
        ([["-1/3", 0], ["-1/4", "1/4"]], ["4/3", "3/4"]),
        ([[-15, 16]], [7]),
    ),
)
CLIP = (
    network(([[1, 2]], [-1]), ([[-1]], [2]), ([[3]], [1])),
    network(([[-1, -2]], [3]), ([[-1]], [2]), ([[-3]], [7])),
)
LEVELS = network(([[2]], [-1]), ([[1], [-1]], [-1, 2]), ([[3, 5]], [1]))
# constant along a line of R^3, two outputs
SPACE = network(
    ([[0, -2, 2], [2, 2, 0]], [1, -2]), ([[2, 2], [-1, 2]], [-2, 0]), ([[2, -2], [1, 1]], [0, 3])
)
VANISHING = network(([[0, -2], [2, 2]], [1, -2]), ([[2, 2], [-1, 2]], [-2, 0]), ([[2, -2]], [0]))
POOR = network(([[1, 0], [0, 1]], [1, 2]), ([[1, -2], [-2, 1]], [-2, -2]), ([[-1, -3]], [0]))
PARALLEL = (
    network(
        ([[1, 0], [-1, 0], [0, -1]], [-1, -1, 0]), ([[1, 1, -1], [1, 1, 1]], [1, -1]), ([[1, 3]], [0])
    ),
    network(
        ([[-1, 0], [0, -1], [1, 0]], [1, 0, 1]), ([[1, -1, 1], [1, 1, 1]], [-1, -3]), ([[1, 3]], [0])
    ),
)
CUBE = network(
    ([[-1, -2, -1], [1, 0, -1]], [1, -1]), ([[-2, -1], [2, 2]], [1, -1]), ([[-1, -2]], [-2])
)
FRONT = network(
    ([[-7, 3], [2, -4], [1, 5]], [5, 9, -1]),
    ([[-7, 7, 1], [5, -3, 5]], [-6, 9]),
    ([[-3, 6], [7, -1]], [-5, 8]),
    ([[-7, 2]], [0]),
)
# ReLU(min(y, x - y)) - ReLU(min(-y, x + y)) breaks along four rays in a half plane
FOUR = network(
    ([[0, 1], [0, -1], [-1, 2], [-1, -2]], [0] * 4),
    ([[1, -1, -1, 0], [-1, 1, 0, -1]], [0, 0]),
    ([[1, -1]], [0]),
)
EIGHT = [[1, 0], [2, 1], [1, 1], [-2, 1], [-1, 0], [-2, -1], [1, -1], [2, -1]]
AROUND = [[1, 0], [0, 1], [-1, 1], [-1, 0], [0, -1], [1, -1]]


def some_points(document: dict[str, Any], part: slice) -> dict[str, Any]:
    """Only a part of the points, which is enough."""
    evidence = document["evidence"]
    return {**document, "evidence": {**evidence, "points": evidence["points"][part]}}


def documents() -> dict[str, dict[str, Any]]:
    lifted = [[2 * a - c, b, c - a] for (a, b), c in zip(AROUND, (5, 0, -3, 1, 2, 4))]
    half = ["-1/2", 0, "1/2"]
    return {
        "not_shallow_bend": not_shallow(BENT, None, [0, 0], [-1, 0], [0, 1]),
        "not_shallow_space": not_shallow(
            BENT_SPACE, box((-1, 1), (-1, 1), (0, 3)), half, [-2, 0, 1], [1, 3, 0]
        ),
        "not_supertransversal_lines": not_supertransversal_function(
            CONCURRENT, None, [0, 0], AROUND
        ),
        "not_supertransversal_four": not_supertransversal_function(FOUR, None, [0, 0], EIGHT),
        "not_supertransversal_space": not_supertransversal_function(
            PENCIL, box((-9, 9), (-9, 9), (-9, 9)), [1, 0, -1], lifted
        ),
        "tight_fiber_exchange": tight_fiber(EXCHANGE[0], None, [EXCHANGE[1]]),
        "tight_fiber_clip": tight_fiber(CLIP[0], None, [CLIP[1]]),
        "tight_fiber_line": tight_fiber(LEVELS, None),
        "tight_fiber_vanishing": tight_fiber(VANISHING, LARGE),
        "tight_fiber_space": tight_fiber(SPACE, None),
        "two_layer_fiber_poor": two_layer_fiber(POOR, None),
        "two_layer_fiber_parallel": some_points(
            two_layer_fiber(PARALLEL[0], LARGE, [PARALLEL[1]]), slice(0, None, 2)
        ),
        "two_layer_fiber_space": some_points(two_layer_fiber(CUBE, None), slice(0, None, 3)),
        "wide_front_fiber": some_points(wide_front_fiber(FRONT, LARGE), slice(18, 99, 3)),
    }
