"""Judges of claims about what f shows of its parameter, by brute force (see `judges`).

Uniqueness among all (supertransversal) parameters cannot be decided by brute force.  For these
kinds the judge tests necessary conditions: no parameter made by flips of neurons has the same
function, and, among all parameters, none nearby (full functional dimension).  One hidden layer, and
a layer of one neuron before two, are decided exactly.
"""

from fractions import Fraction as F
from itertools import combinations, product
from math import comb
from typing import Any

from tests.checker import oracle

Ray = tuple[F, F]


def independent(rows: list[oracle.Row]) -> list[oracle.Row]:
    chosen: list[oracle.Row] = []
    for row in rows:
        if oracle.rank([*chosen, row]) > len(chosen):
            chosen.append(row)
    return chosen


def cross(a: Ray, b: Ray) -> F:
    return a[0] * b[1] - a[1] * b[0]


def opposite(a: Ray, b: Ray) -> bool:
    return cross(a, b) == 0 and a[0] * b[0] + a[1] * b[1] < 0


def separates(a: Ray, b: Ray, c: Ray) -> bool:
    """The line of a leaves b and c strictly on different sides."""
    return cross(a, b) * cross(a, c) < 0


Reading = tuple[list[tuple[int, int]], tuple[int, int] | None]


def picture(rays: list[Ray]) -> Reading | str:
    """Pairs to glue and the arc (earlier ray, later ray), or `ambiguous`, or `impossible`."""
    n = len(rays)
    pairs = [(i, j) for i, j in combinations(range(n), 2) if opposite(rays[i], rays[j])]
    if n == 0:
        return [], None
    if n == 2 and len(pairs) == 1:
        return pairs, None
    if n == 4 and len(pairs) == 2 and len({*pairs[0], *pairs[1]}) == 4:
        return pairs, None
    if n == 4 and len(pairs) == 1:
        (a, b), (c, d) = pairs[0], tuple(i for i in range(4) if i not in pairs[0])
        if separates(rays[a], rays[c], rays[d]):
            return [(a, b), (c, d)], (a, c)
    if n == 3 and not pairs:
        lone = []
        for i in range(3):
            j, k = (m for m in range(3) if m != i)
            if separates(rays[i], rays[j], rays[k]):
                lone.append((i, j, k))
        if len(lone) == 3:
            return "ambiguous"
        if len(lone) == 1:
            i, j, k = lone[0]
            return [(j, k)], (i, j)
    return "impossible"


def function_geometry(net: dict[str, Any], domain: Any) -> dict[str, Any] | None:
    """Classes, arcs and bounds read off f; None: no supertransversal parameter has f."""
    whole = oracle.complex_of(net, domain)
    shown = []
    for facet in whole.facets:
        one, two = whole.sides(facet)
        if one.output != two.output:
            shown.append(facet)
    group = {facet.signs: facet.signs for facet in shown}
    arcs, ambiguous = [], 0
    for ridge in whole.cells:
        if ridge.dimension != whole.d - 2:
            continue
        axes = independent([row[1:] for row, op in ridge.constraints if op == "="])
        near = [facet for facet in shown if oracle.below(ridge.signs, facet.signs)]
        rays = []
        for facet in near:
            step = [x - y for x, y in zip(facet.point, ridge.point)]
            x, y = (sum((a * s for a, s in zip(axis, step)), F(0)) for axis in axes)
            rays.append((x, y))
        found = picture(rays)
        if found == "ambiguous":
            ambiguous += 1
            continue
        if isinstance(found, str):
            return None
        glue, arc = found
        for i, j in glue:
            old, new = group[near[i].signs], group[near[j].signs]
            group = {facet: new if g == old else g for facet, g in group.items()}
        if arc:
            arcs.append((near[arc[0]].signs, near[arc[1]].signs))
    names = sorted(set(group.values()))
    pairs = {(group[a], group[b]) for a, b in arcs}
    lo, down = longest(names, pairs), longest(names, {(b, a) for a, b in pairs})
    if lo is None or down is None:
        return None
    return {
        "classes": len(names),
        "arcs": len(pairs),
        "ambiguous_ridges": ambiguous,
        "bounds": sorted([lo[p], down[p]] for p in names),
    }


