"""The canonical form of a function with one hidden layer: f = sum over h of gamma_h ReLU(h(x)) + A x + a.

h runs through primitive integer rows (b, a_1, ..., a_d) with the first non-zero entry of (a_1, ..., a_d) positive, whose
hyperplanes meet int D, gamma_h is not 0.  A neuron with row e s h, s > 0, e = +-1, and outgoing column v contributes s v to
gamma_h, and s v h to -(A x + a) if e = -1, since ReLU(-t) = ReLU(t) - t; an active neuron contributes its affine form.
**Theorem.** Two such networks agree on D iff their forms are equal.  At a point of {h = 0} in int D on no other of the finitely
many hyperplanes the gradient jumps by gamma_h (x) a; so f determines every gamma_h, and what is left is affine on a set with
interior points.
Source: `docs/theory/shallow_fibers.md`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import gcd, lcm
from typing import Any

from exactrelu.arithmetic.rational import rational_vector
from exactrelu.errors import ShapeError
from exactrelu.fibers.shallow.ground import Ground, Kind, Row
from exactrelu.network.network import Network

Vector = tuple[Fraction, ...]
ZERO = Fraction(0)


@dataclass(frozen=True)
class ShallowForm:
    """A function gamma_h ReLU(h) + ... + A x + a, exact and hashable.

    Attributes:
        pieces: pairs (h, gamma_h), sorted by h, no gamma_h = 0.
        linear: A, one row an output.
        constant: a.
    """

    pieces: tuple[tuple[Row, Vector], ...]
    linear: tuple[Vector, ...]
    constant: Vector

    @property
    def inputs(self) -> int:
        """d."""
        return len(self.linear[0])

    @property
    def outputs(self) -> int:
        """m."""
        return len(self.constant)

    @property
    def visible(self) -> int:
        """Number K of visible hyperplanes."""
        return len(self.pieces)

    def __call__(self, point: Sequence[Any]) -> Vector:
        """Return the value at a point of D; exact."""
        x = rational_vector(point)
        total = [c + sum((a * y for a, y in zip(row, x)), ZERO) for row, c in zip(self.linear, self.constant)]
        for h, gamma in self.pieces:
            z = h[0] + sum((a * y for a, y in zip(h[1:], x)), ZERO)
            if z > 0:
                total = [s + z * g for s, g in zip(total, gamma)]
        return tuple(total)

    def minus(self, other: ShallowForm) -> ShallowForm:
        """Return the form of the difference."""
        table = dict(self.pieces)
        for h, gamma in other.pieces:
            table[h] = tuple(a - b for a, b in zip(table.get(h, (ZERO,) * len(gamma)), gamma))
        return ShallowForm(tuple(sorted((h, g) for h, g in table.items() if any(g))),
                           tuple(tuple(a - b for a, b in zip(r, s)) for r, s in zip(self.linear, other.linear)),
                           tuple(a - b for a, b in zip(self.constant, other.constant)))

    def to_json(self) -> dict[str, Any]:
        """Return the form as JSON: rationals as text."""
        return {"pieces": [[list(h), [str(x) for x in g]] for h, g in self.pieces],
                "linear": [[str(x) for x in row] for row in self.linear], "constant": [str(x) for x in self.constant]}


@dataclass(frozen=True)
class Oriented:
    """A neuron as (size * sign) times the row of its hyperplane.

    Attributes:
        row: primitive (b, a), normalized sign; the zero row for a neuron without weights and bias.
        size: s > 0.
        sign: 1 or -1.
    """

    row: Row
    size: Fraction
    sign: int


def oriented(weights: Sequence[Fraction], bias: Fraction) -> Oriented:
    """Return hyperplane, size and orientation of a neuron.

    >>> oriented([Fraction(-1, 2), Fraction(1)], Fraction(3, 2))
    Oriented(row=(-3, 1, -2), size=Fraction(1, 2), sign=-1)
    """
    bottoms = [bias.denominator, *[w.denominator for w in weights]]
    whole = [bias.numerator, *[w.numerator for w in weights]]
    scale = lcm(*set(bottoms))
    if scale != 1:
        whole = [n * (scale // q) for n, q in zip(whole, bottoms)]
    content = gcd(*whole)
    if not content:
        return Oriented(tuple(whole), Fraction(1), 1)
    lead = next((x for x in whole[1:] if x), whole[0])
    sign = 1 if lead > 0 else -1
    divisor = content * sign
    return Oriented(tuple(whole) if divisor == 1 else tuple([x // divisor for x in whole]), Fraction(content, scale), sign)


def weighted_sum(terms: Iterable[tuple[Fraction, Row]], length: int) -> list[Fraction]:
    """Return sum u h over pairs (u, h), integer additions grouped by the denominators of the u.

    >>> weighted_sum([(Fraction(1, 2), (1, 2)), (Fraction(3, 2), (1, 0))], 2)
    [Fraction(2, 1), Fraction(1, 1)]
    """
    buckets: dict[int, list[int]] = {}
    for u, row in terms:
        n = u.numerator
        if not n:
            continue
        bucket = buckets.get(u.denominator)
        if bucket is None:
            buckets[u.denominator] = [n * x for x in row]
        elif n == 1:
            buckets[u.denominator] = [a + x for a, x in zip(bucket, row)]
        else:
            buckets[u.denominator] = [a + n * x for a, x in zip(bucket, row)]
    parts = [[Fraction(x, q) for x in bucket] for q, bucket in buckets.items()]
    while len(parts) > 1:                                        # a balanced tree, so that long denominators meet only at its root
        parts = [[a + b for a, b in zip(*parts[i:i + 2])] if i + 1 < len(parts) else parts[i] for i in range(0, len(parts), 2)]
    return parts[0] if parts else [ZERO] * length


def require_shallow(network: Network) -> None:
    """Raise ShapeError unless there is exactly one hidden layer."""
    if network.architecture.hidden_layers != 1:
        raise ShapeError(f"a network with one hidden layer is needed, got {network.architecture}")


def shallow_form(network: Network, ground: Ground) -> ShallowForm:
    """Return the canonical form of a network with one hidden layer on a domain.

    Raises:
        ShapeError: another number of hidden layers, or of inputs.
    Exactness: rational.    Cost: O(N (d + m)) operations on short integers and a sort, besides the kinds of the neurons.

    >>> from exactrelu.polyhedra.domain import Domain
    >>> line = Ground(Domain.space(1))
    >>> shallow_form(Network([[[1], [-1]], [[1, -1]]], [[0, 0], [0]]), line)
    ShallowForm(pieces=(), linear=((Fraction(1, 1),),), constant=(Fraction(0, 1),))
    """
    require_shallow(network)
    if network.architecture.inputs != ground.dimension:
        raise ShapeError(f"the network has {network.architecture.inputs} inputs, the domain dimension {ground.dimension}")
    d, m = network.architecture.inputs, network.architecture.outputs
    gammas: dict[Row, list[Fraction]] = {}
    affine: list[list[tuple[Fraction, Row]]] = [[] for _ in range(m)]
    columns = zip(*network.weights[1])
    for weights, bias, column in zip(network.weights[0], network.biases[0], columns):
        found = oriented(weights, bias)
        row = found.row if found.sign > 0 else tuple([-x for x in found.row])
        kind = ground.kind(row)
        if kind is Kind.DEAD:
            continue
        jumps = [v * found.size for v in column] if found.size != 1 else list(column)
        if kind is Kind.ACTIVE or found.sign < 0:
            for terms, u in zip(affine, jumps):
                if u:
                    terms.append((u, row))
        if kind is Kind.CUTTING:
            known = gammas.get(found.row)
            gammas[found.row] = jumps if known is None else [a + b for a, b in zip(known, jumps)]
    sums = [weighted_sum(terms, d + 1) for terms in affine]
    return ShallowForm(tuple(sorted((h, tuple(g)) for h, g in gammas.items() if any(g))), tuple(tuple(s[1:]) for s in sums),
                       tuple(c + s[0] for c, s in zip(network.biases[1], sums)))
