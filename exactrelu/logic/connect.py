"""Two graphs connected by local operations: collapse both to one layer, rewrite each node, expand back.

Every operation keeps the function of every node of the last layer.  So graphs with the same inputs and outputs are connected iff
their last layers have equally many nodes that agree pairwise as functions of the inputs; equal functions are not enough:
with the output y1 + y2, the layers [x1; ~x1] and [1; 0] both mean 1, and no path leads from one to the other.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from exactrelu.errors import BudgetExceeded, InputError, InvariantError, PreconditionError
from exactrelu.limits import Limits
from exactrelu.logic.decide import Different, Unknown, equivalent
from exactrelu.logic.formula import Formula, substitute
from exactrelu.logic.graph import SubstitutionGraph, same_nodes
from exactrelu.logic.layers import node_names, renumbered
from exactrelu.logic.operations import Step
from exactrelu.logic.show import abridged


@dataclass(frozen=True)
class Connection:
    """A path of operations.

    Attributes:
        start: where it begins.
        steps: the operations; each rewrite carries its evidence.
        end: where they lead: the target, with the forms and ranges of its nodes (which operations forget), and this history.
    """

    start: SubstitutionGraph
    steps: tuple[Step, ...]
    end: SubstitutionGraph

    def replay(self) -> SubstitutionGraph:
        """Apply all steps again, with all preconditions, and return where they lead."""
        graph = self.start
        for step in self.steps:
            graph = graph.apply(step)
        return graph


def connect(start: SubstitutionGraph, target: SubstitutionGraph, *, derive: bool = False, limits: Limits | None = None) -> Connection:
    """Return a path of operations from one graph to another.

    Args:
        derive: each rewrite carries a proof from the axioms instead of a decision.
    Raises:
        InputError: different inputs, outputs or boxes.
        PreconditionError: two nodes of the last layers differ; names the node and a point, and carries the verdict.
        BudgetExceeded: a limit was reached.

    >>> a = SubstitutionGraph.of(2, [["x1 * x2", "x1 + x2"], ["y1_2 * ~y1_1"]])
    >>> b = SubstitutionGraph.of(2, [["x2 + x1", "~(x2 * x1)"], ["y1_1 * y1_2"]])
    >>> [str(step) for step in connect(a, b).steps]
    ['collapse layer 1', 'rewrite node 1 of layer 1 to (x2 + x1) * ~(x2 * x1)', 'expand layer 1 with 2 new nodes']
    """
    if (start.inputs, start.box) != (target.inputs, target.box):
        raise InputError("the graphs have different inputs or boxes")
    if start.output != target.output:
        raise InputError("the graphs have different outputs (affine forms of the last layer); no operation changes them")
    _require_agreement(start.formulae(), target.formulae(), limits)
    graph, before = start, len(start.history)
    while len(graph.layers) > 1:
        graph = graph.collapse(1)
    for index, formula in enumerate(target.formulae(), 1):
        if graph.layers[0][index - 1].formula is not formula:
            graph = graph.rewrite((1, index), formula, derive=derive, limits=limits)
    # composed[k]: layers 1, ..., k + 1 of the target put into each other; expanding gives them back, the last layer first
    composed: list[tuple[Formula, ...]] = [tuple(node.formula for node in target.layers[0])]
    for number, layer in enumerate(target.layers[1:], 1):
        inner = dict(zip(node_names(number, len(composed[-1])), composed[-1]))
        composed.append(substitute([node.formula for node in layer], inner))
    for number in range(len(target.layers) - 1, 0, -1):
        chi = renumbered(target.layers[number], len(target.layers[number - 1]), number, 1)
        graph = graph.expand(1, composed[number - 1], [node.formula for node in chi])
    if not same_nodes(graph, target):
        raise InvariantError("the path leads to another graph")
    return Connection(start, graph.history[before:], replace(target, history=graph.history, notes=start.notes))


def _require_agreement(left: Sequence[Formula], right: Sequence[Formula], limits: Limits | None) -> None:
    if len(left) != len(right):
        raise PreconditionError(f"the last layers have {len(left)} and {len(right)} nodes; no operation changes their number")
    for index, (f, g) in enumerate(zip(left, right), 1):
        decision = equivalent(f, g, limits=limits)
        if isinstance(decision, Unknown):
            raise BudgetExceeded(f"node {index} of the last layers: {decision.reason}", decision.detail)
        if isinstance(decision, Different):
            raise PreconditionError(f"node {index} of the last layers differs: {abridged(f)} and {abridged(g)} at {decision.place()}. "
                                    "Operations keep the function of every node of the last layer; append a layer so that one node "
                                    "carries the output.", decision)
