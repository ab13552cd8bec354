"""The double description step against cddlib, and its support identities by multiplication."""

from __future__ import annotations

import random
from fractions import Fraction
from math import gcd

import pytest
import sympy

from exactrelu.errors import InvariantError
from exactrelu.polyhedra.cddlib import generators
from exactrelu.polyhedra.double_description import MANY_COLUMNS, Part, dot, nonnegative_support

Row = tuple[int, ...]


def cut(part: Part, row: Row) -> list[Part]:
    return part.cut(row, part.values(row))


def splits(part: Part, row: Row) -> bool:
    values = part.values(row)
    return part.free_line(row) is not None or min(values) < 0 < max(values)


def agrees(part: Part, dimension: int) -> None:
    """Generators, masks and lines of a part are right."""
    found = generators(part.rows, [], dimension)
    assert len(found.lines) == len(part.lines)
    if part.lines:
        both = [*found.lines, *part.lines]
        assert sympy.Matrix(both).rank() == len(part.lines) == sympy.Matrix(part.lines).rank()
        assert all(dot(row, line) == 0 for row in part.rows for line in part.lines) and not any(line[0] for line in part.lines)
        # modulo lines: the same values of all rows, up to a positive factor
        rows = [(1, *[0] * dimension), *part.rows]
        ours = {primitive([dot(row, g) for row in rows]) for g, _ in part.generators}
        assert ours == {primitive([dot(row, g) for row in rows]) for g in found.points} and len(ours) == len(part.generators)
    else:
        assert sorted(g for g, _ in part.generators) == list(found.points)
    for g, mask in part.generators:
        true = int(g[0] == 0) | sum(1 << i + 1 for i, row in enumerate(part.rows) if dot(row, g) == 0)
        assert mask == true, (g, part.rows)


