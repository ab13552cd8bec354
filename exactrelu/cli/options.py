"""The command line grammar, and reading networks, domains and limits from options."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import Any, NoReturn

from exactrelu import __version__
from exactrelu.errors import InputError
from exactrelu.limits import Limits
from exactrelu.network.files.load import NetworkFile, load_with_box
from exactrelu.network.network import Network
from exactrelu.polyhedra.domain import Domain


class UsageError(InputError):
    """The command line cannot be understood."""


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        raise UsageError(f"{message}\n{self.format_usage().strip()}")


NETWORK_HELP = "network file (.json, .nnet, .npz, .onnx, .safetensors) or - for JSON on standard input"


def _common() -> _Parser:
    common = _Parser(add_help=False)
    group = common.add_argument_group("common options")
    group.add_argument("--json", action="store_true", help="print one JSON object")
    group.add_argument("--quiet", action="store_true", help="no progress; without --json only the verdict word")
    group.add_argument("-o", "--output", metavar="FILE", help="write the certificate (or the network) to this file")
    group.add_argument("--seed", type=int, default=0, metavar="N", help="seed of a randomized search (default 0)")
    group.add_argument("--max-cells", type=int, metavar="N", help="stop with `undecided` beyond this many cells")
    group.add_argument("--max-seconds", type=_seconds, metavar="S", help="stop with `undecided` after this time")
    group.add_argument("--max-bits", type=int, metavar="N", help="stop with `undecided` when integers get longer")
    group.add_argument("--decimal", action="store_true", help='read text such as "0.1" as exactly 1/10')
    return common


def _seconds(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number of seconds") from None


def parser() -> argparse.ArgumentParser:
    """Return the parser of the whole command line."""
    top = _Parser(prog="exactrelu", description="Exact rational geometry of ReLU networks: answers with proof.",
                  epilog="exit codes: 0 certified, 1 refuted with a witness, 2 usage or input error, 3 undecided, 4 internal inconsistency")
    top.add_argument("--version", action="version", version=f"exactrelu {__version__}")
    verbs = top.add_subparsers(dest="verb", metavar="VERB", required=True, parser_class=_Parser)
    common = _common()

    def verb(name: str, text: str, *, networks: Sequence[str] = ("network",), domain: bool = False) -> argparse.ArgumentParser:
        made = verbs.add_parser(name, help=text, description=text, parents=[common])
        for place in networks:
            made.add_argument(place, metavar=place.upper(), help=NETWORK_HELP)
        if domain:
            made.add_argument("--domain", metavar="FILE", help="domain file: rows [b, a1, ..., ad] mean b + a.x >= 0")
            made.add_argument("--box", metavar="LO,HI", help='"-1,1" for every coordinate, "-1,1;0,2" one pair each, '
                                                             "or `file` for the input box that a .nnet file states")
        return made

    demo = verb("demo", "guided tour on bundled networks; writes certificates and report.html", networks=())
    demo.add_argument("--folder", default="demo-output", metavar="FOLDER", help="where to write (default demo-output)")
    demo.add_argument("--networks", metavar="FOLDER", help="certify the network files of this folder instead")
    verb("info", "what is this network")
    convert = verb("convert", "change of format, exact or refused", networks=("source",))
    convert.add_argument("target", metavar="OUT", help="file to write; the suffix names the format")
    complex_ = verb("complex", "canonical complex and breakpoint complex", domain=True)
    complex_.add_argument("--backend", default="auto", help="auto, certified, int64, integer or reference")
    complex_.add_argument("--with-output", action="store_true", help="also count the complex cut by the zero sets of the outputs")
    verb("genericity", "genericity conditions, each with a witness where it fails", domain=True)
    dimension = verb("dimension", "functional dimension at this parameter", networks=(), domain=True)
    dimension.add_argument("network", metavar="NETWORK", nargs="?", help=NETWORK_HELP)
    dimension.add_argument("--architecture", metavar="n0,...,nL+1", help="certified lower bound over sampled parameters instead")
    dimension.add_argument("--samples", type=int, default=100, metavar="N", help="parameters to sample with --architecture")
    certify = verb("certify", "is this parameter identifiable", domain=True)
    certify.add_argument("--remove-dead", action="store_true", help="remove neurons proved dead first, and certify the reduced network")
    dependency = verb("dependency", "what the function alone says about layers: classes, arcs, depth", domain=True)
    dependency.add_argument("--depth", metavar="FILE", help="write the certificate of the depth bound for supertransversal realizations")
    dependency.add_argument("--not-shallow", metavar="FILE", help="write the certificate that one hidden layer never suffices")
    dependency.add_argument("--graphml", metavar="FILE", help="write the graph as GraphML")
    dependency.add_argument("--graph-json", metavar="FILE", help="write the graph as JSON")
    reconstruct = verb("reconstruct", "the parameter from its function alone", domain=True)
    reconstruct.add_argument("--architecture", metavar="n0,...,nL+1", help="look for parameters of this architecture instead")
    certify.add_argument("--fiber", metavar="FILE", help="write the certificate that the list of several parameters is complete")
    check = verb("check", "independent checker of a certificate", networks=())
    check.add_argument("certificate", metavar="CERT", help="certificate file (also gzipped) or -")
    check.add_argument("--network", metavar="NET", help="accept only a certificate about this network")
    check.add_argument("--domain", metavar="FILE", help="accept only a certificate about this domain")
    check.add_argument("--box", metavar="LO,HI", help="accept only a certificate about this box")
    verb("canonical", "canonical representative modulo permutation and positive scaling")
    verb("equivalent", "the same parameter up to permutation and positive scaling", networks=("a", "b"))
    verb("equal", "the same function on the domain", networks=("a", "b"), domain=True)
    return top


_TAKES_TEXT = ("--box", "--max-seconds", "--seed")


def joined(arguments: Sequence[str]) -> list[str]:
    """Join an option with a value that starts with a minus sign, which argparse would take for an option."""
    out: list[str] = []
    at = 0
    while at < len(arguments):
        here = arguments[at]
        if here in _TAKES_TEXT and at + 1 < len(arguments) and arguments[at + 1][:1] == "-" and arguments[at + 1][:2] not in ("--", "-o"):
            out.append(f"{here}={arguments[at + 1]}")
            at += 2
        else:
            out.append(here)
            at += 1
    return out


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
