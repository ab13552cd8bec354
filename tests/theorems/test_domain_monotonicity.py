"""The sign vectors inside a domain are those of the larger domain whose cells meet its interior."""

from __future__ import annotations

from typing import Any

from hypothesis import given, settings

from exactrelu.arithmetic.rational import primitive_integer
from exactrelu.complexes.canonical_complex import CanonicalComplex
from exactrelu.network.network import Network
from exactrelu.polyhedra.cddlib import margin
from exactrelu.polyhedra.domain import Domain
from tests.oracles.sign_enumeration import Equations
from tests.oracles.strategies import networks_with_domains


def cells(network: Network, domain: Domain) -> dict[tuple[int, ...], Any]:
    found = CanonicalComplex.build(network, domain)
    return {cell.signs: cell for k, count in enumerate(found.f_vector) if count
            for cell in (found.cell(k, int(i)) for i in found.interior(found.level(k)))}


def meets(cell: Any, domain: Domain) -> bool:
    """Whether a point of the open cell satisfies every inequality of the domain strictly."""
    equations = Equations(domain.dimension)
    for row in cell.equations:
        equations = equations.with_zero(equations.reduced(tuple(row)))
    rows = [equations.reduced(tuple(row)) for row in (*cell.inequalities, *domain.inequalities)]
    short = [primitive_integer([row[0], *(row[k] for k in equations.free)]) for row in rows]
    if not equations.free:
        return all(row[0] > 0 for row in short)
    return margin(short, len(equations.free)).value > 0


@settings(derandomize=True, max_examples=40)
@given(networks_with_domains())
def test_domain_monotonicity(pair: tuple[Network, Domain]) -> None:
    network, domain = pair
    everywhere = cells(network, Domain.space(domain.dimension))
    inside = set(cells(network, domain))
    assert inside == {signs for signs, cell in everywhere.items() if meets(cell, domain)}
    larger = Domain(domain.dimension, domain.inequalities[1:])
    assert inside <= set(cells(network, larger)) <= set(everywhere)
