"""`.safetensors` files: eight bytes of header length, a JSON header, then the words; read and written here directly.

Layers are named ``0.weight``, ``0.bias``, ``2.weight``, ... and taken in the natural order of their names.
"""

from __future__ import annotations

import json
from typing import Any

from exactrelu.errors import InputError, ShapeError
from exactrelu.network.files.file_limits import FileLimits, decoded_text
from exactrelu.network.files.network_entries import check_words
from exactrelu.network.files.strict_json import json_object
from exactrelu.network.files.tensor import Tensor, network_of_tensors, shown_name
from exactrelu.network.float_gate import float_word
from exactrelu.network.network import Network

_MAX_HEADER = 4 * 1024 * 1024
_KINDS = {"F16": "float16", "BF16": "bfloat16", "F32": "float32", "F64": "float64", "I8": "int8", "I16": "int16",
          "I32": "int32", "I64": "int64", "U8": "uint8", "U16": "uint16", "U32": "uint32", "U64": "uint64"}


def read_safetensors(data: bytes, limits: FileLimits) -> Network:
    """Return the network of a safetensors file, with a ReLU between consecutive layers.

    Raises:
        InputError: not the format, sizes that do not fit the bytes, or names that are no layers.

    >>> read_safetensors(write_safetensors(Network([[[1, 2]]], [[3]])), FileLimits())([1, 1])
    (Fraction(6, 1),)
    """
    length = int.from_bytes(data[:8], "little")
    if len(data) < 8 or length > min(len(data) - 8, _MAX_HEADER):
        raise InputError(f"is not a safetensors file: a header of {length} bytes does not fit {len(data)} bytes")
    header = json_object(decoded_text(data[8:8 + length]), 200_000)
    body = memoryview(data)[8 + length:]
    fields = []
    for name, entry in header.items():
        if name == "__metadata__":
            continue
        fields.append((*_field(name, entry, len(body)), name))
    position = 0
    for start, stop, _, _, name in sorted(fields, key=lambda field: field[:2]):
        if start != position:
            raise InputError(f"tensor {shown_name(name)} starts at byte {start}, expected {position}")
        position = stop
    if position != len(body):
        raise InputError(f"has {len(body) - position} bytes that belong to no tensor")
    tensors = [Tensor.from_words(name, shape, kind, bytes(body[start:stop]))
               for start, stop, kind, shape, name in fields]
    return network_of_tensors(tensors, limits, ordered=False)


def _field(name: str, entry: Any, size: int) -> tuple[int, int, str, tuple[int, ...]]:
    """Return (start, stop, kind, shape) of one tensor."""
    if not isinstance(entry, dict) or set(entry) != {"dtype", "shape", "data_offsets"}:
        raise InputError(f"tensor {shown_name(name)} should have dtype, shape and data_offsets")
    shape, offsets = entry["shape"], entry["data_offsets"]
    if not all(isinstance(value, list) and all(type(x) is int and x >= 0 for x in value) for value in (shape, offsets)):
        raise InputError(f"tensor {shown_name(name)} has a shape or offsets that are no lists of sizes")
    if len(offsets) != 2 or not offsets[0] <= offsets[1] <= size or len(shape) > 32:
        raise ShapeError(f"tensor {shown_name(name)} lies at {str(offsets)[:60]}, outside the {size} bytes of data")
    kind = entry["dtype"]
    return offsets[0], offsets[1], _KINDS.get(kind, kind) if isinstance(kind, str) else str(kind)[:40], tuple(shape)


def write_safetensors(network: Network) -> bytes:
    """Return a safetensors file of float64 tensors ``0.weight``, ``0.bias``, ``1.weight``, ...

    Raises:
        ExactnessError: a number that is not exactly a float64; names layer, row and column.
    """
    check_words(network, "float64", ".safetensors")
    header: dict[str, Any] = {}
    body = bytearray()
    for k, (rows, bias) in enumerate(zip(network.weights, network.biases)):
        named = (("bias", [len(bias)], bias), ("weight", [len(rows), len(rows[0])], [x for row in rows for x in row]))
        for role, shape, values in named:
            start = len(body)
            body += b"".join(float_word(x, "float64") or b"" for x in values)
            header[f"{k}.{role}"] = {"dtype": "F64", "shape": shape, "data_offsets": [start, len(body)]}
    text = json.dumps(header, separators=(",", ":")).encode("ascii")
    text += b" " * (-len(text) % 8)
    return len(text).to_bytes(8, "little") + text + bytes(body)
