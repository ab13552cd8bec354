"""An independent judge of claims: exact brute force on tiny networks.

Shares no code with the checker.  Cells are enumerated as sign vectors, one neuron after the
other, each kept if Fourier-Motzkin elimination finds it non-empty; dimensions are ranks over
Fraction; derivatives are differences, as every coefficient of f has degree at most 1 in each
single parameter.
"""

import json
from fractions import Fraction as F
from hashlib import sha256
from itertools import pairwise, permutations, product
from typing import Any, NamedTuple

Row = list[F]
Constraint = tuple[Row, str]  # row (constant first) and one of ">", ">=", "="


def feasible(constraints: list[Constraint], d: int) -> list[F] | None:
    """A point satisfying all constraints, or None."""
    if d == 0:
        for (c,), op in constraints:
            if not (c > 0 or (c == 0 and op != ">")) or (op == "=" and c != 0):
                return None
        return []
    lower, upper, rest = [], [], []
    for row, op in constraints:
        a = row[d]
        if a and op == "=":  # substitute x_d = -(other)/a everywhere
            value = [-x / a for x in row[:d]]
            others = [
                ([x + r[d] * v for x, v in zip(r[:d], value)], o)
                for r, o in constraints
                if r is not row
            ]
            point = feasible(others, d - 1)
            if point is None:
                return None
            return [*point, value[0] + sum(v * x for v, x in zip(value[1:], point))]
        if not a:
            rest.append((row[:d], op))
        else:
            bound = ([-x / a for x in row[:d]], op)
            (lower if a > 0 else upper).append(bound)
    for low, op in lower:
        for high, other in upper:
            strict = ">" if ">" in (op, other) else ">="
            rest.append(([x - y for x, y in zip(high, low)], strict))
    point = feasible(unique(rest), d - 1)
    if point is None:
        return None

    def at(bound: Row) -> F:
        return bound[0] + sum(v * x for v, x in zip(bound[1:], point))

    lows, highs = [at(b) for b, _ in lower], [at(b) for b, _ in upper]
    if lows and highs:
        return [*point, (max(lows) + min(highs)) / 2]
    if lows:
        return [*point, F(max(lows).__floor__() + 1)]
    return [*point, F(min(highs).__ceil__() - 1) if highs else F(0)]


def unique(constraints: list[Constraint]) -> list[Constraint]:
    found: dict[tuple[tuple[F, ...], str], Constraint] = {}
    for row, op in constraints:
        scale = next((abs(x) for x in row[1:] if x), F(1))
        row = [x / scale for x in row]
        found[tuple(row), op] = (row, op)
    return list(found.values())


def rank(rows: list[Row]) -> int:
    matrix = [list(row) for row in rows]
    r = 0
    for c in range(len(matrix[0]) if matrix else 0):
        pivot = next((i for i in range(r, len(matrix)) if matrix[i][c]), None)
        if pivot is None:
            continue
        matrix[r], matrix[pivot] = matrix[pivot], matrix[r]
        for i in range(r + 1, len(matrix)):
            q = matrix[i][c] / matrix[r][c]
            if q:
                matrix[i] = [x - q * y for x, y in zip(matrix[i], matrix[r])]
        r += 1
    return r


def arrays(net: dict[str, Any]) -> tuple[list[list[Row]], list[Row]]:
    weights = [[[F(x) for x in row] for row in rows] for rows in net["weights"]]
    return weights, [[F(x) for x in row] for row in net["biases"]]


def walls(domain: Any) -> list[Row]:
    return [] if domain is None else [[F(x) for x in row] for row in domain["inequalities"]]


def widths(net: dict[str, Any]) -> list[int]:
    return [len(b) for b in net["biases"]][:-1]


def layer_of(net: dict[str, Any]) -> list[int]:
    return [k for k, n in enumerate(widths(net)) for _ in range(n)]


def evaluate(row: Row, x: list[F]) -> F:
    return row[0] + sum(a * b for a, b in zip(row[1:], x))


