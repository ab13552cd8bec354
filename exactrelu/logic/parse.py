"""Reading formulae: text and Unicode signs, `let` lines, comments.

    ~ /n [r] n.   bind most, then   *   +   &   |   ->        ¬ δ_n   ⊙ ⊕ ∧ ∨ →   are the same signs

n.a is short for a + ... + a.  Lines `let t = formula` (or parts that end with a semicolon) name subformulae of what follows;
`#` begins a comment.  The reader keeps its own stack: brackets may be nested as deeply as the text is long.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple, NoReturn

from exactrelu.arithmetic.rational import MAX_DIGITS
from exactrelu.errors import BudgetExceeded, InputError
from exactrelu.logic.formula import LONGEST_NAME, MOST_COPIES, ONE, ZERO, Formula, connective, delta, nfold, scale, var
from exactrelu.logic.show import PRECEDENCE

MAX_CHARACTERS = 20_000_000
"""Longest text."""
MAX_NODES = 5_000_000
"""Most connectives that a text may write, those of n.a included."""

_SPACE = re.compile(r"(?:[ \t\r]+|#[^\n]*)+")
_TOKEN = re.compile(r"(?P<end>[\n;])|(?P<imp>->|→)|(?P<neg>[~¬])|(?P<oplus>[+⊕])|(?P<odot>[*⊙])|(?P<vee>[|∨])|(?P<wedge>[&∧])"
                    r"|(?P<open>\()|(?P<close>\))|(?P<delta>/|δ_)|(?P<scale>\[)|(?P<equals>=)"
                    r"|(?P<name>[A-Za-z_][A-Za-z0-9_]*)|(?P<number>[0-9]+)")
_DIGITS = re.compile(r"[0-9]+")
_SCALAR = re.compile(r"([0-9]+)(?:/([0-9]+))?\]")
_BINARY = ("imp", "vee", "wedge", "oplus", "odot")


class _Token(NamedTuple):
    kind: str
    text: str
    at: int
    value: int | Fraction | None = None


@dataclass
class _Pending:
    """An operator or an opening bracket that waits for its last argument."""

    kind: str
    at: int
    value: int | Fraction | None = None


class _Reader:
    """One pass over a text."""

    def __init__(self, text: str, max_nodes: int) -> None:
        self.text, self.position, self.nodes, self.max_nodes = text, 0, 0, max_nodes
        self.names: dict[str, Formula] = {}

    def place(self, at: int) -> str:
        """The position for a message; lines are named when there are several."""
        before = self.text.rfind("\n", 0, at) + 1
        column = f"column {at - before + 1}"
        return f"line {self.text.count(chr(10), 0, at) + 1}, {column}" if "\n" in self.text.strip() else column

    def fail(self, message: str, at: int) -> NoReturn:
        """Refuse the text."""
        raise InputError(f"{message} at {self.place(at)}")

    def spend(self, count: int, at: int) -> None:
        """Count connectives."""
        self.nodes += count
        if self.nodes > self.max_nodes:
            raise BudgetExceeded(f"more than {self.max_nodes} connectives at {self.place(at)}")

    def token(self) -> _Token:
        """The next token; `stop` at the end of the text."""
        space = _SPACE.match(self.text, self.position)
        at = space.end() if space else self.position
        if at >= len(self.text):
            self.position = at
            return _Token("stop", "end of input", at)
        found = _TOKEN.match(self.text, at)
        if found is None:
            self.fail(f"unexpected {self.text[at]!r}", at)
        kind = str(found.lastgroup)
        self.position = found.end()
        if kind == "delta":
            return self._delta(found.group(), at)
        if kind == "scale":
            return self._scale(at)
        if kind == "number":
            return self._number(found.group(), at)
        if kind == "name" and len(found.group()) > LONGEST_NAME:
            self.fail(f"name of {len(found.group())} characters (at most {LONGEST_NAME})", at)
        return _Token(kind, found.group(), at)

    def _whole(self, digits: str, at: int) -> int:
        if len(digits) > MAX_DIGITS:
            self.fail(f"number of {len(digits)} digits (at most {MAX_DIGITS})", at)
        return int(digits)

    def _delta(self, sign: str, at: int) -> _Token:
        digits = _DIGITS.match(self.text, self.position)
        if digits is None:
            self.fail(f"{sign!r} without a number", at)
        self.position = digits.end()
        n = self._whole(digits.group(), at)
        if n < 1:
            self.fail("division by 0", at)
        return _Token("delta", f"{sign}{n}", at, n)

    def _scale(self, at: int) -> _Token:
        found = _SCALAR.match(self.text, self.position)
        if found is None:
            self.fail("'[' without a rational p or p/q and ']'", at)
        self.position = found.end()
        p, q = self._whole(found.group(1), at), self._whole(found.group(2) or "1", at)
        if q < 1:
            self.fail("scalar with denominator 0", at)
        if p > q:
            self.fail("scalar outside [0,1]", at)
        return _Token("scale", "[", at, Fraction(p, q))

    def _number(self, digits: str, at: int) -> _Token:
        if not self.text.startswith(".", self.position):
            if digits not in ("0", "1"):
                shown = digits if len(digits) <= 20 else f"{digits[:17]}..."
                self.fail(f"number {shown} (constants are 0 and 1, multiples are written {shown}.x)", at)
            return _Token("constant", digits, at)
        self.position += 1
        if digits.startswith("0"):
            self.fail(f"multiple {digits[:20]} (n.x needs n >= 1, without leading 0)", at)
        if len(digits) > len(str(MOST_COPIES)) or int(digits) > MOST_COPIES:
            self.fail(f"multiple of {len(digits)} digits (n.x has n at most {MOST_COPIES})", at)
        return _Token("multiple", f"{digits}.", at, int(digits))

    # ----------------------------------------------------------------------------------------------------------------

    def read(self) -> Formula:
        """The formula of the whole text."""
        while True:
            token = self.token()
            while token.kind == "end":
                token = self.token()
            if token.kind == "name" and token.text == "let":
                self._definition()
                continue
            formula, stop = self._formula(token)
            while stop.kind == "end":
                stop = self.token()
            if stop.kind != "stop":
                self.fail(f"unexpected {stop.text!r}", stop.at)
            return formula

    def _definition(self) -> None:
        name = self.token()
        if name.kind != "name" or name.text == "let":
            self.fail(f"unexpected {name.text!r}, expected a name", name.at)
        if name.text in self.names:
            self.fail(f"{name.text} is defined twice", name.at)
        equals = self.token()
        if equals.kind != "equals":
            self.fail(f"unexpected {equals.text!r}, expected '='", equals.at)
        formula, stop = self._formula(self.token())
        if stop.kind != "end":
            self.fail(f"unexpected {stop.text!r}, expected the next line", stop.at)
        self.names[name.text] = formula

    def _formula(self, token: _Token) -> tuple[Formula, _Token]:
        """One formula and the token after it (end of line outside brackets, or end of input)."""
        values: list[Formula] = []
        pending: list[_Pending] = []
        depth = 0
        operand = True
        while True:
            kind = token.kind
            if kind == "end" and (depth or (operand and (values or pending))) and token.text == "\n":
                pass  # a line may end within brackets or after an operator
            elif operand:
                if kind in ("neg", "delta", "scale", "multiple"):
                    pending.append(_Pending(kind, token.at, token.value))
                elif kind == "open":
                    depth += 1
                    pending.append(_Pending(kind, token.at))
                else:
                    values.append(self._atom(token))
                    self._finish_prefixes(values, pending)
                    operand = False
            elif kind in _BINARY:
                self._reduce(values, pending, PRECEDENCE[kind] + (kind == "imp"))
                pending.append(_Pending(kind, token.at))
                operand = True
            elif kind == "close":
                self._reduce(values, pending, 0)
                if not pending:
                    self.fail("unexpected ')'", token.at)
                pending.pop()
                depth -= 1
                self._finish_prefixes(values, pending)
            elif kind in ("end", "stop"):
                self._reduce(values, pending, 0)
                if pending:
                    self.fail("'(' is never closed; it stands", pending[-1].at)
                return values[0], token
            else:
                self.fail(f"unexpected {token.text[:40]!r}", token.at)
            token = self.token()

    def _atom(self, token: _Token) -> Formula:
        if token.kind == "constant":
            return ONE if token.text == "1" else ZERO
        if token.kind == "name" and token.text != "let":
            return self.names[token.text] if token.text in self.names else var(token.text)
        if token.kind == "stop":
            self.fail("unexpected end of input", token.at)
        shown = "end of line" if token.text == "\n" else repr(token.text[:40])
        self.fail(f"unexpected {shown}", token.at)

    def _finish_prefixes(self, values: list[Formula], pending: list[_Pending]) -> None:
        while pending and pending[-1].kind in ("neg", "delta", "scale", "multiple"):
            sign = pending.pop()
            a = values.pop()
            if sign.kind == "multiple":
                self.spend(int(sign.value or 1), sign.at)
                values.append(nfold(int(sign.value or 1), a))
            else:
                self.spend(1, sign.at)
                made = ~a if sign.kind == "neg" else delta(int(sign.value or 1), a) if sign.kind == "delta" else scale(sign.value, a)
                values.append(made)

    def _reduce(self, values: list[Formula], pending: list[_Pending], least: int) -> None:
        """Apply waiting operators that bind at least as much as `least`."""
        while pending and pending[-1].kind != "open" and PRECEDENCE[pending[-1].kind] >= least:
            sign = pending.pop()
            right, left = values.pop(), values.pop()
            self.spend(1, sign.at)
            values.append(connective(sign.kind, (left, right)))


def parse(text: str) -> Formula:
    """Return the formula that a text denotes; `parse(show(f)) is f` in the styles `text` and `unicode`.

    Raises:
        InputError: the text is no formula; names the column (and the line, if there are several).
        BudgetExceeded: it writes more than `MAX_NODES` connectives.
    Cost: linear in the text and the multiples n. in it.

    >>> parse("x*(y|z) -> 2.x")
    x * (y | z) -> x + x
    >>> parse("x + + y")
    Traceback (most recent call last):
    exactrelu.errors.InputError: unexpected '+' at column 5
    """
    if not isinstance(text, str):
        raise InputError(f"a formula is read from text, got {type(text).__name__}")
    if len(text) > MAX_CHARACTERS:
        raise InputError(f"text of {len(text)} characters (at most {MAX_CHARACTERS}); it is cut at column {MAX_CHARACTERS}")
    return parse_counted(text, MAX_NODES)[0]


def parse_counted(text: str, max_nodes: int) -> tuple[Formula, int]:
    """Return the formula of a text and the connectives that it writes, at most `max_nodes`; errors as for `parse`."""
    reader = _Reader(text, max_nodes)
    return reader.read(), reader.nodes
