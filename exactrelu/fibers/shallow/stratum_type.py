"""Types of shallow networks with a given function: which neurons lie on which hyperplane, with which orientation.

A type says, for every visible hyperplane, how many neurons lie on it oriented as its row (+) and against it (-); the sizes (+, -) of
the *invisible blocks*, sets of neurons on one hyperplane that jump by 0 together (+ is the orientation of the first neuron);
the number of dead and of active neurons.  Types are taken up to permutation of the neurons, which stand in this order.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

Block = tuple[int, int]


@dataclass(frozen=True)
class StratumType:
    """Sizes of all blocks.

    Attributes:
        visible: (+, -) for every visible hyperplane, in the order of the form.
        invisible: (+, -) with + >= 1, + >= -, decreasing.
        dead, active: numbers of neurons.

    >>> kind = StratumType(((1, 0), (1, 1)), ((1, 1),), 1, 0)
    >>> kind.width, kind.mixed, kind.reversed, kind.mixed_invisible
    (6, (1,), (), (0,))
    """

    visible: tuple[Block, ...]
    invisible: tuple[Block, ...] = ()
    dead: int = 0
    active: int = 0

    @property
    def width(self) -> int:
        """Number of neurons."""
        return sum(map(sum, self.visible)) + sum(map(sum, self.invisible)) + self.dead + self.active

    @cached_property
    def mixed(self) -> tuple[int, ...]:
        """Visible hyperplanes with neurons of both orientations."""
        return tuple(k for k, (p, q) in enumerate(self.visible) if p and q)

    @cached_property
    def reversed(self) -> tuple[int, ...]:
        """Visible hyperplanes with neurons against the row only."""
        return tuple(k for k, (p, q) in enumerate(self.visible) if not p)

    @cached_property
    def mixed_invisible(self) -> tuple[int, ...]:
        """Invisible blocks with both orientations."""
        return tuple(k for k, (_, q) in enumerate(self.invisible) if q)

    def neurons(self) -> Iterator[tuple[str, int, int]]:
        """Yield (place, block, orientation) of every neuron: place visible, invisible, dead or active."""
        for place, blocks in (("visible", self.visible), ("invisible", self.invisible)):
            for k, (p, q) in enumerate(blocks):
                yield from ((place, k, 1) for _ in range(p))
                yield from ((place, k, -1) for _ in range(q))
        yield from (("dead", 0, 1) for _ in range(self.dead))
        yield from (("active", 0, 1) for _ in range(self.active))

    @property
    def description(self) -> str:
        """One line for people."""
        visible = ", ".join(f"{p}+{q}-" for p, q in self.visible) or "none"
        parts = [f"visible hyperplanes: {visible}"]
        if self.invisible:
            parts.append("invisible blocks: " + ", ".join(f"{p}+{q}-" for p, q in self.invisible))
        parts += [f"{name} neurons: {count}" for name, count in (("dead", self.dead), ("active", self.active)) if count]
        return "; ".join(parts)

    def to_json(self) -> dict[str, Any]:
        """Return the sizes as JSON."""
        return {"visible": [list(b) for b in self.visible], "invisible": [list(b) for b in self.invisible], "dead": self.dead,
                "active": self.active}


def block_multisets(total: int) -> Iterator[tuple[Block, ...]]:
    """Yield the multisets of invisible blocks with `total` neurons, decreasing.

    >>> list(block_multisets(2))
    [((2, 0),), ((1, 1),), ((1, 0), (1, 0))]
    """
    if total == 0:
        yield ()
        return
    blocks = sorted(((n - q, q) for n in range(1, total + 1) for q in range(n // 2 + 1)), key=lambda b: (sum(b), b[0]), reverse=True)
    yield from _multisets(blocks, 0, total)


def _multisets(blocks: list[Block], start: int, total: int) -> Iterator[tuple[Block, ...]]:
    if total == 0:
        yield ()
        return
    for i in range(start, len(blocks)):
        if sum(blocks[i]) <= total:
            for rest in _multisets(blocks, i, total - sum(blocks[i])):
                yield (blocks[i], *rest)


def compositions(total: int, parts: int) -> Iterator[tuple[int, ...]]:
    """Yield the tuples of `parts` positive numbers with this sum.

    >>> list(compositions(3, 2))
    [(1, 2), (2, 1)]
    """
    if parts == 0:
        if total == 0:
            yield ()
        return
    for first in range(1, total - parts + 2):
        for rest in compositions(total - first, parts - 1):
            yield (first, *rest)
