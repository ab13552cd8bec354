"""Two parameters with one function whose layers have exchanged their break lines.

Let p, q be affine forms, 0 < gamma <= alpha, beta, delta > 0, and x+ = max(x, 0).  Parameter A has p, q in front and

    y_1 = alpha - beta p+,    y_2 = gamma - beta p+ + delta q+.

Parameter B has the forms of y_1, y_2 where A's first layer is active in front, and p, q behind:

    s_1 = alpha - beta p,    s_2 = gamma - beta p + delta q,
    u_1 = (alpha - s_1+) / beta,    u_2 = (s_2+ - s_1+ + alpha - gamma) / delta.

**Statement.**  y_1+ = alpha - beta u_1+ and y_2+ = gamma - beta u_1+ + delta u_2+, everywhere.  So every combination of y_1+, y_2+ is
one of u_1+, u_2+, whatever p and q are and whatever comes behind: two layers of two neurons in any network may be exchanged.

*Proof.*  u_1 = min(p, alpha / beta), so u_1+ = min(p+, alpha / beta), which gives the first.  If p <= alpha / beta, then
delta u_2 = max(0, s_2) - gamma + beta p = max(delta q, beta p - gamma).  For p >= 0 the right side of the second is then
max(gamma - beta p + delta q, 0, gamma - beta p) = (gamma - beta p + delta q+)+; for p < 0, beta p - gamma < 0 and it is
gamma + delta q+ > 0.  If p > alpha / beta, then delta u_2 = s_2+ + alpha - gamma >= 0 and the right side is s_2+, which is
(gamma - beta p + delta q+)+ for q >= 0; for q < 0 both are 0, because gamma - beta p < gamma - alpha <= 0.  QED
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from random import Random

from exactrelu.constructions.construction import Construction
from exactrelu.constructions.one_function import complete, pairwise
from exactrelu.errors import BudgetExceeded, InputError
from exactrelu.limits import Limits
from exactrelu.network.architecture import Architecture
from exactrelu.network.network import Network
from exactrelu.network.trivial_symmetry import equivalent
from exactrelu.polyhedra.domain import Domain

Rows = list[list[Fraction | int]]
DRAWS, TIGHT_DRAWS = 60, 6
"""Draws, until the list of two is certified complete: for two hidden layers on two inputs, and for other networks of width two."""


def exchange(architecture: Architecture | None = None, seed: int = 0, *, limits: Limits | None = None) -> Construction:
    """Return two parameters with one function, in which two consecutive hidden layers of two neurons are exchanged.

    They are the first such layers behind at least two neurons (or inputs).  Where a draw allows it, a document says that no third
    parameter has the function.
    Raises:
        InputError: no such layers.  BudgetExceeded: a limit was reached.

    >>> [claim.name for claim in exchange().claims]
    ['one-function-1-2', 'complete-fiber']
    """
    architecture = architecture if architecture is not None else Architecture((2, 2, 2, 1))
    layer = exchanged_layer(architecture)
    rng, domain = Random(f"exchange {architecture.widths} {seed}"), Domain.box(architecture.inputs, [(-12, 13)])
    first: Construction | None = None
    for _ in range(_draws(architecture)):
        networks = exchanged_pair(architecture, rng)
        try:
            claims = [*pairwise(networks, domain, limits), *complete(networks, domain, limits)]
        except BudgetExceeded:
            if first is not None:
                break
            raise
        facts = {"seed": seed, "layers": [layer, layer + 1], "complete": len(claims) == 2}
        made = Construction("exchange", networks, domain, tuple(claims), facts, ("theta", "eta"))
        first = made if first is None else first
        if made.facts["complete"]:
            return made
    assert first is not None
    return first


def _draws(architecture: Architecture) -> int:
    if architecture.widths == (2, 2, 2, 1):
        return DRAWS
    return TIGHT_DRAWS if set(architecture.widths[1:-1]) == {2} else 1


def exchanged_layer(architecture: Architecture) -> int:
    """Return the first hidden layer l of two neurons, in front of another one and behind at least two neurons or inputs.

    Raises:
        InputError: there is none.
    """
    widths = architecture.widths
    for layer in range(1, architecture.hidden_layers):
        if widths[layer] == widths[layer + 1] == 2 and widths[layer - 1] >= 2:
            return layer
    raise InputError(f"exchanged are two consecutive hidden layers of two neurons, behind at least two, as in (2, 2, 2, 1); {architecture} "
                     "has none")


def exchanged_pair(architecture: Architecture, rng: Random) -> tuple[Network, Network]:
    """Return random inequivalent parameters A and B of the module's statement, with common random layers in front and behind."""
    widths, layer = architecture.widths, exchanged_layer(architecture)
    d, following = widths[layer - 1], widths[layer + 2]
    while True:
        before = [_drawn(widths[k], widths[k + 1], rng) for k in range(layer - 1)]
        while True:
            forms = [[*(rng.randint(-3, 3) for _ in range(d)), rng.randint(-3, 3)] for _ in range(2)]
            if any(forms[0][i] * forms[1][j] != forms[0][j] * forms[1][i] for i in range(d) for j in range(i)):
                break
        alpha, beta, delta = rng.randint(2, 6), rng.randint(1, 4), rng.randint(1, 4)
        behind: Rows = []
        for _ in range(following):
            c1, c2 = (rng.choice((-1, 1)) * rng.randint(1, 4) for _ in range(2))
            behind.append([c1, c2 if c1 + c2 else 2 * c2, rng.randint(-3, 3)])
        one, one_biases, two, two_biases = exchanged(forms, (alpha, beta, rng.randint(1, alpha - 1), delta), behind)
        after = [_drawn(widths[k], widths[k + 1], rng) for k in range(layer + 2, len(widths) - 1)]
        a, b = (Network([*(w for w, _ in before), *weights, *(w for w, _ in after)],
                        [*(b for _, b in before), *biases, *(b for _, b in after)])
                for weights, biases in ((one, one_biases), (two, two_biases)))
        if equivalent(a, b).word == "fails":
            return a, b


