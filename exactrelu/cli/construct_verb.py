"""construct."""

from __future__ import annotations

from argparse import Namespace

from exactrelu.cli.answer import Answer, clipped
from exactrelu.cli.network_verbs import writes_nothing
from exactrelu.cli.options import UsageError, domain_of, limits_of, network_file


def construct(options: Namespace) -> Answer:
    """Exact parameters and examples on demand; with -o the networks, the domain and the certificates are written to a folder."""
    from exactrelu.constructions.kinds import Request
    from exactrelu.constructions.kinds import construct as constructed
    from exactrelu.network.architecture import Architecture

    if options.network is not None:
        return _bottleneck(options)
    architecture = Architecture.parse(options.architecture) if options.architecture is not None else None
    made = constructed(options.kind, Request(architecture, options.seed, options.randomised, options.draw_seed, options.size,
                                             limits_of(options)))
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


def _bottleneck(options: Namespace) -> Answer:
    """The structure behind a layer of one neuron of a given network."""
    from exactrelu.constructions.bottleneck_report import bottleneck_report

    if options.kind != "narrow":
        raise UsageError("--network belongs to `construct narrow`")
    writes_nothing(options)
    found = network_file(options, options.network)
    report = bottleneck_report(found.network, domain_of(options, found.network, found), limits=limits_of(options))
    for document in report.certificates:
        document.verify()
    fields = report.fields()
    lines = [f"behind layer {report.layer} the network is a function of one number t >= 0",
             "breaks: " + (", ".join(f"t = {t}" for t, _ in report.breaks) or "none"),
             f"constant at the start: {fields['constant_at_start']}, at the end: {fields['constant_at_end']}"]
    if report.orientations is not None:
        lines.append("orientations of the layer behind: " + ", ".join(str(list(signs)) for signs in report.orientations))
    lines += [f"another parameter with this function: {p.reason} [not-identifiable, accepted by the checker]" for p in report.parameters]
    return Answer(report.verdict, fields, tuple(lines))
