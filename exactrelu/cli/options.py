"""Reading networks, domains and limits from the options of a command."""

from __future__ import annotations

import argparse
from typing import Any

from exactrelu.errors import InputError
from exactrelu.limits import Limits
from exactrelu.network.files.load import NetworkFile, load_with_box
from exactrelu.network.network import Network
from exactrelu.polyhedra.domain import Domain

NETWORK_HELP = "network file (.json, .nnet, .npz, .onnx, .safetensors) or - for JSON on standard input"


class UsageError(InputError):
    """The command line cannot be understood."""


def seconds(text: str) -> float:
    """Read a number of seconds, for argparse."""
    try:
        return float(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number of seconds") from None


def limits_of(options: argparse.Namespace) -> Limits:
    """The limits asked for; what is not given has its default."""
    given: dict[str, Any] = {name: getattr(options, name) for name in ("max_cells", "max_seconds", "max_bits")
                             if getattr(options, name) is not None}
    return Limits(**given)


def network_file(options: argparse.Namespace, path: str) -> NetworkFile:
    """Read a network file as the options say."""
    return load_with_box(path, decimal=options.decimal)


def domain_of(options: argparse.Namespace, network: Network, found: NetworkFile | None = None) -> Domain:
    """The domain asked for: --domain, --box, or all of R^d."""
    return domain_of_dimension(options, network.architecture.inputs, found)


def domain_of_dimension(options: argparse.Namespace, d: int, found: NetworkFile | None = None) -> Domain:
    """The domain asked for, in R^d."""
    if options.domain is not None and options.box is not None:
        raise UsageError("give --domain or --box, not both")
    if options.domain is not None:
        from exactrelu.polyhedra.domain_file import load_domain

        return load_domain(options.domain, d, decimal=options.decimal)
    if options.box is None:
        return Domain.space(d)
    if options.box == "file":
        if found is None or found.input_box is None:
            raise UsageError("--box file: this network file states no input box")
        return Domain.box(d, found.input_box)
    return Domain.parse_box(d, options.box, options.decimal)
