"""check: the independent checker, with the claim compared with the network and domain at hand."""

from __future__ import annotations

import json
from argparse import Namespace
from typing import Any

from exactrelu.checker import Malformed, Rejected
from exactrelu.checker import check as accepted_kind
from exactrelu.checker.__main__ import read
from exactrelu.checker.claims.restatement import restate
from exactrelu.cli.answer import REFUTED, Answer
from exactrelu.cli.logic_verb import derivation_answer
from exactrelu.cli.network_verbs import writes_nothing
from exactrelu.errors import InputError


def check(options: Namespace) -> Answer:
    """Accept or reject a certificate."""
    writes_nothing(options)
    try:
        text = read(options.certificate)
    except (OSError, EOFError) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        raise InputError(f"{options.certificate}: cannot be read: {reason}") from None
    if b"exactrelu/derivation" in text[:200]:
        if options.network is not None or options.domain is not None or options.box is not None:
            raise InputError("a derivation is about formulae, not about a network")
        return derivation_answer(options.certificate)
    try:
        accepted_kind(text)
        claim = json.loads(text)["claim"]
        _compare(options, claim)
    except (Rejected, MemoryError) as error:
        return Answer("rejected", {"claim": None, "reason": str(error) or "too much memory"}, (f"reason: {error}",), REFUTED)
    except Malformed as error:
        raise InputError(f"{options.certificate}: malformed certificate: {error}") from None
    return Answer("accepted", {"claim": claim}, tuple(restate(claim).split("\n")))


def _compare(options: Namespace, claim: dict[str, Any]) -> None:
    """Reject a certificate that is about another network or domain than the ones at hand."""
    if options.network is None:
        if options.domain is not None or options.box is not None:
            raise InputError("--domain and --box need --network")
        return
    from exactrelu.cli.options import domain_of, network_file

    found = network_file(options, options.network)
    stated = claim.get("network", claim.get("a"))
    if {k: v for k, v in (stated or {}).items() if k not in ("format", "version")} != found.network.claim():
        raise Rejected("the certificate is about another network")
    if options.domain is not None or options.box is not None:
        if "domain" not in claim or claim["domain"] != domain_of(options, found.network, found).claim():
            raise Rejected("the certificate is about another domain")
