"""dependency, reconstruct: what can be read off the function."""

from __future__ import annotations

from argparse import Namespace
from pathlib import Path
from typing import Any

from exactrelu.certificates.certificate import Certificate
from exactrelu.cli.answer import CERTIFIED, REFUTED, UNDECIDED, Answer, clipped, point_line
from exactrelu.cli.network_verbs import written
from exactrelu.cli.options import domain_of, limits_of, network_file
from exactrelu.cli.progress import Bar


def dependency(options: Namespace) -> Answer:
    """Function-only geometry: classes, arcs, layer bounds, depth."""
    from exactrelu.complexes.canonical_complex import CanonicalComplex
    from exactrelu.dependency.report import dependency_report

    found = network_file(options, options.network)
    domain = domain_of(options, found.network, found)
    domain.require_interior()
    with Bar(options, "neurons") as bar:
        built = CanonicalComplex.build(found.network, domain, limits=limits_of(options), progress=bar.neurons)
    report = dependency_report(built)
    fields = report.fields()
    fields["certificate"] = _checked(report.certificate, options.output)
    fields["depth_certificate"] = _checked(report.depth_certificate, options.depth)
    fields["not_shallow_certificate"] = _checked(report.unconditional_certificate, options.not_shallow)
    if options.graphml:
        report.graph.write_graphml(options.graphml)
    if options.graph_json:
        report.graph.write_json(options.graph_json)
    return Answer(report.verdict, fields, tuple(_lines(fields)), CERTIFIED if report.graph.obstruction is None else REFUTED)


def _checked(certificate: Certificate | None, path: str | None) -> str | None:
    """Check a document that is to be written, write it, and return its path."""
    if certificate is None or path is None:
        return None
    certificate.verify()
    return written(certificate, path)


def _lines(fields: dict[str, Any]) -> list[str]:
    lines = []
    if fields["obstruction"]:
        lines.append(clipped(fields["obstruction"], 160))
    for k, entry in enumerate(fields["classes"][:20]):
        neurons = ", ".join(f"({a}, {b})" for a, b in entry["neurons"]) or "no single neuron"
        bounds = fields["layer_bounds"][k] if fields["layer_bounds"] else None
        layer = "" if bounds is None else f"layer {bounds[0]}" if bounds[0] == bounds[1] else f"layers {bounds[0]} to {bounds[1]}"
        lines.append(f"class {k}: {entry['facets']} facets on {len(entry['hyperplanes'])} hyperplanes; {layer}; neuron {neurons}")
    if len(fields["classes"]) > 20:
        lines.append(f"... {len(fields['classes']) - 20} more classes")
    arcs = ", ".join(f"{a} -> {b}" for a, b in fields["arcs"][:30])
    lines.append(f"arcs: {len(fields['arcs'])}" + (f": {arcs}" if arcs else ""))
    lines.append(f"ridges by (rays, opposite pairs): {', '.join(f'({a}, {b}): {n}' for a, b, n in fields['ridge_pictures']) or 'none'}")
    for ridge in fields["ambiguous_ridges"][:5]:
        lines.append(f"ambiguous ridge at {point_line(ridge['point'])}: the earlier sheet is one of the classes {ridge['readings']}")
    if fields["depth_bound"] is not None:
        lines.append(f"every supertransversal realization has at least {fields['depth_bound']} hidden layers")
    lines.append(f"every realization has at least {fields['unconditional_depth']} hidden layers")
    documents = [fields[name] for name in ("certificate", "depth_certificate", "not_shallow_certificate")]
    lines += [f"certificate: {path} (checked)" for path in documents if path]
    return lines


def reconstruct(options: Namespace) -> Answer:
    """The parameter from its function alone."""
    from exactrelu.certification.reconstruction import reconstruction
    from exactrelu.network.architecture import Architecture
    from exactrelu.network.files.save import save

    found = network_file(options, options.network)
    domain = domain_of(options, found.network, found)
    domain.require_interior()
    wanted = Architecture.parse(options.architecture) if options.architecture else None
    report = reconstruction(found.network, domain, wanted, limits=limits_of(options))
    fields = report.fields()
    fields["written"] = []
    for k, network in enumerate(report.found.candidates):
        if options.output:
            path = Path(options.output)
            target = path if k == 0 else path.with_name(f"{path.stem}-{k + 1}{path.suffix}")
            save(network, str(target))
            fields["written"].append(str(target))
    lines = [report.reason, f"search nodes: {report.found.nodes}"]
    lines += [f"flag {f.code}{f' in layer {f.layer}' * bool(f.layer)}: {f.reason}" for f in report.found.flags]
    lines += [f"written {path}" for path in fields["written"]]
    code = {"reconstructed": CERTIFIED, "not-realizable": REFUTED, "undecided": UNDECIDED}[report.verdict]
    return Answer(report.verdict, fields, tuple(lines), code)
