"""info, convert, canonical, equivalent, equal."""

from __future__ import annotations

from argparse import Namespace
from pathlib import Path

from exactrelu.certificates.certificate import Certificate
from exactrelu.cli.answer import REFUTED, UNDECIDED, Answer, clipped, point_line
from exactrelu.cli.options import UsageError, domain_of, limits_of, network_file
from exactrelu.errors import InputError

EQUAL_BECAUSE = {"trivial symmetry": "the parameters agree up to permutation and positive scaling, so the functions agree everywhere",
                 "split tree": "equal affine maps on all cells of a common split tree",
                 "split tree on the affine hull": "equal affine maps on all cells of a common split tree of the flat domain",
                 "canonical form of shallow networks": "the same kinks and the same affine part: canonical forms of one hidden layer agree",
                 "exact evaluation": "equal values at the only point of the domain"}
CODES = {"undecided": UNDECIDED, "inequivalent": REFUTED, "different": REFUTED}


def info(options: Namespace) -> Answer:
    """What is this network."""
    from exactrelu.network.degenerate import degenerate_neurons

    writes_nothing(options)
    found = network_file(options, options.network)
    network, architecture = found.network, found.network.architecture
    neurons = degenerate_neurons(network)
    fields = {"architecture": list(architecture.widths), "parameters": architecture.parameters,
              "hidden_neurons": architecture.hidden_neurons, "expected_dimension": architecture.expected_dimension,
              "max_bits": network.max_bits, "degenerate": [d.to_json() for d in neurons]}
    if found.input_box is not None:
        fields["input_box"] = [[str(a), str(b)] for a, b in found.input_box]
    lines = [f"architecture {architecture}", f"parameters {architecture.parameters}, hidden neurons {architecture.hidden_neurons}, "
             f"expected functional dimension {architecture.expected_dimension}",
             f"longest numerator or denominator: {network.max_bits} bits"]
    lines += [f"neuron ({d.layer}, {d.place}): {d.kind}" for d in neurons]
    return Answer("network", fields, tuple(lines))


def convert(options: Namespace) -> Answer:
    """Change of format, exact or refused."""
    from exactrelu.network.files.save import save

    writes_nothing(options)
    found = network_file(options, options.source)
    save(found.network, options.target, input_box=found.input_box)
    return Answer("exact", {"exact": True, "written": options.target}, (f"written {options.target}",))


def canonical(options: Namespace) -> Answer:
    """Canonical representative modulo trivial symmetry."""
    from exactrelu.network.canonical_form import CanonicalForm
    from exactrelu.network.files.save import save
    from exactrelu.verbs import canonical as canonical_of

    result = canonical_of(network_file(options, options.network).network, limits=limits_of(options))
    if not isinstance(result.form, CanonicalForm):
        return Answer(result.verdict, result.fields(), (f"no canonical form: {result.form.reason}",), UNDECIDED)
    if options.output:
        save(result.form.network, options.output)
    return Answer(result.verdict, {**result.fields(), "written": options.output}, (f"sha256 {result.form.sha256}",))


def equivalent(options: Namespace) -> Answer:
    """The same parameter up to permutation and positive scaling."""
    from exactrelu.verbs import equivalent as equivalence_of

    result = equivalence_of(network_file(options, options.a).network, network_file(options, options.b).network)
    fields = {**result.fields(), "certificate": written(result.certificate, options.output)}
    lines = [f"reason: {result.reason}"] if result.reason else []
    for i, move in enumerate(fields.get("moves", ()), 1):
        lines.append(f"layer {i}: permutation {move['permutation']}, scales {clipped(str(move['scale']))}")
    return Answer(result.verdict, fields, tuple(lines), CODES.get(result.verdict, 0))


def equal(options: Namespace) -> Answer:
    """The same function on the domain."""
    from exactrelu.verbs import equal as equality_of

    first = network_file(options, options.a)
    a, b = first.network, network_file(options, options.b).network
    result = equality_of(a, b, domain_of(options, a, first), seed=options.seed, limits=limits_of(options))
    fields = {**result.fields(), "certificate": written(result.certificate, options.output)}
    lines = [f"reason: {result.reason}"] if result.reason else []
    if result.witness is not None:
        shown = result.witness.to_json()
        lines += [f"at {point_line(shown['point'])}", *(f"{name} = {point_line(v)}" for name, v in zip("ab", shown["values"]))]
    elif result.verdict == "equal":
        lines.append(EQUAL_BECAUSE[result.method])
    return Answer(result.verdict, fields, tuple(lines), CODES.get(result.verdict, 0))


def writes_nothing(options: Namespace) -> None:
    """Refuse -o where there is nothing to write."""
    if options.output is not None:
        raise UsageError(f"`{options.verb}` has no certificate to write; leave out -o")


def written(certificate: Certificate | None, path: str | None) -> str | None:
    """Write a certificate that has been verified, if a file was asked for; return the path."""
    if path is None or certificate is None:
        return None
    write_text(path, certificate.text)
    return path


def write_text(path: str, text: str) -> None:
    """Write a document; a system error becomes an input error that names the file."""
    try:
        Path(path).write_text(text, encoding="ascii", newline="\n")
    except OSError as error:
        raise InputError(f"{path}: cannot be written ({error.strerror})") from None