def primitive(vector: list[int]) -> Row:
    content = gcd(*vector) or 1
    return tuple(x // content for x in vector)


def test_space() -> None:
    part = Part.space(2)
    assert part.generators == (((1, 0, 0), 0),) and part.lines == ((0, 1, 0), (0, 0, 1)) and part.rows == ()
    assert part.interior_point() == (1, 0, 0)
    agrees(part, 2)


def test_a_line_is_cut_into_two_rays() -> None:
    plus, minus = cut(Part.space(1), (1, -2))
    assert sorted(g for g, _ in plus.generators) == [(0, -1), (2, 1)]
    assert sorted(g for g, _ in minus.generators) == [(0, 1), (2, 1)]
    assert plus.lines == minus.lines == () and minus.rows == ((-1, 2),)


def test_only_the_side_asked_for() -> None:
    part = Part.space(2)
    row = (0, 1, 1)
    assert part.cut(row, part.values(row), (-1,)) == cut(part, row)[1:]
    (quadrant,) = cut(part, row)[0].cut((0, 1, 0), [0, 0], (1,))
    assert quadrant.cut((0, 1, -1), quadrant.values((0, 1, -1)), (1,)) == cut(quadrant, (0, 1, -1))[:1]


@pytest.mark.parametrize("seed", range(24))
@pytest.mark.parametrize("bound", [1, 4])
def test_both_sides_of_random_cuts(seed: int, bound: int) -> None:
    """Small entries give degenerate systems: several rows through one vertex, parallel rows, rows through an edge."""
    rng = random.Random(repr((seed, bound)))
    dimension = 1 + seed % 4
    part = Part.space(dimension)
    for _ in range(7):
        row = tuple(rng.randint(-bound, bound) for _ in range(dimension + 1))
        if not any(row[1:]) or not splits(part, row):
            continue
        children = cut(part, row)
        for child in children:
            agrees(child, dimension)
        part = rng.choice(children)


def test_a_square_cone_is_cut_along_its_diagonal() -> None:
    """No generator is new: the two rays between which the row changes sign span no edge."""
    part = Part.space(3)
    for row in ((0, 1, 0, 1), (0, -1, 0, 1), (0, 0, 1, 1), (0, 0, -1, 1)):
        part = cut(part, row)[0]
    assert len(part.generators) == 5
    for child in cut(part, (0, 1, -1, 0)):
        assert len(child.generators) == 4
        agrees(child, 3)


# -- interior points -----------------------------------------------------------------------------------------------------

@pytest.mark.parametrize("seed", range(20))
def test_interior_points_are_strictly_inside(seed: int) -> None:
    rng = random.Random(seed)
    dimension = 1 + seed % 3
    part = Part.space(dimension)
    for _ in range(8):
        row = tuple(rng.randint(-9, 9) for _ in range(dimension + 1))
        if any(row[1:]) and splits(part, row):
            part = rng.choice(cut(part, row))
            point = part.interior_point()
            assert point[0] > 0 and all(dot(r, point) > 0 for r in part.rows)
            assert gcd(*point) == 1


@pytest.mark.parametrize("bits", [5, 50, 500, 2000])
def test_interior_point_of_a_very_thin_interval(bits: int) -> None:
    """[1/3, 1/3 + 2^-bits]: a rounded center is tried, then the exact one."""
    part = cut(Part.space(1), (-1, 3))[0]
    part = cut(part, (1 * 2**bits + 3, -3 * 2**bits))[0]
    t, x = part.interior_point()
    assert Fraction(1, 3) < Fraction(x, t) < Fraction(1, 3) + Fraction(1, 2**bits)


# -- support -------------------------------------------------------------------------------------------------------------

def proves(rows: list[Row], names: list[int], row: Row) -> None:
    """row = sum lambda_i rows_i + constant with lambda > 0, constant >= 0 and independent rows, solved by sympy."""
    matrix = sympy.Matrix([rows[i][1:] for i in names]).T if names else sympy.zeros(len(row) - 1, 0)
    assert matrix.rank() == len(names)
    target = sympy.Matrix(row[1:])
    constant = sympy.Integer(row[0])
    if names:
        solution = (matrix.T * matrix).LUsolve(matrix.T * target)
        assert matrix * solution == target and all(x > 0 for x in solution)
        constant -= sum(x * rows[i][0] for x, i in zip(solution, names, strict=True))
    else:
        assert not any(target)
    assert constant >= 0


def test_a_constant_needs_no_row() -> None:
    part = cut(Part.space(1), (0, 1))[0]
    assert part.support((3, 0), part.values((3, 0))) == []


@pytest.mark.parametrize("seed", range(30))
def test_support_identities(seed: int) -> None:
    rng = random.Random(seed)
    dimension = 1 + seed % 3
    part = Part.space(dimension)
    checked = 0
    for _ in range(40):
        row = tuple(rng.randint(-3, 3) for _ in range(dimension + 1))
        if splits(part, row):
            if len(part.rows) < 7:
                part = rng.choice(cut(part, row))
            continue
        values = part.values(row)
        signed = row if min(values) >= 0 else tuple(-x for x in row)
        proves(list(part.rows), part.support(signed, part.values(signed)), signed)
        checked += 1
    assert checked


def test_support_at_a_vertex_with_many_tight_rows() -> None:
    """The cone over a polygon with more sides than `MANY_COLUMNS`: a linear program selects the rows."""
    sides = [(0, -2 * k, 1, k * k) for k in range(-6, 7)]             # tangents of the cone x^2 <= y z
    part = Part.space(3)
    for row in (*sides, (0, 0, 0, 1)):
        part = cut(part, row)[0] if splits(part, row) else part
    apex = next(m for g, m in part.generators if g == (1, 0, 0, 0))
    assert apex.bit_count() > MANY_COLUMNS
    for target in [(0, 0, 0, 1), (3, -2, 2, 1), (0, 0, 5, 7), (1, -3, 1, 40)]:
        assert min(part.values(target)) >= 0
        proves(list(part.rows), part.support(target, part.values(target)), target)


def test_no_combination_is_an_error() -> None:
    with pytest.raises(InvariantError, match="supporting"):
        nonnegative_support([(1, 0), (0, 1)], (-1, 0), [4, 7])
    with pytest.raises(InvariantError, match="supporting"):
        nonnegative_support([], (1, 0), [])
    with pytest.raises(InvariantError, match="supporting"):
        nonnegative_support([(1, k) for k in range(MANY_COLUMNS + 1)], (-1, 0), list(range(MANY_COLUMNS + 1)))


def test_names_are_handed_back() -> None:
    assert nonnegative_support([(1, 0), (0, 1)], (0, 3), [4, 7]) == [7]
    assert nonnegative_support([(1, 0), (0, 1)], (2, 3), [4, 7]) == [4, 7]
    assert nonnegative_support([(1, 0), (0, 1)], (0, 0), [4, 7]) == []
    assert nonnegative_support([(1, 1), (-1, 1), (0, 1)], (0, 2), [1, 2, 3]) in ([3], [1, 2])


def test_scalar_product() -> None:
    assert dot((1, -2, 3), (4, 5, 6)) == 12 and dot((), ()) == 0
