"""Forgeries about conserved polynomials, and planted faults: (file, text, changed text)."""

from collections.abc import Iterator

from tests.checker import corpus_conservation as C
from tests.checker.forgery import Forgery, malformed, rejected

CONSERVATION = "claims/conservation.py"
BASE = "conserved_block"
LAWS, PATTERNS, POINT = ("claim", "laws"), ("claim", "patterns"), ("evidence", "point")


def conservation_forgeries() -> Iterator[Forgery]:
    widths = ("claim", "architecture")
    yield rejected("conserved_no_layer", "no hidden layer", BASE, {widths: [2, 1]})
    yield rejected("conserved_empty_layer", "a layer without neurons", BASE, {widths: [2, 0, 1]})
    yield rejected("conserved_large", "too many parameters", BASE, {widths: [99, 9, 1]})
    yield rejected("conserved_no_pattern", "no pattern", BASE, {PATTERNS: []})
    order = "patterns are not sorted, or twice the same"
    yield rejected("conserved_pattern_twice", order, BASE, {PATTERNS: [[3], [3]]})
    yield rejected("conserved_pattern_order", order, BASE, {PATTERNS: [[3], [1]]})
    fits = "a pattern does not fit the architecture"
    yield rejected("conserved_pattern_bits", fits, BASE, {PATTERNS: [[4]]})
    yield rejected("conserved_pattern_length", fits, BASE, {PATTERNS: [[3, 3]]})
    deep = {widths: [2, *[3] * 11, 1], PATTERNS: [[7] * 11]}
    yield rejected("conserved_paths", "too many paths", BASE, deep)
    yield rejected("conserved_no_law", "no law", BASE, {LAWS: []})
    broken = "a law is not conserved"
    yield rejected("conserved_sign", broken, BASE, {(*LAWS, 0): C.squares([0, 1, 2, 6], [])})
    yield rejected("conserved_part", broken, BASE, {(*LAWS, 2): C.MIXED[:3]})
    yield rejected("conserved_more_patterns", broken, BASE, {PATTERNS: [[1], [3]]})
    yield rejected("conserved_later_pattern", broken, BASE, {PATTERNS: [[0], [1]]})
    yield rejected("conserved_bias", broken, BASE, {(*LAWS, 1): [[1, [[5, 1]]]]})
    independent = "the laws are not independent at the point"
    twice = {(*LAWS, 1): C.squares([0, 1, 2], [6])}
    yield rejected("conserved_dependent", independent, BASE, twice)
    yield rejected("conserved_zero_law", independent, BASE, {(*LAWS, 0): []})
    yield rejected("conserved_constant", independent, BASE, {(*LAWS, 0): [[5, []]]})
    yield rejected("conserved_bad_point", independent, BASE, {POINT: [0] * 9})
    yield malformed("conserved_short_point", "expected a list of length 9", BASE, {POINT: [1] * 8})
    law = (*LAWS, 0)
    term = "a term is not [coefficient, powers]"
    yield malformed("conserved_term", term, BASE, {law: [[1, [[0, 2]], 3]]})
    yield malformed("conserved_coefficient", term, BASE, {law: [["1", [[0, 2]]]]})
    increasing = "parameters of a term are not increasing or do not exist"
    yield rejected("conserved_unordered", increasing, BASE, {law: [[1, [[1, 1], [0, 1]]]]})
    yield rejected("conserved_repeated", increasing, BASE, {law: [[1, [[0, 1], [0, 1]]]]})
    yield rejected("conserved_unknown", increasing, BASE, {law: [[1, [[9, 2]]]]})
    yield rejected("conserved_exponent", "an exponent is 0", BASE, {law: [[1, [[0, 0]]]]})
    yield rejected("conserved_degree", "the degree is too large", BASE, {law: [[1, [[0, 65]]]]})
    length = "a coefficient is 0 or too long"
    yield rejected("conserved_zero", length, BASE, {law: [[0, [[0, 2]]]]})
    yield rejected("conserved_long", length, BASE, {law: [[10**17, [[0, 2]]]]})
    double = [[1, [[0, 2]]], [1, [[0, 2]]]]
    yield rejected("conserved_double", "a monomial is there twice", BASE, {law: double})


CONSERVATION_FAULTS = {
    "one pattern only": (CONSERVATION, "for pattern in patterns:\n        for row", "for pattern in patterns[:1]:\n        for row"),
    "powers not lowered": (CONSERVATION, "rest = ((i, e - 1),) if e > 1 else ()", "rest = ((i, e),)"),
    "exponents ignored": (CONSERVATION, "[lowered] = c * e", "[lowered] = c"),
    "products of one part": (CONSERVATION, "powers[i] = powers.get(i, 0) + e", "powers[i] = e"),
    "biases ignored": (CONSERVATION, "row[0][((first + before, 1),)] = 1", "pass"),
    "inactive neurons": (CONSERVATION, "if mask >> i & 1:", "if True:"),
    "laws unchecked": (CONSERVATION, "require(not _pairing(gradient, derivatives)", "require(True"),
    "independence unchecked": (CONSERVATION, "require(rank_modulo(rows) == len(laws)", "require(True"),
    "entries seen": (CONSERVATION, "if entry and key not in seen:", "if entry and not seen:"),
}
