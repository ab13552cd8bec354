"""Functional dimension from a complete complex: the rank of the Jacobian over all strict full cells.

Lower bound: pivot rows found modulo a prime (a rank modulo a prime never exceeds the rank over Q).  N - H is an upper
bound as soon as a strict cell exists (the scaling vectors are independent and in the kernel), so rank N - H is final
and certifies local identifiability.  Otherwise the kernel of the pivot rows is computed over Q and tested against all
rows modulo primes whose product exceeds twice every possible entry: if it passes, the rank is exact.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np

from exactrelu.arithmetic.matrix import PRIME, independent_rows_modulo, kernel, kernel_modulo, rank_modulo
from exactrelu.arithmetic.rational import homogeneous_point, point_text, rational_text
from exactrelu.arithmetic.residues import balanced, enough_primes, modular_product, primes, residues
from exactrelu.certificates.certificate import Certificate
from exactrelu.complexes.canonical_complex import CanonicalComplex
from exactrelu.complexes.split_tree import split_tree
from exactrelu.identifiability.jacobian import JacobianResidues, exact_jacobian, strict_cells
from exactrelu.limits import Limits, Meter

Array = np.ndarray
MAX_ENTRIES = 2_000_000
"""Entries of the Jacobian held at one time."""
NEW_ROWS = 400
"""Rows that enter one elimination at most."""
KERNEL_PARAMETERS = 400
"""The exact kernel is computed for at most this many parameters."""


@dataclass(frozen=True, eq=False)
class ComplexDimension:
    """Rank of the Jacobian over the strict cells of a complete complex.

    Attributes:
        lower: certified lower bound (rank modulo a prime).
        pivots: pairs (full cell, row within the cell) whose rows have rank `lower`.
    """

    complex: CanonicalComplex
    lower: int
    pivots: tuple[tuple[int, int], ...]

    @cached_property
    def strict(self) -> int:
        """Number of strict full cells."""
        return len(strict_cells(self.complex))

    @property
    def proof_size(self) -> int:
        """Multiplications to check that kernel vectors are killed on all cells."""
        parameters = self.complex.network.parameters
        return (parameters - self.lower) * self.strict_rows * parameters

    @property
    def strict_rows(self) -> int:
        """Number of rows of the Jacobian."""
        a = self.complex.network.architecture
        return self.strict * a.outputs * (a.inputs + 1)

    @property
    def expected(self) -> int:
        """N - H."""
        return self.complex.network.architecture.expected_dimension

    @cached_property
    def kernel_vectors(self) -> list[tuple[int, ...]] | None:
        """Basis of the kernel of all rows over Q (integral form), if it has dimension N - lower; None if not known."""
        parameters = self.complex.network.parameters
        if parameters > KERNEL_PARAMETERS:
            return None
        rows = [exact_jacobian(self.complex, cell)[row] for cell, row in self.pivots]
        basis = kernel(rows, parameters)
        if len(basis) != parameters - self.lower:
            return None
        return basis if _kills_all(self.complex, basis) else None

    @cached_property
    def upper(self) -> int:
        """Certified upper bound: `lower` if the kernel is confirmed on all cells, else N - H."""
        if self.lower == self.expected or self.kernel_vectors is None:
            return self.expected
        return self.lower

    def _by_cell(self) -> dict[int, list[int]]:
        out: dict[int, list[int]] = {}
        for cell, row in self.pivots:
            out.setdefault(cell, []).append(row)
        return out

    def _sample(self) -> dict[str, Any]:
        top = self.complex.fan.dimension
        by_cell = self._by_cell()
        points = [point_text(homogeneous_point(self.complex.point_of(top, cell))) for cell in by_cell]
        return {"points": points, "rows": list(by_cell.values())}

    def certificate(self) -> Certificate:
        """Return the certificate of the lower bound; it says "locally identifiable" when the bound is N - H."""
        shared = {"network": self.complex.network.claim(), "domain": self.complex.domain.claim()}
        if self.lower == self.expected:
            return Certificate({"kind": "locally-identifiable", **shared}, self._sample)
        return Certificate({"kind": "dimension-at-least", **shared, "dimension": self.lower}, self._sample)

    def upper_certificate(self, limits: Limits | None = None) -> Certificate | None:
        """Return the certificate of an upper bound below N - H: kernel vectors and a split tree."""
        if self.upper == self.expected or self.kernel_vectors is None:
            return None

        def evidence() -> dict[str, Any]:
            tree = split_tree([self.complex.network], self.complex.domain, limits)
            return {"kernel": [[rational_text(x) for x in v] for v in self._kernel_of_network()], "tree": tree.text}

        shared = {"network": self.complex.network.claim(), "domain": self.complex.domain.claim()}
        return Certificate({"kind": "dimension-at-most", **shared, "dimension": self.lower}, evidence)

    def _kernel_of_network(self) -> list[list[Any]]:
        """Kernel vectors for the network's own parameters: the integral form is a diagonal change of coordinates."""
        form, network = self.complex.form, self.complex.network.architecture
        out = []
        for vector in self.kernel_vectors or []:
            entries, at = [], 0
            before: tuple[int, ...] = (1,) * network.inputs
            for level, layer in enumerate(form.rows):
                scales = form.scales[level] if level < len(form.scales) else (form.denominator,) * len(layer)
                for s in scales:
                    for b in (*before, 1):
                        entries.append(Fraction(vector[at] * b, s))
                        at += 1
                before = scales
            out.append(entries)
        return out


