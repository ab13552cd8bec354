"""Limits of one derivation, and the meter that counts towards them; refusals name the line."""

from typing import NoReturn

from exactrelu.checker.document import Malformed, Rejected

LIMITS = {
    "lines": 6_000_000,  # of the file
    "line_bytes": 1 << 20,
    "bytes": 1 << 30,  # of the file, unpacked
    "terms": 4_000_000,  # distinct ones, those made by rules included
    "work": 2_000_000_000,  # terms visited
    "hypotheses": 20_000,  # distinct ones
    "hypothesis_bytes": 1 << 28,  # sets of hypotheses, over all lines
    "name": 200,  # letters of a variable
    "parameter": 10_000,  # n of an axiom or of delta_n; p and q of a scalar p/q
}


class Meter:
    """The line being read, and what is left of the limits."""

    def __init__(self) -> None:
        self.line = 0
        self.work = LIMITS["work"]
        self.terms = LIMITS["terms"]
        self.storage = LIMITS["hypothesis_bytes"]

    def require(
        self, condition: object, message: str, kind: type[Rejected | Malformed] = Rejected
    ) -> None:
        """Reject the derivation at this line unless the condition holds."""
        if not condition:
            raise kind(f"line {self.line}: {message}")

    def malformed(self, message: str) -> NoReturn:
        """The line is not a line of a derivation at all."""
        while True:  # `require` does not return
            self.require(False, message, Malformed)

    def spend(self, visits: int) -> None:
        """Charge this many visited terms."""
        self.work -= visits
        self.require(self.work >= 0, "too much work")

    def term(self, number: int) -> None:
        """Admit a new term with this number."""
        self.require(number < self.terms, "too many terms")

    def store(self, hypotheses: int) -> None:
        """Charge the storage of one set of hypotheses (a bit for each)."""
        self.storage -= hypotheses.bit_length() >> 3
        self.require(self.storage >= 0, "too many hypotheses on too many lines")
