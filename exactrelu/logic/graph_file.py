"""The graph file: JSON with formulae as text and rationals as ``"p/q"``, read strictly.

    {"format": "exactrelu/graph", "version": 1, "inputs": 2, "layers": [[node, ...], ...], "output": [form, ...],
     "box": [["-1", "1"], ...], "history": [...], "notes": [...]}

A node is a formula, or {"formula": ..., "form": form, "range": [low, high], "neuron": 3}; a form is {"coefficients": [...],
"constant": ...}.  `box`, `history` and `notes` may be absent.  Nothing that a file says about its nodes is believed: forms and ranges
are verified when it is read.  The history is what the file says.
"""

from __future__ import annotations

from typing import Any

from exactrelu.arithmetic.rational import rational_text
from exactrelu.certificates.document import canonical_text
from exactrelu.errors import BudgetExceeded, InputError
from exactrelu.limits import Limits
from exactrelu.logic.clip import AffineForm
from exactrelu.logic.formula import Formula
from exactrelu.logic.graph import SubstitutionGraph
from exactrelu.logic.layers import Node, Range
from exactrelu.logic.operations import Step
from exactrelu.logic.parse import MAX_NODES, parse_counted
from exactrelu.logic.show import show
from exactrelu.network.files.file_limits import FileLimits, PathLike, decoded_text, in_file, read_bytes, write_bytes
from exactrelu.network.files.strict_json import check_header, json_list, json_object, json_rational, kind_of

FORMAT = "exactrelu/graph"
MAX_VALUES = 3_000_000
_KEYS = ("inputs", "layers", "output", "box", "history", "notes")


def graph_document(graph: SubstitutionGraph) -> dict[str, Any]:
    """Return the JSON object of a graph."""
    document: dict[str, Any] = {"format": FORMAT, "version": 1, "inputs": graph.inputs,
                                "layers": [[_node_json(node) for node in layer] for layer in graph.layers],
                                "output": [form.to_json() for form in graph.output]}
    if graph.box is not None:
        document["box"] = [[rational_text(x) for x in interval] for interval in graph.box]
    if graph.history:
        document["history"] = [step.to_json() for step in graph.history]
    if graph.notes:
        document["notes"] = list(graph.notes)
    return document


def _node_json(node: Node) -> Any:
    if node.form is None:
        return show(node.formula)
    out: dict[str, Any] = {"formula": show(node.formula), "form": node.form.to_json()}
    if node.range is not None:
        out["range"] = [rational_text(x) for x in node.range]
    if node.neuron:
        out["neuron"] = node.neuron
    return out


def save_graph(graph: SubstitutionGraph, path: PathLike) -> None:
    """Write a graph so that `load_graph` gives it back."""
    write_bytes(path, canonical_text(graph_document(graph)).encode("ascii"))


def load_graph(path: PathLike, *, limits: Limits | None = None) -> SubstitutionGraph:
    """Return the graph in a file, or on standard input for ``"-"``.

    Args:
        limits: of the verification of forms and ranges.
    Raises:
        InputError: the file holds no graph, or says something false about a node.  BudgetExceeded: a limit was reached.
    """
    with in_file(path):
        return parsed_graph(read_bytes(path, FileLimits()), limits=limits)


def parsed_graph(data: bytes, *, limits: Limits | None = None) -> SubstitutionGraph:
    """Return the graph of a file with this content; arguments as for `load_graph`.

    >>> text = b'{"inputs": 1, "layers": [["x1 * x1"]], "output": [{"coefficients": [2], "constant": "1/2"}]}'
    >>> parsed_graph(text)(["3/4"])
    (Fraction(3, 2),)
    """
    document = json_object(decoded_text(data), MAX_VALUES)
    check_header(document, FORMAT, _KEYS)
    for key in ("inputs", "layers", "output"):
        if key not in document:
            raise InputError(f"the key {key!r} is missing")
    return _Document(document).graph(limits)


