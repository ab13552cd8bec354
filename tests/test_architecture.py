"""The house stands: floors, doors, the checker alone, no cycles, a docstring everywhere, files of readable size.

Imports are read with `ast`, those inside functions included.  An import under `if TYPE_CHECKING:` never runs: it has to
respect the floors but may go sideways, and does not count for cycles.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path
from typing import NamedTuple

import pytest

ROOT = Path(__file__).resolve().parents[1] / "exactrelu"

FLOORS = {
    "errors": 0, "limits": 0, "checker": 0,
    "arithmetic": 1,
    "certificates": 2,
    "polyhedra": 3, "network": 3,
    "complexes": 4, "examples": 4,
    # equivalence: its plan puts it on floor 8, above the fibers.  Identifiability and the constructions need exact equality, and the
    # proof by split trees needs complexes only, so the room stands beside genericity until it gains a file that needs fibers.
    "genericity": 5, "dependency": 5, "equivalence": 5,
    # recovery: its plan puts it on floor 7.  The verdict on a parameter needs the complete searches, so they stand beside the
    # functional dimension, and the verdict (certification) above both.
    "identifiability": 6, "recovery": 6,
    "certification": 7,
    # constructions: their plan puts them beside identifiability.  What they return carries the certified verdict, so they stand above
    # certification; extraction asks it whether an extracted parameter is the only one.
    # fibers: their plan puts them beside certification.  A complete list of parameters is the answer of certification, so they ask it.
    "constructions": 8, "extraction": 8, "fibers": 8,
    "logic": 9,
    "report": 10,
    "verbs": 11,  # every command as a function: the public interface over all rooms below
    "testing": 12,
    "cli": 13,
    "__main__": 14,
}
"""Room -> floor.  A room may import every lower floor, never its own floor, never a higher one."""

SIDEWAYS = {("limits", "errors")}
"""Pairs on one floor that may import each other's names all the same: two single files, errors below."""

CHECKER_CALLERS = ("certificates/certificate.py", "cli/", "logic/derivation/proof.py")
"""Who may import the checker: `Certificate.verify` and `Proof.check` hand it a document, and the command line runs it."""

COMPUTED = ("__init__.py", "testing/exactness.py")
"""Files that import by computed names: the package loads its names late, and the strict import hook loads what it is asked to."""

DOORS = {
    # exact_rows, facet_pairs and symmetry_bound: kernels that build their own matrices in bulk; going through
    # arithmetic/matrix.py would convert every entry twice.  conservation: polynomials in the parameters.
    "flint": ("arithmetic/", "complexes/subdivision/exact_rows.py", "identifiability/facet_pairs/", "identifiability/symmetry_bound/",
              "fibers/conservation/"),
    "cdd": ("polyhedra/cddlib.py",),
    "numpy": ("arithmetic/residues.py", "complexes/", "genericity/", "dependency/", "identifiability/", "recovery/", "certification/",
              "constructions/", "extraction/", "fibers/", "network/files/"),
    "networkx": ("dependency/", "logic/"),
    "sympy": ("fibers/", "report/"),
    "hypothesis": ("testing/",),
    "matplotlib": ("report/figure.py",),
    "plotly": ("report/",),
    "jinja2": ("report/",),
    "onnx": ("network/files/onnx_file.py",),
    "google": ("network/files/onnx_file.py",),  # google.protobuf, which onnx brings: its decoding error
    "safetensors": ("network/files/safetensors_file.py",),
    "vnnlib": ("polyhedra/",),
    "z3": ("fibers/",),
    "cvc5": ("fibers/",),
    "rich": ("cli/",),
}
"""Library -> the only places that may import it."""

LAZY = {"sympy", "networkx", "matplotlib", "plotly", "jinja2", "onnx", "safetensors", "vnnlib", "z3", "cvc5", "rich"}
"""Libraries that are slow to load, or optional: imported only inside functions, except as `LAZY_EXCEPT` says."""
LAZY_EXCEPT = {"networkx": ("dependency/", "logic/"), "sympy": ("fibers/",)}
"""Rooms that nothing loads before it needs them, so that an import at the top costs nobody else."""

MOST_LINES = 450
DERIVATIONS = "checker/derivation/"
"""Logic has its own documents and its own small checker beside the kernel, of which it uses nothing."""
KERNEL_LINES = 700
NAMELESS = {"util", "utils", "helper", "helpers", "common", "misc", "base", "core", "tools"}


class Import(NamedTuple):
    """One imported module of one file."""

    file: str
    line: int
    target: str
    typing_only: bool
    lazy: bool
    relative: bool

    def __str__(self) -> str:
        return f"{self.file}:{self.line} imports {self.target}"


@cache
def files() -> dict[str, ast.Module]:
    """Every source file of the package by its path inside the package."""
    return {p.relative_to(ROOT).as_posix(): ast.parse(p.read_text(encoding="utf-8")) for p in sorted(ROOT.rglob("*.py"))}


