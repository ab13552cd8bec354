"""Verdicts: a question answers Holds(certificate), Fails(witness) or Undecided(reason).

`bool(Holds)` is true, `bool(Fails)` is false, `bool(Undecided)` raises, so that "I do not know" is never
read as "no".
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from exactrelu.errors import PreconditionError


@dataclass(frozen=True)
class Holds:
    """A certified yes.  `certificate` is a `Certificate` or None where the claim was recomputed exactly."""

    certificate: Any = None
    detail: dict[str, Any] = field(default_factory=dict, compare=False)
    word = "holds"

    def __bool__(self) -> bool:
        return True


@dataclass(frozen=True)
class Fails:
    """A certified no, with the witness that refutes it."""

    witness: Any = None
    certificate: Any = None
    detail: dict[str, Any] = field(default_factory=dict, compare=False)
    word = "fails"

    def __bool__(self) -> bool:
        return False


@dataclass(frozen=True)
class Undecided:
    """Neither proved nor refuted, and why.

    >>> bool(Undecided("max_cells=10 exceeded"))
    Traceback (most recent call last):
    exactrelu.errors.PreconditionError: undecided: max_cells=10 exceeded
    """

    reason: str
    detail: dict[str, Any] = field(default_factory=dict, compare=False)
    word = "undecided"

    def __bool__(self) -> bool:
        raise PreconditionError(f"undecided: {self.reason}", self)


Verdict = Holds | Fails | Undecided
