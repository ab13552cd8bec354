"""Minimal and nevertheless not identifiable: always active neurons in the last hidden layer.

k neurons of layer L with rows M and biases beta that are active on the whole domain contribute C (M a + beta) to the output, a the
activations of layer L-1, C the k outgoing columns.  For G in GL_k and t in Q^k,

    (M, beta, C)  ->  (G M, G beta + t, C G^-1),    output bias -> output bias - C G^-1 t

leaves the function alone as long as G z + t >= 0 on the domain, z = M a + beta.  z is affine on every cell, so this is a finite
system of linear inequalities in (G, t), one for each vertex of the complex and each neuron, with det G != 0.

**Dimension, modulo scaling** (n = n_{L-1}, m = n_{L+1}).  With output biases f sees K = C M; without them [K | C beta].
If K has rank k <= min(n, m), the pairs with C M = K are one orbit of GL_k, of dimension k^2; the k shifts t and the k scalings
cancel: k^2.  If k > min(n, m) and K has full rank min(n, m), (C, M) -> C M is a submersion: k (m + n) - m n.  (For k strictly between
n and m this is more than one orbit: an orbit of GL_k then has dimension k^2 only.)  Without output biases
the shift is not free: beta is one more column of M, so n + 1 stands for n, and k scalings are subtracted: k^2 - k if
k <= min(n + 1, m), else k (m + n + 1) - m (n + 1) - k.
Source: paper A (linear blocks); the count depends on the convention about output biases.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import product
from typing import Any

from exactrelu.arithmetic.matrix import rank
from exactrelu.arithmetic.rational import primitive_integer
from exactrelu.certificates.verdict import Holds, Undecided, Verdict
from exactrelu.certification.witnesses.linear_combination import combination
from exactrelu.complexes.canonical_complex import CanonicalComplex
from exactrelu.errors import BudgetExceeded, PreconditionError, ShapeError
from exactrelu.identifiability.complex_dimension import complex_dimension
from exactrelu.network.forward import preactivations
from exactrelu.network.network import Network
from exactrelu.polyhedra.domain import Domain

Matrix = Sequence[Sequence[Fraction | int]]
ZERO = Fraction(0)
MOST_OUTSIDE = 14
"""Most neurons outside a block whose sets are all looked at."""


def orbit_dimension(n: int, k: int, m: int, *, output_biases: bool = True) -> int:
    """Return the dimension modulo scaling of the fiber of a block in general position.

    >>> [orbit_dimension(3, 1, 1), orbit_dimension(2, 2, 1), orbit_dimension(3, 3, 2), orbit_dimension(3, 2, 2)]
    [1, 4, 9, 4]
    >>> orbit_dimension(3, 2, 2, output_biases=False)
    2
    """
    if output_biases:
        return k * k if k <= min(n, m) else k * (m + n) - m * n
    return k * k - k if k <= min(n + 1, m) else k * (m + n + 1) - m * (n + 1) - k


@dataclass(frozen=True, eq=False)
class LinearBlock:
    """The always active neurons of the last hidden layer of a network on a bounded domain.

    Attributes:
        complex: of the network; every vertex is looked at.
        neurons: their places in the last hidden layer.
    """

    complex: CanonicalComplex
    neurons: tuple[int, ...]

    @classmethod
    def of(cls, network: Network, domain: Domain) -> LinearBlock:
        """Find all neurons of the last hidden layer that are positive on the whole domain.

        Raises:
            PreconditionError: there is none, no hidden layer, or the domain is unbounded.
        """
        complex_ = CanonicalComplex.build(network, domain)
        if not network.architecture.hidden_layers:
            raise PreconditionError("the network has no hidden layer", network.architecture)
        if complex_.lineality_dimension or not complex_.bounded.all():
            raise PreconditionError("a linear block needs a bounded domain", domain)
        layer = network.architecture.hidden_layers
        values = [preactivations(network, v)[layer - 1] for v in _vertices(complex_)]
        found = tuple(i for i in range(network.architecture.widths[layer]) if all(z[i] > 0 for z in values))
        if not found:
            raise PreconditionError("no neuron of the last hidden layer is positive on the whole domain", network.architecture)
        return cls(complex_, found)

    @property
    def network(self) -> Network:
        """The network with G = 1, t = 0."""
        return self.complex.network

    @cached_property
    def values(self) -> tuple[tuple[Fraction, ...], ...]:
        """The different z = M a + beta at the vertices of the complex."""
        layer = self.network.architecture.hidden_layers
        found = (preactivations(self.network, v)[layer - 1] for v in _vertices(self.complex))
        return tuple(dict.fromkeys(tuple(z[i] for i in self.neurons) for z in found))

    def admissible(self, g: Matrix, t: Sequence[Fraction | int]) -> bool:
        """Whether (G, t) keeps the block active: G z + t >= 0 at every vertex, and det G != 0.  Exact."""
        k = len(self.neurons)
        if len(g) != k or any(len(row) != k for row in g) or len(t) != k:
            raise ShapeError(f"G is a {k} x {k} matrix and t has {k} entries")
        if rank([_integers(row) for row in g], k) < k:
            return False
        return all(sum((Fraction(a) * z for a, z in zip(row, value)), Fraction(s)) >= 0 for value in self.values for row, s in zip(g, t))

    def inequalities(self) -> list[str]:
        """Return the admissible set as text: one linear inequality for each different vertex value and neuron."""
        k = len(self.neurons)
        lines = []
        for i in range(1, k + 1):
            for value in self.values:
                terms = [f"{z} g_{i}_{j}" for j, z in enumerate(value, 1)]
                lines.append(" + ".join([*terms, f"t_{i} >= 0"]))
        return [*lines, "det(g_i_j) != 0"]

    def act(self, g: Matrix, t: Sequence[Fraction | int]) -> Network:
        """Return the parameter at (G, t), which has the same function on the domain.

        Raises:
            PreconditionError: (G, t) is not admissible.
        """
        if not self.admissible(g, t):
            raise PreconditionError("(G, t) is not admissible: det G = 0, or the block is not active on the whole domain", (g, t))
        network, layer, k = self.network, self.network.architecture.hidden_layers, len(self.neurons)
        rows, biases = [list(r) for r in network.weights[layer - 1]], list(network.biases[layer - 1])
        inverse = _inverse([[Fraction(x) for x in row] for row in g])
        old = [(network.weights[layer - 1][i], network.biases[layer - 1][i]) for i in self.neurons]
        for i, row, s in zip(self.neurons, g, t):
            rows[i] = [sum((Fraction(a) * r[j] for a, (r, _) in zip(row, old)), ZERO) for j in range(len(rows[i]))]
            biases[i] = sum((Fraction(a) * b for a, (_, b) in zip(row, old)), Fraction(s))
        output, constants = [list(r) for r in network.weights[layer]], list(network.biases[layer])
        for q, out in enumerate(network.weights[layer]):
            mixed = [sum((out[i] * inverse[p][j] for p, i in enumerate(self.neurons)), ZERO) for j in range(k)]
            for i, c in zip(self.neurons, mixed):
                output[q][i] = c
            constants[q] -= sum((c * Fraction(s) for c, s in zip(mixed, t)), ZERO)
        return network.replaced(layer, rows, biases).replaced(layer + 1, output, constants)

    def contains(self, other: Network) -> bool:
        """Whether another parameter differs from the network in this block only and the block contributes the same, exactly.

        That is: all other weights are equal, C'M' = C M, C'beta' + b' = C beta + b, and M'a + beta' >= 0 at every vertex.  These are
        polynomial equations and linear inequalities; they imply f' = f on the domain, since both blocks are affine in a there.
        """
        network, layer = self.network, self.network.architecture.hidden_layers
        if other.architecture != network.architecture:
            return False
        if other.weights[:layer - 1] != network.weights[:layer - 1] or other.biases[:layer - 1] != network.biases[:layer - 1]:
            return False
        for i in range(network.architecture.widths[layer]):
            if i not in self.neurons and (_row(network, layer, i) != _row(other, layer, i)
                                          or [w[i] for w in network.weights[layer]] != [w[i] for w in other.weights[layer]]):
                return False
        if self._contribution(network) != self._contribution(other):
            return False
        rows = [_row(other, layer, i) for i in self.neurons]
        return all(sum((w * a for w, a in zip(row, (*before, Fraction(1)))), ZERO) >= 0 for before in self._before for row in rows)

    def coordinates(self, other: Network) -> tuple[tuple[tuple[Fraction, ...], ...], tuple[Fraction, ...]] | None:
        """Return the (G, t) with act(G, t) = other, or None.

        Where the rows of M are independent G is unique, and if C M has rank k every parameter of `contains` has coordinates.
        Raises:
            PreconditionError: the rows of M are dependent.
        """
        if not self.contains(other):
            return None
        layer = self.network.architecture.hidden_layers
        old = [_row(self.network, layer, i) for i in self.neurons]
        if rank([_integers(row[:-1]) for row in old], len(old[0]) - 1) < len(old):
            raise PreconditionError("the rows of the block are dependent, so they have no unique coordinates", self.neurons)
        g, t = [], []
        for i in self.neurons:
            *weights, bias = _row(other, layer, i)
            found = combination([row[:-1] for row in old], weights)
            if found is None:
                return None
            g.append(tuple(found))
            t.append(bias - sum((x * row[-1] for x, row in zip(found, old)), ZERO))
        return (tuple(g), tuple(t)) if self.admissible(g, t) and self.act(g, t) == other else None

    @cached_property
    def _before(self) -> tuple[tuple[Fraction, ...], ...]:
        """The different activations of layer L - 1 (the inputs, for L = 1) at the vertices of the complex."""
        layer = self.network.architecture.hidden_layers
        if layer == 1:
            return tuple(_vertices(self.complex))
        found = (preactivations(self.network, v)[layer - 2] for v in _vertices(self.complex))
        return tuple(dict.fromkeys(tuple(max(z, ZERO) for z in values) for values in found))

    def _contribution(self, network: Network) -> list[list[Fraction]]:
        """Rows of [C M | C beta + b]."""
        layer = network.architecture.hidden_layers
        rows = [_row(network, layer, i) for i in self.neurons]
        out = []
        for weights, constant in zip(network.weights[layer], network.biases[layer]):
            total = [sum((weights[i] * row[j] for i, row in zip(self.neurons, rows)), ZERO) for j in range(len(rows[0]))]
            out.append([*total[:-1], total[-1] + constant])
        return out

    def product_rank(self, flipped: Sequence[int] = ()) -> int:
        """Rank of K_T = C M + sum over the other neurons v in T of W_v M_v: what reversing T leaves to the block."""
        layer = self.network.architecture.hidden_layers
        rows, output = self.network.weights[layer - 1], self.network.weights[layer]
        chosen = (*self.neurons, *flipped)
        table = [[sum((out[i] * rows[i][j] for i in chosen), ZERO) for j in range(len(rows[0]))] for out in output]
        return rank([_integers(row) for row in table], len(rows[0]))

    def minimal_rank(self) -> int:
        """Smallest rank of K_T over all sets T of neurons of the layer outside the block.

        Raises:
            BudgetExceeded: there are more than 2^`MOST_OUTSIDE` sets.
        """
        layer = self.network.architecture.hidden_layers
        others = [i for i in range(self.network.architecture.widths[layer]) if i not in self.neurons]
        if len(others) > MOST_OUTSIDE:
            raise BudgetExceeded(f"{len(others)} neurons outside the block have more than 2^{MOST_OUTSIDE} sets")
        choices = product((False, True), repeat=len(others))
        return min(self.product_rank([i for i, f in zip(others, chosen) if f]) for chosen in choices)

    def dimension_jump(self) -> Verdict:
        """Whether almost every parameter near this one is in no strict subarchitecture of its depth, by counting dimensions.

        If the functional dimension here is at least N - H - o, o the dimension of the fiber of a block in general position, the
        functions near this one have that dimension, and those of a subarchitecture at most N - H - (n_{l-1} + n_{l+1}), l the layer that
        lost a neuron.  Blocks stay active near this parameter, as P is bounded.
        """
        network, k = self.network, len(self.neurons)
        widths = network.architecture.widths
        orbit = orbit_dimension(widths[-3], k, widths[-1])
        drop = min(widths[layer - 1] + widths[layer + 1] for layer in range(1, len(widths) - 1))
        if drop <= orbit:
            return Undecided(f"removing a neuron lowers the dimension by {drop} only, not by more than {orbit}")
        found = complex_dimension(self.complex).lower
        if found < network.architecture.expected_dimension - orbit:
            return Undecided(f"the functional dimension is not known to be more than {found}, too little for a block in general position")
        return Holds(detail={"drop": drop, "orbit": orbit})

    def to_json(self) -> dict[str, Any]:
        """Return neurons, dimensions and the admissible set."""
        widths, k = self.network.architecture.widths, len(self.neurons)
        return {"neurons": [[len(widths) - 2, i] for i in self.neurons], "size": k,
                "dimension_modulo_scaling": orbit_dimension(widths[-3], k, widths[-1]),
                "without_output_biases": orbit_dimension(widths[-3], k, widths[-1], output_biases=False),
                "admissible": self.inequalities()}


def _row(network: Network, layer: int, index: int) -> tuple[Fraction, ...]:
    """Weights and bias of a neuron."""
    return (*network.weights[layer - 1][index], network.biases[layer - 1][index])


def _integers(row: Sequence[Fraction | int]) -> tuple[int, ...]:
    """A positive multiple with integer entries; zero rows too."""
    return primitive_integer([Fraction(x) for x in row]) if any(row) else (0,) * len(row)


def _vertices(complex_: CanonicalComplex) -> list[tuple[Fraction, ...]]:
    return list(dict.fromkeys(tuple(v) for i in range(complex_.full_cells) for v in complex_.full_cell(i).vertices))


def _inverse(g: list[list[Fraction]]) -> list[list[Fraction]]:
    """Inverse of an invertible matrix by Gauss-Jordan elimination."""
    k = len(g)
    table = [[*row, *(Fraction(int(i == j)) for j in range(k))] for i, row in enumerate(g)]
    for c in range(k):
        pivot = next(i for i in range(c, k) if table[i][c])
        table[c], table[pivot] = table[pivot], table[c]
        table[c] = [x / table[c][c] for x in table[c]]
        for i in range(k):
            if i != c and table[i][c]:
                table[i] = [x - table[i][c] * y for x, y in zip(table[i], table[c])]
    return [row[k:] for row in table]
