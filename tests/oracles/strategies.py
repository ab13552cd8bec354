"""Hypothesis strategies for small, often degenerate networks and for the domains of the cases."""

from __future__ import annotations

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from exactrelu.network.network import Network
from exactrelu.polyhedra.domain import Domain
from tests.oracles.cases import DOMAINS

FULL = {name: domain for name, domain in DOMAINS.items() if not any(part in name for part in (
    "segment", "half-line", "tilted line", "in space", "point")) or "pointed" in name}


@st.composite
def small_networks(draw: DrawFn, inputs: int | None = None, most: int = 3, depth: int = 2, height: int = 2) -> Network:
    """Networks with integer entries of size at most `height`, 1 to `depth` hidden layers of 1 to `most` neurons."""
    d = draw(st.integers(1, 3)) if inputs is None else inputs
    hidden = draw(st.lists(st.integers(1, most), min_size=1, max_size=depth))
    widths = (d, *hidden, draw(st.integers(1, 2)))
    count = sum(n * (m + 1) for m, n in zip(widths, widths[1:]))
    entries = iter(draw(st.lists(st.integers(-height, height), min_size=count, max_size=count)))
    weights, biases = [], []
    for m, n in zip(widths, widths[1:]):
        weights.append([[next(entries) for _ in range(m)] for _ in range(n)])
        biases.append([next(entries) for _ in range(n)])
    return Network(weights, biases)  # type: ignore[arg-type]


def domains(dimension: int, full_dimensional: bool = True) -> SearchStrategy[Domain]:
    """The domains of the cases in this dimension, R^d first."""
    names = FULL if full_dimensional else DOMAINS
    found = [d for d in names.values() if d.dimension == dimension]
    return st.sampled_from(sorted(found, key=lambda d: len(d.inequalities)))


@st.composite
def networks_with_domains(draw: DrawFn, most: int = 3, depth: int = 2, height: int = 2,
                          full_dimensional: bool = True) -> tuple[Network, Domain]:
    network = draw(small_networks(most=most, depth=depth, height=height))
    return network, draw(domains(network.architecture.inputs, full_dimensional))
