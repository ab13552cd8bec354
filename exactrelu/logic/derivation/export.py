"""From a ledger to the lines of a derivation file, and back.

The file holds only what the last line needs, every term once and just before it is used; chains of equations that serve
one longer chain are merged into it.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from typing import Any

from exactrelu.errors import InputError, InvariantError
from exactrelu.logic.derivation.ledger import Ledger, Line

HEADER = {"format": "exactrelu/derivation", "version": 1}


def needed(ledger: Ledger, line: int) -> list[int]:
    """The lines on which a theorem rests, in order, itself last."""
    seen, stack = set[int](), [line]
    while stack:
        k = stack.pop()
        if k not in seen:
            seen.add(k)
            stack += ledger.lines[k][2]
    return sorted(seen)


def compacted(ledger: Ledger, line: int) -> dict[int, Line]:
    """The needed lines, chains that are used once being merged into the chain that uses them."""
    order = needed(ledger, line)
    uses = dict.fromkeys(order, 0)
    for k in order:
        for premise in ledger.lines[k][2]:
            uses[premise] += 1
    result = {k: ledger.lines[k] for k in order}
    for k in order:  # premises come first, so they are merged themselves already
        rule, payload, premises = result[k]
        if rule == "trans":
            merged: list[int] = []
            for premise in premises:
                inner = result[premise]
                if inner[0] == "trans" and uses[premise] == 1:
                    merged += inner[2]
                    del result[premise]
                else:
                    merged.append(premise)
            result[k] = (rule, payload, tuple(merged))
    return result


def _text(value: Any) -> str:
    return json.dumps(value, sort_keys=True, separators=(",", ":")) + "\n"


def written(ledger: Ledger, line: int) -> Iterator[str]:
    """The lines of the file that proves the theorem `line`, which has no hypotheses."""
    if ledger.hypotheses[line]:
        raise InvariantError(f"hypotheses are left: {ledger.show(line)}")
    yield _text(HEADER)
    number: dict[int, int] = {}
    place: dict[int, int] = {}

    def terms(*wanted: int) -> Iterator[str]:
        if any(k not in number for k in wanted):
            for k in ledger.terms.below(wanted):
                if k not in number:
                    op, data, arguments = ledger.terms.nodes[k]
                    number[k] = len(number)
                    parts = [op] if data is None else [op, str(data) if isinstance(data, Fraction) else data]
                    yield _text(parts + [number[a] for a in arguments])

    for k, (rule, payload, premises) in compacted(ledger, line).items():
        before = [place[j] for j in premises]
        if rule in ("axiom", "definition"):
            yield _text([rule, *(str(x) if isinstance(x, Fraction) else x for x in payload)])
        elif rule in ("sym", "trans", "cut"):
            yield _text([rule, *before])
        elif rule in ("refl", "cong", "rewrite"):
            yield from terms(payload)
            yield _text([rule, number[payload], *before])
        elif rule in ("assume", "split"):
            yield from terms(*payload)
            yield _text([rule, *(number[x] for x in payload), *before])
        else:
            flat = [x for pair in payload for x in pair]
            yield from terms(*flat)
            image = [number[x] for x in flat]
            yield _text(["lemma", before[0], image, before[1:]] if len(before) > 1 else ["inst", before[0], *image])
        place[k] = len(place)
    sides = (ledger.left[line], ledger.right[line])
    yield from terms(*sides)
    yield _text({"goal": [number[x] for x in sides], "line": place[line]})


def replayed(lines: Iterable[str]) -> tuple[Ledger, int]:
    """A ledger with the steps of a file, and the theorem that it proves.

    This is reading, not checking: what is accepted here and is no proof will be rejected by the checker.

    Raises:
        InputError: the text is not a derivation, or a step does not apply.
    """
    ledger = Ledger()
    terms: list[int] = []
    proved: list[int] = []
    goal: int | None = None
    for count, text in enumerate(lines, 1):
        try:
            value = json.loads(text)
            if count == 1:
                if value != HEADER:
                    raise InputError("line 1: not a derivation of version 1")
            elif isinstance(value, dict):
                goal = proved[value["line"]]
            else:
                _replay(ledger, terms, proved, value)
        except (ValueError, TypeError, LookupError, InvariantError, RecursionError) as error:
            raise InputError(f"line {count}: not a step of a derivation: {str(error)[:100]}") from None
    if goal is None:
        raise InputError("the file ends without a goal")
    return ledger, goal


def _replay(ledger: Ledger, terms: list[int], proved: list[int], value: Sequence[Any]) -> None:
    word, rest = value[0], value[1:]
    table = ledger.terms
    if word in ("var", "delta", "scale"):
        data = Fraction(rest[0]) if word == "scale" else rest[0]
        terms.append(table.make(word, tuple([terms[k] for k in rest[1:]]), data))
    elif word in ("0", "1", "neg", "oplus", "odot", "imp", "vee", "wedge"):
        terms.append(table.make(word, tuple([terms[k] for k in rest])))
    elif word == "axiom":
        proved.append(ledger.axiom(*rest))
    elif word == "definition":
        proved.append(ledger.definition(rest[0], *map(Fraction, rest[1:])))
    elif word == "refl":
        proved.append(ledger.refl(terms[rest[0]]))
    elif word == "assume":
        proved.append(ledger.assume(terms[rest[0]], terms[rest[1]]))
    elif word == "sym":
        proved.append(ledger.sym(proved[rest[0]]))
    elif word == "trans":
        proved.append(ledger.trans(*[proved[k] for k in rest]))
    elif word == "cong":
        proved.append(ledger.cong(terms[rest[0]], *[proved[k] for k in rest[1:]]))
    elif word == "rewrite":
        proved.append(ledger.rewrite(terms[rest[0]], [proved[k] for k in rest[1:]]))
    elif word == "cut":
        proved.append(ledger.cut(*[proved[k] for k in rest]))
    elif word == "split":
        proved.append(ledger.split(terms[rest[0]], terms[rest[1]], proved[rest[2]], proved[rest[3]]))
    elif word in ("inst", "lemma"):
        flat, proofs = (rest[1], rest[2]) if word == "lemma" else (rest[1:], [])
        image = {terms[a]: terms[b] for a, b in zip(flat[::2], flat[1::2])}
        proved.append(ledger.lemma(proved[rest[0]], image, [proved[k] for k in proofs]))
    else:
        raise InputError(f"no connective or rule {word!r}")