def exchanged(forms: Sequence[Sequence[Fraction | int]], numbers: tuple[int, int, int, int],
              behind: Sequence[Sequence[Fraction | int]]) -> tuple[list[Rows], Rows, list[Rows], Rows]:
    """Return weights and biases of the three layers of A and of B.

    Args:
        forms: rows of p and q, the constant last.
        numbers: alpha, beta, gamma, delta.
        behind: rows of the layer behind in A, on y_1+ and y_2+, the constant last.
    """
    (*p, a), (*q, b) = forms
    alpha, beta, gamma, delta = numbers
    if not (0 < gamma <= alpha and beta > 0 and delta > 0):
        raise InputError(f"alpha, beta, gamma, delta = {numbers} are not 0 < gamma <= alpha, beta > 0, delta > 0")
    front: list[Rows] = [[list(p), list(q)], [[-beta, 0], [-beta, delta]], [[c1, c2] for c1, c2, _ in behind]]
    back: list[Rows] = [[[-beta * x for x in p], [-beta * x + delta * y for x, y in zip(p, q)]],
                        [[Fraction(-1, beta), 0], [Fraction(-1, delta), Fraction(1, delta)]],
                        [[-beta * (c1 + c2), delta * c2] for c1, c2, _ in behind]]
    return (front, [[a, b], [alpha, gamma], [c for _, _, c in behind]],
            back, [[alpha - beta * a, gamma - beta * a + delta * b], [Fraction(alpha, beta), Fraction(alpha - gamma, delta)],
                   [c1 * alpha + c2 * gamma + c for c1, c2, c in behind]])


def _drawn(before: int, width: int, rng: Random) -> tuple[Rows, list[Fraction | int]]:
    """A random layer without zero weights."""
    rows: Rows = [[rng.choice((-1, 1)) * rng.randint(1, 4) for _ in range(before)] for _ in range(width)]
    return rows, [rng.randint(-8, 8) for _ in range(width)]
