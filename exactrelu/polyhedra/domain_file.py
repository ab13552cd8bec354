"""The domain file: JSON with the inequalities b + a.x >= 0 as rows (b, a_1, ..., a_d), read strictly.

No floats, no NaN, no duplicate or unknown keys; sizes are compared before anything is built.  A room may not import
its neighbor, so the few lines of strict JSON reading that network files need too are written here once more.
"""

from __future__ import annotations

import json
import os
import re
import sys
from fractions import Fraction
from pathlib import Path
from typing import Any

from exactrelu.arithmetic.rational import MAX_DIGITS, parse_decimal, parse_rational
from exactrelu.errors import ExactnessError, InputError, ShapeError
from exactrelu.polyhedra.domain import Domain

FORMAT = "exactrelu/domain"
MAX_BYTES = 16 * 1024 * 1024
"""Largest domain file."""
MAX_VALUES = 1_000_000
"""Most numbers in a domain file."""

MAX_LARGE_EXPONENTS = 20_000
"""How many decimal literals of one file may have an exponent of three or more digits."""

_LARGE_EXPONENT = re.compile(r"[eE][+-]?[0-9]{3}")

PathLike = str | os.PathLike[str]


class _NotExact(str):
    """Why a JSON number is refused."""

    __slots__ = ()


def load_domain(path: PathLike, dimension: int | None = None, *, decimal: bool = False,
                max_bytes: int = MAX_BYTES) -> Domain:
    """Return the domain in a file, or on standard input for ``"-"``.

    Args:
        dimension: the dimension the domain must have; needed when the file lists no inequality.
        decimal: read text such as ``"0.1"`` as exactly 1/10 instead of refusing it.
        max_bytes: largest file accepted.
    Raises:
        InputError: the file cannot be read as a domain; names file, row and column.
    """
    name = "standard input" if os.fspath(path) == "-" else os.fspath(path)
    shown = "".join(c if c.isprintable() else c.encode("unicode_escape").decode("ascii") for c in name)
    try:
        return parsed_domain(_content(path, max_bytes), dimension, decimal=decimal)
    except InputError as error:
        raise type(error)(f"{shown}: {error}") from None


def parsed_domain(data: bytes, dimension: int | None = None, *, decimal: bool = False) -> Domain:
    """Return the domain a file with this content holds; arguments as for `load_domain`.

    >>> parsed_domain(b'{"inequalities": [["1/2", 1, 0], [1, 0, -1]]}').contains([0, 1])
    True
    """
    document = _document(data)
    for key, value in document.items():
        if key in ("name", "description", "comment") or key.startswith("x-"):
            _check_exact(value, f"key {key[:40]!r}")
        elif key not in ("format", "version", "inequalities"):
            raise InputError(f"unknown key {key[:40]!r}; known are format, version, inequalities, and anything that "
                             "starts with x-")
    if document.get("format", FORMAT) != FORMAT:
        raise InputError(f"format is not {FORMAT!r}")
    version = document.get("version", 1)
    if type(version) is not int or version != 1:
        raise InputError(f"version is {str(version)[:40] if type(version) is int else _kind(version)}, expected 1")
    if "inequalities" not in document:
        raise InputError("the key 'inequalities' is missing")
    rows = []
    for i, row in enumerate(_list(document["inequalities"], "inequalities")):
        entries = _list(row, f"inequality {i}")
        if len(entries) < 2:
            raise ShapeError(f"inequality {i} has {len(entries)} entries, expected b, a1, ..., ad with d >= 1")
        rows.append(tuple(_rational(x, f"inequality {i}, column {j}", decimal) for j, x in enumerate(entries)))
    if dimension is None:
        if not rows:
            raise InputError("lists no inequality, so that its dimension is unknown")
        dimension = len(rows[0]) - 1
    for i, exact in enumerate(rows):
        if len(exact) != dimension + 1:
            raise ShapeError(f"inequality {i} has {len(exact)} entries, expected {dimension + 1} (b, a1, ..., ad)")
    return Domain(dimension, tuple(rows))


