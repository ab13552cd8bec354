"""The canonical form of a parameter modulo trivial symmetry, and its hash.

Layer by layer, every row (w, b) of a hidden layer is multiplied by the positive c that makes it a primitive integer
vector, the column it feeds is divided by c, and the neurons are sorted by (w, b).  Without zero rows the scalings
act freely and each orbit meets "all rows primitive" exactly once (induction on the layer), so forms are equal iff
the parameters are equivalent.  Neurons with equal rows (twins) are ordered so that the following layers become
lexicographically smallest; the search for that order is exhaustive up to a cap.
The hash is SHA-256 of the compact JSON ``[{"W":[[...]],"b":[...]},...]``, entries integers or ``"p/q"``.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import gcd, lcm
from typing import Any

from exactrelu.network.architecture import Neuron
from exactrelu.network.network import Network, Row
from exactrelu.network.trivial_symmetry import TrivialSymmetry

MAX_ARRANGEMENTS = 5040
"""Most arrangements of twin neurons held at one time."""
MAX_BITS = 200_000
"""Longest integer of a canonical form."""

Vector = tuple[Any, ...]
Cells = tuple[tuple[int, ...], ...]


@dataclass(frozen=True)
class CanonicalForm:
    """The canonical representative of a parameter.

    Attributes:
        network: the representative.
        symmetry: maps the given network to the representative.
    """

    network: Network
    symmetry: TrivialSymmetry

    @cached_property
    def layers(self) -> list[dict[str, Any]]:
        """The representative as it is hashed: ``{"W": rows, "b": bias}`` a layer, integers or ``"p/q"``."""
        return [{"W": [[_plain(x) for x in row] for row in rows], "b": [_plain(x) for x in bias]}
                for rows, bias in zip(self.network.weights, self.network.biases)]

    @cached_property
    def sha256(self) -> str:
        """Hash that equivalent parameters share, and only they."""
        return hashlib.sha256(json.dumps(self.layers, separators=(",", ":")).encode("ascii")).hexdigest()


@dataclass(frozen=True)
class NoCanonicalForm:
    """There is no canonical form, or none within the limits, and why.

    Attributes:
        kind: ``degenerate`` (a zero row), ``twins`` (too many arrangements) or ``size`` (integers too long).
        neuron: the neuron with the zero row, for ``degenerate``.
    """

    kind: str
    reason: str
    neuron: Neuron | None = None


def _plain(value: Fraction) -> int | str:
    return value.numerator if value.denominator == 1 else str(value)


def canonical_form(network: Network, max_arrangements: int = MAX_ARRANGEMENTS,
                   max_bits: int = MAX_BITS) -> CanonicalForm | NoCanonicalForm:
    """Return the canonical form of a parameter, or why there is none.

    A neuron with zero weights and zero bias has no canonical scale (its outgoing column is free), so such a
    parameter has no canonical form.

    Cost: O(N) integer operations and a sort a layer; twins multiply that by the arrangements that stay in question.

    >>> form = canonical_form(Network([[["1/2"], [-3]], [[1, 1]]], [[1, 0], [0]]))
    >>> form.network.weights, form.network.biases[0]
    ((((Fraction(-1, 1),), (Fraction(1, 1),)), ((Fraction(3, 1), Fraction(1, 2)),)), (Fraction(0, 1), Fraction(2, 1)))
    >>> canonical_form(Network([[[0]], [[1]]], [[0], [0]])).neuron
    Neuron(layer=1, index=0)
    """
    inputs = network.architecture.inputs
    arrangements = [_Arrangement(tuple((j,) for j in range(inputs)), ())]
    columns = [Fraction(1)] * inputs
    scales: list[tuple[Fraction, ...]] = []
    last = len(network.weights) - 1
    for k, (rows, bias) in enumerate(zip(network.weights, network.biases)):
        moved = [tuple(w / c if w else w for w, c in zip(row, columns)) for row in rows]
        if k == last:
            vectors: list[Vector] = [(*row, b) for row, b in zip(moved, bias)]
            arrangements = _output_arrangements(arrangements, vectors)
            break
        vectors, factors = [], []
        for i, (row, b) in enumerate(zip(moved, bias)):
            if not b and not any(row):
                neuron = Neuron(k + 1, i)
                return NoCanonicalForm("degenerate", f"neuron {neuron} has zero weights and zero bias", neuron)
            primitive = _primitive((*row, b), max_bits)
            if primitive is None:
                return NoCanonicalForm("size", f"the primitive row of neuron {Neuron(k + 1, i)} has integers of more "
                                               f"than {max_bits} bits")
            vectors.append(primitive[0])
            factors.append(primitive[1])
        found = _hidden_arrangements(arrangements, vectors, max_arrangements)
        if found is None:
            return NoCanonicalForm("twins", f"layer {k + 1}: more than {max_arrangements} orders of equal neurons")
        arrangements, columns = found, factors
        scales.append(tuple(factors))
    orders = arrangements[0].orders[1:]
    symmetry = TrivialSymmetry(orders, tuple(tuple(s[i] for i in p) for p, s in zip(orders, scales)))
    return CanonicalForm(symmetry.act(network), symmetry)


def _primitive(row: Row, max_bits: int) -> tuple[tuple[int, ...], Fraction] | None:
    """Return the primitive integer vector c * row and c > 0; None when it takes more than `max_bits` bits."""
    scale = 1
    for x in row:
        if x.denominator != 1:
            scale = lcm(scale, x.denominator)
            if scale.bit_length() > 4 * max_bits:
                return None
    whole = [x.numerator * (scale // x.denominator) for x in row]
    content = gcd(*whole)
    primitive = tuple(x // content for x in whole)
    if max(abs(x) for x in primitive).bit_length() > max_bits:
        return None
    return primitive, Fraction(scale, content)


@dataclass(frozen=True)
class _Arrangement:
    """A partial order of the neurons: settled up to the twins of the latest layer.

    Attributes:
        cells: the latest layer in order, twins together.
        orders: the settled orders of the layers before, the inputs first.
    """

    cells: Cells
    orders: tuple[tuple[int, ...], ...]


def _refined(cells: Cells, vector: Vector) -> Cells:
    """Return the cells split by the entries of a row, smaller entries first."""
    if all(len(cell) == 1 for cell in cells):
        return cells
    out: list[tuple[int, ...]] = []
    for cell in cells:
        if len(cell) == 1:
            out.append(cell)
            continue
        by_value: dict[Any, list[int]] = {}
        for j in cell:
            by_value.setdefault(vector[j], []).append(j)
        out.extend(tuple(by_value[value]) for value in sorted(by_value))
    return tuple(out)


def _smallest(cells: Cells, vector: Vector) -> Vector:
    """Return the smallest row (w, b) over all arrangements of the columns within their cells."""
    out: list[Any] = []
    for cell in cells:
        if len(cell) == 1:
            out.append(vector[cell[0]])
        else:
            out.extend(sorted(vector[j] for j in cell))
    out.append(vector[-1])
    return tuple(out)


def _flat(cells: Cells) -> tuple[int, ...]:
    return tuple(j for cell in cells for j in cell)


@dataclass
class _Search:
    """One way to put the rows of a layer in order, row group by row group."""

    columns: Cells
    chosen: tuple[tuple[int, ...], ...]
    queue: list[tuple[Vector, tuple[int, ...]]]
    orders: tuple[tuple[int, ...], ...]


def _queue(columns: Cells, groups: list[tuple[Vector, tuple[int, ...]]]) -> list[tuple[Vector, tuple[int, ...]]]:
    """Return (smallest row, members) of the remaining row groups, the smallest last."""
    keyed = [(_smallest(columns, vector), members) for vector, members in groups]
    return sorted(keyed, key=lambda item: item[0], reverse=True)


def _hidden_arrangements(before: list[_Arrangement], vectors: list[Vector], cap: int) -> list[_Arrangement] | None:
    """Return all arrangements that make the sorted rows of a hidden layer lexicographically smallest.

    Rows are settled one group of twins at a time, in all arrangements at once: among all arrangements and all rows
    the smallest possible next row is taken, and only the arrangements that attain it stay.
    """
    members: dict[Vector, list[int]] = {}
    for i, vector in enumerate(vectors):
        members.setdefault(vector, []).append(i)
    groups = [(vector, tuple(found)) for vector, found in members.items()]
    searches = [_Search(a.cells, (), _queue(a.cells, groups), a.orders) for a in before]
    for _ in range(len(groups)):
        best = min(search.queue[-1][0] for search in searches)
        following: dict[tuple[Cells, Cells], _Search] = {}
        for search in searches:
            for rank in range(len(search.queue) - 1, -1, -1):
                key, group = search.queue[rank]
                if key != best:
                    break
                new = _extended(search, rank, group, vectors)
                following.setdefault((new.columns, new.chosen), new)
                if len(following) > cap:
                    return None
        searches = list(following.values())
    states: dict[Cells, _Arrangement] = {}
    for search in searches:
        states.setdefault(search.chosen, _Arrangement(search.chosen, _settled(search.orders, search.columns)))
    return list(states.values())


def _extended(search: _Search, rank: int, group: tuple[int, ...], vectors: list[Vector]) -> _Search:
    columns = _refined(search.columns, vectors[group[0]])
    rest = search.queue[:rank] + search.queue[rank + 1:]
    if columns != search.columns:
        rest = _queue(columns, [(vectors[found[0]], found) for _, found in rest])
    return _Search(columns, (*search.chosen, group), rest, search.orders)


def _settled(orders: tuple[tuple[int, ...], ...], columns: Cells) -> tuple[tuple[int, ...], ...]:
    """Return the orders with that of the layer before appended (columns left together are equal throughout)."""
    return (*orders, _flat(columns))


def _output_arrangements(before: list[_Arrangement], vectors: list[Vector]) -> list[_Arrangement]:
    """Return one arrangement that makes the output rows, which keep their order, smallest."""
    best: tuple[tuple[Vector, ...], _Arrangement] | None = None
    for arrangement in before:
        cells = arrangement.cells
        rows = []
        for vector in vectors:
            rows.append(_smallest(cells, vector))
            cells = _refined(cells, vector)
        if best is None or tuple(rows) < best[0]:
            best = tuple(rows), _Arrangement(cells, _settled(arrangement.orders, cells))
    if best is None:
        return before
    return [best[1]]
