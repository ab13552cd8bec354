"""`.npz` archives of arrays: directory and array headers are read and compared with the limits before any data.

The arrays are decoded here, so that no archive can make a library build something first: only plain little-endian
(or single-byte) numbers in C or Fortran order, never pickled objects.
Layers are ``000.linear.weights``, ``000.linear.bias``, ``001.relu``, ..., or any naming `network_of_tensors` knows.
"""

from __future__ import annotations

import io
import re
import struct
import zipfile
import zlib
from fractions import Fraction
from math import prod
from typing import IO

from exactrelu.errors import InputError, ShapeError
from exactrelu.network.files.file_limits import FileLimits
from exactrelu.network.files.layer_chain import LayerChain
from exactrelu.network.files.network_entries import check_words
from exactrelu.network.files.tensor import Tensor, network_of_tensors, shown_name, shown_shape
from exactrelu.network.float_gate import WORD_BYTES, float_word
from exactrelu.network.network import Network

_MAX_MEMBERS = 10_000
_MAX_HEADER = 10_000
_HEADER = re.compile(r"\{'descr': (?P<descr>'[^']{1,40}'|\[.*\]), 'fortran_order': (?P<fortran>True|False), "
                     r"'shape': \((?P<shape>[0-9, ]*)\),? *\}\s*", re.DOTALL)
_KINDS = {"f2": "float16", "f4": "float32", "f8": "float64", "i1": "int8", "i2": "int16", "i4": "int32", "i8": "int64",
          "u1": "uint8", "u2": "uint16", "u4": "uint32", "u8": "uint64"}
_Header = tuple[str, bool, tuple[int, ...], int]
_NUMBERED = re.compile(r"([0-9]{1,9})\.(linear\.weights|linear\.bias|relu|layers|[A-Za-z_.]+)")


def read_npz(data: bytes, limits: FileLimits) -> Network:
    """Return the network of an archive.

    Raises:
        InputError: not an archive, an array that is no array of numbers, sizes beyond the limits, unknown names.
    """
    if data.count(b"PK\x01\x02") > _MAX_MEMBERS:
        raise InputError(f"holds more than {_MAX_MEMBERS} arrays")
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            tensors = _tensors(archive, limits)
    except (zipfile.BadZipFile, zlib.error, struct.error, EOFError, NotImplementedError, OSError, ValueError,
            RuntimeError, KeyError, OverflowError) as error:
        raise InputError(f"is not a readable .npz archive: {error}") from None
    if not tensors:
        raise InputError("holds no arrays")
    if any(re.fullmatch(r"[0-9]+\.(linear\.weights|relu|layers)", tensor.name) for tensor in tensors):
        return _numbered_network(tensors, limits)
    return network_of_tensors(tensors, limits, ordered=False)


def _tensors(archive: zipfile.ZipFile, limits: FileLimits) -> list[Tensor]:
    members = archive.infolist()
    if len(members) > _MAX_MEMBERS:
        raise InputError(f"holds {len(members)} arrays, more than {_MAX_MEMBERS}")
    names = set()
    total = 0
    for member in members:
        if not member.filename.endswith(".npy"):
            raise InputError(f"member {shown_name(member.filename)} is not an array (.npy)")
        if member.filename in names:
            raise InputError(f"the array {shown_name(member.filename)} is there twice")
        if member.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
            raise InputError(f"array {shown_name(member.filename)} is compressed in a way that is not supported")
        if member.flag_bits & 1:
            raise InputError(f"array {shown_name(member.filename)} is encrypted")
        names.add(member.filename)
        total += member.file_size
    if total > limits.max_bytes:
        raise InputError(f"unpacks to {total} bytes, more than max_bytes={limits.max_bytes}")
    headers = []
    for member in members:
        with archive.open(member) as file:
            headers.append(_array_header(file, member))
    limits.check_parameters(sum(prod(shape) for _, _, shape, _ in headers))
    return [_tensor(archive, member, header) for member, header in zip(members, headers)]


