"""Whether graphs and networks are one function: everything becomes forms over one list of gates on the cube."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction

from exactrelu.errors import BudgetExceeded, InputError, InvariantError
from exactrelu.limits import Limits, Meter
from exactrelu.logic.affine_pieces import Progress
from exactrelu.logic.annotations import is_clipped_form
from exactrelu.logic.cube_network import on_cube
from exactrelu.logic.decide import Decision, Different, Equivalent, Point, Unknown, vanishing
from exactrelu.logic.gates import Form, GateProgram, combined
from exactrelu.logic.graph import SubstitutionGraph
from exactrelu.logic.layers import Node, affine, input_names, layer_forms
from exactrelu.network.network import Network


def output_forms(program: GateProgram, graph: SubstitutionGraph) -> list[Form]:
    """Return the outputs of a graph as forms over the gates of its unit cube.

    Formulae count, not what nodes say about themselves: a node enters as the clipped form s(z) only if its formula is the one that
    `clip` proves to be s(z).
    """
    layers = tuple(tuple(node if is_clipped_form(node, graph.names(number)) else Node(node.formula) for node in layer)
                   for number, layer in enumerate(graph.layers, 1))
    values, _ = layer_forms(program, layers)
    return [affine(form, values[-1]) for form in graph.output]


def computes(graph: SubstitutionGraph, network: Network, *, limits: Limits | None = None, progress: Progress | None = None) -> Decision:
    """Return whether a graph and a network are one function on the box of the graph.

    Raises:
        InputError: different inputs or outputs.

    >>> computes(SubstitutionGraph.of(1, [["x1 & ~x1"]]), Network([[[1], [2]], [[1, -1]]], [[0, -1], [0]]))
    Equivalent(leaves=0)
    """
    if (network.architecture.inputs, network.architecture.outputs) != (graph.inputs, len(graph.output)):
        raise InputError(f"the network {network.architecture} and the graph have different inputs or outputs")
    program = GateProgram(graph.inputs)
    left = output_forms(program, graph)
    right = program.network_values(on_cube(network, graph.box), program.input_forms)[-1]
    return _decided(program, left, right, lambda x: (graph(x), network(x)), graph, limits, progress)


def graphs_equivalent(a: SubstitutionGraph, b: SubstitutionGraph, *, limits: Limits | None = None,
                      progress: Progress | None = None) -> Decision:
    """Return whether two graphs are one function.

    Raises:
        InputError: different inputs, outputs or boxes.
    """
    if (a.inputs, len(a.output), a.box) != (b.inputs, len(b.output), b.box):
        raise InputError("the graphs have different inputs, outputs or boxes")
    program = GateProgram(a.inputs)
    return _decided(program, output_forms(program, a), output_forms(program, b), lambda x: (a(x), b(x)), a, limits, progress)


def _decided(program: GateProgram, left: Sequence[Form], right: Sequence[Form], values: Callable[[Point], tuple[Point, Point]],
             graph: SubstitutionGraph, limits: Limits | None, progress: Progress | None) -> Decision:
    try:
        point, leaves = vanishing(program, [combined([(1, p), (-1, q)]) for p, q in zip(left, right)], Meter(limits), progress)
    except BudgetExceeded as reached:
        return Unknown(str(reached), reached.done)
    if point is None:
        return Equivalent(leaves)
    box = graph.box if graph.box is not None else ((Fraction(0), Fraction(1)),) * graph.inputs
    x = tuple(low + (high - low) * u for u, (low, high) in zip(point, box))
    one, two = values(x)
    if one == two:
        raise InvariantError(f"no counterexample after all: both sides are {one} at {x}")
    return Different(dict(zip(input_names(graph.inputs), x)), (one, two))
