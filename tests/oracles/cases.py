"""Small networks and domains, most of them degenerate, on which the engine is compared with the oracles."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from random import Random

from exactrelu.network.network import Network
from exactrelu.polyhedra.domain import Domain
from tests.oracles.sign_enumeration import SignComplex


@dataclass(frozen=True)
class Case:
    name: str
    network: Network
    domain: Domain

    def __str__(self) -> str:
        return self.name


def layers(*pairs: tuple[list[list[int]], list[int]]) -> Network:
    """The network with these (rows, biases), layer by layer."""
    return Network(tuple(rows for rows, _ in pairs), tuple(biases for _, biases in pairs))  # type: ignore[arg-type]


def random_network(seed: int, *widths: int, height: int = 1, bias: int | None = None, zeros: int = 0) -> Network:
    """Weights in {-height..height}, biases in {-bias..bias}; `zeros` more chances of a zero weight."""
    rng = Random(seed)
    most = height if bias is None else bias

    def weight() -> int:
        k = rng.randrange(2 * height + 1 + zeros) - height
        return k if k <= height else 0

    weights = [[[weight() for _ in range(m)] for _ in range(n)] for m, n in zip(widths, widths[1:])]
    biases = [[rng.randint(-most, most) for _ in range(n)] for n in widths[1:]]
    return Network(weights, biases)  # type: ignore[arg-type]


SPACE = {d: Domain.space(d) for d in range(1, 5)}
SQUARE = Domain.box(2, [(-1, 1)])
DOMAINS: dict[str, Domain] = {
    "line": SPACE[1], "plane": SPACE[2], "space": SPACE[3], "four": SPACE[4],
    "interval": Domain.box(1, [(-2, 3)]), "ray": Domain(1, ((1, 1),)),
    "point": Domain(1, ((1, -1), (-1, 1))),
    "square": SQUARE, "oblong": Domain.box(2, [(-3, "5/2"), ("-1/2", 2)]), "cube": Domain.box(3, [(-2, 1)]),
    "unit cube": Domain.box(3, [(0, 1)]), "tesseract": Domain.box(4, [(-1, 1)]),
    "half-plane": Domain(2, ((1, 1, -2),)), "half-space": Domain(3, ((0, 1, 1, -1),)),
    "strip": Domain(2, ((1, 1, 1), (2, -1, -1))), "slab": Domain(3, ((1, 0, 1, 0), (1, 0, -1, 0))),
    "quadrant": Domain(2, ((0, 1, 0), (0, 0, 1))), "orthant": Domain(3, ((0, 1, 0, 0), (0, 0, 1, 0), (0, 0, 0, 1))),
    "orthant 4": Domain(4, tuple((0, *(int(i == k) for i in range(4))) for k in range(4))),
    "wedge": Domain(3, ((0, 1, 0, 0), (1, -1, 2, 0))), "narrow wedge": Domain(2, ((0, 1, -2), (0, -1, 3))),
    "pointed": Domain(2, ((2, 1, 0), (0, 1, 1), (1, -1, 2))),
    "pointed 3": Domain(3, ((1, 1, 0, 0), (1, 0, 1, 0), (1, 1, 1, 1), (2, 0, 0, -1), (3, 1, 1, -1))),
    "segment": Domain(2, ((0, 1, -1), (0, -1, 1), (1, 1, 0), (2, 0, -1))),
    "tilted line": Domain(2, ((1, 1, 2), (-1, -1, -2))),
    "half-line": Domain(2, ((0, 1, -1), (0, -1, 1), (1, 1, 0))),
    "square in space": Domain(3, ((-1, 1, 1, 1), (1, -1, -1, -1), (1, 1, 0, 0), (1, -1, 0, 0), (1, 0, 1, 0), (1, 0, -1, 0))),
    "plane in space": Domain(3, ((0, 1, -1, 1), (0, -1, 1, -1))),
    "square cone": Domain(3, ((0, 1, 0, 1), (0, -1, 0, 1), (0, 0, 1, 1), (0, 0, -1, 1))),
    "pyramid": Domain(3, ((1, 1, 0, -1), (1, -1, 0, -1), (1, 0, 1, -1), (1, 0, -1, -1), (0, 0, 0, 1))),
    "triangle": Domain(2, ((1, 1, 0), (1, 0, 1), (1, -1, -1))),
    "simplex": Domain(3, ((0, 1, 0, 0), (0, 0, 1, 0), (0, 0, 0, 1), (2, -1, -1, -1))),
    "redundant": Domain(2, ((1, 1, 0), (2, 2, 0), (1, 1, 0), (1, -1, 0), (1, 0, 1), (1, 0, -1), (5, 1, 1), (2, 1, 1), (3, 0, 0))),
    "zero row": Domain(2, ((0, 0, 0), (1, 1, 1))),
    "hidden point": Domain(2, ((0, 1, 0), (0, 0, 1), (0, -1, -2), (4, 1, 1))),
    "hidden segment": Domain(3, ((0, 1, 1, 0), (0, -1, 0, 0), (0, 0, -1, 0), (2, 0, 0, 1), (1, 0, 0, -1))),
}


def _named() -> dict[str, tuple[Network, str]]:
    three_rays = layers(([[1, 0], [1, -1], [-1, 0]], [0, 0, 0]), ([[0, 1, 0], [1, 0, -1]], [0, 0]), ([[1, 1]], [0]))
    absolute = layers(([[1, 0], [-1, 0], [0, 1], [0, -1]], [0] * 4), ([[-1, -1, -1, -1], [1, 1, -1, -1]], [0, 0]), ([[1, 1]], [0]))
    touching = layers(([[1], [-1]], [0, 1]), ([[2, 1]], [-1]), ([[1]], [0]))
    dead_layer = layers(([[1, 1], [1, -1]], [0, 0]), ([[-1, -1], [-2, 0]], [0, -1]), ([[1, 1]], [1]))
    zero_first = layers(([[0, 0], [0, 0], [0, 0]], [1, 0, -1]), ([[1, 1, 1], [1, -1, 0]], [-1, 0]), ([[1, 2]], [0]))
    rank_one = layers(([[1, 1, 0], [2, 2, 0], [-1, -1, 0]], [0, -1, 2]), ([[1, -1, 1], [0, 1, -1]], [-1, 0]), ([[1, 1]], [0]))
    rank_two = layers(([[1, 0, -1], [0, 1, -1], [1, -1, 0]], [0, 0, 0]), ([[1, 1, -1], [1, -1, 1]], [-1, 1]), ([[1, -1]], [0]))
    twins = layers(([[1, 2], [1, 2], [-1, -2], [2, -1]], [1, 1, -1, 0]), ([[1, -1, 1, 1], [1, 0, 1, -1]], [0, 0]), ([[1, 1]], [0]))
    concurrent = layers(([[1, 0], [0, 1], [1, 1], [1, -1]], [-1, -1, -2, 0]), ([[1, 1, -1, 0], [1, -1, 0, 1]], [0, 0]), ([[1, 1]], [0]))
    parallel = layers(([[1, 1], [1, 1], [-1, -1], [1, -1]], [0, -1, 2, 0]), ([[1, -2, 0, 1], [0, 1, 1, -1]], [-1, -1]), ([[1, 1]], [0]))
    width_one = layers(([[1, -1]], [0]), ([[1], [-1], [2]], [-1, 2, -2]), ([[1, 1, -1]], [0]), ([[1]], [3]))
    narrow = layers(([[1, 0], [0, 1], [1, 1]], [0, 0, -1]), ([[1, 1, -2]], [-1]), ([[1], [-1]], [-1, 1]), ([[1, 2]], [0]))
    cancelling = layers(([[1, 0], [1, 0], [0, 1]], [0, 0, 0]), ([[1, -1, 0], [0, 0, 1]], [0, 0]), ([[1, 0]], [0]))
    constant = layers(([[1, 0], [0, 1]], [0, 0]), ([[0, 0], [1, 1]], [1, -1]), ([[1, 1]], [0]))
    generic = layers(([[-2, -3], [9, -4], [1, 2], [0, -1]], [1, 1, 3, 9]),
                     ([[-7, 2, -2, 5], [-3, 8, -2, 7], [3, -3, 3, -3], [-4, -1, 3, 6]], [-9, -2, -8, -5]), ([[-5, 8, -2, 9]], [5]))
    invisible = layers(([[1, 0], [0, 1], [1, -1]], [0, 0, 0]), ([[1, 0, 0], [1, 1, 0]], [-1, -2]), ([[0, 0]], [1]))
    octahedral = layers(([[1, 0, 0], [-1, 0, 0], [0, 1, 0], [0, -1, 0], [0, 0, 1], [0, 0, -1]], [0] * 6), ([[1] * 6, [-1] * 6], [-1, 0]),
                        ([[1, 1]], [0]))
    saw = layers(([[1], [1]], [0, -1]), ([[2, -4], [2, -4]], [0, -1]), ([[2, -4], [1, 1]], [0, -1]), ([[2, -4]], [0]))
    two_outputs = layers(([[1, 1], [1, -1], [0, 1]], [0, 1, -1]), ([[1, 1, 0], [0, 1, -1]], [-1, 0]), ([[1, -1], [0, 1]], [0, 2]))
    one_layer = layers(([[1, 2], [2, -1], [0, 0]], [1, -1, -1]), ([[1, 1, 1]], [0]))
    outside = layers(([[1, 0], [0, 1], [1, 1]], [0, 0, -9]), ([[1, 1, 1]], [0]))
    return {
        "one layer, dead neuron": (one_layer, "plane"), "one layer, hyperplane outside": (outside, "square"),
        "three rays": (three_rays, "plane"), "tangent at a vertex": (absolute, "plane"), "tangent in a square": (absolute, "square"),
        "touching from above": (touching, "line"), "touching, interval": (touching, "interval"), "dead layer": (dead_layer, "plane"),
        "dead layer, quadrant": (dead_layer, "quadrant"), "constant first layer": (zero_first, "plane"),
        "constant first layer, square": (zero_first, "square"), "rank one": (rank_one, "space"), "rank one, slab": (rank_one, "slab"),
        "rank two": (rank_two, "space"), "rank two, pyramid": (rank_two, "pyramid"), "rank two, half-space": (rank_two, "half-space"),
        "rank two, plane": (rank_two, "plane in space"),
        "twins": (twins, "plane"), "twins, strip": (twins, "strip"), "twins, segment": (twins, "segment"),
        "concurrent": (concurrent, "plane"),
        "concurrent, triangle": (concurrent, "triangle"), "concurrent, redundant": (concurrent, "redundant"),
        "concurrent, half-line": (concurrent, "half-line"),
        "parallel": (parallel, "plane"), "parallel, half-plane": (parallel, "half-plane"),
        "parallel, tilted line": (parallel, "tilted line"),
        "parallel, oblong": (parallel, "oblong"), "width one": (width_one, "plane"), "width one, pointed": (width_one, "pointed"),
        "narrow": (narrow, "plane"), "narrow, wedge": (narrow, "narrow wedge"), "narrow, redundant": (narrow, "redundant"),
        "cancelling": (cancelling, "plane"), "constant neuron": (constant, "plane"), "constant neuron, square": (constant, "square"),
        "all conditions": (generic, "plane"), "all conditions, square": (generic, "square"),
        "all conditions, wedge": (generic, "narrow wedge"),
        "invisible": (invisible, "plane"), "octahedron": (octahedral, "space"), "octahedron, cube": (octahedral, "cube"),
        "concurrent, zero row": (concurrent, "zero row"), "narrow, zero row": (narrow, "zero row"),
        "saw": (saw, "line"), "saw, interval": (saw, "interval"), "saw, ray": (saw, "ray"), "saw, point": (saw, "point"),
        "two outputs": (two_outputs, "plane"), "two outputs, square": (two_outputs, "square"),
        "two outputs, hidden point": (two_outputs, "hidden point"),
        "rank two, hidden segment": (rank_two, "hidden segment"), "octahedron, hidden segment": (octahedral, "hidden segment"),
    }


def _random() -> dict[str, tuple[Network, str]]:
    """One seeded network per line: (domain, widths, height of weights, height of biases)."""
    lines = [
        ("line", (1, 3, 3, 1), 2, 2), ("interval", (1, 2, 2, 2, 1), 2, 2), ("ray", (1, 3, 2, 1), 1, 1), ("line", (1, 1, 1, 1, 1), 1, 1),
        ("plane", (2, 3, 3, 1), 1, 1), ("plane", (2, 3, 3, 1), 1, 0), ("plane", (2, 4, 3, 1), 2, 2), ("plane", (2, 2, 2, 2, 1), 1, 1),
        ("plane", (2, 3, 2, 2, 2), 2, 1), ("square", (2, 4, 2, 1), 1, 1), ("square", (2, 2, 3, 2, 1), 2, 1), ("oblong", (2, 3, 3, 1), 2, 2),
        ("half-plane", (2, 3, 3, 1), 1, 1), ("strip", (2, 3, 2, 1), 1, 2), ("quadrant", (2, 3, 3, 1), 1, 0),
        ("narrow wedge", (2, 3, 3, 1), 2, 0),
        ("pointed", (2, 3, 3, 2), 1, 1), ("triangle", (2, 2, 2, 2, 1), 1, 1), ("segment", (2, 3, 3, 1), 1, 1),
        ("hidden point", (2, 2, 2, 1), 1, 0),
        ("space", (3, 3, 2, 1), 1, 1), ("space", (3, 4, 2, 1), 1, 0), ("space", (3, 2, 2, 2, 1), 2, 2), ("cube", (3, 3, 2, 1), 1, 1),
        ("unit cube", (3, 3, 3, 1), 2, 2), ("slab", (3, 3, 2, 1), 1, 1), ("orthant", (3, 3, 2, 1), 1, 0), ("wedge", (3, 3, 2, 1), 1, 1),
        ("pointed 3", (3, 3, 2, 1), 1, 1), ("square in space", (3, 3, 3, 1), 1, 1), ("square cone", (3, 3, 2, 1), 1, 0),
        ("pyramid", (3, 3, 2, 1), 1, 1),
        ("simplex", (3, 3, 2, 1), 1, 1), ("four", (4, 3, 2, 1), 1, 1), ("four", (4, 5, 1), 2, 2), ("tesseract", (4, 3, 1, 1), 1, 1),
        ("orthant 4", (4, 3, 2, 1), 1, 0), ("plane in space", (3, 4, 2, 1), 1, 1),
    ]
    return {f"random {k}, {where}": (random_network(100 + k, *widths, height=height, bias=bias, zeros=k % 2), where)
            for k, (where, widths, height, bias) in enumerate(lines)}


CASES = tuple(Case(name, network, DOMAINS[where]) for name, (network, where) in {**_named(), **_random()}.items())
BY_NAME = {case.name: case for case in CASES}


FULL_DIMENSIONAL = tuple(case for case in CASES if not any(part in case.name for part in (
    "segment", "half-line", "tilted line", "in space", "point", "rank two, plane")) or "pointed" in case.name)
"""The cases whose domain has interior points."""


def many(count: int, start: int = 0) -> tuple[Case, ...]:
    """More seeded networks, on every domain in turn."""
    names = list(DOMAINS)
    out = []
    for k in range(start, start + count):
        rng = Random(k)
        where = names[k % len(names)]
        d = DOMAINS[where].dimension
        widest = {1: 4, 2: 4, 3: 3, 4: 3}[d]
        hidden = [rng.randint(1, widest) for _ in range(rng.randint(1, 3 if d < 3 else 2))]
        outputs, height, bias, zeros = rng.randint(1, 2), rng.randint(1, 2), rng.randint(0, 2), rng.randint(0, 2)
        network = random_network(k, d, *hidden, outputs, height=height, bias=bias, zeros=zeros)
        out.append(Case(f"seed {k}, {where}, {network}", network, DOMAINS[where]))
    return tuple(out)


def larger(count: int, start: int = 0) -> tuple[Case, ...]:
    """Seeded networks with 5 to 9 hidden neurons and rational entries: some generic, some with rows repeated, negated or zero."""
    names = [name for name in DOMAINS if name not in ("zero row", "tesseract")]
    out = []
    for k in range(start, start + count):
        rng = Random(-1 - k)
        where = names[k % len(names)]
        d = DOMAINS[where].dimension
        first = rng.randint(3, 5)
        widths = (d, first, *((rng.randint(2, 4),) if k % 2 else (2, 2)), rng.randint(1, 2))
        height, denominators = rng.choice(((1, (1,)), (3, (1, 2)), (9, (1,)), (9, (1, 2, 3, 7))))
        weights, biases = [], []
        for m, n in zip(widths, widths[1:]):
            rows = [[Fraction(rng.randint(-height, height), rng.choice(denominators)) for _ in range(m + 1)] for _ in range(n)]
            if rng.random() < 0.4:  # one row repeats another, up to a factor
                factor = rng.choice((-1, 0, 1, Fraction(1, 2), -2))
                rows[rng.randrange(n)] = [factor * x for x in rng.choice(rows)]
            if rng.random() < 0.3:  # one hyperplane is moved parallel
                rows[-1] = [*rows[0][:-1], rows[0][-1] + rng.randint(-1, 1)]
            if rng.random() < 0.3:
                rows = [[*row[:-1], Fraction(0)] for row in rows]
            weights.append([row[:-1] for row in rows])
            biases.append([row[-1] for row in rows])
        network = Network(weights, biases)  # type: ignore[arg-type]
        out.append(Case(f"larger {k}, {where}, {network}", network, DOMAINS[where]))
    return tuple(out)


@cache
def oracle(case: Case) -> SignComplex:
    """The enumeration of a case, made once."""
    return SignComplex(case.network, case.domain)
