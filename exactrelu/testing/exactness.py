"""Nets that catch floats: a static scan, a strict import hook, and a walker over results.

A rational computation goes wrong silently in two ways: an integer is divided by an integer (`1 / 3` is a float), or values of
different exact types are compared (``fmpq(1, 2) == Fraction(1, 2)`` is False).  The scan reads sources, the hook sees every
temporary value at run time, the walker looks at what is handed out.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import fields, is_dataclass
from enum import Enum
from fractions import Fraction
from importlib import import_module
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader
from pathlib import PurePath
from types import CodeType, FunctionType, MethodType, ModuleType
from typing import Any, NamedTuple

EXEMPT = {
    "network/float_gate.py": "the one door by which floats come in",
    "report/figure.py": "floats may leave in figures",
    "report/layer_figure.py": "floats may leave in figures",
    "complexes/subdivision/": "floats propose signs that an error bound proves; numpy integers carry the poset",
    "arithmetic/residues.py": "residues and products below 2^53, carried by float64 because its matrix product is fast",
    "identifiability/facet_pairs/": "floats propose points and pairs, integers modulo a prime decide",
    "identifiability/symmetry_bound/": "outward-rounded interval bounds and a heuristic search; the bound found is proved exactly",
    "testing/exactness.py": "names the types it looks for",
}
"""Files and folders of the package that may compute with floats, and why."""

CARRIERS = {
    "complexes/cpwl_function.py": "residues in float64 arrays, see arithmetic/residues.py",
    "complexes/facet_weights.py": "residues in float64 arrays, see arithmetic/residues.py",
    "complexes/coarse_strata.py": "residues in float64 arrays, see arithmetic/residues.py",
    "identifiability/jacobian.py": "residues in float64 arrays, see arithmetic/residues.py",
    "identifiability/complex_dimension.py": "residues in float64 arrays, see arithmetic/residues.py",
}
"""Files that pass arrays of residues on: the literal 0.0, the dtype and comparisons of float arrays are allowed there, nothing else."""

CARRIED = {"literal 0.0", "dtype float"}
"""What `float_uses` may find in a carrier."""

CLOCKS = {
    "limits.py": "seconds are measured, and never part of a result",
    "cli/": "seconds are shown to a person",
}
"""Files that may look at a clock."""

_MATH = {"gcd", "lcm", "isqrt", "comb", "perm", "factorial", "prod"}
_FLOAT_MODULES = {"statistics", "cmath", "decimal"}
_FLOAT_CALLS = {"float", "round", "complex"}
_NUMPY_FLOATS = {"float16", "float32", "float64", "longdouble", "double", "single", "half", "complex64", "complex128", "linalg"}


def listed(file: str, table: Mapping[str, str]) -> bool:
    """Whether a file (path inside the package) or a folder that holds it stands in the table.

    >>> listed("complexes/subdivision/fan.py", EXEMPT), listed("complexes/cell.py", EXEMPT)
    (True, False)
    """
    return any(file == place or (place.endswith("/") and file.startswith(place)) for place in table)


class FloatUse(NamedTuple):
    """A place in a source file where a float is or may be made."""

    line: int
    what: str


def _used_float(node: ast.AST) -> str | None:
    """What makes a float at this node, or None."""
    if isinstance(node, ast.Constant) and isinstance(node.value, float | complex):
        return f"literal {node.value!r}"
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in _FLOAT_CALLS:
        return f"call {node.func.id}()"
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Pow) and ast.unparse(node.right).lstrip("(").startswith("-"):
        return "negative power"
    if isinstance(node, ast.keyword) and node.arg == "dtype" and isinstance(node.value, ast.Name) and node.value.id in _FLOAT_CALLS:
        return f"dtype {node.value.id}"
    if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
        owner, name = node.value.id, node.attr
        if owner == "math" and name not in _MATH:
            return f"math.{name}"
        if owner == "random" and name != "Random":
            return f"random.{name}"
        if owner in ("np", "numpy") and name in _NUMPY_FLOATS:
            return f"{owner}.{name}"
    return None


def _imported_float(node: ast.AST) -> list[str]:
    if isinstance(node, ast.Import):
        return [f"import {alias.name}" for alias in node.names if alias.name.split(".")[0] in _FLOAT_MODULES]
    if not isinstance(node, ast.ImportFrom):
        return []
    allowed = {"math": _MATH, "random": {"Random"}}.get(node.module or "")
    return [f"from {node.module} import {alias.name}" for alias in node.names
            if node.module in _FLOAT_MODULES or (allowed is not None and alias.name not in allowed)]


def float_uses(source: str) -> list[FloatUse]:
    """Return the places of a source text where floats are made: literals, calls, negative powers, float libraries.

    >>> float_uses("half = 0.5\\ny = 2 ** -n")
    [FloatUse(line=1, what='literal 0.5'), FloatUse(line=2, what='negative power')]
    """
    found = []
    for node in ast.walk(ast.parse(source)):
        what = _used_float(node)
        for text in [what] if what else _imported_float(node):
            found.append(FloatUse(getattr(node, "lineno", 0), text))
    return sorted(found)


def clock_uses(source: str) -> list[FloatUse]:
    """Return the places of a source text that import a clock.

    >>> clock_uses("import time")
    [FloatUse(line=1, what='clock time')]
    """
    found = []
    for node in ast.walk(ast.parse(source)):
        names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else \
            [node.module or ""] if isinstance(node, ast.ImportFrom) else []
        found += [FloatUse(node.lineno, f"clock {name}") for name in names if name in ("time", "datetime")]  # type: ignore[attr-defined]  # statements have one
    return sorted(found)


class InexactOperation(AssertionError):
    """Exact code made a float or compared values of different number types."""


def _is_float(value: object) -> bool:
    dtype = getattr(value, "dtype", None)
    return isinstance(value, float | complex) or getattr(dtype, "kind", "") in ("f", "c")


def _is_flint(value: object) -> bool:
    return type(value).__module__.partition(".")[0] == "flint"


def _checked(value: Any, place: str) -> Any:
    """Return the value of a division or a power, unless it is a float."""
    if _is_float(value):
        raise InexactOperation(f"{place}: a division or power gave {value!r} ({type(value).__name__})")
    return value


def _comparable(left: object, right: object, place: str) -> None:
    """Refuse a comparison by == that answers False for equal numbers, or compares floats; looks into tuples and lists."""
    for value in (left, right):
        if _is_float(value):
            raise InexactOperation(f"{place}: == with {value!r} ({type(value).__name__})")
    if (_is_flint(left) and isinstance(right, Fraction)) or (_is_flint(right) and isinstance(left, Fraction)):
        raise InexactOperation(f"{place}: {left!r} == {right!r} compares flint with Fraction, which is never true")
    if isinstance(left, tuple | list) and isinstance(right, tuple | list):
        for one, two in zip(left, right):
            _comparable(one, two, place)


def _equal(left: Any, right: Any, place: str) -> Any:
    _comparable(left, right, place)
    return left == right


def _unequal(left: Any, right: Any, place: str) -> Any:
    _comparable(left, right, place)
    return left != right


_CHECKS: dict[str, Callable[..., Any]] = {"_exact_checked": _checked, "_exact_equal": _equal, "_exact_unequal": _unequal}


class _Transformer(ast.NodeTransformer):
    """Sends the result of every / and **, and the operands of every lone == and !=, through a check."""

    def __init__(self, file: str, comparisons: bool) -> None:
        self.file, self.comparisons = file, comparisons

    def _call(self, name: str, node: ast.AST, *arguments: ast.expr) -> ast.Call:
        place = ast.Constant(f"{self.file}:{node.lineno}")  # type: ignore[attr-defined]  # expressions and statements have one
        return ast.copy_location(ast.Call(ast.Name(name, ast.Load()), [*arguments, place], []), node)

    def visit_BinOp(self, node: ast.BinOp) -> ast.AST:
        self.generic_visit(node)
        return self._call("_exact_checked", node, node) if isinstance(node.op, ast.Div | ast.Pow) else node

    def visit_Compare(self, node: ast.Compare) -> ast.AST:
        self.generic_visit(node)
        if self.comparisons and len(node.ops) == 1 and isinstance(node.ops[0], ast.Eq | ast.NotEq):
            return self._call("_exact_equal" if isinstance(node.ops[0], ast.Eq) else "_exact_unequal", node, node.left, node.comparators[0])
        return node

    def visit_AugAssign(self, node: ast.AugAssign) -> ast.AST | list[ast.AST]:
        self.generic_visit(node)
        if not isinstance(node.op, ast.Div | ast.Pow):
            return node
        target = ast.parse(ast.unparse(node.target), mode="eval").body  # the same place, read instead of written
        return [node, ast.copy_location(ast.Expr(self._call("_exact_checked", node, target)), node)]


def strict_tree(source: str, file: str, comparisons: bool = True) -> ast.Module:
    """Return the syntax tree of a source text in which /, **, == and != are checked (chained comparisons are not).

    Args:
        comparisons: False leaves == and != as they are.

    >>> ast.unparse(strict_tree("x = a / b", "f.py"))
    "x = _exact_checked(a / b, 'f.py:1')"
    """
    tree: ast.Module = _Transformer(file, comparisons).visit(ast.parse(source))
    return ast.fix_missing_locations(tree)


def run_strictly(source: str, file: str = "<text>") -> dict[str, Any]:
    """Execute a source text under the checks and return its names.

    >>> run_strictly("half = 1 / 2")
    Traceback (most recent call last):
    exactrelu.testing.exactness.InexactOperation: <text>:1: a division or power gave 0.5 (float)
    """
    names: dict[str, Any] = dict(_CHECKS)
    exec(compile(strict_tree(source, file), file, "exec"), names)
    return names


class _StrictLoader(SourceFileLoader):
    """Compiles a module under the checks; never reads or writes byte code."""

    place = ""

    def get_code(self, fullname: str) -> CodeType:
        path = self.get_filename(fullname)
        source = self.get_source(fullname) or ""
        code: CodeType = compile(strict_tree(source, self.place, not listed(self.place, CARRIERS)), path, "exec")
        return code

    def exec_module(self, module: ModuleType) -> None:
        vars(module).update(_CHECKS)
        super().exec_module(module)


class _StrictFinder(MetaPathFinder):
    def __init__(self, package: str) -> None:
        self.package = package
        self.seen: list[str] = []

    def find_spec(self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None) -> ModuleSpec | None:
        if fullname.partition(".")[0] != self.package:
            return None
        spec = PathFinder.find_spec(fullname, path, target)
        if spec is None or not isinstance(spec.loader, SourceFileLoader) or spec.origin is None:
            return spec
        depth = len(fullname.split(".")) - 1 + bool(spec.submodule_search_locations)
        place = "/".join(PurePath(spec.origin).parts[-depth:]) if depth else "__init__.py"
        if not listed(place, EXEMPT):
            loader = _StrictLoader(spec.loader.name, spec.loader.path)
            loader.place = place
            spec.loader = loader
            self.seen.append(place)
        return spec


class StrictImports:
    """Imports modules of a package anew, under the checks; `seen` lists the files that were transformed."""

    def __init__(self, finder: _StrictFinder) -> None:
        self._finder = finder

    @property
    def seen(self) -> tuple[str, ...]:
        """Files transformed so far, by their path inside the package."""
        return tuple(self._finder.seen)

    def module(self, name: str) -> Any:
        """Return the module of this full name."""
        return import_module(name)


@contextmanager
def strict_imports(package: str = "exactrelu") -> Iterator[StrictImports]:
    """Within the block, modules of the package load anew under the checks, except those of `EXEMPT`; in `CARRIERS`, which
    compare arrays of residues, divisions and powers only are checked.

    The classes inside are different objects from those outside; values must not cross.  On leaving, the modules that were
    loaded before are put back.

    >>> with strict_imports() as strict:
    ...     strict.module("exactrelu.arithmetic.rational").rational("1/2")
    Fraction(1, 2)
    """
    def take() -> dict[str, ModuleType]:
        return {name: sys.modules.pop(name) for name in list(sys.modules) if name.partition(".")[0] == package}

    before = take()
    finder = _StrictFinder(package)
    sys.meta_path.insert(0, finder)
    try:
        yield StrictImports(finder)
    finally:
        sys.meta_path.remove(finder)
        take()
        sys.modules.update(before)


_LEAVES = (bool, int, Fraction, str, bytes, type(None), PurePath, type, range)
_CODE = (FunctionType, MethodType, ModuleType)


def assert_exact(result: Any, name: str = "result") -> None:
    """Raise AssertionError, naming the place, if a public result holds anything but exact values.

    Exact are `int`, `Fraction`, text, and containers and objects made of them; also numpy arrays of integers and truth
    values.  Floats, float arrays, numpy scalars and flint numbers are refused: none of them may leave the package.
    Of a dataclass the fields are visited, of another object its attributes; functions are not looked into.

    >>> assert_exact({"a": (1, Fraction(1, 2))})
    >>> assert_exact({"a": (1, 0.5)})
    Traceback (most recent call last):
    AssertionError: result['a'][1] is 0.5 (float)
    """
    stack: list[tuple[Any, str]] = [(result, name)]
    seen: dict[int, Any] = {}
    while stack:
        value, place = stack.pop()
        if id(value) in seen:
            continue
        seen[id(value)] = value  # kept, so that the number is not given away again
        stack.extend(reversed(list(_parts(value, place))))


def _parts(value: Any, place: str) -> Iterator[tuple[Any, str]]:
    """What an allowed value is made of; raises on a value that is not allowed."""
    kind = type(value)
    if isinstance(value, float | complex) or _is_flint(value):
        raise AssertionError(f"{place} is {value!r} ({kind.__name__})")
    if isinstance(value, Enum):
        yield value.value, f"{place}.value"
    elif hasattr(value, "dtype"):
        yield from _array_parts(value, place)
    elif isinstance(value, tuple) and hasattr(value, "_fields"):
        yield from ((getattr(value, key), f"{place}.{key}") for key in value._fields)
    elif isinstance(value, tuple | list):
        yield from ((x, f"{place}[{k}]") for k, x in enumerate(value))
    elif isinstance(value, Mapping):
        for key, x in value.items():
            yield key, f"key of {place}"
            yield x, f"{place}[{key!r}]"
    elif isinstance(value, set | frozenset):
        yield from ((x, f"element of {place}") for x in value)
    elif is_dataclass(value) and not isinstance(value, type):
        yield from ((getattr(value, f.name), f"{place}.{f.name}") for f in fields(value))
    elif not isinstance(value, (*_LEAVES, *_CODE)):
        yield from ((x, f"{place}.{key}") for key, x in getattr(value, "__dict__", {}).items())


def _array_parts(value: Any, place: str) -> Iterator[tuple[Any, str]]:
    if not hasattr(value, "shape") or (value.shape == () and type(value).__name__ != "ndarray"):
        raise AssertionError(f"{place} is the numpy scalar {value!r}; hand out int")
    if value.dtype.kind == "O":
        yield from ((x, f"{place}.flat[{k}]") for k, x in enumerate(value.ravel().tolist()))
    elif value.dtype.kind not in "iubUS":
        raise AssertionError(f"{place} is a numpy array of {value.dtype}")
