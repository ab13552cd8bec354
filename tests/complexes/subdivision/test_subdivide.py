"""All backends give the same fan; numbers far outside the float range stay right; limits end cleanly."""

from __future__ import annotations

import random
from fractions import Fraction
from typing import Any

import pytest

from exactrelu.complexes.canonical_complex import CanonicalComplex
from exactrelu.complexes.subdivision.subdivide import subdivide
from exactrelu.errors import BudgetExceeded, DomainError, InputError
from exactrelu.limits import Limits
from exactrelu.network.integral_form import integral_form
from exactrelu.network.network import Network
from exactrelu.network.trivial_symmetry import TrivialSymmetry
from exactrelu.polyhedra.domain import Domain


def network(widths: tuple[int, ...], rng: random.Random, kind: str) -> Network:
    """Weights in {-1, 0, 1}, {-2..2}, {-9..9}, or float32 numbers."""
    def entry() -> Fraction | int:
        if kind == "float32":
            return Fraction(rng.choice((-1, 1)) * rng.randrange(1 << 23, 1 << 24), 1 << rng.randrange(22, 27))
        return rng.randint(-{"ternary": 1, "two": 2, "nine": 9}[kind], {"ternary": 1, "two": 2, "nine": 9}[kind])
    return Network([[[entry() for _ in range(m)] for _ in range(n)] for m, n in zip(widths, widths[1:])],
                   [[entry() for _ in range(n)] for n in widths[1:]])


def everything(net: Network, domain: Domain, backend: str) -> list[Any]:
    """Counts, labels, signs, facet sets and exact coordinates of the fan."""
    fan = subdivide(integral_form(net), domain, backend)
    out: list[Any] = [fan.counts]
    for k in range(1, fan.dimension + 1):
        out += [fan.labels[k].tolist(), fan.signs(k).tolist()]
        if k > 1:
            starts, index = fan.facets(k)
            out.append([sorted(index[a:b].tolist()) for a, b in zip(starts, starts[1:])])
    return [*out, [[int(x) for x in ray] for ray in fan.coordinates], [list(fan.ray(i)) for i in range(fan.counts[1])]]


def domains(d: int) -> dict[str, Domain]:
    unit = [[int(i == k) for i in range(d)] for k in range(d)]
    return {
        "space": Domain.space(d),
        "box": Domain.box(d, [(-1, 1)]),
        "orthant": Domain(d, tuple((0, *row) for row in unit)),
        "half-space": Domain(d, ((0, *unit[0]),)),
        "strip": Domain(d, ((1, *[1] * d), (1, *[-1] * d))),
        "redundant": Domain(d, ((1, *unit[0]), (2, *unit[0]), (3, *(3 * x for x in unit[0])))),
        "hyperplane": Domain(d, ((0, *[1] * d), (0, *[-1] * d), *((2, *row) for row in unit))),
        "point": Domain(d, tuple(row for u in unit for row in ((-1, *u), (1, *(-x for x in u))))),
    }


@pytest.mark.parametrize("kind", ["ternary", "two", "nine", "float32"])
@pytest.mark.parametrize("widths", [(1, 3, 2, 1), (2, 3, 3, 1), (2, 4, 3, 2, 1), (3, 4, 4, 1), (2, 1, 1), (4, 3, 3, 1), (2, 1),
                                    (3, 2, 1, 2)])
def test_backends_agree_bit_for_bit(widths: tuple[int, ...], kind: str) -> None:
    rng = random.Random(repr((widths, kind)))
    for domain in domains(widths[0]).values():
        net = network(widths, rng, kind)
        reference = everything(net, domain, "reference")
        for backend in ("auto", "certified", "integer"):
            assert everything(net, domain, backend) == reference, (backend, domain)
        if kind != "float32":
            assert everything(net, domain, "int64") == reference


@pytest.mark.parametrize("exponent", [60, 300, 500, 1100])
def test_trivial_scalings_far_outside_the_float_range(exponent: int) -> None:
    rng = random.Random(exponent)
    for widths in ((2, 3, 3, 3, 1), (3, 4, 3, 1)):
        net = network(widths, rng, "nine")
        scales = tuple(tuple(Fraction(2) ** (exponent * (-1) ** (layer + i)) for i in range(n)) for layer, n in enumerate(widths[1:-1]))
        moved = TrivialSymmetry(tuple(tuple(range(n)) for n in widths[1:-1]), scales).act(net)
        domain = Domain.space(widths[0])
        for backend in ("auto", "certified"):
            assert everything(moved, domain, backend)[1:3] == everything(net, domain, "reference")[1:3]


