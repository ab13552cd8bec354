"""Cases and comparisons shared by the tests of complete fibers."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any

from exactrelu.complexes.canonical_complex import CanonicalComplex
from exactrelu.complexes.function_complex import FunctionComplex, function_complex
from exactrelu.equivalence.by_split_tree import DifferentValues, joint_tree
from exactrelu.errors import BudgetExceeded
from exactrelu.network.architecture import Architecture
from exactrelu.network.canonical_form import CanonicalForm, canonical_form
from exactrelu.network.network import Network
from exactrelu.polyhedra.domain import Domain
from exactrelu.recovery.complete_fiber import CompleteFiber, FiberSearch
from exactrelu.recovery.fiber_certificate import fiber_certificate
from exactrelu.recovery.tight_fiber import tight_fiber
from exactrelu.recovery.two_layer_fiber import two_layer_fiber
from exactrelu.recovery.wide_front_fiber import wide_front_fiber

Search = Callable[..., FiberSearch]
SEARCHES: dict[str, Search] = {"tight_fibre": tight_fiber, "l2_fibre": two_layer_fiber, "wide_fibre": wide_front_fiber}


def network_of(layers: list[dict[str, Any]]) -> Network:
    return Network([layer["W"] for layer in layers], [layer["b"] for layer in layers])


@cache
def deep_cases() -> tuple[dict[str, Any], ...]:
    path = Path(__file__).resolve().parents[1] / "data" / "deep_cases.json"
    return tuple(json.loads(path.read_text(encoding="utf-8"))["cases"])


def case_domain(case: dict[str, Any]) -> Domain:
    return Domain.box(case["architecture"][0], list(zip(case["domain"]["lo"], case["domain"]["hi"])))


def box(inputs: int) -> Domain:
    return Domain.box(inputs, [(-12, 13)])


def corner(inputs: int) -> Domain:
    """An unbounded domain with one vertex."""
    return Domain(inputs, tuple((Fraction(3), *(Fraction(i == j) for j in range(inputs))) for i in range(inputs)))


def seen(network: Network, domain: Domain) -> FunctionComplex:
    return function_complex(CanonicalComplex.build(network, domain))


def same_function(network: Network, domain: Domain) -> Callable[[Network], bool]:
    """An exact test that knows nothing of parameters."""
    return lambda eta: not isinstance(joint_tree(network, eta, domain), DifferentValues)


def run(search: Search, network: Network, domain: Domain, architecture: Architecture | None = None) -> FiberSearch:
    return search(seen(network, domain), architecture or network.architecture, same_function(network, domain))


def name(network: Network) -> str:
    form = canonical_form(network)
    assert isinstance(form, CanonicalForm)
    return form.sha256


def names(found: FiberSearch) -> list[str]:
    assert isinstance(found, CompleteFiber)
    return sorted(map(name, found.members))


def code(found: FiberSearch) -> str:
    return "complete" if isinstance(found, CompleteFiber) else str(found.detail["code"])


def check(search: Search, network: Network, domain: Domain, certified: bool = True) -> FiberSearch:
    """Search, and if the search ends: theta and only parameters with its function are in the fiber, and the checker agrees."""
    found = run(search, network, domain)
    if isinstance(found, CompleteFiber):
        form = canonical_form(network)
        assert isinstance(form, CanonicalForm) and form.sha256 in names(found)
        assert len(set(names(found))) == len(found.members)
        for member in found.members:
            assert not isinstance(joint_tree(network, member, domain), DifferentValues)
            assert isinstance(canonical_form(member), CanonicalForm) and canonical_form(member).network == member  # type: ignore[union-attr]
        certificate = fiber_certificate(network, domain, found) if certified else None
        if certificate is not None:
            try:
                certificate.verify()
            except BudgetExceeded:                              # the verifier, too, has a limit
                LONG.append(json.dumps(network.claim()))
    return found


def check_known(search: Search, case: dict[str, Any]) -> None:
    """The listed fiber is found, from theta and from every member."""
    domain = case_domain(case)
    found = check(search, network_of(case["layers"]), domain)
    assert names(found) == sorted(name(network_of(member)) for member in case["fiber"])
    for member in case["fiber"]:
        assert names(run(search, network_of(member), domain)) == names(found)


LONG: list[str] = []
"""Documents that were too long to verify."""


def finer(network: Network, rng: random.Random) -> Network:
    """The same function with an invisible neuron more in the first layer."""
    extra = [rng.randint(-3, 3) for _ in range(network.architecture.inputs)]
    return Network([[*network.weights[0], extra], [[*row, 0] for row in network.weights[1]], *network.weights[2:]],
                   [[*network.biases[0], rng.randint(-3, 3)], *network.biases[1:]])


def moved(network: Network, domain: Domain, rng: random.Random) -> tuple[Callable[[Network], Network], Domain]:
    """An affine change x = A y + c of coordinates: what it makes of networks, and the domain in the new coordinates."""
    d = network.architecture.inputs
    a = [[int(i == j) * rng.choice((1, -2, 3)) for j in range(d)] for i in range(d)]
    for _ in range(3):
        i, j = rng.sample(range(d), 2)
        a[i] = [x + rng.choice((-1, 1)) * y for x, y in zip(a[i], a[j])]
    c = [rng.randint(-2, 2) for _ in range(d)]

    def turned(row: Any) -> list[Any]:
        return [sum(w * a[k][j] for k, w in enumerate(row)) for j in range(d)]

    def shift(row: Any) -> Any:
        return sum(w * x for w, x in zip(row, c))

    def change(theta: Network) -> Network:
        return theta.replaced(1, weights=[turned(row) for row in theta.weights[0]],
                              biases=[b + shift(row) for row, b in zip(theta.weights[0], theta.biases[0])])

    return change, Domain(d, tuple((row[0] + shift(row[1:]), *turned(row[1:])) for row in domain.inequalities))
