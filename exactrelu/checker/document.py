"""Reading a document: canonical bytes, exact types, limits, and the work meter.

A document is one JSON object in canonical bytes.  Rationals are strings "p" or "p/q" in lowest
terms, indices and counts are JSON integers, and neither is ever converted to the other.
"""

import json
import re
from collections.abc import Callable, Iterable
from contextvars import ContextVar
from fractions import Fraction
from math import gcd
from typing import Any, NamedTuple, TypeVar

Json = Any
Row = list[int]
Point = tuple[int, ...]
T = TypeVar("T")

LIMITS = {
    "bytes": 64 << 20,  # a document, unpacked
    "levels": 20,  # lists and objects inside each other
    "digits": 4_000,  # one number; below Python's own limit for int()
    "integer_digits": 18,  # a JSON integer
    "neurons": 600,
    "ends": 1_000,  # inputs; outputs
    "network_digits": 40_000,  # longest number of a layer, summed over the layers
    "denominator_bits": 200_000,  # common denominator of a layer
    "items": 4_000_000,  # cells of a complex
    "permutations": 5_040,
    "work": 10_000_000_000,  # see `spend`
}
RATIONAL = re.compile(r"(-?(?:0|[1-9][0-9]*))(?:/([1-9][0-9]*))?\Z")
INTEGERS = re.compile(r"(?:0|-?[1-9][0-9]*)(?: (?:0|-?[1-9][0-9]*))*\Z")


class Malformed(Exception):
    """The text is not a certificate at all."""


class Rejected(Exception):
    """The certificate does not prove its claim."""


class Rule(NamedTuple):
    """How one kind of claim is checked: a function, the fields it reads, what it trusts."""

    check: Callable[[Json, Json], None]
    claim: str
    evidence: str
    theorems: tuple[str, ...] = ()


def require(condition: object, message: str) -> None:
    """Reject the document unless the condition holds."""
    if not condition:
        raise Rejected(message)


WORK: ContextVar[list[int]] = ContextVar("work left for the document being checked")


def spend(products: int, bits: int = 0) -> None:
    """Charge `products` multiplications of numbers of about `bits` bits each."""
    left = WORK.get()
    left[0] -= products * (1 + (bits >> 8)) ** 2
    require(left[0] >= 0, "too much work")


def canonical(value: Json) -> str:
    """The canonical text of a JSON value; equal values have equal bytes."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), allow_nan=False) + "\n"


def load(text: str | bytes) -> Json:
    """Parse canonical bytes, all other spellings being malformed; start the work meter."""
    WORK.set([LIMITS["work"]])
    if len(text) > LIMITS["bytes"]:
        raise Malformed("document too long")
    try:
        if isinstance(text, bytes):
            text = text.decode("ascii")
        value = json.loads(
            text,
            parse_int=_json_integer,
            parse_float=_no_float,
            parse_constant=_no_float,
            object_pairs_hook=_object,
        )
        same = canonical(value) == text
    except (ValueError, RecursionError) as error:  # the writer may nest less deep than the reader
        raise Malformed(f"not JSON: {str(error)[:60]}") from None
    if not same:
        raise Malformed("bytes are not canonical (sorted keys, no spaces, ASCII, a final newline)")
    if _deeper(value, LIMITS["levels"]):
        raise Malformed("nested too deeply")
    return value


def _deeper(value: Json, levels: int) -> bool:
    if type(value) is not list and type(value) is not dict:
        return False
    entries = value.values() if type(value) is dict else value
    return levels == 0 or any(_deeper(entry, levels - 1) for entry in entries)


def _json_integer(text: str) -> int:
    if len(text) > LIMITS["integer_digits"]:
        raise Malformed("JSON integer too long")
    return int(text)


def _no_float(text: str) -> None:
    raise Malformed(f"JSON number {text[:60]!a} is not exact")


def _object(pairs: list[tuple[str, Json]]) -> dict[str, Json]:
    value = dict(pairs)
    if len(value) != len(pairs):
        raise Malformed("duplicate key")
    return value


def field(value: Json, key: str, kind: type[T]) -> T:
    """The entry `key`, of exactly this type (so that true is not 1)."""
    if type(value) is not dict or key not in value:
        raise Malformed(f"missing field {key!r}")
    entry = value[key]
    if type(entry) is not kind:
        raise Malformed(f"field {key!r} should be {kind.__name__}")
    return entry


def sequence(value: Json, item: Callable[[Json], T], length: int | None = None) -> list[T]:
    """The items of a JSON list, of this length if one is given."""
    if type(value) is not list or (length is not None and len(value) != length):
        raise Malformed("expected a list" + ("" if length is None else f" of length {length}"))
    return [item(entry) for entry in value]


def index(value: Json, end: int = 1 << 60) -> int:
    """A JSON integer in [0, end)."""
    if type(value) is not int or not 0 <= value < end:
        raise Malformed(f"expected an integer in [0, {end})")
    return value


def stamped(value: Json, fields: str, name: str) -> None:
    """Exactly these fields; `format` and `version`, where present, with their fixed values."""
    if type(value) is not dict or set(value) - {"format", "version"} != set(fields.split()):
        raise Malformed(f"a {name} has the fields {fields}")
    stamp, version = value.get("format", "exactrelu/" + name), value.get("version", 1)
    if stamp != "exactrelu/" + name or type(version) is not int or version != 1:
        raise Malformed(f"not a {name} of version 1")


def rational(value: Json) -> Fraction:
    """The rational written "p" or "p/q" in lowest terms."""
    if type(value) is not str or len(value) > LIMITS["digits"]:
        raise Malformed("a rational is a string of bounded length")
    match = RATIONAL.match(value)
    p, q = (int(match[1]), int(match[2] or 1)) if match else (0, 0)
    if gcd(p, q) != 1 or value == "-0" or value[-2:] == "/1":
        raise Malformed(f"not a rational in lowest terms: {value[:60]!a}")
    return Fraction(p, q)


def point(value: Json, dimension: int) -> Point:
    """A point of evidence, "t x1 .. xd" with integers and t > 0; it is the point x/t."""
    if type(value) is not str or not INTEGERS.match(value):
        raise Malformed("a point is one string of integers")
    parts = value.split(" ")
    if len(parts) != dimension + 1 or max(map(len, parts)) > LIMITS["digits"]:
        raise Malformed(f"expected a point with {dimension} coordinates of bounded length")
    entries = tuple(map(int, parts))
    require(entries[0] > 0, "homogeneous coordinate of a point must be positive")
    return entries


def points(value: Json, dimension: int, length: int | None = None) -> list[Point]:
    """A list of points."""
    return sequence(value, lambda entry: point(entry, dimension), length)


def common_denominator(entries: Iterable[Fraction]) -> int:
    """The least common denominator, refused when it grows too long."""
    result = 1
    for denominator in {entry.denominator for entry in entries}:
        if result % denominator:
            result = result // gcd(result, denominator) * denominator
            spend(1, result.bit_length())
            require(result.bit_length() <= LIMITS["denominator_bits"], "denominators too long")
    return result


def homogeneous(entries: list[Fraction]) -> Point:
    """Rational vector x -> integers (t, t x) with the least t > 0."""
    t = common_denominator(entries)
    return (t, *(entry.numerator * (t // entry.denominator) for entry in entries))
