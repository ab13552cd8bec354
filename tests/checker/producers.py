"""Naive producers: evidence and small true documents for every kind of claim.

Standard library only; uses the brute-force oracle and nothing of the package.
"""

import json
from fractions import Fraction as F
from itertools import combinations
from math import lcm
from pathlib import Path
from typing import Any

from tests.checker import oracle

GOLDEN = Path(__file__).resolve().parents[1] / "golden"
Net = dict[str, Any]


def dumps(document: Any) -> str:
    return json.dumps(document, sort_keys=True, separators=(",", ":")) + "\n"


def document(kind: str, claim: dict[str, Any], evidence: dict[str, Any]) -> dict[str, Any]:
    return {
        "format": "exactrelu/certificate",
        "version": 1,
        "claim": {"kind": kind, **claim},
        "evidence": evidence,
        "producer": {"name": "tests"},
    }


def network(*layers: tuple[list[list[Any]], list[Any]]) -> Net:
    """A network from (weights, biases) a layer."""
    return {
        "architecture": [len(layers[0][0][0]), *(len(b) for _, b in layers)],
        "weights": [[[str(F(x)) for x in row] for row in w] for w, _ in layers],
        "biases": [[str(F(x)) for x in b] for _, b in layers],
    }


def box(*intervals: tuple[Any, Any]) -> dict[str, Any]:
    rows = []
    for k, (low, high) in enumerate(intervals):
        unit = [F(int(j == k)) for j in range(len(intervals))]
        rows.append([-F(low), *unit])
        rows.append([F(high), *(-x for x in unit)])
    return {"inequalities": [[str(F(x)) for x in row] for row in rows]}


def half(*rows: list[Any]) -> dict[str, Any]:
    return {"inequalities": [[str(F(x)) for x in row] for row in rows]}


def homogeneous(x: list[F]) -> list[int]:
    t = lcm(*(v.denominator for v in x)) if x else 1
    return [t, *(int(v * t) for v in x)]


def point(x: list[F]) -> str:
    return " ".join(map(str, homogeneous(x)))


def strings(x: list[F]) -> list[str]:
    return [str(F(v)) for v in x]


# Split trees


def solve(rows: list[list[F]], target: list[F]) -> list[F] | None:
    """The unique coefficients with sum c_i rows_i = target, if the rows are independent."""
    r, n = len(rows), len(target)
    m = [[row[k] for row in rows] + [target[k]] for k in range(n)]
    for c in range(r):
        at = next((i for i in range(c, n) if m[i][c]), None)
        if at is None:
            return None
        m[c], m[at] = m[at], m[c]
        m[c] = [x / m[c][c] for x in m[c]]
        for i in range(n):
            if i != c and m[i][c]:
                q = m[i][c]
                m[i] = [x - q * y for x, y in zip(m[i], m[c])]
    return None if any(row[r] for row in m[r:]) else [row[r] for row in m[:r]]


def support(known: list[list[F]], row: list[F]) -> list[int] | None:
    """Indices of known rows whose non-negative combination, plus a constant >= 0, is the row."""
    for size in range(len(row)):
        for chosen in combinations(range(len(known)), size):
            found = solve([known[i][1:] for i in chosen], row[1:])
            if found is not None and min(found, default=F(0)) >= 0:
                pairs = zip(found, chosen)
                if row[0] >= sum((c * known[i][0] for c, i in pairs), F(0)):
                    return list(chosen)
    return None


