"""What a verb hands to the terminal: a verdict word, JSON fields, text for a person, an exit code."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

CERTIFIED, REFUTED, INPUT_ERROR, UNDECIDED, INCONSISTENT = range(5)


@dataclass(frozen=True)
class Answer:
    """The result of one command.

    Attributes:
        verdict: the verdict word, first line of the text output.
        fields: the JSON fields besides `verdict`.
        lines: text for a person, after the verdict.
        exit_code: see the module constants.
    """

    verdict: str
    fields: dict[str, Any] = field(default_factory=dict)
    lines: tuple[str, ...] = ()
    exit_code: int = CERTIFIED


def undecided(reason: str, done: dict[str, Any] | None = None) -> Answer:
    """The answer when a limit was reached."""
    fields: dict[str, Any] = {"reason": reason}
    lines = [f"reason: {reason}"]
    if done:
        fields["done"] = done
        lines.append("done: " + ", ".join(f"{key} {value}" for key, value in done.items()))
    return Answer("undecided", fields, tuple(lines), UNDECIDED)


def clipped(text: str, width: int = 100) -> str:
    """Text of at most `width` characters."""
    return text if len(text) <= width else text[:width - 3] + "..."


def point_line(point: list[str]) -> str:
    """A point for a person; long rationals are clipped."""
    return "(" + ", ".join(clipped(x, 40) for x in point) + ")"
