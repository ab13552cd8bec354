"""The trivial symmetries: permutations of the neurons of a layer and positive scalings of single neurons.

(p, s) acts on theta by W'_ij = s_i W_{p(i) q(j)} / t_j and b'_i = s_i b_{p(i)} in layer l, where p, s are those of
layer l and q, t those of layer l-1: neuron i of the result is s_i times neuron p(i) of the argument.  Inputs and
outputs stay.
The function is unchanged because ReLU(s z) = s ReLU(z) for s > 0.

Whether two parameters are equivalent is decided without a canonical form, so also with zero rows and with many equal
neurons: each neuron is scaled by an invariant (the largest entry of its row, or of its column where the row says
nothing), and the labelled layered graphs that remain are compared by color refinement and backtracking.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from random import Random
from typing import Any

from exactrelu.arithmetic.rational import rational
from exactrelu.certificates.verdict import Fails, Holds, Undecided, Verdict
from exactrelu.errors import InputError, ShapeError
from exactrelu.network.architecture import Architecture
from exactrelu.network.network import Network

MAX_NODES = 2_000
"""Most partial assignments of neurons tried by `equivalent`."""

_STRIDE = 1 << 40


@dataclass(frozen=True)
class TrivialSymmetry:
    """An element of the group of trivial symmetries of an architecture.

    Args:
        permutations: for each hidden layer p, shape (n_l,): neuron i of the result comes from neuron p[i].
        scales: for each hidden layer the positive factors of the neurons of the result, shape (n_l,).
    Raises:
        ShapeError: sizes do not fit, or p is no permutation.  InputError: a factor is not positive.

    >>> theta = Network([[[1], [2]], [[3, 4]]], [[5, 6], [7]])
    >>> TrivialSymmetry([[1, 0]], [[1, 2]]).act(theta).weights[1]
    ((Fraction(4, 1), Fraction(3, 2)),)
    """

    permutations: tuple[tuple[int, ...], ...]
    scales: tuple[tuple[Fraction, ...], ...]

    def __post_init__(self) -> None:
        permutations = tuple(tuple(p) for p in self.permutations)
        scales = tuple(tuple(rational(x) for x in s) for s in self.scales)
        if len(permutations) != len(scales):
            raise ShapeError(f"{len(permutations)} permutations but {len(scales)} lists of factors")
        for layer, (p, s) in enumerate(zip(permutations, scales), 1):
            if any(type(i) is not int for i in p) or sorted(p) != list(range(len(p))):
                raise ShapeError(f"layer {layer}: {list(p)[:20]} is not a permutation of 0, ..., {len(p) - 1}")
            if len(p) != len(s):
                raise ShapeError(f"layer {layer}: {len(p)} neurons permuted but {len(s)} factors")
            for i, x in enumerate(s):
                if x <= 0:
                    shown = str(x) if x.numerator.bit_length() + x.denominator.bit_length() < 300 else "of many digits"
                    raise InputError(f"layer {layer}, neuron {i}: the factor {shown} is not positive")
        object.__setattr__(self, "permutations", permutations)
        object.__setattr__(self, "scales", scales)

    @classmethod
    def identity(cls, architecture: Architecture) -> TrivialSymmetry:
        """Return the symmetry that changes nothing.

        >>> TrivialSymmetry.identity(Architecture((2, 3, 1))).permutations
        ((0, 1, 2),)
        """
        widths = architecture.hidden_widths
        return cls(tuple(tuple(range(n)) for n in widths), tuple((Fraction(1),) * n for n in widths))

    @classmethod
    def random(cls, architecture: Architecture, rng: Random, largest: int = 9) -> TrivialSymmetry:
        """Return a random symmetry whose factors have numerators and denominators up to `largest`.

        >>> TrivialSymmetry.random(Architecture((1, 2, 1)), Random(0)).permutations
        ((0, 1),)
        """
        permutations, scales = [], []
        for n in architecture.hidden_widths:
            order = list(range(n))
            rng.shuffle(order)
            permutations.append(tuple(order))
            scales.append(tuple(Fraction(rng.randint(1, largest), rng.randint(1, largest)) for _ in range(n)))
        return cls(tuple(permutations), tuple(scales))

    @property
    def widths(self) -> tuple[int, ...]:
        """Widths of the hidden layers it acts on."""
        return tuple(map(len, self.permutations))

    def act(self, network: Network) -> Network:
        """Return the transformed parameter; it has the same function.

        Raises:
            ShapeError: the network has other hidden widths.
        Cost: O(N) rational operations.
        """
        if network.architecture.hidden_widths != self.widths:
            raise ShapeError(f"a symmetry of the hidden widths {self.widths} cannot act on {network.architecture}")
        weights, biases = [], []
        last = len(network.weights) - 1
        columns = tuple(range(network.architecture.inputs))
        inverses: tuple[Fraction, ...] = (Fraction(1),) * network.architecture.inputs
        for k, (rows, bias) in enumerate(zip(network.weights, network.biases)):
            order = self.permutations[k] if k < last else tuple(range(len(rows)))
            factors = self.scales[k] if k < last else (Fraction(1),) * len(rows)
            weights.append(tuple(_scaled([rows[p][q] for q in columns], inverses, s) for p, s in zip(order, factors)))
            biases.append(tuple(s * bias[p] for p, s in zip(order, factors)))
            columns, inverses = order, tuple(1 / s for s in factors)
        return Network(tuple(weights), tuple(biases))

    def compose(self, first: TrivialSymmetry) -> TrivialSymmetry:
        """Return "first `first`, then self": compose(g, h).act(theta) = g.act(h.act(theta))."""
        if self.widths != first.widths:
            raise ShapeError(f"symmetries of the hidden widths {self.widths} and {first.widths} cannot be composed")
        return TrivialSymmetry(
            tuple(tuple(q[i] for i in p) for p, q in zip(self.permutations, first.permutations)),
            tuple(tuple(s * t[i] for i, s in zip(p, scales))
                  for p, scales, t in zip(self.permutations, self.scales, first.scales)))

    def inverse(self) -> TrivialSymmetry:
        """Return the symmetry that undoes this one."""
        permutations, scales = [], []
        for p, s in zip(self.permutations, self.scales):
            back = [0] * len(p)
            for i, image in enumerate(p):
                back[image] = i
            permutations.append(tuple(back))
            scales.append(tuple(1 / s[i] for i in back))
        return TrivialSymmetry(tuple(permutations), tuple(scales))

    def claim(self) -> list[dict[str, Any]]:
        """Return the symmetry as it is written in a document: per hidden layer permutation and scales."""
        return [{"permutation": list(p), "scales": [str(x) for x in s]} for p, s in zip(self.permutations, self.scales)]


def _scaled(row: Sequence[Fraction], inverses: Sequence[Fraction], factor: Fraction) -> tuple[Fraction, ...]:
    return tuple(factor * x * t if x else x for x, t in zip(row, inverses))


def equivalent(a: Network, b: Network, max_nodes: int = MAX_NODES) -> Verdict:
    """Return whether b is a trivial symmetry of a, on whatever domain.

    Returns:
        `Holds` with ``detail["symmetry"]``, for which symmetry.act(a) == b was checked; `Fails` with the reason as
        witness; `Undecided` when more than `max_nodes` assignments of look-alike neurons had to be tried.
    Cost: O(N log N) a refinement; one refinement for parameters without look-alike neurons.

    >>> theta = Network([[[1], [2]], [[3, 4]]], [[5, 6], [7]])
    >>> equivalent(theta, Network([[[2], ["1/3"]], [[4, 9]]], [[6, "5/3"], [7]])).detail["symmetry"].scales
    ((Fraction(1, 1), Fraction(1, 3)),)
    >>> equivalent(theta, Network([[[1], [2]], [[3, 4]]], [[5, 6], [8]])).witness
    'the output biases differ'
    """
    if a.architecture != b.architecture:
        return Fails(f"the architectures {a.architecture} and {b.architecture} differ")
    first, second = _scaled_graph(a), _scaled_graph(b)
    labels: dict[Any, int] = {}
    graphs = (_LabelledGraph(*first, labels), _LabelledGraph(*second, labels))
    if graphs[0].output_biases != graphs[1].output_biases:
        return Fails("the output biases differ")
    stack: list[tuple[list[int], list[int], list[int], list[int]]] = [(graphs[0].colors, graphs[1].colors, [], [])]
    nodes = 0
    while stack:
        colors_a, colors_b, chosen, images = stack.pop()
        nodes += 1
        if nodes > max_nodes:
            return Undecided(f"more than {max_nodes} assignments of look-alike neurons")
        refined = _refined_colors(graphs, _marked(colors_a, chosen), _marked(colors_b, images))
        if refined is None:
            continue
        cell = _smallest_cell(refined[0])
        if cell is None:
            symmetry = _leaf_symmetry(first, second, refined)
            if symmetry.act(a) == b:
                return Holds(detail={"symmetry": symmetry})
            continue
        chosen = graphs[0].twins(refined[0].index(cell))
        tried = set()
        for image in [v for v, color in enumerate(refined[1]) if color == cell]:
            images = graphs[1].twins(image)
            if images[0] not in tried and len(images) == len(chosen):
                stack.append((*refined, chosen, images))
            tried.add(images[0])
    return Fails("the neurons of the layers do not match")


_ScaledNetwork = tuple[Network, TrivialSymmetry, tuple[tuple[bool, ...], ...]]


def _scaled_graph(network: Network) -> _ScaledNetwork:
    """Return the network with every neuron scaled by an invariant, that symmetry, and which neurons have a scale.

    A row with a largest absolute entry m != 0 (over the bias and the columns of neurons scaled before) is divided
    by m; a neuron whose row says nothing is scaled by the largest entry of its column instead.  What stays without
    a scale is connected to neurons without a scale only.
    """
    widths = network.architecture.widths
    factors = [[Fraction(1)] * n for n in widths]
    known = [[k in (0, len(widths) - 1)] * n for k, n in enumerate(widths)]
    changed = True
    while changed:
        changed = False
        for k in range(1, len(widths) - 1):
            for i in [i for i, done in enumerate(known[k]) if not done]:
                row = network.weights[k - 1][i]
                entries = [abs(w / c) for w, c, done in zip(row, factors[k - 1], known[k - 1]) if w and done]
                largest = max([abs(network.biases[k - 1][i]), *entries])
                if largest:
                    factors[k][i], known[k][i], changed = 1 / largest, True, True
        for k in range(len(widths) - 2, 0, -1):
            for i in [i for i, done in enumerate(known[k]) if not done]:
                rows = network.weights[k]
                largest = max((abs(row[i] * c) for row, c, done in zip(rows, factors[k + 1], known[k + 1]) if done),
                              default=Fraction(0))
                if largest:
                    factors[k][i], known[k][i], changed = largest, True, True
    orders = tuple(tuple(range(n)) for n in widths[1:-1])
    symmetry = TrivialSymmetry(orders, tuple(tuple(c) for c in factors[1:-1]))
    return symmetry.act(network), symmetry, tuple(tuple(flags) for flags in known[1:-1])


class _LabelledGraph:
    """Neurons numbered through the layers, edges labelled by weights (by signs between neurons without a scale)."""

    def __init__(self, network: Network, symmetry: TrivialSymmetry, known: tuple[tuple[bool, ...], ...],
                 labels: dict[Any, int]) -> None:
        self.offsets = network.architecture.offsets
        self.output_biases = network.biases[-1]
        every = (*known, (True,) * network.architecture.outputs)
        self.edges: list[list[tuple[int, ...]]] = []
        for k, rows in enumerate(network.weights):
            before = every[k - 1] if k else (True,) * network.architecture.inputs
            self.edges.append([
                tuple(labels.setdefault(w if r and c else (w > 0) - (w < 0), len(labels)) for w, c in zip(row, before))
                for row, r in zip(rows, every[k])])
        self.colors: list[int] = []
        twins: dict[Any, list[int]] = {}
        for k, flags in enumerate(known):
            columns = list(zip(*self.edges[k + 1]))
            for i, done in enumerate(flags):
                bias = labels.setdefault(network.biases[k][i], len(labels))
                fixed = (k, done, bias, self.edges[k][i] if k == 0 else (), columns[i] if k == len(known) - 1 else ())
                self.colors.append(labels.setdefault(fixed, len(labels)))
                vertex = self.offsets[k] + i
                lonely = not any(network.weights[k][i]) and not any(row[i] for row in network.weights[k + 1])
                place = (k, bias, self.edges[k][i], columns[i]) if done else (k, "lonely") if lonely else (k, vertex)
                twins.setdefault(place, []).append(vertex)
        self._twins = {vertex: members for members in twins.values() for vertex in members}

    def twins(self, vertex: int) -> list[int]:
        """Return the neurons that can be exchanged with this one without any change, itself included."""
        return self._twins[vertex]


def _marked(colors: list[int], chosen: list[int]) -> list[int]:
    """Return colors in which the chosen neurons have colors of their own (negative ones)."""
    marked = list(colors)
    for rank, vertex in enumerate(chosen):
        marked[vertex] = -1 - rank
    return marked


def _refined_colors(graphs: tuple[_LabelledGraph, _LabelledGraph], colors_a: list[int],
                    colors_b: list[int]) -> tuple[list[int], list[int]] | None:
    """Return the coarsest stable refinement of both colorings with shared names; None when they do not match."""
    colors = (colors_a, colors_b)
    layers = len(graphs[0].offsets) - 1
    count = len(set(colors_a))
    while True:
        for k in [*range(1, layers), *range(layers - 1, -1, -1)]:
            names: dict[Any, int] = {}
            colors = (_recolored(graphs[0], colors[0], k, names), _recolored(graphs[1], colors[1], k, names))
        names = {}
        colors = (_renamed(colors[0], names), _renamed(colors[1], names))
        if sorted(colors[0]) != sorted(colors[1]):
            return None
        if len(set(colors[0])) == count:
            return colors
        count = len(set(colors[0]))
        if count == len(colors[0]):
            return colors


def _recolored(graph: _LabelledGraph, colors: list[int], k: int, names: dict[Any, int]) -> list[int]:
    """Return colors in which the neurons of hidden layer k (from 0) are told apart by their neighbors.

    Colors of different layers stay different.
    """
    start, stop = graph.offsets[k], graph.offsets[k + 1]
    before = colors[graph.offsets[k - 1]:start] if k else []
    after = colors[stop:graph.offsets[k + 2]] if k + 2 < len(graph.offsets) else []
    out = list(colors)
    columns = list(zip(*graph.edges[k + 1])) if after else []
    for i in range(stop - start):
        row = tuple(sorted(zip(before, graph.edges[k][i]))) if before else ()
        column = tuple(sorted(zip(after, columns[i]))) if after else ()
        out[start + i] = names.setdefault((colors[start + i], row, column), k * _STRIDE + len(names))
    return out


def _renamed(colors: list[int], names: dict[Any, int]) -> list[int]:
    return [names.setdefault(color, len(names)) for color in colors]


def _smallest_cell(colors: list[int]) -> int | None:
    """Return the color of a smallest cell of more than one neuron; None when all neurons are told apart."""
    sizes: dict[int, int] = {}
    for color in colors:
        sizes[color] = sizes.get(color, 0) + 1
    shared = [(size, color) for color, size in sizes.items() if size > 1]
    return min(shared)[1] if shared else None


def _leaf_symmetry(first: _ScaledNetwork, second: _ScaledNetwork,
                   colors: tuple[list[int], list[int]]) -> TrivialSymmetry:
    """Return the only symmetry that can match two discrete colorings (up to neurons without any connection)."""
    widths = first[1].widths
    position = {color: vertex for vertex, color in enumerate(colors[0])}
    orders, start = [], 0
    for n in widths:
        orders.append(tuple(position[color] - start for color in colors[1][start:start + n]))
        start += n
    ones = tuple((Fraction(1),) * n for n in widths)
    moved = TrivialSymmetry(tuple(orders), ones)
    scales = _missing_scales(moved.act(first[0]), second[0], second[2])
    return second[1].inverse().compose(TrivialSymmetry(tuple(orders), scales)).compose(first[1])


def _missing_scales(a: Network, b: Network, known: tuple[tuple[bool, ...], ...]) -> tuple[tuple[Fraction, ...], ...]:
    """Return factors t with b = t . a, as far as weights between neurons without a scale determine them."""
    found: list[list[Fraction | None]] = [[Fraction(1) if done else None for done in flags] for flags in known]
    for k, flags in enumerate(known):
        for i in [i for i, done in enumerate(flags) if not done]:
            if found[k][i] is not None:
                continue
            found[k][i] = Fraction(1)
            stack = [(k, i)]
            while stack:
                layer, vertex = stack.pop()
                own = found[layer][vertex] or Fraction(1)
                if layer + 1 < len(found):
                    for j, (x, y) in enumerate(zip(_column(a, layer + 1, vertex), _column(b, layer + 1, vertex))):
                        if x and y and found[layer + 1][j] is None:
                            found[layer + 1][j] = abs(own * y / x)
                            stack.append((layer + 1, j))
                if layer:
                    for j, (x, y) in enumerate(zip(a.weights[layer][vertex], b.weights[layer][vertex])):
                        if x and y and found[layer - 1][j] is None:
                            found[layer - 1][j] = abs(own * x / y)
                            stack.append((layer - 1, j))
    return tuple(tuple(x if x is not None else Fraction(1) for x in flags) for flags in found)


def _column(network: Network, k: int, j: int) -> list[Fraction]:
    return [row[j] for row in network.weights[k]]
