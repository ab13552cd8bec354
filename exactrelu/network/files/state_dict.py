"""A mapping from names to arrays, such as the `state_dict` of a PyTorch model; no library is imported.

An array is anything with `tolist()` (tensors are detached first), or nested lists.  Pickled files are never opened:
load the mapping yourself and pass it on.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from exactrelu.errors import InputError, ShapeError
from exactrelu.network.files.file_limits import FileLimits
from exactrelu.network.files.tensor import Tensor, network_of_tensors, shown_name
from exactrelu.network.network import Network


def network_of_state_dict(state: Mapping[str, Any], limits: FileLimits | None = None) -> Network:
    """Return the network whose linear layers are the entries of a mapping, in the order of the mapping.

    Between consecutive layers there is a ReLU, none after the last one; a mapping of parameters does not say so,
    hence this is the meaning it is given.  Floats are read as the exact dyadic rationals they are.

    Args:
        state: names such as ``0.weight``, ``0.bias``, ``2.weight`` and array-likes, weights out x in.
    Raises:
        InputError: an entry that is no weight and no bias of a linear layer; sizes that do not fit.

    >>> network_of_state_dict({"fc.weight": [[0.5, -1]], "fc.bias": [0.25]})([1, 1])
    (Fraction(-1, 4),)
    """
    if not isinstance(state, Mapping):
        raise InputError(f"a mapping from names to arrays is needed, got {type(state).__name__}")
    tensors = [_tensor(name, value) for name, value in state.items()]
    return network_of_tensors(tensors, limits or FileLimits(), ordered=True)


def _tensor(name: Any, value: Any) -> Tensor:
    if not isinstance(name, str):
        raise InputError(f"names are texts, got {str(name)[:40]!r}")
    for method in ("detach", "tolist"):
        if hasattr(value, method):
            value = getattr(value, method)()
    if not isinstance(value, (list, tuple)):
        return Tensor(name, (), [value])
    if not any(isinstance(row, (list, tuple)) for row in value):
        return Tensor(name, (len(value),), value)
    flat: list[Any] = []
    width: int | None = None
    for i, row in enumerate(value):
        if not isinstance(row, (list, tuple)):
            raise ShapeError(f"tensor {shown_name(name)}, row {i} is not a list")
        if any(isinstance(x, (list, tuple)) for x in row):
            raise ShapeError(f"tensor {shown_name(name)} has more than two dimensions; only linear layers can be read")
        if width is not None and len(row) != width:
            raise ShapeError(f"tensor {shown_name(name)}, row {i} has {len(row)} entries, expected {width}")
        width = len(row)
        flat.extend(row)
    return Tensor(name, (len(value), width or 0), flat)
