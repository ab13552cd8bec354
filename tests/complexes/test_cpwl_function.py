"""Equality of affine maps is exact, also when residues agree by accident."""

from __future__ import annotations

import random

import numpy as np
import pytest

from exactrelu.arithmetic.residues import enough_primes, primes
from exactrelu.complexes.breakpoint_complex import BreakpointComplex
from exactrelu.complexes.canonical_complex import CanonicalComplex
from exactrelu.network.forward import value
from exactrelu.network.network import Network
from exactrelu.polyhedra.domain import Domain


def test_a_jump_divisible_by_the_first_primes_is_still_seen() -> None:
    for count in (1, 2, 5):
        jump = 1
        for p in primes(count):
            jump *= p
        built = CanonicalComplex.build(Network([[[1], [1]], [[jump, 1]]], [[0, -3], [0]]))
        breakpoints = BreakpointComplex(built)
        assert len(breakpoints.facets) == 2
        assert breakpoints.linear_regions == breakpoints.distinct_affine_maps == 3


def test_two_maps_congruent_modulo_the_first_prime_are_distinct() -> None:
    p = primes(1)[0]
    # slopes 0, 1, 1 + p: the last two agree modulo the first prime
    built = CanonicalComplex.build(Network([[[1], [1]], [[1, p]]], [[0, -1], [0]]))
    assert built.function.distinct_maps == 3
    # equal maps far apart are recognized as equal
    equal = CanonicalComplex.build(Network([[[1], [1]], [[1, -1]]], [[0, -1], [0]]))
    assert equal.function.distinct_maps == 3
    back = CanonicalComplex.build(Network([[[1], [1], [1]], [[1, -1, 0]]], [[0, 0, -1], [0]]))
    assert back.function.distinct_maps == 1


def test_enough_primes_really_suffice() -> None:
    for bits in (1, 23, 24, 100, 1000):
        product = 1
        for p in enough_primes(bits):
            product *= p
        assert product > 2 ** (bits + 1)


@pytest.mark.parametrize("seed", range(6))
def test_the_map_of_a_cell_is_the_function_there(seed: int) -> None:
    rng = random.Random(seed)
    widths = [(2, 4, 3, 2), (3, 3, 3, 1), (2, 3, 2, 2, 1)][seed % 3]
    net = Network([[[rng.randint(-3, 3) for _ in range(m)] for _ in range(n)] for m, n in zip(widths, widths[1:])],
                  [[rng.randint(-3, 3) for _ in range(n)] for n in widths[1:]])
    built = CanonicalComplex.build(net, Domain.box(widths[0], [(-3, 3)]) if seed % 2 else None)
    for cell in range(built.full_cells):
        slope, constant = built.exact_map(cell)
        for x in (built.full_cell(cell).point, *built.full_cell(cell).vertices):
            assert value(net, x) == tuple(sum(a * y for a, y in zip(row, x)) + c for row, c in zip(slope, constant))


@pytest.mark.parametrize("seed", range(8))
def test_weights_of_the_path_formula_are_the_direct_jumps(seed: int) -> None:
    rng = random.Random(100 + seed)
    widths = [(2, 4, 3, 2), (3, 3, 3, 1), (2, 3, 2, 2, 1), (1, 4, 3, 1)][seed % 4]
    net = Network([[[rng.randint(-2, 2) for _ in range(m)] for _ in range(n)] for m, n in zip(widths, widths[1:])],
                  [[rng.randint(-2, 2) for _ in range(n)] for n in widths[1:]])
    breakpoints = BreakpointComplex(CanonicalComplex.build(net))
    assert breakpoints.balanced
    for at, facet in enumerate(breakpoints.facets.tolist()):
        formula, direct = breakpoints.weights[at], breakpoints.weight(facet)
        assert any(formula.weight)
        assert np.gcd.reduce(np.array(formula.normal)) == 1
        assert formula.weight == direct.weight
        assert formula.normal in (direct.normal, tuple(-x for x in direct.normal))
