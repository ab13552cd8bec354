"""What gradient flow conserves near a parameter: the answer of the `conservation` command."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from random import Random
from typing import Any

from exactrelu.arithmetic.matrix import PRIME, independent_rows_modulo
from exactrelu.certificates.certificate import Certificate
from exactrelu.certificates.result import Result
from exactrelu.complexes.bent_hyperplane import BentHyperplanes
from exactrelu.complexes.canonical_complex import CanonicalComplex
from exactrelu.errors import InputError
from exactrelu.fibers.conservation.lie_hull import LieHull, lie_hull
from exactrelu.fibers.conservation.pattern_maps import PatternMaps, parameter_texts, strict_patterns
from exactrelu.fibers.conservation.polynomial_laws import Law, independent_laws, law_gradient, law_space, law_text
from exactrelu.fibers.conservation.symmetries import Symmetry, symmetries
from exactrelu.limits import Limits, Meter
from exactrelu.network.network import Network
from exactrelu.polyhedra.domain import Domain

MAX_DEGREE = 4


@dataclass(frozen=True, eq=False, repr=False)
class Conservation(Result):
    """Conserved polynomials of the gradient flow of every differentiable loss, as long as the activity patterns persist.

    Attributes:
        maps: the coefficients of f on the patterns of the full cells.
        degree: of the polynomials that were looked for.
        space: dimension of all conserved polynomials of degree 1 to `degree`.
        laws: functionally independent ones.
        hull: Lie hull of the gradient fields, which bounds the number of independent laws of any kind.
        symmetries: continuous symmetries of f, with the law each gives, or why it gives none.
        stable: whether the complex is zero-count generic; then no activity pattern appears or vanishes near its cells when theta moves
            a little.
    """

    network: Network
    domain: Domain
    maps: PatternMaps
    degree: int
    space: int
    laws: tuple[Law, ...]
    hull: LieHull
    symmetries: tuple[Symmetry, ...]
    stable: bool

    @property
    def upper(self) -> int:
        """No more independent conserved functions exist, polynomial or not."""
        return self.network.architecture.parameters - self.hull.dimension

    @property
    def complete(self) -> bool:
        """Whether every conserved function is locally a function of the laws."""
        return len(self.laws) == self.upper

    @property
    def verdict(self) -> str:  # type: ignore[override]  # read-only here
        """`complete`, or `undecided`: the laws hold, but there may be more."""
        return "complete" if self.complete else "undecided"

    @property
    def reason(self) -> str:
        """One sentence."""
        note = "" if self.stable else "; near theta other activity patterns may occur, about which nothing is said"
        count = f"{len(self.laws)} independent law{'s' * (len(self.laws) != 1)}"
        if self.complete:
            return f"{count}, and no more, for the brackets of the gradient fields leave no room{note}"
        return f"{count} among the polynomials of degree at most {self.degree}; at most {self.upper} exist{note}"

    @cached_property
    def texts(self) -> list[str]:
        """The laws as text, parameters named W{layer}_{neuron}_{input} and b{layer}_{neuron}, counted from 1."""
        names = parameter_texts(self.network.architecture)
        return [law_text(law, names) for law in self.laws]

    @cached_property
    def certificate(self) -> Certificate | None:
        """The document that the laws hold and are independent; None if there are none."""
        if not self.laws:
            return None
        laws = [[[c, [[i, e] for i, e in enumerate(exponents) if e]] for exponents, c in sorted(law.items())] for law in self.laws]
        claim = {"kind": "conservation-laws", "architecture": list(self.network.architecture.widths),
                 "patterns": [list(pattern) for pattern in self.maps.patterns], "laws": laws}
        return Certificate(claim, {"point": _independent_at(self.laws, self.network.architecture.parameters)})

    def fields(self) -> dict[str, Any]:
        """Return the JSON fields of the interface."""
        return {"laws": self.texts, "independent": len(self.laws), "lie_hull_dimension": self.hull.dimension,
                "lie_hull_dimensions": list(self.hull.dimensions), "parameters": self.network.architecture.parameters,
                "at_most": self.upper, "degree": self.degree, "space": self.space, "patterns": len(self.maps.patterns),
                "symmetries": [s.to_json() for s in self.symmetries], "stable": self.stable, "reason": self.reason}


def _independent_at(laws: tuple[Law, ...], count: int) -> list[int]:
    rng = Random(0)
    while True:
        point = [rng.randrange(1, 1000) for _ in range(count)]
        if len(independent_rows_modulo([law_gradient(law, point, PRIME) for law in laws], PRIME)) == len(laws):
            return point


def conservation(network: Network, domain: Domain | None = None, *, degree: int = 2, seed: int = 0,
                 limits: Limits | None = None) -> Conservation:
    """Return the polynomial conservation laws of gradient flow near a parameter.

    Data may lie in any full cell on which no neuron vanishes; the laws hold while their activity patterns persist.
    Args:
        degree: of the polynomials, 1 to 4.
        seed: of the points at which independence is tested; the answer is a proof for every seed.
    Raises:
        InputError: degree out of range.  BudgetExceeded: a limit was reached.

    >>> conservation(Network([[[1, 2], [3, -1]], [[1, -2]]], [[1, 2], [1]])).to_json()["independent"]
    2
    """
    if not 1 <= degree <= MAX_DEGREE:
        raise InputError(f"the degree {degree} is not between 1 and {MAX_DEGREE}")
    meter, count = Meter(limits), network.architecture.parameters
    complex_ = CanonicalComplex.build(network, domain, limits=limits)
    maps = PatternMaps(network.architecture, strict_patterns(complex_))
    known = symmetries(maps)
    space = law_space(maps, degree)
    preferred = [s.law for s in known if s.law is not None and max(map(sum, s.law)) <= degree]
    laws = independent_laws([*preferred, *space], count, Random(seed), first=len(preferred))
    hull = lie_hull(maps, Random(seed + 1), at_most=count - len(laws), meter=meter)
    return Conservation(network, domain if domain is not None else Domain.space(network.architecture.inputs), maps, degree, len(space),
                        tuple(laws), hull, tuple(known), BentHyperplanes(complex_).zero_count_generic)
