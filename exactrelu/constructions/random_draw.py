"""A drawn parameter of an architecture that is identifiable among all parameters, except with a tiny known probability.

The base theta_0 is the slab parameter of the architecture; all weights and biases are then drawn around it with true
random bits, as many as the bound needs (`certification.randomized`).  The statement is about the draw: the probability
that a drawn parameter passes all checks and is nevertheless not identifiable is at most 2^-K.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable
from random import Random

from exactrelu.certificates.verdict import Holds
from exactrelu.certification.randomized import log2_failures, randomized
from exactrelu.constructions.construction import Claim, Construction
from exactrelu.constructions.slab import certified_slab
from exactrelu.errors import BudgetExceeded, InputError
from exactrelu.limits import Limits
from exactrelu.network.architecture import Architecture

MAX_DRAWS = 16
"""Draws; all of them are counted in the bound, whether they are used or not."""
MAX_EXPONENT = 4_096


def random_draw(architecture: Architecture, exponent: int = 128, seed: int = 0, *, draw_seed: int | None = None,
               limits: Limits | None = None) -> Construction:
    """Draw a parameter near a slab parameter, identifiable among all parameters up to a failure probability 2^-exponent.

    Args:
        exponent: K >= 1; the bound of the whole call, over all its draws.
        seed: chooses theta_0.
        draw_seed: draw with a seeded generator instead of system entropy: reproducible, but then the theorem says nothing,
            the result is labelled heuristic and carries no document of the bound.
    Raises:
        InputError: no hidden layer, a width below 2, or an exponent out of range.
        BudgetExceeded: a limit was reached, or no draw passed the checks.

    >>> made = random_draw(Architecture((2, 2, 2, 1)), 64)
    >>> made.facts["label"], made.facts["failure_probability"]
    ('certified draw', '2^-64')
    """
    if not 1 <= exponent <= MAX_EXPONENT:
        raise InputError(f"the exponent {exponent} of the failure probability is not between 1 and {MAX_EXPONENT}")
    base, _ = certified_slab(architecture, seed, limits=limits)
    draws = (MAX_DRAWS - 1).bit_length()
    bits: Callable[[int], int] = secrets.randbits if draw_seed is None else Random(f"draw {draw_seed}").getrandbits
    for number in range(1, MAX_DRAWS + 1):
        drawn = randomized(base.network, base.domain, exponent=exponent + draws, limits=limits, random_bits=bits)
        if not isinstance(drawn, Holds):
            continue
        network = drawn.detail["draw"].network
        facts = {"failure_probability": f"2^-{exponent}", "bits": drawn.detail["draw"].bits, "log2_failures": log2_failures(architecture),
                 "draws": number, "draws_allowed": MAX_DRAWS, "seed": seed}
        if draw_seed is not None:
            claim = Claim("heuristic", "drawn with a seeded generator: the checks passed, but the bound needs truly random bits")
            return Construction("slab", (network,), base.domain, (claim,), {**facts, "label": "heuristic", "draw_seed": draw_seed})
        text = (f"drawn with {facts['bits']} random bits a parameter, fixed before the draw: a draw passes all checks without being "
                f"identifiable among all parameters with probability at most 2^-{exponent}")
        return Construction("slab", (network,), base.domain, (Claim("identifiable-randomized", text, drawn.certificate),),
                            {**facts, "label": "certified draw"})
    raise BudgetExceeded(f"none of {MAX_DRAWS} draws around the slab parameter with seed {seed} passed the checks; try another seed")
