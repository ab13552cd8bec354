"""Substitution graphs: layers of formulae and affine outputs, with the local operations as methods.

The function of a graph on the unit cube: node values are computed layer by layer (`layers`), output i is an exact affine form
of the values of the last layer.  A graph may record the box that its cube stands for: x = low + (high - low) u.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, Any

from exactrelu.arithmetic.rational import rational_text, rational_vector
from exactrelu.errors import DomainError, InputError, ShapeError
from exactrelu.limits import Limits
from exactrelu.logic.annotations import check_annotations
from exactrelu.logic.build import Built, network_of_layers
from exactrelu.logic.clip import AffineForm
from exactrelu.logic.formula import Formula, language, substitute
from exactrelu.logic.layers import Layer, Node, Range, check_layers, feeding_names, layer_values, node_names
from exactrelu.logic.operations import Layers, Step, applied, check_place, formula_of, rewritten
from exactrelu.logic.show import scientific, show, variable
from exactrelu.logic.walk import post_order, tree_size
from exactrelu.network.network import Network

if TYPE_CHECKING:
    import networkx


@dataclass(frozen=True)
class GraphSizes:
    """Widths of the layers, distinct formula nodes in all layers, nodes of all trees."""

    layers: tuple[int, ...]
    dag: int
    tree: int


@dataclass(frozen=True, repr=False)
class SubstitutionGraph:
    """A substitution graph.

    Args:
        inputs: n; the inputs are called x1, ..., xn.
        layers: at least one; see `layers`.
        output: one affine form of the last layer for each output.
        box: the intervals that [0,1] stands for, one an input; None for the unit cube.
        history: the operations that led here.
        notes: what extraction has to say, for instance which neurons have no node.
    Raises:
        InputError, ShapeError: a node has a foreign variable, or sizes do not fit.

    >>> graph = SubstitutionGraph.of(2, [["x1 * x2", "x1 + x2"], ["y1_2 * ~y1_1"]])
    >>> graph(["1/2", "3/4"]), graph.collapse(1).layers[0][0].formula
    ((Fraction(3, 4),), (x1 + x2) * ~(x1 * x2))
    """

    inputs: int
    layers: tuple[Layer, ...]
    output: tuple[AffineForm, ...]
    box: tuple[Range, ...] | None = None
    history: tuple[Step, ...] = field(default=(), compare=False)
    notes: tuple[str, ...] = field(default=(), compare=False)

    def __post_init__(self) -> None:
        if type(self.inputs) is not int or self.inputs < 1:
            raise ShapeError(f"a graph needs at least one input, got {self.inputs!r}")
        if not self.layers:
            raise ShapeError("a graph needs at least one layer")
        if not self.output:
            raise ShapeError("a graph needs at least one output")
        check_layers(self.inputs, self.layers)
        width = len(self.layers[-1])
        for i, form in enumerate(self.output, 1):
            if len(form.coefficients) != width:
                raise ShapeError(f"output {i} has {len(form.coefficients)} coefficients, the last layer {width} nodes")
        if self.box is not None and len(self.box) != self.inputs:
            raise ShapeError(f"{len(self.box)} intervals for {self.inputs} inputs")

    @classmethod
    def of(cls, inputs: int, layers: Sequence[Sequence[Formula | str]], output: Sequence[AffineForm] | None = None) -> SubstitutionGraph:
        """Return the graph with these formulae (or texts); by default each node of the last layer is an output."""
        nodes = tuple(tuple(Node(formula_of(f)) for f in layer) for layer in layers)
        if output is None:
            width = len(nodes[-1]) if nodes else 0
            output = [AffineForm.of([int(i == j) for j in range(width)], 0) for i in range(width)]
        return cls(inputs, nodes, tuple(output))

    def __repr__(self) -> str:
        widths = ", ".join(str(len(layer)) for layer in self.layers)
        return f"<SubstitutionGraph: {self.inputs} inputs, layers of {widths} nodes, {len(self.output)} outputs, {self.language}>"

    # values ------------------------------------------------------------------------------------------------------------

    def __call__(self, point: Sequence[Any]) -> tuple[Fraction, ...]:
        """Return the exact outputs at a point of the cube (of the box, if one is recorded)."""
        values = layer_values(self.layers, self.cube_point(point))[-1]
        return tuple(form(values) for form in self.output)

    def cube_point(self, point: Sequence[Any]) -> tuple[Fraction, ...]:
        """Return the point of the unit cube that a point of the box stands for."""
        exact = rational_vector(point)
        if len(exact) != self.inputs:
            raise ShapeError(f"point has {len(exact)} coordinates, the graph {self.inputs} inputs")
        box = self.box if self.box is not None else ((Fraction(0), Fraction(1)),) * self.inputs
        for i, (x, (low, high)) in enumerate(zip(exact, box), 1):
            if not low <= x <= high:
                raise DomainError(f"x{i} = {x} is not in [{low}, {high}]")
        return tuple((x - low) / (high - low) if high > low else Fraction(0) for x, (low, high) in zip(exact, box))

    @cached_property
    def language(self) -> str:
        """The least language of all formulae."""
        return language(*[node.formula for layer in self.layers for node in layer])

    def names(self, layer: int) -> tuple[str, ...]:
        """Return the variables of a layer (counted from 1)."""
        check_place(self.layers, layer)
        return feeding_names(self.inputs, self.layers, layer)

    def formulae(self) -> tuple[Formula, ...]:
        """Return the nodes of the last layer as formulae in the inputs."""
        current = tuple(node.formula for node in self.layers[0])
        for number, layer in enumerate(self.layers[1:], 1):
            current = substitute([node.formula for node in layer], dict(zip(node_names(number, len(current)), current)))
        return current

    def sizes(self) -> GraphSizes:
        """Return widths, and sizes of all formulae together."""
        formulae = [node.formula for layer in self.layers for node in layer]
        return GraphSizes(tuple(map(len, self.layers)), len(post_order(*formulae)), sum(map(tree_size, formulae)))

    def check(self, *, limits: Limits | None = None) -> None:
        """Verify every invariant anew, forms and ranges of the nodes included.

        Raises:
            InputError: one is false.  BudgetExceeded: a limit was reached.
        """
        check_layers(self.inputs, self.layers)
        check_annotations(self.inputs, self.layers, limits)

    # operations --------------------------------------------------------------------------------------------------------

    def _after(self, layers: Layers, step: Step) -> SubstitutionGraph:
        return replace(self, layers=layers, history=(*self.history, step))

    def collapse(self, layer: int) -> SubstitutionGraph:
        """Substitute a layer into the next one; see `operations.collapsed`."""
        return self.apply(Step("collapse", layer))

    def expand(self, layer: int, psi: Sequence[Formula | str], chi: Sequence[Formula | str]) -> SubstitutionGraph:
        """Replace a layer by psi followed by chi; see `operations.expanded`."""
        return self.apply(Step("expand", layer, 0, tuple(map(formula_of, psi)), tuple(map(formula_of, chi))))

    def rewrite(self, place: tuple[int, int], formula: Formula | str, *, derive: bool = False,
                limits: Limits | None = None) -> SubstitutionGraph:
        """Replace the formula of node `place` = (layer, node), both from 1, by an equivalent one; see `operations.rewritten`."""
        if not isinstance(place, tuple) or len(place) != 2:
            raise InputError(f"a node is named by (layer, node), got {place!r}")
        new = formula_of(formula)
        layers, evidence = rewritten(self.inputs, self.layers, *place, new, derive=derive, limits=limits)
        return self._after(layers, Step("rewrite", *place, (new,), (), evidence))

    def apply(self, step: Step, *, limits: Limits | None = None) -> SubstitutionGraph:
        """Return the graph after a step, for instance one of the `history` of another graph."""
        if step.name == "rewrite" and len(step.formulae) == 1:
            return self.rewrite((step.layer, step.node), step.formulae[0], limits=limits)
        return self._after(applied(self.inputs, self.layers, step, limits), replace(step, evidence=None))

    # networks ----------------------------------------------------------------------------------------------------------

    def to_network(self) -> Network:
        """Return a network with the function of the graph on its box; see `build`."""
        return self.built().network

    def built(self) -> Built:
        """Return that network, and the nodes that left no trace in it."""
        return network_of_layers(self.inputs, self.layers, self.output, self.box)

    # pictures ----------------------------------------------------------------------------------------------------------

    def show(self, style: str = "text", limit: int | None = 200) -> str:
        """Return the graph line by line; formulae with more than `limit` tree nodes are described by their size."""
        equals = " &= " if style == "latex" else " = "
        lines = []
        for number, layer in enumerate(self.layers, 1):
            for name, node in zip(node_names(number, len(layer)), layer):
                size = tree_size(node.formula) if limit is not None else 0
                big = f"<{scientific(size)} tree nodes>"
                shown = show(node.formula, style, None) if limit is None or size <= limit else (
                    rf"\text{{{big}}}" if style == "latex" else big)
                lines.append(variable(name, style) + equals + shown)
        for i, form in enumerate(self.output, 1):
            names = [variable(name, style) for name in node_names(len(self.layers), len(self.layers[-1]))]
            lines.append((rf"f_{{{i}}}" if style == "latex" else f"f{i}") + equals + affine_text(form, names))
        return "\n".join(lines)

    def to_latex(self) -> str:
        r"""Return the graph as one `align*` environment."""
        body = self.show("latex").replace("\n", " \\\\\n")
        return "\\begin{align*}\n" + body + "\n\\end{align*}"

    def to_networkx(self) -> networkx.DiGraph[str]:
        """Return the directed graph of inputs, nodes and outputs, an arc for each variable that occurs.

        Attributes of nodes: `layer`, `formula`; of arcs into outputs: `weight`.
        """
        import networkx as nx

        out: networkx.DiGraph[str] = nx.DiGraph()
        for name in feeding_names(self.inputs, self.layers, 1):
            out.add_node(name, layer=0)
        for number, layer in enumerate(self.layers, 1):
            for name, node in zip(node_names(number, len(layer)), layer):
                out.add_node(name, layer=number, formula=node.formula)
                out.add_edges_from((source, name) for source in node.formula.variables)
        for i, form in enumerate(self.output, 1):
            out.add_node(f"f{i}", layer=len(self.layers) + 1)
            names = node_names(len(self.layers), len(form.coefficients))
            out.add_edges_from((name, f"f{i}", {"weight": c}) for name, c in zip(names, form.coefficients) if c)
        return out


def affine_text(form: AffineForm, names: Sequence[str]) -> str:
    """Return an affine form as text.

    >>> affine_text(AffineForm.of([1, -2, 0], "1/2"), ["a", "b", "c"])
    '1/2 + a - 2 b'
    """
    parts = []
    for c, name in [(form.constant, ""), *zip(form.coefficients, names)]:
        if c:
            size = "" if abs(c) == 1 and name else rational_text(abs(c))
            parts.append(("-" if c < 0 else "+", f"{size} {name}".strip()))
    if not parts:
        return "0"
    first = ("-" if parts[0][0] == "-" else "") + parts[0][1]
    return " ".join([first, *(f"{sign} {text}" for sign, text in parts[1:])])


def same_nodes(a: SubstitutionGraph, b: SubstitutionGraph) -> bool:
    """Return whether two graphs have the same inputs, formulae, outputs and box (forms, ranges and history are not compared)."""
    def bare(graph: SubstitutionGraph) -> Any:
        formulae = [[node.formula for node in layer] for layer in graph.layers]
        return graph.inputs, formulae, graph.output, graph.box
    return bool(bare(a) == bare(b))
