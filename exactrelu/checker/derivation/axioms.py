"""The axioms of MV-algebras, of their divisible extension, and the definitions of connectives.

Chang's axioms A1-A6 over (+), ~, 0; the definitions D1-D5; V1 and V2 characterize delta_n, and R1
defines a rational scalar.  Every one holds on [0,1] for every admitted parameter; V2 is false for
n = 1, so parameters are range-checked here and nowhere else.
"""

from fractions import Fraction

from exactrelu.checker.derivation.meter import LIMITS
from exactrelu.checker.derivation.terms import Terms

Equation = tuple[int, int]
AXIOMS = ("A1", "A2", "A3", "A4", "A5", "A6", "V1", "V2")
DEFINITIONS = ("D1", "D2", "D3", "D4", "D5", "R1")
LEAST = {"V1": 1, "V2": 2}


def axiom(terms: Terms, name: str, parameters: list[int]) -> Equation:
    """Both sides of an axiom in the variables ?x, ?y, ?z.

    Rejects: an unknown name, a parameter too many or too few, n < 1 for V1, n < 2 for V2.
    """
    meter = terms.meter
    meter.require(name in AXIOMS, f"no axiom {name[:60]!a}")
    expected = 1 if name in LEAST else 0
    meter.require(len(parameters) == expected, f"{name} takes {expected} parameters")
    x, y, z = (terms.make("var", data=letter) for letter in ("?x", "?y", "?z"))
    if name in LEAST:
        n = parameters[0]
        bounds = f"n of {name} should be in [{LEAST[name]}, {LIMITS['parameter']}]"
        meter.require(LEAST[name] <= n <= LIMITS["parameter"], bounds)
        part = terms.make("delta", x, data=n)
        if name == "V1":
            return terms.fold(n, part), x
        return terms.make("odot", terms.fold(n - 1, part), part), terms.make("0")
    zero = terms.make("0")

    def plus(a: int, b: int) -> int:
        return terms.make("oplus", a, b)

    def no(a: int) -> int:
        return terms.make("neg", a)

    if name == "A1":
        return plus(x, plus(y, z)), plus(plus(x, y), z)
    if name == "A2":
        return plus(x, y), plus(y, x)
    if name == "A3":
        return plus(x, zero), x
    if name == "A4":
        return no(no(x)), x
    if name == "A5":
        return plus(x, no(zero)), no(zero)
    return plus(no(plus(no(x), y)), y), plus(no(plus(no(y), x)), x)


def definition(terms: Terms, name: str, scalar: Fraction | None) -> Equation:
    """Both sides of a definition: D1 of 1, D2 of (.), D3 of ->, D4 of |, D5 of &, R1 of a scalar.

    Rejects: an unknown name, a scalar where none belongs or none where one does, r outside [0,1].
    """
    meter = terms.meter
    meter.require(name in DEFINITIONS, f"no definition {name[:60]!a}")
    meter.require((scalar is not None) == (name == "R1"), f"wrong parameter of {name}")
    x, y = (terms.make("var", data=letter) for letter in ("?x", "?y"))
    if scalar is not None:
        meter.require(0 <= scalar <= 1, "r of R1 should be in [0, 1]")
        p, q = scalar.as_integer_ratio()
        folded = terms.fold(p, terms.make("delta", x, data=q)) if p else terms.make("0")
        return terms.make("scale", x, data=scalar), folded
    no_x, no_y = terms.make("neg", x), terms.make("neg", y)
    if name == "D1":
        return terms.make("1"), terms.make("neg", terms.make("0"))
    if name == "D2":
        return terms.make("odot", x, y), terms.make("neg", terms.make("oplus", no_x, no_y))
    if name == "D3":
        return terms.make("imp", x, y), terms.make("oplus", no_x, y)
    if name == "D4":
        return terms.make("vee", x, y), terms.make("oplus", terms.make("odot", x, no_y), y)
    return terms.make("wedge", x, y), terms.make("odot", terms.make("oplus", x, no_y), y)
