"""What nodes say about themselves, verified anew: the form has the truth function of the formula, the range contains all its values."""

from __future__ import annotations

from collections.abc import Sequence

from exactrelu.errors import BudgetExceeded, InputError
from exactrelu.limits import Limits, Meter
from exactrelu.logic.affine_pieces import exact_ranges
from exactrelu.logic.clip import LANGUAGES
from exactrelu.logic.decide import Decision, Different, Equivalent, Unknown, equivalent
from exactrelu.logic.formula import var
from exactrelu.logic.gates import GateProgram
from exactrelu.logic.layers import Layer, Node, feeding_names, layer_forms


def is_clipped_form(node: Node, names: Sequence[str]) -> bool:
    """Return whether the formula of a node is the one that `clip` makes of its form, in some language."""
    if node.form is None:
        return False
    atoms = [var(name) for name in names]
    languages = LANGUAGES if node.form.is_integer else LANGUAGES[1:]
    return any(node.form.clipped(atoms, name) is node.formula for name in languages)


def form_agrees(node: Node, names: Sequence[str], limits: Limits | None = None) -> Decision:
    """Return whether the formula of a node, in these variables, has the truth function of its form.

    Raises:
        InputError: the node has no form.
    """
    if node.form is None:
        raise InputError("the node has no form")
    if is_clipped_form(node, names):
        return Equivalent(0)
    return equivalent(node.formula, node.form.clipped([var(name) for name in names], "riesz"), limits=limits)


def check_annotations(inputs: int, layers: Sequence[Layer], limits: Limits | None = None) -> None:
    """Verify the forms and ranges of all nodes.

    Raises:
        InputError: one of them is false; names the node.  BudgetExceeded: a limit was reached.
    """
    places = []
    for number, layer in enumerate(layers, 1):
        names = feeding_names(inputs, layers, number)
        for index, node in enumerate(layer, 1):
            if node.form is None:
                if node.range is not None:
                    raise InputError(f"node {index} of layer {number} has a range and no form")
                continue
            found = form_agrees(node, names, limits)
            if isinstance(found, Unknown):
                raise BudgetExceeded(f"form of node {index} of layer {number}: {found.reason}", found.detail)
            if isinstance(found, Different):
                raise InputError(f"node {index} of layer {number}: formula and form differ at {found.place()}")
            if node.range is not None:
                places.append((number, index, node.range))
    program = GateProgram(inputs)
    _, inner = layer_forms(program, layers)
    forms = [z for number, index, _ in places if (z := inner[number - 1][index - 1]) is not None]
    for (number, index, claimed), (low, high) in zip(places, exact_ranges(program, forms, Meter(limits))):
        if not claimed[0] <= low <= high <= claimed[1]:
            raise InputError(f"node {index} of layer {number}: the form ranges over [{low}, {high}], "
                             f"more than [{claimed[0]}, {claimed[1]}]")
