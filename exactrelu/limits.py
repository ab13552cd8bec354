"""Limits of a computation, and the meter that watches them.

A limit never turns into a yes or a no: reaching it raises `BudgetExceeded`, which every verdict turns
into *undecided* together with what was done.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Any

from exactrelu.errors import BudgetExceeded, InputError

DEFAULT_CELLS = 20_000_000
DEFAULT_BITS = 200_000


@dataclass(frozen=True)
class Limits:
    """Bounds on one computation; `None` means the default of each stage (no bound for time).

    Attributes:
        max_cells: cells of all dimensions held at one time; leaves of a split tree.
        max_seconds: wall-clock seconds.
        max_bits: bit length of a single integer in the network or its integral form.

    >>> Limits(max_cells=10).max_cells
    10
    """

    max_cells: int | None = None
    max_seconds: float | None = None
    max_bits: int | None = None

    def __post_init__(self) -> None:
        for name, kinds in (("max_cells", int), ("max_seconds", (int, float)), ("max_bits", int)):
            value = getattr(self, name)
            if value is not None and (isinstance(value, bool) or not isinstance(value, kinds) or not value > 0):
                raise InputError(f"{name} must be a positive {'number' if name == 'max_seconds' else 'integer'}, got {value!r}")


class Meter:
    """Watches one computation.  Checks are cooperative: call `cells` and `tick` between native calls."""

    def __init__(self, limits: Limits | None = None) -> None:
        self.limits = limits if limits is not None else Limits()
        self.start = time.monotonic()
        self.done: dict[str, Any] = {}

    def stage(self, cells: int, seconds: float | None = None, percent: int = 100) -> Limits:
        """Limits of one stage: the user's where given, else the defaults named here; at most a part of the time left.

        Args:
            cells: bound on cells unless the user gave one.
            seconds: bound on seconds, also when the user gave a longer one.
            percent: part of the remaining time that the stage may use.
        """
        bound = self.limits.max_seconds
        if bound is not None:
            left = max(bound - (time.monotonic() - self.start), 0) * percent / 100 or 1 / 1000
            seconds = left if seconds is None else min(left, seconds)
        return Limits(self.limits.max_cells or cells, seconds, self.limits.max_bits)

    def tick(self) -> None:
        """Raise `BudgetExceeded` when the time is used up."""
        bound = self.limits.max_seconds
        if bound is not None and time.monotonic() - self.start > bound:
            raise BudgetExceeded(f"max_seconds={bound:g} used up", self.done)

    def cells(self, count: int) -> None:
        """Raise `BudgetExceeded` when there are more than `max_cells` cells."""
        bound = self.limits.max_cells or DEFAULT_CELLS
        if count > bound:
            raise BudgetExceeded(f"max_cells={bound} exceeded: {count} cells so far", self.done)

    def bits(self, count: int, what: str) -> None:
        """Raise `BudgetExceeded` when an integer of `count` bits is too long."""
        bound = self.limits.max_bits or DEFAULT_BITS
        if count > bound:
            raise BudgetExceeded(f"max_bits={bound} exceeded: {what} has {count} bits", self.done)
