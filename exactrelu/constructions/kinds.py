"""All constructions by the names of the command line."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from exactrelu.constructions.ambiguous import ambiguous
from exactrelu.constructions.clip_reflection import clip_reflection
from exactrelu.constructions.construction import Construction
from exactrelu.constructions.depth_chain import depth_chain
from exactrelu.constructions.exchange import exchange
from exactrelu.constructions.minimal_block import minimal_block
from exactrelu.constructions.narrow import narrow
from exactrelu.constructions.random_draw import random_draw
from exactrelu.constructions.slab import slab
from exactrelu.constructions.three_ray import three_ray_of
from exactrelu.errors import InputError
from exactrelu.limits import Limits
from exactrelu.network.architecture import Architecture


@dataclass(frozen=True)
class Request:
    """What is asked for.

    Attributes:
        architecture: None where the kind has a default.
        seed: the same seed gives the same networks.
        exponent: `slab`: draw with random bits, up to a failure probability 2^-exponent.
        draw_seed: `slab` with exponent: a seeded generator instead of system entropy.
        size: `linear-block`: number of always active neurons (2 by default).
    """

    architecture: Architecture | None = None
    seed: int = 0
    exponent: int | None = None
    draw_seed: int | None = None
    size: int | None = None
    limits: Limits | None = None

    def needed(self) -> Architecture:
        """The architecture, for kinds without a default."""
        if self.architecture is None:
            raise InputError("this construction needs an architecture: --architecture 2,3,2,1")
        return self.architecture


def _slab(request: Request) -> Construction:
    if request.exponent is None:
        return slab(request.needed(), request.seed, limits=request.limits)
    return random_draw(request.needed(), request.exponent, request.seed, draw_seed=request.draw_seed, limits=request.limits)


def _depth_chain(request: Request) -> Construction:
    return depth_chain(request.needed(), request.seed, limits=request.limits)


def _linear_block(request: Request) -> Construction:
    architecture = request.architecture if request.architecture is not None else Architecture((2, 3, 4, 2))
    return minimal_block(architecture, 2 if request.size is None else request.size, request.seed, limits=request.limits)


KINDS: dict[str, Callable[[Request], Construction]] = {
    "slab": _slab,
    "depth-chain": _depth_chain,
    "linear-block": _linear_block,
    "exchange": lambda request: exchange(request.architecture, request.seed, limits=request.limits),
    "clip-reflection": lambda request: clip_reflection(request.architecture, request.seed, limits=request.limits),
    "three-ray": lambda request: three_ray_of(request.architecture, request.seed, limits=request.limits),
    "narrow": lambda request: narrow(request.architecture, request.seed, limits=request.limits),
    "ambiguous": lambda request: ambiguous(request.needed(), request.seed, limits=request.limits),
}


def construct(kind: str, request: Request) -> Construction:
    """Return the construction of a kind.

    Raises:
        InputError: no such kind, or a request that the kind cannot serve.
        BudgetExceeded: a limit was reached.

    >>> construct("slab", Request(Architecture((2, 2, 1)))).facts["tier"]
    'identifiable'
    """
    if kind not in KINDS:
        raise InputError(f"no construction is called {kind!r}; there are {', '.join(KINDS)}")
    if kind != "slab" and (request.exponent is not None or request.draw_seed is not None):
        raise InputError("a randomised draw exists for slab only")
    if kind != "linear-block" and request.size is not None:
        raise InputError("a size of the block exists for linear-block only")
    if request.draw_seed is not None and request.exponent is None:
        raise InputError("a seed of the draw makes sense with --randomised K only")
    return KINDS[kind](request)
