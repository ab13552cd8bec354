"""Truth in finite chains {0, 1/n, ..., 1}, and at rational points: an oracle that shares no code with prover or checker."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction as F
from itertools import product
from typing import Any

Node = tuple[str, Any, tuple[int, ...]]


def values(nodes: Sequence[Node], point: Mapping[str, F], known: list[F] | None = None) -> list[F]:
    """The value of every term of a table at a point; `known` are the first values, and is extended."""
    found: list[F] = [] if known is None else known
    for op, data, args in nodes[len(found):]:
        a = [found[k] for k in args]
        if op == "var":
            found.append(point[data])
        elif op in ("0", "1"):
            found.append(F(op))
        elif op == "neg":
            found.append(1 - a[0])
        elif op == "oplus":
            found.append(min(F(1), a[0] + a[1]))
        elif op == "odot":
            found.append(max(F(0), a[0] + a[1] - 1))
        elif op == "imp":
            found.append(min(F(1), 1 - a[0] + a[1]))
        elif op == "vee":
            found.append(max(a))
        elif op == "wedge":
            found.append(min(a))
        elif op == "delta":
            found.append(a[0] / data)
        else:
            assert op == "scale"
            found.append(a[0] * data)
    return found


def names(nodes: Sequence[Node]) -> list[str]:
    """The variables of a table."""
    return sorted(data for op, data, _ in nodes if op == "var")


def points(variables: Sequence[str], most: int = 400) -> list[dict[str, F]]:
    """All points of the chains with 2, 3, 4 and 5 elements, as long as they are few, then fewer chains."""
    found = []
    for n in (1, 2, 3, 4):
        if (n + 1) ** len(variables) <= most:
            found += [dict(zip(variables, entry)) for entry in product([F(k, n) for k in range(n + 1)], repeat=len(variables))]
    return found


def is_true(nodes: Sequence[Node], left: int, right: int) -> bool:
    """Whether the two terms agree at all sample points."""
    return all((v := values(nodes, point))[left] == v[right] for point in points(names(nodes)))
