"""Depth chains: functions that no shallower supertransversal parameter of any width has.

In a slab parameter the bent hyperplanes of adjacent layers cross, and at every crossing f shows which of the two sheets is
bent by the other: an arc of the dependency graph.  A chain of L classes needs L hidden layers in every supertransversal
realization, whatever its widths.  Besides, a ridge at which f is no sum of kinks along full hyperplanes shows that one
hidden layer never suffices, supertransversal or not.
Source: paper A, the layer order of the dependency graph.
"""

from __future__ import annotations

from exactrelu.complexes.canonical_complex import CanonicalComplex
from exactrelu.constructions.construction import Claim, Construction
from exactrelu.constructions.slab import certified_slab
from exactrelu.dependency.report import dependency_report
from exactrelu.errors import InvariantError
from exactrelu.limits import Limits, Meter
from exactrelu.network.architecture import Architecture


def depth_chain(architecture: Architecture, seed: int = 0, *, limits: Limits | None = None) -> Construction:
    """Return a parameter whose function has a chain of full length, and the document that nothing shallower realizes it.

    Raises:
        InputError: no hidden layer, or a width below 2 (besides the output).
        BudgetExceeded: a limit was reached.

    >>> depth_chain(Architecture((2, 2, 2, 2, 1))).facts["chain"]
    3
    """
    meter = Meter(limits)
    found, _ = certified_slab(architecture, seed, limits=limits)
    report = dependency_report(CanonicalComplex.build(found.network, found.domain, limits=meter.stage(200_000)))
    chain = report.graph.longest_chain
    document = report.depth_certificate
    if len(chain) != architecture.hidden_layers or document is None:
        raise InvariantError("connected TPIC without a chain of full length")
    claims = [Claim("depth", f"every supertransversal realization, of any widths, has at least {len(chain)} hidden layers", document)]
    if report.unconditional_certificate is not None:
        claims.append(Claim("not-shallow", "no network with one hidden layer, of any width, has this function",
                            report.unconditional_certificate))
    claims.append(Claim("identifiable", f"the parameter is {found.verdict}", found.certificate))
    facts = {"tier": found.verdict, "seed": seed, "chain": len(chain),
             "chain_neurons": [[list(v) for v in report.class_neurons[number]] for number in chain]}
    return Construction("depth-chain", (found.network,), found.domain, tuple(claims), facts)