def _array_header(file: IO[bytes], member: zipfile.ZipInfo) -> _Header:
    """Return (kind, fortran order, shape, offset of the data) of an array, reading its header only."""
    name = shown_name(member.filename[:-4])
    start = file.read(8)
    if start[:6] != b"\x93NUMPY" or len(start) < 8:
        raise InputError(f"array {name} does not start like an array file")
    size = 2 if start[6] == 1 else 4
    length_bytes = file.read(size)
    length = int.from_bytes(length_bytes, "little")
    if start[6] not in (1, 2, 3) or len(length_bytes) < size or length > _MAX_HEADER:
        raise InputError(f"array {name} has a header that cannot be read")
    text = file.read(length).decode("latin-1")
    match = _HEADER.fullmatch(text)
    if match is None:
        raise InputError(f"array {name} has a header that cannot be read")
    descr = match["descr"].strip("'")
    if "O" in descr:
        raise InputError(f"array {name} holds Python objects, which are never loaded")
    kind = _KINDS.get(descr[1:]) if descr[:1] in ("<", "|") else None
    if kind is None:
        raise InputError(f"array {name} holds numbers of kind {descr[:40]!r}, which cannot be read exactly")
    sizes = [part.strip() for part in match["shape"].split(",") if part.strip()]
    if any(not re.fullmatch(r"[0-9]{1,18}", part) for part in sizes) or len(sizes) > 32:
        raise ShapeError(f"array {name} has a shape that cannot be read")
    shape = tuple(int(part) for part in sizes)
    offset = 8 + size + length
    if prod(shape) * WORD_BYTES[kind] != member.file_size - offset:
        raise ShapeError(f"array {name} of shape {shown_shape(shape)} should take {prod(shape) * WORD_BYTES[kind]} "
                         f"bytes, but {member.file_size - offset} are stored")
    return kind, match["fortran"] == "True", shape, offset


def _tensor(archive: zipfile.ZipFile, member: zipfile.ZipInfo, header: _Header) -> Tensor:
    kind, fortran, shape, offset = header
    with archive.open(member) as file:
        content = file.read(member.file_size + 1)[offset:]
    tensor = Tensor.from_words(member.filename[:-4], shape, kind, content)
    if fortran and len(shape) == 2:
        rows, columns = shape
        values = [tensor.values[i + j * rows] for i in range(rows) for j in range(columns)]
        return Tensor(tensor.name, shape, values)
    return tensor


def _numbered_network(tensors: list[Tensor], limits: FileLimits) -> Network:
    """Return the network of arrays named by their step in the computation."""
    steps: dict[int, dict[str, Tensor]] = {}
    count: int | None = None
    for tensor in tensors:
        match = _NUMBERED.fullmatch(tensor.name)
        if match is None or match[2] not in ("linear.weights", "linear.bias", "relu", "layers"):
            raise InputError(f"array {shown_name(tensor.name)} is no NNN.linear.weights, NNN.linear.bias, NNN.relu")
        if match[2] == "layers":
            count = tensor.values[0] if len(tensor.values) == 1 else None
            continue
        step = steps.setdefault(int(match[1]), {})
        if match[2] in step:
            raise InputError(f"array {shown_name(tensor.name)} repeats a step")
        step[match[2]] = tensor
    if count is not None and (count != len(steps) or sorted(steps) != list(range(len(steps)))):
        raise InputError(f"states {count} steps, but has the steps {sorted(steps)[:20]}")
    chain = LayerChain(limits)
    layer = 1
    for number in sorted(steps):
        step = steps[number]
        if set(step) == {"relu"}:
            chain.relu()
            continue
        if set(step) != {"linear.weights", "linear.bias"}:
            raise InputError(f"step {number} should be weights and a bias, or a relu; it has {', '.join(sorted(step))}")
        where = f"layer {layer}"
        chain.affine(step["linear.weights"].matrix(where), step["linear.bias"].vector(where), where)
        layer += 1
    return chain.network()


def write_npz(network: Network) -> bytes:
    """Return an archive of float64 arrays, layers and ReLUs numbered in turn; equal networks give equal bytes.

    Raises:
        ExactnessError: a number that is not exactly a float64; names layer, row and column.
    """
    check_words(network, "float64", ".npz")
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_STORED) as archive:
        step = 0
        for k, (rows, bias) in enumerate(zip(network.weights, network.biases)):
            if k:
                _add(archive, f"{step:03}.relu", (1,), [Fraction(0)])
                step += 1
            _add(archive, f"{step:03}.linear.weights", (len(rows), len(rows[0])), [x for row in rows for x in row])
            _add(archive, f"{step:03}.linear.bias", (len(bias),), list(bias))
            step += 1
        _member(archive, "000.layers", "<i8", (), struct.pack("<q", step))
    return out.getvalue()


def _add(archive: zipfile.ZipFile, name: str, shape: tuple[int, ...], values: list[Fraction]) -> None:
    _member(archive, name, "<f8", shape, b"".join(float_word(x, "float64") or b"" for x in values))


def _member(archive: zipfile.ZipFile, name: str, descr: str, shape: tuple[int, ...], words: bytes) -> None:
    sizes = f"({shape[0]},)" if len(shape) == 1 else "(" + ", ".join(map(str, shape)) + ")"
    header = f"{{'descr': '{descr}', 'fortran_order': False, 'shape': {sizes}, }}"
    padded = header.ljust((len(header) + 1 + 10 + 63) // 64 * 64 - 11) + "\n"
    content = b"\x93NUMPY\x01\x00" + struct.pack("<H", len(padded)) + padded.encode("ascii") + words
    archive.writestr(zipfile.ZipInfo(name + ".npy", (1980, 1, 1, 0, 0, 0)), content)
