"""The verbs of the command line as functions: values in, frozen results out.

Every result has a `verdict`, its certificate or witness, and `to_json()`.  Long calls take `limits`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from exactrelu.certificates.verdict import Verdict
from exactrelu.complexes.canonical_complex import CanonicalComplex
from exactrelu.complexes.complex_report import ComplexReport
from exactrelu.complexes.subdivision.subdivide import Progress
from exactrelu.equivalence.by_split_tree import equal_by_split_tree
from exactrelu.identifiability.certify import Certification
from exactrelu.identifiability.certify import certify as certification
from exactrelu.identifiability.functional_dimension import FunctionalDimension, functional_dimension
from exactrelu.limits import Limits
from exactrelu.network import trivial_symmetry
from exactrelu.network.canonical_form import CanonicalForm, NoCanonicalForm, canonical_form
from exactrelu.network.degenerate import Degenerate, degenerate_neurons
from exactrelu.network.files.load import load
from exactrelu.network.files.save import save
from exactrelu.network.network import Network
from exactrelu.polyhedra.domain import Domain


def _domain(network: Network, domain: Domain | None) -> Domain:
    return Domain.space(network.architecture.inputs) if domain is None else domain


@dataclass(frozen=True)
class Info:
    """What a network is at first sight."""

    network: Network
    degenerate: tuple[Degenerate, ...]
    verdict = "network"

    def to_json(self) -> dict[str, Any]:
        """Return the JSON fields of the interface."""
        a = self.network.architecture
        return {"architecture": list(a.widths), "parameters": a.parameters, "hidden_neurons": a.hidden_neurons,
                "expected_dimension": a.expected_dimension, "max_bits": self.network.max_bits,
                "degenerate": [d.to_json() for d in self.degenerate]}


def info(network: Network) -> Info:
    """Return architecture, counts and the neurons that are degenerate at first sight.

    >>> info(Network([[[1]], [[0]]], [[0], [1]])).to_json()["degenerate"]
    [{'layer': 1, 'index': 0, 'kind': 'zero-column'}]
    """
    return Info(network, tuple(degenerate_neurons(network)))


def convert(source: str | Path, target: str | Path) -> None:
    """Read a network file and write it in another format, exactly or not at all.

    Raises:
        ExactnessError: a number has no exact form in the target format.
    """
    save(load(str(source)), str(target))


def complex(network: Network, domain: Domain | None = None, *, limits: Limits | None = None, backend: str = "auto",
            progress: Progress | None = None) -> ComplexReport:
    """Return the canonical complex and everything that is counted about it.

    >>> complex(Network([[[1], [1]], [[1, 1]]], [[0, -1], [0]])).to_json()["f_vector"]
    [2, 3]
    """
    built = CanonicalComplex.build(network, _domain(network, domain), backend=backend, limits=limits, progress=progress)
    return ComplexReport(built)


def dimension(network: Network, domain: Domain | None = None, *, seed: int = 0, limits: Limits | None = None,
              progress: Callable[[str, int, int], None] | None = None) -> FunctionalDimension:
    """Return certified bounds of the functional dimension.

    >>> dimension(Network([[[1, 2]], [[1]]], [[1], [0]])).lower
    4
    """
    return functional_dimension(network, _domain(network, domain), seed=seed, limits=limits, progress=progress)


def certify(network: Network, domain: Domain | None = None, *, seed: int = 0, limits: Limits | None = None,
            progress: Callable[[str, int, int], None] | None = None) -> Certification:
    """Return how strongly the parameter is identifiable, with certificate or second parameter.

    >>> certify(Network([[[1, 2]], [[1]]], [[1], [0]])).verdict
    'locally-identifiable'
    """
    return certification(network, _domain(network, domain), seed=seed, limits=limits, progress=progress)


def canonical(network: Network) -> CanonicalForm | NoCanonicalForm:
    """Return the canonical representative modulo permutation and positive scaling, or why there is none."""
    return canonical_form(network)


def equivalent(a: Network, b: Network) -> Verdict:
    """Return whether the parameters agree up to permutation and positive scaling."""
    return trivial_symmetry.equivalent(a, b)


def equal(a: Network, b: Network, domain: Domain | None = None, *, limits: Limits | None = None) -> Verdict:
    """Return whether both networks are the same function on the domain.

    >>> equal(Network([[[1]], [[1]]], [[0], [0]]), Network([[[2]], [["1/2"]]], [[0], [0]])).word
    'holds'
    """
    return equal_by_split_tree(a, b, _domain(a, domain), limits)