class _Document:
    """One document; counts the connectives of all its formulae."""

    def __init__(self, document: dict[str, Any]) -> None:
        self.document = document
        self.left = MAX_NODES

    def graph(self, limits: Limits | None) -> SubstitutionGraph:
        """The graph, verified."""
        document = self.document
        layers = tuple(tuple(self._node(node, f"layer {number}, node {index}") for index, node in enumerate(
            json_list(layer, f"layer {number}"), 1)) for number, layer in enumerate(json_list(document["layers"], "layers"), 1))
        output = tuple(_form(form, f"output {i}") for i, form in enumerate(json_list(document["output"], "output"), 1))
        box = None
        if document.get("box") is not None:
            box = tuple(_range(pair, f"box, interval {i}") for i, pair in enumerate(json_list(document["box"], "box"), 1))
        steps = json_list(document.get("history", []), "history")
        history = tuple(self._step(step, f"history, step {i}") for i, step in enumerate(steps, 1))
        notes = tuple(_text(note, f"note {i}") for i, note in enumerate(json_list(document.get("notes", []), "notes"), 1))
        graph = SubstitutionGraph(_whole(document["inputs"], "inputs"), layers, output, box, history, notes)
        graph.check(limits=limits)
        return graph

    def _formula(self, value: Any, where: str) -> Formula:
        text = _text(value, where)
        try:
            formula, count = parse_counted(text, self.left)
        except (InputError, BudgetExceeded) as error:
            raise type(error)(f"{where}: {error}") from None
        self.left -= count
        return formula

    def _formulae(self, value: dict[str, Any], key: str, where: str) -> tuple[Formula, ...]:
        entries = json_list(value.get(key), f"{where}, {key}")
        return tuple(self._formula(f, f"{where}, {key} {i}") for i, f in enumerate(entries, 1))

    def _node(self, value: Any, where: str) -> Node:
        if not isinstance(value, dict):
            return Node(self._formula(value, where))
        _check_keys(value, ("formula", "form", "range", "neuron"), where)
        form = _form(value["form"], f"{where}, form") if "form" in value else None
        known = _range(value["range"], f"{where}, range") if "range" in value else None
        return Node(self._formula(value.get("formula"), where), form, known, _whole(value.get("neuron", 0), f"{where}, neuron"))

    def _step(self, value: Any, where: str) -> Step:
        if not isinstance(value, dict):
            raise InputError(f"{where} should be an object, got {kind_of(value)}")
        name, layer = _text(value.get("operation"), f"{where}, operation"), _whole(value.get("layer"), f"{where}, layer")
        if name == "collapse":
            _check_keys(value, ("operation", "layer"), where)
            return Step(name, layer)
        if name == "rewrite":
            _check_keys(value, ("operation", "layer", "node", "formula"), where)
            return Step(name, layer, _whole(value.get("node"), f"{where}, node"), (self._formula(value.get("formula"), where),))
        if name == "expand":
            _check_keys(value, ("operation", "layer", "psi", "chi"), where)
            return Step(name, layer, 0, self._formulae(value, "psi", where), self._formulae(value, "chi", where))
        raise InputError(f"{where}: no operation {name[:20]!r}")


def _check_keys(value: dict[str, Any], keys: tuple[str, ...], where: str) -> None:
    for key in value:
        if key not in keys:
            raise InputError(f"{where}: unknown key {key[:40]!r}; known are {', '.join(keys)}")


def _text(value: Any, where: str) -> str:
    if type(value) is not str:
        raise InputError(f"{where} should be a text, got {kind_of(value)}")
    return value


def _whole(value: Any, where: str) -> int:
    if type(value) is not int or not 0 <= value < 10**9:
        raise InputError(f"{where} should be a non-negative integer, got {str(value)[:20] if type(value) is int else kind_of(value)}")
    return value


def _range(value: Any, where: str) -> Range:
    pair = json_list(value, where)
    if len(pair) != 2:
        raise InputError(f"{where} has {len(pair)} ends, expected 2")
    low, high = (json_rational(x, where) for x in pair)
    if low > high:
        raise InputError(f"{where} is empty: {str(low)[:40]} > {str(high)[:40]}")
    return low, high


def _form(value: Any, where: str) -> AffineForm:
    if not isinstance(value, dict):
        raise InputError(f"{where} should be an object, got {kind_of(value)}")
    _check_keys(value, ("coefficients", "constant"), where)
    entries = json_list(value.get("coefficients"), f"{where}, coefficients")
    coefficients = tuple(json_rational(x, f"{where}, coefficient {i}") for i, x in enumerate(entries, 1))
    return AffineForm(coefficients, json_rational(value.get("constant"), f"{where}, constant"))
