"""Parameters with a layer of one neuron: identifiable among all, or with exactly two classes.

(d, 1, 2, m): behind z one neuron is active above a level, the other below another one, both levels occur, and the slopes c_- w_-,
c_+ w_+ and their sum are not 0: theta is the only parameter with its function (theorem of width one, in the checker).
(d, 1, 1, m): a clip, constant at both ends, which can begin at either: exactly two classes.
"""

from __future__ import annotations

from random import Random

from exactrelu.certification.certify import certify
from exactrelu.constructions.clip_reflection import clip_reflection
from exactrelu.constructions.construction import Claim, Construction
from exactrelu.errors import BudgetExceeded, InputError
from exactrelu.limits import Limits
from exactrelu.network.architecture import Architecture
from exactrelu.network.network import Network
from exactrelu.polyhedra.domain import Domain

DRAWS = 20


def narrow(architecture: Architecture | None = None, seed: int = 0, *, limits: Limits | None = None) -> Construction:
    """Return an identifiable parameter of (d, 1, 2, m), or the two classes of a function of (d, 1, 1, m).

    Raises:
        InputError: another architecture.

    >>> narrow().claims[0].text
    'the only parameter of (2, 1, 2, 1) with its function, up to permutation and positive scaling'
    >>> len(narrow(Architecture((2, 1, 1, 1))).networks)
    2
    """
    architecture = architecture if architecture is not None else Architecture((2, 1, 2, 1))
    if architecture.widths[1:-1] == (1, 1):
        for number in range(DRAWS):
            made = clip_reflection(architecture, seed + 1000 * number, limits=limits)
            if made.facts["complete"]:
                facts = {"seed": seed, "classes": 2, "complete": True}
                return Construction("narrow", made.networks, made.domain, made.claims, facts, ("theta", "eta"))
        raise BudgetExceeded(f"no draw of {architecture} was proved to have exactly two classes; try another seed")
    if architecture.widths[1:-1] != (1, 2):
        raise InputError(f"`narrow` has the architectures (d, 1, 2, m) and (d, 1, 1, m), not {architecture}; "
                         "for any network with a layer of one neuron see `bottleneck_report`")
    rng, domain = Random(f"narrow {architecture.widths} {seed}"), Domain.box(architecture.inputs, [(-12, 13)])
    for _ in range(DRAWS):
        network = _drawn(architecture, rng)
        found = certify(network, domain, limits=limits)
        if found.verdict == "identifiable":
            text = f"the only parameter of {architecture} with its function, up to permutation and positive scaling"
            return Construction("narrow", (network,), domain, (Claim("identifiable", text, found.certificate),),
                                {"seed": seed, "classes": 1, "functional_dimension": found.dimension.lower})
    raise BudgetExceeded(f"no draw of {architecture} was certified; try another seed")


def _drawn(architecture: Architecture, rng: Random) -> Network:
    """Levels 1 and 2 (in some order, scaled), slopes of both signs that do not cancel."""
    d, outputs = architecture.inputs, architecture.outputs
    row = [rng.choice((-1, 1)) * rng.randint(1, 3) for _ in range(d)]
    up, down = rng.randint(1, 3), rng.randint(1, 3)
    levels = rng.sample(range(1, 6), 2)
    output = []
    for _ in range(outputs):
        a, b = (rng.choice((-1, 1)) * rng.randint(1, 5) for _ in range(2))
        output.append([a, b] if a * up != b * down else [a, -b])
    biases = [[rng.randint(-3, 3)], [-up * levels[0], down * levels[1]], [rng.randint(-3, 3) for _ in range(outputs)]]
    return Network([[row], [[up], [-down]], output], biases)
