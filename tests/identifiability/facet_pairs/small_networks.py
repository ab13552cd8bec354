"""Small random networks, many of them degenerate, and degenerate networks by name."""

from fractions import Fraction

from hypothesis import strategies as st

from exactrelu.network.network import Network
from exactrelu.polyhedra.domain import Domain


def random_network(rng, widths, entries):
    """A network with entries drawn from a list."""
    return Network(
        [[[rng.choice(entries) for _ in range(m)] for _ in range(n)] for m, n in zip(widths, widths[1:])],
        [[rng.choice(entries) for _ in range(n)] for n in widths[1:]],
    )


ENTRIES = (
    [-1, 0, 1],
    [-2, -1, 1, 2, 3],
    [Fraction(k, 7) for k in range(-9, 10)],
    [Fraction(1, 3**190), -(5**129), 2, 0],
)


@st.composite
def networks(draw):
    """Networks with at most three hidden layers of width at most four."""
    widths = [draw(st.integers(1, 3)), *draw(st.lists(st.integers(1, 4), max_size=3)), draw(st.integers(1, 2))]
    rng = draw(st.randoms(use_true_random=False))
    return random_network(rng, widths, draw(st.sampled_from(ENTRIES)))


@st.composite
def domains(draw, d):
    """Space, boxes, half spaces, tiny boxes, simplices, flat boxes."""
    kind = draw(st.sampled_from(["space", "box", "positive", "tiny", "simplex", "flat"]))
    if kind == "box":
        return Domain.box(d, [(-2, 3)])
    if kind == "positive":
        return Domain(d, [tuple([0] + [int(k == i) for k in range(d)]) for i in range(d)])
    if kind == "tiny":
        return Domain.box(d, [(Fraction(1, 3), Fraction(1, 3) + Fraction(1, 2**400))])
    if kind == "simplex":
        return Domain(d, [*[tuple([1] + [int(k == i) for k in range(d)]) for i in range(d)], tuple([2] + [-1] * d)])
    if kind == "flat":
        return Domain.box(d, [(0, 0)])
    return Domain.space(d)


HUGE = 2**1200
DEGENERATE = {
    "no hidden layer": Network([[[1, 2], [3, 4]]], [[0, 1]]),
    "zero row": Network([[[0, 0], [1, -1]], [[1, 1]]], [[0, 1], [0]]),
    "zero column": Network([[[1, 0], [2, 0]], [[1, 1]]], [[0, 1], [0]]),
    "zero outgoing column": Network([[[1, 1], [1, -1]], [[0, 1]]], [[0, 1], [0]]),
    "dead layer": Network([[[1], [2]], [[-1, -1], [-2, 0]], [[1, 1]]], [[0, 0], [-1, 0], [3]]),
    "duplicates": Network([[[1, 1], [1, 1], [2, 2]], [[1, 1, -1]]], [[1, 1, 2], [0]]),
    "opposite": Network([[[1], [-1]], [[1, 1]]], [[0, 0], [0]]),
    "width one": Network([[[1]], [[-1]], [[2]]], [[0], [1], [0]]),
    "all zero": Network([[[0], [0]], [[0, 0]]], [[0, 0], [0]]),
    "huge": Network(
        [[[HUGE, -1], [1, HUGE]], [[Fraction(1, HUGE), HUGE]], [[1]]], [[1, -HUGE], [Fraction(-1, HUGE)], [0]]
    ),
    "denormal": Network(
        [[[Fraction(1, 2**1070), Fraction(3, 2**1072)], [1, -1]], [[1, 1]]], [[Fraction(1, 2**1074), 0], [0]]
    ),
    "300 bits": Network([[[3**190, -(5**130)], [7**100, 11**87]], [[Fraction(1, 3**190), -2]]], [[5, 3**189], [1]]),
}
