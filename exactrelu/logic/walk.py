"""Walks over shared terms: every distinct node once, arguments first, without recursion.

Terms are directed acyclic graphs; a tree may be exponentially larger than its graph and as deep as it is large, so no
walk follows the tree and none uses the call stack.
"""

from __future__ import annotations

from typing import Protocol, Self, TypeVar


class Term(Protocol):
    """Anything with arguments of its own kind; compared by identity."""

    @property
    def args(self) -> tuple[Self, ...]:
        """The arguments."""


T = TypeVar("T", bound=Term)


def post_order(*roots: T) -> list[T]:
    """Return all distinct nodes of some terms, arguments before the nodes that use them, in a fixed order.

    Cost: linear in the nodes and edges of the graph.
    """
    seen: set[T] = set()
    out: list[T] = []
    for root in roots:
        stack = [(root, False)]
        while stack:
            node, ready = stack.pop()
            if ready:
                out.append(node)
            elif node not in seen:
                seen.add(node)
                stack.append((node, True))
                # marked on first sight: a node met again before it is finished would be its own argument
                stack.extend([(argument, False) for argument in reversed(node.args) if argument not in seen])
    return out


def tree_size(root: T, cap: int | None = None) -> int:
    """Return the number of nodes of the tree, exactly; with `cap`, at most cap + 1.

    The number of paths from the root to each node is counted and forgotten once it has been passed on, so that
    astronomically large trees need little memory.
    """
    order = post_order(root)
    if cap is not None:
        sizes: dict[T, int] = {}
        for node in order:
            sizes[node] = min(cap + 1, 1 + sum(sizes[argument] for argument in node.args))
        return sizes[root]
    paths: dict[T, int] = {root: 1}
    total = 0
    for node in reversed(order):
        count = paths.pop(node)
        total += count
        for argument in node.args:
            paths[argument] = paths.get(argument, 0) + count
    return total