def longest(names: list[Any], pairs: set[tuple[Any, Any]]) -> dict[Any, int] | None:
    """The number of names on the longest path that ends at each; None if there is a cycle."""
    length = dict.fromkeys(names, 1)
    for _ in range(len(names) + 1):
        before = dict(length)
        for a, b in pairs:
            length[b] = max(length[b], length[a] + 1)
        if before == length:
            return length
    return None


def supertransversal(net: dict[str, Any], domain: Any) -> bool:
    whole = oracle.complex_of(net, domain)
    return all(c.signs.count(0) == whole.d - c.dimension for c in whole.cells)


def flipped(net: dict[str, Any], domain: Any) -> list[dict[str, Any]]:
    """Parameters with the rows of some neurons of one layer negated, and the next biases set so
    that the values at one point agree."""
    weights, biases = oracle.arrays(net)
    whole = oracle.complex_of(net, domain)
    point = whole.full[0].point if whole.full else None
    found: list[dict[str, Any]] = []
    if point is None:
        return found
    z, _ = oracle.forward(net, point)
    start = 0
    for k, width in enumerate(oracle.widths(net)):
        own = z[start : start + width]
        start += width
        for size in range(1, width + 1):
            for chosen in combinations(range(width), size):
                w, b = oracle.arrays(net)
                for j in chosen:
                    w[k][j] = [-x for x in weights[k][j]]
                    b[k][j] = -biases[k][j]
                for i, row in enumerate(weights[k + 1]):
                    b[k + 1][i] += sum((row[j] * own[j] for j in chosen), F(0))
                found.append(
                    {
                        "architecture": net["architecture"],
                        "weights": [[[str(x) for x in row] for row in rows] for rows in w],
                        "biases": [[str(x) for x in row] for row in b],
                    }
                )
    return found


def same_values(a: dict[str, Any], b: dict[str, Any], domain: Any) -> bool:
    points = [c.point for c in oracle.complex_of(a, domain).cells]
    if any(oracle.forward(a, x)[1] != oracle.forward(b, x)[1] for x in points):
        return False
    return oracle.equal(a, b, domain)


def no_flip(claim: dict[str, Any], only_supertransversal: bool) -> bool:
    net, domain = claim["network"], claim["domain"]
    for other in flipped(net, domain):
        if same_values(net, other, domain) and not oracle.equivalent(net, other):
            if not only_supertransversal or supertransversal(other, domain):
                return False
    return True


def full_dimension(claim: dict[str, Any]) -> bool:
    net = claim["network"]
    expected = len(oracle.parameters(net)) - sum(oracle.widths(net))
    return oracle.functional_dimension(net, claim["domain"]) == expected


def depth(claim: dict[str, Any]) -> bool:
    found = function_geometry(claim["network"], claim["domain"])
    if found is None:
        return True
    return max((lo for lo, _ in found["bounds"]), default=0) >= claim["depth"]


def whole_geometry(claim: dict[str, Any]) -> bool:
    found = function_geometry(claim["network"], claim["domain"])
    stable = oracle.describe(claim["network"], claim["domain"]) is not None
    return stable and found is not None and all(claim[k] == v for k, v in found.items())


def shallow_fiber(claim: dict[str, Any]) -> bool:
    net, domain = claim["network"], claim["domain"]
    weights, biases = oracle.arrays(net)
    if len(weights) != 2:
        return False
    rows = [[b, *row] for row, b in zip(weights[0], biases[0])]
    start = [(wall, ">") for wall in oracle.walls(domain)]
    d, n = len(rows[0]) - 1, len(rows)
    for j, row in enumerate(rows):
        if oracle.rank([row[1:]]) == 0 or oracle.feasible([*start, (row, "=")], d) is None:
            return False
        if not any(out[j] for out in weights[1]):
            return False
    if any(oracle.rank([a, b]) < 2 for a, b in combinations(rows, 2)):
        return False
    count = 0
    for chosen in product((0, 1), repeat=n):
        total = [
            sum((t * out[j] * rows[j][c] for j, t in enumerate(chosen)), F(0))
            for out in weights[1]
            for c in range(1, d + 1)
        ]
        count += not any(total)
    return count == claim["classes"]


