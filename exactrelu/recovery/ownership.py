"""Ownership: which neuron of a layer makes which visible hyperplane in which cell, and the rows this leaves.

The layers before are known.  On a cell (a convex region where they are affine) an item (cell, h) says that some neuron u of
the layer has, on the cell, a preactivation w.a + b proportional to h and not 0.  That is linear in (b, w): the row annihilates
the vectors (1, a)(n) for n in the kernel of h.  Different hyperplanes of one cell have different owners.  Depth-first search
with the kernels K_u of all conditions of an owner; a branch ends when K_u is 0, or all of K_u makes an owned item 0.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np

from exactrelu.arithmetic.matrix import kernel
from exactrelu.arithmetic.rational import primitive_integer
from exactrelu.complexes.integer_arrays import exact_product

Array = np.ndarray
Row = tuple[int, ...]
Basis = tuple[Row, ...]


@dataclass(frozen=True, eq=False)
class Item:
    """A hyperplane seen in a cell.

    Attributes:
        cell: number of the cell.
        hyperplane: number of the hyperplane.
        conditions: rows over (b, w) that must vanish.
        forms: matrix (d + 1, 1 + n) that takes (b, w) to the row w.a + b on the cell.
    """

    cell: int
    hyperplane: int
    conditions: Array
    forms: Array


def item(cell: int, number: int, hyperplane: Row, activations: Sequence[Row]) -> Item:
    """Return the item of a hyperplane in a cell on which the neurons of the layer before have these affine activations.

    >>> found = item(0, 0, (0, 1, 0), [(1, 1, 1), (0, 0, 0)])
    >>> kernel(found.conditions.tolist(), 3)
    [(0, 0, 1)]
    """
    size = len(hyperplane)
    one = [1] + [0] * (size - 1)
    forms = np.array([one, *map(list, activations)], dtype=object).T
    null = np.array(kernel([list(hyperplane)], size), dtype=object).reshape(size - 1, size)
    return Item(cell, number, np.dot(null, forms), forms)


@dataclass(eq=False)
class Ownership:
    """The search over owners of items, for one layer of n neurons in coordinates (1, a) of `size` entries.

    Attributes:
        items: in the order of treatment.
        owners: number n of neurons.
        size: 1 + width of the layer before.
        step: called at every node; may raise to stop.
        spare: for every cell how many items a later layer may own (0 if there is none).
        own: whether a neuron of this layer may own the item.
    """

    items: Sequence[Item]
    owners: int
    size: int
    step: Callable[[], None]
    spare: dict[int, int] = field(default_factory=dict)
    own: Sequence[bool] | None = None
    _kernels: dict[tuple[int, ...], Basis | None] = field(default_factory=dict)

    def kernel_of(self, owned: tuple[int, ...]) -> Basis | None:
        """The rows that own these items (numbers, increasing), as a basis; None if there are none with all items non-zero."""
        if owned not in self._kernels:
            before = self.kernel_of(owned[:-1]) if owned else tuple(
                tuple(int(i == j) for j in range(self.size)) for i in range(self.size))
            self._kernels[owned] = self._cut(before, owned) if owned and before is not None else before
        return self._kernels[owned]

    def _cut(self, before: Basis, owned: tuple[int, ...]) -> Basis | None:
        table = np.array(before, dtype=object)
        conditions = exact_product(self.items[owned[-1]].conditions, table.T)
        combinations = kernel(conditions.tolist(), len(before))
        if not combinations:
            return None
        found = exact_product(np.array(combinations, dtype=object), table)
        if any(not exact_product(self.items[k].forms, found.T).any() for k in owned):
            return None
        return tuple(primitive_integer(v) for v in found.tolist())

    def leaves(self) -> Iterator[tuple[list[Basis], list[int]]]:
        """Yield (kernels of all neurons, items left to later layers) for all ways to distribute the items.

        Neurons without items are interchangeable, so a new one is tried once.
        """
        empty: tuple[tuple[int, ...], ...] = ((),) * self.owners
        stack: list[tuple[int, tuple[tuple[int, ...], ...], tuple[int, ...]]] = [(0, empty, ())]
        while stack:
            at, owned, later = stack.pop()
            self.step()
            if at == len(self.items):
                kernels = [self.kernel_of(mine) for mine in owned]
                yield [k for k in kernels if k is not None], list(later)
                continue
            cell = self.items[at].cell
            if sum(self.items[k].cell == cell for k in later) < self.spare.get(cell, 0):
                stack.append((at + 1, owned, (*later, at)))
            if self.own is not None and not self.own[at]:
                continue
            for u in range(self.owners - 1, -1, -1):
                if u and not owned[u] and not owned[u - 1]:
                    continue
                if any(self.items[k].cell == cell for k in owned[u]):
                    continue
                mine = (*owned[u], at)
                if self.kernel_of(mine) is not None:
                    stack.append((at + 1, (*owned[:u], mine, *owned[u + 1:]), later))
