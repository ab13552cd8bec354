"""Hypothesis strategies for rationals, domains, architectures, networks and pairs of networks.

Numbers come from a table ordered by height (0, 1, -1, 2, -2, 1/2, -1/2, ...), all entries of a network as one flat list, so
that examples are cheap and shrink toward zeros, small numbers and few neurons.  Special kinds are constructed, not waited for.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from math import gcd
from typing import Any, Literal

from hypothesis import reject
from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from exactrelu.errors import InputError
from exactrelu.network.architecture import Architecture
from exactrelu.network.network import Network
from exactrelu.network.trivial_symmetry import TrivialSymmetry
from exactrelu.polyhedra.domain import Domain

Kind = Literal["any", "generic", "degenerate", "bias_free"]
Table = list[list[Fraction]]
_REPAIRS = 4


@lru_cache(maxsize=64)
def rational_table(height: int) -> tuple[Fraction, ...]:
    """Return every rational p/q with |p|, q <= height: by height, then denominator, size, and plus before minus.

    >>> [str(x) for x in rational_table(2)]
    ['0', '1', '-1', '2', '-2', '1/2', '-1/2']
    """
    sizes = [Fraction(p, q) for q in range(1, height + 1) for p in range(1, height + 1) if gcd(p, q) == 1]
    found = [Fraction(0), *sizes, *(-x for x in sizes)]
    return tuple(sorted(found, key=lambda x: (max(abs(x.numerator), x.denominator) if x else 0, x.denominator, abs(x.numerator), x < 0)))


def rationals(height: int = 6) -> SearchStrategy[Fraction]:
    """Return rationals p/q with |p|, q <= height; they shrink to 0, 1, -1, ... in the order of `rational_table`."""
    return st.sampled_from(rational_table(height))


def _positive(height: int) -> SearchStrategy[Fraction]:
    return st.sampled_from([x for x in rational_table(height) if x > 0])


def _nonzero(height: int) -> SearchStrategy[Fraction]:
    return st.sampled_from(rational_table(height)[1:])


@st.composite
def polytopes(draw: DrawFn, dimension: int = 2, max_facets: int = 8, bounded: bool = True, height: int = 4) -> Domain:
    """Return full-dimensional domains; bounded ones are a box with corners cut off.

    Args:
        max_facets: most inequalities written; a bounded domain has at least 2 d of them.
        bounded: otherwise any number of half-spaces from none, around a common interior point.
    """
    if bounded and max_facets < 2 * dimension:
        raise InputError(f"a box in dimension {dimension} has {2 * dimension} facets, more than max_facets={max_facets}")
    rows: list[tuple[Fraction, ...]] = []
    centre = [draw(rationals(height)) for _ in range(dimension)]
    if bounded:
        for k in range(dimension):
            radius = draw(_positive(height))
            for sign in (1, -1):
                rows.append((radius - sign * centre[k], *(Fraction(sign * (i == k)) for i in range(dimension))))
    for _ in range(draw(st.integers(0, max_facets - len(rows)))):
        normal = draw(st.lists(rationals(height), min_size=dimension, max_size=dimension))
        if any(normal):
            rows.append((draw(_positive(height)) - _dot(normal, centre), *normal))
    return Domain(dimension, tuple(rows))


def _dot(a: Sequence[Fraction], b: Sequence[Fraction]) -> Fraction:
    return sum((x * y for x, y in zip(a, b)), Fraction(0))


@st.composite
def architectures(draw: DrawFn, min_width: int = 1, max_width: int = 3, depth: int = 2, *, min_depth: int = 1,
                  inputs: int = 2, min_inputs: int = 1, outputs: int = 2) -> Architecture:
    """Return architectures with `min_depth` to `depth` hidden layers of width `min_width` to `max_width`.

    `inputs` and `outputs` are the largest input and output widths.
    """
    hidden = draw(st.lists(st.integers(min_width, max_width), min_size=min_depth, max_size=depth))
    return Architecture((draw(st.integers(min_inputs, inputs)), *hidden, draw(st.integers(1, outputs))))


class _Layers:
    """The entries of a network while it is being made: weights[l][i][j], biases[l][i]; l from 0."""

    def __init__(self, architecture: Architecture, entries: Sequence[Fraction]) -> None:
        self.architecture = architecture
        self.weights: list[Table] = []
        self.biases: Table = []
        rest = iter(entries)
        for before, width in zip(architecture.widths, architecture.widths[1:]):
            self.weights.append([[next(rest) for _ in range(before)] for _ in range(width)])
            self.biases.append([next(rest) for _ in range(width)])

    @classmethod
    def drawn(cls, draw: DrawFn, architecture: Architecture, height: int) -> _Layers:
        """Draw all entries as one flat list."""
        count = architecture.parameters
        return cls(architecture, draw(st.lists(rationals(height), min_size=count, max_size=count)))

    @property
    def network(self) -> Network:
        """The finished network."""
        return Network(tuple(tuple(map(tuple, rows)) for rows in self.weights), tuple(map(tuple, self.biases)))

    def neurons(self, draw: DrawFn, layer: int, count: int) -> list[int]:
        """Draw different neurons of a hidden layer (from 0)."""
        return draw(st.permutations(range(self.architecture.hidden_widths[layer])))[:count]


def _some_architecture(architecture: Architecture | SearchStrategy[Architecture] | None) -> SearchStrategy[Architecture]:
    if architecture is None:
        return architectures()
    return st.just(architecture) if isinstance(architecture, Architecture) else architecture


def networks(architecture: Architecture | SearchStrategy[Architecture] | None = None, height: int = 6,
             kind: Kind = "any") -> SearchStrategy[Network]:
    """Return networks with entries of bounded height.

    Args:
        architecture: one architecture, a strategy for them, or None for small ones.
        kind: "any"; "bias_free" (every bias zero); "degenerate" (one of `DEGENERACIES`, constructed); "generic" (supertransversal
            and without cancellation on R^d, as almost every parameter is; a coincidence is repaired by adding small fractions,
            so a few numbers may then exceed `height`).
    """
    if kind == "any":
        return _any_networks(_some_architecture(architecture), height)
    if kind == "bias_free":
        return _bias_free_networks(_some_architecture(architecture), height)
    if kind == "generic":
        return _generic_networks(_some_architecture(architecture), height)
    if kind == "degenerate":
        if architecture is None:
            return st.sampled_from(list(DEGENERACIES)).flatmap(lambda name: degenerate_networks(name, None, height))
        return _some_architecture(architecture).flatmap(lambda a: st.sampled_from(degeneracies_of(a)).flatmap(
            lambda name: degenerate_networks(name, a, height)))
    raise InputError(f'kind is "any", "generic", "degenerate" or "bias_free", not {kind!r}')


@st.composite
def _any_networks(draw: DrawFn, architecture: SearchStrategy[Architecture], height: int) -> Network:
    return _Layers.drawn(draw, draw(architecture), height).network


@st.composite
def _bias_free_networks(draw: DrawFn, architecture: SearchStrategy[Architecture], height: int) -> Network:
    layers = _Layers.drawn(draw, draw(architecture), height)
    layers.biases = [[Fraction(0)] * len(row) for row in layers.biases]
    return layers.network


def is_coincidence_free(network: Network) -> bool:
    """Whether the network is supertransversal and without cancellation on R^d, the conditions that fail on a null set only."""
    from exactrelu.complexes.canonical_complex import CanonicalComplex
    from exactrelu.genericity.geometry import Geometry
    from exactrelu.genericity.no_cancellation import no_cancellation
    from exactrelu.genericity.supertransversality import supertransversality

    geometry = Geometry(CanonicalComplex.build(network))
    return all(test(geometry).word == "holds" for test in (supertransversality, no_cancellation))


@lru_cache(maxsize=1)
def _primes() -> tuple[int, ...]:
    return tuple(n for n in range(11, 1200) if all(n % k for k in range(2, n) if k * k <= n))


@st.composite
def _generic_networks(draw: DrawFn, architecture: SearchStrategy[Architecture], height: int) -> Network:
    shape = draw(architecture)
    entries = draw(st.lists(_nonzero(height), min_size=shape.parameters, max_size=shape.parameters))
    primes = _primes()
    for attempt in range(_REPAIRS):
        moved = [x + Fraction(attempt, primes[k % len(primes)] * (1 + k // len(primes))) for k, x in enumerate(entries)]
        network = _Layers(shape, moved).network
        if is_coincidence_free(network):
            return network
    reject()


# --- degeneracies -----------------------------------------------------------------------------------------------------------

def _duplicate(draw: DrawFn, layers: _Layers, layer: int, height: int) -> None:
    i, j = layers.neurons(draw, layer, 2)
    layers.weights[layer][j], layers.biases[layer][j] = list(layers.weights[layer][i]), layers.biases[layer][i]


def _multiple(draw: DrawFn, layers: _Layers, layer: int, height: int, factor: Fraction) -> tuple[int, int]:
    """Make one row a multiple of another, which is made non-zero."""
    i, j = layers.neurons(draw, layer, 2)
    rows = layers.weights[layer]
    if not any(rows[i]):
        rows[i][0] = Fraction(1)
    rows[j] = [factor * x for x in rows[i]]
    return i, j


def _parallel(draw: DrawFn, layers: _Layers, layer: int, height: int) -> None:
    factor = draw(_nonzero(height))
    i, j = _multiple(draw, layers, layer, height, factor)
    layers.biases[layer][j] = factor * layers.biases[layer][i] + draw(_nonzero(height))


def _opposite(draw: DrawFn, layers: _Layers, layer: int, height: int) -> None:
    i, j = _multiple(draw, layers, layer, height, Fraction(-1))
    layers.biases[layer][j] = -layers.biases[layer][i]


def _zero(draw: DrawFn, layers: _Layers, layer: int, height: int) -> None:
    (i,) = layers.neurons(draw, layer, 1)
    layers.weights[layer][i] = [Fraction(0)] * len(layers.weights[layer][i])


def _dead(draw: DrawFn, layers: _Layers, layer: int, height: int) -> None:
    """No point activates the neuron: inputs of a later layer are not negative, those of the first are arbitrary."""
    (i,) = layers.neurons(draw, layer, 1)
    row = layers.weights[layer][i]
    layers.weights[layer][i] = [-abs(x) if layer else Fraction(0) for x in row]
    layers.biases[layer][i] = -abs(layers.biases[layer][i])


def _always_active(draw: DrawFn, layers: _Layers, layer: int, height: int) -> None:
    for i in layers.neurons(draw, layer, 2):
        layers.weights[layer][i] = [abs(x) for x in layers.weights[layer][i]]
        layers.biases[layer][i] = draw(_positive(height))


def _concurrent(draw: DrawFn, layers: _Layers, layer: int, height: int) -> None:
    """The hyperplanes of d + 1 first-layer neurons pass through one point."""
    d = layers.architecture.inputs
    point = draw(st.lists(rationals(height), min_size=d, max_size=d))
    for i in layers.neurons(draw, 0, d + 1):
        if not any(layers.weights[0][i]):
            layers.weights[0][i][0] = Fraction(1)
        layers.biases[0][i] = -_dot(layers.weights[0][i], point)


def _tangent(draw: DrawFn, layers: _Layers, layer: int, height: int) -> None:
    """A second-layer neuron is -sum c_k |l_k(x)|, c_k > 0, with d independent l_k: it touches zero in one vertex only."""
    d = layers.architecture.inputs
    point = draw(st.lists(rationals(height), min_size=d, max_size=d))
    chosen = layers.neurons(draw, 0, 2 * d)
    for k in range(d):
        row = [*layers.weights[0][chosen[2 * k]][:k], draw(_nonzero(height)), *([Fraction(0)] * (d - k - 1))]
        bias = -_dot(row, point)
        for i, sign in ((chosen[2 * k], 1), (chosen[2 * k + 1], -1)):
            layers.weights[0][i], layers.biases[0][i] = [sign * x for x in row], sign * bias
    (neuron,) = layers.neurons(draw, 1, 1)
    new = [Fraction(0)] * layers.architecture.hidden_widths[0]
    for i in chosen:
        new[i] = -draw(_positive(height))
    layers.weights[1][neuron], layers.biases[1][neuron] = new, Fraction(0)


def _width_one(draw: DrawFn, layers: _Layers, layer: int, height: int) -> None:
    """Nothing to change: the architecture has a hidden layer of width 1."""


@dataclass(frozen=True)
class Degeneracy:
    """One way in which a parameter is not generic.

    Attributes:
        layers: hidden layers (from 0) of an architecture where it can be made.
        make: makes it in a chosen layer.
        smallest: architectures that have room for it, when the caller names none.
    """

    layers: Callable[[Architecture], list[int]]
    make: Callable[[DrawFn, _Layers, int, int], None]
    smallest: SearchStrategy[Architecture]


def _wide(least: int, first: int = 0) -> Callable[[Architecture], list[int]]:
    return lambda a: [k for k, width in enumerate(a.hidden_widths) if k >= first and width >= least]


DEGENERACIES: dict[str, Degeneracy] = {
    "zero": Degeneracy(_wide(1), _zero, architectures()),
    "duplicate": Degeneracy(_wide(2), _duplicate, architectures(2)),
    "parallel": Degeneracy(_wide(2), _parallel, architectures(2)),
    "opposite": Degeneracy(_wide(2), _opposite, architectures(2)),
    "dead": Degeneracy(_wide(1), _dead, architectures()),
    "width_one": Degeneracy(lambda a: [k for k, width in enumerate(a.hidden_widths) if width == 1], _width_one, architectures(1, 1)),
    "always_active": Degeneracy(_wide(2, 1), _always_active, architectures(2, min_depth=2)),
    "concurrent": Degeneracy(lambda a: [0] if a.hidden_layers and a.hidden_widths[0] > a.inputs else [], _concurrent, architectures(3, 3)),
    "tangent": Degeneracy(lambda a: [1] if a.hidden_layers > 1 and a.hidden_widths[0] >= 2 * a.inputs else [], _tangent,
                          architectures(4, 4, min_depth=2)),
}
"""Name -> degeneracy: zero row; two equal, parallel or opposite rows; a neuron that is never active; a layer of width 1; two
neurons of a later layer that are always active; d + 1 hyperplanes through a point; a neuron that touches zero at a vertex only."""


def degeneracies_of(architecture: Architecture) -> list[str]:
    """Return the names of the degeneracies that an architecture has room for.

    Raises:
        InputError: it has no hidden layer.

    >>> degeneracies_of(Architecture((2, 1, 1)))
    ['zero', 'dead', 'width_one']
    """
    if not architecture.hidden_layers:
        raise InputError(f"the architecture {architecture} has no hidden layer, so no degeneracy")
    return [name for name, found in DEGENERACIES.items() if found.layers(architecture)]


@st.composite
def degenerate_networks(draw: DrawFn, name: str, architecture: Architecture | None = None, height: int = 6) -> Network:
    """Return networks with one degeneracy, by its name in `DEGENERACIES`.

    Raises:
        InputError: the name is unknown, or the architecture has no room for it.
    """
    if name not in DEGENERACIES:
        raise InputError(f"no degeneracy is called {name!r}; there are {', '.join(DEGENERACIES)}")
    degeneracy = DEGENERACIES[name]
    shape = draw(degeneracy.smallest) if architecture is None else architecture
    places = degeneracy.layers(shape)
    if not places:
        raise InputError(f"the architecture {shape} has no room for the degeneracy {name!r}")
    layers = _Layers.drawn(draw, shape, height)
    degeneracy.make(draw, layers, draw(st.sampled_from(places)), height)
    return layers.network


# --- pairs --------------------------------------------------------------------------------------------------------------------

@dataclass(frozen=True)
class EquivalentPair:
    """Two parameters with the same function: ``second = symmetry.act(first)``."""

    first: Network
    second: Network
    symmetry: TrivialSymmetry


@dataclass(frozen=True)
class InequivalentPair:
    """Two networks of one architecture with different values at `point`."""

    first: Network
    second: Network
    point: tuple[Fraction, ...]


@st.composite
def trivial_symmetries(draw: DrawFn, architecture: Architecture, height: int = 4) -> TrivialSymmetry:
    """Return permutations and positive scalings; they shrink to the identity."""
    widths = architecture.hidden_widths
    permutations = tuple(tuple(draw(st.permutations(range(width)))) for width in widths)
    return TrivialSymmetry(permutations, tuple(tuple(draw(_positive(height)) for _ in range(width)) for width in widths))


@st.composite
def equivalent_pairs(draw: DrawFn, architecture: Architecture | SearchStrategy[Architecture] | None = None, height: int = 6,
                     kind: Kind = "any") -> EquivalentPair:
    """Return a network and its image under a trivial symmetry: what depends on the function only must agree on them."""
    first = draw(networks(architecture, height, kind))
    symmetry = draw(trivial_symmetries(first.architecture))
    return EquivalentPair(first, symmetry.act(first), symmetry)


@st.composite
def inequivalent_pairs(draw: DrawFn, architecture: Architecture | SearchStrategy[Architecture] | None = None, height: int = 6,
                       kind: Kind = "any") -> InequivalentPair:
    """Return two networks whose functions differ, with a point where they do.

    The second has another output bias, one other entry, or all entries drawn anew; where the drawn point does not tell them apart, an
    output bias is moved too.
    """
    first = draw(networks(architecture, height, kind))
    shape = first.architecture
    point = tuple(draw(st.lists(rationals(height), min_size=shape.inputs, max_size=shape.inputs)))
    how: Any = draw(st.sampled_from(["output bias", "one entry", "all entries"]))
    second = first
    if how == "one entry":
        layer = draw(st.integers(1, len(first.weights)))
        i, j = draw(st.integers(0, shape.widths[layer] - 1)), draw(st.integers(0, shape.widths[layer - 1] - 1))
        rows = [list(row) for row in first.weights[layer - 1]]
        rows[i][j] += draw(_nonzero(height))
        second = first.replaced(layer, weights=rows)
    elif how == "all entries":
        second = draw(networks(shape, height))
    if first(point) == second(point):
        last = list(second.biases[-1])
        last[draw(st.integers(0, shape.outputs - 1))] += draw(_nonzero(height))
        second = second.replaced(len(second.weights), biases=last)
    return InequivalentPair(first, second, point)
