"""Naive evidence about what f shows of its parameter (see `producers`)."""

import random
from fractions import Fraction as F
from typing import Any

from tests.checker import oracle
from tests.checker.producers import Net, document, network, point, vertices

GRID = 10_000


def spread(cell: oracle.Cell) -> list[list[F]]:
    """Points of the cell that span its affine hull."""
    d = len(cell.point)
    found = [cell.point]
    equal = [row[1:] for row, op in cell.constraints if op == "="]
    for direction in oracle.null_space(equal, d):
        for side in (1, -1):
            step = F(side)
            while True:
                x = [v + step * u for v, u in zip(cell.point, direction)]
                values = [oracle.evaluate(row, x) for row, op in cell.constraints if op != "="]
                if all(value > 0 for value in values):
                    break
                step /= 2
            found.append(x)
    return found


def germ_points(net: Net, domain: Any) -> list[str]:
    """Points spanning every cell that meets the interior of the domain."""
    cells = oracle.complex_of(net, domain).cells
    return [point(x) for cell in cells for x in spread(cell)]


def scene(net: Net, domain: Any) -> dict[str, Any]:
    return {"network": net, "domain": domain}


def unique_among_supertransversal(net: Net, domain: Any) -> dict[str, Any]:
    evidence = {"points": germ_points(net, domain)}
    return document("identifiable-among-supertransversal", scene(net, domain), evidence)


def depth(net: Net, domain: Any, number: int) -> dict[str, Any]:
    whole = oracle.complex_of(net, domain)
    cells = [c for c in whole.cells if c.dimension >= whole.d - 2]
    evidence = {"points": [point(c.point) for c in cells]}
    return document("depth", {**scene(net, domain), "depth": number}, evidence)


def function_geometry(net: Net, domain: Any, fields: dict[str, Any]) -> dict[str, Any]:
    evidence = {"vertices": vertices(net, domain)}
    return document("function-geometry", {**scene(net, domain), **fields}, evidence)


def two_layers(net: Net, domain: Any) -> dict[str, Any]:
    whole = oracle.complex_of(net, domain)
    evidence = {
        "vertices": vertices(net, domain),
        "points": [point(c.point) for c in whole.facets if c.signs.count(0) == 1],
    }
    return document("identifiable-two-layers", scene(net, domain), evidence)


def on_level(row: oracle.Row, domain: Any) -> str:
    """A point inside the domain where an affine form vanishes."""
    start = [(wall, ">") for wall in oracle.walls(domain)]
    x = oracle.feasible([*start, (row, "=")], len(row) - 1)
    assert x is not None
    return point(x)


def first_rows(net: Net) -> list[oracle.Row]:
    weights, biases = oracle.arrays(net)
    return [[b, *row] for row, b in zip(weights[0], biases[0])]


def shallow_fiber(net: Net, domain: Any, classes: int) -> dict[str, Any]:
    evidence = {"points": [on_level(row, domain) for row in first_rows(net)]}
    return document("shallow-fiber", {**scene(net, domain), "classes": classes}, evidence)


def width_one(net: Net, domain: Any) -> dict[str, Any]:
    (z,) = first_rows(net)
    weights, biases = oracle.arrays(net)
    levels = [F(0), *(-b / row[0] for row, b in zip(weights[1], biases[1]))]
    evidence = {"points": [on_level([z[0] - t, *z[1:]], domain) for t in levels]}
    return document("identifiable-width-one", scene(net, domain), evidence)


def samples(net: Net, domain: Any) -> tuple[list[str], list[int]]:
    """Points and outputs whose derivatives have full rank, found greedily."""
    theta = oracle.parameters(net)
    basis: list[oracle.Row] = []
    chosen: list[str] = []
    outputs: list[int] = []
    for cell in oracle.interior_cells(net, domain):
        if 0 in cell.signs:
            continue
        active = [s > 0 for s in cell.signs]
        base = oracle.coefficients(net, theta, active)
        columns = []
        for v in range(len(theta)):
            moved = oracle.coefficients(net, [*theta[:v], theta[v] + 1, *theta[v + 1 :]], active)
            columns.append([x - y for x, y in zip(moved, base)])
        rows = [list(row) for row in zip(*columns)]
        width = len(cell.point) + 1
        for x in spread(cell):
            for k in range(len(rows) // width):
                block = rows[k * width : (k + 1) * width]
                row = [sum(c * e for c, e in zip([F(1), *x], column)) for column in zip(*block)]
                if oracle.rank([*basis, row]) > len(basis):
                    basis.append(row)
                    chosen.append(point(x))
                    outputs.append(k)
    return chosen, outputs


def drawn(net: Net, bits: int, seed: int) -> Net:
    """A parameter near the network; repeatable, so only for tests."""
    rng = random.Random(seed)
    weights, biases = oracle.arrays(net)

    def moved(x: F) -> F:
        return x + F(rng.getrandbits(bits), GRID << bits)

    return network(
        *(
            ([[moved(x) for x in row] for row in rows], [moved(x) for x in constants])
            for rows, constants in zip(weights, biases)
        )
    )


def randomized(base: Net, domain: Any, bits: int, exponent: int, seed: int = 1) -> dict[str, Any]:
    net = drawn(base, bits, seed)
    chosen, outputs = samples(base, domain)
    claim = {**scene(net, domain), "base": base, "bits": bits, "exponent": exponent}
    evidence = {"points": chosen, "outputs": outputs, "geometry_points": germ_points(net, domain)}
    return document("identifiable-randomized", claim, evidence)