def forward(net: dict[str, Any], x: list[F]) -> tuple[list[F], list[F]]:
    """All hidden preactivations, and f(x)."""
    z: list[F] = []
    a = x
    weights, biases = arrays(net)
    for k, (rows, constants) in enumerate(zip(weights, biases)):
        a = [sum(w * v for w, v in zip(row, a)) + b for row, b in zip(rows, constants)]
        if k + 1 < len(weights):
            z += a
            a = [max(v, F(0)) for v in a]
    return z, a


def identity(d: int) -> list[Row]:
    return [[F(int(c == j + 1)) for c in range(d + 1)] for j in range(d)]


def compose(rows: list[Row], constants: Row, forms: list[Row], d: int) -> list[Row]:
    result = []
    for row, b in zip(rows, constants):
        total = [b, *([F(0)] * d)]
        for w, form in zip(row, forms):
            total = [x + w * y for x, y in zip(total, form)]
        result.append(total)
    return result


class Cell(NamedTuple):
    """A sign vector that occurs, with the constraints of its cell and f on it."""

    signs: tuple[int, ...]
    dimension: int
    point: list[F]
    constraints: list[Constraint]
    output: list[Row]


def cells(net: dict[str, Any], start: list[Constraint]) -> list[Cell]:
    """All cells of the canonical complex inside the set of the given constraints."""
    weights, biases = arrays(net)
    d = len(weights[0][0])
    found = []

    def walk(k: int, forms: list[Row], signs: tuple[int, ...], known: list[Constraint]) -> None:
        rows = compose(weights[k], biases[k], forms, d)
        if k + 1 == len(weights):
            point = feasible(known, d)
            assert point is not None
            zero = [row[1:] for row, op in known if op == "="]
            found.append(Cell(signs, d - rank(zero), point, known, rows))
            return
        states = [((), known)]
        for row in rows:
            after = []
            for new, constraints in states:
                for s in (-1, 0, 1):
                    signed = [x * (s or 1) for x in row]
                    more = [*constraints, (signed, ">" if s else "=")]
                    if feasible(more, d) is not None:
                        after.append(((*new, s), more))
            states = after
        for new, constraints in states:
            zero = [F(0)] * (d + 1)
            active = [row if s > 0 else zero for row, s in zip(rows, new)]
            walk(k + 1, active, signs + new, constraints)

    if feasible(start, d) is not None:
        walk(0, identity(d), (), start)
    return found


def interior_cells(net: dict[str, Any], domain: Any) -> list[Cell]:
    return cells(net, [(row, ">") for row in walls(domain)])


def below(s: tuple[int, ...], t: tuple[int, ...]) -> bool:
    return all(a in (0, b) for a, b in zip(s, t))


class Complex:
    """The cells in the interior of the domain, and the questions asked about them."""

    def __init__(self, net: dict[str, Any], domain: Any) -> None:
        self.net, self.domain = net, domain
        self.d = len(net["weights"][0][0])
        self.cells = interior_cells(net, domain)
        self.full = [c for c in self.cells if c.dimension == self.d]
        self.facets = [c for c in self.cells if c.dimension == self.d - 1]
        self.layers = layer_of(net)

    def sides(self, facet: Cell) -> tuple[Cell, Cell]:
        one, two = (c for c in self.full if below(facet.signs, c.signs))
        return one, two

    def changed(self, facet: Cell) -> list[int]:
        one, two = self.sides(facet)
        pairs = enumerate(zip(one.signs, two.signs))
        return [j for j, (s, t) in pairs if (s > 0) != (t > 0)]

    def bending(self, signs: tuple[int, ...]) -> list[int]:
        """Neurons that bend at the cell with these signs."""
        found: set[int] = set()
        for facet in self.facets:
            if below(signs, facet.signs):
                found.update(self.changed(facet))
        return sorted(found)

    def cancelled(self, facet: Cell) -> bool:
        """A neuron bends, f does not, and all later layers are active on one of the sides."""
        one, two = self.sides(facet)
        changed = self.changed(facet)
        if not changed or one.output != two.output:
            return False
        last = max(self.layers[j] for j in changed)
        signs = list(zip(self.layers, one.signs, two.signs))
        return all(
            any(max(s, t) > 0 for k, s, t in signs if k == later)
            for later in range(last + 1, len(widths(self.net)))
        )

    def find(self, point: list[F]) -> Cell | None:
        """The cell of an interior point."""
        if any(evaluate(row, point) <= 0 for row in walls(self.domain)):
            return None
        z, _ = forward(self.net, point)
        signs = tuple((v > 0) - (v < 0) for v in z)
        return next(c for c in self.cells if c.signs == signs)


