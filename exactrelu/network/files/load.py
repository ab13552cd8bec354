"""Reading a network file of any format, by its suffix."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import PurePath
from typing import TYPE_CHECKING

from exactrelu.errors import InputError
from exactrelu.network.files.file_limits import FileLimits, PathLike, in_file, read_bytes
from exactrelu.network.files.native import read_native
from exactrelu.network.network import Network

if TYPE_CHECKING:
    from exactrelu.network.files.nnet import InputBox

SUFFIXES = (".json", ".nnet", ".npz", ".onnx", ".safetensors")


@dataclass(frozen=True)
class NetworkFile:
    """What a network file holds.

    Attributes:
        network: the function of raw inputs.
        input_box: the interval of every input, where the format states one (`.nnet`), else None.
    """

    network: Network
    input_box: InputBox | None = None


def load(path: PathLike, *, decimal: bool = False, limits: FileLimits | None = None) -> Network:
    """Return the network in a file, every number exact.

    Args:
        path: ``*.json`` (also without a suffix), ``*.nnet``, ``*.npz``, ``*.onnx``, ``*.safetensors``, or ``"-"`` for
            JSON on standard input.
        decimal: in JSON, read text such as ``"0.1"`` as exactly 1/10 instead of refusing it.
        limits: bounds on the size of the file.
    Raises:
        InputError: the file cannot be read as a network; names file, layer, row and column.
        MissingBackend: a library for the format is not installed.
    Exactness: binary floats are the dyadic rationals they are, `.nnet` decimals the decimal rationals they are.
    """
    return load_with_box(path, decimal=decimal, limits=limits).network


def load_with_box(path: PathLike, *, decimal: bool = False, limits: FileLimits | None = None) -> NetworkFile:
    """Return the network in a file together with the input box the file states; arguments as for `load`."""
    limits = limits or FileLimits()
    with in_file(path):
        suffix = _suffix(path)
        if suffix not in SUFFIXES:
            cure = "; load the state_dict yourself and pass it to network_of_state_dict"
            raise InputError(f"has the suffix {suffix!r}; known are {', '.join(SUFFIXES)}"
                             + (cure if suffix in (".pt", ".pth") else ""))
        data = read_bytes(path, limits)
        if suffix == ".json":
            return NetworkFile(read_native(data, limits, decimal))
        if suffix == ".nnet":
            from exactrelu.network.files.nnet import read_nnet

            return NetworkFile(*read_nnet(data, limits))
        return NetworkFile(_binary_reader(suffix)(data, limits))


def _suffix(path: PathLike) -> str:
    """Return the suffix of a file name in lower case; JSON where there is none."""
    text = os.fspath(path)
    return ".json" if text == "-" else PurePath(text).suffix.lower() or ".json"


def _binary_reader(suffix: str) -> Callable[[bytes, FileLimits], Network]:
    if suffix == ".npz":
        from exactrelu.network.files.npz import read_npz

        return read_npz
    if suffix == ".onnx":
        from exactrelu.network.files.onnx_file import read_onnx

        return read_onnx
    from exactrelu.network.files.safetensors_file import read_safetensors

    return read_safetensors
