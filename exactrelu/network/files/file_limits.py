"""Bounds on what is read, and the one place that opens files.

Sizes are compared before anything is built, so that a hostile file costs neither memory nor time.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from exactrelu.errors import InputError

PathLike = str | os.PathLike[str]

_LARGE_EXPONENT = re.compile(r"[eE][+-]?[0-9]{3}")
MAX_LARGE_EXPONENTS = 20_000
"""How many decimal literals of one file may have an exponent of three or more digits."""


@dataclass(frozen=True)
class FileLimits:
    """Bounds on one network file.

    Attributes:
        max_bytes: size of the file, and of what a compressed file unpacks to.
        max_parameters: weights and biases together.

    >>> FileLimits().max_bytes
    67108864
    """

    max_bytes: int = 64 * 1024 * 1024
    max_parameters: int = 1_000_000

    def __post_init__(self) -> None:
        for name in ("max_bytes", "max_parameters"):
            value = getattr(self, name)
            if isinstance(value, bool) or not isinstance(value, int) or value < 1:
                raise InputError(f"{name} must be a positive integer, got {value!r}")

    def check_parameters(self, count: int) -> None:
        """Raise `InputError` when there are more than `max_parameters` numbers."""
        if count > self.max_parameters:
            raise InputError(f"{count} weights and biases, more than max_parameters={self.max_parameters}")


class Work:
    """What reading one file has cost so far, so that a small file cannot ask for endless work."""

    MAX_PRODUCTS = 50_000_000

    def __init__(self, limits: FileLimits | None = None) -> None:
        self.limits = limits or FileLimits()
        self.entries = 0
        self.products = 0

    def check_parameters(self, count: int) -> None:
        """Raise `InputError` when there are more than `max_parameters` numbers."""
        self.limits.check_parameters(count)

    def spend_entries(self, count: int, where: str) -> None:
        """Count the entries of intermediate matrices: at most four times `max_parameters` in all."""
        self.entries += count
        if self.entries > 4 * self.limits.max_parameters:
            raise InputError(f"{where}: intermediate matrices have more than {4 * self.limits.max_parameters} entries")

    def spend_products(self, count: int, where: str) -> None:
        """Count the multiplications of exact matrix products."""
        self.products += count
        if self.products > self.MAX_PRODUCTS:
            raise InputError(f"{where} follows another linear layer without a ReLU, and composing them exactly takes "
                             f"more than {self.MAX_PRODUCTS} products; merge them in the file")


def shown_path(path: PathLike) -> str:
    """Return the name of a file for messages, without control characters.

    >>> shown_path("-"), shown_path("a\\nb.json")
    ('standard input', 'a\\\\nb.json')
    """
    text = os.fspath(path)
    text = text if isinstance(text, str) else os.fsdecode(text)
    if text == "-":
        return "standard input"
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode("ascii") for c in text)


@contextmanager
def in_file(path: PathLike) -> Iterator[None]:
    """Put the name of the file in front of every input error raised inside."""
    try:
        yield
    except InputError as error:
        raise type(error)(f"{shown_path(path)}: {error}") from None


def read_bytes(path: PathLike, limits: FileLimits) -> bytes:
    """Return the content of a file, or of standard input for ``"-"``.

    Raises:
        InputError: missing, a directory, not permitted, empty, or larger than `max_bytes`.
    """
    try:
        if os.fspath(path) == "-":
            data = sys.stdin.buffer.read(limits.max_bytes + 1)
        else:
            with open(path, "rb") as file:
                data = file.read(limits.max_bytes + 1)
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror or error}") from None
    except ValueError as error:
        raise InputError(f"is not a file name: {error}") from None
    if len(data) > limits.max_bytes:
        raise InputError(f"is larger than max_bytes={limits.max_bytes}")
    if not data:
        raise InputError("is empty")
    return data


def write_bytes(path: PathLike, data: bytes) -> None:
    """Write a file whole.

    Raises:
        InputError: the system refuses.
    """
    try:
        Path(path).write_bytes(data)
    except OSError as error:
        raise InputError(f"{shown_path(path)}: cannot be written: {error.strerror or error}") from None
    except ValueError as error:
        raise InputError(f"{shown_path(path)}: is not a file name: {error}") from None


def decoded_text(data: bytes) -> str:
    """Return UTF-8 text, without the byte order mark some editors put in front.

    >>> decoded_text(bytes([0xef, 0xbb, 0xbf]) + b"{}")
    '{}'
    """
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InputError(f"is not UTF-8 text (byte {error.start}); is it a binary file?") from None
    if "\0" in text:
        raise InputError("contains a zero byte; is it a binary file?")
    return text


def check_exponents(text: str) -> None:
    """Refuse a text whose decimal exponents would unfold into very much more than is written.

    Raises:
        InputError: more than `MAX_LARGE_EXPONENTS` exponents of three or more digits.
    """
    count = sum(1 for _ in _LARGE_EXPONENT.finditer(text))
    if count > MAX_LARGE_EXPONENTS:
        raise InputError(f"{count} exponents of three or more digits, more than {MAX_LARGE_EXPONENTS}")
