"""JSON read strictly: no floats, no NaN, no duplicate keys, no nesting bombs, no endless integers.

Numbers that are not exact stay in the value as `NotExact`, so that whoever reads the field can say where they are.
"""

from __future__ import annotations

import json
from fractions import Fraction
from typing import Any

from exactrelu.arithmetic.rational import MAX_DIGITS, parse_decimal, parse_rational
from exactrelu.errors import ExactnessError, InputError

_MAX_SHOWN = 40


class NotExact(str):
    """A JSON number that is refused, as it is written.

    >>> NotExact("0.5").reason
    '0.5 is a JSON float; write "1/2"'
    """

    __slots__ = ()

    @property
    def reason(self) -> str:
        """Why the number is refused, and the cure."""
        if self in ("NaN", "Infinity", "-Infinity"):
            return f"{self} is not a number with a finite value"
        if self.lstrip("-").isdigit():
            return f"number of {len(self)} characters is longer than {MAX_DIGITS} digits"
        short = len(self) <= _MAX_SHOWN and "e" not in self.lower()
        cure = f'write "{Fraction(self)}"' if short else 'write a fraction such as "1/10"'
        return f"{_shown(self)} is a JSON float; {cure}"


def _shown(text: str) -> str:
    return text if len(text) <= _MAX_SHOWN else text[:_MAX_SHOWN - 3] + "..."


def _integer(text: str) -> int | NotExact:
    return NotExact(text) if len(text) > MAX_DIGITS + 1 else int(text)


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        seen: set[str] = set()
        for key, _ in pairs:
            if key in seen:
                raise InputError(f"the key {_shown(key)!r} is written twice")
            seen.add(key)
    return found


def parsed_json(text: str, max_values: int) -> Any:
    """Return the value of a JSON text; inexact numbers become `NotExact`.

    Args:
        max_values: bound on the number of values, checked before anything is built.
    Raises:
        InputError: not JSON, a duplicate key, nested too deeply, too many values.

    >>> parsed_json('{"a": [1, 0.5]}', 10)
    {'a': [1, '0.5']}
    """
    count = text.count(",") + text.count("[") + text.count("{")
    if count > max_values:
        raise InputError(f"holds about {count} values, more than {max_values}")
    try:
        return json.loads(text, parse_float=NotExact, parse_constant=NotExact, parse_int=_integer,
                          object_pairs_hook=_object)
    except json.JSONDecodeError as error:
        raise InputError(f"is not JSON: {error.msg} (line {error.lineno}, column {error.colno})") from None
    except RecursionError:
        raise InputError("is nested too deeply") from None


def json_object(text: str, max_values: int) -> dict[str, Any]:
    """Return the JSON object a text holds."""
    value = parsed_json(text, max_values)
    if not isinstance(value, dict):
        raise InputError(f"should hold a JSON object, got {kind_of(value)}")
    return value


def kind_of(value: Any) -> str:
    """Return what a JSON value is, for messages.

    >>> kind_of({}), kind_of(None)
    ('an object', 'null')
    """
    if isinstance(value, NotExact):
        return "a number that is not exact"
    if value is None:
        return "null"
    names = {dict: "an object", list: "a list", str: "a text", bool: "a truth value", int: "an integer"}
    return names.get(type(value), type(value).__name__)


def json_list(value: Any, where: str) -> list[Any]:
    """Return a value that must be a list."""
    if not isinstance(value, list):
        raise InputError(f"{where} should be a list, got {kind_of(value)}")
    return value


def json_rational(value: Any, where: str, decimal: bool = False) -> Fraction:
    """Return the rational a JSON value writes: an integer, ``"p"`` or ``"p/q"``; with `decimal` also ``"0.1"``.

    >>> json_rational("3/6", "bias 0")
    Fraction(1, 2)
    """
    kind = type(value)
    if kind is int:
        return Fraction(value)
    if kind is str:
        try:
            return parse_decimal(value) if decimal else parse_rational(value)
        except ExactnessError as error:
            raise ExactnessError(f"{where}: {error}") from None
    if isinstance(value, NotExact):
        raise ExactnessError(f"{where}: {value.reason}")
    raise ExactnessError(f'{where} should be an integer or a text "p/q", got {kind_of(value)}')


def check_exact(value: Any, where: str) -> None:
    """Refuse a value that holds an inexact number anywhere (fields nobody interprets)."""
    stack = [value]
    while stack:
        item = stack.pop()
        if isinstance(item, NotExact):
            raise ExactnessError(f"{where}: {item.reason}")
        if isinstance(item, dict):
            stack.extend(item.values())
        elif isinstance(item, list):
            stack.extend(item)


def check_header(document: dict[str, Any], name: str, keys: tuple[str, ...]) -> None:
    """Check format, version and the set of keys of a document.

    Allowed besides `keys`: ``name``, ``description``, ``comment`` and everything that starts with ``x-``.
    """
    for key, value in document.items():
        if key in keys or key in ("format", "version"):
            continue
        if key in ("name", "description", "comment") or key.startswith("x-"):
            check_exact(value, f"key {_shown(key)!r}")
            continue
        raise InputError(f"unknown key {_shown(key)!r}; known are {', '.join(keys)}, and anything that starts with x-")
    found = document.get("format", name)
    if found != name:
        shown = repr(_shown(found)) if type(found) is str else kind_of(found)
        raise InputError(f"format is {shown}, expected {name!r}")
    version = document.get("version", 1)
    if type(version) is not int or version != 1:
        shown = _shown(str(version)) if type(version) is int else kind_of(version)
        raise InputError(f"version is {shown}, expected 1")
