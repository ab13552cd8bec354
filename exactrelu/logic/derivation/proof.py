"""Proofs of equations: derivations from the axioms that can be saved, checked independently, explained and reduced.

A proof is found by procedures that nobody needs to trust; `Proof.check` hands its lines to the checker, which knows the
axioms and a dozen rules and recomputes everything else.
"""

from __future__ import annotations

import gzip
import os
from collections import Counter
from collections.abc import Iterator
from typing import Protocol

from exactrelu.checker.derivation import Goal, check_derivation
from exactrelu.checker.document import Malformed, Rejected
from exactrelu.errors import CertificateRejected, InputError
from exactrelu.logic.derivation.export import needed, replayed, written
from exactrelu.logic.derivation.ledger import Ledger
from exactrelu.logic.derivation.terms import Data, TermTable

SHORT = 100
"""A proof of at most so many lines is explained line by line."""


class FormulaLike(Protocol):
    """A formula: a connective, its arguments, and the name, number or scalar that belongs to it."""

    @property
    def op(self) -> str:
        """The connective."""

    @property
    def args(self) -> tuple[FormulaLike, ...]:
        """The arguments."""

    @property
    def data(self) -> object:
        """Name of a variable, n of delta_n, r of a scalar; None otherwise."""


def term_of(formula: FormulaLike, table: TermTable) -> int:
    """The term of a formula; shared subformulae are visited once."""
    numbers: dict[int, int] = {}
    stack: list[tuple[FormulaLike, bool]] = [(formula, False)]
    while stack:
        f, ready = stack.pop()
        if id(f) in numbers:  # all subformulae are kept alive by the formula itself
            continue
        if ready:
            data: Data = f.data if f.op in ("var", "delta", "scale") else None  # type: ignore[assignment]  # by the connective
            numbers[id(f)] = table.make(f.op, tuple([numbers[id(a)] for a in f.args]), data)
        else:
            stack.append((f, True))
            stack += [(a, False) for a in reversed(f.args)]
    return numbers[id(formula)]