def tree(
    nets: list[Net],
    domain: Any = None,
    points: bool = True,
) -> str:
    """A split tree: forced signs wherever they hold, interior points at the leaves if wanted."""
    d = len(nets[0]["weights"][0][0])
    tokens: list[str] = []
    arrays = [oracle.arrays(net) for net in nets]

    def walk(k: int, layer: int, forms: list[Any], known: list[list[F]]) -> None:
        if k == len(nets):
            where = oracle.feasible([(row, ">") for row in known], d) if points else None
            tokens.append("." if where is None else ",".join(map(str, homogeneous(where))))
            return
        weights, biases = arrays[k]
        if layer + 1 == len(weights):
            walk(k + 1, 0, oracle.identity(d), known)
            return
        rows = oracle.compose(weights[layer], biases[layer], forms, d)

        def neuron(j: int, done: list[Any], known: list[list[F]]) -> None:
            zero = [F(0)] * (d + 1)
            if j == len(rows):
                walk(k, layer + 1, done, known)
                return
            row, opposite = rows[j], [-x for x in rows[j]]
            for sign, signed in (("+", row), ("-", opposite)):
                chosen = support(known, signed)
                if chosen is not None:
                    tokens.append(sign + ",".join(map(str, chosen)))
                    neuron(j + 1, [*done, row if sign == "+" else zero], known)
                    return
            tokens.append("s")
            neuron(j + 1, [*done, zero], [*known, opposite])
            neuron(j + 1, [*done, row], [*known, row])

        neuron(0, [], known)

    walk(0, 0, oracle.identity(d), oracle.walls(domain))
    return " ".join(tokens)


# Other evidence


def triple(whole: oracle.Complex, signs: tuple[int, ...], neuron: int) -> list[str]:
    """A facet of the neuron with the cell in its closure, and its two sides."""
    for facet in whole.facets:
        if oracle.below(signs, facet.signs) and neuron in whole.changed(facet):
            return [point(c.point) for c in (facet, *whole.sides(facet))]
    raise ValueError("the neuron does not bend there")


def vertices(net: Net, domain: Any) -> list[str]:
    """The vertices, in coordinates on which no cell contains a line."""
    weights, biases = oracle.arrays(net)
    rows = weights[0] + [row[1:] for row in oracle.walls(domain)]
    keep: list[int] = []
    for c in range(len(weights[0][0])):
        if oracle.rank([[row[k] for k in [*keep, c]] for row in rows]) > len(keep):
            keep.append(c)
    small = [[row[c] for c in keep] for row in weights[0]], biases[0]
    reduced = network(small, *zip(weights[1:], biases[1:]))
    walls = [[row[0], *(row[1 + c] for c in keep)] for row in oracle.walls(domain)]
    found = [
        point(c.point)
        for c in oracle.cells(reduced, [(row, ">=") for row in walls])
        if is_vertex(c, walls)
    ]
    return sorted(set(found) | set(corner_points(reduced, walls)))


def is_vertex(cell: oracle.Cell, walls: list[list[F]]) -> bool:
    tight = [row[1:] for row, op in cell.constraints if op == "="]
    tight += [row[1:] for row in walls if oracle.evaluate(row, cell.point) == 0]
    return oracle.rank(tight) == len(cell.point) if tight else not cell.point


def corner_points(net: Net, walls: list[list[F]]) -> list[str]:
    """Vertices on the boundary: every cell with some walls made equations."""
    found = []
    for size in range(1, len(walls) + 1):
        for tight in combinations(walls, size):
            start = [(row, "=" if row in tight else ">=") for row in walls]
            for cell in oracle.cells(net, start):
                if is_vertex(cell, walls):
                    found.append(point(cell.point))
    return found


def jacobian_evidence(net: Net, domain: Any) -> tuple[dict[str, Any], int]:
    """Points and rows, greedily until the rank stops growing."""
    theta = oracle.parameters(net)
    basis: list[list[F]] = []
    points, chosen = [], []
    for cell in oracle.interior_cells(net, domain):
        if 0 in cell.signs:
            continue
        active = [s > 0 for s in cell.signs]
        base = oracle.coefficients(net, theta, active)
        columns = []
        for v in range(len(theta)):
            moved = [*theta[:v], theta[v] + 1, *theta[v + 1 :]]
            moved = oracle.coefficients(net, moved, active)
            columns.append([x - y for x, y in zip(moved, base)])
        keep = []
        for i, row in enumerate(zip(*columns)):
            if oracle.rank([*basis, list(row)]) > len(basis):
                basis.append(list(row))
                keep.append(i)
        if keep:
            points.append(point(cell.point))
            chosen.append(keep)
    return {"points": points, "rows": chosen}, len(basis)


