"""Layer bounds from a dependency graph: longest chains, and the propagation of lower bounds along arcs."""

from __future__ import annotations

from collections.abc import Sequence

Arc = tuple[int, int]


def longest_chains(classes: int, arcs: Sequence[Arc]) -> list[int] | None:
    """Return for every class the number of classes on the longest chain of arcs that ends there; None on a cycle.

    >>> longest_chains(3, [(0, 1), (1, 2)])
    [1, 2, 3]
    >>> longest_chains(1, [(0, 0)]) is None
    True
    """
    return raised([1] * classes, arcs)


def raised(lower: Sequence[int], arcs: Sequence[Arc]) -> list[int] | None:
    """Return the smallest bounds above `lower` that increase along every arc; None on a cycle.

    Cost: O(classes + arcs), one pass in topological order.

    >>> raised([1, 1, 4], [(0, 1), (1, 2)]), raised([2, 1], [(0, 1)])
    ([1, 2, 4], [2, 3])
    """
    bounds, degree = list(lower), [0] * len(lower)
    after: dict[int, list[int]] = {}
    for a, b in arcs:
        degree[b] += 1
        after.setdefault(a, []).append(b)
    ready = [p for p, n in enumerate(degree) if not n]
    for p in ready:
        for q in after.get(p, ()):
            bounds[q] = max(bounds[q], bounds[p] + 1)
            degree[q] -= 1
            if not degree[q]:
                ready.append(q)
    return bounds if len(ready) == len(bounds) else None


def chain(classes: int, arcs: Sequence[Arc]) -> list[int]:
    """Return the classes of one longest chain, in order (of an acyclic graph; empty without classes).

    >>> chain(3, [(0, 2)])
    [0, 2]
    """
    if not classes:
        return []
    bounds = longest_chains(classes, arcs)
    assert bounds is not None, "the graph has a cycle"
    before: dict[int, list[int]] = {}
    for a, b in arcs:
        before.setdefault(b, []).append(a)
    out = [max(range(classes), key=bounds.__getitem__)]
    while bounds[out[-1]] > 1:
        out.append(next(a for a in before[out[-1]] if bounds[a] == bounds[out[-1]] - 1))
    return out[::-1]
