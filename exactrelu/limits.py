"""Limits of a computation, and the meter that watches them.

A limit never turns into a yes or a no: reaching it raises `BudgetExceeded`, which every verdict turns
into *undecided* together with what was done.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Any

from exactrelu.errors import BudgetExceeded, InputError


@dataclass(frozen=True)
class Limits:
    """Bounds on one computation; `None` means no bound.

    Attributes:
        max_cells: cells of all dimensions held at one time.
        max_seconds: wall-clock seconds.
        max_bits: bit length of a single integer in the network, its integral form or a coordinate.

    >>> Limits(max_cells=10).max_cells
    10
    """

    max_cells: int | None = 20_000_000
    max_seconds: float | None = None
    max_bits: int | None = 200_000

    def __post_init__(self) -> None:
        for name in ("max_cells", "max_seconds", "max_bits"):
            value = getattr(self, name)
            if value is not None and (isinstance(value, bool) or not value > 0):
                raise InputError(f"{name} must be a positive number, got {value!r}")


class Meter:
    """Watches one computation.  Checks are cooperative: call `cells` and `tick` between native calls."""

    def __init__(self, limits: Limits | None = None) -> None:
        self.limits = limits if limits is not None else Limits()
        self.start = time.monotonic()
        self.done: dict[str, Any] = {}

    def tick(self) -> None:
        """Raise `BudgetExceeded` when the time is used up."""
        bound = self.limits.max_seconds
        if bound is not None and time.monotonic() - self.start > bound:
            raise BudgetExceeded(f"max_seconds={bound:g} used up", self.done)

    def cells(self, count: int) -> None:
        """Raise `BudgetExceeded` when there are more than `max_cells` cells."""
        bound = self.limits.max_cells
        if bound is not None and count > bound:
            raise BudgetExceeded(f"max_cells={bound} exceeded: {count} cells so far", self.done)

    def bits(self, count: int, what: str) -> None:
        """Raise `BudgetExceeded` when an integer of `count` bits is too long."""
        bound = self.limits.max_bits
        if bound is not None and count > bound:
            raise BudgetExceeded(f"max_bits={bound} exceeded: {what} has {count} bits", self.done)
