"""A walk over the outline of an ONNX file, before the library builds anything from it.

In the wire format an empty message takes two bytes and becomes an object of hundreds, so the bytes outside of plain
number arrays are bounded here.  Only lengths are looked at.
"""

from __future__ import annotations

from exactrelu.errors import InputError

MAX_STRUCTURE_BYTES = 4 * 1024 * 1024
"""Most bytes outside of number arrays: names, operators, shapes."""
MAX_FIELDS = 1_000_000
"""Most fields walked over."""

_TENSOR = "tensor"
_PAYLOAD = {4, 5, 7, 9, 10, 11}
_INSIDE: dict[tuple[str, int], str] = {
    ("model", 7): "graph", ("graph", 1): "node", ("graph", 5): _TENSOR, ("node", 5): "attribute",
    ("attribute", 5): _TENSOR}


def _varint(data: bytes, position: int, stop: int) -> tuple[int, int]:
    value = shift = 0
    while position < stop and shift < 70:
        byte = data[position]
        position += 1
        value |= (byte & 127) << shift
        if byte < 128:
            return value, position
        shift += 7
    raise InputError(f"is not an ONNX model (broken at byte {position})")


def check_outline(data: bytes) -> None:
    """Refuse a file that is not of the wire format or has very much structure for its numbers.

    >>> check_outline(bytes([8, 8]))
    >>> check_outline(bytes([255] * 20))
    Traceback (most recent call last):
    exactrelu.errors.InputError: is not an ONNX model (broken at byte 10)
    """
    structure, fields = len(data), 0
    stack = [("model", 0, len(data))]
    while stack:
        message, position, stop = stack.pop()
        while position < stop:
            fields += 1
            if fields > MAX_FIELDS:
                raise InputError(f"has more than {MAX_FIELDS} fields")
            begin = position
            tag, position = _varint(data, position, stop)
            number, wire = tag >> 3, tag & 7
            if wire == 0:
                _, position = _varint(data, position, stop)
            elif wire in (1, 5):
                position += 8 if wire == 1 else 4
            elif wire == 2:
                size, position = _varint(data, position, stop)
                if (message, number) in _INSIDE and position + size <= stop:
                    stack.append((_INSIDE[message, number], position, position + size))
                position += size
            else:
                raise InputError(f"is not an ONNX model (broken at byte {begin})")
            if position > stop:
                raise InputError(f"is not an ONNX model (broken at byte {begin})")
            if message == _TENSOR and number in _PAYLOAD:
                structure -= position - begin
    if structure > MAX_STRUCTURE_BYTES:
        raise InputError(f"has {structure} bytes besides its numbers, more than {MAX_STRUCTURE_BYTES}")
