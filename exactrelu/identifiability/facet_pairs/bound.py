"""A certified lower bound of the functional dimension by the block-triangular facet-pair certificate.

Theorem.  For every hidden neuron j of layer l let A_j be a matrix whose rows are (a^(l-1)(x), 1) at points x with
z_j(x) = 0, where a^(l-1) and z_j are the affine forms of a facet pair of j: two points strictly inside the domain
with strict sign vectors that are equal except at j, the outgoing path weight W^(L+1) D_L ... W^(l+1) e_j being
non-zero.  Let A_out have rows (a^(L)(x), 1) with the affine forms of strict cells.  Then

    fdim(theta) >= sum_j rank A_j + n_{L+1} rank A_out.

Proof.  The formulas of f on both sides of the pair differ by beta_k(theta) z_j(x; theta), polynomials in theta.
Differentiating and inserting x with z_j(x) = 0 shows that grad_theta z_j(x) lies in the row space of the Jacobian.
Its entries outside the row of neuron j lie in layers before l; in the row of j it is (a^(l-1)(x), 1).  The gradient
of f_k at a strict cell has (a^(L), 1) in the row of output k.  Sorted by layers these rows form a block triangular
matrix, whose rank is at least the sum of the ranks of its diagonal blocks.  Also rank A_j <= n_{l-1}, because (w_j,
b_j) != 0 is a relation; so a sum N - H is the largest possible value, and then theta is locally identifiable up to
scaling.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from exactrelu.errors import BudgetExceeded, ShapeError
from exactrelu.identifiability.facet_pairs.activity_sample import activity_sample
from exactrelu.identifiability.facet_pairs.exact_points import HomogeneousPoint
from exactrelu.identifiability.facet_pairs.float_network import float_network
from exactrelu.identifiability.facet_pairs.interior_sample import region
from exactrelu.identifiability.facet_pairs.joint_activity import with_joint_activity
from exactrelu.identifiability.facet_pairs.pattern_maps import modular_network
from exactrelu.identifiability.facet_pairs.search import FacetPair, PairSearch, Setting, output_points
from exactrelu.limits import Limits, Meter
from exactrelu.network.integral_form import integral_form
from exactrelu.network.network import Network
from exactrelu.polyhedra.domain import Domain

Progress = Callable[[str, int, int], None]
"""Called as progress(stage, rank so far, expected rank)."""

DEFAULT_SAMPLES = 60_000
GENERAL_ROUNDS = 3
TARGETED_ROUNDS = 4
CLIMBING_ROUNDS = 10
CLIMBING_STEPS = 30


@dataclass(frozen=True)
class FacetPairBound:
    """fdim(theta) >= dimension, with the points that prove it.

    Attributes:
        network, domain: what the bound is about.
        dimension: r.
        pairs: facet pairs, sorted by neuron; none is superfluous if the last are taken first.
        output_points: homogeneous integer coordinates of strict points for A_out.
        ranks: rank A_j modulo 2^61 - 1 for every neuron.
        output_rank: rank A_out modulo 2^61 - 1.
        sampled: points in the sample.  tested: pairs that were tested exactly.
        stopped: why the search ended early, or None.
    """

    network: Network
    domain: Domain
    dimension: int
    pairs: tuple[FacetPair, ...]
    output_points: tuple[HomogeneousPoint, ...]
    ranks: tuple[int, ...]
    output_rank: int
    sampled: int
    tested: int
    stopped: str | None = None

    @property
    def expected_dimension(self) -> int:
        """N - H."""
        return self.network.architecture.expected_dimension

    @property
    def is_maximal(self) -> bool:
        """Whether the bound is N - H, so that theta is locally identifiable."""
        return self.dimension == self.expected_dimension and self.network.architecture.hidden_neurons > 0


def search_setting(
    network: Network, domain: Domain, generator: np.random.Generator, samples: int, meter: Meter
) -> Setting:
    """Return the network in its three forms, with a sample of the domain.

    Raises:
        ShapeError: the dimensions differ.  BudgetExceeded: the integral form has longer numbers than `max_bits`.
    """
    if network.architecture.inputs != domain.dimension:
        raise ShapeError(
            f"the network has {network.architecture.inputs} inputs, the domain dimension {domain.dimension}"
        )
    form = integral_form(network)
    meter.bits(form.max_bits, "the integral form")
    with np.errstate(all="ignore"):
        place = region(domain, form)
        floats = float_network(form, place.frame)
        sample = with_joint_activity(floats, place, generator, activity_sample(floats, place, generator, samples))
    return Setting(form, modular_network(form), floats, domain, place, sample)


def facet_pair_bound(
    network: Network,
    domain: Domain,
    *,
    rng: random.Random,
    samples: int = DEFAULT_SAMPLES,
    limits: Limits | None = None,
    progress: Progress | None = None,
) -> FacetPairBound:
    """Return a certified lower bound of the functional dimension on the interior of a domain.

    Args:
        rng: source of randomness; the same state gives the same bound.
        samples: size of the first sample.
        limits: when the time is used up, the bound found so far is returned, with the reason in `stopped`.
        progress: called after every round.
    Raises:
        ShapeError: the dimensions differ.
        BudgetExceeded: the integral form has longer numbers than `max_bits`.
    Exactness: floats propose points; signs are decided in integers, ranks modulo 2^61 - 1.
    """
    meter = Meter(limits)
    generator = np.random.default_rng(rng.getrandbits(64))
    setting = search_setting(network, domain, generator, samples, meter)
    with np.errstate(all="ignore"):
        search = PairSearch(setting)
        stopped = _rounds(search, generator, meter, progress, network.architecture.expected_dimension)
        search.thin()
        points, output_rank = output_points(setting, generator)
    ranks = tuple(space.rank for space in search.spaces)
    return FacetPairBound(
        network,
        domain,
        sum(ranks) + network.architecture.outputs * output_rank,
        tuple(pair for pairs in search.pairs for pair in pairs),
        tuple(points),
        ranks,
        output_rank,
        len(setting.sample.points),
        search.tested,
        stopped,
    )


def _rounds(
    search: PairSearch, generator: np.random.Generator, meter: Meter, progress: Progress | None, expected: int
) -> str | None:
    """Run the rounds; return why they ended early, or None."""
    plan = ["general"] * GENERAL_ROUNDS + ["targeted"] * TARGETED_ROUNDS + ["climbing"] * CLIMBING_ROUNDS
    fruitless = 0
    try:
        for kind in plan:
            if fruitless == 2 or all(search.missing(j) <= 0 for j in range(len(search.spaces))):
                break
            meter.tick()
            if kind == "general":
                candidates = search.general_round(generator)
            elif kind == "targeted":
                candidates = search.targeted_round(generator)
            else:
                candidates = search.climbing_round(generator, CLIMBING_STEPS)
            gained = search.absorb(candidates)
            fruitless = fruitless + 1 if kind == "climbing" and not gained else 0
            if progress is not None:
                progress(f"{kind} round", search.total_rank, expected)
    except BudgetExceeded as error:
        return str(error)
    return None
