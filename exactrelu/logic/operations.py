"""The three local operations on the layers of a substitution graph, with their preconditions.

* *rewrite* replaces the formula of one node by one with the same truth function on the whole cube of its variables.
* *collapse* substitutes layer l into layer l + 1.
* *expand*, its inverse, replaces layer l (formulae phi_v) by a new layer psi followed by formulae chi_v with chi_v[psi] = phi_v.

Each keeps the function of every node of the last layer (substitution lemma), hence that of the graph.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from exactrelu.errors import BudgetExceeded, InputError, InvariantError, PreconditionError
from exactrelu.limits import Limits
from exactrelu.logic.decide import Different, Unknown, equivalent
from exactrelu.logic.formula import Formula, substitute, variables
from exactrelu.logic.layers import Layer, Node, feeding_names, node_names, renumbered
from exactrelu.logic.parse import parse
from exactrelu.logic.show import abridged, show

Layers = tuple[Layer, ...]


@dataclass(frozen=True)
class Step:
    """One operation, as it can be applied again.

    Attributes:
        name: `rewrite`, `collapse` or `expand`.
        layer: the layer, from 1.
        node: the node that was rewritten, from 1; 0 otherwise.
        formulae: the new formula of a rewrite; psi of an expansion.
        chi: chi of an expansion.
        evidence: of a rewrite: the decision, or the proof that was asked for.
    """

    name: str
    layer: int
    node: int = 0
    formulae: tuple[Formula, ...] = ()
    chi: tuple[Formula, ...] = ()
    evidence: Any = None

    def to_json(self) -> dict[str, Any]:
        """Return the step as it stands in a graph file (without evidence)."""
        out: dict[str, Any] = {"operation": self.name, "layer": self.layer}
        if self.name == "rewrite":
            out |= {"node": self.node, "formula": show(self.formulae[0])}
        elif self.name == "expand":
            out |= {"psi": [show(f) for f in self.formulae], "chi": [show(f) for f in self.chi]}
        return out

    def __str__(self) -> str:
        if self.name == "rewrite":
            return f"rewrite node {self.node} of layer {self.layer} to {abridged(self.formulae[0])}"
        if self.name == "expand":
            return f"expand layer {self.layer} with {len(self.formulae)} new nodes"
        return f"collapse layer {self.layer}"


def formula_of(value: Formula | str) -> Formula:
    """Return a formula, read from text if it is text."""
    if isinstance(value, str):
        return parse(value)
    if not isinstance(value, Formula):
        raise InputError(f"{str(value)[:60]!r} ({type(value).__name__}) is no formula")
    return value


def check_place(layers: Layers, layer: int, node: int | None = None) -> None:
    """Raise InputError if there is no such layer or node."""
    if type(layer) is not int or not 1 <= layer <= len(layers):
        raise InputError(f"no layer {layer}; there are {len(layers)}, counted from 1")
    if node is not None and (type(node) is not int or not 1 <= node <= len(layers[layer - 1])):
        raise InputError(f"no node {node} in layer {layer}; there are {len(layers[layer - 1])}, counted from 1")


def _check_variables(formula: Formula, names: Sequence[str], what: str) -> None:
    foreign = [name for name in variables(formula) if name not in names]
    if foreign:
        raise InputError(f"{what} uses {', '.join(foreign)}, not a variable of the layer before it")


def rewritten(inputs: int, layers: Layers, layer: int, node: int, formula: Formula, *, derive: bool = False,
              limits: Limits | None = None) -> tuple[Layers, Any]:
    """Return the layers with another formula of one node, and the evidence that its truth function is the same.

    Args:
        derive: the evidence is a proof from the axioms; by default it is the decision.
    Raises:
        InputError: the formula has a foreign variable.  BudgetExceeded: a limit was reached.
        PreconditionError: the truth functions differ; names a point and carries the verdict.
    """
    check_place(layers, layer, node)
    old = layers[layer - 1][node - 1]
    _check_variables(formula, feeding_names(inputs, layers, layer), "the new formula")
    decision = equivalent(old.formula, formula, limits=limits)
    if isinstance(decision, Unknown):
        raise BudgetExceeded(f"node rewrite: {decision.reason}", decision.detail)
    if isinstance(decision, Different):
        cure = f" They may still agree on reachable values: collapse layer {layer - 1} first." if layer > 1 else ""
        raise PreconditionError(f"node rewrite refused: {abridged(old.formula, style='unicode')} and {abridged(formula, style='unicode')} "
                                f"differ at {decision.place()}.{cure}", decision)
    evidence: Any = decision
    if derive:
        evidence = _proof(old.formula, formula, limits)
    changed = tuple(n if i != node or formula is n.formula else Node(formula) for i, n in enumerate(layers[layer - 1], 1))
    return (*layers[:layer - 1], changed, *layers[layer:]), evidence


def _proof(old: Formula, new: Formula, limits: Limits | None) -> Any:
    from exactrelu.logic.derivation.proof import Proof
    from exactrelu.logic.derivation.prove import prove

    found = prove(old, new, limits)
    if isinstance(found, Proof):
        return found
    if hasattr(found, "reason"):
        raise BudgetExceeded(f"node rewrite: {found.reason}")
    raise InvariantError(f"decided equal and refuted: {abridged(old)} and {abridged(new)}")


def collapsed(layers: Layers, layer: int) -> Layers:
    """Return the layers with layer `layer` substituted into the next one; the numbers of later layers fall by one.

    Raises:
        PreconditionError: it is the last layer.
    """
    check_place(layers, layer)
    if layer == len(layers):
        raise PreconditionError(f"layer {layer} is the last one: there is no layer into which it could be substituted")
    width = len(layers[layer - 1])
    inner = {name: node.formula for name, node in zip(node_names(layer, width), layers[layer - 1])}
    merged = tuple(Node(f) for f in substitute([node.formula for node in layers[layer]], inner))
    later = [renumbered(layers[k], len(layers[k - 1]), k, k - 1) for k in range(layer + 1, len(layers))]
    return (*layers[:layer - 1], merged, *later)


def expanded(inputs: int, layers: Layers, layer: int, psi: Sequence[Formula], chi: Sequence[Formula]) -> Layers:
    """Return the layers with `layer` replaced by the layer psi followed by the layer chi.

    Args:
        psi: formulae in the variables of the layer.
        chi: one formula for each node of the layer, in y{layer}_1, y{layer}_2, ... for the nodes psi.
    Raises:
        InputError: a foreign variable.
        PreconditionError: the number of chi is wrong, or some chi with psi put in is not the formula of its node.
    """
    check_place(layers, layer)
    old = layers[layer - 1]
    if len(chi) != len(old):
        raise PreconditionError(f"expansion needs one chi for each node of layer {layer}: it has {len(old)} nodes, there are {len(chi)}")
    for i, f in enumerate(psi, 1):
        _check_variables(f, feeding_names(inputs, layers, layer), f"psi {i}")
    names = node_names(layer, len(psi))
    for i, f in enumerate(chi, 1):
        _check_variables(f, names, f"chi {i}")
    images = substitute(chi, dict(zip(names, psi)))
    for i, (image, node) in enumerate(zip(images, old), 1):
        if image is not node.formula:
            raise PreconditionError(f"expansion does not substitute back: node {i} gives {abridged(image, style='unicode')}, "
                                    f"the layer has {abridged(node.formula, style='unicode')}.")
    inner, outer = tuple(Node(f) for f in psi), tuple(Node(f) for f in chi)
    later = [renumbered(layers[k], len(layers[k - 1]), k, k + 1) for k in range(layer, len(layers))]
    return (*layers[:layer - 1], inner, outer, *later)


def applied(inputs: int, layers: Layers, step: Step, limits: Limits | None = None) -> Layers:
    """Return the layers after a step; every precondition is tested again."""
    if step.name == "collapse":
        return collapsed(layers, step.layer)
    if step.name == "expand":
        return expanded(inputs, layers, step.layer, step.formulae, step.chi)
    if step.name == "rewrite" and len(step.formulae) == 1:
        return rewritten(inputs, layers, step.layer, step.node, step.formulae[0], limits=limits)[0]
    raise InputError(f"no operation {step.name[:20]!r}")
