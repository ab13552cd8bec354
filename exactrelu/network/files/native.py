"""The network file of this package: JSON with rationals as text, as `Network.to_json` gives it."""

from __future__ import annotations

from typing import Any

from exactrelu.arithmetic.rational import MAX_DIGITS
from exactrelu.certificates.document import canonical_text
from exactrelu.errors import ExactnessError, InputError, ShapeError
from exactrelu.network.files.file_limits import FileLimits, check_exponents, decoded_text
from exactrelu.network.files.network_entries import entries
from exactrelu.network.files.strict_json import check_header, json_list, json_object, json_rational
from exactrelu.network.network import Network

FORMAT = "exactrelu/network"


def read_native(data: bytes, limits: FileLimits, decimal: bool = False) -> Network:
    """Return the network of a JSON file.

    Args:
        decimal: read text such as ``"0.1"`` as exactly 1/10 instead of refusing it.
    Raises:
        InputError: anything but the format; names layer, row and column.

    >>> read_native(b'{"weights": [[["1/2"]]], "biases": [[0]]}', FileLimits())([4])
    (Fraction(2, 1),)
    """
    text = decoded_text(data)
    if decimal:
        check_exponents(text)
    document = json_object(text, 3 * limits.max_parameters + 1000)
    check_header(document, FORMAT, ("architecture", "weights", "biases"))
    for key in ("weights", "biases"):
        if key not in document:
            raise InputError(f"the key {key!r} is missing")
    weights = []
    for layer, matrix in enumerate(json_list(document["weights"], "weights"), 1):
        rows = []
        for i, row in enumerate(json_list(matrix, f"layer {layer}, weights")):
            where = f"layer {layer}, weight row {i}"
            entries_of_row = enumerate(json_list(row, where))
            rows.append([json_rational(x, f"{where}, column {j}", decimal) for j, x in entries_of_row])
        weights.append(rows)
    biases = []
    for layer, vector in enumerate(json_list(document["biases"], "biases"), 1):
        entries = json_list(vector, f"layer {layer}, bias")
        biases.append([json_rational(x, f"layer {layer}, bias {i}", decimal) for i, x in enumerate(entries)])
    limits.check_parameters(sum(len(row) for rows in weights for row in rows) + sum(map(len, biases)))
    network = Network(weights, biases)
    _check_architecture(document, network)
    return network


def _check_architecture(document: dict[str, Any], network: Network) -> None:
    if "architecture" not in document:
        return
    stated = json_list(document["architecture"], "architecture")
    if any(type(width) is not int for width in stated):
        raise InputError("architecture should be a list of integers")
    if tuple(stated) != network.architecture.widths:
        raise ShapeError(f"architecture says {str(stated)[:200]}, the weights say {list(network.architecture.widths)}")


def write_native(network: Network) -> bytes:
    """Return the network file; always exact.

    Raises:
        ExactnessError: a number is longer than the reader accepts.

    >>> write_native(Network([[["1/2"]]], [[0]]))[:29]
    b'{"architecture":[1,1],"biases'
    """
    bound = 10 ** MAX_DIGITS
    for where, value in entries(network):
        if abs(value.numerator) >= bound or value.denominator >= bound:
            raise ExactnessError(f"{where}: a number of more than {MAX_DIGITS} digits cannot be written")
    return canonical_text(network.to_json()).encode("ascii")
