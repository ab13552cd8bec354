"""For interior cells: sigma lies in the closure of tau iff every sign of sigma is 0 or equals that of tau."""

from __future__ import annotations

from typing import Any

from hypothesis import given, settings

from exactrelu.complexes.canonical_complex import CanonicalComplex
from exactrelu.network.network import Network
from exactrelu.polyhedra.domain import Domain
from tests.oracles.strategies import networks_with_domains


def interior_cells(found: CanonicalComplex) -> list[Any]:
    return [found.cell(k, int(i)) for k, count in enumerate(found.f_vector) if count for i in found.interior(found.level(k))]


def in_closure(point: Any, cell: Any) -> bool:
    values = [row[0] + sum(a * x for a, x in zip(row[1:], point)) for row in cell.inequalities]
    equal = [row[0] + sum(a * x for a, x in zip(row[1:], point)) for row in cell.equations]
    return all(v >= 0 for v in values) and not any(equal)


@settings(derandomize=True, max_examples=30)
@given(networks_with_domains(full_dimensional=False))
def test_sign_order_is_the_face_relation(pair: tuple[Network, Domain]) -> None:
    cells = interior_cells(CanonicalComplex.build(*pair))
    for sigma in cells:
        for tau in cells:
            below = all(s in (0, t) for s, t in zip(sigma.signs, tau.signs))
            assert in_closure(sigma.point, tau) == below
