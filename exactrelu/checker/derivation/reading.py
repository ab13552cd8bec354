"""Reading a derivation: one JSON array a line, in canonical bytes.

    {"format":"exactrelu/derivation","version":1}      the first line
    ["var","x"]  ["0"]  ["neg",0]  ["oplus",0,2]  ["delta",3,0]  ["scale","2/3",0]
                                                       a term; terms are numbered from 0
    ["axiom","A1"]  ["trans",0,4]  ["split",s,t,k,m]   a proof line; numbered from 0 on its own
    {"goal":[l,r],"line":k}                            the last line

A number refers to what stands above it; a term is given once; there are no other identifiers.
"""

import json
import re
from collections.abc import Callable, Iterable
from fractions import Fraction
from typing import NamedTuple

from exactrelu.checker.derivation.axioms import axiom, definition
from exactrelu.checker.derivation.meter import LIMITS, Meter
from exactrelu.checker.derivation.rules import Rules, Sequent
from exactrelu.checker.derivation.terms import ARITY, Node, Terms, text
from exactrelu.checker.document import RATIONAL, Json, Malformed, canonical, rational

HEADER = {"format": "exactrelu/derivation", "version": 1}
NAME = re.compile(r"\??[A-Za-z_][A-Za-z0-9_]*\Z")


class Goal(NamedTuple):
    """The equation proved: left = right, two terms of the table `nodes`."""

    nodes: tuple[Node, ...]
    left: int
    right: int
    lines: int
    splits: int

    def text(self) -> str:
        """The equation with all brackets."""
        return f"{text(self.nodes, self.left)} = {text(self.nodes, self.right)}"


