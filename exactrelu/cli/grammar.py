"""The command line grammar: which verbs there are and what each takes."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from typing import NoReturn

from exactrelu import __version__
from exactrelu.cli import extract_verb, fiber_verbs, logic_verb
from exactrelu.cli.options import NETWORK_HELP, UsageError, seconds

Verb = Callable[..., argparse.ArgumentParser]
"""Makes the parser of one verb: name, text, `networks` (positional network files), `domain` (whether it takes one)."""


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        raise UsageError(f"{message}\n{self.format_usage().strip()}")


ARCHITECTURE = "n0,...,nL+1"


def _common() -> _Parser:
    common = _Parser(add_help=False)
    group = common.add_argument_group("common options")
    group.add_argument("--json", action="store_true", help="print one JSON object")
    group.add_argument("--quiet", action="store_true", help="no progress; without --json only the verdict word")
    group.add_argument("-o", "--output", metavar="FILE", help="write the certificate (or the network) to this file")
    group.add_argument("--seed", type=int, default=0, metavar="N", help="seed of a randomized search (default 0)")
    group.add_argument("--max-cells", type=int, metavar="N", help="stop with `undecided` beyond this many cells")
    group.add_argument("--max-seconds", type=seconds, metavar="S", help="stop with `undecided` after this time")
    group.add_argument("--max-bits", type=int, metavar="N", help="stop with `undecided` when integers get longer")
    group.add_argument("--decimal", action="store_true", help='read text such as "0.1" as exactly 1/10')
    return common


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

    for group in (_tour, _networks, _geometry, _identifiability, _functions, _constructions, _fibers, _logic):
        group(verb)
    return top


def _tour(verb: Verb) -> None:
    demo = verb("demo", "guided tour on bundled networks; writes certificates and report.html", networks=())
    demo.add_argument("--folder", default="demo-output", metavar="FOLDER", help="where to write (default demo-output)")
    demo.add_argument("--networks", metavar="FOLDER", help="certify the network files of this folder instead")
    check = verb("check", "independent checker of a certificate", networks=())
    check.add_argument("certificate", metavar="CERT", help="certificate file (also gzipped) or -")
    check.add_argument("--network", metavar="NET", help="accept only a certificate about this network")
    check.add_argument("--domain", metavar="FILE", help="accept only a certificate about this domain")
    check.add_argument("--box", metavar="LO,HI", help="accept only a certificate about this box")


def _networks(verb: Verb) -> None:
    verb("info", "what is this network")
    convert = verb("convert", "change of format, exact or refused", networks=("source",))
    convert.add_argument("target", metavar="OUT", help="file to write; the suffix names the format")
    verb("canonical", "canonical representative modulo permutation and positive scaling")
    verb("equivalent", "the same parameter up to permutation and positive scaling", networks=("a", "b"))
    verb("equal", "the same function on the domain", networks=("a", "b"), domain=True)


def _geometry(verb: Verb) -> None:
    complex_ = verb("complex", "canonical complex and breakpoint complex", domain=True)
    complex_.add_argument("--backend", default="auto", help="auto, certified, int64, integer or reference")
    complex_.add_argument("--with-output", action="store_true", help="also count the complex cut by the zero sets of the outputs")
    verb("genericity", "genericity conditions, each with a witness where it fails", domain=True)


def _identifiability(verb: Verb) -> None:
    dimension = verb("dimension", "functional dimension at this parameter", networks=(), domain=True)
    dimension.add_argument("network", metavar="NETWORK", nargs="?", help=NETWORK_HELP)
    dimension.add_argument("--architecture", metavar=ARCHITECTURE, help="certified lower bound over sampled parameters instead")
    dimension.add_argument("--samples", type=int, default=100, metavar="N", help="parameters to sample with --architecture")
    dimension.add_argument("--histogram", action="store_true", help="with --architecture: draw all samples, even after N - H was reached")
    certify = verb("certify", "is this parameter identifiable", domain=True)
    certify.add_argument("--remove-dead", action="store_true", help="remove neurons proved dead first, and certify the reduced network")
    certify.add_argument("--fiber", metavar="FILE", help="write the certificate that the list of several parameters is complete")


def _functions(verb: Verb) -> None:
    dependency = verb("dependency", "what the function alone says about layers: classes, arcs, depth", domain=True)
    dependency.add_argument("--depth", metavar="FILE", help="write the certificate of the depth bound for supertransversal realizations")
    dependency.add_argument("--not-shallow", metavar="FILE", help="write the certificate that one hidden layer never suffices")
    dependency.add_argument("--graphml", metavar="FILE", help="write the graph as GraphML")
    dependency.add_argument("--graph-json", metavar="FILE", help="write the graph as JSON")
    reconstruct = verb("reconstruct", "the parameter from its function alone", domain=True)
    reconstruct.add_argument("--architecture", metavar=ARCHITECTURE, help="look for parameters of this architecture instead")


def _constructions(verb: Verb) -> None:
    construct = verb("construct", "exact parameters and examples on demand, each with its certificates", networks=())
    construct.add_argument("kind", metavar="KIND",
                           help="slab, depth-chain, linear-block, exchange, clip-reflection, three-ray, narrow, ambiguous")
    construct.add_argument("--architecture", metavar=ARCHITECTURE, help="widths from the inputs to the outputs")
    construct.add_argument("--randomised", "--randomized", type=int, metavar="K",
                           help="slab: draw with random bits, identifiable among all parameters with failure probability at most 2^-K")
    construct.add_argument("--size", type=int, metavar="K", help="linear-block: number of always active neurons (default 2)")
    construct.add_argument("--network", metavar="NET", help="narrow: report what a layer of one neuron does to this network")
    construct.add_argument("--domain", metavar="FILE", help="narrow --network: domain file")
    construct.add_argument("--box", metavar="LO,HI", help="narrow --network: domain as a box")
    construct.add_argument("--draw-seed", type=int, metavar="N", help="slab --randomised: seeded generator instead (heuristic only)")
    extract_verb.add_extract(verb)


def _fibers(verb: Verb) -> None:
    fiber_verbs.add_fiber_verbs(verb)
    conservation = verb("conservation", "polynomials that gradient flow conserves near this parameter", domain=True)
    conservation.add_argument("--degree", type=int, default=2, metavar="K", help="largest degree of the polynomials (default 2)")


def _logic(verb: Verb) -> None:
    top = verb("logic", "networks as formulae of Lukasiewicz logic, and derivations", networks=())
    questions = top.add_subparsers(dest="question", metavar="QUESTION", required=True, parser_class=_Parser)

    def add(name: str, text: str) -> argparse.ArgumentParser:
        return questions.add_parser(name, help=text, description=text, parents=[_common()])

    logic_verb.grammar(add)


_TAKES_TEXT = ("--box", "--max-seconds", "--seed", "--timeout")


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