def save_domain(domain: Domain, path: PathLike) -> None:
    """Write a domain so that `load_domain` gives it back.

    Raises:
        InputError: the system refuses to write.
    """
    try:
        text = json.dumps(domain.to_json(), sort_keys=True, separators=(",", ":")) + "\n"
        Path(path).write_text(text, encoding="ascii")
    except OSError as error:
        raise InputError(f"{os.fspath(path)}: cannot be written: {error.strerror or error}") from None


def _content(path: PathLike, max_bytes: int) -> bytes:
    try:
        if os.fspath(path) == "-":
            data = sys.stdin.buffer.read(max_bytes + 1)
        else:
            with open(path, "rb") as file:
                data = file.read(max_bytes + 1)
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror or error}") from None
    except ValueError as error:
        raise InputError(f"is not a file name: {error}") from None
    if len(data) > max_bytes:
        raise InputError(f"is larger than max_bytes={max_bytes}")
    return data


def _document(data: bytes) -> dict[str, Any]:
    if not data:
        raise InputError("is empty")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InputError(f"is not UTF-8 text (byte {error.start}); is it a binary file?") from None
    if len(_LARGE_EXPONENT.findall(text)) > MAX_LARGE_EXPONENTS:
        raise InputError(f"has more than {MAX_LARGE_EXPONENTS} exponents of three or more digits")
    count = text.count(",") + text.count("[") + text.count("{")
    if count > MAX_VALUES:
        raise InputError(f"holds about {count} values, more than {MAX_VALUES}")
    try:
        value = json.loads(text, parse_float=_float, parse_constant=_constant, parse_int=_integer,
                           object_pairs_hook=_object)
    except json.JSONDecodeError as error:
        raise InputError(f"is not JSON: {error.msg} (line {error.lineno}, column {error.colno})") from None
    except RecursionError:
        raise InputError("is nested too deeply") from None
    if not isinstance(value, dict):
        raise InputError(f"should hold a JSON object, got {_kind(value)}")
    return value


def _float(text: str) -> _NotExact:
    return _NotExact(f'{text[:40]} is a JSON float; write a fraction such as "1/10"')


def _constant(text: str) -> _NotExact:
    return _NotExact(f"{text} is not a number with a finite value")


def _integer(text: str) -> int | _NotExact:
    if len(text) > MAX_DIGITS + 1:
        return _NotExact(f"number of {len(text)} characters is longer than {MAX_DIGITS} digits")
    return int(text)


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for key, value in pairs:
        if key in found:
            raise InputError(f"the key {key[:40]!r} is written twice")
        found[key] = value
    return found


def _kind(value: Any) -> str:
    names = {dict: "an object", list: "a list", str: "a text", bool: "a truth value", int: "an integer",
             type(None): "null", _NotExact: "a number that is not exact"}
    return names.get(type(value), type(value).__name__)


def _list(value: Any, where: str) -> list[Any]:
    if not isinstance(value, list):
        raise InputError(f"{where} should be a list, got {_kind(value)}")
    return value


def _rational(value: Any, where: str, decimal: bool) -> Fraction:
    if type(value) is int:
        return Fraction(value)
    if isinstance(value, _NotExact):
        raise ExactnessError(f"{where}: {value}")
    if type(value) is not str:
        raise ExactnessError(f'{where} should be an integer or a text "p/q", got {_kind(value)}')
    try:
        return parse_decimal(value) if decimal else parse_rational(value)
    except ExactnessError as error:
        raise ExactnessError(f"{where}: {error}") from None


def _check_exact(value: Any, where: str) -> None:
    stack = [value]
    while stack:
        item = stack.pop()
        if isinstance(item, _NotExact):
            raise ExactnessError(f"{where}: {item}")
        if isinstance(item, dict):
            stack.extend(item.values())
        elif isinstance(item, list):
            stack.extend(item)