class Proof:
    """A derivation of an equation from the axioms.

    Attributes:
        method: which procedure found it: `rewriting`, `case splits`, or `file`.
        leaves: cells on which the formulae were compared, 0 if there was no search.
    """

    def __init__(self, ledger: Ledger, line: int, method: str, leaves: int = 0) -> None:
        self.ledger, self.line, self.method, self.leaves = ledger, line, method, leaves
        self._lines: tuple[str, ...] | None = None

    def lines(self) -> tuple[str, ...]:
        """The lines of the derivation file; those of the file read, if there was one."""
        if self._lines is None:
            self._lines = tuple(written(self.ledger, self.line))
        return self._lines

    def size(self) -> int:
        """The number of proof lines in the file."""
        return sum(text.startswith(RULES) for text in self.lines())

    def rules(self) -> Counter[str]:
        """How often each rule is used."""
        return Counter(text[2 : text.index('"', 2)] for text in self.lines() if text.startswith(RULES))

    def goal(self) -> str:
        """The equation proved, with all brackets."""
        word = self.ledger.word
        return f"{word(self.ledger.left[self.line])} = {word(self.ledger.right[self.line])}"

    def proves(self, f: FormulaLike, g: FormulaLike) -> bool:
        """Whether the equation is f = g."""
        table = self.ledger.terms.copy()
        return (term_of(f, table), term_of(g, table)) == (self.ledger.left[self.line], self.ledger.right[self.line])

    def check(self) -> Goal:
        """Have the lines checked independently, and the goal compared with the equation of this proof.

        Raises:
            CertificateRejected: the checker refuses a line, or the file proves another equation.
        """
        try:
            goal = check_derivation(self.lines())
        except (Rejected, Malformed) as error:
            raise CertificateRejected(str(error)) from error
        table = self.ledger.terms.copy()
        numbers: list[int] = []
        for op, data, arguments in goal.nodes:
            numbers.append(table.make(op, tuple([numbers[k] for k in arguments]), data))
        if (numbers[goal.left], numbers[goal.right]) != (self.ledger.left[self.line], self.ledger.right[self.line]):
            raise CertificateRejected(f"the file proves another equation: {goal.text()}")
        return goal

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the file; packed if the name ends with `.gz`, with the same bytes every time."""
        data = "".join(self.lines()).encode("ascii")
        if os.fspath(path).endswith(".gz"):
            data = gzip.compress(data, mtime=0)
        with open(path, "wb") as file:
            file.write(data)

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Proof:
        """Read a file; it is not checked.

        Raises:
            InputError: the file is not a derivation; the message names the line.
        """
        with open(path, "rb") as file:
            data = file.read()
        try:
            if data[:2] == b"\x1f\x8b":
                data = gzip.decompress(data)
            text = data.decode("ascii")
        except (OSError, EOFError, UnicodeDecodeError) as error:
            raise InputError(f"{os.fspath(path)}: not a derivation: {error}") from None
        lines = tuple(text.splitlines(keepends=True))
        proof = cls(*replayed(lines), "file")
        proof._lines = lines
        return proof

    def to_axioms(self) -> Proof:
        """The same equation by equational logic alone: no case splits and no assumptions are left.

        Cost: the derivation grows by a factor of about ten to thirty.
        """
        from exactrelu.logic.derivation.split_removal import without_splits
        ledger, line = without_splits(self.ledger, self.line)
        return Proof(ledger, line, self.method, self.leaves)

    def explain(self) -> str:
        """The derivation for people: line by line if it is short, else an outline of its cases."""
        return "\n".join(self._explained())

    def _explained(self) -> Iterator[str]:
        ledger = self.ledger
        order = needed(ledger, self.line)
        yield f"{self.goal()}   ({self.size()} lines, found by {self.method})"
        if len(order) <= SHORT:
            place = {k: i for i, k in enumerate(order, 1)}
            for k in order:
                rule, payload, premises = ledger.lines[k]
                name = f"{rule} {payload[0]}" if rule in ("axiom", "definition") else rule
                source = f" of {', '.join(str(place[j]) for j in premises)}" if premises else ""
                yield f"{place[k]:4}. {ledger.show(k).removeprefix(' |- ')}   [{name}{source}]"
            return
        yield from self._outline(order)

    def _outline(self, order: list[int]) -> Iterator[str]:
        """The case splits, followed through chains and discharged hypotheses."""
        ledger = self.ledger
        leads = dict[int, bool]()
        for k in order:
            rule, _, premises = ledger.lines[k]
            leads[k] = rule == "split" or (rule in ("trans", "cut") and any(leads[j] for j in premises))
        stack, shown = [(self.line, "")], 0
        while stack and shown < SHORT:
            k, space = stack.pop()
            rule, payload, premises = ledger.lines[k]
            equation = f"{space}{ledger.word(ledger.left[k])} = {ledger.word(ledger.right[k])}"
            if rule == "split":
                s, t = map(ledger.word, payload)
                yield f"{equation}: two cases, {s} * {t} = 0 and {s} + {t} = 1"
                stack += [(j, space + "  ") for j in reversed(premises)]
                shown += 1
            elif leads[k]:
                stack += [(j, space) for j in reversed(premises) if leads[j]]
            else:
                yield f"{equation}: both sides are affine here, with the same form"
                shown += 1
        if stack:
            yield "... and more cases"

    def __repr__(self) -> str:
        rules = self.rules()
        return f"<Proof of {self.goal()}: {sum(rules.values())} lines, {rules['split']} case splits, found by {self.method}>"


RULES = tuple(f'["{rule}"' for rule in ("refl", "assume", "axiom", "definition", "sym", "trans", "cong", "rewrite", "inst", "lemma", "cut",
                                        "split"))
