"""complex, genericity."""

from __future__ import annotations

from argparse import Namespace
from typing import Any

from exactrelu.certificates.verdict import Holds
from exactrelu.cli.answer import CERTIFIED, REFUTED, UNDECIDED, Answer, clipped, point_line
from exactrelu.cli.network_verbs import written
from exactrelu.cli.options import domain_of, limits_of, network_file
from exactrelu.cli.progress import Bar
from exactrelu.limits import Meter


def complex_(options: Namespace) -> Answer:
    """Canonical complex, breakpoint complex."""
    from exactrelu.complexes.canonical_complex import CanonicalComplex
    from exactrelu.complexes.complex_report import ComplexReport
    from exactrelu.genericity.complex_certificate import complex_certificate, full_cells_certificate
    from exactrelu.genericity.geometry import Geometry

    found = network_file(options, options.network)
    domain = domain_of(options, found.network, found)
    with Bar(options, "neurons") as bar:
        built = CanonicalComplex.build(found.network, domain, backend=options.backend, limits=limits_of(options), progress=bar.neurons)
    fields = ComplexReport(built).fields()
    fields["certificate"] = None
    if options.output:
        skeleton = complex_certificate(Geometry(built))
        certificate = skeleton.certificate if isinstance(skeleton, Holds) else full_cells_certificate(built, limits_of(options))
        certificate.verify()
        fields["certificate"] = written(certificate, options.output)
    if options.with_output:
        fields.update(_with_output(options, found.network, domain))
    names = {"f_vector": "cells by dimension", "full_cells": "full cells", "bounded_full_cells": "bounded full cells",
             "lineality_dimension": "lineality", "breakpoint_facets": "breakpoint facets", "linear_regions": "linear regions",
             "distinct_affine_maps": "distinct affine maps", "strata": "strata by dimension", "balanced": "balanced"}
    lines = [f"{label}: {fields[name]}" for name, label in names.items()]
    lines += [f"{name}: {fields[name]}" for name in ("regions_with_output", "vertices_with_output") if name in fields]
    if fields["certificate"]:
        lines.append(f"certificate: {fields['certificate']} ({certificate.kind}, checked)")
    return Answer("complete", fields, tuple(lines))


def _with_output(options: Namespace, network: Any, domain: Any) -> dict[str, int]:
    """Counts of the complex refined by the zero sets of the outputs: the outputs as one more hidden layer."""
    from exactrelu.complexes.canonical_complex import CanonicalComplex
    from exactrelu.network.network import Network

    n = network.architecture.outputs
    identity = [[int(i == j) for j in range(n)] for i in range(n)]
    refined = CanonicalComplex.build(Network((*network.weights, identity), (*network.biases, [0] * n)), domain, limits=limits_of(options))
    return {"regions_with_output": refined.full_cells, "vertices_with_output": refined.f_vector[0]}


def genericity(options: Namespace) -> Answer:
    """Each genericity condition, with witness."""
    from exactrelu.complexes.canonical_complex import CanonicalComplex
    from exactrelu.genericity.generic import genericity as report_of

    found = network_file(options, options.network)
    domain = domain_of(options, found.network, found)
    meter = Meter(limits_of(options))
    with Bar(options, "neurons") as bar:
        built = CanonicalComplex.build(found.network, domain, limits=limits_of(options), progress=bar.neurons)
    report = report_of(built, meter)
    fields = report.fields()
    certificate = report.certificate
    if certificate is not None:
        certificate.verify()
    fields["certificate"] = written(certificate, options.output)
    lines = []
    for name, entry in fields.items():
        if not isinstance(entry, dict):
            continue
        lines.append(f"{name}: {entry['verdict']}")
        witness = entry.get("witness")
        if witness:
            lines.append("    " + clipped(witness["reason"], 120))
            if "point" in witness:
                lines.append(f"    on a cell of dimension {witness['dimension']}, at {point_line(witness['point'])}")
    if fields["certificate"]:
        lines.append(f"certificate: {fields['certificate']} ({report.certificate.kind if report.certificate else ''}, checked)")
    elif options.output:
        lines.append("no certificate written: the conditions hold on a complex that is not zero-count generic with its walls, which was "
                     "computed exactly but has no document")
    if report.first_failure:
        fields["first_failure"] = report.first_failure
    code = {"holds": CERTIFIED, "fails": REFUTED, "undecided": UNDECIDED}[report.verdict]
    return Answer(report.verdict, fields, tuple(lines), code)
