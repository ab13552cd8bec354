"""No float decides anything: a scan of the sources, a strict run, a walk over results, and canaries.

See `exactrelu.testing.exactness` for the nets; this file lowers them into the package.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from enum import Enum
from fractions import Fraction
from pathlib import Path
from types import SimpleNamespace
from typing import Any, NamedTuple

import flint
import numpy as np
import pytest
from hypothesis import given, settings

from exactrelu.arithmetic.rational import rational
from exactrelu.certificates.verdict import Undecided
from exactrelu.complexes.breakpoint_complex import BreakpointComplex
from exactrelu.complexes.canonical_complex import CanonicalComplex
from exactrelu.complexes.split_tree import split_tree
from exactrelu.equivalence.by_split_tree import equal_by_split_tree
from exactrelu.genericity.generic import genericity
from exactrelu.network.canonical_form import CanonicalForm, canonical_form
from exactrelu.network.network import Network
from exactrelu.network.trivial_symmetry import TrivialSymmetry, equivalent
from exactrelu.polyhedra.domain import Domain
from exactrelu.testing.exactness import (
    CARRIED,
    CARRIERS,
    CLOCKS,
    EXEMPT,
    InexactOperation,
    assert_exact,
    clock_uses,
    float_uses,
    listed,
    run_strictly,
    strict_imports,
)
from exactrelu.testing.strategies import networks

ROOT = Path(__file__).resolve().parents[1] / "exactrelu"
TINY = Fraction(1, 2**80)
CROSS = Network([[[1, 0], [0, 1], [1, 1]], [[1, -2, 3]]], [[0, 0, 0], [1]])
"""Three lines through the origin."""
DEEP = Network([[[1, 2], ["1/3", -1], [-2, 1]], [[1, -1, "2/3"], [1, 1, 1]], [[1, -1]]], [[1, "-1/2", 1], ["-1/2", "-1/3"], [0]])
SQUARE = Domain.box(2, [(-2, 2)])


# --- net 1: the sources ---------------------------------------------------------------------------------------------------------

def sources() -> Iterator[tuple[str, str]]:
    for path in sorted(ROOT.rglob("*.py")):
        yield path.relative_to(ROOT).as_posix(), path.read_text(encoding="utf-8")


def test_no_float_in_exact_sources() -> None:
    found = [f"{file}:{line} {what}" for file, text in sources() if not listed(file, EXEMPT) for line, what in float_uses(text)
             if not (listed(file, CARRIERS) and what in CARRIED) and not (listed(file, CLOCKS) and what == "call float()")]
    assert not found, "\n".join(found)


def test_no_clock_in_results() -> None:
    found = [f"{file}:{line} {what}" for file, text in sources() if not listed(file, CLOCKS) for line, what in clock_uses(text)]
    assert not found, "\n".join(found)


@pytest.mark.parametrize("text", ["x = 0.5", "x = 1e9", "x = 2j", "float(x)", "round(x)", "complex(x)", "y = x ** -2", "y = x ** -n",
                                  "math.sqrt(x)",
                                  "from math import log", "from random import random", "random.uniform(0, 1)", "import statistics",
                                  "from decimal import Decimal", "import cmath", "np.zeros(3, dtype=float)",
                                  "np.float64(3)", "np.linalg.det(m)"])
def test_the_scan_sees(text: str) -> None:
    assert float_uses(text)


@pytest.mark.parametrize("text", ["x = 5", "from math import gcd, lcm", "math.isqrt(3)", "from random import Random", "random.Random(3)",
                                  "y = x ** 2", "x = a / b", "np.zeros(3, np.int64)", "isinstance(x, float)", "'0.5'"])
def test_the_scan_lets_pass(text: str) -> None:
    assert not float_uses(text)


# --- net 2: every /, ** and == while the package runs ---------------------------------------------------------------------------

STRICT_ROOMS = ("arithmetic", "certificates", "checker", "complexes", "equivalence", "genericity", "network", "polyhedra")


def test_exact_rooms_run_without_a_float() -> None:
    """The whole way from a network to certified verdicts, with every division, power and comparison checked."""
    with strict_imports() as strict:
        module = strict.module
        network_type, domain_type = module("exactrelu.network.network").Network, module("exactrelu.polyhedra.domain").Domain
        build = module("exactrelu.complexes.canonical_complex").CanonicalComplex.build
        pairs = [(network_type(f.weights, f.biases), domain_type(2, d.inequalities))
                 for f in (CROSS, DEEP) for d in (SQUARE, Domain.space(2), Domain.box(2, [(0, 1), ("-1/3", 2)]))]
        for f, domain in pairs:
            complex_ = build(f, domain)
            breakpoints = module("exactrelu.complexes.breakpoint_complex").BreakpointComplex(complex_)
            report = module("exactrelu.genericity.generic").genericity(complex_)
            values = [complex_.f_vector, breakpoints.visible.sum(), report.to_json(), f(["1/3", 2]), complex_.exact_map(0),
                      [complex_.full_cell(k).inequalities for k in range(complex_.full_cells)],
                      [complex_.full_cell(k).polyhedron for k in range(complex_.full_cells)]]
            assert all(value is not None for value in values)
            for verdict in report.verdicts.values():
                if getattr(verdict, "certificate", None) is not None:
                    verdict.certificate.verify()
            canonical = module("exactrelu.network.canonical_form").canonical_form(f)
            symmetry = module("exactrelu.network.trivial_symmetry")
            image = symmetry.TrivialSymmetry([[2, 0, 1]] + [list(range(n)) for n in f.architecture.hidden_widths[1:]],
                                             [["1/3", 2, 5]] + [["7/2"] * n for n in f.architecture.hidden_widths[1:]]).act(f)
            assert symmetry.equivalent(f, image).word == "holds" and canonical.sha256
            equal = module("exactrelu.equivalence.by_split_tree").equal_by_split_tree
            same, other = equal(f, image, domain), equal(f, f.replaced(1, biases=["1/7", 0, 1]), domain)
            assert (same.word, other.word) == ("holds", "fails")
            same.certificate.verify()
            other.certificate.verify()
        margin = module("exactrelu.polyhedra.cddlib").margin
        assert str(margin([(1, -2), (0, 3)], 1).value) == "3/5"
        rooms = {place.split("/")[0] for place in strict.seen}
    assert rooms >= set(STRICT_ROOMS)


def test_files_run_without_a_float() -> None:
    """The text formats, where decimals come in by nature."""
    with strict_imports() as strict:
        network = strict.module("exactrelu.network.network").Network([[["1/2", -3]], [[2]]], [["1/8"], ["-5/4"]])
        native = strict.module("exactrelu.network.files.native")
        nnet = strict.module("exactrelu.network.files.nnet")
        limits = strict.module("exactrelu.network.files.file_limits").FileLimits()
        assert native.read_native(native.write_native(network), limits) == network
        back = nnet.read_nnet(nnet.write_nnet(network), limits)
        assert (back[0] if isinstance(back, tuple) else back) == network


def test_strict_imports_restore_what_was_loaded() -> None:
    with strict_imports() as strict:
        inside = strict.module("exactrelu.network.network").Network
        assert inside is not Network
        assert {"_exact_checked", "_exact_equal"} <= set(vars(strict.module("exactrelu.arithmetic.matrix")))
        assert "_exact_checked" not in vars(strict.module("exactrelu.arithmetic.residues"))
    import exactrelu.network.network as outside

    assert outside.Network is Network


@pytest.mark.parametrize("text", [
    "x = 1 / 2", "x = 2 ** -1", "x = 3\nx /= 2", "x = [3]\nx[0] /= 2",
    "from fractions import Fraction\nx = Fraction(1, 2) ** Fraction(1, 2)",
    "y = 1 == 1.0", "y = 0.5 != 1", "from fractions import Fraction\nimport flint\ny = flint.fmpq(1, 2) == Fraction(1, 2)",
    "from fractions import Fraction\nimport flint\ny = (1, (Fraction(1, 2),)) == (1, (flint.fmpq(1, 2),))",
    "import numpy as np\ny = np.ones(2) == 1", "import numpy as np\ny = np.arange(3) / 2"])
def test_the_strict_run_refuses(text: str) -> None:
    with pytest.raises(InexactOperation):
        run_strictly(text)


@pytest.mark.parametrize("text", [
    "from fractions import Fraction\nassert Fraction(1) / 3 == Fraction(1, 3)", "assert 2 ** 3 == 8 and 7 // 2 != 4",
    "import flint\nassert flint.fmpq(1) / 3 == flint.fmpq(1, 3)", "x = 3\nx **= 2\nassert x == 9", "assert (1, 'a') == (1, 'a')",
    "import numpy as np\nassert (np.arange(3) == 1).any()"])
def test_the_strict_run_lets_pass(text: str) -> None:
    run_strictly(text)


# --- net 3: results -------------------------------------------------------------------------------------------------------------

def public_results(network: Network, domain: Domain) -> Iterator[tuple[str, Any]]:
    complex_ = CanonicalComplex.build(network, domain)
    yield "f_vector", (complex_.f_vector, complex_.closed_f_vector, complex_.full_cells, complex_.lineality_dimension, complex_.dimension)
    for k in range(complex_.full_cells):
        cell = complex_.full_cell(k)
        yield f"cell {k}", (cell.signs, cell.point, cell.generators, cell.inequalities, cell.equations, cell.lineality, cell.polyhedron)
        yield f"map of cell {k}", complex_.exact_map(k)
    report = genericity(complex_)
    yield "genericity", report
    yield "genericity as JSON", report.to_json()
    yield "value", network([Fraction(1, 3)] * network.architecture.inputs)
    yield "canonical form", canonical_form(network)
    moved = network.replaced(1, biases=[x + 1 for x in network.biases[0]])
    for name, other in (("same", network), ("other", moved)):
        verdict = equal_by_split_tree(network, other, domain)
        yield f"{name}: verdict", verdict
        yield f"{name}: claim", verdict.certificate.claim if not isinstance(verdict, Undecided) else None
    yield "network", (network, network.to_json(), network.max_bits)
    yield "domain", (domain, domain.to_json(), domain.integer_rows, domain.bounding_intervals)
    yield "tree", split_tree([network], domain)


@pytest.mark.parametrize("network", [CROSS, DEEP], ids=["cross", "deep"])
@pytest.mark.parametrize("domain", [SQUARE, Domain.space(2)], ids=["square", "plane"])
def test_results_hold_exact_values_only(network: Network, domain: Domain) -> None:
    for name, result in public_results(network, domain):
        assert_exact(result, name)


@settings(max_examples=15)
@given(networks())
def test_results_of_any_network_are_exact(network: Network) -> None:
    for name, result in public_results(network, Domain.box(network.architecture.inputs, [(-3, 3)])):
        assert_exact(result, name)


def test_certificates_hold_no_json_number_but_integers() -> None:
    def refuse(text: str) -> None:
        raise AssertionError(f"the document holds the number {text}")

    complex_ = CanonicalComplex.build(CROSS, SQUARE)
    verdicts = genericity(complex_).verdicts.values()
    found = [verdict.certificate for verdict in verdicts if getattr(verdict, "certificate", None) is not None]
    found += [equal_by_split_tree(CROSS, CROSS, SQUARE).certificate, equal_by_split_tree(CROSS, DEEP, SQUARE).certificate]  # type: ignore[union-attr]
    assert len(found) > 2
    for certificate in found:
        json.loads(certificate.text, parse_float=refuse, parse_constant=refuse)


class Color(Enum):
    RED = 0.5


class Pair(NamedTuple):
    one: Any
    two: Any


@dataclass(frozen=True)
class Box:
    inside: Any


@pytest.mark.parametrize("value, place", [
    (0.5, "result is 0.5"), (float("nan"), "nan"), (1j, "1j"),
    ((1, [2, {"k": 0.5}]), r"result\[1\]\[1\]\['k'\]"), ({0.5: 1}, "key of result"),
    ({0.5}, "element of result"), (Box((0.5,)), r"result\.inside\[0\]"), (Pair(1, 0.5), r"result\.two"), (Color.RED, r"result\.value"),
    (SimpleNamespace(a=0.5), r"result\.a"), (np.ones(2), "numpy array of float64"), (np.array([1, 0.5], dtype=object), r"flat\[1\]"),
    (np.int64(1), "numpy scalar"), (np.float64(1), "float64"), (flint.fmpq(1, 2), "fmpq"), (np.array(0.5), "numpy array of float64")])
def test_the_walker_refuses(value: Any, place: str) -> None:
    with pytest.raises(AssertionError, match=place):
        assert_exact(value)


def test_the_walker_lets_pass() -> None:
    loop: list[Any] = [1]
    loop.append(loop)
    assert_exact([None, True, 3, "0.5", b"", Fraction(1, 2), Box(Pair(1, frozenset({2}))), np.arange(3),
                  np.array([Fraction(1, 2)], dtype=object), np.ones(2, bool), loop, lambda: 0.5, int, range(3)])


@pytest.mark.parametrize("value", [0.5, float("nan"), float("inf"), 1j, True, np.float32(1), np.float64(1), np.bool_(True),
                                   Decimal("0.5"), "0.5", "1e3"])
def test_floats_are_refused_at_the_entrance(value: Any) -> None:
    from exactrelu.errors import ExactnessError

    with pytest.raises(ExactnessError):
        rational(value)
    with pytest.raises(ExactnessError):
        Network([[[value]]], [[0]])
    with pytest.raises(ExactnessError):
        Domain(1, ((value, 1),))


# --- net 4: canaries ------------------------------------------------------------------------------------------------------------
# 2^-80 is lost in binary64 beside 1 and far below every tolerance; 1/3 is not a binary64 number at all.

def moved(network: Network, layer: int, neuron: int) -> Network:
    bias = list(network.biases[layer - 1])
    bias[neuron] += TINY
    return network.replaced(layer, biases=bias)


def sha(network: Network) -> str:
    form = canonical_form(network)
    assert isinstance(form, CanonicalForm)
    return form.sha256


@pytest.mark.parametrize("layer, neuron", [(1, 0), (1, 2), (2, 0), (2, 1), (3, 0)])
def test_a_bias_moved_by_2_to_the_minus_80_makes_another_parameter(layer: int, neuron: int) -> None:
    other = moved(DEEP, layer, neuron)
    assert other != DEEP and sha(other) != sha(DEEP)
    assert equivalent(DEEP, other).word == "fails"


@pytest.mark.parametrize("layer, neuron", [(1, 0), (1, 1), (3, 0)])
def test_a_bias_moved_by_2_to_the_minus_80_makes_another_function(layer: int, neuron: int) -> None:
    other = moved(DEEP, layer, neuron)
    verdict = equal_by_split_tree(DEEP, other, SQUARE)
    assert verdict.word == "fails"
    point = verdict.witness.point  # type: ignore[union-attr]
    assert SQUARE.contains(point) and DEEP(point) != other(point)
    verdict.certificate.verify()  # type: ignore[union-attr]


def test_three_lines_through_a_point_are_told_from_a_triangle_of_size_2_to_the_minus_80() -> None:
    """Concurrent: one vertex, six rays, six sectors.  Moved: three vertices, nine edges, seven cells."""
    other = moved(CROSS, 1, 2)
    for backend in ("auto", "certified", "integer", "reference"):
        before, after = (CanonicalComplex.build(f, backend=backend) for f in (CROSS, other))
        assert (before.f_vector, after.f_vector) == ((1, 6, 6), (3, 9, 7))
    assert genericity(CanonicalComplex.build(CROSS)).verdicts["supertransversality"].word == "fails"
    assert genericity(CanonicalComplex.build(other)).verdicts["supertransversality"].word == "holds"


def test_two_breakpoints_at_distance_2_to_the_minus_80_are_two() -> None:
    line = Network([[[1], [1]], [[1, 1]]], [[0, 0], [0]])
    assert CanonicalComplex.build(line).f_vector == (1, 2)
    assert CanonicalComplex.build(moved(line, 1, 1)).f_vector == (2, 3)


def test_a_point_at_distance_2_to_the_minus_80_is_outside() -> None:
    assert SQUARE.contains([2, 0]) and not SQUARE.contains([2 + TINY, 0]) and not SQUARE.contains_strictly([2, 0])
    f = Network([[[1, 0]], [[1]]], [[-1], [0]])
    assert f([1, 0]) == (0,) and f([1 + TINY, 0]) == (TINY,)


def thirds(network: Network) -> Network:
    widths = network.architecture.hidden_widths
    return TrivialSymmetry([list(range(n)) for n in widths], [[Fraction(1, 3)] * n for n in widths]).act(network)


def summary(network: Network, domain: Domain) -> tuple[object, ...]:
    complex_ = CanonicalComplex.build(network, domain)
    report = genericity(complex_)
    words = {name: verdict.word for name, verdict in {**report.verdicts, **report.further}.items()}
    return complex_.f_vector, complex_.closed_f_vector, int(complex_.bounded.sum()), int(BreakpointComplex(complex_).visible.sum()), words


@pytest.mark.parametrize("network", [CROSS, DEEP, moved(CROSS, 1, 2), moved(DEEP, 2, 0)], ids=["cross", "deep", "cross'", "deep'"])
@pytest.mark.parametrize("domain", [SQUARE, Domain.space(2)], ids=["square", "plane"])
def test_rescaling_neurons_by_a_third_changes_nothing(network: Network, domain: Domain) -> None:
    other = thirds(network)
    assert other != network and sha(other) == sha(network)
    assert summary(other, domain) == summary(network, domain)
    assert equal_by_split_tree(network, other, domain).word == "holds"


@settings(max_examples=15)
@given(networks())
def test_rescaling_any_network_by_a_third_changes_nothing(network: Network) -> None:
    domain = Domain.space(network.architecture.inputs)
    assert summary(thirds(network), domain) == summary(network, domain)