COMPLEXES: dict[str, Complex] = {}


def complex_of(net: dict[str, Any], domain: Any) -> Complex:
    key = json.dumps([net, domain], sort_keys=True)
    if key not in COMPLEXES:
        COMPLEXES[key] = Complex(net, domain)
    return COMPLEXES[key]


def components(nodes: list[Any], pairs: list[tuple[Any, Any]]) -> int:
    group = {node: node for node in nodes}
    for a, b in pairs:
        old, new = group[a], group[b]
        group = {node: new if g == old else g for node, g in group.items()}
    return len(set(group.values()))


def describe(net: dict[str, Any], domain: Any) -> dict[str, Any] | None:
    """The fields of a claim `complex`, or None if the network is not zero-count generic."""
    whole = complex_of(net, domain)
    weights, _ = arrays(net)
    d, layers = whole.d, whole.layers
    lineality = d - rank(weights[0] + [row[1:] for row in walls(domain)])
    if not whole.cells or any(c.signs.count(0) != d - c.dimension for c in whole.cells):
        return None
    by_dimension = [sum(c.dimension == k for c in whole.cells) for k in range(lineality, d + 1)]
    flat = [
        facet for facet in whole.facets if len({str(s.output) for s in whole.sides(facet)}) == 1
    ]
    closed = cells(net, [(row, ">=") for row in walls(domain)])
    ridges = [c for c in whole.cells if c.dimension == d - 2]
    met = {tuple(j for j, s in enumerate(c.signs) if s == 0) for c in ridges}
    adjacent = [
        (v, w) for v in range(len(layers)) for w in range(len(layers)) if layers[w] == layers[v] + 1
    ]
    sheets = []
    for j in range(len(layers)):
        own = [c.signs for c in whole.facets if c.signs[j] == 0]
        pairs = []
        for ridge in ridges:
            near = [s for s in own if below(ridge.signs, s)]
            pairs += list(pairwise(near))
        sheets.append(components(own, pairs))
    lines = sorted("".join("0+-"[s] for s in c.signs) + "\n" for c in whole.full)
    return {
        "f_vector": by_dimension,
        "lineality": lineality,
        "hidden_facets": len(flat),
        "no_cancellation": not any(whole.cancelled(facet) for facet in whole.facets),
        "transparency": all(
            any(s > 0 for k, s in zip(layers, c.signs) if k == layer)
            for c in closed
            for layer in range(len(widths(net)))
        ),
        "tpic": all(pair in met for pair in adjacent),
        "sheets": sheets,
        "linear_regions": components(
            [c.signs for c in whole.full],
            [tuple(s.signs for s in whole.sides(facet)) for facet in flat],
        ),
        "distinct_affine_maps": len({str(c.output) for c in whole.full}),
        "sha256": sha256("".join(lines).encode()).hexdigest(),
    }


def equal(a: dict[str, Any], b: dict[str, Any], domain: Any) -> bool:
    """f_a = f_b on the closed domain."""
    d = len(a["weights"][0][0])
    for one in cells(a, [(row, ">=") for row in walls(domain)]):
        for two in cells(b, one.constraints):
            for r, s in zip(one.output, two.output):
                gap = [x - y for x, y in zip(r, s)]
                for h in (gap, [-x for x in gap]):
                    if feasible([*two.constraints, (h, ">")], d) is not None:
                        return False
    return True


