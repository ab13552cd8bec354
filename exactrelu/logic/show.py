"""Formulae as text, Unicode or LaTeX, with the fewest brackets that read back as the same formula.

Binding strength: ~ /n [r] before * before + before & before | before ->; -> associates to the right, the others to the left.
A formula whose tree is large is written in shared form, one `let` line for each compound subformula that is used twice:

    let t1 = x + y
    t1 * ~t1
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from exactrelu.errors import BudgetExceeded, InputError
from exactrelu.logic.walk import post_order, tree_size

if TYPE_CHECKING:
    from exactrelu.logic.formula import Formula

TREE_LIMIT = 2_000
"""Trees with more nodes are written in shared form."""
MOST_NODES = 20_000_000
"""No tree with more nodes is written at all."""
PRECEDENCE = {"imp": 1, "vee": 2, "wedge": 3, "oplus": 4, "odot": 5, "neg": 6, "delta": 6, "scale": 6}
"""Binding strength; constants and variables bind most."""
_ATOM = 9
SYMBOLS = {
    "text": {"neg": "~", "oplus": "+", "odot": "*", "vee": "|", "wedge": "&", "imp": "->"},
    "unicode": {"neg": "¬", "oplus": "⊕", "odot": "⊙", "vee": "∨", "wedge": "∧", "imp": "→"},
    "latex": {"neg": r"\lnot ", "oplus": r"\oplus", "odot": r"\odot", "vee": r"\vee", "wedge": r"\wedge", "imp": r"\to"},
}
"""Style -> connective -> sign."""


def show(formula: Formula, style: str = "text", limit: int | None = TREE_LIMIT) -> str:
    """Return a formula in one of the styles `text`, `unicode`, `latex`.

    Args:
        limit: trees with more nodes are written in shared form; None always writes the tree.
    Raises:
        BudgetExceeded: `limit` is None and the tree has more than `MOST_NODES` nodes.

    >>> from exactrelu.logic.parse import parse
    >>> show(parse("(x*y)+(z->0)")), show(parse("~(x*/2 y)"), "latex")
    ('x * y + (z -> 0)', '\\\\lnot (x \\\\odot \\\\delta_{2} y)')
    """
    _symbols(style)
    if limit is not None and tree_size(formula, limit) > limit:
        body = show_shared(formula, style)
        lines = body.count("\n") + 1
        sign = "%" if style == "latex" else "#"
        return (f"{sign} formula has {scientific(tree_size(formula))} tree nodes; printing the shared form ({lines} lines). "
                f"Use show(limit=None) to force.\n{body}")
    if limit is None and tree_size(formula, MOST_NODES) > MOST_NODES:
        raise BudgetExceeded(f"formula has {scientific(tree_size(formula))} tree nodes; use show_shared()")
    return "".join(_tokens(formula, style, {}))


def show_shared(formula: Formula, style: str = "text") -> str:
    """Return a formula with a line for each compound subformula that is used more than once; `parse` reads it.

    >>> from exactrelu.logic.parse import parse
    >>> print(show_shared(parse("(x+y)*~(x+y)")))
    let t1 = x + y
    t1 * ~t1
    """
    _symbols(style)
    order = post_order(formula)
    uses = dict.fromkeys(order, 0)
    for node in order:
        for argument in node.args:
            uses[argument] += 1
    prefix = fresh_prefix("t", [str(node.data) for node in order if node.op == "var"])
    names: dict[Formula, str] = {}
    lines = []
    for node in order:
        if uses[node] > 1 and node.args and not (node.op == "neg" and not node.args[0].args):
            text = "".join(_tokens(node, style, names))
            names[node] = name = f"{prefix}{len(names) + 1}"
            lines.append(f"{variable(name, style)} = {text} \\\\" if style == "latex" else f"let {name} = {text}")
    return "\n".join([*lines, "".join(_tokens(formula, style, names))])


def fresh_prefix(prefix: str, taken: list[str]) -> str:
    """Return `prefix`, with as many underscores as it takes that no name begins with it."""
    while any(name.startswith(prefix) for name in taken):
        prefix += "_"
    return prefix


def abridged(formula: Formula, most: int = 60, style: str = "text") -> str:
    """Return the text of a small formula, or a description of a large one; never long.

    >>> from exactrelu.logic.formula import nfold, var
    >>> abridged(nfold(500, var("x")))
    '<formula of 999 tree nodes, 500 shared, in x>'
    """
    if tree_size(formula, most) <= most:
        return show(formula, style)
    order = post_order(formula)
    names = sorted(str(node.data) for node in order if node.op == "var")
    listed = ", ".join(names[:6]) + (", ..." if len(names) > 6 else "")
    inside = f" in {listed}" if names else ""
    return f"<formula of {scientific(tree_size(formula))} tree nodes, {len(order)} shared,{inside}>"


def scientific(count: int) -> str:
    """Return a count, rounded to two digits when it has more than six.

    >>> scientific(20002), scientific(44 * 10**58), scientific(9_960_000)
    ('20002', '4.4e59', '1.0e7')
    """
    if count < 10**6:
        return str(count)
    exponent = (count.bit_length() - 1) * 30_103 // 100_000  # about log10, made exact by the loops
    while 10 ** (exponent + 1) <= count:
        exponent += 1
    while 10**exponent > count:
        exponent -= 1
    digits = (count // 10 ** (exponent - 2) + 5) // 10
    if digits == 100:
        digits, exponent = 10, exponent + 1
    return f"{digits // 10}.{digits % 10}e{exponent}"


def variable(name: str, style: str) -> str:
    """Return the name of a variable; in LaTeX digits after the first letters become an index."""
    if style != "latex":
        return name
    head = name.rstrip("0123456789_")
    index = name[len(head):].strip("_").replace("_", ",")
    if not head or not head.isalnum():
        return r"\mathit{" + name.replace("_", r"\_") + "}"
    letters = head if len(head) == 1 else r"\mathit{" + head + "}"
    return f"{letters}_{{{index}}}" if index else letters


def _symbols(style: str) -> dict[str, str]:
    if style not in SYMBOLS:
        raise InputError(f"styles are {', '.join(SYMBOLS)}; got {str(style)[:20]!r}")
    return SYMBOLS[style]


def _prefix(node: Formula, style: str) -> str:
    if node.op == "neg":
        return SYMBOLS[style]["neg"]
    if node.op == "delta":
        return {"text": "/{} ", "unicode": "δ_{} ", "latex": r"\delta_{{{}}} "}[style].format(node.data)
    return {"text": "[{}]", "unicode": "[{}]", "latex": r"{{[{}]}}\,"}[style].format(node.data)


def _tokens(formula: Formula, style: str, names: dict[Formula, str]) -> list[str]:
    """The text in pieces; subformulae in `names` are written by name."""
    out: list[str] = []
    signs = SYMBOLS[style]
    stack: list[Formula | str] = [formula]
    while stack:
        item = stack.pop()
        if isinstance(item, str):
            out.append(item)
            continue
        if item in names:
            out.append(variable(names[item], style))
        elif item.op == "var":
            out.append(variable(str(item.data), style))
        elif not item.args:
            out.append(item.op)
        else:
            strength = PRECEDENCE[item.op]
            if len(item.args) == 1:
                out.append(_prefix(item, style))
                stack += _enclosed(item.args[0], strength, names)
            else:
                left, right = item.args
                stack += _enclosed(right, strength + (item.op != "imp"), names)
                stack.append(f" {signs[item.op]} ")
                stack += _enclosed(left, strength + (item.op == "imp"), names)
    return out


def _enclosed(argument: Formula, least: int, names: dict[Formula, str]) -> list[Formula | str]:
    """The argument in reverse order of writing, in brackets if it binds less than `least`."""
    strength = _ATOM if argument in names else PRECEDENCE.get(argument.op, _ATOM)
    return [argument] if strength >= least else [")", argument, "("]
