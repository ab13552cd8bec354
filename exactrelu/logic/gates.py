"""Gates: formulae and networks on the cube as one list of values max(0, affine form of inputs and earlier gates).

On [0,1]^n every connective is affine or one gate:

    a + b = 1 - relu(1 - a - b)    a * b = relu(a + b - 1)    a -> b = 1 - relu(a - b)
    a | b = b + relu(a - b)        a & b = a - relu(a - b)

A gate is kept for a primitive integer form p only: relu(s p) = s relu(p) for s > 0, and relu(-p) = relu(p) - p.  So
rescaled copies of a neuron, and x + y beside ~x * ~y, share their gates, and gates are integer forms of earlier gates.
Intervals decide gates with one sign at once.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import gcd, lcm

from exactrelu.errors import InvariantError, ShapeError
from exactrelu.logic.formula import Formula
from exactrelu.logic.walk import post_order
from exactrelu.network.network import Network

Number = int | Fraction
LONG = 16
"""Truth values with more terms become gates themselves, which keeps forms short in deep formulae."""


class Form:
    """An affine form of the inputs 0..n-1 and the gates n, n+1, ...: `terms` maps their numbers to non-zero coefficients."""

    __slots__ = ("constant", "terms")

    def __init__(self, terms: dict[int, Number], constant: Number) -> None:
        self.terms, self.constant = terms, constant

    @classmethod
    def of_constant(cls, value: Number) -> Form:
        """The constant form."""
        return cls({}, value)


def combined(parts: Iterable[tuple[Number, Form]], constant: Number = 0) -> Form:
    """Return constant + sum of c f over the pairs (c, f)."""
    terms: dict[int, Number] = {}
    for factor, form in parts:
        if factor:
            constant += factor * form.constant
            for k, c in form.terms.items():
                terms[k] = terms.get(k, 0) + factor * c
    return Form({k: c for k, c in terms.items() if c}, constant)


@dataclass(frozen=True)
class Gate:
    """relu(constant + sum c_k v_k), integers; `sign` is 1 when the form is known to be non-negative."""

    sources: tuple[tuple[int, int], ...]
    constant: int
    sign: int = 0


class GateProgram:
    """A growing list of gates over n inputs in [0,1]."""

    def __init__(self, inputs: int) -> None:
        self.inputs = inputs
        self.gates: list[Gate] = []
        self._bounds: list[tuple[Number, Number]] = [(0, 1)] * inputs
        self._known: dict[tuple[int, tuple[tuple[int, int], ...]], int] = {}

    @cached_property
    def input_forms(self) -> list[Form]:
        """The forms x_1, ..., x_n."""
        return [Form({i: 1}, 0) for i in range(self.inputs)]

    def interval(self, form: Form) -> tuple[Number, Number]:
        """Return bounds of a form by interval arithmetic."""
        low = high = form.constant
        for k, c in form.terms.items():
            a, b = self._bounds[k]
            if c > 0:
                low, high = low + c * a, high + c * b
            else:
                low, high = low + c * b, high + c * a
        return low, high

    def relu(self, form: Form) -> Form:
        """Return max(0, form) as a form; a new gate only if the sign is open and no gate has a multiple of the form."""
        low, high = self.interval(form)
        if low >= 0:
            return form
        if high <= 0:
            return Form({}, 0)
        factor, constant, sources = _primitive(form)
        found = self._known.get((constant, sources))
        if found is not None:
            return Form({found: factor}, 0)
        found = self._known.get((-constant, tuple([(k, -c) for k, c in sources])))
        if found is not None:
            return combined([(factor, Form({found: 1}, 0)), (1, form)])
        number = self._append(Gate(sources, constant), (0, high * _inverse(factor)))
        self._known[constant, sources] = number
        return Form({number: factor}, 0)

    def carried(self, form: Form) -> Form:
        """Return a truth value (a form with values in [0,1]) as a short form."""
        if len(form.terms) <= LONG:
            return form
        factor, constant, sources = _primitive(form)
        found = self._known.get((constant, sources))
        if found is None:
            found = self._append(Gate(sources, constant, 1), (0, _inverse(factor)))
            self._known[constant, sources] = found
        return Form({found: factor}, 0)

    def _append(self, gate: Gate, bounds: tuple[Number, Number]) -> int:
        self.gates.append(gate)
        self._bounds.append(bounds)
        return self.inputs + len(self.gates) - 1

    def formula_values(self, formulae: Sequence[Formula], env: Mapping[str, Form]) -> list[Form]:
        """Return the truth values of formulae, whose variables have the truth values of `env`."""
        values: dict[Formula, Form] = {}
        for node in post_order(*formulae):
            if node.op == "var":
                if node.data not in env:
                    raise InvariantError(f"the variable {node.data} has no form")
                values[node] = env[str(node.data)]
            else:
                values[node] = self._value(node, [values[a] for a in node.args])
        return [values[f] for f in formulae]

    def _value(self, node: Formula, a: list[Form]) -> Form:
        op = node.op
        if op == "neg":
            return combined([(-1, a[0])], 1)
        if op == "oplus":
            return combined([(-1, self.relu(combined([(-1, a[0]), (-1, a[1])], 1)))], 1)
        if op == "odot":
            return self.carried(self.relu(combined([(1, a[0]), (1, a[1])], -1)))
        if op == "imp":
            return self.carried(combined([(-1, self.relu(combined([(1, a[0]), (-1, a[1])])))], 1))
        if op in ("vee", "wedge"):
            small, large = sorted(a, key=lambda form: len(form.terms))
            sign = 1 if op == "vee" else -1  # max = s + relu(l - s), min = s - relu(s - l)
            return self.carried(combined([(1, small), (sign, self.relu(combined([(sign, large), (-sign, small)])))]))
        if op == "delta":
            return combined([(Fraction(1, int(str(node.data))), a[0])])
        if op == "scale":
            return combined([(Fraction(str(node.data)), a[0])])
        return Form({}, int(op))

    def network_values(self, network: Network, inputs: Sequence[Form]) -> list[list[Form]]:
        """Return the preactivations of all layers of a network, the last being its output."""
        if network.architecture.inputs != len(inputs):
            raise ShapeError(f"the network has {network.architecture.inputs} inputs, not {len(inputs)}")
        layers: list[list[Form]] = []
        activations = list(inputs)
        for rows, bias in zip(network.weights, network.biases):
            layers.append([combined(((_plain(w), a) for w, a in zip(row, activations)), _plain(b)) for row, b in zip(rows, bias)])
            if len(layers) < len(network.weights):
                activations = [self.relu(z) for z in layers[-1]]
        return layers


def _plain(x: Fraction) -> Number:
    return x.numerator if x.denominator == 1 else x


def _inverse(x: Number) -> Number:
    return 1 if x == 1 else 1 / Fraction(x)


def _primitive(form: Form) -> tuple[Number, int, tuple[tuple[int, int], ...]]:
    """s > 0, and constant and sources of p, with form = s p and p primitive."""
    scale = lcm(form.constant.denominator, *[c.denominator for c in form.terms.values()])
    constant = int(form.constant * scale)
    sources = sorted((k, int(c * scale)) for k, c in form.terms.items())
    content = gcd(constant, *[c for _, c in sources])
    factor: Number = Fraction(content, scale) if scale > 1 else content
    return factor, constant // content, tuple([(k, c // content) for k, c in sources])
