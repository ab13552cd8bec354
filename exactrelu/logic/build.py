r"""From layers of formulae to a ReLU network that computes the same function on the cube, exactly.

Truth values are affine forms of neurons:  ~a = 1 - a,  a + b = 1 - relu(1 - a - b),  a * b = relu(a + b - 1),
a -> b = 1 - relu(a - b),  a | b = b + relu(a - b),  a & b = a - relu(a - b);  /n and [r] are affine.  A node with an affine
form z is s(z) = relu(z) - relu(z - 1); neurons of one source are shared, so the slices of a neuron z telescope to
relu(z) - relu(z - M), and relu(z - M) is left out where the recorded range of z says so.  In the last layer a neuron that
is known to be active is its form, so a complete run of output slices becomes the affine output.

A neuron stands in the layer of its nesting depth; a value used later is carried by neurons relu(v) = v, as v >= 0.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from exactrelu.errors import BudgetExceeded
from exactrelu.logic.clip import AffineForm
from exactrelu.logic.formula import Formula, substitute, var, variables
from exactrelu.logic.gates import Form, Number, combined
from exactrelu.logic.layers import Layer, Node, Range, affine, input_names, node_names
from exactrelu.logic.walk import post_order
from exactrelu.network.network import Network

MAX_PARAMETERS = 20_000_000
"""Most weights and biases of a network that is built."""
Key = tuple[int, Number, tuple[tuple[int, Number], ...]]


@dataclass(frozen=True)
class Built:
    """A network, and the names of the nodes that left no trace in it: constant ones, and those on which no output depends."""

    network: Network
    dropped: tuple[str, ...]


class _Neurons:
    """A growing set of neurons: number k >= n is relu of a form of inputs and earlier neurons."""

    def __init__(self, inputs: int) -> None:
        self.inputs = inputs
        self.forms: list[Form] = []
        self.depth = [0] * inputs
        self._known: dict[Key, int] = {}

    def relu(self, form: Form, source: int = 0) -> Form:
        """relu(form); one neuron for equal forms of one source."""
        if not form.terms:
            return Form({}, max(0, form.constant))
        key = (source, form.constant, tuple(sorted(form.terms.items())))
        number = self._known.get(key)
        if number is None:
            number = self._known[key] = self.inputs + len(self.forms)
            self.forms.append(form)
            self.depth.append(1 + max(self.depth[k] for k in form.terms))
        return Form({number: 1}, 0)

    def clipped(self, z: Form, known: Range | None, source: int, last: bool) -> Form:
        """s(z), where `known` bounds z; in the last layer active neurons are affine."""
        parts: list[tuple[Number, Form]] = []
        for sign, shift in ((1, 0), (-1, 1)):
            if known is not None and known[1] <= shift:
                continue
            form = combined([(1, z)], -shift)
            parts.append((sign, form if last and known is not None and known[0] >= shift else self.relu(form, source)))
        return combined(parts)

    def formula_values(self, formulae: Sequence[Formula], env: dict[str, Form]) -> list[Form]:
        """The truth values of formulae."""
        values: dict[Formula, Form] = {}
        for node in post_order(*formulae):
            values[node] = env[str(node.data)] if node.op == "var" else self._value(node, [values[a] for a in node.args])
        return [values[f] for f in formulae]

    def _value(self, node: Formula, a: list[Form]) -> Form:
        op, relu = node.op, self.relu
        if op == "neg":
            return combined([(-1, a[0])], 1)
        if op == "oplus":
            return combined([(-1, relu(combined([(-1, a[0]), (-1, a[1])], 1)))], 1)
        if op == "odot":
            return relu(combined([(1, a[0]), (1, a[1])], -1))
        if op in ("imp", "vee", "wedge"):
            gate = relu(combined([(1, a[0]), (-1, a[1])]))
            if op == "imp":
                return combined([(-1, gate)], 1)
            return combined([(1, a[1]), (1, gate)]) if op == "vee" else combined([(1, a[0]), (-1, gate)])
        if op == "delta":
            return combined([(Fraction(1, int(str(node.data))), a[0])])
        if op == "scale":
            return combined([(Fraction(str(node.data)), a[0])])
        return Form({}, int(op))

    def used(self, outputs: Sequence[Form]) -> list[int]:
        """The inputs and neurons on which outputs depend, in order."""
        seen: set[int] = set()
        stack = [k for form in outputs for k in form.terms]
        while stack:
            k = stack.pop()
            if k not in seen:
                seen.add(k)
                if k >= self.inputs:
                    stack += self.forms[k - self.inputs].terms
        return sorted(seen)


def network_of_layers(inputs: int, layers: Sequence[Layer], output: Sequence[AffineForm], box: Sequence[Range] | None = None) -> Built:
    """Return a network with the function of a graph.

    Args:
        output: affine forms of the last layer (of the inputs, if there is no layer).
        box: the network takes x in this box, the graph u = (x - low) / (high - low); None for the unit cube.
    Raises:
        BudgetExceeded: more than `MAX_PARAMETERS` parameters.
    Exactness: ranges recorded in the nodes are relied on.    Cost: linear in the gates and in the parameters.
    """
    neurons = _Neurons(inputs)
    before = [Form({i: 1}, 0) for i in range(inputs)]
    names = input_names(inputs)
    values: list[tuple[str, Form]] = []
    for number, layer in enumerate(layers, 1):
        plain = iter(neurons.formula_values([node.formula for node in layer if node.form is None], dict(zip(names, before))))
        now: list[Form] = []
        for node in layer:
            if node.form is None:
                now.append(next(plain))
            else:
                now.append(neurons.clipped(affine(node.form, before), node.range, node.neuron, number == len(layers)))
        before, names = now, node_names(number, len(layer))
        values += zip(names, before)
    outputs = [affine(form, before) for form in output]
    used = neurons.used(outputs)
    kept = set(used)
    dropped = tuple(name for name, form in values if not kept & set(form.terms))
    return Built(_placed(neurons, used, outputs, box), dropped)


def _placed(neurons: _Neurons, used: list[int], outputs: list[Form], box: Sequence[Range] | None) -> Network:
    """The neurons in layers, with carriers."""
    n, depth = neurons.inputs, neurons.depth
    last = max((depth[k] for form in outputs for k in form.terms), default=0)
    until = {k: depth[k] for k in used}
    for k in used:
        if k >= n:
            for j in neurons.forms[k - n].terms:
                until[j] = max(until[j], depth[k] - 1)
    for form in outputs:
        for k in form.terms:
            until[k] = last
    columns: list[list[int]] = [list(range(n))] + [[] for _ in range(last)]
    for k in used:
        for layer in range(max(1, depth[k]), until[k] + 1):
            columns[layer].append(k)
    parameters = sum((len(a) + 1) * len(b) for a, b in zip(columns, columns[1:])) + (len(columns[-1]) + 1) * len(outputs)
    if parameters > MAX_PARAMETERS:
        raise BudgetExceeded(f"the network would have {parameters} parameters (at most {MAX_PARAMETERS})")
    weights: list[list[list[Number]]] = []
    biases: list[list[Number]] = []
    for layer in range(1, last + 2):
        forms = outputs if layer > last else [neurons.forms[k - n] if depth[k] == layer else Form({k: 1}, 0) for k in columns[layer]]
        weights.append([[form.terms.get(k, 0) for k in columns[layer - 1]] for form in forms])
        biases.append([form.constant for form in forms])
    if box is not None:
        for i, row in enumerate(weights[0]):
            for j, (low, high) in enumerate(box):
                if row[j]:  # u is arbitrary where the interval is a point: 0
                    slope = Fraction(row[j]) / (high - low) if high > low else Fraction(0)
                    row[j], biases[0][i] = slope, biases[0][i] - slope * low
    return Network(weights, biases)


def build(*formulae: Formula, names: Sequence[str] | None = None) -> Network:
    """Return a network whose outputs are the truth functions of some formulae on the cube.

    Args:
        names: the inputs in order; by default the variables that occur (one input x if there is none).
    Cost: at most one neuron a gate, and carriers.  Formulae without /n and [r] give integer weights.

    >>> from exactrelu.logic.parse import parse
    >>> network = build(parse("x | y"))
    >>> network.architecture.widths, network(["1/2", "2/3"])
    ((2, 2, 1), (Fraction(2, 3),))
    """
    inputs = tuple(names) if names is not None else variables(*formulae) or ("x",)
    renamed = substitute(formulae, dict(zip(inputs, map(var, input_names(len(inputs))))))
    layer = tuple(Node(f) for f in renamed)
    unit = [AffineForm.of([int(i == j) for j in range(len(layer))], 0) for i in range(len(layer))]
    return network_of_layers(len(inputs), (layer,), unit).network
