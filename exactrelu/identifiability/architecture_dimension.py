"""Functional dimension of an architecture: a certified lower bound over sampled parameters.

The largest rank found is a lower bound of the maximal functional dimension; equal to N - H it is exact.  A smaller
value proves nothing about the architecture.
"""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from exactrelu.certificates.certificate import Certificate
from exactrelu.certificates.result import Result
from exactrelu.complexes.canonical_complex import CanonicalComplex
from exactrelu.errors import BudgetExceeded, InputError
from exactrelu.identifiability.complex_dimension import ComplexDimension, complex_dimension
from exactrelu.limits import Limits, Meter
from exactrelu.network.architecture import Architecture
from exactrelu.network.network import Network
from exactrelu.polyhedra.domain import Domain

HEIGHTS = (3, 5, 9, 20)


@dataclass(frozen=True, eq=False, repr=False)
class ArchitectureDimension(Result):
    """Result of sampling.

    Attributes:
        lower: largest certified rank, reached at `best`.
        histogram: rank -> number of parameters.
    """

    architecture: Architecture
    best: ComplexDimension
    histogram: dict[int, int]
    samples: int

    @property
    def lower(self) -> int:
        """The certified lower bound."""
        return self.best.lower

    @property
    def hits(self) -> int:
        """How often it was reached."""
        return self.histogram[self.lower]

    @property
    def exact(self) -> bool:
        """Whether it is N - H."""
        return self.lower == self.architecture.expected_dimension

    @property
    def verdict(self) -> str:  # type: ignore[override]  # read-only here
        """`exact` or `undecided`."""
        return "exact" if self.exact else "undecided"

    @property
    def certificate(self) -> Certificate:
        """Certificate of the best parameter."""
        return self.best.certificate()

    def fields(self) -> dict[str, Any]:
        """Return the JSON fields of the interface, with the histogram and the best parameter."""
        return {"functional_dimension": self.lower, "parameters": self.architecture.parameters,
                "hidden_neurons": self.architecture.hidden_neurons, "expected_dimension": self.architecture.expected_dimension,
                "exact": self.exact, "method": "sampled parameters, rank over the complete complex", "samples": self.samples,
                "histogram": {str(k): v for k, v in sorted(self.histogram.items())}, "network": self.best.complex.network.to_json()}


def plain_draw(architecture: Architecture, height: int, rng: random.Random) -> Network:
    """Return uniform integer weights and biases in [-height, height]."""
    pairs = list(zip(architecture.widths, architecture.widths[1:]))
    return Network([[[rng.randint(-height, height) for _ in range(m)] for _ in range(n)] for m, n in pairs],
                   [[rng.randint(-height, height) for _ in range(n)] for _, n in pairs])


def pinned_draw(architecture: Architecture, height: int, rng: random.Random) -> Network:
    """Return integer weights, and biases that let every hidden neuron vanish at some integer point of [-height, height]^d.

    Such parameters have few dead and few always active neurons, so high ranks are met more often.
    """
    network = plain_draw(architecture, height, rng)
    for layer in range(1, architecture.hidden_layers + 1):
        levels = [sum(w * a for w, a in zip(row, _activations(network, layer - 1, height, rng))) for row in network.weights[layer - 1]]
        network = network.replaced(layer, network.weights[layer - 1], [-z for z in levels])
    return network


def _activations(network: Network, layers: int, height: int, rng: random.Random) -> list[Fraction]:
    """Activations of a layer (0 for the inputs) at a random integer point."""
    values = [Fraction(rng.randint(-height, height)) for _ in range(network.architecture.inputs)]
    for rows, biases in zip(network.weights[:layers], network.biases):
        values = [max(Fraction(0), sum((w * v for w, v in zip(row, values)), b)) for row, b in zip(rows, biases)]
    return values


def architecture_dimension(architecture: Architecture, domain: Domain, *, samples: int = 100, seed: int = 0, stop: bool = True,
                           limits: Limits | None = None) -> ArchitectureDimension:
    """Return a certified lower bound of the largest functional dimension of an architecture on a domain.

    Args:
        samples: parameters to draw: small integers, in turn uniform ones and ones whose neurons all vanish near the origin.
        stop: stop at the first parameter of rank N - H; without it the histogram counts all samples.
    Raises:
        BudgetExceeded: the limits ended the search before one parameter was finished.

    >>> architecture_dimension(Architecture((2, 2, 1)), Domain.space(2)).lower
    7
    """
    if samples < 1:
        raise InputError(f"samples must be a positive integer, got {samples}")
    rng, meter = random.Random(seed), Meter(limits)
    best: ComplexDimension | None = None
    histogram: Counter[int] = Counter()
    for drawn in range(samples):
        draw = pinned_draw if drawn % 2 else plain_draw
        network = draw(architecture, HEIGHTS[drawn // 2 % len(HEIGHTS)], rng)
        try:
            meter.tick()
            found = complex_dimension(CanonicalComplex.build(network, domain, limits=limits), limits)
        except BudgetExceeded:
            if best is None:
                raise
            break
        histogram[found.lower] += 1
        if best is None or found.lower > best.lower:
            best = found
        if stop and found.lower == architecture.expected_dimension:
            break
    if best is None:
        raise BudgetExceeded("no parameter was sampled")
    return ArchitectureDimension(architecture, best, dict(histogram), sum(histogram.values()))
