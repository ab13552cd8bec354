"""Layers of a substitution graph: nodes, the names of their variables, and their values as gates.

A node of layer 1 is a formula in x1, ..., xn; a node of layer l >= 2 is a formula in y{l-1}_1, y{l-1}_2, ..., the nodes of the
layer before.  Nodes, inputs and neurons are numbered from 1 here, as in these names.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any

from exactrelu.errors import InputError, ShapeError
from exactrelu.logic.clip import AffineForm
from exactrelu.logic.formula import Formula, evaluate, substitute, var, variables
from exactrelu.logic.gates import Form, GateProgram, combined

Range = tuple[Fraction, Fraction]


@dataclass(frozen=True)
class Node:
    """A node.

    Attributes:
        formula: in the variables of the layer.
        form: the affine form z in the same variables, if the truth function is s(z) = min(1, max(0, z)).
        range: bounds of z over all inputs of the graph, if they are known.
        neuron: number of the neuron it was extracted from, 0 if none; slices of one neuron share it, twins do not.
    """

    formula: Formula
    form: AffineForm | None = None
    range: Range | None = field(default=None, compare=False)
    neuron: int = field(default=0, compare=False)


Layer = tuple[Node, ...]


def input_names(inputs: int) -> tuple[str, ...]:
    """Return x1, ..., xn."""
    return tuple(f"x{i + 1}" for i in range(inputs))


def node_names(layer: int, width: int) -> tuple[str, ...]:
    """Return the names of the nodes of a layer (counted from 1).

    >>> node_names(2, 2)
    ('y2_1', 'y2_2')
    """
    return tuple(f"y{layer}_{i + 1}" for i in range(width))


def feeding_names(inputs: int, layers: Sequence[Layer], layer: int) -> tuple[str, ...]:
    """Return the variables of a layer (counted from 1)."""
    return input_names(inputs) if layer == 1 else node_names(layer - 1, len(layers[layer - 2]))


def check_layers(inputs: int, layers: Sequence[Layer]) -> None:
    """Raise InputError or ShapeError if a node has a foreign variable or a form of the wrong size."""
    for number, layer in enumerate(layers, 1):
        names = set(feeding_names(inputs, layers, number))
        for index, node in enumerate(layer, 1):
            foreign = [name for name in variables(node.formula) if name not in names]
            if foreign:
                raise InputError(f"node {index} of layer {number} uses {', '.join(foreign)}, not a variable of the layer before")
            if node.form is not None and len(node.form.coefficients) != len(names):
                raise ShapeError(f"node {index} of layer {number} has a form with {len(node.form.coefficients)} coefficients, "
                                 f"the layer before {len(names)} nodes")


def layer_values(layers: Sequence[Layer], inputs: Sequence[Any]) -> list[tuple[Fraction, ...]]:
    """Return the truth values of all nodes at a point of the cube, layer by layer."""
    out: list[tuple[Fraction, ...]] = []
    names = input_names(len(inputs))
    values: Sequence[Any] = inputs
    for number, layer in enumerate(layers, 1):
        values = evaluate([node.formula for node in layer], dict(zip(names, values)))
        out.append(tuple(values))
        names = node_names(number, len(layer))
    return out


def layer_forms(program: GateProgram, layers: Sequence[Layer]) -> tuple[list[list[Form]], list[list[Form | None]]]:
    """Return the truth values of all nodes as forms over the gates, and the forms z of the nodes that have one."""
    before, names = list(program.input_forms), input_names(program.inputs)
    values: list[list[Form]] = []
    inner: list[list[Form | None]] = []
    for number, layer in enumerate(layers, 1):
        env: Mapping[str, Form] = dict(zip(names, before))
        plain = iter(program.formula_values([node.formula for node in layer if node.form is None], env))
        values.append([])
        inner.append([])
        for node in layer:
            if node.form is None:
                values[-1].append(next(plain))
                inner[-1].append(None)
                continue
            z = affine(node.form, before)
            inner[-1].append(z)
            values[-1].append(combined([(1, program.relu(z)), (-1, program.relu(combined([(1, z)], -1)))]))
        before, names = values[-1], node_names(number, len(layer))
    return values, inner


def affine(form: AffineForm, values: Sequence[Form]) -> Form:
    """Return an affine form of values as a form over the gates."""
    constant = form.constant
    return combined(((_plain(c), v) for c, v in zip(form.coefficients, values)), _plain(constant))


def _plain(x: Fraction) -> int | Fraction:
    return x.numerator if x.denominator == 1 else x


def renumbered(layer: Layer, width: int, old: int, new: int) -> Layer:
    """Return a layer fed by `width` nodes of layer `old` as a layer fed by layer `new`."""
    images = {a: var(b) for a, b in zip(node_names(old, width), node_names(new, width))}
    formulae = substitute([node.formula for node in layer], images)
    return tuple(replace(node, formula=f) for f, node in zip(formulae, layer))