def kernel_vectors(net: Net, domain: Any) -> list[list[str]]:
    """A basis of the vectors killed by all derivatives."""
    theta = oracle.parameters(net)
    rows: list[list[F]] = []
    for cell in oracle.interior_cells(net, domain):
        active = [s > 0 for s in cell.signs]
        base = oracle.coefficients(net, theta, active)
        columns = []
        for v in range(len(theta)):
            moved = [*theta[:v], theta[v] + 1, *theta[v + 1 :]]
            moved = oracle.coefficients(net, moved, active)
            columns.append([x - y for x, y in zip(moved, base)])
        rows += [list(row) for row in zip(*columns)]
    return [strings(vector) for vector in oracle.null_space(rows, len(theta))]


def around(cell: oracle.Cell) -> list[list[F]]:
    """Affinely independent points of a full cell."""
    found = [cell.point]
    for k in range(len(cell.point)):
        step = F(1)
        while True:
            x = [v + step * (j == k) for j, v in enumerate(cell.point)]
            if all(oracle.evaluate(row, x) > 0 for row, _ in cell.constraints):
                break
            step /= 2
        found.append(x)
    return found


def facet_pairs(net: Net, domain: Any) -> list[list[Any]]:
    """All pairs of full cells without zero signs differing in one neuron, and in f."""
    full = [c for c in oracle.interior_cells(net, domain) if 0 not in c.signs]
    found: list[list[Any]] = []
    for u, v in combinations(full, 2):
        changed = [j for j, (s, t) in enumerate(zip(u.signs, v.signs)) if s != t]
        if len(changed) == 1 and u.output != v.output:
            found.append([changed[0], point(u.point), point(v.point)])
    return found


def moves(net: Net, permutations: list[list[int]], scales: list[list[Any]]) -> tuple[Net, Any]:
    """The network after permuting and scaling; neuron i becomes scale_i times neuron p_i."""
    weights, biases = oracle.arrays(net)
    for k, (p, s) in enumerate(zip(permutations, scales)):
        c = [F(x) for x in s]
        weights[k] = [[v * x for x in weights[k][q]] for q, v in zip(p, c)]
        biases[k] = [v * biases[k][q] for q, v in zip(p, c)]
        weights[k + 1] = [[row[q] / v for q, v in zip(p, c)] for row in weights[k + 1]]
    evidence = [{"permutation": p, "scale": strings(s)} for p, s in zip(permutations, scales)]
    return network(*zip(weights, biases)), evidence


def changed(net: Net, layer: int, row: int, column: int | None, value: Any) -> Net:
    """The network with one weight (or the bias, column None) replaced."""
    weights, biases = oracle.arrays(net)
    if column is None:
        biases[layer][row] = F(value)
    else:
        weights[layer][row][column] = F(value)
    return network(*zip(weights, biases))


# Documents


def values(net: Net, x: list[F]) -> dict[str, Any]:
    claim = {"network": net, "point": strings(x), "value": strings(oracle.forward(net, x)[1])}
    return document("values", claim, {})


def face(net: Net, domain: Any, x: list[Any]) -> dict[str, Any]:
    x = [F(v) for v in x]
    whole = oracle.complex_of(net, domain)
    cell = whole.find(x)
    assert cell is not None
    bending = whole.bending(cell.signs)
    claim = {
        "network": net,
        "domain": domain,
        "point": strings(x),
        "dimension": cell.dimension,
        "zero_neurons": [j for j, s in enumerate(cell.signs) if s == 0],
        "bending": bending,
    }
    return document("face", claim, {"bending": [triple(whole, cell.signs, j) for j in bending]})


