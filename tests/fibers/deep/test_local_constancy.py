"""Cells persist near theta where the criterion says so: compared with the complexes of tiny exact perturbations."""

from __future__ import annotations

from fractions import Fraction
from random import Random

import numpy as np
import pytest

from exactrelu import CanonicalComplex, Domain, Network
from exactrelu.fibers.deep.local_constancy import local_constancy

Widths = tuple[int, ...]
ORTHANT = Domain(2, [[0, 1, 0], [0, 0, 1]])
WEDGE = Domain(2, [[1, 1, -1], [0, 0, 1]])
STRIP = Domain(2, [[1, 1, 0], [1, -1, 0]])
PYRAMID = Domain(3, [[2, 1, 0, -1], [2, -1, 0, -1], [2, 0, 1, -1], [2, 0, -1, -1], [0, 0, 0, 1]])
FLAT = Domain(2, [[0, 1, -1], [0, -1, 1], [3, 1, 0], [3, -1, 0]])


def drawn(widths: Widths, size: int, seed: int) -> Network:
    """Integers between -size and size; small sizes give mostly degenerate networks."""
    rng = Random(f"persistence {widths} {size} {seed}")
    return Network([[[rng.randint(-size, size) for _ in range(a)] for _ in range(b)] for a, b in zip(widths, widths[1:])],
                   [[rng.randint(-size, size) for _ in range(b)] for b in widths[1:]])


def moved(network: Network, seed: int, exponent: int) -> Network:
    """All parameters changed by multiples of 2^-exponent."""
    rng = Random(f"moved {seed}")

    def near(x: Fraction) -> Fraction:
        return x + Fraction(rng.randint(-999, 999), 1 << exponent)
    weights = [[[near(x) for x in row] for row in rows] for rows in network.weights]
    return Network(weights, [[near(x) for x in row] for row in network.biases])


def labelled_cells(network: Network, domain: Domain | None) -> set[tuple[int, tuple[int, ...], tuple[int, ...]]]:
    """Dimension, walls of the domain and signs of all cells."""
    complex_ = CanonicalComplex.build(network, domain)
    found = set()
    for level in range(1, complex_.fan.dimension + 1):
        for number in np.flatnonzero(complex_.fan.labels[level] != 1).tolist():
            cell = complex_.cell(level - 1 + complex_.lineality_dimension, number)
            walls = tuple(j for j, row in enumerate(complex_.domain.integer_rows)
                          if row[0] + sum(a * x for a, x in zip(row[1:], cell.point)) == 0)
            found.add((cell.dimension, walls, cell.signs))
    return found


def persists(network: Network, domain: Domain | None, seed: int) -> bool:
    """Whether the cells are those of three tiny perturbations."""
    here = labelled_cells(network, domain)
    return all(labelled_cells(moved(network, 9 * seed + k, 60), domain) == here for k in range(3))


CASES: list[tuple[Widths, Domain | None, int]] = [
    ((1, 2, 1), None, 2), ((1, 2, 2, 1), None, 2), ((2, 2, 1), None, 2), ((2, 3, 1), None, 3), ((2, 2, 2, 1), None, 3),
    ((3, 2, 2, 1), None, 3), ((2, 1, 2, 1), None, 3), ((2, 2, 2, 2, 1), None, 4), ((2, 3, 2, 1), Domain.box(2, [(-1, 1)]), 3),
    ((2, 2, 2, 1), ORTHANT, 3), ((2, 2, 2, 1), WEDGE, 3), ((2, 2, 1), STRIP, 3), ((3, 2, 1), PYRAMID, 3), ((2, 2, 2, 1), FLAT, 3)]


def compare(widths: Widths, domain: Domain | None, size: int, seeds: range) -> tuple[int, int, int]:
    """Holds; undecided; undecided although nothing was seen to change."""
    holds = undecided = spurious = 0
    for seed in seeds:
        network = drawn(widths, size, seed)
        verdict = local_constancy(CanonicalComplex.build(network, domain))
        if verdict.word == "holds":
            holds += 1
            assert persists(network, domain, seed), (widths, size, seed)
        else:
            undecided += 1
            spurious += persists(network, domain, seed)
    return holds, undecided, spurious


@pytest.mark.parametrize("widths, domain, size", CASES)
def test_cells_persist(widths: Widths, domain: Domain | None, size: int) -> None:
    holds, undecided, _ = compare(widths, domain, size, range(12))
    holds += compare(widths, domain, 50, range(3))[0]
    assert holds and holds + undecided >= 12


@pytest.mark.slow
@pytest.mark.parametrize("widths, domain, size", CASES)
def test_cells_persist_on_many(widths: Widths, domain: Domain | None, size: int) -> None:
    holds, undecided, spurious = compare(widths, domain, size, range(12, 150))
    assert holds
    if domain is None and widths[0] == 1:
        assert spurious <= undecided // 3


def test_a_touching_neuron() -> None:
    """ReLU(2 ReLU(x) + ReLU(1 - x) - 1): supertransversal, yet a change of a bias makes the second layer cut or leave the axis."""
    network = Network([[[1], [-1]], [[2, 1]], [[1]]], [[0, 1], [-1], [0]])
    verdict = local_constancy(CanonicalComplex.build(network))
    assert verdict.reason == "2 neurons vanish on a cone where 1 can stay zero together"
    assert not persists(network, None, 0)


def test_parallel_lines_meet_after_a_change() -> None:
    network = Network([[[1, 1], [2, 2]], [[1, 1]]], [[0, 1], [0]])
    verdict = local_constancy(CanonicalComplex.build(network))
    assert verdict.reason.endswith("2 neurons vanish on a cone at infinity where 1 can stay zero together")
    assert not persists(network, None, 0)


def test_parallel_lines_of_a_dead_side_stay_parallel() -> None:
    """Where neuron 1 is off, the second layer sees the second neuron only: its lines there are parallel for good."""
    network = Network([[[1, 0], [0, 1]], [[1, 2], [-3, -2]], [[1, 1]]], [[1, 0], [-3, 5], [0]])
    assert local_constancy(CanonicalComplex.build(network)).word == "holds" and persists(network, None, 0)


def test_directions_that_nothing_sees() -> None:
    """One neuron leaves a line of R^2 invisible, and always will; two parallel ones do not."""
    assert local_constancy(CanonicalComplex.build(Network([[[1, 2]], [[3]], [[1]]], [[1], [-1], [0]]))).word == "holds"
    assert local_constancy(CanonicalComplex.build(Network([[[1, 0], [-1, 0]], [[1, 1]]], [[1, 2], [0]]))).word == "undecided"


def test_a_wall_through_a_corner() -> None:
    box = Domain.box(2, [(-1, 1)])
    through = Network([[[1, 1]], [[1]]], [[-2], [0]])
    assert local_constancy(CanonicalComplex.build(through, box)).reason == "1 neuron vanishes on a cone where 0 can stay zero together"
    assert local_constancy(CanonicalComplex.build(through.replaced(1, biases=[-1]), box)).word == "holds"
