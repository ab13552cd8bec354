"""Second parameters with the same function: the catalogue of reasons why a parameter is not identifiable.

Each mechanism (`witnesses`) proposes candidates.  Most of them are correct by direct substitution, given exact hypotheses
about the activity of neurons on the domain; some only propose.  Nothing is trusted: whether a candidate differs from theta
beyond permutation and positive scaling, and that it has the same function, is decided afterwards by exact procedures.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain, islice

from exactrelu.certificates.certificate import Certificate
from exactrelu.certificates.verdict import Fails, Undecided, Verdict
from exactrelu.certification.witnesses.always_active import bias_shifts, linear_blocks
from exactrelu.certification.witnesses.candidate import SecondParameter
from exactrelu.certification.witnesses.kernel_directions import kernel_directions
from exactrelu.certification.witnesses.layer_exchange import layer_exchanges
from exactrelu.certification.witnesses.ranges import Ranges
from exactrelu.certification.witnesses.reversals import reversals
from exactrelu.certification.witnesses.samples import Samples
from exactrelu.certification.witnesses.shared_hyperplanes import affine_pairs, opposite_pairs, twins
from exactrelu.certification.witnesses.silent_weights import dead_neurons, never_together, zero_columns
from exactrelu.certification.witnesses.single_source import single_sources
from exactrelu.certification.witnesses.three_rays import three_rays
from exactrelu.equivalence.by_split_tree import DifferentValues, joint_tree
from exactrelu.errors import BudgetExceeded, DomainError, InvariantError
from exactrelu.identifiability.symmetry_bound.activity_facts import ActivityFacts
from exactrelu.limits import DEFAULT_CELLS, Limits, Meter
from exactrelu.network.network import Network
from exactrelu.network.trivial_symmetry import equivalent
from exactrelu.polyhedra.domain import Domain

__all__ = ["SecondParameter", "candidates", "proposals", "proved", "second_parameter"]

MOST_PARAMETERS = 400
"""Largest network for the mechanisms that search."""
MOST_CANDIDATES = 1_000
"""Candidates looked at."""
MOST_PROOFS = 16
"""Proposals for which a proof of equality is tried, after the points chosen for refutation have not told them apart."""


def candidates(network: Network, domain: Domain, facts: ActivityFacts) -> Iterator[SecondParameter]:
    """Yield the candidates of the mechanisms that need no search, cheapest and most telling first, one after the other on demand.

    Args:
        facts: activity of the neurons on the domain, proved; may be empty.
    """
    ranges = Ranges(network, domain, facts)
    yield from chain(zero_columns(network), twins(network), dead_neurons(network, facts), bias_shifts(network, facts))
    yield from chain(never_together(network, facts), affine_pairs(network), opposite_pairs(network, ranges), reversals(network))
    yield from chain(single_sources(network, ranges), three_rays(network, facts, ranges), linear_blocks(network, facts))


def proposals(samples: Samples, limits: Limits) -> Iterator[SecondParameter]:
    """Yield the candidates of the mechanisms that search: they are equal to theta at some points or to first order.

    Nothing for large networks, and nothing on domains without interior points.
    """
    if samples.network.parameters <= MOST_PARAMETERS and samples.domain.has_interior:
        yield from chain(layer_exchanges(samples), kernel_directions(samples.network, samples.domain, limits))


def second_parameter(network: Network, domain: Domain, facts: ActivityFacts, limits: Limits | None = None) -> Verdict:
    """Return Fails(second parameter, certificate) when one of the catalogue exists, else Undecided.

    The certificate is the kind `not-identifiable`: a common split tree on which both networks have equal maps, and
    inequivalence recomputed by the checker.
    Raises:
        InvariantError: a candidate that should be equal has another function; a fact was wrong.
    Cost: a split tree of both networks for the first inequivalent candidate; without one, a search in small networks.

    >>> net = Network([[[1, 2]], [[1], [-1]], [[3, 3]]], [[-1], [-1, 2], [1]])
    >>> second_parameter(net, Domain.space(2), ActivityFacts()).witness.reason
    'neurons (2, 0), (2, 1) can be reversed together: what they leave is a constant'
    """
    meter, samples, proofs = Meter(limits), Samples(network, domain), 0
    reason = "no mechanism of the catalogue applies"
    try:
        every = chain(candidates(network, domain, facts), proposals(samples, meter.stage(DEFAULT_CELLS, percent=50)))
        for candidate in islice(every, MOST_CANDIDATES):
            meter.tick()
            if not candidate.certain and (proofs >= MOST_PROOFS or samples.refute(candidate.network)):
                continue
            if equivalent(network, candidate.network).word != "fails":
                continue
            proofs += not candidate.certain
            try:
                found = joint_tree(network, candidate.network, domain, meter.stage(DEFAULT_CELLS))
            except BudgetExceeded as error:
                return Undecided(f"{candidate.reason}; but the equality proof is too long: {error}", {"candidate": candidate})
            except DomainError as error:
                return Undecided(f"{candidate.reason}; but {error}")
            if not isinstance(found, DifferentValues):
                return Fails(candidate, _document(network, candidate, domain, found.text))
            if candidate.certain:
                raise InvariantError(f"the second parameter has another value at {found.point}: {candidate.reason}")
        meter.tick()                                               # a search that ran out of time proposes nothing: say so
    except BudgetExceeded as error:
        return Undecided(f"{reason} so far: {error}")
    return Undecided(reason)


def _document(network: Network, second: SecondParameter, domain: Domain, tree: str) -> Certificate:
    claim = {"kind": "not-identifiable", "a": network.claim(), "b": second.network.claim(), "domain": domain.claim()}
    return Certificate(claim, {"tree": tree})


def proved(network: Network, second: SecondParameter, domain: Domain, limits: Limits | None = None) -> Certificate:
    """Return the document that a second parameter has the same function and is inequivalent.

    Raises:
        InvariantError: it has another function.  BudgetExceeded: the proof is too long.
    """
    found = joint_tree(network, second.network, domain, limits)
    if isinstance(found, DifferentValues):
        raise InvariantError(f"the second parameter has another value at {found.point}: {second.reason}")
    return _document(network, second, domain, found.text)
