"""What a method of extraction hands back: networks, how strong the statement is, and under which promise."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from exactrelu.network.network import Network

CERTIFIED, CONSISTENT = "certified", "consistent"


@dataclass(frozen=True)
class Flag:
    """Something that was noticed on the way.

    Attributes:
        code: `PROMISE` (answers that no network of the architecture gives), `FEW` (fewer neurons seen than promised), `SEVERAL`
            (several parameters have the function), `UNPROVED` (the uniqueness among parameters is open), `RETRY` (an attempt failed).
        reason: one sentence.
    """

    code: str
    reason: str

    def to_json(self) -> dict[str, Any]:
        """Return the JSON form."""
        return {"code": self.code, "reason": self.reason}


@dataclass(frozen=True)
class Outcome:
    """The networks found, none if the method did not end.

    Attributes:
        candidates: pairwise inequivalent networks that agree with all answers.
        label: `certified` (under the promise the candidates are all parameters of the architecture with the function of the
            oracle), `consistent` (they agree with all queries), or "" without candidates.
        promise: what is assumed about the oracle; "" without candidates.
        reason: one sentence.
    """

    candidates: tuple[Network, ...]
    label: str
    promise: str
    reason: str
    flags: tuple[Flag, ...] = field(default=())


def undecided(reason: str, *flags: Flag) -> Outcome:
    """No network, and why."""
    return Outcome((), "", "", reason, flags)


def broken_promise(reason: str) -> Outcome:
    """The answers are those of no network of the architecture."""
    return undecided(f"the oracle is no network of the architecture: {reason}", Flag("PROMISE", reason))
