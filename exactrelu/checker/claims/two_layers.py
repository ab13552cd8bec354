"""Two hidden layers: conditions for uniqueness among all parameters of the architecture.

The complex of the network is supertransversal and zero-count generic, walls included (theorem
`skeleton`), and f bends at every facet.  H_v is the hyperplane of neuron v of layer 1.  A *bend
flat* is the affine hull of a ridge where v of layer 1 and w of layer 2 vanish and the weight W_wv
is not 0.  Conditions:

C1  Every family of at most n_1 hyperplanes that contains each bend flat in one member, other
    than {H_v}, consists of n_1 hyperplanes and leaves on one side pattern more than n_2 different
    hyperplanes of facets outside the family.
C2  Some cell of the arrangement {H_v} meets all n_2 sheets of layer 2, and from it one reaches
    every pair: w gets v if a ridge of v and w lies on a wall of a known cell; cells behind walls of
    neurons v that all w have got become known.
C3  No set T != {} of neurons of layer 1 (layer 2) has sum_{v in T} (outgoing column of v) (x) (row
    of weights of v) = 0.

**Theorem (two layers).**  Then every parameter eta of the architecture, with no condition at all,
that has the same values on the domain is equivalent to the network.

*Proof.*  *Layer 1.*  Let G be the hyperplanes of layer 1 of eta that meet int P.  On a
component of int P without G, f is a network with one hidden layer of n_2 neurons: it breaks
along at most n_2 hyperplanes, and at every break along the whole of one near each of its
points.  Near a ridge of a bend flat all four facets are visible and the sheet of w turns at
H_v, so f is not of that form: the ridge, convex, lies in one member of G, and with it the
flat.  By C1, G = {H_v} or f breaks along more than n_2 hyperplanes in one component, so G =
{H_v}, n_1 different ones, and the rows of layer 1 of eta are multiples != 0 of those of the
network, one each.
*Layer 2.*  On the start cell C both networks are shallow, f breaks along n_2 hyperplanes, which
are different by supertransversality, so each is the zero set of one neuron u of eta: z_u =
lambda_w z_w on C, lambda_w != 0.  This extends: let it hold on a cell D for all pairs (u, w),
let a ridge of v and w lie on its wall in H_v, with D' on the other side.  At a point x of the
ridge the other z_{w'} are not 0 and so, being continuous, neither are the other z_{u'} of
eta.  The sheet of w continues in D', f breaks there, and so z_u vanishes on it: z_u = mu z_w in
D'; both are continuous along H_v, where z_w is not constantly 0 near x: mu = lambda_w.  So z_u
- lambda_w z_w has no kink at H_v near x, nor anywhere along H_v, since that kink has one size
along H_v.  If all w have got v, the identity crosses all walls of v.  In the end z_u = lambda_w
z_w on all of P, for all pairs. *Signs.*  Let T be the neurons of layer 1 that eta has with the
other sign.  The kinks agree along every H_v, so lambda_w sum_{v in T} W_wv z_v is constant for
every w; by C3, T = {}.  The rows of layer 2 are then lambda_w W_w, as the ReLU(z_v) and 1 are
independent on P (each H_v meets int P: else the others would be a family of n_1 - 1
members).  The jumps across the sheets of layer 2 give the outgoing columns after scaling by
|lambda_w|.  For the w with lambda_w < 0 the sum of (column) z_w is constant on P, so there are
none, by C3; the output bias follows.  QED

*Search for C1.*  The first flat not yet contained is put into some member: one through another
such flat, an H_v, or *free* (through none of these).  All families of C1 are reached, a free
member standing for infinitely many; a family with a free member, or complete with fewer than n_1
members, refuses the document.
"""

from collections.abc import Iterable, Sequence
from itertools import combinations

from exactrelu.checker.claims.function_geometry import Classes, zero_neurons
from exactrelu.checker.claims.geometry import scene
from exactrelu.checker.claims.kernels import kernel, primitive
from exactrelu.checker.claims.shallow_fiber import flip_sets
from exactrelu.checker.claims.skeleton import Skeleton
from exactrelu.checker.document import Json, Point, Row, Rule, field, points, require, spend
from exactrelu.checker.linear import dot, rank
from exactrelu.checker.network import Network, inside

Hyperplane = tuple[int, ...]
Flat = tuple[Row, Row]  # two affine rows that vanish on it


def identifiable_two_layers(claim: Json, evidence: Json) -> None:
    """Every parameter of the architecture (two hidden layers) with the same values on the domain
    is equivalent to the network (permutation and positive scaling)."""
    network, walls = scene(claim)
    require(network.depth == 2, "the network has not exactly two hidden layers")
    skeleton = Skeleton(network, walls, field(evidence, "vertices", list))
    require(network.dim == network.inputs, "the complex has lineality")
    facets, ridges = skeleton.cells(1), skeleton.cells(2)
    classes = Classes(network, [], [])
    seen = all(classes.visible(code, *zero_neurons(network, code)) for code in facets)
    require(seen, "f does not bend at a facet")
    flats = bend_flats(network, ridges)
    sheets = []
    for x in points(evidence["points"], network.inputs):
        here = inside(network, walls, x)
        require(len(here.zeros) == 1, "a point is on no facet")
        sheets.append((x, primitive(here.zeros[0][1])))
    check_covers(network, flats, sheets)
    require(reaches_all(network, facets, ridges), "the closure does not reach every pair (C2)")
    for k in (0, 1):
        columns = [list(column) for column in zip(*network.W[k + 1], strict=True)]
        unique = flip_sets(network.W[k], columns) == 1
        require(unique, f"hidden layer {k + 1} has a set of flips (C3)")


