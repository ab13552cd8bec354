"""A theta at sample points of the domain: cheap refutation of proposals, and equations for weights that are to be found."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

from exactrelu.arithmetic.matrix import echelon
from exactrelu.arithmetic.rational import homogeneous_point
from exactrelu.equivalence.sample_points import SamplePoints
from exactrelu.network.integral_form import integral_form
from exactrelu.network.network import Network
from exactrelu.polyhedra.domain import Domain

RANDOM_CHORDS = 24


@dataclass(frozen=True)
class Samples:
    """A network and a domain with interior points, looked at in a few fixed points.

    >>> samples = Samples(Network([[[1]], [[1]]], [[0], [0]]), Domain.space(1))
    >>> samples.refute(Network([[[1]], [[2]]], [[0], [0]])), samples.refute(samples.network)
    (True, False)
    """

    network: Network
    domain: Domain

    @cached_property
    def points(self) -> list[tuple[Fraction, ...]]:
        """Simple and random points of the domain."""
        source = SamplePoints(self.domain.integer_rows, self.domain.dimension)
        return list(dict.fromkeys([*source.simple(), *source.random(RANDOM_CHORDS), *source.corners(self.network.weights[0])]))

    @cached_property
    def _whole(self) -> list[tuple[int, ...]]:
        return [homogeneous_point(p) for p in self.points]

    @cached_property
    def _values(self) -> list[list[int]]:
        form = integral_form(self.network)
        return [form.preactivations(p)[-1] for p in self._whole]

    def refute(self, candidate: Network) -> bool:
        """Whether the values differ at one of the points."""
        one, two = integral_form(self.network).denominator, integral_form(candidate)
        return any([x * two.denominator for x in left] != [y * one for y in two.preactivations(p)[-1]]
                   for p, left in zip(self._whole, self._values))

    @cached_property
    def _preactivations(self) -> list[list[list[int]]]:
        form = integral_form(self.network)
        return [form.preactivations(p) for p in self._whole]

    def solved_behind(self, candidate: Network, layer: int) -> Network | None:
        """Return the candidate with weights and biases behind a hidden layer such that its pre-activations there are those of the network.

        Solved at the sample points, so it holds there; None if the equations have no solution.  In integers: at homogeneous (t, x) the
        integral forms take t times the multiples of z that their scales say.

        >>> samples = Samples(Network([[[1]], [["1/2"]]], [[0], [3]]), Domain.space(1))
        >>> samples.solved_behind(Network([[[3]], [[0]]], [[0], [0]]), 1).weights[1]
        ((Fraction(1, 6),),)
        """
        one, two = integral_form(self.network), integral_form(candidate)
        width, size = len(candidate.biases[layer - 1]), len(candidate.biases[layer])
        equations = []
        for p, known in zip(self._whole, self._preactivations):
            active = [max(z, 0) for z in two.preactivations(p)[layer - 1]]
            equations.append([*active, p[0], *known[layer]])
        table, pivots = echelon(equations, width + 1 + size)
        if any(pivot > width for pivot in pivots):
            return None
        rows = [[Fraction(0)] * (width + 1) for _ in range(size)]
        scales = one.scales[layer] if layer < len(one.scales) else (one.denominator,) * size
        for line, pivot in zip(table, pivots):
            factor = two.scales[layer - 1][pivot] if pivot < width else 1
            for k, scale in enumerate(scales):
                rows[k][pivot] = line[width + 1 + k] * factor / scale
        return candidate.replaced(layer + 1, [row[:-1] for row in rows], [row[-1] for row in rows])
