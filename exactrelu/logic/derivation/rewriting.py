"""Short derivations by rewriting: readable where they exist, no attempt at completeness.

Two ways are tried and the shorter derivation kept: equal normal forms under negation, associativity, commutativity and the
unit laws; and a search from both sides at once that applies a law at any place of a term, smallest terms first.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from heapq import heappop, heappush
from typing import NamedTuple

from exactrelu.logic.derivation.export import needed
from exactrelu.logic.derivation.ledger import Ledger
from exactrelu.logic.derivation.normal_form import NormalForms
from exactrelu.logic.derivation.tactics import Tactics

MOST_STEPS = 120
LARGEST = 14
MOST_GATES = 60
GROWTH = 5
LAWS = ("plus_comm", "times_comm", "plus_assoc", "times_assoc", "D2", "D3", "D4", "D5", "A4", "A5", "A6", "de_morgan_plus",
        "de_morgan_times", "max_comm", "min_comm")
"""Applied in both directions, as far as all variables are known; unit and complement laws are applied whenever they can be."""


class Rule(NamedTuple):
    """Rewrite an instance of the term `pattern` by the theorem `line`, whose left side it is."""

    pattern: int
    line: int


def short_proof(tactics: Tactics, left: int, right: int, tick: Callable[[], None]) -> tuple[Ledger, int] | None:
    """A ledger and a theorem left = right in it found by rewriting, or None.

    Cost: at most `MOST_STEPS` terms are rewritten from each side, and only terms of at most `LARGEST` symbols.
    """
    found: list[tuple[int, Ledger, int]] = []
    for way in (_by_search, _by_normal_form):
        own = tactics.fork()  # in one ledger the second derivation would be replaced by the first
        line = way(own, left, right, tick)
        if line is not None:
            found.append((len(needed(own.ledger, line)), own.ledger, line))
    best = min(found, key=lambda entry: entry[0], default=None)
    return None if best is None else best[1:]


def _by_normal_form(tactics: Tactics, left: int, right: int, tick: Callable[[], None]) -> int | None:
    ledger, normal = tactics.ledger, NormalForms(tactics)
    tick()
    if sum(tactics.terms.op(k) != "var" for k in tactics.terms.below([left, right])) > MOST_GATES:
        return None
    ends = []
    for term in (left, right):
        line = normal.of(term)
        ends.append(ledger.trans(line, tactics.normal(ledger.right[line])))
    if ledger.right[ends[0]] != ledger.right[ends[1]]:
        return None
    return ledger.trans(ends[0], ledger.sym(ends[1]))


def _size(tactics: Tactics, term: int, sizes: dict[int, int]) -> int:
    """The number of symbols of the unfolded term."""
    for k in tactics.terms.below([term]):
        if k not in sizes:
            sizes[k] = 1 + sum(sizes[a] for a in tactics.terms.args(k))
    return sizes[term]


def _rules(tactics: Tactics) -> dict[str, list[Rule]]:
    """Rules by the connective at the root of their pattern."""
    ledger, terms = tactics.ledger, tactics.terms
    rules: dict[str, list[Rule]] = {}
    for name in LAWS:
        for line in dict.fromkeys((tactics.laws[name], ledger.sym(tactics.laws[name]))):
            pattern, result = ledger.left[line], ledger.right[line]
            known = {k for k in terms.below([pattern]) if terms.op(k) == "var"}
            if terms.op(pattern) != "var" and all(k in known for k in terms.below([result]) if terms.op(k) == "var"):
                rules.setdefault(terms.op(pattern), []).append(Rule(pattern, line))
    return rules


def matched(tactics: Tactics, pattern: int, term: int) -> dict[int, int] | None:
    """The substitution of schema variables that turns the pattern into the term."""
    terms, image = tactics.terms, dict[int, int]()
    stack = [(pattern, term)]
    while stack:
        p, t = stack.pop()
        op, data, arguments = terms.nodes[p]
        if op == "var":
            if image.setdefault(p, t) != t:
                return None
        elif terms.nodes[t][:2] != (op, data):
            return None
        else:
            stack += zip(arguments, terms.args(t))
    return image


def _neighbors(tactics: Tactics, term: int, rules: dict[str, list[Rule]]) -> Iterator[int]:
    """Theorems term = other by one law at one place and the unit laws."""
    ledger, terms = tactics.ledger, tactics.terms
    for k in terms.below([term]):
        for pattern, law in rules.get(terms.op(k), ()):
            image = matched(tactics, pattern, k)
            if image is not None:
                line = ledger.rewrite(term, [ledger.lemma(law, image)])
                yield line
                yield ledger.trans(line, tactics.units(ledger.right[line]))


def _by_search(tactics: Tactics, left: int, right: int, tick: Callable[[], None]) -> int | None:
    ledger, sizes = tactics.ledger, dict[int, int]()
    if left == right:
        return ledger.refl(left)
    largest = max(_size(tactics, left, sizes), _size(tactics, right, sizes))
    if largest > LARGEST:
        return None
    rules = _rules(tactics)
    for line in _neighbors(tactics, left, rules):
        if ledger.right[line] == right:
            return line
    reached: tuple[dict[int, int], dict[int, int]] = ({}, {})
    queues: tuple[list[tuple[int, int, int]], list[tuple[int, int, int]]] = ([], [])
    for side, start in enumerate((left, right)):
        line = tactics.units(start)
        for first in (ledger.refl(start), line):
            reached[side].setdefault(ledger.right[first], first)
        heappush(queues[side], (_size(tactics, ledger.right[line], sizes), 0, ledger.right[line]))
    steps = 0
    while queues[0] or queues[1]:
        common = [term for term in reached[0] if term in reached[1]]
        if common:
            lines = [ledger.trans(reached[0][term], ledger.sym(reached[1][term])) for term in common]
            return min(lines, key=lambda line: len(needed(ledger, line)))
        for side in (0, 1):
            if not queues[side]:
                continue
            _, depth, term = heappop(queues[side])
            steps += 1
            if steps > 2 * MOST_STEPS:
                return None
            for line in _neighbors(tactics, term, rules):
                other = ledger.right[line]
                if other not in reached[side] and (size := _size(tactics, other, sizes)) <= largest + GROWTH:
                    reached[side][other] = ledger.trans(reached[side][term], line)
                    heappush(queues[side], (size + depth + 1, depth + 1, other))
        tick()
    return None
