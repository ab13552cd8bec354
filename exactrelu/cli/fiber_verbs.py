"""fiber, minimal-width."""

from __future__ import annotations

import argparse
from argparse import Namespace
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from exactrelu.cli.answer import CERTIFIED, UNDECIDED, Answer, clipped
from exactrelu.cli.options import UsageError, domain_of, limits_of, network_file
from exactrelu.errors import InputError

if TYPE_CHECKING:
    from exactrelu.fibers.fiber import Fiber
    from exactrelu.network.network import Network

Verb = Callable[..., argparse.ArgumentParser]
EXPORTS = {"smt2": "SMT-LIB 2 (logic QF_NRA)", "sympy": "a Python file for sympy", "latex": "LaTeX", "text": "plain text",
           "macaulay2": "Macaulay2 ideals of the equations"}
"""Options that write the system, and what they write."""
MOST_SHOWN = 20


def add_fiber_verbs(verb: Verb) -> None:
    """Add the grammar of `fiber` and `minimal-width`; `verb` makes the parser of one verb."""
    fiber = verb("fiber", "all parameters with the same function", domain=True)
    for name, what in EXPORTS.items():
        fiber.add_argument(f"--{name}", metavar="FILE", help=f"write the polynomial system: {what}")
    fiber.add_argument("--sample", type=int, default=0, metavar="N", help="draw N parameters with the function, exactly (files with -o)")
    fiber.add_argument("--search", action="store_true",
                       help="two hidden layers and more: first look for all parameters of the architecture, as `certify` does")
    width = verb("minimal-width", "fewest neurons for the function of a network with one hidden layer", domain=True)
    for made in (fiber, width):
        made.add_argument("--biases", choices=("all", "hidden", "none"), default="all",
                          help="one hidden layer: which biases networks may have (hidden: no output bias)")


def fiber(options: Namespace) -> Answer:
    """All parameters with the same function; with -o the sampled networks are written."""
    from exactrelu.fibers.fiber import fiber as fiber_of
    from exactrelu.fibers.shallow.setting import Biases

    if options.sample < 0:
        raise UsageError("--sample needs a number of at least 0")
    if options.output and not options.sample:
        raise UsageError("-o writes sampled networks here; say how many with --sample N")
    found = network_file(options, options.network)
    result = fiber_of(found.network, domain_of(options, found.network, found), biases=Biases(options.biases), search=options.search,
                      seed=options.seed, limits=limits_of(options))
    fields = result.fields()
    samples = result.samples(options.sample, options.seed)
    fields["samples"] = [network.to_json() for network in samples]
    fields["written"] = _written(options, result, samples)
    if result.certificate is not None:
        result.certificate.verify()
        fields["certificate_sha256"] = result.certificate.sha256
    lines = [f"scope: {result.scope}", result.union.note]
    for k, stratum in enumerate(result.strata[:MOST_SHOWN], 1):
        size = f"{stratum.dimension}" if stratum.exact else f"at most {stratum.dimension}"
        rest = f"{stratum.dimension_mod_scaling} modulo scaling); {len(stratum.part.equations)} equations"
        lines.append(f"stratum {k}: dimension {size} ({rest}; {clipped(stratum.part.description)}")
    if len(result.strata) > MOST_SHOWN:
        lines.append(f"... {len(result.strata) - MOST_SHOWN} more strata")
    lines += [f"symmetry: {clipped(text, 160)}" for text in result.symmetries[:MOST_SHOWN]]
    lines += [f"written {path}" for path in fields["written"]]
    return Answer(result.verdict, fields, tuple(lines), CERTIFIED if result.complete else UNDECIDED)


def _written(options: Namespace, result: Fiber, samples: list[Network]) -> list[str]:
    """Write the exports and the samples; return the paths."""
    from exactrelu.fibers.semialgebraic.latex import latex
    from exactrelu.fibers.semialgebraic.macaulay2 import macaulay2
    from exactrelu.fibers.semialgebraic.smtlib import smtlib
    from exactrelu.fibers.semialgebraic.sympy_export import sympy_script
    from exactrelu.fibers.semialgebraic.text import text
    from exactrelu.network.files.save import save

    makers: dict[str, Callable[[], str]] = {
        "smt2": lambda: smtlib(result.union), "sympy": lambda: sympy_script(result.union), "latex": lambda: latex(result.union),
        "text": lambda: text(result.union), "macaulay2": lambda: "\n".join(macaulay2(part) for part in result.union.parts)}
    paths = []
    for name, make in makers.items():
        target = getattr(options, name)
        if target:
            try:
                Path(target).write_text(make(), encoding="utf-8")
            except OSError as error:
                raise InputError(f"{target} cannot be written: {error.strerror}") from None
            paths.append(target)
    for k, network in enumerate(samples if options.output else ()):
        path = Path(options.output)
        target = str(path if k == 0 else path.with_name(f"{path.stem}-{k + 1}{path.suffix}"))
        save(network, target)
        paths.append(target)
    return paths


def minimal_width(options: Namespace) -> Answer:
    """Fewest neurons for a shallow function; with -o a network of that width is written."""
    from exactrelu.fibers.shallow.ground import Ground
    from exactrelu.fibers.shallow.minimal_width import minimal_width as least
    from exactrelu.fibers.shallow.setting import Biases, Setting
    from exactrelu.network.files.save import save

    found = network_file(options, options.network)
    setting = Setting.of(found.network, Ground(domain_of(options, found.network, found)), Biases(options.biases))
    result = least(setting, limits_of(options))
    fields = result.fields()
    network = result.network
    fields["network"] = None if network is None else network.to_json()
    width = f"width {result.upper}" if result.exact else f"width between {result.lower} and {result.upper}"
    lines = [width, f"visible hyperplanes: {setting.form.visible}", result.reason]
    if network is None:
        lines.append("a constant needs no neuron")
    elif options.output:
        save(network, options.output)
        lines.append(f"written {options.output}")
    return Answer(result.verdict, fields, tuple(lines), CERTIFIED if result.exact else UNDECIDED)