def complex_dimension(complex_: CanonicalComplex, limits: Limits | None = None) -> ComplexDimension:
    """Return the rank of the Jacobian over all strict cells, with pivot rows.

    Cost: chunks of rows, each one elimination modulo a prime; ends as soon as N - H is reached.

    >>> from exactrelu.network.network import Network
    >>> complex_dimension(CanonicalComplex.build(Network([[[1, 2]], [[1]]], [[1], [0]]))).lower
    4
    """
    meter = Meter(limits)
    prime = primes(1)[0]
    source = JacobianResidues(complex_, prime)
    architecture = complex_.network.architecture
    per_cell = architecture.outputs * (architecture.inputs + 1)
    cells = strict_cells(complex_)
    chunk = max(1, min(256, MAX_ENTRIES // (per_cell * architecture.parameters) + 1))
    pivots: list[tuple[int, int]] = []
    kernel_basis = np.eye(architecture.parameters)
    for s in range(0, len(cells), chunk):
        meter.tick()
        part = cells[s:s + chunk]
        rows = source.rows(part)
        while True:
            # a row is independent of the pivots (modulo the prime) iff it does not vanish on their common kernel
            values = modular_product(rows, kernel_basis, prime)
            fresh = np.flatnonzero(values.any(axis=1))[:NEW_ROWS]
            if not len(fresh):
                break
            chosen, kernel_basis = _reduced(values[fresh], kernel_basis, prime)
            pivots += [(int(part[i // per_cell]), int(i % per_cell)) for i in fresh[chosen].tolist()]
            if len(pivots) == architecture.expected_dimension:
                return ComplexDimension(complex_, _confirmed(complex_, pivots), tuple(pivots))
    return ComplexDimension(complex_, _confirmed(complex_, pivots), tuple(pivots))


def _reduced(values: Array, kernel_basis: Array, prime: int) -> tuple[list[int], Array]:
    """Independent rows of `values` = rows @ kernel_basis, and a basis of the part of the kernel on which they vanish."""
    flat = np.mod(values, prime).astype(np.int64).tolist()
    chosen = independent_rows_modulo(flat, prime)
    table = kernel_modulo([flat[i] for i in chosen], prime)
    vectors = np.array(table, dtype=float).reshape(len(table), values.shape[1]).T
    return chosen, modular_product(kernel_basis, balanced(vectors, prime), prime)


def _confirmed(complex_: CanonicalComplex, pivots: list[tuple[int, int]]) -> int:
    """Rank of the pivot rows modulo 2^61 - 1, the prime of the checker."""
    rows, last, table = [], -1, []
    for cell, row in pivots:
        if cell != last:
            last, table = cell, exact_jacobian(complex_, cell)
        rows.append(table[row])
    return rank_modulo(rows, complex_.network.parameters, PRIME)


def _kills_all(complex_: CanonicalComplex, basis: list[tuple[int, ...]]) -> bool:
    """Whether every Jacobian row of every strict cell vanishes on the vectors (exact, by residues)."""
    if not basis:
        return True
    cells = strict_cells(complex_)
    norm = max(sum(map(abs, v)) for v in basis)
    total = 1
    for layer in complex_.form.rows:
        total *= max(1, max(sum(map(abs, row)) for row in layer))
    bits = 2 * total.bit_length() + norm.bit_length() + 2       # an entry is a path weight times a coefficient
    for prime in enough_primes(bits):
        source = JacobianResidues(complex_, prime)
        columns = residues(basis, prime).T
        for s in range(0, len(cells), 256):
            if modular_product(source.rows(cells[s:s + 256]), columns, prime).any():
                return False
    return True
