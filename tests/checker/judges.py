"""Is a claim true?  One judge for every kind, by brute force (see `oracle`)."""

from fractions import Fraction as F
from typing import Any

from tests.checker import corpus_conservation, corpus_shallow, judges_fibers, judges_identifiability
from tests.checker.oracle import (
    complex_of,
    describe,
    equal,
    equivalent,
    feasible,
    forward,
    functional_dimension,
    inside,
    layer_of,
    parameters,
    walls,
    widths,
)


def true(claim: dict[str, Any]) -> bool:
    """The claim is true (its shape must be right)."""
    return bool(JUDGES[claim["kind"]](claim))


def _point(claim: dict[str, Any]) -> list[F]:
    return [F(x) for x in claim["point"]]


def _face(c: dict[str, Any]) -> bool:
    whole = complex_of(c["network"], c["domain"])
    cell = whole.find(_point(c))
    if cell is None:
        return False
    zeros = [j for j, s in enumerate(cell.signs) if s == 0]
    bending = set(c["bending"]) <= set(whole.bending(cell.signs))
    return zeros == c["zero_neurons"] and cell.dimension == c["dimension"] and bending


def _zero_count(c: dict[str, Any]) -> bool:
    whole = complex_of(c["network"], c["domain"])
    cell = whole.find(_point(c))
    return cell is not None and cell.signs.count(0) != whole.d - cell.dimension


def _supertransversality(c: dict[str, Any]) -> bool:
    whole = complex_of(c["network"], c["domain"])
    cell = whole.find(_point(c))
    if cell is None:
        return False
    bending, codimension = whole.bending(cell.signs), whole.d - cell.dimension
    if len(c["bending"]) > codimension:
        return set(c["bending"]) <= set(bending)
    return c["bending"] == bending and len(bending) != codimension


def _transparency(c: dict[str, Any]) -> bool:
    z, _ = forward(c["network"], _point(c))
    own = [v for v, k in zip(z, layer_of(c["network"])) if k == c["layer"] - 1]
    return inside(c["domain"], _point(c), False) and bool(own) and max(own) <= 0


def _hidden_facet(c: dict[str, Any]) -> bool:
    whole = complex_of(c["network"], c["domain"])
    cell = whole.find(_point(c))
    if cell is None or cell.dimension != whole.d - 1:
        return False
    zeros = [j for j, s in enumerate(cell.signs) if s == 0]
    return zeros == [c["neuron"]] and whole.cancelled(cell)


def _no_cancellation(c: dict[str, Any]) -> bool:
    whole = complex_of(c["network"], c["domain"])
    cell = whole.find(_point(c))
    return cell is not None and cell.dimension == whole.d - 1 and whole.cancelled(cell)


def _linear_regions(c: dict[str, Any]) -> bool:
    whole = complex_of(c["network"], c["domain"])
    one, two = (whole.find([F(x) for x in p]) for p in c["points"])
    if one is None or two is None or not one.dimension == two.dimension == whole.d:
        return False
    pairs = [{s.signs for s in whole.sides(facet)} for facet in whole.facets]
    meet = c["level"] == "strong" or {one.signs, two.signs} in pairs
    return one.signs != two.signs and one.output == two.output and meet


def _not_identifiable(c: dict[str, Any]) -> bool:
    d = len(c["a"]["weights"][0][0])
    fat = feasible([(row, ">") for row in walls(c["domain"])], d) is not None
    shapes = [widths(net) for net in (c["a"], c["b"])]
    same = shapes[0] == shapes[1] and equal(c["a"], c["b"], c["domain"])
    return fat and same and not equivalent(c["a"], c["b"])


def _complex(c: dict[str, Any]) -> bool:
    found = describe(c["network"], c["domain"])
    return found is not None and all(c[name] == value for name, value in found.items())


def _dimension(c: dict[str, Any]) -> int:
    return functional_dimension(c["network"], c["domain"])


def _expected(net: dict[str, Any]) -> int:
    return len(parameters(net)) - sum(widths(net))


JUDGES = {
    **judges_identifiability.JUDGES,
    **judges_fibers.JUDGES,
    **corpus_conservation.JUDGES,
    **corpus_shallow.JUDGES,
    "values": lambda c: forward(c["network"], _point(c))[1] == [F(v) for v in c["value"]],
    "face": _face,
    "full-cells": lambda c: len(complex_of(c["network"], c["domain"]).full) == c["count"],
    "complex": _complex,
    "zero-count-fails": _zero_count,
    "supertransversality-fails": _supertransversality,
    "transparency-fails": _transparency,
    "hidden-facet": _hidden_facet,
    "no-cancellation-fails": _no_cancellation,
    "linear-regions-assumption-fails": _linear_regions,
    "dimension-at-least": lambda c: _dimension(c) >= c["dimension"],
    "dimension-at-least-facet-pairs": lambda c: _dimension(c) >= c["dimension"],
    "locally-identifiable-facet-pairs": lambda c: _dimension(c) == _expected(c["network"]),
    "dimension-at-most": lambda c: _dimension(c) <= c["dimension"],
    "locally-identifiable": lambda c: _dimension(c) == _expected(c["network"]),
    "equal": lambda c: equal(c["a"], c["b"], c["domain"]),
    "equal-shallow": lambda c: equal(c["a"], c["b"], c["domain"]),
    "different": lambda c: (
        inside(c["domain"], _point(c), False)
        and forward(c["a"], _point(c))[1] != forward(c["b"], _point(c))[1]
    ),
    "equivalent": lambda c: equivalent(c["a"], c["b"]),
    "inequivalent": lambda c: not equivalent(c["a"], c["b"]),
    "not-identifiable": _not_identifiable,
}
