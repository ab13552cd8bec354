"""A search for functions with several inequivalent supertransversal realizations, all of them locally identifiable.

Drawn are small integer parameters, half of their later rows with one entry only (such rows make clips and exchanges likely); in
half of the draws one neuron is made a clip of an earlier one that feeds nothing else (`clip_reflection`), since in layers of
three or more neurons that hardly happens by chance.  Whether the clip can be reflected is not assumed: `certify` finds it, or not.
A draw is kept if it is supertransversal and locally identifiable, so that its fiber is discrete near it, and if `certify`
finds other parameters with its function that are supertransversal and locally identifiable too.
"""

from __future__ import annotations

from fractions import Fraction
from random import Random

from exactrelu.certificates.verdict import Holds
from exactrelu.certification.certify import certify
from exactrelu.complexes.canonical_complex import CanonicalComplex
from exactrelu.constructions.construction import Construction
from exactrelu.constructions.one_function import complete, pairwise
from exactrelu.errors import BudgetExceeded, InputError
from exactrelu.genericity.geometry import Geometry
from exactrelu.genericity.supertransversality import supertransversality
from exactrelu.identifiability.complex_dimension import complex_dimension
from exactrelu.limits import Limits, Meter
from exactrelu.network.architecture import Architecture
from exactrelu.network.network import Network
from exactrelu.network.trivial_symmetry import equivalent
from exactrelu.polyhedra.domain import Domain

MAX_DRAWS = 20_000
HEIGHT = 4
MAX_CELLS = 20_000


def ambiguous(architecture: Architecture, seed: int = 0, *, limits: Limits | None = None) -> Construction:
    """Return at least two parameters of the architecture with one function, inequivalent, supertransversal, locally identifiable.

    Raises:
        InputError: fewer than two hidden layers (one hidden layer: such functions are flips, see `certify`).
        BudgetExceeded: a limit was reached, or none of `MAX_DRAWS` draws is ambiguous; this proves nothing.

    >>> made = ambiguous(Architecture((2, 1, 1, 1)))
    >>> len(made.networks), made.claims[0].text
    (2, 'parameters 1 and 2 have one function and are inequivalent')
    """
    if architecture.hidden_layers < 2:
        raise InputError(f"{architecture} has fewer than two hidden layers")
    rng, meter = Random(f"ambiguous {architecture.widths} {seed}"), Meter(limits)
    domain = Domain.box(architecture.inputs, [(-12, 13)])
    for number in range(1, MAX_DRAWS + 1):
        meter.tick()
        network = sparse_draw(architecture, rng)
        if rng.randrange(2):
            network = with_clip(network, rng)
        if not _isolated(network, domain, meter):
            continue
        found = certify(network, domain, limits=meter.stage(MAX_CELLS))
        others = list(found.fiber or ()) or ([found.witness.network] if found.witness is not None else [])
        kept = [network]
        for other in others:
            if all(equivalent(known, other).word == "fails" for known in kept) and _isolated(other, domain, meter):
                kept.append(other)
        if len(kept) > 1:
            claims = [*pairwise(kept, domain, limits)]
            if found.fiber is not None and len(found.fiber) == len(kept):
                claims += complete(kept, domain, limits)
            return Construction("ambiguous", tuple(kept), domain, tuple(claims), {"seed": seed, "draws": number, "parameters": len(kept)})
    raise BudgetExceeded(f"none of {MAX_DRAWS} draws of {architecture} is ambiguous; try another seed")


def _isolated(network: Network, domain: Domain, meter: Meter) -> bool:
    """Supertransversal and locally identifiable."""
    complex_ = CanonicalComplex.build(network, domain, limits=meter.stage(MAX_CELLS))
    if complex_dimension(complex_).lower < network.architecture.expected_dimension:
        return False
    return isinstance(supertransversality(Geometry(complex_)), Holds)


def sparse_draw(architecture: Architecture, rng: Random) -> Network:
    """Return a small integer parameter; a later row has one entry only with probability 1/2."""
    weights, biases = [], []
    for layer, (before, width) in enumerate(zip(architecture.widths, architecture.widths[1:])):
        rows = []
        for _ in range(width):
            row = [rng.choice((-1, 1)) * rng.randint(1, HEIGHT) for _ in range(before)]
            if 0 < layer < architecture.hidden_layers and rng.randrange(2):
                kept = rng.randrange(before)
                row = [x if j == kept else 0 for j, x in enumerate(row)]
            rows.append(row)
        weights.append(rows)
        biases.append([rng.randint(-2 * HEIGHT, 2 * HEIGHT) for _ in range(width)])
    return Network(weights, biases)


def with_clip(network: Network, rng: Random) -> Network:
    """Return the network with a random neuron u of a random layer l + 1 >= 2 that sees one neuron v, as b - c v, b, c > 0.

    The other neurons of layer l + 1 no longer see v, but all others of layer l.
    """
    layer = rng.randrange(1, network.architecture.hidden_layers)
    before, width = network.architecture.widths[layer], network.architecture.widths[layer + 1]
    v, u = rng.randrange(before), rng.randrange(width)
    biases = list(network.biases[layer])
    rows: list[list[Fraction | int]] = []
    for i, row in enumerate(network.weights[layer]):
        if i == u:
            rows.append([-rng.randint(1, HEIGHT) if j == v else 0 for j in range(before)])
            biases[u] = Fraction(rng.randint(1, 2 * HEIGHT))
        else:
            rows.append([0 if j == v else x or rng.choice((-1, 1)) * rng.randint(1, HEIGHT) for j, x in enumerate(row)])
    return network.replaced(layer + 1, rows, biases)