def bend_flats(network: Network, ridges: Iterable[int]) -> list[Flat]:
    """The different flats, each by two rows."""
    first = network.widths[1]
    found: dict[tuple[tuple[int, ...], ...], Flat] = {}
    for code in sorted(ridges):
        v, w = zero_neurons(network, code)
        if v < first <= w and network.W[1][w - first][v]:
            nodes = network.nodes(code)
            flat = (nodes[0].rows[v], nodes[1].rows[w - first])
            found[tuple(map(tuple, kernel(flat, network.dim + 1)))] = flat
    return list(found.values())


def check_covers(
    network: Network, flats: list[Flat], sheets: Sequence[tuple[Point, Hyperplane]]
) -> None:
    """C1, with the sheets at the points of the evidence."""
    own = {primitive(row) for row in network.root.rows}
    require(len(own) == network.widths[1], "two neurons of layer 1 have one hyperplane (C1)")
    for family in sorted(map(sorted, covers(flats, own) - {frozenset(own)})):
        sides: dict[tuple[bool, ...], set[Hyperplane]] = {}
        for x, sheet in sheets:
            spend(10 * len(family) * len(x))
            values = [dot(h, x) for h in family]
            if all(values):
                sides.setdefault(tuple(z > 0 for z in values), set()).add(sheet)
        most = max(map(len, sides.values()), default=0)
        require(most > network.widths[2], "another family of hyperplanes is not excluded (C1)")


def incidence(flats: list[Flat], own: set[Hyperplane]) -> dict[Hyperplane, int]:
    """The first-layer hyperplanes and all through two flats, with the set (bits) of flats in them.

    A hyperplane through three flats is met as the one of each pair, so its set is complete.
    """
    spend(50 * len(own) * len(flats))
    found = {h: sum(1 << i for i, flat in enumerate(flats) if contains(h, flat)) for h in own}
    for (i, one), (j, two) in combinations(enumerate(flats), 2):
        if (h := common(one, two)) is not None:
            found[h] = found.get(h, 0) | 1 << i | 1 << j
    return found


def covers(flats: list[Flat], own: set[Hyperplane]) -> set[frozenset[Hyperplane]]:
    """All families of at most len(own) hyperplanes that contain all flats; none has a free
    member or fewer members."""
    found: set[frozenset[Hyperplane]] = set()
    inside = incidence(flats, own)
    stack: list[tuple[int, tuple[Hyperplane | None, ...]]] = [((1 << len(flats)) - 1, ())]
    while stack:
        left, family = stack.pop()
        spend(20 * (len(inside) + len(own) + 1))
        if not left:
            exact = {h for h in family if h is not None}
            free = len(exact) < len(own)
            require(not free, "a family with a free hyperplane contains all bend flats (C1)")
            found.add(frozenset(exact))
        elif len(family) < len(own):
            flat = left & -left
            rest = left ^ flat
            stack.append((rest, (*family, None)))
            stack += [
                (rest & ~flats_of, (*family, h))
                for h, flats_of in inside.items()
                if flats_of & flat and (flats_of & rest or h in own)
            ]
    return found


def contains(h: Hyperplane, flat: Flat) -> bool:
    """The flat lies in the hyperplane."""
    return rank([h, *flat]) == 2


def common(one: Flat, other: Flat) -> Hyperplane | None:
    """The hyperplane through two different flats, if there is one."""
    relations = kernel(list(zip(*one, *other, strict=True)), 4)
    if len(relations) != 1:
        return None
    a, b = relations[0][:2]
    return primitive([a * x + b * y for x, y in zip(*one, strict=True)])


def reaches_all(network: Network, facets: Iterable[int], ridges: Iterable[int]) -> bool:
    """C2, from some cell that meets all sheets of layer 2."""
    first = network.widths[1]
    later = range(first, network.hidden)
    low = (1 << 2 * first) - 1
    met: dict[int, set[int]] = {}
    beside: dict[int, set[tuple[int, int]]] = {}  # cell -> neuron of a wall, cell behind it
    pairs: dict[int, set[tuple[int, int]]] = {}  # cell -> v, w with a ridge on a wall of v
    for code in facets:
        (j,) = zero_neurons(network, code)
        if j in later:
            met.setdefault(code & low, set()).add(j)
        else:
            one, two = (code & low) + (1 << 2 * j), (code & low) + (2 << 2 * j)
            beside.setdefault(one, set()).add((j, two))
            beside.setdefault(two, set()).add((j, one))
    for code in ridges:
        v, w = zero_neurons(network, code)
        if v < first <= w:
            for side in (1, 2):
                pairs.setdefault((code & low) + (side << 2 * v), set()).add((v, w))
    return any(
        _closure(start, first, later, beside, pairs)
        for start, sheets in met.items()
        if len(sheets) == len(later)
    )


def _closure(
    start: int,
    first: int,
    later: Iterable[int],
    beside: dict[int, set[tuple[int, int]]],
    pairs: dict[int, set[tuple[int, int]]],
) -> bool:
    known, got = {start}, {w: set[int]() for w in later}
    while True:
        before = len(known), sum(map(len, got.values()))
        spend(len(known) * (first + 1) * (len(got) + 1))
        for cell in known:
            for v, w in pairs.get(cell, ()):
                got[w].add(v)
        crossed = set.intersection(*got.values())
        known |= {two for cell in known for v, two in beside.get(cell, ()) if v in crossed}
        if before == (len(known), sum(map(len, got.values()))):
            return len(crossed) == first


KINDS = {
    "identifiable-two-layers": Rule(
        identifiable_two_layers,
        "network domain",
        "vertices points",
        ("skeleton", "face order", "local normal form", "two layers"),
    )
}
