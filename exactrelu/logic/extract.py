r"""From a network on the unit cube (or a box) to a substitution graph of Łukasiewicz formulae, exactly.

*Sliced* (integer weights, pure Łukasiewicz logic).  A neuron with preactivation z <= M gives the M nodes s(z), ..., s(z - M + 1), for
relu(z) = sum of s(z - k) over k = 0..M-1: s(z - k) = relu(z - k) - relu(z - k - 1) telescopes.  An output f with lo <= f <= hi gives
the nodes s(f - k), k = lo..hi-1, and f = lo + their sum.
*Scaled* (rational weights, division or scalars).  A neuron with positive maximum M gives the one node s(z/M), relu(z) = M s(z/M);
an output gives s((f - lo)/(hi - lo)).
A neuron that is nowhere positive gives no node; all others do, also those with outgoing weights 0.

With exact bounds and `normalize="exact"`, networks whose hidden preactivations are not constant and somewhere positive have equal scaled
graphs, up to the order of nodes, iff they agree up to permutation and positive scaling of neurons.  Proof: the form of neuron j in
layer l is (W_j diag(M^(l-1)), b_j)/M_j; s = M'/M is the scaling.  The formula determines the form, because z/M takes a value strictly
between 0 and 1, near which s(z/M) is the affine form.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from exactrelu.errors import BudgetExceeded, InputError
from exactrelu.limits import Limits, Meter
from exactrelu.logic.affine_pieces import Progress, exact_ranges
from exactrelu.logic.clip import LANGUAGES, AffineForm
from exactrelu.logic.cube_network import box_of_domain, cleared, is_integer, on_cube
from exactrelu.logic.formula import Formula, var
from exactrelu.logic.gates import GateProgram
from exactrelu.logic.graph import SubstitutionGraph
from exactrelu.logic.layers import Layer, Node, Range, input_names, node_names
from exactrelu.network.network import Network
from exactrelu.polyhedra.domain import Domain

MAX_SLICES = 2_000
"""Most nodes of one layer of a sliced graph, unless the caller says otherwise."""
MODES = ("auto", "sliced", "scaled")
Bounds = list[list[Range]]


@dataclass(frozen=True)
class _Options:
    language: str
    exact_scales: bool
    affine: bool
    max_slices: int


@dataclass(frozen=True)
class _Feeding:
    """How the neurons of the layer before are made of its nodes: neuron j = sum of factors[j] times nodes, and their names."""

    neurons: tuple[tuple[tuple[int, Fraction], ...], ...]
    atoms: tuple[Formula, ...]

    def form(self, weights: Sequence[Fraction], bias: Fraction) -> AffineForm:
        """The preactivation as a form of the nodes."""
        out = [Fraction(0)] * len(self.atoms)
        for w, nodes in zip(weights, self.neurons):
            if w:
                for index, factor in nodes:
                    out[index] += w * factor
        return AffineForm(tuple(out), bias)


def extract(network: Network, *, mode: str = "auto", language: str = "riesz", normalize: str = "exact", bounds: str = "exact",
            affine: bool = False, clear_denominators: bool = False, domain: Domain | None = None, max_slices: int = MAX_SLICES,
            limits: Limits | None = None, progress: Progress | None = None) -> SubstitutionGraph:
    """Return a substitution graph with the function of a network.

    Args:
        mode: `sliced`, `scaled`, or `auto`: sliced for integer weights (on the cube), scaled otherwise.
        language: how fractions are written: `riesz` [p/q] or `divisible` /q (much longer).
        normalize: scale by the `exact` maxima, or by the next `integer`, which keeps denominators small.
        bounds: of the preactivations: `exact`, or `interval` (fast, sound, looser: more slices).
        affine: one node for each output of a sliced graph, s((f - lo)/(hi - lo)), instead of slices.
        clear_denominators: make the network integer first; its output is divided by the factor again.
        domain: a box; None for the unit cube.  The graph takes its points.
        max_slices: most nodes of one layer of a sliced graph.
        limits: of the exact bounds.
    Raises:
        InputError: no such option, or sliced extraction of fractions; names the weight.
        DomainError: the domain is no bounded box.
        BudgetExceeded: a limit was reached.
    Exactness: rational throughout.    Source: paper D (arXiv 2602.00266) and arXiv 2401.12113; proofs above.

    >>> graph = extract(Network([[[1, 1], [2, -1]], [[1, -1]]], [[-1, 0], [0]]))
    >>> print(graph.show())
    y1_1 = x1 * x2
    y1_2 = x1 * x1 + (x1 + x1) * ~x2
    y1_3 = x1 * x1 * ~x2
    y2_1 = ~y1_2 + y1_1 + ~y1_3
    y2_2 = ~y1_2 * y1_1 + (~y1_2 + y1_1) * ~y1_3
    y2_3 = ~y1_2 * y1_1 * ~y1_3
    f1 = -2 + y2_1 + y2_2 + y2_3
    """
    _choice("mode", mode, MODES)
    _choice("language", language, LANGUAGES[1:])
    _choice("normalize", normalize, ("exact", "integer"))
    _choice("bounds", bounds, ("exact", "interval"))
    box = box_of_domain(domain, network.architecture.inputs)
    cube = on_cube(network, box)
    factor = 1
    if clear_denominators:
        cube, factor = cleared(cube)
    sliced = mode == "sliced" or (mode == "auto" and is_integer(cube))
    if sliced:
        _require_integers(cube, box is not None)
    found = preactivation_bounds(cube, exact=bounds == "exact", limits=limits, progress=progress)
    options = _Options(language, normalize == "exact", affine, max_slices)
    graph = _Extraction(cube, found, options).graph(sliced)
    output = tuple(form.times(Fraction(1, factor)) for form in graph.output)
    return replace(graph, output=output, box=box)


def _choice(name: str, value: str, allowed: Sequence[str]) -> None:
    if value not in allowed:
        raise InputError(f"{name} is one of {', '.join(allowed)}; got {str(value)[:40]!r}")


def _require_integers(network: Network, mapped: bool) -> None:
    for layer, (rows, bias) in enumerate(zip(network.weights, network.biases), 1):
        for i, (row, b) in enumerate(zip(rows, bias), 1):
            for j, w in enumerate((*row, b), 1):
                if w.denominator != 1:
                    what = f"input {j}: weight" if j <= len(row) else "bias"
                    place = " (the box being mapped onto the unit cube)" if mapped else ""
                    raise InputError(f"layer {layer}, neuron {i}, {what} {w} is not an integer{place}. Sliced extraction needs integers; "
                                     'use mode="scaled" (Riesz logic), or clear_denominators=True (multiplies the output by '
                                     f"{cleared(network)[1]}).")


def preactivation_bounds(network: Network, *, exact: bool = True, limits: Limits | None = None,
                         progress: Progress | None = None) -> Bounds:
    """Return minimum and maximum of every preactivation on the unit cube, layer by layer, the output last.

    Args:
        exact: False gives bounds by interval arithmetic, which contain the exact ones.
    Raises:
        BudgetExceeded: a limit was reached.

    >>> [tuple(map(str, r)) for r in preactivation_bounds(Network([[[1], [-2]], [[1, 1]]], [[0, 1], [0]]))[1]]
    [('1/2', '1')]
    """
    program = GateProgram(network.architecture.inputs)
    layers = program.network_values(network, program.input_forms)
    forms = [z for layer in layers for z in layer]
    if exact:
        try:
            ranges = exact_ranges(program, forms, Meter(limits), progress)
        except BudgetExceeded as reached:
            raise BudgetExceeded(f'{reached}; bounds="interval" needs no search', reached.done) from None
    else:
        ranges = [(Fraction(low), Fraction(high)) for low, high in map(program.interval, forms)]
    found = iter(ranges)
    return [[next(found) for _ in layer] for layer in layers]


class _Extraction:
    """One extraction from a network on the unit cube."""

    def __init__(self, network: Network, bounds: Bounds, options: _Options) -> None:
        self.network, self.bounds, self.options = network, bounds, options
        self.notes: list[str] = []

    def graph(self, sliced: bool) -> SubstitutionGraph:
        """The graph of the network."""
        n = self.network.architecture.inputs
        feeding = _Feeding(tuple(((i, Fraction(1)),) for i in range(n)), tuple(map(var, input_names(n))))
        layers: list[Layer] = []
        last = len(self.network.weights)
        for number in range(1, last):
            layer, neurons = self._hidden(number, feeding, sliced)
            layers.append(layer)
            feeding = _Feeding(neurons, tuple(map(var, node_names(number, len(layer)))))
        layer, output = self._output(feeding, sliced)
        return SubstitutionGraph(n, (*layers, layer), output, notes=tuple(self.notes))

    def _hidden(self, number: int, feeding: _Feeding, sliced: bool) -> tuple[Layer, tuple[tuple[tuple[int, Fraction], ...], ...]]:
        layer: list[Node] = []
        neurons: list[tuple[tuple[int, Fraction], ...]] = []
        if sliced:
            self._admit(number, [max(0, _ceil(high)) for _, high in self.bounds[number - 1]])
        rows, biases = self.network.weights[number - 1], self.network.biases[number - 1]
        for j, (row, bias, (low, high)) in enumerate(zip(rows, biases, self.bounds[number - 1]), 1):
            form = feeding.form(row, bias)
            if high <= 0:
                self.notes.append(f"neuron {j} of layer {number} is dead on the cube (max {high}) and has no node.")
                neurons.append(())
            elif sliced:
                count = _ceil(high)
                neurons.append(tuple((len(layer) + k, Fraction(1)) for k in range(count)))
                layer += [self._node(form.times(Fraction(1), -k), (low - k, high - k), feeding, "mv", j) for k in range(count)]
            else:
                scale = high if self.options.exact_scales else Fraction(_ceil(high))
                neurons.append(((len(layer), scale),))
                layer.append(self._node(form.times(1 / scale), (low / scale, high / scale), feeding, self.options.language, j))
        return tuple(layer), tuple(neurons)

    def _output(self, feeding: _Feeding, sliced: bool) -> tuple[Layer, tuple[AffineForm, ...]]:
        layer: list[Node] = []
        made: list[tuple[Fraction, Fraction, range]] = []  # constant, coefficient, nodes
        slices = sliced and not self.options.affine
        if slices:
            self._admit(len(self.bounds), [_ceil(high) - _floor(low) for low, high in self.bounds[-1]])
        rows, biases = self.network.weights[-1], self.network.biases[-1]
        for j, (row, bias, (low, high)) in enumerate(zip(rows, biases, self.bounds[-1]), 1):
            form = feeding.form(row, bias)
            first = len(layer)
            if slices:
                base, top = _floor(low), _ceil(high)
                layer += [self._node(form.times(Fraction(1), -k), (low - k, high - k), feeding, "mv", j) for k in range(base, top)]
                made.append((Fraction(base), Fraction(1), range(first, len(layer))))
                if base < 0 or top > 1:
                    self._say_range(low, high, base, top - base)
                continue
            start = low if self.options.exact_scales else Fraction(_floor(low))
            scale = high - start if self.options.exact_scales else Fraction(_ceil(high)) - start
            scale = scale or Fraction(1)
            layer.append(self._node(form.times(1 / scale, -start / scale), ((low - start) / scale, (high - start) / scale), feeding,
                                    self.options.language, j))
            made.append((start, scale, range(first, first + 1)))
        width = len(layer)
        return tuple(layer), tuple(AffineForm(tuple(c if k in nodes else Fraction(0) for k in range(width)), constant)
                                   for constant, c, nodes in made)

    def _node(self, form: AffineForm, known: Range, feeding: _Feeding, language: str, neuron: int) -> Node:
        return Node(form.clipped(feeding.atoms, language), form, known, neuron)

    def _admit(self, number: int, counts: Sequence[int]) -> None:
        total = sum(counts)
        if total > self.options.max_slices:
            most = max(range(len(counts)), key=counts.__getitem__)
            raise BudgetExceeded(f"layer {number} would have {total} slices, {counts[most]} of them of neuron {most + 1} (max_slices="
                                 f'{self.options.max_slices}); use mode="scaled", or raise max_slices')

    def _say_range(self, low: Fraction, high: Fraction, base: int, count: int) -> None:
        text = f"f {'-' if low > 0 else '+'} {abs(low)}" if low else "f"
        one = f"({text})/({high - low})" if high > low else text
        self.notes.append(f"the output ranges over [{low}, {high}]; recorded as {base} + a sum of {count} formulae. "
                          f"Ask for affine=True to get one formula of {one} instead.")


def _floor(x: Fraction) -> int:
    return x.numerator // x.denominator


def _ceil(x: Fraction) -> int:
    return -(-x.numerator // x.denominator)
