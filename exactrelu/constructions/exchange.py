"""Two parameters with one function whose layers have exchanged their break lines.

Let p, q be affine forms, 0 < gamma <= alpha, beta, delta > 0, and x+ = max(x, 0).  Parameter A has p, q in front and

    y_1 = alpha - beta p+,    y_2 = gamma - beta p+ + delta q+.

Parameter B has the forms of y_1, y_2 where A's first layer is active in front, and p, q behind:

    s_1 = alpha - beta p,    s_2 = gamma - beta p + delta q,
    u_1 = (alpha - s_1+) / beta,    u_2 = (s_2+ - s_1+ + alpha - gamma) / delta.

**Statement.**  y_1+ = alpha - beta u_1+ and y_2+ = gamma - beta u_1+ + delta u_2+, everywhere.  So every combination of y_1+, y_2+ is
one of u_1+, u_2+.

*Proof.*  u_1 = min(p, alpha / beta), so u_1+ = min(p+, alpha / beta), which gives the first.  If p <= alpha / beta, then
delta u_2 = max(0, s_2) - gamma + beta p = max(delta q, beta p - gamma).  For p >= 0 the right side of the second is then
max(gamma - beta p + delta q, 0, gamma - beta p) = (gamma - beta p + delta q+)+; for p < 0, beta p - gamma < 0 and it is
gamma + delta q+ > 0.  If p > alpha / beta, then delta u_2 = s_2+ + alpha - gamma >= 0 and the right side is s_2+, which is
(gamma - beta p + delta q+)+ for q >= 0; for q < 0 both are 0, because gamma - beta p < gamma - alpha <= 0.  QED
"""

from __future__ import annotations

from fractions import Fraction
from random import Random

from exactrelu.constructions.construction import Construction
from exactrelu.constructions.one_function import complete, pairwise
from exactrelu.errors import BudgetExceeded, InputError
from exactrelu.limits import Limits
from exactrelu.network.architecture import Architecture
from exactrelu.network.network import Network
from exactrelu.polyhedra.domain import Domain

DRAWS = 60
"""Draws, until the list of two is certified complete (two inputs, one output)."""


def exchange(architecture: Architecture | None = None, seed: int = 0, *, limits: Limits | None = None) -> Construction:
    """Return two parameters of (d, 2, 2, m), d >= 2, with one function and exchanged layers.

    Where a draw allows it, a document says that no third parameter has the function.
    Raises:
        InputError: another architecture.

    >>> [claim.name for claim in exchange().claims]
    ['one-function-1-2', 'complete-fiber']
    """
    architecture = architecture if architecture is not None else Architecture((2, 2, 2, 1))
    if architecture.widths[1:-1] != (2, 2) or architecture.inputs < 2:
        raise InputError(f"layers are exchanged in the architectures (d, 2, 2, m) with d >= 2, not in {architecture}")
    rng, domain = Random(f"exchange {architecture.widths} {seed}"), Domain.box(architecture.inputs, [(-12, 13)])
    first: Construction | None = None
    for _ in range(DRAWS):
        networks = exchanged_pair(architecture, rng)
        try:
            claims = [*pairwise(networks, domain, limits), *complete(networks, domain, limits)]
        except BudgetExceeded:
            if first is not None:
                break
            raise
        made = Construction("exchange", networks, domain, tuple(claims), {"seed": seed, "complete": len(claims) == 2}, ("theta", "eta"))
        first = made if first is None else first
        if made.facts["complete"] or architecture.outputs * architecture.inputs > 2:
            return made
    assert first is not None
    return first


def exchanged_pair(architecture: Architecture, rng: Random) -> tuple[Network, Network]:
    """Return random parameters A and B of the module's statement."""
    d, outputs = architecture.inputs, architecture.outputs
    while True:
        p, q = ([rng.randint(-3, 3) for _ in range(d)] for _ in range(2))
        if any(p[i] * q[j] != p[j] * q[i] for i in range(d) for j in range(i)):
            break
    a, b = rng.randint(-3, 3), rng.randint(-3, 3)
    alpha, beta, delta = rng.randint(2, 6), rng.randint(1, 4), rng.randint(1, 4)
    gamma = rng.randint(1, alpha - 1)
    weights = []
    for _ in range(outputs):
        c1, c2 = (rng.choice((-1, 1)) * rng.randint(1, 4) for _ in range(2))
        weights.append((c1, c2 if c1 + c2 else 2 * c2))
    constants = [rng.randint(-3, 3) for _ in range(outputs)]
    front = Network([[p, q], [[-beta, 0], [-beta, delta]], [list(row) for row in weights]], [[a, b], [alpha, gamma], constants])
    rows = [[-beta * x for x in p], [-beta * x + delta * y for x, y in zip(p, q)]]
    behind = [[Fraction(-1, beta), Fraction(0)], [Fraction(-1, delta), Fraction(1, delta)]]
    output = [[-beta * (c1 + c2), delta * c2] for c1, c2 in weights]
    shifted = [c1 * alpha + c2 * gamma + c for (c1, c2), c in zip(weights, constants)]
    back = Network([rows, behind, output], [[alpha - beta * a, gamma - beta * a + delta * b],
                                            [Fraction(alpha, beta), Fraction(alpha - gamma, delta)], shifted])
    return front, back
