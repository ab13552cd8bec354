"""Certified floats: every sign and every bound is compared with exact integers, most of all where floats cannot decide."""

from __future__ import annotations

import random
from fractions import Fraction

import numpy as np
import pytest

from exactrelu.complexes.subdivision.certified_rays import CertifiedRays, OutOfFloatRange, _floats, _packed_rows
from exactrelu.complexes.subdivision.face_pools import FacePools
from exactrelu.complexes.subdivision.growable import Growable
from exactrelu.complexes.subdivision.integer_rays import IntegerRays
from exactrelu.complexes.subdivision.sign_words import bits_of, cleared, word_count
from exactrelu.complexes.subdivision.start_fan import start_fan
from exactrelu.network.integral_form import integral_form
from exactrelu.network.network import Network
from exactrelu.polyhedra.domain import Domain


class Lockstep:
    """Insert all neurons with certified and with integer rays; the numbering is the same."""

    def __init__(self, network: Network, domain: Domain) -> None:
        self.form = integral_form(network)
        start = start_fan(self.form.hidden[0], domain)
        first = [[sum(row[i] * start.embedding[i][c] for i in range(len(row))) for c in range(start.dimension)]
                 for row in self.form.hidden[0]]
        self.start = start
        self.floats, self.exact = CertifiedRays(start, first, self.form), IntegerRays(start, first, self.form, True)
        self.pools = FacePools(start, self.floats.labels()), FacePools(start, self.exact.labels())
        self.words = Growable(np.zeros((self.pools[0].counts[1], word_count(sum(map(len, self.form.hidden)))), np.uint64))

    def true_flags(self, number: int) -> list[int]:
        """By the integral form at the exact rays, without any table of the kernel."""
        out = []
        for ray in self.exact.coordinates(self.pools[1]).tolist():
            sign = self.form.signs([sum(a * y for a, y in zip(row, ray, strict=True)) for row in self.start.embedding])[number]
            out.append(1 if sign > 0 else 2 if sign < 0 else 0)
        return out

    def run(self, spoil: float | None = None) -> None:
        with np.errstate(all="ignore"):
            self.insert_all(spoil)

    def insert_all(self, spoil: float | None) -> None:
        number = 0
        for layer, rows in enumerate(self.form.hidden):
            self.floats.begin_layer(layer, self.pools[0], self.words.view)
            self.exact.begin_layer(layer, self.pools[1], self.words.view)
            for neuron in range(len(rows)):
                if spoil is not None:
                    d = self.start.dimension
                    columns = slice(0, d) if spoil != spoil else slice(d, 3 * d)
                    self.floats.packed.view[:, columns] = spoil
                self.bounds_hold()
                before = self.floats.uncertain
                flags = self.floats.flags(neuron)
                assert flags.tolist() == self.true_flags(number) == self.exact.flags(neuron).tolist()
                if spoil is not None:                                # a sign that is not 0 was never left to a float
                    assert self.floats.uncertain >= before + int((flags > 0).sum())
                self.insert(flags, number)
                number += 1

    def insert(self, flags: np.ndarray, number: int) -> None:
        column = number >> 5
        self.words.view[:, column] |= bits_of(flags, number)
        cuts = [pools.cut(flags) for pools in self.pools]
        if cuts[0] is None or cuts[1] is None:
            assert cuts == [None, None]
            return
        for rays, pools, cut in zip((self.floats, self.exact), self.pools, cuts, strict=True):
            positive, negative, labels = pools.split(cut, rays.rows_for(cut, pools))  # type: ignore[arg-type]
            rays.append(positive, negative, labels)
        if len(positive):
            joined = self.words.data.take(positive, axis=0) | self.words.data.take(negative, axis=0)
            joined[:, column] = cleared(joined[:, column], number)
            self.words.append(joined)

    def bounds_hold(self) -> None:
        """The float vector of a ray is a positive multiple of the exact one, up to its bounds."""
        d = self.start.dimension
        for row, ray in zip(self.floats.packed.view.tolist(), self.exact.coordinates(self.pools[1]).tolist(), strict=True):
            if not all(np.isfinite(row)):
                continue
            x, e = [Fraction(v) for v in row[:d]], [Fraction(v) for v in row[d:2 * d]]
            for i in range(d):
                for j in range(d):
                    assert abs(x[i] * ray[j] - x[j] * ray[i]) <= e[i] * abs(ray[j]) + e[j] * abs(ray[i])
            big = max(range(d), key=lambda i: abs(ray[i]))
            assert (x[big] > 0) == (ray[big] > 0) or abs(x[big]) <= e[big]


