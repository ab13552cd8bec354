"""Writing a network file of any format, by its suffix: exact, or refused."""

from __future__ import annotations

from pathlib import PurePath
from typing import TYPE_CHECKING

from exactrelu.errors import InputError
from exactrelu.network.files.file_limits import PathLike, in_file, write_bytes
from exactrelu.network.files.load import SUFFIXES
from exactrelu.network.files.native import write_native
from exactrelu.network.network import Network

if TYPE_CHECKING:
    from exactrelu.network.files.nnet import InputBox


def save(network: Network, path: PathLike, *, input_box: InputBox | None = None) -> None:
    """Write a network so that `load` gives back the identical network.

    Args:
        path: ``*.json`` is always possible; ``*.npz``, ``*.onnx`` and ``*.safetensors`` where every number is exactly
            a float64; ``*.nnet`` where every number is a finite decimal.
        input_box: intervals of the inputs, written to `.nnet` files only.
    Raises:
        ExactnessError: a number has no exact form in the format; names layer, row, column and value.
        InputError: an unknown suffix, or the system refuses to write.
    """
    with in_file(path):
        data = written(network, PurePath(path).suffix.lower(), input_box)
    write_bytes(path, data)


def written(network: Network, suffix: str, input_box: InputBox | None = None) -> bytes:
    """Return the bytes of a network file of the format with this suffix.

    >>> written(Network([[[1]]], [[0]]), ".json")[:24]
    b'{"architecture":[1,1],"b'
    """
    if suffix == ".json":
        return write_native(network)
    if suffix == ".nnet":
        from exactrelu.network.files.nnet import write_nnet

        return write_nnet(network, input_box)
    if suffix == ".npz":
        from exactrelu.network.files.npz import write_npz

        return write_npz(network)
    if suffix == ".onnx":
        from exactrelu.network.files.onnx_file import write_onnx

        return write_onnx(network)
    if suffix == ".safetensors":
        from exactrelu.network.files.safetensors_file import write_safetensors

        return write_safetensors(network)
    raise InputError(f"has the suffix {suffix!r}; known are {', '.join(SUFFIXES)}")
