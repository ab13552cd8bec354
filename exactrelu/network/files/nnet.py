"""`.nnet` text files: exact decimals, the normalization folded into the weights, the input box.

A file lists W, b of every layer for *normalized* inputs (x - mean)/range and outputs in units of the output range.
The network returned takes raw inputs and gives raw outputs: the first layer becomes W diag(1/range),
b - W (mean/range); the last is multiplied by the output range, and the output mean is added.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from typing import NoReturn

from exactrelu.arithmetic.rational import MAX_DIGITS, parse_decimal
from exactrelu.errors import ExactnessError, InputError, ShapeError
from exactrelu.network.files.file_limits import FileLimits, check_exponents, decoded_text
from exactrelu.network.files.network_entries import shown_value
from exactrelu.network.network import Network, Row, Rows

InputBox = tuple[tuple[Fraction, Fraction], ...]
WIDE = 1_000_000
"""Half width of the input box written when none is given."""

_WHOLE = re.compile(r"[0-9]{1,9}")
_MAX_LAYERS = 10_000


@dataclass
class _Lines:
    """The lines of a file that carry data, with their numbers."""

    lines: list[tuple[int, str]]
    position: int = 0

    def next(self, what: str) -> tuple[int, list[str]]:
        """Return (line number, comma-separated fields); `what` names the line when the file ends too early."""
        if self.position == len(self.lines):
            raise InputError(f"ends before {what}")
        number, line = self.lines[self.position]
        self.position += 1
        fields = [field.strip() for field in line.split(",")]
        if len(fields) > 1 and not fields[-1]:
            fields.pop()
        return number, fields

    def numbers(self, what: str, count: int, entry: str) -> list[Fraction]:
        """Return a line of `count` decimals."""
        number, fields = self.next(what)
        if len(fields) != count:
            raise ShapeError(f"line {number}, {what}: {len(fields)} numbers, expected {count}")
        out = []
        for k, field in enumerate(fields):
            try:
                if "/" in field:
                    _not_decimal(field)
                out.append(parse_decimal(field))
            except ExactnessError as error:
                raise ExactnessError(f"line {number}, {what}, {entry} {k}: {error}") from None
        return out

    def sizes(self, what: str) -> list[int]:
        """Return a line of non-negative integers."""
        number, fields = self.next(what)
        for field in fields:
            if not _WHOLE.fullmatch(field):
                raise InputError(f"line {number}, {what}: {field[:40]!r} is not a number of neurons or layers")
        return [int(field) for field in fields]


def _not_decimal(field: str) -> NoReturn:
    raise ExactnessError(f"{field[:40]!r} is not a decimal number")


def read_nnet(data: bytes, limits: FileLimits) -> tuple[Network, InputBox]:
    """Return the network on raw inputs and outputs, and the box of raw inputs the file states.

    Raises:
        InputError: anything but the format; names line, layer, row and column.

    >>> text = b"1,1,1,1,\\n1,1,\\n0,\\n-1,\\n1,\\n3,10,\\n2,5,\\n4,\\n0.5,\\n"
    >>> network, box = read_nnet(text, FileLimits())
    >>> network([3])                              # (4 * (3 - 3)/2 + 0.5) * 5 + 10
    (Fraction(25, 2),)
    """
    text = decoded_text(data)
    check_exponents(text)
    size = text.count(",") + text.count("\n") + text.count("\r")
    if size > 3 * limits.max_parameters + 1000:
        raise InputError(f"holds about {size} fields and lines; max_parameters={limits.max_parameters} allows less")
    numbered = enumerate(text.replace("\r\n", "\n").replace("\r", "\n").split("\n"), 1)
    lines = _Lines([(k, line) for k, line in numbered if line.strip() and not line.lstrip().startswith("//")])
    widths = _header(lines, limits)
    inputs, outputs = widths[0], widths[-1]
    low = lines.numbers("input minima", inputs, "input")
    high = lines.numbers("input maxima", inputs, "input")
    means = lines.numbers("means", inputs + 1, "entry")
    ranges = lines.numbers("ranges", inputs + 1, "entry")
    for k, value in enumerate(ranges):
        if value == 0:
            raise InputError(f"the range of {f'input {k}' if k < inputs else 'the outputs'} is zero, no divisor")
    for k, (a, b) in enumerate(zip(low, high)):
        if a > b:
            raise InputError(f"input {k}: the minimum is larger than the maximum")
    weights: list[Rows] = []
    biases: list[Row] = []
    for layer in range(1, len(widths)):
        weights.append(tuple(tuple(lines.numbers(f"layer {layer}, weight row {i}", widths[layer - 1], "column"))
                             for i in range(widths[layer])))
        biases.append(tuple(lines.numbers(f"layer {layer}, bias {i}", 1, "entry")[0] for i in range(widths[layer])))
    if lines.position != len(lines.lines):
        raise InputError(f"line {lines.lines[lines.position][0]}: data after the last bias ({outputs} outputs)")
    biases[0] = tuple(b - sum((w * m / r for w, m, r in zip(row, means, ranges)), Fraction(0))
                      for row, b in zip(weights[0], biases[0]))
    weights[0] = tuple(tuple(w / r for w, r in zip(row, ranges)) for row in weights[0])
    if means[-1] != 0 or ranges[-1] != 1:
        weights[-1] = tuple(tuple(w * ranges[-1] for w in row) for row in weights[-1])
        biases[-1] = tuple(b * ranges[-1] + means[-1] for b in biases[-1])
    return Network(tuple(weights), tuple(biases)), tuple(zip(low, high))


def _header(lines: _Lines, limits: FileLimits) -> list[int]:
    header = lines.sizes("header (layers, inputs, outputs, largest width)")
    if len(header) < 3:
        raise ShapeError(f"the header has {len(header)} numbers, expected 4 (layers, inputs, outputs, largest width)")
    layers, inputs, outputs = header[:3]
    if not 1 <= layers <= _MAX_LAYERS:
        raise InputError(f"the header states {layers} layers, expected 1 to {_MAX_LAYERS}")
    widths = lines.sizes("layer sizes")
    if len(widths) != layers + 1:
        raise ShapeError(f"{len(widths)} layer sizes, but the header states {layers} layers, so {layers + 1} sizes")
    if 0 in widths:
        raise ShapeError(f"layer size {widths.index(0)} is zero")
    if (widths[0], widths[-1]) != (inputs, outputs):
        raise ShapeError(f"the header states {inputs} inputs and {outputs} outputs, "
                         f"the layer sizes {widths[0]} and {widths[-1]}")
    limits.check_parameters(sum(n * (m + 1) for m, n in pairwise(widths)))
    lines.next("the unused line after the layer sizes")
    return widths


def decimal_text(value: Fraction) -> str | None:
    """Return the finite decimal literal of a rational, or None when there is none.

    >>> decimal_text(Fraction(-1, 8)), decimal_text(Fraction(3)), decimal_text(Fraction(1, 3))
    ('-0.125', '3.0', None)
    """
    rest, twos, fives = value.denominator, 0, 0
    if not rest & (rest - 1):
        twos, rest = rest.bit_length() - 1, 1
    while rest % 10 == 0:
        rest, twos, fives = rest // 10, twos + 1, fives + 1
    while rest % 2 == 0:
        rest, twos = rest // 2, twos + 1
    while rest % 5 == 0:
        rest, fives = rest // 5, fives + 1
    places = max(twos, fives)
    if rest != 1 or places + abs(value.numerator).bit_length() // 3 >= MAX_DIGITS - 8:
        return None
    digits = str(abs(value.numerator) * 10 ** places // value.denominator).rjust(places + 1, "0")
    sign = "-" if value < 0 else ""
    return f"{sign}{digits[:len(digits) - places]}.{digits[len(digits) - places:] or '0'}"


def _decimal(value: Fraction, where: str) -> str:
    text = decimal_text(value)
    if text is None:
        raise ExactnessError(f"{where}: {shown_value(value)} has no finite decimal literal, "
                             "which .nnet needs; write .json instead")
    return text


def write_nnet(network: Network, input_box: InputBox | None = None) -> bytes:
    """Return a `.nnet` file with the identity as normalization.

    Args:
        input_box: intervals of the inputs; by default -1000000 to 1000000.
    Raises:
        ExactnessError: a number that is no finite decimal; names layer, row and column.

    >>> write_nnet(Network([[["1/2"]]], [[1]])).decode().splitlines()[-2:]
    ['0.5,', '1.0,']
    """
    widths = network.architecture.widths
    if input_box is None:
        input_box = ((Fraction(-WIDE), Fraction(WIDE)),) * widths[0]
    if len(input_box) != widths[0]:
        raise ShapeError(f"the input box has {len(input_box)} intervals, the network {widths[0]} inputs")
    lines = ["// neural network in the .nnet text format; inputs and outputs are not normalized",
             f"{len(widths) - 1},{widths[0]},{widths[-1]},{max(widths)},",
             "".join(f"{width}," for width in widths), "0,"]
    for side in (0, 1):
        lines.append("".join(_decimal(pair[side], f"input box, input {k}") + "," for k, pair in enumerate(input_box)))
    lines.append("0.0," * (widths[0] + 1))
    lines.append("1.0," * (widths[0] + 1))
    for layer, (rows, bias) in enumerate(zip(network.weights, network.biases), 1):
        for i, row in enumerate(rows):
            where = f"layer {layer}, weight row {i}"
            lines.append("".join(_decimal(x, f"{where}, column {j}") + "," for j, x in enumerate(row)))
        lines.extend(_decimal(x, f"layer {layer}, bias {i}") + "," for i, x in enumerate(bias))
    return ("\n".join(lines) + "\n").encode("ascii")