def width_one(claim: dict[str, Any]) -> bool:
    """All parameters with the function, counted on the line of values of the first neuron."""
    net = claim["network"]
    weights, biases = oracle.arrays(net)
    if oracle.widths(net) != [1, 2] or not any(weights[0][0]):
        return False
    z = [biases[0][0], *weights[0][0]]
    c = next(k for k in range(1, len(z)) if z[k])
    whole = oracle.complex_of(net, claim["domain"])
    slabs = sorted((oracle.evaluate(z, cell.point), cell) for cell in whole.full)
    slopes = [[row[c] / z[c] for row in cell.output] for _, cell in slabs]
    levels = sorted(oracle.evaluate(z, facet.point) for facet in whole.facets)
    breaks = [(t, a, b) for t, a, b in zip(levels, slopes, slopes[1:]) if a != b]
    places = [t for t, _, _ in breaks]
    gaps = [places[0] - 1 if places else F(0)]
    gaps += [(s + t) / 2 for s, t in zip(places, places[1:])]
    gaps += [places[-1] + 1] if places else []
    if len(breaks) < 3:
        return False
    count = 0
    for sign in (1, -1):
        for start in [*places, *gaps]:
            ordered = breaks if sign > 0 else [(t, b, a) for t, a, b in reversed(breaks)]
            live = [x for x in ordered if sign * (x[0] - start) > 0]
            dead = [x for x in ordered if sign * (x[0] - start) < 0]
            first = slopes[0] if sign > 0 else slopes[-1]
            if dead or any(first) or len(live) > 2:
                continue
            if start not in places or len(live) < 2:
                return False  # a free choice is left
            jumps = [[sign * (y - x) for x, y in zip(a, b)] for _, a, b in live]
            base = [sign * x for x in live[0][1]]
            for on in product((0, 1), repeat=2):
                count += base == [-sum(s * j for s, j in zip(on, js)) for js in zip(*jumps)]
    return count == 1


def two_layers(claim: dict[str, Any]) -> bool:
    stable = supertransversal(claim["network"], claim["domain"])
    return stable and full_dimension(claim) and no_flip(claim, False)


def randomized(claim: dict[str, Any]) -> bool:
    """The arithmetic of the draw; uniqueness as for supertransversal parameters."""
    net, base, bits = claim["network"], claim["base"], claim["bits"]
    shape = net["architecture"]
    if shape != base["architecture"]:
        return False
    for x, y in zip(oracle.parameters(net), oracle.parameters(base)):
        k = (x - y) * 10_000 * F(2) ** bits
        if k.denominator != 1 or not 0 <= k < 2**bits:
            return False
    d, hidden, layers = shape[0], sum(shape[1:-1]), len(shape) - 2
    needed = len(oracle.parameters(net)) - hidden
    places = -(-needed // shape[-1])
    forms = hidden * sum(comb(hidden - 1, k) for k in range(d + 1)) * 2 ** (hidden + d)
    failures = 2 ** (hidden * places) * forms * (d + 1) * layers * (layers + 1) ** needed
    enough = failures * 2 ** claim["exponent"] <= 2**bits
    return enough and no_flip(claim, True)


JUDGES = {
    "function-geometry": whole_geometry,
    "depth": depth,
    "identifiable-among-supertransversal": lambda c: no_flip(c, True),
    "identifiable-two-layers": two_layers,
    "shallow-fiber": shallow_fiber,
    "identifiable-width-one": width_one,
    "identifiable-randomized": randomized,
}
