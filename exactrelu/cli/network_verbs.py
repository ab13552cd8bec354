"""info, convert, canonical, equivalent, equal."""

from __future__ import annotations

from argparse import Namespace
from pathlib import Path

from exactrelu.certificates.verdict import Fails, Holds, Undecided
from exactrelu.cli.answer import REFUTED, UNDECIDED, Answer, clipped, point_line
from exactrelu.cli.options import domain_of, limits_of, network_file
from exactrelu.network.degenerate import degenerate_neurons


def info(options: Namespace) -> Answer:
    """What is this network."""
    found = network_file(options, options.network)
    network = found.network
    architecture = network.architecture
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

    found = network_file(options, options.source)
    save(found.network, options.target, input_box=found.input_box)
    return Answer("exact", {"exact": True, "written": options.target}, (f"written {options.target}",))


def canonical(options: Namespace) -> Answer:
    """Canonical representative modulo trivial symmetry."""
    from exactrelu.network.canonical_form import CanonicalForm, canonical_form
    from exactrelu.network.files.save import save

    form = canonical_form(network_file(options, options.network).network)
    if not isinstance(form, CanonicalForm):
        return Answer("undecided", {"sha256": None, "reason": form.reason, "kind": form.kind},
                      (f"no canonical form: {form.reason}",), UNDECIDED)
    if options.output:
        save(form.network, options.output)
    return Answer("canonical", {"sha256": form.sha256, "written": options.output}, (f"sha256 {form.sha256}",))


def equivalent(options: Namespace) -> Answer:
    """The same parameter up to permutation and positive scaling."""
    from exactrelu.certificates.certificate import Certificate
    from exactrelu.network import trivial_symmetry
    from exactrelu.network.canonical_form import CanonicalForm, canonical_form

    a, b = network_file(options, options.a).network, network_file(options, options.b).network
    verdict = trivial_symmetry.equivalent(a, b)
    forms = [canonical_form(n) for n in (a, b)]
    fields: dict[str, object] = {"sha256": [f.sha256 if isinstance(f, CanonicalForm) else None for f in forms]}
    claim = {"a": a.claim(), "b": b.claim()}
    if isinstance(verdict, Undecided):
        return Answer("undecided", {**fields, "reason": verdict.reason}, (f"reason: {verdict.reason}",), UNDECIDED)
    if isinstance(verdict, Fails):
        if a.architecture != b.architecture:
            fields.update(reason=verdict.witness, certificate=None)
            return Answer("inequivalent", fields, (f"reason: {verdict.witness}",), REFUTED)
        certificate = Certificate({"kind": "inequivalent", **claim}, {})
        word, code, lines = "inequivalent", REFUTED, [f"reason: {verdict.witness}"]
        fields["reason"] = verdict.witness
    else:
        symmetry = verdict.detail["symmetry"]
        moves = [{"permutation": list(p), "scale": [str(x) for x in s]} for p, s in zip(symmetry.permutations, symmetry.scales)]
        certificate = Certificate({"kind": "equivalent", **claim}, {"moves": moves})
        word, code, lines = "equivalent", 0, [f"layer {i}: permutation {m['permutation']}, scales {clipped(str(m['scale']))}"
                                              for i, m in enumerate(moves, 1)]
        fields["moves"] = moves
    certificate.verify()
    fields["certificate"] = written(certificate, options.output)
    return Answer(word, fields, tuple(lines), code)


def equal(options: Namespace) -> Answer:
    """The same function on the domain."""
    from exactrelu.equivalence.by_split_tree import equal_by_split_tree

    first = network_file(options, options.a)
    a, b = first.network, network_file(options, options.b).network
    verdict = equal_by_split_tree(a, b, domain_of(options, a, first), limits_of(options))
    if isinstance(verdict, Undecided):
        return Answer("undecided", {"reason": verdict.reason, "done": verdict.detail}, (f"reason: {verdict.reason}",), UNDECIDED)
    verdict.certificate.verify()
    fields: dict[str, object] = {"method": "split tree", "certificate": written(verdict.certificate, options.output), "witness": None}
    if isinstance(verdict, Holds):
        return Answer("equal", fields, (f"equal maps on all {verdict.detail['leaves']} cells of a common split tree",))
    fields["witness"] = witness = verdict.witness.to_json()
    return Answer("different", fields, (f"at {point_line(witness['point'])}",
                                        *(f"{name} = {point_line(v)}" for name, v in zip("ab", witness["values"]))), REFUTED)


def written(certificate: object, path: str | None) -> str | None:
    """Write a certificate that has been verified, if a file was asked for; return the path."""
    if path is None:
        return None
    from exactrelu.certificates.certificate import Certificate

    if isinstance(certificate, Certificate):
        write_text(path, certificate.text)
    return path


def write_text(path: str, text: str) -> None:
    """Write a document; a system error becomes an input error that names the file."""
    from exactrelu.errors import InputError

    try:
        Path(path).write_text(text, encoding="ascii", newline="\n")
    except OSError as error:
        raise InputError(f"{path}: cannot be written ({error.strerror})") from None
