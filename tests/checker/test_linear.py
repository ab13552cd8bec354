from fractions import Fraction as F

import pytest
from hypothesis import given
from hypothesis import strategies as st

from exactrelu.checker.claims.modular import PRIME, ModularEchelon, rank_modulo
from exactrelu.checker.document import LIMITS, WORK
from exactrelu.checker.linear import dot, rank, solve
from tests.checker import oracle

SMALL = st.integers(-3, 3)
BIG = st.sampled_from([0, 1, -2, 10**40, -(10**40) + 1, PRIME, 2 * PRIME + 1])


@pytest.fixture(autouse=True)
def _meter() -> None:
    WORK.set([LIMITS["work"]])


def matrices(entries: st.SearchStrategy[int]) -> st.SearchStrategy[list[list[int]]]:
    return st.integers(1, 4).flatmap(
        lambda n: st.lists(st.lists(entries, min_size=n, max_size=n), min_size=1, max_size=5)
    )


def fractions(rows: list[list[int]]) -> list[list[F]]:
    return [[F(x) for x in row] for row in rows]


@given(matrices(SMALL) | matrices(BIG))
def test_rank(rows: list[list[int]]) -> None:
    WORK.set([LIMITS["work"]])
    assert rank(rows) == oracle.rank(fractions(rows))


@given(matrices(SMALL) | matrices(BIG))
def test_rank_modulo_is_a_lower_bound(rows: list[list[int]]) -> None:
    WORK.set([LIMITS["work"]])
    exact = oracle.rank(fractions(rows))
    assert rank_modulo(rows) <= exact
    if all(abs(x) <= 3 for row in rows for x in row):
        assert rank_modulo(rows) == exact


def test_a_rank_can_be_lost_to_the_prime() -> None:
    echelon = ModularEchelon()
    assert not echelon.add([PRIME, 0])
    assert echelon.add([1, 0])
    assert not echelon.add([PRIME + 1, 0])
    assert echelon.rank == 1


@given(matrices(SMALL) | matrices(BIG), st.data())
def test_solve_returns_the_solution_or_none(columns: list[list[int]], data: st.DataObject) -> None:
    WORK.set([LIMITS["work"]])
    n = len(columns[0])
    if data.draw(st.booleans()):
        chosen = data.draw(st.lists(SMALL, min_size=len(columns), max_size=len(columns)))
        target = [dot(chosen, row) for row in zip(*columns, strict=True)]
    else:
        target = data.draw(st.lists(SMALL, min_size=n, max_size=n))
    found = solve(columns, target)
    independent = oracle.rank(fractions(columns)) == len(columns)
    reachable = oracle.rank(fractions([*columns, target])) == oracle.rank(fractions(columns))
    assert (found is not None) == (independent and reachable)
    if found is not None:
        numerators, denominator = found
        assert denominator
        combined = [dot(numerators, row) for row in zip(*columns, strict=True)]
        assert combined == [denominator * t for t in target]
