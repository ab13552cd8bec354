"""The exception tree: asked wrongly, a hypothesis is false, gave up, rejected, impossible.

"False" is not an exception but a verdict (`exactrelu.certificates.verdict`).  Every message names the
offending value and, where there is one, the cure.
"""

from __future__ import annotations

from typing import Any


class ExactReluError(Exception):
    """Root of all errors raised on purpose by this package."""


class InputError(ExactReluError):
    """The question was asked wrongly: a bad file, value or option."""


class ExactnessError(InputError):
    """A value that is not an exact rational number."""


class ShapeError(InputError):
    """Sizes that do not fit together."""


class DomainError(InputError):
    """A domain, point or vector outside the range of the question."""


class MissingBackend(InputError):
    """A library that is needed is absent; the message carries the command that installs it."""


class PreconditionError(ExactReluError):
    """A hypothesis of the theorem that was to be used is false; carries the verdict that says so."""

    def __init__(self, message: str, verdict: Any = None) -> None:
        super().__init__(message)
        self.verdict = verdict


class BudgetExceeded(ExactReluError):
    """A limit was reached; carries what has been done so far."""

    def __init__(self, message: str, done: dict[str, Any] | None = None) -> None:
        super().__init__(message)
        self.done = dict(done or {})


class CertificateRejected(ExactReluError):
    """The independent checker refuses a document."""


class InvariantError(ExactReluError):
    """Something impossible happened: always a bug of this package."""