class Derivation:
    """What has been read so far: terms by their number in the file, proved sequents by theirs."""

    def __init__(self) -> None:
        self.meter = Meter()
        self.terms = Terms(self.meter)
        self.rules = Rules(self.terms)
        self.given: list[int] = []
        self.known: set[int] = set()
        self.proved: list[Sequent] = []
        self.splits = 0
        self.readers: dict[str, Callable[[list[Json]], Sequent]] = {
            "refl": lambda rest: self.rules.refl(*self._terms(rest, 1)),
            "assume": lambda rest: self.rules.assume(*self._terms(rest, 2)),
            "axiom": self._axiom,
            "definition": self._definition,
            "sym": lambda rest: self.rules.sym(*self._premises(rest, 1)),
            "trans": lambda rest: self.rules.trans(self._premises(rest)),
            "cong": lambda rest: self.rules.cong(self._first_term(rest), self._premises(rest[1:])),
            "rewrite": self._rewrite,
            "inst": self._inst,
            "lemma": self._lemma,
            "cut": self._cut,
            "split": self._split,
        }

    def index(self, value: Json, end: int, what: str) -> int:
        """A reference to what has been given before."""
        if type(value) is not int:
            self.meter.malformed(f"expected the number of a {what}")
        self.meter.require(0 <= value < end, f"no {what} {str(value)[:20]} above")
        return int(value)

    def term(self, line: list[Json]) -> None:
        """Read the line of a term."""
        op, rest = line[0], line[1:]
        data: str | int | Fraction | None = None
        if op in ("var", "delta", "scale"):
            data, rest = self._data(op, rest), rest[1:]
        arguments = self._terms(rest, ARITY[op])
        number = self.terms.make(op, *arguments, data=data)
        self.meter.require(number not in self.known, "a term is given twice")
        self.known.add(number)
        self.given.append(number)

    def _data(self, op: str, rest: list[Json]) -> str | int | Fraction:
        value = rest[0] if rest else None
        if op == "delta":
            return self._positive(value)
        if op == "scale":
            return self._scalar(value)
        if type(value) is not str or len(value) > LIMITS["name"] or not NAME.match(value):
            self.meter.malformed("the name of a variable is a short identifier")
        return str(value)

    def _positive(self, value: Json) -> int:
        if type(value) is not int:
            self.meter.malformed("a parameter should be an integer")
        self.meter.require(1 <= value <= LIMITS["parameter"], "a parameter is out of range")
        return int(value)

    def _scalar(self, value: Json) -> Fraction:
        if type(value) is not str or len(value) > 40 or not RATIONAL.match(value):
            self.meter.malformed("a scalar is a rational in lowest terms")
        try:
            scalar = rational(value)
        except Malformed as error:
            self.meter.malformed(str(error))
        self.meter.require(scalar.denominator <= LIMITS["parameter"], "a parameter is out of range")
        self.meter.require(0 <= scalar <= 1, "a scalar lies in [0, 1]")
        return scalar

    def _terms(self, rest: list[Json], count: int) -> list[int]:
        if type(rest) is not list or len(rest) != count:
            self.meter.malformed(f"expected {count} terms")
        end = len(self.given)
        return [self.given[self.index(k, end, "term")] for k in rest]

    def _first_term(self, rest: list[Json]) -> int:
        return self._terms(rest[:1], 1)[0]

    def _premises(self, rest: list[Json], count: int | None = None) -> list[Sequent]:
        if type(rest) is not list or (len(rest) != count if count is not None else not rest):
            self.meter.malformed("wrong number of premises")
        end = len(self.proved)
        self.meter.spend(len(rest))
        return [self.proved[self.index(k, end, "proof line")] for k in rest]

    def _name(self, rest: list[Json]) -> str:
        if not rest or type(rest[0]) is not str:
            self.meter.malformed("expected the name of an axiom or a definition")
        return str(rest[0])

    def _axiom(self, rest: list[Json]) -> Sequent:
        name = self._name(rest)
        return 0, *axiom(self.terms, name, [self._positive(value) for value in rest[1:]])

    def _definition(self, rest: list[Json]) -> Sequent:
        name = self._name(rest)
        if len(rest) > 2:
            self.meter.malformed("too many parameters of a definition")
        scalar = self._scalar(rest[1]) if len(rest) == 2 else None
        return 0, *definition(self.terms, name, scalar)

    def _rewrite(self, rest: list[Json]) -> Sequent:
        return self.rules.rewrite(self._first_term(rest), self._premises(rest[1:]))

    def _substitution(self, pairs: Json) -> dict[int, int]:
        if type(pairs) is not list or len(pairs) % 2:
            self.meter.malformed("a substitution lists variables and terms in turn")
        numbers = self._terms(pairs, len(pairs))
        image = dict(zip(numbers[::2], numbers[1::2], strict=True))
        variables = all(self.terms[k][0] == "var" for k in image)
        self.meter.require(variables, "only variables can be instantiated")
        self.meter.require(2 * len(image) == len(pairs), "a variable is instantiated twice")
        return image

    def _inst(self, rest: list[Json]) -> Sequent:
        premise = self._premises(rest[:1], 1)[0]
        return self.rules.inst(premise, self._substitution(rest[1:]))

    def _lemma(self, rest: list[Json]) -> Sequent:
        if len(rest) != 3:
            self.meter.malformed("a lemma line has a premise, a substitution and proofs")
        premise = self._premises(rest[:1], 1)[0]
        image = self._substitution(rest[1])
        return self.rules.lemma(premise, image, self._premises(rest[2]))

    def _cut(self, rest: list[Json]) -> Sequent:
        return self.rules.cut(self._premises(rest[:1], 1)[0], self._premises(rest[1:]))

    def _split(self, rest: list[Json]) -> Sequent:
        s, t = self._terms(rest[:2], 2)
        below, above = self._premises(rest[2:], 2)
        self.splits += 1
        return self.rules.split(s, t, below, above)

    def step(self, line: list[Json]) -> None:
        """Read one line, a term or a proof line."""
        word = line[0] if line else None
        if type(word) is not str:
            self.meter.malformed("a line begins with a connective or a rule")
        if word in ARITY:
            self.term(line)
        elif word in self.readers:
            sequent = self.readers[word](line[1:])
            self.meter.store(sequent[0])
            self.proved.append(sequent)
        else:
            self.meter.malformed(f"no connective or rule {word[:60]!a}")

    def goal(self, last: dict[str, Json]) -> Goal:
        """Read the last line: the goal has to be proved, without hypotheses."""
        if set(last) != {"goal", "line"}:
            self.meter.malformed("the last line has the fields goal, line")
        left, right = self._terms(last["goal"], 2)
        known, *sides = self.proved[self.index(last["line"], len(self.proved), "proof line")]
        self.meter.require(sides == [left, right], "the line proves another equation")
        self.meter.require(known == 0, "hypotheses are left")
        nodes, (start, end) = self.terms.shared([left, right])
        return Goal(nodes, start, end, len(self.proved), self.splits)


def check_derivation(lines: Iterable[str]) -> Goal:
    """Return the equation that a derivation proves.

    Args:
        lines: the lines of the file, each with its newline.
    Raises:
        Malformed: this is not a derivation.
        Rejected: a line does not follow, or the goal is not reached; the message names the line.
    Cost: proportional to the terms that the rules visit; bounded by `LIMITS`.
    """
    derivation = Derivation()
    meter = derivation.meter
    total, goal = 0, None
    for line in lines:
        meter.line += 1
        total += len(line)
        meter.require(meter.line <= LIMITS["lines"], "too many lines")
        meter.require(total <= LIMITS["bytes"], "the file is too long")
        value = _json(line, meter)
        if goal is not None:
            meter.malformed("a line after the goal")
        if meter.line == 1:
            if value != HEADER or type(value["version"]) is not int:
                meter.malformed("not a derivation of version 1")
        elif type(value) is dict:
            goal = derivation.goal(value)
        elif type(value) is list:
            derivation.step(value)
        else:
            meter.malformed("a line is a list, the last one an object")
    if goal is None:
        meter.malformed("the file ends without a goal")
    return goal


def _json(line: str, meter: Meter) -> Json:
    meter.require(len(line) <= LIMITS["line_bytes"], "the line is too long")
    try:
        value = json.loads(line)
        same = canonical(value) == line
    except (ValueError, RecursionError) as error:  # json's own limit of digits is a ValueError
        meter.malformed(f"not JSON: {str(error)[:60]}")
    if not same:
        meter.malformed("bytes are not canonical (sorted keys, no spaces, ASCII, a final newline)")
    return value
