"""How a document is forged: the corpus with entries replaced, or a claim with false evidence."""

import copy
from typing import Any, NamedTuple

from tests.checker import corpus
from tests.checker import producers as P


class Forgery(NamedTuple):
    name: str
    verdict: str
    message: str
    text: bytes
    limits: dict[str, int] | None = None
    claim: Any = None


BASE = corpus.documents()
Path = tuple[Any, ...]
NOTHING = object()


def edited(base: str, changes: dict[Path, Any]) -> bytes:
    """A document of the corpus with entries replaced (NOTHING: removed)."""
    document = copy.deepcopy(BASE[base])
    for path, value in changes.items():
        parent = document
        for key in path[:-1]:
            parent = parent[key]
        if value is NOTHING:
            del parent[path[-1]]
        else:
            parent[path[-1]] = value
    return P.dumps(document).encode()


def rejected(name: str, message: str, base: str, changes: dict[Path, Any], **more: Any) -> Forgery:
    return Forgery(name, "rejected", message, edited(base, changes), **more)


def malformed(name: str, message: str, base: str, changes: dict[Path, Any], **more: Any) -> Forgery:
    return Forgery(name, "malformed", message, edited(base, changes), **more)


def fresh(
    name: str, message: str, kind: str, claim: dict[str, Any], evidence: dict[str, Any]
) -> Forgery:
    text = P.dumps(P.document(kind, claim, evidence)).encode()
    return Forgery(name, "rejected", message, text)
