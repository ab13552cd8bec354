"""Slab parameters: identifiable parameters of any architecture whose widths n_0, ..., n_L are at least 2.

On the box [-4, 8] x [-2, 2] x [-1/4, 1/4]^(n_0 - 2) every layer consists of two opposite neurons whose zero sets are thin
bands across the band of the layer before, and of parallel copies of the first one:

    z_1 = M (a_1 + a_2) - c + alpha (a_1 - 2),    z_2 = 4 + c - M (a_1 + a_2) + beta (a_1 - 2),    (alpha, beta) = (2, -1) or (-1, 2),

so z_1 + z_2 = a_1 + 2 > 0 (some neuron is always active), and each level set runs from the wall a_1 = 0 to the wall a_2 = 0
through the part of the box where the layer before is active: all bent hyperplanes are connected and cross those of the
layer before.  Theorem: for every such architecture some rational parameters of this shape are supertransversal,
transparent, without cancellation, connected TPIC and flip-free; then f determines the layers and the rows.

The proof needs M >= 9; far smaller M mostly work.  So every layer is drawn with small M and checked at once, by the exact
complex of the layers so far, and only a layer that fails is drawn again, with slowly growing M; the output weights come
last.  What is returned was certified, whatever the way it was found.
Source: paper A (existence of identifiable parameters), with the orientation of bands by sums.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from random import Random

from exactrelu.certificates.verdict import Holds
from exactrelu.certification.certify import Certification, certify
from exactrelu.certification.flip_freeness import flip_freeness
from exactrelu.complexes.canonical_complex import CanonicalComplex
from exactrelu.constructions.construction import Claim, Construction
from exactrelu.errors import BudgetExceeded, InputError
from exactrelu.genericity.geometry import Geometry
from exactrelu.genericity.no_cancellation import no_cancellation
from exactrelu.genericity.supertransversality import supertransversality
from exactrelu.genericity.tpic import connected_tpic
from exactrelu.genericity.transparency import transparency
from exactrelu.limits import Limits, Meter
from exactrelu.network.architecture import Architecture
from exactrelu.network.network import Network
from exactrelu.polyhedra.domain import Domain

Layer = tuple[list[list[int]], list[int]]
"""Rows and biases."""
CONDITIONS: tuple[Callable[[Geometry], object], ...] = (supertransversality, transparency, connected_tpic, no_cancellation)
STEEPNESS = (3, 4, 5, 6, 8, 10, 12, 16)
"""Values of M, in the order they are tried."""
DRAWS = 4
"""Draws of one layer for one M."""
MAX_RESTARTS = 40
"""How often a layer with no fitting successor is given up."""
CERTIFIED = ("identifiable", "identifiable-among-supertransversal")


@dataclass
class _Count:
    """Layers drawn so far."""

    drawn: int = 0


def slab_domain(inputs: int) -> Domain:
    """Return the box of the construction.

    >>> slab_domain(2).to_json()["inequalities"][0]
    ['4', '1', '0']
    """
    thin = Fraction(1, 4) if inputs <= 5 else Fraction(1, 4 * (inputs - 2))
    return Domain.box(inputs, [(-4, 8), (-2, 2), *[(-thin, thin)] * (inputs - 2)])


def slab(architecture: Architecture, seed: int = 0, *, limits: Limits | None = None) -> Construction:
    """Return a parameter of the architecture that is certified identifiable at least among supertransversal ones.

    All conditions of the theorem hold on `slab_domain`: supertransversality, transparency, no cancellation, connected TPIC,
    flip-freeness.  The same seed gives the same parameter.
    Raises:
        InputError: no hidden layer, or a width below 2 (besides the output).
        BudgetExceeded: a limit was reached, or no draw fitted.
    Cost: one complex a drawn layer.

    >>> slab(Architecture((2, 2, 2, 1))).facts["tier"]
    'identifiable'
    """
    found, count = certified_slab(architecture, seed, limits=limits)
    assert found.certificate is not None
    name = "among all parameters" if found.verdict == "identifiable" else "among supertransversal parameters"
    claims = [Claim("identifiable", f"identifiable {name} of {architecture}, up to permutation and positive scaling", found.certificate)]
    if found.certificate is not found.dimension.certificate:
        claims.append(Claim("dimension", f"functional dimension {found.dimension.lower} = N - H", found.dimension.certificate))
    held = found.conditions.certificate
    if held is not None:
        claims.append(Claim("conditions", "supertransversal, transparent, without cancellation, connected TPIC", held))
    claims.append(Claim("flip-free", "flip-free: no set of neurons of a layer can be reversed unnoticed (decided by the engine)"))
    facts = {"tier": found.verdict, "seed": seed, "layers_drawn": count, "max_bits": found.network.max_bits,
             "full_cells": found.conditions.geometry.complex.full_cells if found.conditions.geometry is not None else None}
    return Construction("slab", (found.network,), found.domain, tuple(claims), facts)


def certified_slab(architecture: Architecture, seed: int = 0, *, limits: Limits | None = None) -> tuple[Certification, int]:
    """Return the verdict on a slab parameter that has all conditions, and how many layers were drawn."""
    widths = architecture.widths
    if not architecture.hidden_layers or min(widths[:-1]) < 2:
        raise InputError(f"slabs need a hidden layer and widths of at least 2 before the output, not {architecture}")
    meter, domain, count = Meter(limits), slab_domain(architecture.inputs), _Count()
    rng = Random(f"slab {widths} {seed}")
    for layers in _hidden_layers(widths, domain, rng, meter, count):
        for height in (3, 5, 7, 9, 15):
            for _ in range(3):
                output = ([[rng.choice((-1, 1)) * rng.randint(1, height) for _ in range(widths[-2])] for _ in range(widths[-1])],
                          [rng.randint(-3, 3) for _ in range(widths[-1])])
                network = _network([*layers, output])
                if not _fits(network, domain, meter):
                    continue
                found = certify(network, domain, limits=meter.stage(200_000))
                if found.verdict in CERTIFIED:
                    return found, count.drawn
    raise BudgetExceeded(f"none of {count.drawn} drawn layers led to a parameter of {architecture} with all conditions; try another seed")


def _hidden_layers(widths: tuple[int, ...], domain: Domain, rng: Random, meter: Meter, count: _Count) -> Iterator[list[Layer]]:
    """Yield lists of hidden layers that have all conditions; depth first, a layer without fitting successor is given up."""
    layers: list[Layer] = []
    choices: list[Iterator[Layer]] = [_fitting(widths, layers, domain, rng, meter, count)]
    restarts = 0
    while choices:
        layer = next(choices[-1], None)
        if layer is None:
            choices.pop()
            restarts += 1
            if restarts > MAX_RESTARTS or not layers:
                return
            layers.pop()
            continue
        layers.append(layer)
        if len(layers) == len(widths) - 2:
            yield list(layers)
            layers.pop()
        else:
            choices.append(_fitting(widths, list(layers), domain, rng, meter, count))


def _fitting(widths: tuple[int, ...], before: list[Layer], domain: Domain, rng: Random, meter: Meter, count: _Count) -> Iterator[Layer]:
    """Yield draws of the next layer for which the network so far, with all its neurons as outputs, has all conditions."""
    number = len(before) + 1
    for steepness in STEEPNESS:
        for _ in range(DRAWS):
            meter.tick()
            count.drawn += 1
            layer = drawn_layer(widths[number - 1], widths[number], number == 1, steepness, rng)
            width = widths[number]
            identity = ([[int(i == j) for j in range(width)] for i in range(width)], [0] * width)
            if _fits(_network([*before, layer, identity]), domain, meter):
                yield layer


def _fits(network: Network, domain: Domain, meter: Meter) -> bool:
    complex_ = CanonicalComplex.build(network, domain, limits=meter.stage(200_000))
    geometry = Geometry(complex_)
    return all(isinstance(condition(geometry), Holds) for condition in CONDITIONS) and isinstance(flip_freeness(complex_), Holds)


def _network(layers: list[Layer]) -> Network:
    return Network([rows for rows, _ in layers], [biases for _, biases in layers])


def drawn_layer(before: int, width: int, first: bool, steepness: int, rng: Random) -> Layer:
    """Return one layer of the shape above: two opposite neurons, and noisy multiples of the first at other levels."""
    links = range(before - 2)
    if first:
        one = [1, 1, *(rng.choice((-1, 1)) for _ in links)]
        two = [-1, 0, *(rng.choice((-1, 1)) for _ in links)]
        biases = [0, 4]
    else:
        m = steepness + 3 * steepness * (before - 2) // 2
        alpha, beta = rng.choice(((2, -1), (-1, 2)))
        c = 4 * m - 2 + rng.randint(-1, 1)
        one = [m + alpha, m, *(rng.choice((-1, 1)) for _ in links)]
        two = [beta - m, -m, *(rng.choice((-1, 1)) for _ in links)]
        biases = [-c - 2 * alpha, 4 + c - 2 * beta]
    rows = [one, two]
    for _ in range(width - 2):
        sign, level = rng.choice((1, -1)), rng.randint(2, 6)
        row = [2 * x + rng.choice((-1, 0, 1)) for x in one]
        rows.append([sign * x for x in ([2 * x + 1 for x in one] if 0 in row else row)])
        biases.append(sign * (2 * biases[0] - level))
    return rows, biases
