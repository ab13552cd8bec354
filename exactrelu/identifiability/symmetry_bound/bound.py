"""A certified upper bound of the functional dimension: N minus the dimension of a space of explicit symmetries.

rank J <= N - dim span of kernel vectors of J (`generators`).  The dimension of the span is computed as a rank modulo
a prime, after a fixed random linear map; both can only lose, so the bound stays an upper bound.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from fractions import Fraction
from math import lcm

import numpy as np

from exactrelu.arithmetic.matrix import PRIME, rank_modulo
from exactrelu.errors import ShapeError
from exactrelu.identifiability.facet_pairs.bound import search_setting
from exactrelu.identifiability.symmetry_bound.activity_facts import ActivityFacts, NeuronPair, in_order
from exactrelu.identifiability.symmetry_bound.generators import Vector, moving_generators, zero_columns
from exactrelu.identifiability.symmetry_bound.interval_facts import interval_facts
from exactrelu.identifiability.symmetry_bound.prover import Undecided, proved_facts
from exactrelu.limits import Limits, Meter
from exactrelu.network.architecture import Neuron
from exactrelu.network.integral_form import integral_form
from exactrelu.network.network import Network
from exactrelu.polyhedra.domain import Domain

DEFAULT_SECONDS = 10
DEFAULT_BOXES = 200_000
DEFAULT_SAMPLES = 60_000
_DENSE_ENTRIES = 2_000_000


@dataclass(frozen=True)
class SymmetryBound:
    """fdim(theta) <= dimension, with the facts it rests on.

    Attributes:
        network, domain: what the bound is about.
        dimension: R.
        facts: dead and always-active neurons and pairs never active together, all proved.
        zero_columns: number of vanishing columns of J by reason; a column may count under several reasons.
        generators: number of further kernel vectors by reason, before linear dependences.
        kernel_dimension: N - R, the certified dimension of their span.
        undecided: states never seen in the sample and not proved impossible.
    """

    network: Network
    domain: Domain
    dimension: int
    facts: ActivityFacts
    zero_columns: dict[str, int] = field(compare=False)
    generators: dict[str, int] = field(compare=False)
    kernel_dimension: int
    undecided: Undecided

    @property
    def dead(self) -> tuple[Neuron, ...]:
        """Neurons proved z <= 0 on the domain."""
        return in_order(self.facts.dead)

    @property
    def always_active(self) -> tuple[Neuron, ...]:
        """Neurons proved z >= 0 on the domain."""
        return in_order(self.facts.always_active)

    @property
    def zero_pairs(self) -> tuple[NeuronPair, ...]:
        """Pairs of neurons of consecutive layers proved never active together."""
        return tuple(sorted(self.facts.zero_pairs))

    def kernel_vectors(self) -> list[Vector]:
        """Return all kernel vectors, sparse over the numbers of the parameters; they may be linearly dependent."""
        units = sorted(frozenset().union(*zero_columns(self.network, self.facts).values()))
        return [{c: Fraction(1)} for c in units] + [
            v for group in moving_generators(self.network, self.facts).values() for v in group
        ]


def symmetry_bound(
    network: Network,
    domain: Domain,
    *,
    rng: random.Random | None = None,
    limits: Limits | None = None,
    facts: ActivityFacts | None = None,
    boxes: int = DEFAULT_BOXES,
    samples: int = DEFAULT_SAMPLES,
) -> SymmetryBound:
    """Return an upper bound of the functional dimension on the interior of a domain.

    Args:
        rng: source of randomness (a sample proposes what to prove); a fixed seed by default.
        limits: `max_seconds` bounds the branch and bound (10 seconds by default).
        facts: facts proved elsewhere, for instance read off a complete complex; they are trusted.
        boxes: most boxes of the branch and bound; 0 for none.  samples: points of the sample.
    Raises:
        ShapeError: the dimensions differ or a fact names no neuron.
    Exactness: facts are proved by exact intervals or by floats with certified error bounds; the rest is rational.
    """
    if network.architecture.inputs != domain.dimension:
        raise ShapeError(
            f"the network has {network.architecture.inputs} inputs, the domain dimension {domain.dimension}"
        )
    known = facts if facts is not None else ActivityFacts()
    known.check(network.architecture)
    meter = Meter(limits if limits is not None else Limits(max_seconds=DEFAULT_SECONDS))
    known = interval_facts(integral_form(network), domain, known)
    known, undecided = _search(
        network, domain, rng if rng is not None else random.Random(0), known, meter, boxes, samples
    )
    columns = zero_columns(network, known)
    moving = moving_generators(network, known)
    units = frozenset().union(*columns.values())
    vectors = [vector for group in moving.values() for vector in group]
    span = len(units) + span_dimension(vectors, units, random.Random(0))
    return SymmetryBound(
        network,
        domain,
        network.parameters - span,
        known,
        {reason: len(group) for reason, group in columns.items()},
        {reason: len(group) for reason, group in moving.items()},
        span,
        undecided,
    )


def _search(
    network: Network, domain: Domain, rng: random.Random, known: ActivityFacts, meter: Meter, boxes: int, samples: int
) -> tuple[ActivityFacts, Undecided]:
    generator = np.random.default_rng(rng.getrandbits(64))
    setting = search_setting(network, domain, generator, samples, meter)
    if not len(setting.sample.points):
        return known, Undecided()
    with np.errstate(all="ignore"):
        return proved_facts(setting.floats, domain, setting.sample.active, known, meter, boxes)


def span_dimension(vectors: list[Vector], units: frozenset[int], rng: random.Random) -> int:
    """Return a lower bound of dim span(vectors, unit vectors) - |units|, almost surely equal to it.

    The coordinates of `units` are dropped; if the matrix is large, the others are folded into fewer by random
    coefficients.  Rank after a linear map, and rank modulo a prime, are lower bounds.
    """
    rows = []
    for vector in vectors:
        scale = lcm(*(x.denominator for x in vector.values())) if vector else 1
        rows.append({c: int(x * scale) % PRIME for c, x in vector.items() if c not in units})
    used = sorted({c for row in rows for c in row})
    if len(rows) * len(used) <= _DENSE_ENTRIES:
        direct = {c: [(k, 1)] for k, c in enumerate(used)}
        return rank_modulo([_spread(row, direct, len(used)) for row in rows], len(used))
    width = 2 * len(rows) + 64
    folding = {c: [(rng.randrange(width), rng.randrange(1, PRIME)) for _ in range(3)] for c in used}
    return rank_modulo([_spread(row, folding, width) for row in rows], width)


def _spread(row: dict[int, int], places: dict[int, list[tuple[int, int]]], width: int) -> list[int]:
    out = [0] * width
    for c, x in row.items():
        for place, factor in places[c]:
            out[place] = (out[place] + factor * x) % PRIME
    return out
