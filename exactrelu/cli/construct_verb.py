"""construct."""

from __future__ import annotations

from argparse import Namespace

from exactrelu.cli.answer import Answer, clipped
from exactrelu.cli.options import limits_of


def construct(options: Namespace) -> Answer:
    """Exact parameters and examples on demand; with -o the networks, the domain and the certificates are written to a folder."""
    from exactrelu.constructions.kinds import Request
    from exactrelu.constructions.kinds import construct as constructed
    from exactrelu.network.architecture import Architecture

    architecture = Architecture.parse(options.architecture) if options.architecture is not None else None
    made = constructed(options.kind, Request(architecture, options.seed, options.randomised, options.draw_seed, limits_of(options)))
    fields = made.written_fields(options.output) if options.output is not None else made.fields()
    lines = [f"{made.kind} of {made.networks[0].architecture}" + (f" and {len(made.networks) - 1} more" if len(made.networks) > 1 else "")]
    for claim in made.claims:
        proof = f" [{claim.certificate.kind}, {len(claim.certificate.text)} bytes, accepted by the checker]" if claim.certificate else ""
        lines.append(f"claim: {claim.text}{proof}")
    lines += [f"{name}: {clipped(str(value), 120)}" for name, value in made.facts.items()]
    if options.output is not None:
        lines.append(f"networks, domain and certificates written to {options.output}")
    else:
        lines.append("-o FOLDER writes the networks, the domain and the certificates")
    return Answer(made.verdict, fields, tuple(lines))
