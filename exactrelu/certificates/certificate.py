"""A certificate: a claim, and a recipe that writes the evidence when somebody asks for it.

`verify` writes the document and hands it to the independent checker together with the claim held here;
it never reuses what the search computed.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

from exactrelu.certificates.document import canonical_text, digest
from exactrelu.checker import Malformed, Rejected, check
from exactrelu.errors import BudgetExceeded, CertificateRejected

Evidence = dict[str, Any]
TOO_MUCH_WORK = "too much work"
"""What the checker says when its work meter runs out."""


@dataclass(frozen=True, repr=False)
class Certificate:
    """A claim with evidence.

    Attributes:
        claim: the JSON claim; restates network and domain.
        evidence: the JSON evidence, or a function that computes it on first use.
    """

    claim: dict[str, Any]
    evidence: Evidence | Callable[[], Evidence] = field(compare=False)

    def __repr__(self) -> str:
        return f"<Certificate: {self.kind}>"

    def __hash__(self) -> int:
        return hash(canonical_text(self.claim))

    def __reduce__(self) -> tuple[Any, ...]:
        """A pickled certificate carries its evidence."""
        return Certificate, (self.claim, self.evidence() if callable(self.evidence) else self.evidence)

    @property
    def kind(self) -> str:
        """The kind of the claim."""
        return str(self.claim["kind"])

    @cached_property
    def text(self) -> str:
        """The canonical bytes of the document, as text."""
        evidence = self.evidence() if callable(self.evidence) else self.evidence
        return canonical_text({"claim": self.claim, "evidence": evidence, "format": "exactrelu/certificate",
                               "producer": {"name": "exactrelu"}, "version": 1})

    @property
    def sha256(self) -> str:
        """Digest of the document."""
        return digest(self.text)

    @cached_property
    def _accepted(self) -> bool:
        """Whether the checker has accepted the document; it is asked once, the document never changes."""
        try:
            check(self.text, self.claim)
        except (Rejected, Malformed) as error:
            if str(error) == TOO_MUCH_WORK:
                raise BudgetExceeded(f"checking the document ({self.kind}, {len(self.text)} bytes) needs more work than the checker does") \
                    from error
            raise CertificateRejected(f"{self.kind}: {error}") from error
        return True

    def verify(self) -> None:
        """Let the independent checker accept the document (once).

        Raises:
            CertificateRejected: the document does not prove its claim.
            BudgetExceeded: the check needs more work than the checker is willing to do; this says nothing about the claim.
        """
        assert self._accepted

    def write(self, path: str | Path) -> Path:
        """Write the document to a file; return its path."""
        target = Path(path)
        target.write_text(self.text, encoding="ascii", newline="\n")
        return target