@pytest.mark.parametrize("exponent", [40, 120, 300, 400, 700, 1000])
def test_columns_of_very_different_size(exponent: int) -> None:
    """The coordinates of the input are scaled by 1, 2^-k, 2^-2k: the same complex in other coordinates."""
    rng = random.Random(exponent)
    net = network((3, 4, 3, 1), rng, "nine")
    first = [[w * Fraction(1, 2 ** (exponent * j)) for j, w in enumerate(row)] for row in net.weights[0]]
    moved = net.replaced(1, weights=first)
    assert CanonicalComplex.build(moved).f_vector == CanonicalComplex.build(net, backend="reference").f_vector


@pytest.mark.parametrize("exponent", [40, 80, 160, 300])
def test_rows_that_are_nearly_dependent(exponent: int) -> None:
    """Small integers plus multiples of 2^-k: equal or concurrent in floats, not in truth."""
    rng = random.Random(exponent)
    for _ in range(12):
        net = network((2, 3, 3, 1), rng, "two")
        tiny = [[w + Fraction(rng.randint(-3, 3), 2**exponent) for w in row] for row in net.weights[0]]
        moved = net.replaced(1, weights=tiny)
        assert everything(moved, Domain.space(2), "certified") == everything(moved, Domain.space(2), "reference")


@pytest.mark.parametrize("exponent", [40, 200, 340, 380, 400, 420, 440])
def test_tiny_differences_of_nearly_equal_rows(exponent: int) -> None:
    """A bound that underflows must not be read as an exact zero."""
    e = Fraction(1, 2**exponent)
    near = e * (1 + Fraction(1, 2**60))
    line = Network([[[e], [near]], [[-e, e]], [[-e]], [[1]]], [[1, 1], [1], [1], [0]])
    assert everything(line, Domain(1, ((0, 1),)), "auto") == everything(line, Domain(1, ((0, 1),)), "reference")
    plane = Network([[[0, e], [0, near]], [[e, -e]], [[1]]], [[1, 1], [1], [0]])
    wedge = Domain(2, ((0, 0, 1), (0, 1, -(2**exponent))))
    assert everything(plane, wedge, "auto") == everything(plane, wedge, "reference")


def test_nearly_cancelling_pairs_times_tiny_factors() -> None:
    rng = random.Random(11)
    for _ in range(150):
        d = rng.choice((1, 1, 2, 3))
        widths = (d, *(rng.randint(1, 3) for _ in range(rng.randint(1, 4))), 1)

        def entry() -> Fraction:
            size = Fraction(1, 2 ** rng.choice((0, 60, 200, 330, 400, 438)))
            return rng.choice((-1, 1)) * size * (1 + rng.choice((0, 0, 1, 2)) * Fraction(1, 2 ** rng.choice((53, 60, 110))))
        net = Network([[[entry() for _ in range(m)] for _ in range(n)] for m, n in zip(widths, widths[1:])],
                      [[rng.choice((entry(), Fraction(1), Fraction(0))) for _ in range(n)] for n in widths[1:]])
        big = 2 ** rng.choice((0, 60, 300, 400))
        orthant = Domain(d, tuple((0, *(int(i == k) for i in range(d))) for k in range(d)))
        for domain in (orthant, Domain.space(d), Domain.box(d, [(-big, big)])):
            assert everything(net, domain, "auto") == everything(net, domain, "integer")


def test_limits_end_with_what_was_done() -> None:
    net = network((2, 12, 12, 1), random.Random(1), "float32")
    with pytest.raises(BudgetExceeded) as stop:
        CanonicalComplex.build(net, limits=Limits(max_cells=100))
    assert stop.value.done["cells"] > 100
    assert stop.value.done["neurons_inserted"] < 24
    with pytest.raises(BudgetExceeded):
        CanonicalComplex.build(net, limits=Limits(max_seconds=1e-9))
    with pytest.raises(BudgetExceeded):
        CanonicalComplex.build(net, limits=Limits(max_bits=8))


def test_empty_domains_and_unknown_backends_are_refused() -> None:
    net = Network([[[1]], [[1]]], [[0], [0]])
    with pytest.raises(DomainError):
        CanonicalComplex.build(net, Domain(1, ((-1, 1), (0, -1))))
    with pytest.raises(DomainError):
        CanonicalComplex.build(net, Domain(1, ((-1, 0),)))
    with pytest.raises(InputError):
        CanonicalComplex.build(net, backend="fast")


def test_int64_refuses_to_overflow() -> None:
    net = network((3, 6, 6, 1), random.Random(3), "float32")
    with pytest.raises(InputError, match="overflow"):
        subdivide(integral_form(net), Domain.space(3), "int64")