def module_name(file: str) -> str:
    parts = ["exactrelu", *file.removesuffix(".py").split("/")]
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def read_imports(file: str, tree: ast.Module, modules: frozenset[str]) -> Iterator[Import]:
    """Every import of a file; ``from package import module`` counts as that module."""
    def walk(node: ast.AST, typing_only: bool, lazy: bool) -> Iterator[Import]:
        targets: list[str] = []
        relative = False
        if isinstance(node, ast.Import):
            targets = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            relative = node.level > 0
            names = [f"{node.module}.{alias.name}" for alias in node.names]
            targets = [name if name in modules else node.module or "." for name in names]
        elif isinstance(node, ast.Call) and ast.unparse(node.func).rpartition(".")[2] in ("import_module", "__import__") and node.args:
            first = node.args[0]
            targets = [str(first.value) if isinstance(first, ast.Constant) else f"<{ast.unparse(first)}>"]
        for target in dict.fromkeys(targets):
            yield Import(file, node.lineno, target, typing_only, lazy, relative)  # type: ignore[attr-defined]
        if isinstance(node, ast.If) and ast.unparse(node.test).rpartition(".")[2] == "TYPE_CHECKING":
            for child in node.body:
                yield from walk(child, True, lazy)
            for child in node.orelse:
                yield from walk(child, typing_only, lazy)
            return
        inside = lazy or isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda)
        for child in ast.iter_child_nodes(node):
            yield from walk(child, typing_only, inside)
    yield from walk(tree, False, False)


@cache
def imports() -> tuple[Import, ...]:
    modules = frozenset(map(module_name, files()))
    return tuple(entry for file, tree in files().items() for entry in read_imports(file, tree, modules))


def room(file: str) -> str:
    return file.split("/")[0].removesuffix(".py")


def target_room(target: str) -> str | None:
    """Room of an imported module of the package, "" for the package itself, None for a library."""
    head, _, rest = target.partition(".")
    return rest.split(".")[0] if head == "exactrelu" else None


def refused(found: list[object]) -> None:
    assert not found, f"{len(found)} violations:\n" + "\n".join(map(str, found))


def test_every_room_has_a_floor() -> None:
    refused([file for file in files() if file != "__init__.py" and room(file) not in FLOORS])


def floor_violation(entry: Import) -> bool:
    here, there = room(entry.file), target_room(entry.target)
    if there is None or here == "__init__" or here == there or there == "checker":
        return False  # checker: a rule of its own below
    if there == "" and FLOORS.get(here, 0) >= FLOORS["verbs"]:
        return False  # the version, which stands in the package itself
    if there not in FLOORS or here not in FLOORS:
        return True
    if entry.typing_only:
        return FLOORS[there] > FLOORS[here]
    return FLOORS[there] >= FLOORS[here] and (here, there) not in SIDEWAYS


def test_imports_go_strictly_down() -> None:
    refused([entry for entry in imports() if floor_violation(entry)])


def test_no_relative_import() -> None:
    refused([entry for entry in imports() if entry.relative])


def test_the_package_itself_holds_no_logic() -> None:
    """`exactrelu/__init__.py` imports nothing of the house when it is imported; names load on first use."""
    refused([entry for entry in imports() if entry.file == "__init__.py" and not entry.lazy
             and entry.target not in ("__future__", "importlib", "typing")])


def test_imported_names_are_written_out() -> None:
    """A computed module name would hide an import from this file; a room may choose among its own files."""
    refused([entry for entry in imports() if entry.target.startswith("<") and entry.file not in COMPUTED
             and not entry.target.startswith(f"<f'exactrelu.{room(entry.file)}.{{")])


def import_cycle(edges: dict[str, set[str]]) -> list[str]:
    try:
        TopologicalSorter(edges).prepare()
    except CycleError as error:
        return list(error.args[1])
    return []


def test_no_import_cycle() -> None:
    edges: dict[str, set[str]] = {}
    for entry in imports():
        if target_room(entry.target) is not None and not entry.typing_only:
            edges.setdefault(module_name(entry.file), set()).add(entry.target)
    assert import_cycle(edges) == []


def test_the_checker_knows_the_standard_library_only() -> None:
    refused([entry for entry in imports() if room(entry.file) == "checker" and target_room(entry.target) != "checker"
             and entry.target.split(".")[0] not in sys.stdlib_module_names])


def test_the_checker_is_called_in_two_places() -> None:
    refused([entry for entry in imports() if target_room(entry.target) == "checker" and room(entry.file) != "checker"
             and not entry.file.startswith(CHECKER_CALLERS)])


def test_libraries_enter_by_their_doors() -> None:
    wrong: list[object] = []
    for entry in imports():
        library = entry.target.split(".")[0]
        if target_room(entry.target) is not None or library in sys.stdlib_module_names or library.startswith("<"):
            continue
        if not entry.file.startswith(DOORS.get(library, ("<none>",))):
            wrong.append(entry)
    refused(wrong)


def test_plain_cdd_is_used_for_its_enums_only() -> None:
    """`cdd` itself computes with floats: of the plain module only the enumerations may be named."""
    tree = files()["polyhedra/cddlib.py"]
    enums = {"RepType", "LPObjType", "LPStatusType", "LPSolverType", "RowOrderType", "gmp"}
    refused([f"polyhedra/cddlib.py:{node.lineno} cdd.{node.attr}" for node in ast.walk(tree)
             if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "cdd" and node.attr not in enums])


