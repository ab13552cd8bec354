"""True documents about what f shows of its parameter; many networks are degenerate."""

from fractions import Fraction as F
from typing import Any

from tests.checker import producers_identifiability as Q
from tests.checker.judges_identifiability import function_geometry
from tests.checker.producers import Net, box, half, network

ONE = network(([[1]], [0]), ([[1]], [0]))
LINES = network(([[1, 0], [0, 1]], [0, 0]), ([[2, 3]], [1]))
CONCURRENT = network(([[1, 0], [0, 1], [1, 1]], [0, 0, 0]), ([[2, 3, 5]], [1]))
FLAT = network(([[1, 0]], [0]), ([[2], [1]], [1, F(1, 3)]))
AFFINE = network(([[1, 2], [0, F(1, 2)]], [3, 0]))
BOX = box((F(-43, 10), F(41, 10)), (F(-39, 10), F(47, 10)))
WEDGE = half([5, 1, 1], [7, -1, 2])
SLAB_BOX = box((-4, 8), (-2, 2))
SLAB = network(([[1, 1], [-1, 0]], [0, 4]), ([[7, 8], [-6, -8]], [-27, 29]), ([[6, -1]], [3]))
DEEP = network(
    ([[1, 1], [-1, 0]], [0, 4]),
    ([[7, 8], [-6, -8]], [-29, 31]),
    ([[7, 8], [-6, -8]], [-27, 29]),
    ([[7, 1]], [3]),
)
# a neuron of layer 2 vanishes identically where both neurons of layer 1 are inactive
UNEVEN = network(([[0, 2], [-2, 1]], [0, 3]), ([[-1, -1], [-2, 1]], [3, 0]), ([[3, 2]], [-2]))
# the neurons of layer 2 vanish together along a segment; classes with large kernels are shared out
SHARED = network(
    ([[3, 0], [-3, 1], [0, -3]], [-3, 0, -2]),
    ([[-2, 3, 3], [-2, -1, -1]], [3, 3]),
    ([[2, 2]], [-1]),
)
EXHAUSTED = network(
    ([[-2, -2], [-3, 2], [0, 2]], [-1, -1, -1]),
    ([[1, 2, -1], [2, 3, -2]], [-1, -1]),
    ([[2, 3]], [0]),
)
PLANE = network(([[1, -2], [-1, -2]], [-3, 3]), ([[-1, -4], [3, 5]], [5, -4]), ([[-3, -3]], [0]))
# f = max(0, x, y) + 2 x + 3 y, a ridge with three readings
RAY = network(
    ([[1, -1], [1, 0], [0, 1]], [0, 4, 4]), ([[1, 0, 1], [0, 2, 3]], [-4, 1]), ([[1, 1]], [-21])
)
RAY_BOX = box((-2, 3), (-3, 2))
# a chain of two classes beside twins, a constant neuron and one that is dead almost everywhere
MESSY = network(
    ([[1, 0], [0, 0], [0, 1], [0, 1], [1, 0], [0, 1]], [0, -2, -3, -3, -99, 0]),
    ([[-1, 5, 0, 0, 2, 1], [0, 1, 1, 1, 0, 0]], [-1, -1]),
    ([[1, 1]], [0]),
)
BENT = network(([[1, 0], [0, 1]], [0, 0]), ([[1, 1]], [-1]), ([[1]], [0]))
WALL = box((-5, 9), (-5, 9))
# flips: neurons 0, 1, 2 have weights adding up to 0, and so have 3, 4
FLIPS = network(
    ([[1, 0], [0, 1], [-1, -1], [1, 2], [-2, -4]], [0, 1, 2, 5, -3]),
    ([[1, 1, 1, 2, 1], [3, 3, 3, 4, 2]], [0, 1]),
)
NARROW = network(([[1, 2]], [-1]), ([[1], [-1]], [-1, 2]), ([[3, 5]], [1]))
NARROW_BOX = box((-6, 6), (-6, 7))
# the negative neuron switches off before the positive one switches on, and comes first; two outputs
PLATEAU = network(([[2]], [-1]), ([[-2], [F(1, 3)]], [1, -1]), ([[3, 3], [0, 1]], [1, F(1, 2)]))
RIGHT = half([3, 1])
EMPTY = half([-1, 1], [0, -1])


def geometry(net: Net, domain: Any) -> dict[str, Any]:
    fields = function_geometry(net, domain)
    assert fields is not None
    return Q.function_geometry(net, domain, fields)


def documents() -> dict[str, dict[str, Any]]:
    """True documents of these kinds."""
    return {
        "geometry_slab": geometry(SLAB, SLAB_BOX),
        "geometry_ray": geometry(RAY, RAY_BOX),
        "geometry_plane": geometry(PLANE, None),
        "geometry_wedge": geometry(BENT, WEDGE),
        "geometry_lineality": geometry(FLAT, None),
        "geometry_line": geometry(ONE, box((-1, 1))),
        "geometry_no_layer": geometry(AFFINE, box((0, 1), (0, 1))),
        "depth_deep": Q.depth(DEEP, SLAB_BOX, 3),
        "depth_messy": Q.depth(MESSY, None, 2),
        "depth_concurrent": Q.depth(CONCURRENT, None, 1),
        "depth_line": Q.depth(ONE, None, 1),
        "depth_empty": Q.depth(ONE, EMPTY, 0),
        "supertransversal_lines": Q.unique_among_supertransversal(LINES, None),
        "supertransversal_one": Q.unique_among_supertransversal(ONE, box((-1, 1))),
        "supertransversal_slab": Q.unique_among_supertransversal(SLAB, SLAB_BOX),
        "supertransversal_plane": Q.unique_among_supertransversal(PLANE, None),
        "supertransversal_concurrent": Q.unique_among_supertransversal(CONCURRENT, None),
        "supertransversal_uneven": Q.unique_among_supertransversal(UNEVEN, BOX),
        "supertransversal_shared": Q.unique_among_supertransversal(SHARED, WEDGE),
        "supertransversal_exhausted": Q.unique_among_supertransversal(EXHAUSTED, None),
        "supertransversal_lineality": Q.unique_among_supertransversal(FLAT, None),
        "supertransversal_no_layer": Q.unique_among_supertransversal(AFFINE, None),
        "two_layers_slab": Q.two_layers(SLAB, SLAB_BOX),
        "two_layers_plane": Q.two_layers(PLANE, None),
        "shallow_lines": Q.shallow_fiber(LINES, None, 1),
        "shallow_concurrent": Q.shallow_fiber(CONCURRENT, WALL, 1),
        "shallow_flips": Q.shallow_fiber(FLIPS, None, 4),
        "shallow_line": Q.shallow_fiber(ONE, RIGHT, 1),
        "shallow_lineality": Q.shallow_fiber(FLAT, WALL, 1),
        "width_one_narrow": Q.width_one(NARROW, NARROW_BOX),
        "width_one_plateau": Q.width_one(PLATEAU, RIGHT),
        "randomized_lines": Q.randomized(LINES, None, 39, 10),
        "randomized_slab": Q.randomized(SLAB, SLAB_BOX, 90, 8),
    }