def nearly_dependent(seed: int, exponent: int, widths: tuple[int, ...] = (2, 3, 2, 1)) -> Network:
    rng = random.Random(repr((seed, exponent)))

    def entry() -> Fraction:
        return rng.randint(-2, 2) + Fraction(rng.randint(-2, 2), 2**exponent)
    return Network([[[entry() for _ in range(m)] for _ in range(n)] for m, n in zip(widths, widths[1:], strict=False)],
                   [[entry() for _ in range(n)] for n in widths[1:]])


@pytest.mark.parametrize("exponent", [3, 50, 53, 60, 110, 200])
@pytest.mark.parametrize("domain", [Domain.space(2), Domain.box(2, [(-1, 1)])], ids=["plane", "square"])
def test_signs_of_nearly_dependent_rows(exponent: int, domain: Domain) -> None:
    for seed in range(4):
        Lockstep(nearly_dependent(seed, exponent), domain).run()


def test_signs_in_space() -> None:
    for seed in range(2):
        Lockstep(nearly_dependent(seed, 55, (3, 4, 2, 1)), Domain.space(3)).run()


def test_three_lines_that_miss_each_other_by_less_than_a_float_sees() -> None:
    """x = 0, y = 0, x + y = +-2^-k or 0: floats cannot tell, integers can."""
    for k in (60, 400):
        for shift, cells in ((Fraction(1, 2**k), 7), (Fraction(0), 6), (Fraction(-1, 2**k), 7)):
            run = Lockstep(Network([[[1, 0], [0, 1], [1, 1]], [[1, 1, 1]]], [[0, 0, shift], [0]]), Domain.space(2))
            run.run()
            assert run.pools[0].counts[3] == cells
    sum_of_both = [["1/3", "1/7", Fraction(1, 3) + Fraction(1, 7)], [0]]
    run = Lockstep(Network([[[3, 1], [1, 3], [4, 4]], [[1, 1, 1]]], sum_of_both), Domain.space(2))
    run.run()
    assert run.floats.uncertain > 0 and run.pools[0].counts[3] == 6


@pytest.mark.parametrize("spoil", [float("nan"), float("inf")])
@pytest.mark.parametrize("seed", range(3))
def test_nan_and_infinite_bounds_lead_to_exact_decisions(spoil: float, seed: int) -> None:
    Lockstep(nearly_dependent(seed, 2), Domain.box(2, [(-2, 3)])).run(spoil)


def test_coordinates_and_exact_rays_are_those_of_the_integers() -> None:
    run = Lockstep(nearly_dependent(5, 70), Domain.space(2))
    run.run()
    expected = run.exact.coordinates(run.pools[1]).tolist()
    assert run.floats.coordinates(run.pools[0]).tolist() == expected
    for number, ray in enumerate(expected):
        exact = run.floats.exact_ray(number)
        assert [x * sum(map(abs, ray)) for x in exact] == [x * sum(map(abs, exact)) for x in ray]


# -- conversion ----------------------------------------------------------------------------------------------------------

def test_rows_as_floats_are_correctly_rounded() -> None:
    rows = [[3, -1, 0], [10**30 + 1, 7, -(10**29)], [0, 0, 0], [1, 0, 2**439]]
    found, exponents = _floats(rows)
    for row, values, k in zip(rows, found.tolist(), exponents, strict=True):
        for x, value in zip(row, values, strict=True):
            true = Fraction(x) / Fraction(2)**k
            assert abs(Fraction(value) - true) <= abs(true) / 2**53 and (value == 0) == (x == 0)
        assert not any(row) or 1 <= max(map(abs, values)) <= 2


def test_columns_are_scaled_first() -> None:
    found, exponents = _floats([[1, 1], [0, 8]], [0, 3])
    assert exponents == [3, 6] and found.tolist() == [[0.125, 1.0], [0.0, 1.0]]


def test_numbers_too_far_apart_are_refused() -> None:
    _floats([[1, 2**441]])
    with pytest.raises(OutOfFloatRange):
        _floats([[1, 2**442]])
    _floats([[0, 2**5000]])


def test_rows_with_tiny_entries_get_an_infinite_bound() -> None:
    h = np.array([[4.0, 2.0**-40], [4.0, 0.0], [0.0, 0.0]])
    found = _packed_rows(h, np.array([[2.0**-30, 2.0**-30], [2.0**-30, 2.0**-50], [2.0**-30, 0.0]]), 2.0**-41)
    assert found[0].tolist() == [1.0, 2.0**-42, 1.0, 2.0**-42, np.inf, np.inf]
    assert found[1].tolist() == [1.0, 0.0, 1.0, 0.0, 2.0**-32, 2.0**-41]        # a positive bound never falls below the floor
    assert found[2].tolist() == [0.0, 0.0, 0.0, 0.0, 2.0**-30, 0.0]             # an exact zero stays one
