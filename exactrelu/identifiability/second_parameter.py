"""Second parameters with the same function: the catalogue of simple reasons why a parameter is not identifiable.

Each mechanism is correct by direct substitution, given its exact hypothesis on the domain P:

* zero outgoing column: the row of the neuron is free;
* dead neuron (z <= 0 on P): its outgoing column is free;
* positively proportional rows z_2 = c z_1 in a layer: outgoing weight moves, (u_1 + c s, u_2 - s);
* always active neuron (z >= 0 on P): bias + t, next biases - t * (outgoing column), t > 0;
* neurons i, j of adjacent layers never active together: the weight from i to j may decrease (where z_i > 0 already
  z_j <= 0, and it only gets smaller; elsewhere nothing changes);
* opposite rows z_2 = -c z_1 with outgoing columns c u_2 = -u_1 or similar flips are left to the complete search.

Whether a candidate differs from theta beyond permutation and positive scaling, and that it has the same function, is
decided afterwards by exact procedures; nothing here is trusted.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

from exactrelu.arithmetic.rational import primitive_integer
from exactrelu.certificates.certificate import Certificate
from exactrelu.certificates.verdict import Fails, Undecided, Verdict
from exactrelu.equivalence.by_split_tree import DifferentValues, joint_tree
from exactrelu.errors import BudgetExceeded, DomainError, InvariantError
from exactrelu.identifiability.symmetry_bound.activity_facts import ActivityFacts
from exactrelu.limits import Limits
from exactrelu.network.architecture import Neuron
from exactrelu.network.network import Network
from exactrelu.network.trivial_symmetry import equivalent
from exactrelu.polyhedra.domain import Domain

ONE = Fraction(1)


@dataclass(frozen=True)
class SecondParameter:
    """Another parameter with the same function on the domain.

    Attributes:
        reason: the mechanism, one sentence.
        neurons: the neurons concerned.
        network: the second parameter.
    """

    reason: str
    neurons: tuple[Neuron, ...]
    network: Network


def _with_entry(network: Network, layer: int, row: int, column: int, change: Fraction) -> Network:
    """The network with one weight changed by an amount."""
    rows = [list(r) for r in network.weights[layer - 1]]
    rows[row][column] += change
    return network.replaced(layer, weights=rows)


def _with_bias(network: Network, layer: int, changes: dict[int, Fraction]) -> Network:
    return network.replaced(layer, biases=[b + changes.get(i, Fraction(0)) for i, b in enumerate(network.biases[layer - 1])])


def _outgoing(network: Network, neuron: Neuron) -> list[Fraction]:
    return [row[neuron.index] for row in network.weights[neuron.layer]]


def candidates(network: Network, facts: ActivityFacts) -> Iterator[SecondParameter]:
    """Yield candidate second parameters, the simplest reasons first.

    Args:
        facts: activity of the neurons on the domain, proved.
    """
    hidden = [Neuron(layer, i) for layer in range(1, len(network.weights)) for i in range(len(network.biases[layer - 1]))]
    for v in hidden:
        if not any(_outgoing(network, v)):
            reason = f"neuron {v} has a zero outgoing column, so its row is free"
            bias = network.biases[v.layer - 1][v.index]
            for change in (ONE, -2 * bias - ONE):         # the second changes a sign: a row without weights can be rescaled
                yield SecondParameter(reason, (v,), _with_bias(network, v.layer, {v.index: change}))
    yield from _twins(network, hidden)
    for v in hidden:
        if v in facts.dead:
            reason = f"neuron {v} is never positive on the domain, so its outgoing column is free"
            weight = _outgoing(network, v)[0]
            for change in (ONE, -2 * weight - ONE):       # the second changes a sign: a zero row can rescale its column
                yield SecondParameter(reason, (v,), _with_entry(network, v.layer + 1, 0, v.index, change))
    for v in hidden:
        if v in facts.always_active:
            shifted = _with_bias(network, v.layer, {v.index: ONE})
            back = {k: -w for k, w in enumerate(_outgoing(network, v))}
            yield SecondParameter(f"neuron {v} is never negative on the domain, so its bias can be moved to the next layer", (v,),
                                  _with_bias(shifted, v.layer + 1, back))
    for i, j in sorted(facts.zero_pairs):
        if i not in facts.dead and j not in facts.dead:
            yield SecondParameter(f"neurons {i} and {j} are never active together on the domain, so the weight between them can decrease",
                                  (i, j), _with_entry(network, j.layer, j.index, i.index, -ONE))


def _twins(network: Network, hidden: list[Neuron]) -> Iterator[SecondParameter]:
    """Neurons of one layer with positively proportional rows."""
    seen: dict[tuple[int, tuple[int, ...]], Neuron] = {}
    for v in hidden:
        row = (*network.weights[v.layer - 1][v.index], network.biases[v.layer - 1][v.index])
        if not any(row):
            continue
        key = v.layer, primitive_integer(row)
        first = seen.setdefault(key, v)
        if first != v:
            base = (*network.weights[v.layer - 1][first.index], network.biases[v.layer - 1][first.index])
            ratio = next(x / y for x, y in zip(row, base) if y)
            moved = _with_entry(network, v.layer + 1, 0, first.index, ratio)
            yield SecondParameter(f"neurons {first} and {v} have positively proportional rows, so weight can move between their columns",
                                  (first, v), _with_entry(moved, v.layer + 1, 0, v.index, -ONE))


def second_parameter(network: Network, domain: Domain, facts: ActivityFacts, limits: Limits | None = None) -> Verdict:
    """Return Fails(second parameter, certificate) when one of the catalogue exists, else Undecided.

    The certificate is the kind `not-identifiable`: a common split tree on which both networks have equal maps, and
    inequivalence recomputed by the checker.
    Raises:
        InvariantError: a candidate has another function; a fact was wrong.
    """
    reason = "no mechanism of the catalogue applies"
    for candidate in candidates(network, facts):
        if equivalent(network, candidate.network).word != "fails":
            continue
        try:
            found = joint_tree(network, candidate.network, domain, limits)
        except BudgetExceeded as error:
            return Undecided(f"{candidate.reason}; but the equality proof is too long: {error}", {"candidate": candidate})
        except DomainError as error:
            return Undecided(f"{candidate.reason}; but {error}")
        if isinstance(found, DifferentValues):
            raise InvariantError(f"the second parameter has another value at {found.point}: {candidate.reason}")
        return Fails(candidate, _document(network, candidate, domain, found.text))
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