def full_cells(net: Net, domain: Any) -> dict[str, Any]:
    count = len(oracle.complex_of(net, domain).full)
    claim = {"network": net, "domain": domain, "count": count}
    return document("full-cells", claim, {"tree": tree([net], domain)})


def whole_complex(net: Net, domain: Any) -> dict[str, Any]:
    fields = oracle.describe(net, domain)
    assert fields is not None
    claim = {"network": net, "domain": domain, **fields}
    return document("complex", claim, {"vertices": vertices(net, domain)})


def witness(kind: str, net: Net, domain: Any, x: list[Any], **more: Any) -> dict[str, Any]:
    claim = {"network": net, "domain": domain, "point": strings([F(v) for v in x]), **more}
    return document(kind, claim, {})


def supertransversality(net: Net, domain: Any, x: list[Any]) -> dict[str, Any]:
    known = face(net, domain, x)
    claim = {name: known["claim"][name] for name in ("network", "domain", "point", "bending")}
    return document("supertransversality-fails", claim, known["evidence"])


def no_cancellation(net: Net, domain: Any, x: list[Any]) -> dict[str, Any]:
    whole = oracle.complex_of(net, domain)
    facet = whole.find([F(v) for v in x])
    assert facet is not None
    sides = [point(c.point) for c in whole.sides(facet)]
    result = witness("no-cancellation-fails", net, domain, x)
    return {**result, "evidence": {"sides": sides}}


def linear_regions(net: Net, domain: Any, level: str) -> dict[str, Any]:
    whole = oracle.complex_of(net, domain)
    if level == "adjacent":
        pairs = [(f, *whole.sides(f)) for f in whole.facets]
        facet, one, two = next(t for t in pairs if t[1].output == t[2].output)
    else:
        one, two = next(p for p in combinations(whole.full, 2) if p[0].output == p[1].output)
    claim = {"network": net, "domain": domain, "level": level}
    claim["points"] = [strings(one.point), strings(two.point)]
    evidence = {"facet": point(facet.point) if level == "adjacent" else None}
    return document("linear-regions-assumption-fails", claim, evidence)


def dimension_at_least(net: Net, domain: Any) -> dict[str, Any]:
    evidence, r = jacobian_evidence(net, domain)
    claim = {"network": net, "domain": domain, "dimension": r}
    return document("dimension-at-least", claim, evidence)


def locally_identifiable(net: Net, domain: Any) -> dict[str, Any]:
    evidence, _ = jacobian_evidence(net, domain)
    return document("locally-identifiable", {"network": net, "domain": domain}, evidence)


def dimension_at_most(net: Net, domain: Any) -> dict[str, Any]:
    kernel = kernel_vectors(net, domain)
    dimension = len(oracle.parameters(net)) - len(kernel)
    claim = {"network": net, "domain": domain, "dimension": dimension}
    return document("dimension-at-most", claim, {"kernel": kernel, "tree": tree([net], domain)})


def by_facet_pairs(net: Net, domain: Any, dimension: int | None) -> dict[str, Any]:
    """The bound `dimension`; None: local identifiability."""
    full = [c for c in oracle.interior_cells(net, domain) if 0 not in c.signs]
    evidence = {
        "pairs": facet_pairs(net, domain),
        "output_points": [point(x) for c in full for x in around(c)],
        "residual": [],
    }
    claim = {"network": net, "domain": domain}
    if dimension is None:
        return document("locally-identifiable-facet-pairs", claim, evidence)
    claim["dimension"] = dimension
    return document("dimension-at-least-facet-pairs", claim, evidence)


def equal(a: Net, b: Net, domain: Any) -> dict[str, Any]:
    claim = {"a": a, "b": b, "domain": domain}
    return document("equal", claim, {"tree": tree([a, b], domain, points=False)})


def not_identifiable(a: Net, b: Net, domain: Any) -> dict[str, Any]:
    claim = {"a": a, "b": b, "domain": domain}
    return document("not-identifiable", claim, {"tree": tree([a, b], domain)})
