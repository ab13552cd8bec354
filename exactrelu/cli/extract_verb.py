"""extract: a network from exact queries to a program."""

from __future__ import annotations

import argparse
from argparse import Namespace
from collections.abc import Callable
from pathlib import Path

from exactrelu.cli.answer import CERTIFIED, UNDECIDED, Answer, clipped
from exactrelu.cli.options import domain_of_dimension, limits_of, seconds

Verb = Callable[..., argparse.ArgumentParser]


def add_extract(verb: Verb) -> None:
    """Add the grammar of `extract`; `verb` makes the parser of one verb."""
    made = verb("extract", "a network from exact queries to a program", networks=(), domain=True)
    made.add_argument("--oracle", metavar="CMD", required=True,
                      help="program and arguments; reads one JSON list of rationals a line and answers each with one")
    made.add_argument("--architecture", metavar="n0,...,nL+1", required=True, help="widths of the network behind the program")
    made.add_argument("--timeout", type=seconds, default=10, metavar="S", help="seconds to wait for one answer (default 10)")


def extract(options: Namespace) -> Answer:
    """A network from exact queries; exit code 0 only for the label `certified`."""
    from exactrelu.extraction.extract import extract as extraction
    from exactrelu.extraction.outcome import CERTIFIED as CERTIFIED_LABEL
    from exactrelu.extraction.process_oracle import ProcessOracle
    from exactrelu.network.architecture import Architecture
    from exactrelu.network.files.save import save

    architecture = Architecture.parse(options.architecture)
    domain = domain_of_dimension(options, architecture.inputs)
    oracle = ProcessOracle(options.oracle, options.timeout, decimal=options.decimal)
    result = extraction(oracle, architecture, domain, seed=options.seed, limits=limits_of(options))
    fields = result.fields()
    fields["written"] = []
    for k, network in enumerate(result.candidates if options.output else ()):
        path = Path(options.output)
        target = path if k == 0 else path.with_name(f"{path.stem}-{k + 1}{path.suffix}")
        save(network, str(target))
        fields["written"].append(str(target))
    lines = [f"{result.label}: {result.reason}" if result.label else result.reason]
    if result.promise:
        lines.append(f"promise: {result.promise}")
    lines += [f"flag {flag.code}: {clipped(flag.reason, 160)}" for flag in result.flags]
    lines.append(f"queries: {result.queries}")
    lines += [f"written {path}" for path in fields["written"]]
    return Answer(result.verdict, fields, tuple(lines), CERTIFIED if result.label == CERTIFIED_LABEL else UNDECIDED)
