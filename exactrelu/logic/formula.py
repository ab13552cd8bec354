r"""Łukasiewicz formulae as shared immutable terms.

A formula denotes a function [0,1]^n -> [0,1].  With s(z) = min(1, max(0, z)):

    ~a = 1 - a        a + b = s(a + b)      a * b = s(a + b - 1)      a -> b = s(1 - a + b)
    a | b = max       a & b = min           /n a = a / n (n >= 1)     [r] a = r a (0 <= r <= 1)

Three languages: `mv` without the last two, `divisible` with /n, `riesz` with [r].  Equal formulae are one object: `is` is
structural equality, and walks visit a shared subformula once.  The table that makes this true holds its formulae weakly and
is keyed by serial numbers that are never used again (an address could be).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from fractions import Fraction
from threading import RLock
from typing import Any, NamedTuple, NoReturn
from weakref import WeakValueDictionary

from exactrelu.arithmetic.rational import common_denominator, rational
from exactrelu.errors import DomainError, InputError
from exactrelu.logic.show import abridged
from exactrelu.logic.walk import post_order, tree_size

Data = str | int | Fraction | None
MOST_COPIES = 1_000_000
"""Largest n of an n-fold sum: it has n - 1 nodes."""
LONGEST_NAME = 200
RESERVED = ("let",)
"""Words that cannot be variables: they begin the lines of the shared form."""

_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_ARITY = {"var": 0, "0": 0, "1": 0, "neg": 1, "oplus": 2, "odot": 2, "imp": 2, "vee": 2, "wedge": 2, "delta": 1, "scale": 1}
_LANGUAGES = ("mv", "divisible", "riesz")


class Sizes(NamedTuple):
    """Nodes of the tree, distinct nodes, and length of the longest path."""

    tree: int
    dag: int
    depth: int


class Formula:
    """A formula; made by the functions of this module, by `parse`, or from formulae by operators.

    Attributes:
        op: `var`, `0`, `1`, `neg`, `oplus`, `odot`, `imp`, `vee`, `wedge`, `delta` or `scale`.
        args: the arguments.
        data: the name of a variable, n of `delta`, r of `scale`; None otherwise.

    >>> x, y = var("x"), var("y")
    >>> x * y | ~x, (x >> y) is (x >> y)
    (x * y | ~x, True)
    """

    __slots__ = ("__weakref__", "args", "data", "op", "serial")
    op: str
    args: tuple[Formula, ...]
    data: Data
    serial: int

    def __init__(self, *_: Any) -> None:
        raise InputError("formulae are made by var, const, delta, scale, nfold, parse and operators")

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise AttributeError(f"formulae are immutable: {name}")

    def __delattr__(self, name: str) -> NoReturn:
        raise AttributeError(f"formulae are immutable: {name}")

    def __copy__(self) -> Formula:
        return self

    def __deepcopy__(self, memo: object) -> Formula:
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        return formula_of_records, (records(self),)

    def __repr__(self) -> str:
        return abridged(self)

    def __invert__(self) -> Formula:
        return _make("neg", (self,))

    def __add__(self, other: Formula) -> Formula:
        return _make("oplus", (self, other)) if isinstance(other, Formula) else NotImplemented

    def __mul__(self, other: Formula) -> Formula:
        return _make("odot", (self, other)) if isinstance(other, Formula) else NotImplemented

    def __or__(self, other: Formula) -> Formula:
        return _make("vee", (self, other)) if isinstance(other, Formula) else NotImplemented

    def __and__(self, other: Formula) -> Formula:
        return _make("wedge", (self, other)) if isinstance(other, Formula) else NotImplemented

    def __rshift__(self, other: Formula) -> Formula:
        return _make("imp", (self, other)) if isinstance(other, Formula) else NotImplemented

    def __bool__(self) -> NoReturn:
        raise InputError("a formula has no truth value of its own; compare formulae with `is` or `equivalent`")

    @property
    def variables(self) -> tuple[str, ...]:
        """Names of the variables that occur, x2 before x10."""
        return variables(self)

    @property
    def language(self) -> str:
        """The least language that contains the formula: `mv`, `divisible` or `riesz`."""
        return language(self)

    def evaluate(self, env: Mapping[str, Any]) -> Fraction:
        """Return the exact truth value; `env` gives every variable a rational in [0,1].

        >>> (var("x") * var("y")).evaluate({"x": "3/4", "y": "2/3"})
        Fraction(5, 12)
        """
        return evaluate((self,), env)[0]

    def subst(self, replacements: Mapping[str, Formula]) -> Formula:
        """Return the formula with all variables named replaced at the same time."""
        return substitute((self,), replacements)[0]

    def sizes(self) -> Sizes:
        """Return the exact sizes of tree and graph, and the depth."""
        order = post_order(self)
        depth: dict[Formula, int] = {}
        for node in order:
            depth[node] = 1 + max(depth[a] for a in node.args) if node.args else 0
        return Sizes(tree_size(self), len(order), depth[self])


_TABLE: WeakValueDictionary[tuple[str, tuple[int, ...], Data], Formula] = WeakValueDictionary()
_LOCK = RLock()
_serial = 0


def _make(op: str, args: tuple[Formula, ...] = (), data: Data = None) -> Formula:
    """The one formula with this connective, these arguments and this parameter, which have been checked."""
    global _serial
    key = (op, tuple([a.serial for a in args]), data)
    with _LOCK:
        found = _TABLE.get(key)
        if found is None:
            found = object.__new__(Formula)
            fill = object.__setattr__
            fill(found, "op", op)
            fill(found, "args", args)
            fill(found, "data", data)
            fill(found, "serial", _serial)
            _serial += 1
            _TABLE[key] = found
    return found


ZERO = _make("0")
"""The constant 0."""
ONE = _make("1")
"""The constant 1."""


def var(name: str) -> Formula:
    """Return a variable: ASCII letters, digits and underscores, beginning with no digit.

    Raises:
        InputError: the name is none, or is reserved.
    """
    if not isinstance(name, str) or not _NAME.fullmatch(name) or len(name) > LONGEST_NAME:
        raise InputError(f"{str(name)[:60]!r} is no name of a variable: letters, digits and _, at most {LONGEST_NAME}, no digit first")
    if name in RESERVED:
        raise InputError(f"{name!r} is reserved and names no variable")
    return _make("var", (), name)


def const(value: int) -> Formula:
    """Return the constant 0 or 1."""
    if type(value) is not int or value not in (0, 1):
        raise InputError(f"constants are 0 and 1, got {value!r}; r in [0,1] is scale(r, const(1))")
    return ONE if value else ZERO


def _count(n: int, what: str) -> int:
    if type(n) is not int:
        raise InputError(f"{what} takes an int, got {n!r}")
    if n < 1:
        raise DomainError(f"{what} needs n >= 1, got {n}")
    return n


def _formula(value: Any) -> Formula:
    if not isinstance(value, Formula):
        raise InputError(f"{str(value)[:60]!r} ({type(value).__name__}) is no formula")
    return value


def nfold(n: int, a: Formula) -> Formula:
    """Return n.a = a + ... + a, n times, bracketed from the left."""
    _count(n, "an n-fold sum")
    if n > MOST_COPIES:
        raise DomainError(f"an n-fold sum has n - 1 nodes; n is at most {MOST_COPIES}")
    result = _formula(a)
    for _ in range(n - 1):
        result = _make("oplus", (result, a))
    return result


def delta(n: int, a: Formula) -> Formula:
    """Return /n a, with the value a/n.

    Raises:
        DomainError: n < 1.  InputError: n is no int.
    """
    return _make("delta", (_formula(a),), _count(n, "division"))


def scale(r: Any, a: Formula) -> Formula:
    """Return [r] a, with the value r a.

    Raises:
        DomainError: r is not in [0,1].  ExactnessError: r is not an exact rational.
    """
    exact = rational(r)
    if not 0 <= exact <= 1:
        raise DomainError(f"scalars are in [0,1], got {str(exact)[:60]}")
    return _make("scale", (_formula(a),), exact)


def connective(op: str, args: tuple[Formula, ...], data: Data = None) -> Formula:
    """Return the formula with this connective; everything is checked.

    >>> connective("oplus", (ONE, ONE))
    1 + 1
    """
    if _ARITY.get(op) != len(args):
        raise InputError(f"no connective {str(op)[:20]!r} with {len(args)} arguments")
    if op == "var":
        return var(data)  # type: ignore[arg-type]  # checked there
    if op == "delta":
        return delta(data, args[0])  # type: ignore[arg-type]  # checked there
    if op == "scale":
        return scale(data, args[0])
    if data is not None:
        raise InputError(f"{op} has no parameter, got {str(data)[:60]!r}")
    return _make(op, tuple(map(_formula, args)))


def rebuilt(node: Formula, args: tuple[Formula, ...]) -> Formula:
    """Return the formula with the connective of `node` and other arguments."""
    return node if args == node.args else _make(node.op, args, node.data)


def natural_key(name: str) -> tuple[str | int, ...]:
    """Sort key that puts x2 before x10."""
    return tuple(int(part) if i % 2 else part for i, part in enumerate(re.split(r"([0-9]+)", name)))


def variables(*formulae: Formula) -> tuple[str, ...]:
    """Return the names that occur in some formulae, in natural order.

    >>> variables(var("x10") + var("x2"))
    ('x2', 'x10')
    """
    return tuple(sorted((str(node.data) for node in post_order(*formulae) if node.op == "var"), key=lambda n: (natural_key(n), n)))


def language(*formulae: Formula) -> str:
    """Return the least language that contains some formulae.

    >>> language(var("x")), language(delta(2, var("x"))), language(scale("1/2", delta(2, var("x"))))
    ('mv', 'divisible', 'riesz')
    """
    ops = {node.op for node in post_order(*formulae)}
    return _LANGUAGES[2 if "scale" in ops else 1 if "delta" in ops else 0]


def substitute(formulae: Iterable[Formula], replacements: Mapping[str, Formula]) -> tuple[Formula, ...]:
    """Return formulae with all variables named replaced at the same time; what is shared stays shared.

    >>> x, y = var("x"), var("y")
    >>> substitute([x + y], {"x": y, "y": x})[0]
    y + x
    """
    roots = tuple(formulae)
    image: dict[Formula, Formula] = {}
    for node in post_order(*roots):
        if node.op == "var":
            image[node] = _formula(replacements.get(str(node.data), node))
        else:
            image[node] = rebuilt(node, tuple([image[a] for a in node.args]))
    return tuple([image[root] for root in roots])


def evaluate(formulae: Iterable[Formula], env: Mapping[str, Any]) -> tuple[Fraction, ...]:
    """Return the exact truth values of some formulae at one point of the cube.

    Raises:
        InputError: a variable has no value.  DomainError: a value is not in [0,1].  ExactnessError: a value is not exact.
    Exactness: without /n and [r] every value is a multiple of 1/D for the common denominator D of the point, so integers serve.
    """
    roots = tuple(formulae)
    order = post_order(*roots)
    point: dict[str, Fraction] = {}
    for node in order:
        if node.op == "var":
            name = str(node.data)
            if name not in env:
                raise InputError(f"the variable {name} has no value")
            value = rational(env[name])
            if not 0 <= value <= 1:
                raise DomainError(f"{name} = {str(value)[:60]} is not in [0,1]")
            point[name] = value
    if all(node.op not in ("delta", "scale") for node in order):
        unit = common_denominator(point.values()) if point else 1
        whole = {name: value.numerator * (unit // value.denominator) for name, value in point.items()}
        return tuple([Fraction(v, unit) for v in _values(order, roots, whole, unit)])
    return tuple([Fraction(v) for v in _values(order, roots, point, Fraction(1))])


def _values(order: list[Formula], roots: tuple[Formula, ...], point: Mapping[str, Any], one: Any) -> list[Any]:
    """Truth values in units of 1/one: integers if there is no division, Fractions with one = 1 in general."""
    zero = one - one
    values: dict[Formula, Any] = {}
    for node in order:
        op, a = node.op, [values[argument] for argument in node.args]
        if op == "var":
            result = point[str(node.data)]
        elif op == "oplus":
            result = min(one, a[0] + a[1])
        elif op == "odot":
            result = max(zero, a[0] + a[1] - one)
        elif op == "neg":
            result = one - a[0]
        elif op == "imp":
            result = min(one, one - a[0] + a[1])
        elif op == "vee":
            result = max(a)
        elif op == "wedge":
            result = min(a)
        elif op == "delta":
            result = a[0] * Fraction(1, node.data)  # type: ignore[arg-type]  # an integer here
        elif op == "scale":
            result = a[0] * node.data
        else:
            result = one if op == "1" else zero
        values[node] = result
    return [values[root] for root in roots]


def records(*roots: Formula) -> tuple[tuple[Any, ...], ...]:
    """Return the graph as a table: (connective, parameter, numbers of the arguments), the last root last."""
    order = post_order(*roots)
    number = {node: k for k, node in enumerate(order)}
    return tuple([(node.op, node.data, *[number[a] for a in node.args]) for node in order])


def formula_of_records(table: Iterable[tuple[Any, ...]]) -> Formula:
    """Return the last formula of a table of `records`; used to unpickle formulae of any depth."""
    made: list[Formula] = []
    for op, data, *args in table:
        made.append(connective(op, tuple([made[k] for k in args]), data))
    return made[-1]
