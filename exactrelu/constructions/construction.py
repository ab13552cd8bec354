"""What a construction returns: networks on one domain, and claims about them, each with its checked document."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from exactrelu.certificates.certificate import Certificate
from exactrelu.certificates.document import canonical_text
from exactrelu.certificates.result import Result
from exactrelu.errors import InputError
from exactrelu.network.files.save import save
from exactrelu.network.network import Network
from exactrelu.polyhedra.domain import Domain


@dataclass(frozen=True)
class Claim:
    """One thing that is claimed about the networks of a construction.

    Attributes:
        name: short, for file names: lower case, digits and hyphens ("equal-1-2").
        text: one sentence for a person.
        certificate: the document that proves it; None where the sentence says why none is needed, or what remains open.
    """

    name: str
    text: str
    certificate: Certificate | None = None


@dataclass(frozen=True, eq=False, repr=False)
class Construction(Result):
    """Networks made on demand.

    Attributes:
        kind: which construction.
        networks: one or several parameters.
        domain: where the claims hold.
        claims: what is claimed, in the order of the proof.  Every certificate was accepted by the checker.
        facts: further JSON fields (counts, conditions, seeds, the orbit of a family in words).
        names: file names of the networks without suffix; "network", or "network-1" and so on by default.
    """

    kind: str
    networks: tuple[Network, ...]
    domain: Domain
    claims: tuple[Claim, ...]
    facts: dict[str, Any] = field(default_factory=dict)
    names: tuple[str, ...] = ()
    verdict = "constructed"

    def __post_init__(self) -> None:
        """Let the checker accept every document: an object that was constructed has its proof."""
        for claim in self.claims:
            if claim.certificate is not None:
                claim.certificate.verify()

    @property
    def network(self) -> Network:
        """The network of a construction that has one."""
        if len(self.networks) != 1:
            raise InputError(f"a {self.kind} construction has {len(self.networks)} networks: use `networks`")
        return self.networks[0]

    def _named(self, of_networks: list[Any], domain: Any, of_certificates: list[Any]) -> dict[str, Any]:
        networks = {"network": of_networks[0]} if len(of_networks) == 1 else {"networks": of_networks}
        return {"kind": self.kind, **networks, "domain": domain, "claims": [claim.text for claim in self.claims],
                "certificates": of_certificates, **self.facts}

    def fields(self) -> dict[str, Any]:
        """Return the JSON fields, with the networks and the domain themselves; certificates by digest."""
        return self._named([n.to_json() for n in self.networks], self.domain.to_json(),
                           [c.certificate.sha256 for c in self.claims if c.certificate is not None])

    def written_fields(self, folder: str | Path) -> dict[str, Any]:
        """Write networks, domain and certificates into a folder (made if needed); return the JSON fields with the paths."""
        target = Path(folder)
        try:
            target.mkdir(parents=True, exist_ok=True)
            count = len(self.networks)
            names = self.names or (("network",) if count == 1 else tuple(f"network-{k}" for k in range(1, count + 1)))
            networks = [_written(target / f"{name}.json", _saver(network)) for name, network in zip(names, self.networks, strict=True)]
            domain = _written(target / "domain.json", _texter(canonical_text(self.domain.to_json())))
            documents = [_written(target / f"{claim.name}.certificate.json", claim.certificate.write)
                         for claim in self.claims if claim.certificate is not None]
        except OSError as error:
            raise InputError(f"{target}: cannot be written: {error.strerror or error}") from None
        return self._named(networks, domain, documents)


def _written(path: Path, write: Callable[[Path], object]) -> str:
    write(path)
    return str(path)


def _saver(network: Network) -> Callable[[Path], object]:
    return lambda path: save(network, str(path))


def _texter(text: str) -> Callable[[Path], object]:
    return lambda path: path.write_text(text, encoding="ascii", newline="\n")
