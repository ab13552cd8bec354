"""dimension, certify."""

from __future__ import annotations

from argparse import Namespace
from typing import Any

from exactrelu.cli.answer import CERTIFIED, REFUTED, UNDECIDED, Answer, clipped
from exactrelu.cli.network_verbs import written
from exactrelu.cli.options import UsageError, domain_of, domain_of_dimension, limits_of, network_file
from exactrelu.cli.progress import Bar

MAX_PARAMETERS = 20_000
"""Largest architecture whose parameters are sampled."""


def dimension(options: Namespace) -> Answer:
    """Functional dimension at theta, or a certified lower bound over sampled parameters of an architecture."""
    if (options.network is None) == (options.architecture is None):
        raise UsageError("give a network file or --architecture, one of them")
    if options.architecture is not None:
        return _of_architecture(options)
    from exactrelu.identifiability.functional_dimension import functional_dimension

    found = network_file(options, options.network)
    domain = domain_of(options, found.network, found)
    with Bar(options, "rank") as bar:
        result = functional_dimension(found.network, domain, seed=options.seed, limits=limits_of(options), progress=bar.rank)
    result.certificate.verify()
    fields = result.fields()
    fields["certificate"] = written(result.certificate, options.output)
    fields["upper_certificate"] = None
    if result.upper_certificate is not None:
        result.upper_certificate.verify()
        fields["upper_certificate"] = written(result.upper_certificate, f"{options.output}.upper" if options.output else None)
    relation = "=" if result.exact else f">= {result.lower}, <="
    lines = [f"functional dimension {relation} {result.upper}; expected N - H = {fields['expected_dimension']}",
             f"parameters {fields['parameters']}, hidden neurons {fields['hidden_neurons']}, method: {result.method}"]
    if result.facts.dead:
        lines.append("proved dead: " + ", ".join(map(str, sorted(result.facts.dead))))
    if result.facts.always_active:
        lines.append("proved always active: " + ", ".join(map(str, sorted(result.facts.always_active))))
    lines += [f"note: {note}" for note in result.notes]
    lines.append(f"certificate: {result.certificate.kind}, {len(result.certificate.text)} bytes, accepted by the checker"
                 + (f", written to {options.output}" if options.output else ""))
    if result.upper_certificate is not None:
        lines.append(f"certificate of the upper bound: {len(result.upper_certificate.text)} bytes, accepted by the checker"
                     + (f", written to {options.output}.upper" if options.output else ""))
    elif not result.upper_certified:
        lines.append("the upper bound is exact but has no document of its own")
    return Answer(result.verdict, fields, tuple(lines), CERTIFIED if result.exact else UNDECIDED)


def _of_architecture(options: Namespace) -> Answer:
    from exactrelu.identifiability.architecture_dimension import architecture_dimension
    from exactrelu.network.architecture import Architecture

    architecture = Architecture.parse(options.architecture)
    if architecture.parameters > MAX_PARAMETERS:
        raise UsageError(f"{architecture} has {architecture.parameters} parameters, more than {MAX_PARAMETERS}")
    domain = domain_of_dimension(options, architecture.inputs)
    result = architecture_dimension(architecture, domain, samples=options.samples, seed=options.seed, stop=not options.histogram,
                                    limits=limits_of(options))
    fields = result.fields()
    result.certificate.verify()
    fields["certificate"] = written(result.certificate, options.output)
    relation = "=" if result.exact else ">="
    lines = [f"functional dimension of {architecture}: {relation} {result.lower}; N - H = {architecture.expected_dimension}",
             f"largest found {result.hits} times in {result.samples} sampled parameters",
             "ranks: " + ", ".join(f"{rank}: {count}" for rank, count in sorted(result.histogram.items()))]
    return Answer("exact" if result.exact else "undecided", fields, tuple(lines), CERTIFIED if result.exact else UNDECIDED)


EXIT = {"identifiable": CERTIFIED, "identifiable-among-supertransversal": CERTIFIED, "locally-identifiable": CERTIFIED,
        "not-identifiable": REFUTED, "undecided": UNDECIDED}


def certify(options: Namespace) -> Answer:
    """Is this parameter identifiable."""
    from exactrelu.certification.certify import certify as certification

    found = network_file(options, options.network)
    domain = domain_of(options, found.network, found)
    network, removed = found.network, list[Any]()
    if options.remove_dead:
        network, removed = _without_dead(options, network, domain)
    with Bar(options, "rank") as bar:
        result = certification(network, domain, seed=options.seed, limits=limits_of(options), progress=bar.rank)
    fields: dict[str, Any] = result.fields()
    fields["certificate"] = written(result.certificate, options.output) if result.certificate else None
    fields["fiber_certificate"] = written(result.fiber_certificate, options.fiber) if result.fiber_certificate else None
    if options.remove_dead:
        fields["removed"] = [list(v) for v in removed]
    lines = [result.reason]
    if removed:
        lines.append("about the network without the dead neurons " + ", ".join(map(str, removed)))
    for name, verdict in fields["tiers"].items():
        lines.append(f"tier {name}: {verdict['verdict']}" + (f", {clipped(verdict['reason'], 110)}" if verdict["reason"] else ""))
    if result.fiber is not None and len(result.fiber) > 1:
        lines.append(f"all {len(result.fiber)} parameters with this function are known (JSON field `fiber`); their list is certified"
                     + (f" in {options.fiber}" if options.fiber else ""))
    lines.append(f"functional dimension {result.dimension.lower}"
                 + ("" if result.dimension.exact else f" to {result.dimension.upper}") + f", N - H = {fields['expected_dimension']}")
    lines.append("conditions: " + ", ".join(f"{name} {word}" for name, word in fields["conditions"].items()))
    lines += [f"note: {clipped(note, 160)}" for note in result.dimension.notes]
    if result.certificate is not None:
        lines.append(f"certificate: {result.certificate.kind}, {len(result.certificate.text)} bytes, accepted by the checker"
                     + (f", written to {options.output}" if options.output else ""))
    return Answer(result.verdict, fields, tuple(lines), EXIT[result.verdict])


def _without_dead(options: Namespace, network: Any, domain: Any) -> tuple[Any, list[Any]]:
    from exactrelu.identifiability.functional_dimension import functional_dimension
    from exactrelu.identifiability.symmetry_bound.dead_neurons import remove_dead_neurons

    dead = functional_dimension(network, domain, seed=options.seed, limits=limits_of(options)).facts.dead
    return (remove_dead_neurons(network, dead), sorted(dead)) if dead else (network, [])
