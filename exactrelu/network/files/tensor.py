"""Named arrays of binary numbers, and the conventions by which they form layers."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from math import prod
from typing import Any

from exactrelu.errors import InputError, ShapeError
from exactrelu.network.files.file_limits import FileLimits
from exactrelu.network.files.layer_chain import LayerChain
from exactrelu.network.float_gate import WORD_BYTES, binary_words, exact_floats
from exactrelu.network.network import Network, Row, Rows

_ROLE = r"(?P<role>[Ww]eights?|[Ww]|[Bb]ias(?:es)?|[Bb])"
_NAMES = (re.compile(r"(?:(?P<stem>.*)[._/])?" + _ROLE), re.compile(_ROLE + r"[._]?(?P<stem>[0-9]+)"))
_POSITION = re.compile(r"arr_([0-9]{1,6})")


@dataclass(frozen=True)
class Tensor:
    """Numbers in row-major order, as they came in: not yet exact."""

    name: str
    shape: tuple[int, ...]
    values: Sequence[Any]

    @classmethod
    def from_words(cls, name: str, shape: tuple[int, ...], kind: str, data: bytes) -> Tensor:
        """Return the tensor stored as little-endian words of a kind such as ``"float32"``.

        Raises:
            InputError: the kind is unknown, or the sizes do not fit the bytes (nothing is built then).
        """
        if kind not in WORD_BYTES:
            raise InputError(f"tensor {shown_name(name)} holds numbers of kind {kind!r}, which cannot be read exactly")
        if any(size < 0 for size in shape):
            raise ShapeError(f"tensor {shown_name(name)} has a negative size in its shape {list(shape)}")
        if prod(shape) * WORD_BYTES[kind] != len(data):
            raise ShapeError(f"tensor {shown_name(name)} of shape {shown_shape(shape)} and kind {kind} should take "
                             f"{prod(shape)} words of {WORD_BYTES[kind]} bytes, but has {len(data)} bytes")
        return cls(name, shape, binary_words(data, kind))

    def matrix(self, where: str) -> Rows:
        """Return the exact rows of a two-dimensional tensor."""
        if len(self.shape) != 2 or 0 in self.shape:
            raise ShapeError(f"{where}: tensor {shown_name(self.name)} has the shape {shown_shape(self.shape)}; "
                             "a weight matrix (out x in) is needed")
        width = self.shape[1]
        exact = exact_floats(self.values, lambda k: f"{where}, weight row {k // width}, column {k % width} "
                                                    f"(tensor {shown_name(self.name)})")
        return tuple(exact[i:i + width] for i in range(0, len(exact), width))

    def vector(self, where: str) -> Row:
        """Return the exact entries of a one-dimensional tensor."""
        if len(self.shape) != 1:
            raise ShapeError(f"{where}: tensor {shown_name(self.name)} has the shape {shown_shape(self.shape)}; "
                             "a bias vector is needed")
        return exact_floats(self.values, lambda k: f"{where}, bias {k} (tensor {shown_name(self.name)})")


def shown_name(name: str) -> str:
    """Return a tensor name for messages: quoted, short, without control characters."""
    return repr(name if len(name) <= 60 else name[:57] + "...")


def shown_shape(shape: Sequence[int]) -> str:
    """Return a shape for messages."""
    text = " x ".join(map(str, shape)) or "()"
    return text if len(text) <= 60 else text[:57] + "..."


def natural_order(name: str) -> tuple[tuple[int, int, str], ...]:
    """Return a sort key in which ``layer10`` follows ``layer9``.

    >>> sorted(["layer10", "layer9"], key=natural_order)
    ['layer9', 'layer10']
    """
    parts = re.split(r"([0-9]{1,18})", name)
    return tuple((1, int(part), "") if k % 2 else (0, 0, part) for k, part in enumerate(parts))


def network_of_tensors(tensors: Sequence[Tensor], limits: FileLimits, ordered: bool) -> Network:
    """Return the network whose layers are named tensors, with a ReLU between consecutive layers and none at the end.

    Understood: ``arr_0, arr_1, ...`` (weights and biases in turn), ``W1, b1``, ``weights_0, biases_0``,
    ``0.weight, 0.bias``, ``net.fc1.weight, net.fc1.bias``.  A layer without bias has bias zero.

    Args:
        ordered: layers come in the order of the sequence; otherwise in the natural order of their names, which
            must then differ in numbers only.
    Raises:
        InputError: a tensor that is no weight and no bias; names that leave the order of the layers open.
    """
    limits.check_parameters(sum(len(tensor.values) for tensor in tensors))
    chain = LayerChain(limits)
    for layer, (weight, bias) in enumerate(_pairs(tensors, ordered), 1):
        where = f"layer {layer}"
        if layer > 1:
            chain.relu()
        rows = weight.matrix(where)
        chain.affine(rows, bias.vector(where) if bias is not None else (Fraction(0),) * len(rows), where)
    return chain.network()


def _pairs(tensors: Sequence[Tensor], ordered: bool) -> list[tuple[Tensor, Tensor | None]]:
    positions = [_POSITION.fullmatch(tensor.name) for tensor in tensors]
    if tensors and all(positions):
        by_position = sorted(tensors, key=lambda tensor: natural_order(tensor.name))
        if len(tensors) % 2 or [int(tensor.name[4:]) for tensor in by_position] != list(range(len(tensors))):
            raise InputError("arrays arr_0, arr_1, ... should be weights and biases in turn, without a gap")
        return list(zip(by_position[::2], by_position[1::2]))
    layers: dict[str, dict[str, Tensor]] = {}
    for tensor in tensors:
        match = next((m for m in (pattern.fullmatch(tensor.name) for pattern in _NAMES) if m), None)
        if match is None:
            raise InputError(f"tensor {shown_name(tensor.name)} is neither a weight nor a bias of a linear layer")
        role = "weight" if match["role"][0] in "wW" else "bias"
        found = layers.setdefault(match["stem"] or "", {})
        if role in found:
            raise InputError(f"tensors {shown_name(found[role].name)} and {shown_name(tensor.name)} are both the "
                             f"{role} of one layer")
        found[role] = tensor
    stems = list(layers)
    if not ordered:
        if len({re.sub(r"[0-9]+", "#", stem) for stem in stems}) > 1:
            shown = ", ".join(shown_name(stem) for stem in stems[:6])
            raise InputError(f"the names {shown} do not tell the order of the layers; number them (0.weight, 1.weight)")
        stems.sort(key=natural_order)
        if any(natural_order(a) == natural_order(b) for a, b in pairwise(stems)):
            raise InputError("two layers carry the same number")
    for stem in stems:
        if "weight" not in layers[stem]:
            raise InputError(f"tensor {shown_name(layers[stem]['bias'].name)} is a bias without a weight")
    return [(layers[stem]["weight"], layers[stem].get("bias")) for stem in stems]
