"""One layer of n hyperplanes in general position in R^d: f_k = C(n, d-k) sum over i <= k of C(n-d+k, i)."""

from __future__ import annotations

from math import comb

from hypothesis import given, settings
from hypothesis import strategies as st

from exactrelu.complexes.canonical_complex import CanonicalComplex
from exactrelu.complexes.complex_report import ComplexReport
from exactrelu.genericity.generic import genericity
from exactrelu.network.network import Network
from exactrelu.polyhedra.domain import Domain


def moment_curve(d: int, parameters: list[int]) -> Network:
    """Rows (t^d; 1, t, ..., t^(d-1)): any d+1 of them are independent, as are the normals of any d."""
    rows = [[t**k for k in range(d)] for t in parameters]
    return Network([rows, [[1] * len(rows)]], [[t**d for t in parameters], [0]])


def test_of_the_example() -> None:
    assert [comb(6, 2) * 1, comb(6, 1) * (1 + 5), 1 + 6 + 15] == [15, 36, 22]


@settings(derandomize=True, max_examples=40)
@given(st.integers(1, 4).flatmap(lambda d: st.tuples(
    st.just(d), st.lists(st.integers(-6, 6), min_size=d, max_size={1: 9, 2: 9, 3: 7, 4: 6}[d], unique=True))))
def test_simple_arrangement_counts(case: tuple[int, list[int]]) -> None:
    d, parameters = case
    n = len(parameters)
    found = CanonicalComplex.build(moment_curve(d, parameters), Domain.space(d))
    assert tuple(found.f_vector) == tuple(comb(n, d - k) * sum(comb(n - d + k, i) for i in range(k + 1)) for k in range(d + 1))
    conditions = genericity(found)
    assert conditions.verdicts["supertransversality"].word == conditions.verdicts["zero_count"].word == "holds"
    assert ComplexReport(found).to_json()["breakpoint_facets"] == found.f_vector[d - 1]
