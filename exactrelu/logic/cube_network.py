"""Networks on boxes as networks on the unit cube: x = low + (high - low) u, and integer networks by clearing denominators."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import lcm

from exactrelu.errors import DomainError, ShapeError
from exactrelu.logic.layers import Range
from exactrelu.network.network import Network
from exactrelu.polyhedra.domain import Domain

UNIT: Range = (Fraction(0), Fraction(1))


def box_of_domain(domain: Domain | None, inputs: int) -> tuple[Range, ...] | None:
    """Return the intervals of a box, None for the unit cube.

    Raises:
        DomainError: the domain is empty, or no bounded box.

    >>> box_of_domain(Domain.box(2, [(0, 1)]), 2), box_of_domain(Domain.box(1, [(-1, 2)]), 1)
    (None, ((Fraction(-1, 1), Fraction(2, 1)),))
    """
    if domain is None:
        return None
    if domain.dimension != inputs:
        raise ShapeError(f"the domain has dimension {domain.dimension}, the network {inputs} inputs")
    intervals = domain.bounding_intervals
    if intervals is None:
        raise DomainError("domain must be the unit cube or a box; got a polyhedron with inequalities in several coordinates")
    box: list[Range] = []
    for low, high in intervals:
        if low is None or high is None:
            raise DomainError("domain must be the unit cube or a box; got an unbounded polyhedron")
        if low > high:
            raise DomainError(f"the domain is empty: {low} > {high}")
        box.append((low, high))
    return None if all(interval == UNIT for interval in box) else tuple(box)


def on_cube(network: Network, box: Sequence[Range] | None) -> Network:
    """Return the network u -> f(low + (high - low) u).

    >>> on_cube(Network([[[3]]], [[1]]), [(Fraction(-1), Fraction(1))])(["1/2"])
    (Fraction(1, 1),)
    """
    if box is None:
        return network
    rows, bias = network.weights[0], network.biases[0]
    weights = [[w * (high - low) for w, (low, high) in zip(row, box)] for row in rows]
    biases = [sum((w * low for w, (low, _) in zip(row, box)), b) for row, b in zip(rows, bias)]
    return network.replaced(1, weights, biases)


def is_integer(network: Network) -> bool:
    """Return whether all weights and biases are integers."""
    return all(x.denominator == 1 for rows, bias in zip(network.weights, network.biases) for row in (*rows, bias) for x in row)


def cleared(network: Network) -> tuple[Network, int]:
    """Return an integer network that computes q f, and q > 0.

    Layer l becomes q_l W / q_{l-1}, q_l b with the least integer q_l that makes it integral (q_0 = 1); relu(q z) = q relu(z).

    >>> network, q = cleared(Network([[["1/2"]], [["1/3"]]], [["1/4"], [0]]))
    >>> network.weights, network.biases, q
    ((((Fraction(2, 1),),), ((Fraction(1, 1),),)), ((Fraction(1, 1),), (Fraction(0, 1),)), 12)
    """
    before = 1
    weights: list[list[list[Fraction]]] = []
    biases: list[list[Fraction]] = []
    for rows, bias in zip(network.weights, network.biases):
        q = lcm(*[(w / before).denominator for row in rows for w in row], *[b.denominator for b in bias])
        weights.append([[w * q / before for w in row] for row in rows])
        biases.append([b * q for b in bias])
        before = q
    return Network(weights, biases), before
