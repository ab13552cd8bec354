"""All polynomial conservation laws up to a degree, by exact linear algebra.

Under gradient flow of any differentiable loss on data in cells with the given patterns, theta moves in the span W of the
gradients of the coefficients c of f, and by single samples every direction of W occurs.  So h is conserved iff
<grad h, grad c> = 0 for every c, as polynomials (an identity on an open set).  For unknown coefficients of h this is a
linear system over Q, without sampling.  Source: Marcotte, Gribonval and Peyre, arXiv 2307.00144 (the criterion).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from itertools import combinations_with_replacement
from random import Random

import flint

from exactrelu.arithmetic.matrix import PRIME, independent_rows_modulo, kernel
from exactrelu.errors import BudgetExceeded
from exactrelu.fibers.conservation.pattern_maps import PatternMaps

Exponents = tuple[int, ...]
Law = dict[Exponents, int]
"""A polynomial with integer coefficients, by exponents."""
MAX_UNKNOWNS = 4_000
MAX_EQUATIONS = 2_000_000


def gradients(maps: PatternMaps) -> list[dict[int, dict[Exponents, int]]]:
    """Return the gradient of each coefficient: parameter -> polynomial, zeros left out."""
    out = []
    for entry in maps.coefficients:
        parts = {}
        for i, degree in enumerate(entry.degrees()):
            if degree:
                parts[i] = {tuple(map(int, e)): int(c) for e, c in entry.derivative(i).to_dict().items()}
        out.append(parts)
    return out


def law_space(maps: PatternMaps, degree: int) -> list[Law]:
    """Return a basis of the conserved polynomials of degree 1 to `degree`.

    Exactness: integers.    Cost: one kernel with as many columns as monomials.
    Raises:
        BudgetExceeded: more than `MAX_UNKNOWNS` monomials, or too many equations.
    """
    count = maps.architecture.parameters
    monomials = [m for k in range(1, degree + 1) for m in combinations_with_replacement(range(count), k)]
    if len(monomials) > MAX_UNKNOWNS:
        raise BudgetExceeded(f"{len(monomials)} monomials of degree at most {degree}, more than {MAX_UNKNOWNS}")
    through: list[list[tuple[int, int, tuple[int, ...]]]] = [[] for _ in range(count)]
    for number, monomial in enumerate(monomials):
        for i in set(monomial):
            at = monomial.index(i)
            through[i].append((number, monomial.count(i), monomial[:at] + monomial[at + 1:]))
    rows: dict[tuple[tuple[int, int], ...], None] = {}
    for gradient in gradients(maps):
        system: defaultdict[Exponents, defaultdict[int, int]] = defaultdict(lambda: defaultdict(int))
        for i, part in gradient.items():
            for number, times, rest in through[i]:
                for exponents, c in part.items():
                    raised = list(exponents)
                    for j in rest:
                        raised[j] += 1
                    system[tuple(raised)][number] += times * c
        for equation in system.values():
            entries = tuple(sorted((n, c) for n, c in equation.items() if c))
            if entries:
                rows.setdefault(entries)
        if len(rows) > MAX_EQUATIONS:
            raise BudgetExceeded(f"more than {MAX_EQUATIONS} equations for the coefficients of a law")
    basis = _sparse_kernel(list(rows), len(monomials))
    return [{_exponents(monomials[n], count): c for n, c in enumerate(vector) if c} for vector in basis]


def _exponents(monomial: Sequence[int], count: int) -> Exponents:
    out = [0] * count
    for i in monomial:
        out[i] += 1
    return tuple(out)


def _sparse_kernel(rows: list[tuple[tuple[int, int], ...]], columns: int) -> list[list[int]]:
    """Kernel of a sparse system: unknowns that some equation sets to 0 go first, then independent blocks one by one."""
    zero: set[int] = set()
    while True:
        single = {entries[0][0] for entries in rows if len(entries) == 1} - zero
        if not single:
            break
        zero |= single
        rows = list(dict.fromkeys(tuple((n, c) for n, c in entries if n not in zero) for entries in rows))
        rows = [entries for entries in rows if entries]
    owner = list(range(columns))

    def root(n: int) -> int:
        while owner[n] != n:
            owner[n] = owner[owner[n]]
            n = owner[n]
        return n

    for entries in rows:
        first = root(entries[0][0])
        for n, _ in entries[1:]:
            owner[root(n)] = first
    blocks: defaultdict[int, list[tuple[tuple[int, int], ...]]] = defaultdict(list)
    members: defaultdict[int, list[int]] = defaultdict(list)
    for entries in rows:
        blocks[root(entries[0][0])].append(entries)
    for n in range(columns):
        if n not in zero:
            members[root(n)].append(n)
    out = []
    for block, unknowns in members.items():
        at = {n: k for k, n in enumerate(unknowns)}
        dense = []
        for entries in blocks[block]:
            row = [0] * len(unknowns)
            for n, c in entries:
                row[at[n]] = c
            dense.append(row)
        chosen = independent_rows_modulo(dense, PRIME) if dense else []
        for vector in kernel([dense[k] for k in chosen], len(unknowns)) if dense else [[1]]:
            if any(sum(a * b for a, b in zip(row, vector)) for row in dense):       # the prime was unlucky
                return _sparse_kernel_exact(rows, columns, zero)
            full = [0] * columns
            for n, c in zip(unknowns, vector):
                full[n] = int(c)
            out.append(full)
    return out


def _sparse_kernel_exact(rows: list[tuple[tuple[int, int], ...]], columns: int, zero: set[int]) -> list[list[int]]:
    dense = [[dict(entries).get(n, 0) for n in range(columns)] for entries in [*rows, *(((n, 1),) for n in zero)]]
    return [list(map(int, vector)) for vector in kernel(dense, columns)]


def law_gradient(law: Law, point: Sequence[int], prime: int) -> list[int]:
    """Return the gradient of a law at a point modulo a prime."""
    out = [0] * len(point)
    for exponents, c in law.items():
        support = [i for i, e in enumerate(exponents) if e]
        for i in support:
            value = c * exponents[i]
            for j in support:
                value = value * pow(point[j], exponents[j] - (j == i), prime) % prime
            out[i] = (out[i] + value) % prime
    return out


def independent_laws(laws: Sequence[Law], count: int, rng: Random, *, first: int = 0) -> list[Law]:
    """Return laws whose gradients are independent at some parameter, as many as the gradients of all span there.

    The first laws of the list are preferred, then simple ones.  Independence modulo a prime at one point proves independence
    of the functions.
    """
    ordered = sorted(laws[first:], key=lambda law: (max(map(sum, law)), len(law), sum(map(abs, law.values())), sorted(law, reverse=True)))
    ordered = [*laws[:first], *ordered]
    point = [rng.randrange(1, PRIME) for _ in range(count)]
    rows = [law_gradient(law, point, PRIME) for law in ordered]
    return [ordered[k] for k in independent_rows_modulo(rows, PRIME)] if rows else []


def law_text(law: Law, names: Sequence[str]) -> str:
    """Return a law as text.

    >>> law_text({(2, 0): 1, (0, 2): -1}, ["v", "w"])
    'v^2 - w^2'
    """
    ring = flint.fmpz_mpoly_ctx.get(list(names), "degrevlex")
    return str(ring.from_dict(law))
