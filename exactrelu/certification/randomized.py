"""A freshly drawn parameter that is identifiable among all parameters, except with a probability fixed before the draw.

Around a parameter theta_0 draw every weight and bias independently and uniformly from theta_0 + {0, ..., 2^B - 1} 2^-B / 10^4.
Let X be N - H pairs (point, output) such that the derivatives of f at X have rank N - H at theta_0, and A_0 the
activity of all neurons at X.  Theorem: the probability that the drawn theta has the activity A_0 on X, is unique
among supertransversal parameters, and nevertheless is not identifiable among all parameters, is at most 2^-B E with

    E = 2^(H |X|) . H sum_{k <= d} C(H-1, k) 2^(H+d) . (d+1) L . (L+1)^(N-H).

(Parameters that are not supertransversal satisfy one of few polynomial equations; their values at X satisfy one as well,
which the values of theta violate except with the probability of the Schwartz-Zippel bound.)  This is a statement about
the draw, of the joint event; for a theta given by somebody else nothing follows.  It needs N B truly random bits.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from math import comb, lcm

from exactrelu.arithmetic.matrix import PRIME, independent_rows_modulo
from exactrelu.arithmetic.rational import point_text, primitive_integer
from exactrelu.certificates.certificate import Certificate
from exactrelu.certificates.verdict import Holds, Undecided, Verdict
from exactrelu.certification.among_supertransversal import among_supertransversal
from exactrelu.certification.same_function import SameFunction
from exactrelu.complexes.canonical_complex import CanonicalComplex
from exactrelu.complexes.function_complex import function_complex
from exactrelu.dependency.dependency_graph import dependency_graph
from exactrelu.errors import DomainError
from exactrelu.genericity.generic import genericity
from exactrelu.identifiability.jacobian import exact_jacobian, strict_cells
from exactrelu.limits import Limits, Meter
from exactrelu.network.architecture import Architecture
from exactrelu.network.forward import sign_vector
from exactrelu.network.network import Network
from exactrelu.polyhedra.domain import Domain
from exactrelu.recovery.reconstruct import reconstruct

GRID = 10_000
Sample = tuple[tuple[int, ...], int]
"""A homogeneous point and the number of an output."""


@dataclass(frozen=True)
class Draw:
    """A drawn parameter with its bound.

    Attributes:
        network: the drawn parameter.
        base: theta_0.
        bits: B, random bits a parameter.
        exponent: the joint probability of a wrong statement is at most 2^-exponent.
        samples: X.
    """

    network: Network
    base: Network
    bits: int
    exponent: int
    samples: tuple[Sample, ...]


def _ceil_log2(value: int) -> int:
    """Smallest k with 2^k >= value, for value >= 1."""
    return (value - 1).bit_length()


def log2_failures(architecture: Architecture) -> int:
    """Return an integer upper bound of log2 E.

    >>> log2_failures(Architecture((2, 2, 2, 2, 1)))
    139
    """
    d, hidden, layers = architecture.inputs, architecture.hidden_neurons, architecture.hidden_layers
    rank = architecture.expected_dimension
    forms = hidden * sum(comb(hidden - 1, k) for k in range(d + 1))
    return hidden * rank + _ceil_log2(forms) + hidden + d + _ceil_log2((d + 1) * layers) + _ceil_log2((layers + 1) ** rank)


def samples_of_full_rank(complex_: CanonicalComplex) -> tuple[Sample, ...] | None:
    """Return N - H pairs (point, output) whose derivatives are independent modulo a prime, or None.

    Candidates are d + 1 affinely independent points inside every strict full cell, with all outputs.
    """
    needed = complex_.network.architecture.expected_dimension
    inputs, outputs = complex_.network.architecture.inputs, complex_.network.architecture.outputs
    chosen: list[Sample] = []
    rows: list[list[int]] = []
    for cell in strict_cells(complex_).tolist():
        jacobian = exact_jacobian(complex_, cell)
        candidates: list[Sample] = []
        values: list[list[int]] = []
        for point in _inner_points(complex_, cell):
            for k in range(outputs):
                block = jacobian[k * (inputs + 1):(k + 1) * (inputs + 1)]
                candidates.append((point, k))
                values.append([sum(p * row[j] for p, row in zip(point, block)) for j in range(len(block[0]))])
        kept = independent_rows_modulo([*rows, *values], PRIME)
        new = [i - len(rows) for i in kept if i >= len(rows)]
        chosen += [candidates[i] for i in new]
        rows += [values[i] for i in new]
        if len(rows) == needed:
            return tuple(chosen)
    return None


def _inner_points(complex_: CanonicalComplex, cell: int) -> list[tuple[int, ...]]:
    """d + 1 affinely independent points well inside a full cell: the mean of its vertices, moved a little.

    Moved towards vertices (an eighth of the way), along directions and along lines; few digits and distance from the walls
    matter, because the drawn parameter must have the same activity there.
    """
    generators = complex_.full_cell(cell).generators
    scale = lcm(*(g[0] for g in generators if g[0]))
    vertices = [[x * (scale // g[0]) for x in g] for g in generators if g[0]]
    directions = [[x * scale for x in g] for g in [*generators, *((0, *v) for v in complex_.fan.start.lineality)] if not g[0]]
    count = len(vertices)
    center = [sum(column) for column in zip(*vertices, *([x * count for x in v] for v in directions[:1]))]
    out = [center]
    out += [[7 * c + count * x for c, x in zip(center, v)] for v in vertices]
    out += [[c + count * x for c, x in zip(center, v)] for v in directions]
    points = [primitive_integer(p) for p in out]
    return [points[i] for i in independent_rows_modulo([list(p) for p in points], PRIME)]


def drawn(base: Network, bits: int, random_bits: Callable[[int], int]) -> Network:
    """Return theta_0 + k 2^-bits / 10^4 with k drawn anew for every weight and bias."""
    step = Fraction(1, GRID << bits)

    def moved(x: Fraction) -> Fraction:
        return x + random_bits(bits) * step

    weights = [[[moved(x) for x in row] for row in rows] for rows in base.weights]
    return Network(weights, [[moved(x) for x in row] for row in base.biases])


def randomized(base: Network, domain: Domain, *, exponent: int = 128, limits: Limits | None = None,
               random_bits: Callable[[int], int] = secrets.randbits) -> Verdict:
    """Draw one parameter near `base`; return Holds(certificate, draw=Draw) if all checks pass for it.

    Everything the bound depends on is fixed before the draw.  Repeating the call r times costs log2 r of the exponent.
    Args:
        random_bits: a source of truly random bits; the default reads the system's entropy.  With a seeded generator the
            theorem says nothing.
    Raises:
        DomainError: `base` has no N - H independent values on strict cells of the domain.
        BudgetExceeded: a limit was reached.
    Exactness: integers and rationals.    Cost: two complete complexes, the second of a parameter with numbers of B bits.

    >>> slab = Network([[[1, 1], [-1, 0]], [[7, 8], [-6, -8]], [[6, -1]]], [[0, 4], [-27, 29], [3]])
    >>> randomized(slab, Domain.box(2, [(-4, 8), (-2, 2)]), exponent=64).word
    'holds'
    """
    meter = Meter(limits)
    before = CanonicalComplex.build(base, domain, limits=meter.stage(200_000))
    samples = samples_of_full_rank(before)
    if samples is None:
        raise DomainError("theta_0 has functional dimension below N - H on the strict cells of the domain: choose another one")
    bits = log2_failures(base.architecture) + exponent
    theta = drawn(base, bits, random_bits)
    for point, _ in samples:
        x = [Fraction(c, point[0]) for c in point[1:]]
        if sign_vector(theta, x) != sign_vector(base, x):
            return Undecided("the drawn parameter has another activity on the samples")
    complex_ = CanonicalComplex.build(theta, domain, limits=meter.stage(200_000))
    graph = dependency_graph(function_complex(complex_))
    same = SameFunction(theta, domain, meter)
    found = reconstruct(graph, theta.architecture, same, meter)
    unique = among_supertransversal(complex_, genericity(complex_, meter), graph, found, same.refutations)
    if not isinstance(unique, Holds):
        return Undecided("the drawn parameter is not found unique among supertransversal ones")
    draw = Draw(theta, base, bits, exponent, samples)
    claim = {"kind": "identifiable-randomized", "network": theta.claim(), "domain": domain.claim(), "base": base.claim(),
             "bits": bits, "exponent": exponent}
    points = unique.certificate.evidence["points"]
    evidence = {"points": [point_text(p) for p, _ in samples], "outputs": [k for _, k in samples], "geometry_points": points}
    reason = f"all-randomised({exponent}): drawn with {bits} bits a parameter; wrong with probability at most 2^-{exponent}"
    return Holds(Certificate(claim, evidence), {"draw": draw, "reason": reason})

