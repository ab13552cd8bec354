"""conservation."""

from __future__ import annotations

from argparse import Namespace

from exactrelu.cli.answer import CERTIFIED, UNDECIDED, Answer, clipped
from exactrelu.cli.network_verbs import written
from exactrelu.cli.options import domain_of, limits_of, network_file


def conservation(options: Namespace) -> Answer:
    """Polynomials that gradient flow conserves near this parameter."""
    from exactrelu.fibers.conservation.report import conservation as laws_near

    found = network_file(options, options.network)
    domain = domain_of(options, found.network, found)
    result = laws_near(found.network, domain, degree=options.degree, seed=options.seed, limits=limits_of(options))
    if result.certificate is not None:
        result.certificate.verify()
    fields = {**result.fields(), "certificate": written(result.certificate, options.output)}
    lines = [result.reason, *(f"law: {clipped(text, 160)}" for text in result.texts)]
    shown = {(s.name, s.law is not None, s.reason) for s in result.symmetries}
    lines += [f"symmetry: {name}, {'a law' if law else 'no law'}: {reason}" for name, law, reason in sorted(shown)]
    spans = ", ".join(map(str, result.hull.dimensions))
    lines.append(f"gradient fields and their brackets span {spans} of {fields['parameters']} directions")
    if result.certificate is not None:
        lines.append(f"certificate: {result.certificate.kind}, {len(result.certificate.text)} bytes, accepted by the checker"
                     + (f", written to {options.output}" if options.output else ""))
    return Answer(result.verdict, fields, tuple(lines), CERTIFIED if result.complete else UNDECIDED)
