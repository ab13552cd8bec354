"""Polynomials in the parameters that gradient flow conserves.

Parameters are numbered layer by layer, neuron by neuron, the weights of a neuron before its bias.
A polynomial is a list of [coefficient, [[parameter, exponent], ...]], parameters increasing.
Under an activity pattern (a bit mask for each hidden layer) f = A x + a, and the entries of A
and a are polynomials in the parameters.

**Criterion.**  Gradient flow d theta/dt = -grad L of a differentiable loss L(theta) = sum of
l(f(x_k), y_k), the data x_k in cells with the patterns listed, moves theta in the span of the
gradients of these entries (chain rule).  So a polynomial whose gradient is orthogonal to all
of them, identically, is constant along every such flow as long as the patterns persist.

Laws whose gradients are linearly independent at one parameter are independent functions.
"""

from collections.abc import Iterator
from math import prod

from exactrelu.checker.claims.modular import rank_modulo
from exactrelu.checker.document import Json, Malformed, Rule, index, require, sequence, spend

Monomial = tuple[tuple[int, int], ...]
Polynomial = dict[Monomial, int]
PARAMETERS = 200
PATHS = 250_000
DEGREE = 64
COEFFICIENT = 10**16


def conservation_laws(claim: Json, evidence: Json) -> None:
    """The polynomials are conserved by gradient flow of any differentiable loss on data in cells
    with these activity patterns, and they are independent functions of the parameters."""
    widths = sequence(claim["architecture"], _width)
    require(len(widths) >= 3, "no hidden layer")
    sizes = [(m + 1) * n for m, n in zip(widths, widths[1:], strict=False)]
    require(sum(sizes) <= PARAMETERS, "too many parameters")
    patterns = sequence(claim["patterns"], lambda value: tuple(sequence(value, index)))
    require(patterns, "no pattern")
    require(patterns == sorted(set(patterns)), "patterns are not sorted, or twice the same")
    for pattern in patterns:
        fits = len(pattern) == len(widths) - 2 and all(
            mask < 1 << width for mask, width in zip(pattern, widths[1:], strict=False)
        )
        require(fits, "a pattern does not fit the architecture")
    paths = sum(prod(mask.bit_count() for mask in pattern) for pattern in patterns)
    require(paths * (widths[0] + len(widths)) * widths[-1] <= PATHS, "too many paths")
    laws = sequence(claim["laws"], lambda value: _polynomial(value, sum(sizes)))
    require(laws, "no law")
    gradients = [_gradient(law) for law in laws]
    for entry in _entries(widths, patterns):
        derivatives = _gradient(entry)
        for gradient in gradients:
            require(not _pairing(gradient, derivatives), "a law is not conserved")
    point = sequence(evidence["point"], lambda value: index(value), sum(sizes))
    rows = [[_value(gradient.get(i, {}), point) for i in range(sum(sizes))] for gradient in gradients]
    require(rank_modulo(rows) == len(laws), "the laws are not independent at the point")


def _width(value: Json) -> int:
    width = index(value, PARAMETERS)
    require(width, "a layer without neurons")
    return width


def _polynomial(value: Json, parameters: int) -> Polynomial:
    out: Polynomial = {}
    for term in sequence(value, lambda item: item):
        if not isinstance(term, list) or len(term) != 2 or type(term[0]) is not int:
            raise Malformed("a term is not [coefficient, powers]")
        powers = sequence(term[1], lambda item: tuple(sequence(item, index, 2)))
        variables = [i for i, _ in powers]
        proper = variables == sorted(set(variables)) and all(i < parameters for i in variables)
        require(proper, "parameters of a term are not increasing or do not exist")
        require(all(powers) and all(e for _, e in powers), "an exponent is 0")
        require(sum(e for _, e in powers) <= DEGREE, "the degree is too large")
        require(0 < abs(term[0]) < COEFFICIENT, "a coefficient is 0 or too long")
        monomial = tuple((i, e) for i, e in powers)
        require(monomial not in out, "a monomial is there twice")
        out[monomial] = term[0]
    return out


def _entries(widths: list[int], patterns: list[tuple[int, ...]]) -> Iterator[Polynomial]:
    """The entries of A and a under all patterns, each once."""
    seen: set[frozenset[Monomial]] = set()
    for pattern in patterns:
        for row in _map(widths, pattern):
            for entry in row:
                key = frozenset(entry)  # all coefficients are 1: distinct paths, distinct monomials
                if entry and key not in seen:
                    seen.add(key)
                    yield entry


def _map(widths: list[int], pattern: tuple[int, ...]) -> list[list[Polynomial]]:
    """The rows (a, A_1, ..., A_d), one an output."""
    d, first = widths[0], 0
    values: list[list[Polynomial]] = [
        [{(): 1} if k == j + 1 else {} for k in range(d + 1)] for j in range(d)
    ]
    for before, width, mask in zip(
        widths, widths[1:], [*pattern, (1 << widths[-1]) - 1], strict=False
    ):
        following: list[list[Polynomial]] = []
        for i in range(width):
            row: list[Polynomial] = [{} for _ in range(d + 1)]
            if mask >> i & 1:
                for j, value in enumerate(values):
                    for k, entry in enumerate(value):
                        spend(len(entry) * 4)
                        for monomial, c in entry.items():
                            row[k][(*monomial, (first + j, 1))] = c
                row[0][((first + before, 1),)] = 1
            following.append(row)
            first += before + 1
        values = following
    return values


def _gradient(entry: Polynomial) -> dict[int, Polynomial]:
    out: dict[int, Polynomial] = {}
    for monomial, c in entry.items():
        for place, (i, e) in enumerate(monomial):
            rest = ((i, e - 1),) if e > 1 else ()
            lowered = (*monomial[:place], *rest, *monomial[place + 1 :])
            out.setdefault(i, {})[lowered] = c * e
    return out


def _pairing(one: dict[int, Polynomial], two: dict[int, Polynomial]) -> bool:
    """Whether the sum over the parameters of the products of the parts is not 0."""
    total: Polynomial = {}
    for i, part in one.items():
        other = two.get(i, {})
        spend(4 * len(part) * len(other) + 1)
        for m, c in part.items():
            for n, e in other.items():
                monomial = _times(m, n)
                total[monomial] = total.get(monomial, 0) + c * e
    return any(total.values())


def _times(m: Monomial, n: Monomial) -> Monomial:
    powers = dict(m)
    for i, e in n:
        powers[i] = powers.get(i, 0) + e
    return tuple(sorted(powers.items()))


def _value(entry: Polynomial, point: list[int]) -> int:
    spend(8 * sum(map(len, entry)) + 1, 64)
    return sum(c * prod(point[i] ** e for i, e in monomial) for monomial, c in entry.items())


KINDS = {
    "conservation-laws": Rule(
        conservation_laws, "architecture patterns laws", "point", ("conserved quantities",)
    ),
}