def test_slow_and_optional_libraries_load_late() -> None:
    refused([entry for entry in imports() if entry.target.split(".")[0] in LAZY and not (entry.lazy or entry.typing_only)
             and not entry.file.startswith(LAZY_EXCEPT.get(entry.target.split(".")[0], ("<none>",)))])


def undocumented(tree: ast.AST, prefix: str = "") -> Iterator[tuple[int, str]]:
    """Public classes and functions without docstring; what stands inside a function or a private class is not public."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.If | ast.Try):
            yield from undocumented(node, prefix)
        if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef) or node.name.startswith("_"):
            continue
        overload = any(ast.unparse(d).endswith(("overload", ".setter")) for d in node.decorator_list)
        if not overload and not ast.get_docstring(node):
            yield node.lineno, prefix + node.name
        if isinstance(node, ast.ClassDef):
            yield from undocumented(node, node.name + ".")


def test_everything_public_has_a_docstring() -> None:
    wrong: list[object] = [f"{file}:1 module" for file, tree in files().items() if not ast.get_docstring(tree)]
    wrong += [f"{file}:{line} {name}" for file, tree in files().items() for line, name in undocumented(tree)]
    refused(wrong)


def lines(file: str) -> int:
    return len((ROOT / file).read_text(encoding="utf-8").splitlines())


def test_files_are_short() -> None:
    refused([f"{file} has {lines(file)} lines" for file in files() if lines(file) > MOST_LINES])


def test_the_kernel_of_the_checker_is_small() -> None:
    outside = ("checker/claims/", DERIVATIONS)
    kernel = {file: lines(file) for file in files() if file.startswith("checker/") and not file.startswith(outside)}
    assert sum(kernel.values()) <= KERNEL_LINES, f"{sum(kernel.values())} lines: {kernel}"
    derivations = {file: lines(file) for file in files() if file.startswith(DERIVATIONS)}
    assert sum(derivations.values()) <= KERNEL_LINES, f"{sum(derivations.values())} lines: {derivations}"


def test_files_are_named_after_what_they_hold() -> None:
    refused([file for file in files() if NAMELESS & set(file.removesuffix(".py").split("/"))])


class TestTheRulesThemselves:
    """The reader sees every way to import, and each rule refuses what it should."""

    modules = frozenset({"exactrelu.polyhedra.cddlib", "exactrelu.network.forward"})

    def read(self, text: str, file: str = "network/network.py") -> list[Import]:
        return list(read_imports(file, ast.parse(text), self.modules))

    def test_reader(self) -> None:
        text = ("import numpy as np\nfrom exactrelu.polyhedra import cddlib\nif TYPE_CHECKING:\n    from exactrelu.cli.main import main\n"
                "def f():\n    from exactrelu.network.forward import value\n    importlib.import_module('onnx')\n    import_module(name)\n"
                "from . import x\n")
        found = [(e.line, e.target, e.typing_only, e.lazy, e.relative) for e in self.read(text)]
        assert found == [(1, "numpy", False, False, False), (2, "exactrelu.polyhedra.cddlib", False, False, False),
                         (4, "exactrelu.cli.main", True, False, False), (6, "exactrelu.network.forward", False, True, False),
                         (7, "onnx", False, True, False), (8, "<name>", False, True, False), (9, ".", False, False, True)]

    @pytest.mark.parametrize("file, text, wrong", [
        ("network/a.py", "from exactrelu.complexes.cell import Cell", True),
        ("network/a.py", "from exactrelu.polyhedra.domain import Domain", True),
        ("network/a.py", "from exactrelu.arithmetic.rational import rational", False),
        ("network/a.py", "if TYPE_CHECKING:\n    from exactrelu.polyhedra.domain import Domain", False),
        ("network/a.py", "if TYPE_CHECKING:\n    from exactrelu.complexes.cell import Cell", True),
        ("network/a.py", "def f():\n    from exactrelu.complexes.cell import Cell", True),
        ("network/a.py", "import exactrelu", True),
        ("limits.py", "from exactrelu.errors import InputError", False),
        ("errors.py", "from exactrelu.limits import Limits", True),
        ("cli/main.py", "from exactrelu.testing.strategies import networks", False),
        ("report/figure.py", "from exactrelu.testing.strategies import networks", True),
    ])
    def test_floors(self, file: str, text: str, wrong: bool) -> None:
        assert [floor_violation(entry) for entry in self.read(text, file)] == [wrong]

    def test_cycles(self) -> None:
        assert import_cycle({"a": {"b"}, "b": {"c"}}) == []
        assert set(import_cycle({"a": {"b"}, "b": {"c"}, "c": {"a"}})) == {"a", "b", "c"}

    def test_docstrings(self) -> None:
        text = ("class A:\n    'a'\n    def f(self): pass\n    def _g(self): pass\n"
                "def h():\n    'h'\n    def inner(): pass\nclass _B:\n    def f(self): pass\n")
        assert list(undocumented(ast.parse(text))) == [(3, "A.f")]