def equivalent(a: dict[str, Any], b: dict[str, Any]) -> bool:
    """Some permutations and positive scalings turn a into b."""
    n = [len(a["weights"][0][0]), *widths(a)]
    if n != [len(b["weights"][0][0]), *widths(b)] or len(a["biases"][-1]) != len(b["biases"][-1]):
        return False
    (wa, ba), (wb, bb) = arrays(a), arrays(b)
    for choice in product(*(permutations(range(m)) for m in n[1:])):
        maps = [tuple(range(n[0])), *choice, tuple(range(len(ba[-1])))]
        equations = []  # (i, k, x, y): c_i x = y c_k; None stands for the constant 1
        for k in range(len(wa)):
            for i, image in enumerate(maps[k + 1]):
                equations.append(((k + 1, i), None, ba[k][i], bb[k][image]))
                for j, source in enumerate(maps[k]):
                    equations.append(((k + 1, i), (k, j), wa[k][i][j], wb[k][image][source]))
        if solvable(equations, len(wa)):
            return True
    return False


def solvable(equations: list[tuple[Any, Any, F, F]], last: int) -> bool:
    if any((x > 0) - (x < 0) != (y > 0) - (y < 0) for _, _, x, y in equations):
        return False
    known: dict[Any, F] = {None: F(1)}
    unknown = {p for e in equations for p in e[:2] if p is not None}
    known.update({p: F(1) for p in unknown if p[0] in (0, last)})
    live = [e for e in equations if e[2]]
    while True:
        new = [(i, y * known[k] / x) for i, k, x, y in live if k in known and i not in known]
        new += [(k, known[i] * x / y) for i, k, x, y in live if i in known and k not in known]
        if not new:
            free = sorted(unknown - set(known))
            if not free:
                break
            new = [(free[0], F(1))]
        known[new[0][0]] = new[0][1]
    return all(known[i] * x == y * known[k] for i, k, x, y in live)


def parameters(net: dict[str, Any]) -> list[F]:
    weights, biases = arrays(net)
    return [x for m, c in zip(weights, biases) for row, b in zip(m, c) for x in [*row, b]]


def coefficients(net: dict[str, Any], theta: list[F], active: list[bool]) -> list[F]:
    """All coefficients of f for a fixed activity, as a function of the parameters."""
    shape = [len(net["weights"][0][0]), *widths(net), len(net["biases"][-1])]
    d, entries, on = shape[0], iter(theta), iter(active)
    forms = identity(d)
    for k, (n, m) in enumerate(pairwise(shape)):
        rows = [[next(entries) for _ in range(n + 1)] for _ in range(m)]
        forms = compose([row[:-1] for row in rows], [row[-1] for row in rows], forms, d)
        if k + 2 < len(shape):
            forms = [form if next(on) else [F(0)] * (d + 1) for form in forms]
    return [x for form in forms for x in form]


def functional_dimension(net: dict[str, Any], domain: Any) -> int:
    theta = parameters(net)
    columns: list[Row] = [[] for _ in theta]
    for cell in interior_cells(net, domain):
        if 0 in cell.signs:
            continue
        active = [s > 0 for s in cell.signs]
        base = coefficients(net, theta, active)
        for v in range(len(theta)):
            moved = [*theta[:v], theta[v] + 1, *theta[v + 1 :]]
            gap = [x - y for x, y in zip(coefficients(net, moved, active), base)]
            columns[v] += gap
    return rank(columns) if columns[0] else 0


def inside(domain: Any, x: list[F], strict: bool) -> bool:
    values = [evaluate(row, x) for row in walls(domain)]
    return all(v > 0 or (not strict and v == 0) for v in values)


def null_space(rows: list[Row], n: int) -> list[Row]:
    """A basis of the vectors orthogonal to all rows."""
    reduced, pivots = [list(row) for row in rows], list[int]()
    for c in range(n):
        k = len(pivots)
        at = next((i for i in range(k, len(reduced)) if reduced[i][c]), None)
        if at is None:
            continue
        reduced[k], reduced[at] = reduced[at], reduced[k]
        reduced[k] = [x / reduced[k][c] for x in reduced[k]]
        for i, row in enumerate(reduced):
            if i != k and row[c]:
                reduced[i] = [x - row[c] * y for x, y in zip(row, reduced[k])]
        pivots.append(c)
    basis = []
    for free in sorted(set(range(n)) - set(pivots)):
        vector = [F(int(c == free)) for c in range(n)]
        for k, c in enumerate(pivots):
            vector[c] = -reduced[k][free]
        basis.append(vector)
    return basis
