"""The independent checker: reads one document, recomputes, accepts or rejects.

Standard library only.  An accepted claim rests on Python, on the kernel (all files outside
`claims`), on the file of its kind in `claims`, and on the theorems named by its `Rule`.
"""

from exactrelu.checker.claims import KINDS
from exactrelu.checker.document import (
    Json,
    Malformed,
    Rejected,
    canonical,
    field,
    load,
    require,
    stamped,
)

__all__ = ["KINDS", "Malformed", "Rejected", "check"]


def check(text: str | bytes, claim: Json = None) -> str:
    """Return the kind of the claim proved by a document.

    Args:
        text: the document, unpacked.
        claim: the claim the caller has in mind (a JSON object); a document that proves
            another one is rejected.
    Raises:
        Malformed: the text is not a certificate.
        Rejected: the certificate does not prove its claim.
    """
    document = load(text)
    stamped(document, "claim evidence producer", "certificate")
    field(document, "format", str)
    field(document, "version", int)
    stated, evidence = field(document, "claim", dict), field(document, "evidence", dict)
    field(document, "producer", dict)
    kind = field(stated, "kind", str)
    if kind not in KINDS:
        raise Malformed(f"unknown kind of claim {kind[:60]!a}")
    rule = KINDS[kind]
    if set(stated) != {"kind", *rule.claim.split()}:
        raise Malformed(f"a claim {kind!r} has the fields {rule.claim}")
    if set(evidence) != set(rule.evidence.split()):
        raise Malformed(f"evidence for {kind!r} has the fields {rule.evidence or '(none)'}")
    if claim is not None:
        require(canonical(stated) == canonical(claim), "the certificate proves another claim")
    rule.check(stated, evidence)
    return kind
