"""Canonical documents: one JSON object, sorted keys, no spaces, ASCII, one final newline, no floats.

Equal documents have equal bytes, so a digest identifies a claim and its evidence.
"""

from __future__ import annotations

import hashlib
import json
from fractions import Fraction
from typing import Any

from exactrelu.errors import ExactnessError


def plain(value: Any) -> Any:
    """Return the JSON value of a result: rationals as text, tuples as lists.

    Raises:
        ExactnessError: a float or another type that has no exact JSON form.

    >>> plain({"x": (Fraction(1, 2), 3)})
    {'x': ['1/2', 3]}
    """
    if value is None or isinstance(value, (bool, str, int)):
        return value
    if isinstance(value, Fraction):
        return str(value)
    if isinstance(value, dict):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(item) for item in value]
    raise ExactnessError(f"{value!r} ({type(value).__name__}) has no exact JSON form")


def canonical_text(document: Any) -> str:
    """Return the canonical bytes of a document, as text.

    >>> canonical_text({"b": [1], "a": "1/2"})
    '{"a":"1/2","b":[1]}\\n'
    """
    return json.dumps(plain(document), sort_keys=True, separators=(",", ":"), ensure_ascii=True, allow_nan=False) + "\n"


def digest(text: str) -> str:
    """Return the SHA-256 of a canonical text in hexadecimal."""
    return hashlib.sha256(text.encode("ascii")).hexdigest()
