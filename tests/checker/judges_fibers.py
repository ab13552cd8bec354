"""Judges for claims about the function near a point and about complete fibers, by brute force.

That a list of members is complete is attacked: every assignment of the hyperplanes where f breaks
to the neurons of a network, with every orientation, is a competitor (if there are not too many);
among those with the same function each must be equivalent to a member.
"""

import json
from fractions import Fraction as F
from itertools import combinations, permutations, product
from typing import Any

from tests.checker import oracle
from tests.checker import producers as P
from tests.checker.producers_fibers import around, broken, equations, gradients, hyperplane, ray

COMPETITORS = 3_000
KNOWN: dict[str, bool] = {}


def at(claim: dict[str, Any]) -> tuple[oracle.Complex, oracle.Cell | None]:
    whole = oracle.complex_of(claim["network"], claim["domain"])
    return whole, whole.find([F(x) for x in claim["point"]])


def small_box(whole: oracle.Complex, x: list[F]) -> Any:
    """A box around x that no row of a cell meets unless it vanishes at x."""
    rows = [row for cell in whole.cells for row, _ in cell.constraints]
    values = [(oracle.evaluate(row, x), sum(map(abs, row[1:]))) for row in rows]
    radius = min((abs(v) / (2 * s) for v, s in values if v and s), default=F(1))
    return P.box(*((c - radius, c + radius) for c in x))


def shallow(net: Any, domain: Any) -> bool:
    """f is a network of one hidden layer on the domain (which has interior points)."""
    whole = oracle.Complex(net, domain)
    rows, columns = [], []
    for facet in broken(whole):
        h = [F(c) for c in hyperplane(facet)]
        below, above = gradients(whole, facet)
        k = next(k for k, c in enumerate(h[1:]) if c)
        if h not in rows:
            rows.append(h)
            columns.append([(b[k] - a[k]) / h[1 + k] for a, b in zip(below, above)])
    start = whole.full[0]
    rest = []
    for o, row in enumerate(start.output):
        on = [(h, c) for h, c in zip(rows, columns) if oracle.evaluate(h, start.point) > 0]
        rest.append([v - sum((c[o] * h[i] for h, c in on), F(0)) for i, v in enumerate(row)])
    m = len(rest)
    hidden = [*rows, *rest, *([-v for v in row] for row in rest)]
    outer = [
        [c[o] for c in columns] + [F(o == k) for k in range(m)] + [-F(o == k) for k in range(m)]
        for o in range(m)
    ]
    layers = ([row[1:] for row in hidden], [row[0] for row in hidden]), (outer, [F(0)] * m)
    return oracle.equal(net, P.network(*layers), domain)


def not_shallow(claim: dict[str, Any]) -> bool:
    whole, cell = at(claim)
    if cell is None:
        return False
    return not shallow(claim["network"], small_box(whole, [F(x) for x in claim["point"]]))


def not_supertransversal(claim: dict[str, Any]) -> bool:
    whole, cell = at(claim)
    if cell is None or whole.d - cell.dimension != 2:
        return False
    one, two = next(p for p in combinations(equations(cell), 2) if oracle.rank(list(p)) == 2)
    rays = [ray(cell, facet) for facet in around(whole, cell)]
    plane = [[sum((a * b for a, b in zip(row, u)), F(0)) for row in (one, two)] for u in rays]

    def side(u: list[F], v: list[F]) -> F:
        return u[0] * v[1] - u[1] * v[0]

    if len(plane) < 4:
        return False
    separated = len(plane) == 4 and any(
        not side(u, v) and side(u, p) * side(u, q) < 0 for u, v, p, q in permutations(plane)
    )
    return not separated


def assignments(net: Any, lines: list[list[F]]) -> list[Any]:
    """All networks, up to output layers, whose hidden zero sets are these hyperplanes in some order,
    each row being the given one where all earlier layers are active."""
    widths = oracle.widths(net)
    d = len(net["weights"][0][0])
    found = []
    for order in permutations(range(len(lines)), sum(widths)):
        starts = [sum(widths[:k]) for k in range(len(widths))]
        groups = [order[s : s + n] for s, n in zip(starts, widths)]
        if any(list(group) != sorted(group) for group in groups):
            continue
        for signs in product((1, -1), repeat=len(order)):
            forms, layers = oracle.identity(d), []
            for s, group in zip(starts, groups):
                rows = [[signs[s + i] * c for c in lines[j]] for i, j in enumerate(group)]
                basis = [*forms, [F(1)] + [F(0)] * d]
                solved = [P.solve(basis, row) for row in rows]
                if any(c is None for c in solved):
                    break
                layers.append(([c[:-1] for c in solved if c], [c[-1] for c in solved if c]))
                forms = rows
            else:
                found.append(layers)
    return found


def with_outputs(net: Any, layers: Any, points: list[list[F]]) -> Any:
    """The network with these hidden layers and the right values at the points, if there is one."""
    n, m = len(layers[-1][1]), len(net["biases"][-1])
    identity = [[F(i == j) for j in range(n)] for i in range(n)]
    trial = P.network(*layers, (identity, [F(0)] * n))
    columns = [[max(v, F(0)) for v in oracle.forward(trial, x)[0][-n:]] + [F(1)] for x in points]
    chosen: list[int] = []
    for k in range(len(columns)):
        if oracle.rank([columns[i] for i in [*chosen, k]]) > len(chosen):
            chosen.append(k)
    if len(chosen) < n + 1:
        return None
    square = [list(c) for c in zip(*(columns[i] for i in chosen))]
    solved = []
    for o in range(m):
        goal = [oracle.forward(net, points[i])[1][o] for i in chosen]
        solved.append(P.solve(square, goal))
    if any(s is None for s in solved):
        return None
    return P.network(*layers, ([s[:-1] for s in solved if s], [s[-1] for s in solved if s]))


def complete(claim: dict[str, Any]) -> bool:
    key = json.dumps(claim, sort_keys=True)
    if key not in KNOWN:
        KNOWN[key] = judged(claim)
    return KNOWN[key]


def judged(claim: dict[str, Any]) -> bool:
    net, domain, members = claim["network"], claim["domain"], claim["members"]
    shape = net["architecture"]
    if any(other["architecture"] != shape for other in members):
        return False
    if not any(oracle.equivalent(net, other) for other in members):
        return False
    if any(oracle.equivalent(a, b) for a, b in combinations(members, 2)):
        return False
    if not all(other == net or oracle.equal(net, other, domain) for other in members):
        return False
    whole = oracle.complex_of(net, domain)
    if not whole.full:
        return False
    lines = [[F(c) for c in h] for h in sorted({hyperplane(f) for f in broken(whole)})]
    hidden = sum(shape[1:-1])
    number = 2**hidden
    for k in range(hidden):
        number *= max(len(lines) - k, 0)
    if number > COMPETITORS:
        return True
    points = [x for cell in whole.full for x in P.around(cell)]
    for layers in assignments(net, lines):
        other = with_outputs(net, layers, points)
        if other is None or any(oracle.forward(net, x)[1] != oracle.forward(other, x)[1] for x in points):
            continue
        if oracle.equal(net, other, domain):
            if not any(oracle.equivalent(other, member) for member in members):
                return False
    return True


JUDGES = {
    "not-shallow": not_shallow,
    "not-supertransversal-function": not_supertransversal,
    "tight-fiber": complete,
    "two-layer-fiber": lambda c: len(c["network"]["biases"]) == 3 and complete(c),
    "wide-front-fiber": complete,
}
