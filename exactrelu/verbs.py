"""The verbs of the command line as functions: values in, frozen results out.

Every result has a `verdict`, its certificate or witness, and `to_json()`.  Long calls take `limits` and `progress`.
`exactrelu.genericity` and `exactrelu.dependency` are the rooms of these names, which can be called.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

from exactrelu.certificates.certificate import Certificate
from exactrelu.certificates.result import Result
from exactrelu.certificates.verdict import Fails, Undecided
from exactrelu.certification.certify import Certification
from exactrelu.certification.certify import certify as certification
from exactrelu.certification.reconstruction import ReconstructionReport, reconstruction
from exactrelu.complexes.canonical_complex import CanonicalComplex
from exactrelu.complexes.complex_report import ComplexReport
from exactrelu.complexes.subdivision.subdivide import Progress
from exactrelu.constructions.construction import Construction
from exactrelu.constructions.kinds import Request
from exactrelu.constructions.kinds import construct as constructed
from exactrelu.dependency.report import DependencyReport, dependency_of_network
from exactrelu.equivalence.decide import Equality
from exactrelu.extraction.extract import Extraction
from exactrelu.extraction.extract import extract as extraction
from exactrelu.extraction.oracle import CallableOracle, Oracle
from exactrelu.extraction.process_oracle import ProcessOracle
from exactrelu.fibers.conservation.report import Conservation
from exactrelu.fibers.conservation.report import conservation as laws_near
from exactrelu.fibers.equality import function_equality
from exactrelu.fibers.fiber import Fiber
from exactrelu.fibers.fiber import fiber as fiber_of
from exactrelu.fibers.shallow.ground import Ground
from exactrelu.fibers.shallow.minimal_width import MinimalWidth
from exactrelu.fibers.shallow.minimal_width import minimal_width as least_width
from exactrelu.fibers.shallow.setting import Biases, Setting
from exactrelu.identifiability.functional_dimension import FunctionalDimension, functional_dimension
from exactrelu.limits import Limits
from exactrelu.network import trivial_symmetry
from exactrelu.network.architecture import Architecture
from exactrelu.network.canonical_form import CanonicalForm, NoCanonicalForm, canonical_form
from exactrelu.network.degenerate import Degenerate, degenerate_neurons
from exactrelu.network.files.load import load_with_box
from exactrelu.network.files.save import save
from exactrelu.network.network import Network
from exactrelu.network.trivial_symmetry import TrivialSymmetry
from exactrelu.polyhedra.domain import Domain


def _domain(network: Network, domain: Domain | None) -> Domain:
    return Domain.space(network.architecture.inputs) if domain is None else domain


@dataclass(frozen=True, repr=False)
class Info(Result):
    """What a network is at first sight."""

    network: Network
    degenerate: tuple[Degenerate, ...]
    verdict = "network"

    def fields(self) -> dict[str, Any]:
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


@dataclass(frozen=True, repr=False)
class Conversion(Result):
    """A network file was written, exactly."""

    target: str
    verdict = "exact"

    def fields(self) -> dict[str, Any]:
        """Return the JSON fields of the interface."""
        return {"exact": True, "written": self.target}


def convert(source: str | Path, target: str | Path, *, decimal: bool = False) -> Conversion:
    """Read a network file and write it in another format, exactly or not at all.

    Raises:
        ExactnessError: a number has no exact form in the target format; names layer, row, column and value.
    """
    found = load_with_box(str(source), decimal=decimal)
    save(found.network, str(target), input_box=found.input_box)
    return Conversion(str(target))


def complex(network: Network, domain: Domain | None = None, *, limits: Limits | None = None, backend: str = "auto",
            progress: Progress | None = None) -> ComplexReport:
    """Return the canonical complex and everything that is counted about it.

    Raises:
        BudgetExceeded: a limit was reached; carries what was done.

    >>> complex(Network([[[1], [1]], [[1, 1]]], [[0, -1], [0]])).to_json()["f_vector"]
    [2, 3]
    """
    built = CanonicalComplex.build(network, _domain(network, domain), backend=backend, limits=limits, progress=progress)
    return ComplexReport(built)


def dimension(network: Network, domain: Domain | None = None, *, seed: int = 0, limits: Limits | None = None,
              progress: Callable[[str, int, int], None] | None = None) -> FunctionalDimension:
    """Return bounds of the functional dimension, the lower one with a certificate.

    >>> dimension(Network([[[1, 2]], [[1]]], [[1], [0]])).lower
    4
    """
    return functional_dimension(network, _domain(network, domain), seed=seed, limits=limits, progress=progress)


def certify(network: Network, domain: Domain | None = None, *, seed: int = 0, limits: Limits | None = None,
            progress: Callable[[str, int, int], None] | None = None) -> Certification:
    """Return how strongly the parameter is identifiable, with certificate or second parameter.

    >>> certify(Network([[[1, 2]], [[1]]], [[1], [0]])).verdict
    'identifiable'
    """
    return certification(network, _domain(network, domain), seed=seed, limits=limits, progress=progress)


def dependency(network: Network, domain: Domain | None = None, *, limits: Limits | None = None,
               progress: Progress | None = None) -> DependencyReport:
    """Return classes, arcs, layer bounds and ambiguous ridges, read off the function alone.

    >>> dependency(Network([[[1, 0]], [[-1]], [[1]]], [[0], [1], [0]])).to_json()["acyclic"]
    True
    """
    return dependency_of_network(network, domain, limits=limits, progress=progress)


def reconstruct(network: Network, domain: Domain | None = None, *, architecture: Architecture | None = None,
                limits: Limits | None = None) -> ReconstructionReport:
    """Return every supertransversal parameter of an architecture with the function of a network, from the function alone.

    >>> reconstruct(Network([[[1, 0], [0, 1]], [[1, 2]]], [[0, 0], [0]])).verdict
    'reconstructed'
    """
    return reconstruction(network, _domain(network, domain), architecture, limits=limits)


def construct(kind: str, architecture: Architecture | None = None, *, seed: int = 0, exponent: int | None = None,
              draw_seed: int | None = None, size: int | None = None, limits: Limits | None = None) -> Construction:
    """Return an exact parameter, or several, with the certificates of what is claimed about them.

    Args:
        kind: `slab`, `depth-chain`, ... (`exactrelu.constructions.kinds.KINDS`).
        exponent: `slab` drawn with random bits, identifiable among all parameters except with probability 2^-exponent.
        draw_seed: the bits come from a seeded generator instead; heuristic only.
        size: `linear-block`: number of always active neurons.

    >>> construct("slab", Architecture((2, 2, 1))).network.architecture.widths
    (2, 2, 1)
    """
    return constructed(kind, Request(architecture, seed, exponent, draw_seed, size, limits))


def extract(oracle: Oracle | Callable[[list[Fraction]], Any] | str, architecture: Architecture, domain: Domain | None = None, *,
            seed: int = 0, timeout: int = 10, limits: Limits | None = None) -> Extraction:
    """Return the networks of an architecture that a black box can be, from exact queries, and what is proved about them.

    Args:
        oracle: a function of a list of d `Fraction`s that returns m exact rationals, or the command line of a program that reads
            one JSON list of rationals a line and answers each with one.
        domain: where it is asked, all of R^d by default.
        timeout: seconds that a program has for one answer.
    Raises:
        InputError: the oracle fails, answers something that is not m exact rationals, or contradicts itself.

    >>> extract(lambda x: [max(x[0] - 1, 0) + 2 * max(x[0], 0)], Architecture((1, 2, 1))).label
    'certified'
    """
    if isinstance(oracle, str):
        oracle = ProcessOracle(oracle, timeout)
    elif not isinstance(oracle, Oracle):
        oracle = CallableOracle(oracle)
    return extraction(oracle, architecture, domain, seed=seed, limits=limits)


def fiber(network: Network, domain: Domain | None = None, *, biases: str = "all", search: bool = False, seed: int = 0,
          limits: Limits | None = None) -> Fiber:
    """Return the parameters with the function of a network: all for one hidden layer, those near theta for more.

    Args:
        biases: one hidden layer: `all`, `hidden` (no output bias) or `none`.
        search: for two hidden layers and more, look for all parameters of the architecture first, as `certify` does.

    >>> fiber(Network([[[1], [1]], [[1, 2]]], [[0, 0], [0]])).to_json()["strata"][0]["dimension"]
    3
    """
    return fiber_of(network, domain, biases=Biases(biases), search=search, seed=seed, limits=limits)


def minimal_width(network: Network, domain: Domain | None = None, *, biases: str = "all", limits: Limits | None = None) -> MinimalWidth:
    """Return the fewest neurons of a network with the function of a network with one hidden layer, and a network of that width.

    >>> minimal_width(Network([[[1], [2], [-1]], [[1, 1, 0]]], [[0, 0, 0], [0]])).upper
    1
    """
    return least_width(Setting.of(network, Ground(_domain(network, domain)), Biases(biases)), limits)


def conservation(network: Network, domain: Domain | None = None, *, degree: int = 2, seed: int = 0,
                 limits: Limits | None = None) -> Conservation:
    """Return the polynomials that gradient flow conserves near a parameter, and how many laws there can be at most.

    >>> conservation(Network([[[1, 2]], [[1]]], [[1], [0]])).to_json()["laws"]
    ['W1_1_1^2 + W1_1_2^2 + b1_1^2 - W2_1_1^2']
    """
    return laws_near(network, _domain(network, domain), degree=degree, seed=seed, limits=limits)


@dataclass(frozen=True, repr=False)
class Canonical(Result):
    """The canonical representative modulo permutation and positive scaling, or why there is none."""

    form: CanonicalForm | NoCanonicalForm

    @property
    def verdict(self) -> str:  # type: ignore[override]  # read-only here
        """`canonical` or `undecided`."""
        return "canonical" if isinstance(self.form, CanonicalForm) else "undecided"

    def fields(self) -> dict[str, Any]:
        """Return the JSON fields of the interface."""
        if isinstance(self.form, CanonicalForm):
            return {"sha256": self.form.sha256}
        return {"sha256": None, "reason": self.form.reason, "kind": self.form.kind}


def canonical(network: Network, *, limits: Limits | None = None) -> Canonical:
    """Return the canonical representative and its hash, or why there is none (a zero row, or numbers over `max_bits`).

    >>> canonical(Network([[[0]], [[1]]], [[0], [0]])).to_json()["kind"]
    'degenerate'
    """
    bits = limits.max_bits if limits is not None else None
    return Canonical(canonical_form(network) if bits is None else canonical_form(network, max_bits=bits))


@dataclass(frozen=True, repr=False)
class Equivalence(Result):
    """Whether two parameters agree up to permutation and positive scaling.

    Attributes:
        verdict: `equivalent`, `inequivalent` or `undecided`.
        reason: why not, or why it is undecided.
        symmetry: maps a to b, for `equivalent`.
        certificate: of the verdict; None for `undecided` and for different architectures.
    """

    a: Network
    b: Network
    verdict: str
    reason: str = ""
    symmetry: TrivialSymmetry | None = None
    certificate: Certificate | None = None

    def fields(self) -> dict[str, Any]:
        """Return the JSON fields of the interface."""
        out: dict[str, Any] = {"sha256": [canonical(n).fields()["sha256"] for n in (self.a, self.b)]}
        if self.symmetry is not None:
            out["moves"] = _moves(self.symmetry)
        if self.reason:
            out["reason"] = self.reason
        return out


def _moves(symmetry: TrivialSymmetry) -> list[dict[str, Any]]:
    return [{"permutation": list(p), "scale": [str(x) for x in s]} for p, s in zip(symmetry.permutations, symmetry.scales)]


def equivalent(a: Network, b: Network) -> Equivalence:
    """Return whether the parameters agree up to permutation and positive scaling; the certificate has been checked.

    >>> equivalent(Network([[[1]], [[2]]], [[0], [0]]), Network([[[2]], [[1]]], [[0], [0]])).verdict
    'equivalent'
    """
    verdict = trivial_symmetry.equivalent(a, b)
    if isinstance(verdict, Undecided):
        return Equivalence(a, b, "undecided", verdict.reason)
    claim = {"a": a.claim(), "b": b.claim()}
    if isinstance(verdict, Fails):
        if a.architecture != b.architecture:
            return Equivalence(a, b, "inequivalent", verdict.witness)
        certificate = Certificate({"kind": "inequivalent", **claim}, {})
        certificate.verify()
        return Equivalence(a, b, "inequivalent", verdict.witness, None, certificate)
    symmetry = verdict.detail["symmetry"]
    certificate = Certificate({"kind": "equivalent", **claim}, {"moves": _moves(symmetry)})
    certificate.verify()
    return Equivalence(a, b, "equivalent", "", symmetry, certificate)


def equal(a: Network, b: Network, domain: Domain | None = None, *, seed: int = 0, limits: Limits | None = None) -> Equality:
    """Return whether both networks are the same function on the domain; the certificate has been checked.

    Args:
        seed: chooses the points at which a difference is looked for; the verdict does not depend on it.
    Raises:
        ShapeError: different inputs or outputs.  DomainError: the domain is empty.

    >>> equal(Network([[[1]], [[1]]], [[0], [0]]), Network([[[2]], [["1/2"]]], [[0], [0]])).to_json()["method"]
    'trivial symmetry'
    """
    return function_equality(a, b, _domain(a, domain), seed=seed, limits=limits).checked()
